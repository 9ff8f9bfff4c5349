//! Events: the matches, from the fixture to the result.
//!
//! Owns: the `tournaments`, `events`, `event_counts`, `event_feed` and `event_feed_head` tables, the match-day clock, and what
//! follows from a change.
//! Invariants: every change goes through [`changes`], so the counts, the live stream and the settlement never miss one; a match
//! that has kicked off reopens only by being postponed; a finished match has a score; a voided one keeps its status, takes no
//! predictions and is in no list.
//! Never: computes points; it says that a result is there, and the settlement does the rest.

mod announcement_store;
mod announcements;
mod changes;
mod import;
mod kick_off;
mod listing;
mod listing_store;
pub mod operator;
pub mod routes;
mod store;
mod tournament_store;
mod tournaments;
mod values;

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::extends_core;
use crate::id_input;
use crate::platform::cache::Cache;
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::db::{ChangeCounter, Tx, column, enum_column};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;
use crate::platform::http::views::PreparedJson;
use crate::platform::jobs;

pub use announcements::{
    ANNOUNCEMENTS_CHANNEL, AnnouncementKind, AnnouncementRow, FORGET_ANNOUNCEMENTS, announce,
    kept_ids, list_announcements,
};
pub use import::{Fixture, import};
pub use kick_off::KICK_OFF;
pub use listing::{EventFilter, EventTotals, list, totals};
pub use store::{EventDetailsRow, EventRow};
pub use tournaments::{
    NewTournament, Scoring, TournamentRow, add_tournament, change_tournament, get_tournament,
    imported_tournaments, sports_of_tournaments,
};
pub use values::{Kickoff, Score, Venue, VoidReason};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(value_type = i64, minimum = 1, example = 12)]
pub struct EventId(pub i64);

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[schema(value_type = i64, minimum = 1, example = 3)]
pub struct TournamentId(pub i64);

column!(EventId as i64);
column!(TournamentId as i64);
id_input!(EventId, TournamentId);

pub static CHANGES: ChangeCounter = ChangeCounter::new();

/// Matches, with pages of their list, which are the same for all users.
#[derive(Clone)]
pub struct Events {
    core: Core,
    pages: Arc<Cache<(EventFilter, Page), PreparedJson>>,
}

extends_core!(Events);

impl Events {
    pub fn new(core: &Core) -> Self {
        Self { core: core.clone(), pages: Arc::new(Cache::new(256, Duration::from_secs(1))) }
    }
}

/// Something about events that lists show is changed by this transaction, also how many predictions they have.
pub fn listing_changes(tx: &mut Tx) {
    tx.changes(&CHANGES);
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Live,
    Scheduled,
    Finished,
}

enum_column!(Status { Live = "live", Scheduled = "scheduled", Finished = "finished" });

impl EventRow {
    pub fn is_void(&self) -> bool {
        self.voided_at.is_some()
    }

    /// What the status alone does not say.
    pub fn status_detail(&self) -> Option<&'static str> {
        self.is_void().then_some("void")
    }

    /// Whether a prediction made now counts.
    pub fn takes_predictions(&self, now: Timestamp) -> bool {
        self.status == Status::Scheduled && !self.is_void() && now < self.start_time
    }
}

pub fn find(tx: &mut Tx, id: EventId) -> Result<Option<EventRow>> {
    store::find(tx, id)
}

pub fn get(tx: &mut Tx, id: EventId) -> Result<EventRow> {
    find(tx, id)?.ok_or(Error::NotFound("event"))
}

/// The event, for a caller that then asks [`EventRow::takes_predictions`].
///
/// One that does is held as it is until the end of the transaction: a kick-off, a result or a void waits for the prediction,
/// and predictions do not wait for each other. One that does not is not held, so that a crowd of late predictions cannot
/// keep a match from going live.
pub fn get_for_prediction(tx: &mut Tx, id: EventId) -> Result<EventRow> {
    let now = tx.now();
    match store::find_open_for_share(tx, id, now)? {
        Some(open) => Ok(open),
        None => get(tx, id),
    }
}

/// Every event of a tournament, voided or not, in the order of their ids.
pub fn list_of_tournament(tx: &mut Tx, tournament: TournamentId) -> Result<Vec<EventRow>> {
    store::list_of_tournament(tx, tournament)
}

/// Holds these events as they are until the end of the transaction, for a script that changes several of them by what it
/// reads next. They are taken in the order of their ids, as every script does.
pub fn hold(tx: &mut Tx, ids: &[EventId]) -> Result<()> {
    store::list_held(tx, ids).map(drop)
}

/// The event with its tournament and teams by name, voided or not.
pub fn get_details(tx: &mut Tx, id: EventId) -> Result<EventDetailsRow> {
    store::find_details(tx, id)?.ok_or(Error::NotFound("event"))
}

/// The same, and how many predictions it has.
pub fn get_counted(tx: &mut Tx, id: EventId) -> Result<(EventDetailsRow, i64)> {
    Ok((get_details(tx, id)?, predictions_count(tx, id)?))
}

/// How many predictions the event has, as it is shown with it.
pub fn predictions_count(tx: &mut Tx, id: EventId) -> Result<i64> {
    let counts = predictions_counts(tx, &[id])?;
    Ok(counts.first().map_or(0, |(_, count)| *count))
}

/// The same for several events at once; those without predictions are left out.
pub fn predictions_counts(tx: &mut Tx, ids: &[EventId]) -> Result<Vec<(EventId, i64)>> {
    store::list_predictions_counts(tx, ids)
}

/// The work that follows from another outcome or kick-off. The settlement does it; the name is here so that events need not
/// know it.
pub const SETTLE_JOB: &str = "settle";

/// The match has a result, or another one than before; also when a void of a finished match has ended.
/// Runs in the transaction that enters it.
fn finished(tx: &mut Tx, event: &EventRow) -> Result<()> {
    tracing::info!(event = event.id.0, revision = event.outcome_revision, "a match has a result");
    settle(tx, event)
}

/// The match no longer counts: points on it go back to null. Runs in the transaction that voids it.
fn voided(tx: &mut Tx, event: &EventRow) -> Result<()> {
    tracing::info!(event = event.id.0, revision = event.outcome_revision, "a match is void");
    settle(tx, event)
}

/// The kick-off is at another time. If that is earlier, predictions made after the new time do not count.
/// Runs in the transaction that moves it.
fn moved(tx: &mut Tx, event: &EventRow, old: Timestamp, new: Timestamp) -> Result<()> {
    tracing::info!(event = event.id.0, %old, %new, "a kick-off was moved");
    settle(tx, event)
}

/// Each change asks anew: work that is under way may have looked at the event before it.
fn settle(tx: &mut Tx, event: &EventRow) -> Result<()> {
    let now = tx.now();
    jobs::enqueue(tx, SETTLE_JOB, &serde_json::json!({"event": event.id}), now)
}

/// The chat room of the event, once there is one.
pub fn set_chat_room(tx: &mut Tx, id: EventId, room_id: &str) -> Result<()> {
    store::update_chat_room(tx, id, room_id)
}

/// The first events that have no chat room yet.
pub fn list_without_room(tx: &mut Tx, most: i64) -> Result<Vec<EventId>> {
    store::list_without_room(tx, most)
}

/// The chat room is no more: whose it was.
pub fn take_chat_room(tx: &mut Tx, room_id: &str) -> Result<Vec<EventId>> {
    store::delete_chat_room(tx, room_id)
}
