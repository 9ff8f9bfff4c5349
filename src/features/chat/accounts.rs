//! Accounts on the homeserver: one for each user, named after them.

use ruma::{OwnedUserId, UserId as MatrixId};
use serde_json::json;

use crate::adapters::matrix;
use crate::features::chat::Chat;
use crate::features::users::{self, Hold, UserId, UserRow};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::jobs;
use crate::platform::keys;
use crate::platform::tokens;

use super::account_store::{self as store, AccountRow, FirstAccount, State};
use super::news_store::{self, NewsRow};
use super::reconcile::Reconcile;
use super::{addressed_store, desk, devices, moderation_store};

/// The account that a user, whom the transaction holds, has or is to have on the homeserver in use.
pub fn find_or_want(tx: &mut Tx, chat: &Chat, user: &UserRow) -> Result<AccountRow> {
    let current = store::find_current(tx, user.id)?;
    let plain = chat.matrix.user_id(user.username.as_str())?;
    if let Some(account) = current.as_ref().filter(|current| current.matrix_id == plain.as_str()) {
        return Ok(account.clone());
    }
    let name = localpart(tx, user)?;
    let wanted = chat.matrix.user_id(&name)?;
    match current {
        Some(account) if account.matrix_id == wanted.as_str() => return Ok(account),
        // The user has another name, or the homeserver goes by another one, than when this account was made.
        Some(former) => {
            store::update_former(tx, user.id)?;
            want(tx, &former.matrix_id)?;
        }
        None => {}
    }
    if store::insert(tx, wanted.as_str(), &name, Some(user.id))? == 1 {
        begin(tx, wanted.as_str(), user, &name)?;
    }
    match store::find(tx, wanted.as_str())? {
        Some(account) if account.user_id == Some(user.id) => Ok(account),
        _ => {
            tracing::error!(user = user.id.0, "a user's chat name belongs to another user");
            Err(matrix::unavailable())
        }
    }
}

/// The same for as many, each of whom is new or not: somebody whom this transaction has registered had no account, hides nobody and
/// is hidden by nobody. Nothing for those who cannot have one.
pub fn find_or_want_each(
    tx: &mut Tx,
    chat: &Chat,
    users: &[(&UserRow, bool)],
) -> Result<Vec<Option<AccountRow>>> {
    let known: Vec<UserId> =
        users.iter().filter(|(_, is_new)| !is_new).map(|(user, _)| user.id).collect();
    let mut found = if known.is_empty() { Vec::new() } else { store::list_current(tx, &known)? };
    let new: Vec<FirstAccount> = users
        .iter()
        .filter(|(_, is_new)| *is_new)
        .map(|(user, _)| {
            let name = user.username.to_string();
            let (id, hash) = (chat.matrix.user_id(&name)?.to_string(), tokens::hash(&name));
            Ok((id, name, user.id, keys::hex(&hash)))
        })
        .collect::<Result<_>>()?;
    if !new.is_empty() {
        found.extend(store::insert_if_free(tx, &new)?);
    }
    let mut accounts = Vec::with_capacity(users.len());
    for (user, _) in users {
        let plain = chat.matrix.user_id(user.username.as_str())?;
        let is_theirs = |account: &&AccountRow| {
            account.user_id == Some(user.id) && account.matrix_id == plain.as_str()
        };
        accounts.push(match found.iter().find(is_theirs) {
            Some(account) => Some(account.clone()),
            None => match find_or_want(tx, chat, user) {
                Err(error) if matrix::is_unavailable(&error) => None,
                account => Some(account?),
            },
        });
    }
    Ok(accounts)
}

/// A new account for which there is more to do than to make it: a name to tell, somebody to hide, somebody to hide it from.
fn begin(tx: &mut Tx, matrix_id: &str, user: &UserRow, localpart: &str) -> Result<()> {
    store::update_wanted_of_blockers(tx, user.id)?;
    let hides_some = !moderation_store::list_blocked_accounts(tx, user.id)?.is_empty();
    if hides_some || display_name(user) != localpart {
        want(tx, matrix_id)?;
    }
    Ok(())
}

/// What others see a user called.
pub fn display_name(user: &UserRow) -> String {
    user.name.as_ref().map_or_else(|| user.username.to_string(), users::Name::to_string)
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
    if claim(chat, &id, account).await? == State::Claimed {
        // That it exists is as good: nobody but us has made it since the name was seen to be free.
        chat.matrix.register(&id).await?;
        let settled = settle(chat, &id, State::Ready).await;
        if let Err(Error::NotFound(_)) = settled {
            // Its user has left in the meantime.
            chat.matrix.deactivate(&id).await?;
        }
        settled?;
    }
    Ok(id)
}

