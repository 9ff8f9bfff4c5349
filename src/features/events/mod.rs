//! Events: the matches, from the fixture to the result.
//!
//! Owns: the `tournaments`, `events`, `event_counts`, `event_feed` and `event_feed_head` tables, the match-day clock, and what
//! follows from a change.
//! Invariants: every change goes through [`changes`], so the counts, the live stream and the settlement never miss one; a match
//! that has kicked off reopens only by being postponed; only a scheduled match may have a time that is not confirmed, and only a live one a period and a minute; a finished match has a score; a voided one keeps its status, takes no
//! predictions and is in no list.
//! Never: computes points; it says that a result is there, and the settlement does the rest.

mod announcements;
mod changes;
mod counts;
mod import;
mod kick_off;
mod listing;
mod listing_store;
pub mod operator;
mod playing;
mod prepared_page;
pub mod routes;
mod store;
mod today;
pub mod today_routes;
pub mod tournament_routes;
mod tournament_store;
mod tournaments;
mod values;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::extends_core;
use crate::id_input;
use crate::platform::cache::Cache;
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::db::{ChangeCounter, Shared, Tx, Wish, column, enum_column};
use crate::platform::error::Result;
use crate::platform::http::page::Page;
use crate::platform::http::views::PreparedJson;

pub use announcements::{
    ANNOUNCEMENTS_CHANNEL, AnnouncementKind, ForgetAnnouncements, announce, kept_ids,
    last_announced,
};
pub use counts::{COUNT_SHARDS, Counts, ShardCount};
pub use import::{Fixture, import};
pub use kick_off::KickOff;
pub use listing::{EventFilter, EventTotals, list, list_today, totals};
pub use playing::{Minute, Period, Playing};
pub use store::{
    AnnouncementRow, EventDetailsRow, EventRow, find, hold, list_announcements, list_by_keys,
    list_details, list_live_since, list_of_tournament, list_shard_counts, list_without_room,
    predictions_counts, set_chat_room, take_chat_room,
};
pub use tournament_store::{
    ListedTournamentRow, MatchDayRow, TournamentRow, add_tournament, find_tournament,
    imported_tournaments, sports_of_tournaments,
};
pub use values::{Kickoff, NewTournament, Score, Scoring, Venue, VoidReason};

use prepared_page::PreparedPage;
use today::TodaysPage;
use tournament_store::hold_tournament;
pub use tournaments::{TournamentFilter, list as list_tournaments};

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
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
/// How late what other nodes change may be seen.
const KEPT: Duration = Duration::from_secs(1);

/// Matches and tournaments, with pages of their lists, which are the same for all users.
#[derive(Clone)]
pub struct Events {
    core: Core,
    /// How many predictions matches have.
    pub counts: Arc<Counts>,
    pages: Arc<Cache<(EventFilter, Page), Arc<PreparedPage>>>,
    /// By UTC day.
    todays: Arc<Cache<i64, Arc<TodaysPage>>>,
    tournaments: Arc<Cache<(TournamentFilter, Page), PreparedJson>>,
    match_days: Arc<Cache<(TournamentId, Page), PreparedJson>>,
    show: Shared<ShowEvent>,
}

extends_core!(Events);

impl Events {
    pub fn new(core: &Core) -> Self {
        Self {
            core: core.clone(),
            counts: Arc::default(),
            pages: Arc::new(Cache::new(256, KEPT)),
            todays: Arc::new(Cache::new(2, KEPT)),
            tournaments: Arc::new(Cache::new(64, KEPT)),
            match_days: Arc::new(Cache::new(64, KEPT)),
            show: Shared::new(&core.db),
        }
    }
}

/// Something about events that lists show is changed by this transaction.
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
        self.status == Status::Scheduled && !self.is_void() && now < self.closes_at()
    }

    /// When predictions close by the clock: at kick-off, and not at all while nobody knows when that is.
    pub const fn closes_at(&self) -> Timestamp {
        if self.start_time_confirmed { self.start_time } else { Timestamp::from_millis(i64::MAX) }
    }

    /// The start, and whether it is confirmed.
    pub const fn time(&self) -> (Timestamp, bool) {
        (self.start_time, self.start_time_confirmed)
    }
}

