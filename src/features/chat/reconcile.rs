//! Makes the homeserver match what is wanted of an account.
//!
//! What is wanted is never told in commands: it is read from who the user is now, whom they hide and which sessions they have. So
//! it does not matter how often, how late or on which node this runs, or what was missed while the homeserver was away.

use std::collections::BTreeSet;

use ruma::{OwnedUserId, UserId as MatrixId};

use crate::features::chat::Chat;
use crate::features::users::{self, UserId};
use crate::platform::clock::{MINUTE_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::jobs::{self, Next, Stop, job};
use crate::platform::tokens;

use super::account_store::{self as store, AccountRow};
use super::{accounts, desk, devices, member_store, membership, moderation_store, moving};

const AT_ONCE: i64 = 250;

job! {
    pub struct Reconcile { pub(super) matrix_id: String }
    kind: "chat_account", lane: Chat, key: matrix_id, run: reconcile(Chat)
}

job! {
    /// Finds accounts that are behind and that nobody asked for by name.
    pub struct CatchUp;
    kind: "chat_catch_up", lane: Chat, every: MINUTE_MS, run: catch_up(Chat)
}

async fn catch_up(_: CatchUp, chat: Chat, stop: Stop) -> Result<Next> {
    let mut after = (Timestamp::from_millis(0), String::new());
    loop {
        let from = after.clone();
        let ask = move |tx: &mut Tx| {
            let behind = store::list_behind(tx, &from, AT_ONCE)?;
            for (_, matrix_id) in &behind {
                jobs::ask_if_absent(tx, &Reconcile { matrix_id: matrix_id.clone() })?;
            }
            Ok(behind.last().cloned())
        };
        match chat.db.write(ask).await? {
            Some(last) if !stop.is_cancelled() => after = last,
            _ => break,
        }
    }
    Ok(Next::Done)
}

/// How many accounts the homeserver does not match, and for how long the first of them has waited.
pub fn lag(tx: &mut Tx) -> Result<(i64, i64)> {
    let now = tx.now();
    let (behind, since) = store::count_behind(tx)?;
    Ok((behind, since.map_or(0, |since| now.millis_since(since).max(0))))
}

/// What is to be with an account.
enum Wanted {
    /// Its user is in.
    In { display_name: String, ignored: Vec<String> },
    /// Its user is banned.
    Out,
    /// Its user has another name by now: what was decided about them holds for the account of that name, to which their rooms go
    /// unless they are banned.
    Succeeded { user: UserId, is_banned: bool },
    /// Its user is gone.
    Closed,
}

async fn reconcile(job: Reconcile, chat: Chat, _: Stop) -> Result<Next> {
    let matrix_id = job.matrix_id;
    let read = {
        let matrix_id = matrix_id.clone();
        move |tx: &mut Tx| match store::find(tx, &matrix_id)? {
            Some(account) => Ok(Some((wanted(tx, &account)?, account))),
            None => Ok(None),
        }
    };
    let Some((wanted, account)) = chat.db.read(read).await? else { return Ok(Next::Done) };
    let id = accounts::parse(&matrix_id)?;
    // An account that was never made, or is somebody else's, is left alone.
    let is_ours = account.state.is_ours();
    match wanted {
        Wanted::In { display_name, ignored } => {
            bring_in(&chat, &account, display_name, ignored).await?;
        }
        Wanted::Out if is_ours => shut_out(&chat, &id).await?,
        Wanted::Out => {}
        Wanted::Succeeded { user, is_banned } if is_ours => {
            match accounts::provide(&chat, user).await {
                Ok(heir) => {
                    desk::follow(&chat, user, &id).await?;
                    if !is_banned {
                        moving::move_rooms(&chat, &id, &heir).await?;
                    }
                }
                // Gone since: the accounts are closed.
                Err(Error::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
            return close(&chat, &id, is_ours).await;
        }
        Wanted::Succeeded { .. } | Wanted::Closed => return close(&chat, &id, is_ours).await,
    }
    let done = move |tx: &mut Tx| match store::update_done(tx, &matrix_id, account.version)? {
        // Somebody who saw more was faster, and this may have undone it.
        Some(newest) if newest > account.version => accounts::want(tx, &matrix_id),
        _ => Ok(()),
    };
    chat.db.write(done).await?;
    Ok(Next::Done)
}

fn wanted(tx: &mut Tx, account: &AccountRow) -> Result<Wanted> {
    let user = match account.user_id {
        Some(user) => users::find(tx, user)?,
        None => None,
    };
    let Some(user) = user else { return Ok(Wanted::Closed) };
    Ok(match (user.is_banned(tx.now()), account.is_current) {
        (true, true) => Wanted::Out,
        (is_banned, false) => Wanted::Succeeded { user: user.id, is_banned },
        (false, true) => {
            let ignored = moderation_store::list_blocked_accounts(tx, user.id)?;
            Wanted::In { display_name: accounts::display_name(&user), ignored }
        }
    })
}

async fn bring_in(
    chat: &Chat,
    account: &AccountRow,
    display_name: String,
    ignored: Vec<String>,
) -> Result<()> {
    let id = accounts::ensure(chat, account).await?;
    // The homeserver calls a new account by the first part of its id.
    let known = account.display_name.as_deref().unwrap_or_else(|| id.localpart());
    if known != display_name {
        chat.matrix.set_display_name(&id, &display_name).await?;
        let id = id.to_string();
        chat.db.write(move |tx| store::update_display_name(tx, &id, &display_name)).await?;
    }
    let list = serde_json::to_string(&ignored).map_err(Error::internal)?;
    if list != account.ignored {
        let ids: Result<Vec<OwnedUserId>> = ignored.iter().map(|id| accounts::parse(id)).collect();
        chat.matrix.set_ignored_users(&id, ids?).await?;
        let id = id.to_string();
        chat.db.write(move |tx| store::update_ignored(tx, &id, &list)).await?;
    }
    devices::end_unwanted(chat, &id).await
}

/// Takes a banned user off the network and out of every room.
async fn shut_out(chat: &Chat, id: &MatrixId) -> Result<()> {
    // First the devices: whoever has none joins nothing more.
    devices::end_unwanted(chat, id).await?;
    let mut rooms: BTreeSet<String> = BTreeSet::new();
    if let Some(joined) = chat.matrix.list_joined_rooms(id).await? {
        rooms.extend(joined.iter().map(ToString::to_string));
    }
    let matrix_id = id.to_string();
    // Invitations are known here only.
    let known = chat.db.lookup(move |tx| member_store::list_memberships(tx, &matrix_id)).await?;
    let is_ban = |membership| membership == member_store::Membership::Ban;
    rooms.extend(known.into_iter().filter(|(_, what)| !is_ban(*what)).map(|(room, _)| room));
    for room in rooms {
        let room = ruma::RoomId::parse(&room).map_err(Error::internal)?;
        chat.matrix.leave(id, &room).await?;
    }
    Ok(())
}

/// Ends an account for good, and forgets it but for the hash that keeps its name from being given again.
async fn close(chat: &Chat, id: &MatrixId, is_ours: bool) -> Result<Next> {
    if is_ours {
        chat.matrix.deactivate(id).await?;
    }
    let (shared, matrix_id, name) = (chat.clone(), id.to_string(), tokens::hash(id.localpart()));
    let forget = move |tx: &mut Tx| {
        let held = store::find_held(tx, &matrix_id)?;
        if !is_ours && held.is_some_and(|account| account.state.is_ours()) {
            // A login has made it meanwhile: it is to be closed on the homeserver too.
            return accounts::want(tx, &matrix_id);
        }
        membership::remove_from_all(tx, &shared, &matrix_id)?;
        store::insert_closed_name(tx, &name)?;
        store::delete(tx, &matrix_id)
    };
    chat.db.write(forget).await?;
    Ok(Next::Done)
}
