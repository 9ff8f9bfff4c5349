//! What an app store asks for: reporting a message or a user, blocking a user, and taking somebody out of every room.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::features::chat::Chat;
use crate::features::sessions::{self, User};
use crate::features::users::{self, Hold, UserId};
use crate::input;
use crate::platform::clock::MINUTE_MS;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::jobs;
use crate::platform::limits::{self, Limit, Who};

use super::desk::FindAuthor;
use super::values::{MessageId, Reason, RoomId};
use super::{account_store, accounts, moderation_store as store};

pub use super::moderation_store::{
    ReportFilter, ReportView, count_reports, is_blocked, list_blocked, list_reports, open_reports,
};

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

/// How many reports a user makes, by whichever door.
pub const REPORTS: Limit = Limit { code: "too_many_reports", most: 20, window_ms: 10 * MINUTE_MS };

/// Keeps a report for the operators. Whoever cannot see the room cannot report it.
pub fn report(tx: &mut Tx, reporter: User, room: &RoomId, report: &NewReport) -> Result<i64> {
    sessions::confirm(tx, reporter)?;
    super::room_for_reading(tx, reporter.id, room)?;
    if let Some(user) = report.user_id {
        users::get(tx, user)?;
    }
    keep_report(tx, reporter.id, Some(room), report)
}

/// Whoever reports a message need not say who wrote it: that is found out.
fn keep_report(
    tx: &mut Tx,
    reporter: UserId,
    room: Option<&RoomId>,
    report: &NewReport,
) -> Result<i64> {
    let id = store::insert_report(tx, reporter, room, report)?;
    if report.message_id.is_some() && report.user_id.is_none() {
        jobs::ask(tx, &FindAuthor { report: id })?;
    }
    Ok(id)
}

/// What a user reported on the network, by the names that things have there.
#[derive(Debug, Deserialize)]
pub struct NetworkReport {
    reporter: String,
    room_id: Option<String>,
    event_id: Option<String>,
    user_id: Option<String>,
    reason: Option<String>,
}

/// Keeps it like one that came by the API. The homeserver made sure that the reporter sees what they report.
pub async fn report_from_network(chat: &Chat, report: NetworkReport) -> Result<()> {
    let reason = report.reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty());
    let reason = Reason::try_from(reason.unwrap_or("No reason was given."))
        .map_err(|wrong| Error::invalid("reason", wrong))?;
    let (reporter, reported) = (report.reporter.clone(), report.user_id.clone());
    let find = move |tx: &mut Tx| {
        let reporter = account_store::find(tx, &reporter)?.and_then(|account| account.user_id);
        let reported = reported.as_deref().map(|name| account_store::find(tx, name)).transpose()?;
        Ok((reporter, reported.flatten().and_then(|account| account.user_id)))
    };
    let (reporter, user_id) = chat.db.lookup(find).await?;
    let reporter = reporter.ok_or(not_found!("user"))?;
    let room = report.room_id.as_deref().and_then(RoomId::parse);
    let message_id = report.event_id.as_deref().and_then(|id| MessageId::try_from(id).ok());
    let who = Who::user(&chat.keys, reporter);
    let new = NewReport { reason, message_id, user_id };
    let keep = move |tx: &mut Tx| {
        limits::hit(tx, REPORTS, &who)?;
        let held = users::hold(tx, &[reporter], Hold::Share)?.pop();
        let is_in = held.is_some_and(|user| !user.is_banned(tx.now()));
        if !is_in {
            return Err(not_found!("user"));
        }
        keep_report(tx, reporter, room.as_ref(), &new)
    };
    chat.db.write(keep).await?;
    metrics::counter!("touchline_chat_reports_total").increment(1);
    Ok(())
}

/// Answers how it was resolved before, if it was.
pub fn resolve_report(tx: &mut Tx, id: i64, resolution: &Reason) -> Result<Option<String>> {
    let (_, before) = store::hold_report(tx, id)?.ok_or(not_found!("report"))?;
    store::update_resolved(tx, id, resolution.as_str())?;
    Ok(before)
}

/// Blocks a user: they cannot invite the blocker, and the blocker's chat apps hide what they write.
pub fn block(tx: &mut Tx, caller: User, blocked: UserId) -> Result<()> {
    let user = caller.id;
    if user == blocked {
        return Err(Error::Unprocessable {
            code: "cannot_block_yourself",
            message: text!("You cannot block yourself."),
        });
    }
    // Both are held: neither is to leave while something between them is made.
    let held = users::hold(tx, &[user, blocked], Hold::Share)?;
    if !held.iter().any(|user| user.id == blocked) {
        return Err(not_found!("user"));
    }
    sessions::confirm(tx, caller)?;
    store::insert_block(tx, user, blocked)?;
    accounts::want_all_of(tx, user)
}

pub fn unblock(tx: &mut Tx, user: UserId, blocked: UserId) -> Result<()> {
    let found = store::delete_block(tx, user, blocked)?;
    if found == 0 { Err(not_found!("block")) } else { accounts::want_all_of(tx, user) }
}

/// An operator banned a user, or ended the ban: they are off the network and out of every room, or may come back.
pub fn standing_changed(tx: &mut Tx, user: UserId) -> Result<()> {
    if users::find(tx, user)?.is_some_and(|user| user.is_banned(tx.now())) {
        account_store::update_devices_ended_of(tx, user)?;
    }
    accounts::want_all_of(tx, user)
}
