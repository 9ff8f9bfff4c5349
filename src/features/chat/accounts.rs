//! Accounts on the homeserver: one for each user, named after them.

use ruma::{OwnedUserId, UserId as MatrixId};
use serde_json::json;

use crate::adapters::matrix;
use crate::features::chat::Chat;
use crate::features::users::{self, UserId, UserRow};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::jobs::{self, Next, Stop, job};
use crate::platform::tokens;

use super::account_store::{self as store, AccountRow, State};

/// The account that a user has, or is to have, on the homeserver in use.
pub fn find_or_want(tx: &mut Tx, chat: &Chat, user: &UserRow) -> Result<AccountRow> {
    let name = localpart(tx, user)?;
    let wanted = chat.matrix.user_id(&name)?;
    match store::find_current(tx, user.id)? {
        Some(account) if account.matrix_id == wanted.as_str() => return Ok(account),
        // The homeserver goes by another name than when this account was made.
        Some(_) => {
            store::update_former(tx, user.id)?;
        }
        None => {}
    }
    store::insert(tx, wanted.as_str(), &name, Some(user.id))?;
    let account = store::find(tx, wanted.as_str())?;
    match account {
        Some(account) if account.user_id == Some(user.id) => Ok(account),
        _ => Err(Error::internal("a user's chat name belongs to another user")),
    }
}

/// What a user is called on the network: as everywhere, unless somebody else was called that there before. An id on the network
/// is never given twice, so a freed username goes with the user's number, behind a sign that no username holds.
fn localpart(tx: &mut Tx, user: &UserRow) -> Result<String> {
    let name = user.username.as_str();
    let was_anothers = store::is_name_of_another(tx, name, user.id)?
        || store::is_closed_name(tx, &tokens::hash(name))?;
    Ok(if was_anothers { format!("{name}={}", user.id.0) } else { name.to_owned() })
}

/// Sees to it that the homeserver has the account.
pub async fn ensure(chat: &Chat, account: &AccountRow) -> Result<OwnedUserId> {
    let id = parse(&account.matrix_id)?;
    let mut state = account.state;
    if state == State::Wanted {
        let after =
            if chat.matrix.has_profile(&id).await? { State::Foreign } else { State::Claimed };
        state = settle(chat, &id, State::Wanted, after).await?;
    }
    if state == State::Claimed {
        // That it exists is as good: nobody but us has made it since the name was seen to be free.
        chat.matrix.register(&id).await?;
        state = settle(chat, &id, State::Claimed, State::Ready).await?;
    }
    if state == State::Foreign {
        tracing::error!(account = %id, "this chat account exists and is not the service's: its user has no chat");
        return Err(matrix::unavailable());
    }
    Ok(id)
}

/// Writes down what was found out and answers what holds now.
async fn settle(chat: &Chat, id: &MatrixId, before: State, after: State) -> Result<State> {
    let id = id.to_string();
    chat.db
        .write(move |tx| {
            store::update_state(tx, &id, before, after)?;
            let account = store::find(tx, &id)?;
            account.map(|account| account.state).ok_or_else(matrix::unavailable)
        })
        .await
}

/// The user's account, made on the homeserver if it is not there yet.
pub async fn provide(chat: &Chat, user: UserId) -> Result<OwnedUserId> {
    let shared = chat.clone();
    let account = chat
        .db
        .write(move |tx| {
            let row = users::get(tx, user)?;
            find_or_want(tx, &shared, &row)
        })
        .await?;
    ensure(chat, &account).await
}

/// The bot's account is ours by the registration itself, whoever made it.
pub async fn ensure_bot(chat: &Chat) -> Result<()> {
    let bot = chat.matrix.bot().to_owned();
    chat.matrix.register(&bot).await?;
    chat.db
        .write(move |tx| {
            store::insert(tx, bot.as_str(), bot.localpart(), None)?;
            store::update_state(tx, bot.as_str(), State::Wanted, State::Ready)?;
            Ok(())
        })
        .await
}

pub async fn has_account(chat: &Chat, matrix_id: String) -> Result<bool> {
    let found = chat.db.lookup(move |tx| store::find(tx, &matrix_id)).await?;
    Ok(found.is_some_and(|account| account.state == State::Ready))
}

pub fn parse(matrix_id: &str) -> Result<OwnedUserId> {
    MatrixId::parse(matrix_id).map_err(Error::internal)
}

/// A user changed their name or username: the network follows.
pub fn profile_changed(tx: &mut Tx, user: &UserRow, is_renamed: bool) -> Result<()> {
    if is_renamed && let Some(former) = store::update_former(tx, user.id)? {
        jobs::ask(tx, &MoveAccount { user_id: user.id, from: former })?;
    }
    jobs::ask(tx, &SendProfile { user_id: user.id })
}

