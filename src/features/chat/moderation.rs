//! What an app store asks for: reporting a message or a user, blocking a user, and taking somebody out of every room.

use ruma::OwnedUserId;
use utoipa::ToSchema;

use crate::features::chat::Chat;
use crate::features::users::{self, UserId};
use crate::input;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::jobs::{self, Next, Stop, job};

use super::store::{self as room_store, Membership};
use super::values::{MessageId, Reason, RoomId};
use super::{account_store, accounts, devices, membership, moderation_store as store};

pub use super::moderation_store::{ReportView, is_blocked, list_blocked, list_reports};

input! {
    #[derive(Debug, ToSchema)]
    #[schema(as = ReportBody)]
    pub struct NewReport {
        pub reason: Reason,
        /// The message that is reported, by its id on the chat network.
        pub message_id: Option<MessageId>,
        /// The user who is reported.
        pub user_id: Option<UserId>,
    }
}

/// Keeps a report for the operators. Whoever cannot see the room cannot report it.
pub fn report(tx: &mut Tx, reporter: UserId, room: &RoomId, report: &NewReport) -> Result<i64> {
    super::room_for_reading(tx, reporter, room)?;
    if let Some(user) = report.user_id {
        users::get(tx, user)?;
    }
    store::insert_report(tx, reporter, room, report)
}

pub fn resolve_report(tx: &mut Tx, id: i64, resolution: &Reason) -> Result<()> {
    let found = store::update_resolved(tx, id, resolution.as_str())?;
    if found == 0 { Err(Error::NotFound("report")) } else { Ok(()) }
}

/// Blocks a user: they cannot invite the blocker, and the blocker's chat apps hide what they write.
pub fn block(tx: &mut Tx, user: UserId, blocked: UserId) -> Result<()> {
    if user == blocked {
        return Err(Error::Unprocessable {
            code: "cannot_block_yourself",
            message: "You cannot block yourself.",
        });
    }
    users::get(tx, blocked)?;
    store::insert_block(tx, user, blocked)?;
    follow_blocks(tx, user)
}

pub fn unblock(tx: &mut Tx, user: UserId, blocked: UserId) -> Result<()> {
    let found = store::delete_block(tx, user, blocked)?;
    if found == 0 { Err(Error::NotFound("block")) } else { follow_blocks(tx, user) }
}

fn follow_blocks(tx: &mut Tx, user: UserId) -> Result<()> {
    jobs::ask(tx, &IgnoreBlocked { user_id: user })
}

job! {
    /// Sends the list of those whom a user blocks to the homeserver.
    pub struct IgnoreBlocked { user_id: UserId }
    kind: "chat_ignore", lane: Chat, key: user_id.0, run: ignore_blocked(Chat)
}

async fn ignore_blocked(job: IgnoreBlocked, chat: Chat, _: Stop) -> Result<Next> {
    let user = job.user_id;
    let ignored = chat.db.lookup(move |tx| {
        let ids = store::list_blocked_accounts(tx, user)?;
        ids.iter().map(|id| accounts::parse(id)).collect::<Result<Vec<OwnedUserId>>>()
    });
    let ignored = ignored.await?;
    match accounts::provide(&chat, user).await {
        Ok(account) => chat.matrix.set_ignored_users(&account, ignored).await?,
        Err(Error::NotFound(_)) => {}
        Err(error) => return Err(error),
    }
    Ok(Next::Done)
}

/// An operator banned a user: they are off the network, and leave every room, made to by the service.
pub fn user_banned(tx: &mut Tx, user: UserId) -> Result<()> {
    devices::end_all(tx, user)?;
    jobs::ask(tx, &RemoveUser { user_id: user })
}

job! {
    /// Takes a banned user out of every room.
    pub struct RemoveUser { user_id: UserId }
    kind: "chat_remove_user", lane: Chat, key: user_id.0, run: remove_user(Chat)
}

async fn remove_user(job: RemoveUser, chat: Chat, _: Stop) -> Result<Next> {
    let user = job.user_id;
    let found = chat.db.read(move |tx| {
        let account = account_store::find_current(tx, user)?;
        let is_banned = users::find(tx, user)?.is_some_and(|user| user.banned_at.is_some());
        let Some(account) = account.filter(|_| is_banned) else { return Ok(None) };
        let rooms = room_store::list_memberships(tx, &account.matrix_id)?;
        Ok(Some((account.matrix_id, rooms)))
    });
    let Some((account, rooms)) = found.await? else { return Ok(Next::Done) };
    let id = accounts::parse(&account)?;
    for (room, what) in rooms {
        if what == Membership::Ban {
            continue;
        }
        let room_id = ruma::RoomId::parse(&room).map_err(Error::internal)?;
        chat.matrix.leave(&id, &room_id).await?;
        let (shared, who) = (chat.clone(), account.clone());
        let left = move |tx: &mut Tx| {
            let now = tx.now();
            membership::set(tx, &shared, &room, &who, None, now)
        };
        chat.db.write(left).await?;
    }
    Ok(Next::Done)
}