pub fn get(tx: &mut Tx, id: EventId) -> Result<EventRow> {
    find(tx, id)?.ok_or(not_found!("event"))
}

/// The event, for a caller that then asks [`EventRow::takes_predictions`].
///
/// One that does is held as it is until the end of the transaction: a kick-off, a result or a void waits for the prediction,
/// and predictions do not wait for each other. One that does not is not held, so that a crowd of late predictions cannot
/// keep a match from going live.
pub fn get_for_prediction(tx: &mut Tx, id: EventId) -> Result<EventRow> {
    list_for_prediction(tx, &[id])?.remove(&id).ok_or(not_found!("event"))
}

/// The same for those of these events that there are.
pub fn list_for_prediction(tx: &mut Tx, ids: &[EventId]) -> Result<BTreeMap<EventId, EventRow>> {
    let now = tx.now();
    let by_id = |event: EventRow| (event.id, event);
    let open = store::hold_open(tx, ids, now)?;
    let mut events: BTreeMap<EventId, EventRow> = open.into_iter().map(by_id).collect();
    let is_closed = |id: &EventId| !events.contains_key(id);
    let closed: Vec<EventId> = ids.iter().copied().filter(is_closed).collect();
    if !closed.is_empty() {
        events.extend(store::list_by_id(tx, &closed)?.into_iter().map(by_id));
    }
    Ok(events)
}

pub fn get_tournament(tx: &mut Tx, id: TournamentId) -> Result<TournamentRow> {
    find_tournament(tx, id)?.ok_or(not_found!("tournament"))
}

/// Changes a tournament as a document has it. Other rules settle its results anew.
pub fn change_tournament(
    tx: &mut Tx,
    id: TournamentId,
    new: &NewTournament<'_>,
    text: &str,
) -> Result<()> {
    let before = get_tournament(tx, id)?;
    tournament_store::update_tournament(tx, id, new, text)?;
    if (before.scoring, before.confidence_weighted) != (new.scoring, new.confidence_weighted) {
        changes::rescore(tx, id)?;
    }
    Ok(())
}

/// The event with its tournament and teams by name, voided or not.
pub fn get_details(tx: &mut Tx, id: EventId) -> Result<EventDetailsRow> {
    store::list_details(tx, &[id])?.pop().ok_or(not_found!("event"))
}

/// The same, and how many predictions it has.
pub fn get_counted(tx: &mut Tx, id: EventId) -> Result<(EventDetailsRow, i64)> {
    let one = ShowEvent::grant(tx, &[ShowEvent(id)])?.pop();
    one.unwrap_or(Err(not_found!("event")))
}

/// An event as users see it.
struct ShowEvent(EventId);

impl Wish for ShowEvent {
    type Granted = (EventDetailsRow, i64);
    const WRITES: bool = false;

    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<Self::Granted>>> {
        let ids: Vec<EventId> = wishes.iter().map(|Self(id)| *id).collect();
        let counts: BTreeMap<EventId, i64> = predictions_counts(tx, &ids)?.into_iter().collect();
        let details = store::list_details(tx, &ids)?;
        let show = |id: &EventId| {
            let found = details.iter().find(|details| details.event.id == *id).cloned();
            let count = counts.get(id).copied().unwrap_or(0);
            found.map(|details| (details, count)).ok_or(not_found!("event"))
        };
        Ok(ids.iter().map(show).collect())
    }
}

/// The work that follows from another outcome or kick-off. The settlement does it; what to ask for is here, so that events need
/// not know how.
#[derive(Serialize, Deserialize)]
pub struct Settle {
    pub event: EventId,
}

/// The match's chat room is to be as the match is. Chat does it; what to ask for is here, so that events need not know how.
#[derive(Serialize, Deserialize)]
pub struct FollowInChat {
    pub event_id: EventId,
}
