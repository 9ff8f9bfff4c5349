//! Predictions: what users say before kick-off, and what it earns them after the final whistle.
//!
//! Owns: the `predictions`, `prediction_revisions`, `settlements` and `settlement_points` tables, and the numbers in
//! `event_counters`.
//! Invariants: one prediction for a user and an event, made before kick-off by the clock of the transaction that stores it;
//! every revision is kept; the counters equal a recount at every commit; what a prediction earned follows from the event as it
//! is, whatever it was before.
//! Never: changes an event, or a prediction's content after kick-off.

mod counters;
mod listing;
mod news;
pub mod operator_routes;
mod own_routes;
mod room_figures;
pub mod routes;
mod scoring;
mod settle_store;
mod settlement;
mod store;
mod words;

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;
use serde_json::json;

use crate::features::events::{self, EventId};
use crate::features::users::UserId;
use crate::platform::cache::Cache;
use crate::platform::clock::Timestamp;
use crate::platform::db::{ChangeCounters, Tx};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;

pub use counters::Totals;
pub use listing::{Filter, ListedRow, Members, RoomRead, room_totals, walk_room};
pub use news::TELL_PREDICTIONS;
pub use room_figures::{
    PredictorRow, count_active_by_prediction_alone, count_of_room, list_top_predictors,
};
pub use scoring::{Rules, Tier};
pub use settlement::{FINAL, SETTLE, State, settle_stretch};
pub use store::{PredictionRow, RevisionRow};
pub use words::{Confidence, Outcome, Pick, PredictionId, ScorePair};

/// Of the predictions on an event, as lists show them.
static CHANGES: ChangeCounters = ChangeCounters::new();

/// Short lists of an event's predictions, which are the same for all users.
pub type ListCache = Cache<(EventId, Filter, Option<Page>), Option<Bytes>>;

pub fn list_cache() -> ListCache {
    Cache::new(128, Duration::from_secs(1))
}

/// A prediction just made.
#[derive(Debug, Clone, Copy)]
pub struct Placed {
    pub id: PredictionId,
    pub created_at: Timestamp,
    pub is_first: bool,
}

/// Makes or replaces the user's prediction on the event, if it has not begun.
pub fn place(tx: &mut Tx, user: UserId, event_id: EventId, pick: &Pick) -> Result<Placed> {
    let event = events::get_for_prediction(tx, event_id)?;
    // Read after the event is held: what waited for a kick-off is told so.
    let now = tx.now();
    if !event.takes_predictions(now) {
        return Err(Error::Refused {
            code: "event_started",
            message: "The match has started or is void; it takes no predictions any more.",
        });
    }
    let stored = store::upsert(tx, user, event_id, pick, now)?;
    store::insert_revision(tx, stored.id, pick, now)?;
    // Last, because other predictions may wait for the same counter.
    counters::count(tx, user, event_id, pick, stored.previous())?;
    Ok(Placed { id: stored.id, created_at: stored.created_at, is_first: stored.revision == 1 })
}

pub fn get(tx: &mut Tx, id: PredictionId) -> Result<PredictionRow> {
    store::find(tx, id)?.ok_or(Error::NotFound("prediction"))
}

/// Every revision of a prediction, oldest first.
pub fn list_revisions(tx: &mut Tx, id: PredictionId) -> Result<Vec<RevisionRow>> {
    store::list_revisions(tx, id)
}

/// Everything this feature knows about a user, for them to take away. What stays after they leave is under a pseudonym.
pub fn export(tx: &mut Tx, user: UserId) -> Result<serde_json::Value> {
    let mut revisions: BTreeMap<PredictionId, Vec<serde_json::Value>> = BTreeMap::new();
    for (id, revision) in store::list_revisions_of_user(tx, user)? {
        revisions.entry(id).or_default().push(json!({
            "prediction": revision.outcome, "score_prediction": revision.score(),
            "confidence": revision.confidence, "created_at": revision.created_at,
        }));
    }
    let view = |row: PredictionRow| {
        json!({
            "id": row.id, "event_id": row.event_id, "prediction": row.outcome,
            "score_prediction": row.score(), "confidence": row.confidence, "points_earned": row.points,
            "created_at": row.created_at, "revisions": revisions.remove(&row.id),
        })
    };
    Ok(store::list_of_user(tx, user)?.into_iter().map(view).collect())
}