/// Looks at an account of which nothing is known yet: a name that is taken is a stranger's, unless a login of ours that was cut
/// off has left its device there.
pub async fn claim(chat: &Chat, id: &MatrixId, account: &AccountRow) -> Result<State> {
    let mut state = account.state;
    if state == State::Wanted {
        let is_free = !chat.matrix.has_profile(id).await? || devices::has_known(chat, id).await?;
        let after = if is_free { State::Claimed } else { State::Foreign };
        state = settle(chat, id, after).await?;
    }
    if state == State::Foreign {
        let user = account.user_id.map(|user| user.0);
        tracing::error!(
            user,
            "a chat account of this user's name exists and is not the service's: the user has no chat"
        );
        return Err(matrix::unavailable());
    }
    Ok(state)
}

/// Writes down what was found out and answers what holds now.
async fn settle(chat: &Chat, id: &MatrixId, after: State) -> Result<State> {
    let id = id.to_string();
    chat.db
        .write(move |tx| {
            store::update_state(tx, &[&id], after)?;
            let account = store::find(tx, &id)?;
            account.map(|account| account.state).ok_or(not_found!("user"))
        })
        .await
}

/// The user's account, made on the homeserver if it is not there yet.
pub async fn provide(chat: &Chat, user: UserId) -> Result<OwnedUserId> {
    let shared = chat.clone();
    let wanted = move |tx: &mut Tx| {
        let row = users::get_held(tx, user, Hold::Share)?;
        find_or_want(tx, &shared, &row)
    };
    let account = chat.db.write(wanted).await?;
    ensure(chat, &account).await
}

/// The bot's account is ours by the registration itself, whoever made it.
pub async fn ensure_bot(chat: &Chat) -> Result<()> {
    let bot = chat.matrix.bot().to_owned();
    chat.matrix.register(&bot).await?;
    chat.db
        .write(move |tx| {
            store::insert(tx, bot.as_str(), bot.localpart(), None)?;
            store::update_state(tx, &[bot.as_str()], State::Ready)?;
            Ok(())
        })
        .await
}

/// Whose account it is.
pub fn find_user(tx: &mut Tx, matrix_id: &str) -> Result<Option<UserId>> {
    let account = store::find(tx, matrix_id)?.filter(|account| account.is_current);
    Ok(account.and_then(|account| account.user_id))
}

pub async fn has_account(chat: &Chat, matrix_id: String) -> Result<bool> {
    let found = chat.db.lookup(move |tx| store::find(tx, &matrix_id)).await?;
    Ok(found.is_some_and(|account| account.state == State::Ready))
}

pub fn parse(matrix_id: &str) -> Result<OwnedUserId> {
    MatrixId::parse(matrix_id).map_err(Error::internal)
}

/// A user, whom the transaction holds, changed their name or username: the network follows.
pub fn profile_changed(tx: &mut Tx, chat: &Chat, user: &UserRow) -> Result<()> {
    let account = find_or_want(tx, chat, user)?;
    want(tx, &account.matrix_id)
}

/// What the account is to be has changed: the homeserver is to follow, for as long as it takes.
pub fn want(tx: &mut Tx, matrix_id: &str) -> Result<()> {
    store::update_wanted(tx, matrix_id)?;
    jobs::ask(tx, &Reconcile { matrix_id: matrix_id.to_owned() })
}

/// The same for all accounts that a user has had.
pub fn want_all_of(tx: &mut Tx, user: UserId) -> Result<()> {
    let accounts = store::list_of_user(tx, user)?;
    accounts.iter().try_for_each(|account| want(tx, &account.matrix_id))
}

/// Everything this feature knows about a user, for them to take away.
pub fn export(tx: &mut Tx, user: UserId) -> Result<serde_json::Value> {
    let accounts = store::list_of_user(tx, user)?;
    let ids: Vec<&str> = accounts.iter().map(|account| account.matrix_id.as_str()).collect();
    let blocked = super::moderation::list_blocked(tx, user)?;
    let blocked: Vec<UserId> = blocked.into_iter().map(|(id, _)| id).collect();
    let rooms = super::member_store::list_joined_rooms(tx, user)?;
    let news = news_store::list_after(tx, user, 0, i64::MAX)?;
    let news: Vec<_> = news.iter().map(NewsRow::view).collect();
    Ok(json!({"accounts": ids, "rooms": rooms, "blocked_user_ids": blocked, "room_news": news}))
}

/// Closes the user's accounts, which are known here until the homeserver has closed them too.
pub fn forget(tx: &mut Tx, user: UserId) -> Result<()> {
    want_all_of(tx, user)?;
    news_store::delete_of_user(tx, user)?;
    addressed_store::delete_of_user(tx, user)?;
    desk::forget(tx, user)?;
    moderation_store::delete_blocks(tx, user)
}