/// Asks for the account later, because the homeserver is away now.
pub fn provision_later(tx: &mut Tx, user: UserId) -> Result<()> {
    jobs::ask(tx, &Provision { user_id: user })
}

job! {
    pub struct Provision { user_id: UserId }
    kind: "chat_provision", lane: Chat, key: user_id.0, run: provision(Chat)
}

async fn provision(job: Provision, chat: Chat, _: Stop) -> Result<Next> {
    let user = job.user_id;
    match provide(&chat, user).await {
        // The user is gone, and with them the wish.
        Ok(_) | Err(Error::NotFound(_)) => Ok(Next::Done),
        Err(error) => Err(error),
    }
}

job! {
    pub struct SendProfile { user_id: UserId }
    kind: "chat_profile", lane: Chat, key: user_id.0, run: send_profile(Chat)
}

async fn send_profile(job: SendProfile, chat: Chat, _: Stop) -> Result<Next> {
    let user = job.user_id;
    let found = chat.db.lookup(move |tx| {
        let account = store::find_current(tx, user)?;
        Ok(account.zip(users::find(tx, user)?))
    });
    let Some((account, user)) = found.await? else { return Ok(Next::Done) };
    let name = user.name.as_ref().map_or_else(|| user.username.to_string(), users::Name::to_string);
    // The homeserver calls a new account by its username.
    let known = account.display_name.as_deref().unwrap_or(user.username.as_str());
    if account.state != State::Ready || known == name {
        return Ok(Next::Done);
    }
    chat.matrix.set_display_name(&parse(&account.matrix_id)?, &name).await?;
    chat.db.write(move |tx| store::update_display_name(tx, &account.matrix_id, &name)).await?;
    Ok(Next::Done)
}

job! {
    /// Takes a renamed user's rooms from the former account to the one that has the new name.
    pub struct MoveAccount { user_id: UserId, from: String }
    kind: "chat_move_account", lane: Chat, key: from, run: move_account(Chat)
}

async fn move_account(job: MoveAccount, chat: Chat, _: Stop) -> Result<Next> {
    match provide(&chat, job.user_id).await {
        Ok(to) => super::moving::move_rooms(&chat, &parse(&job.from)?, &to).await?,
        Err(Error::NotFound(_)) => {}
        Err(error) => return Err(error),
    }
    close(&chat, job.from).await?;
    Ok(Next::Done)
}

job! {
    pub struct CloseAccount { matrix_id: String }
    kind: "chat_close_account", lane: Chat, key: matrix_id, run: close_account(Chat)
}

async fn close_account(job: CloseAccount, chat: Chat, _: Stop) -> Result<Next> {
    close(&chat, job.matrix_id).await?;
    Ok(Next::Done)
}

/// Ends an account for good, and forgets it but for the hash that keeps its name from being given again.
async fn close(chat: &Chat, matrix_id: String) -> Result<()> {
    let id = parse(&matrix_id)?;
    let account = chat.db.lookup({
        let matrix_id = matrix_id.clone();
        move |tx| store::find(tx, &matrix_id)
    });
    // Somebody else's account is not ours to close.
    if account.await?.is_some_and(|account| matches!(account.state, State::Claimed | State::Ready))
    {
        chat.matrix.deactivate(&id).await?;
    }
    let shared = chat.clone();
    chat.db
        .write(move |tx| {
            super::membership::remove_from_all(tx, &shared, &matrix_id)?;
            store::insert_closed_name(tx, &tokens::hash(id.localpart()))?;
            store::delete(tx, &matrix_id)
        })
        .await
}

/// Everything this feature knows about a user, for them to take away.
pub fn export(tx: &mut Tx, user: UserId) -> Result<serde_json::Value> {
    let accounts = store::list_of_user(tx, user)?;
    let ids: Vec<&str> = accounts.iter().map(|account| account.matrix_id.as_str()).collect();
    let blocked = super::moderation::list_blocked(tx, user)?;
    let blocked: Vec<UserId> = blocked.into_iter().map(|(id, _)| id).collect();
    let rooms = super::store::list_joined_rooms(tx, user)?;
    Ok(json!({"accounts": ids, "rooms": rooms, "blocked_user_ids": blocked}))
}

/// Closes the user's accounts; until the homeserver has done so, the outbox has to know them.
pub fn forget(tx: &mut Tx, user: UserId) -> Result<()> {
    for account in store::list_of_user(tx, user)? {
        jobs::ask(tx, &CloseAccount { matrix_id: account.matrix_id })?;
    }
    super::moderation_store::delete_blocks(tx, user)
}
