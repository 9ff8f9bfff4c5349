//! What an app store asks for: reporting a message or a user, blocking a user, and taking somebody out of every room.

use utoipa::ToSchema;

use crate::features::sessions::{self, User};
use crate::features::users::{self, Hold, UserId};
use crate::input;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};

use super::values::{MessageId, Reason, RoomId};
use super::{account_store, accounts, moderation_store as store};

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
pub fn report(tx: &mut Tx, reporter: User, room: &RoomId, report: &NewReport) -> Result<i64> {
    sessions::confirm(tx, reporter)?;
    super::room_for_reading(tx, reporter.id, room)?;
    if let Some(user) = report.user_id {
        users::get(tx, user)?;
    }
    store::insert_report(tx, reporter.id, room, report)
}

pub fn resolve_report(tx: &mut Tx, id: i64, resolution: &Reason) -> Result<()> {
    let found = store::update_resolved(tx, id, resolution.as_str())?;
    if found == 0 { Err(Error::NotFound("report")) } else { Ok(()) }
}

/// Blocks a user: they cannot invite the blocker, and the blocker's chat apps hide what they write.
pub fn block(tx: &mut Tx, caller: User, blocked: UserId) -> Result<()> {
    let user = caller.id;
    if user == blocked {
        return Err(Error::Unprocessable {
            code: "cannot_block_yourself",
            message: "You cannot block yourself.",
        });
    }
    // Both are held: neither is to leave while something between them is made.
    let held = users::hold(tx, &[user, blocked], Hold::Share)?;
    if !held.iter().any(|user| user.id == blocked) {
        return Err(Error::NotFound("user"));
    }
    sessions::confirm(tx, caller)?;
    store::insert_block(tx, user, blocked)?;
    accounts::want_all_of(tx, user)
}

pub fn unblock(tx: &mut Tx, user: UserId, blocked: UserId) -> Result<()> {
    let found = store::delete_block(tx, user, blocked)?;
    if found == 0 { Err(Error::NotFound("block")) } else { accounts::want_all_of(tx, user) }
}

/// An operator banned a user, or ended the ban: they are off the network and out of every room, or may come back.
pub fn standing_changed(tx: &mut Tx, user: UserId) -> Result<()> {
    if users::find(tx, user)?.is_some_and(|user| user.banned_at.is_some()) {
        account_store::update_devices_ended_of(tx, user)?;
    }
    accounts::want_all_of(tx, user)
}
