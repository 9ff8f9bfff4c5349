//! Predictions: what users say before kick-off, and what it earns them after the final whistle.
//!
//! Owns: the `predictions`, `prediction_revisions`, `event_counters`, `prediction_news` and `prediction_news_head` tables, and
//! the rules by which a prediction earns points.
//! Invariants: one prediction for a user and an event, made before kick-off by the clock of the transaction that stores it;
//! every revision is kept; the counters equal a recount at every commit.
//! Never: changes an event, or a prediction's content after kick-off; decides when points are given, which is the settlement's.

mod counters;
mod listing;
mod listing_store;
mod news;
mod points_store;
pub mod routes;
mod scoring;
mod store;
mod values;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::json;

use crate::extends_core;
use crate::features::events::{self, Counts, EventId, Events, ShardCount};
use crate::features::users::UserId;
use crate::platform::cache::Cache;
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::db::{ChangeCounters, Tx};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;

pub use counters::PredictionTotals;
pub use listing::{OwnFilter, PredictionFilter, totals, totals_among, walk};
pub use listing_store::{ListedRow, OwnTotals, own_totals, walk_among, walk_own};
pub use news::TellPredictions;
pub use points_store::{
    PaidView, Stretch, Target, WouldEarnView, hold_stretch, mark_counted, next_stretch,
    settle_points, would_earn, would_pay,
};
pub use routes::{OwnPredictionView, PredictionView};
pub use scoring::{Rules, Tier};
pub use store::{PredictionRow, RevisionView, count_of_user, list_revisions};
pub use values::{Confidence, Outcome, Pick, PredictionId, ScorePair};

/// Of the predictions on an event, as lists show them.
static CHANGES: ChangeCounters = ChangeCounters::new();

/// Predictions, with short lists of them, which are the same for all users.
#[derive(Clone)]
pub struct Predictions {
    core: Core,
    counts: Arc<Counts>,
    lists: Arc<Cache<ListKey, Option<Bytes>>>,
}

/// Which list: of which event, narrowed by what, which page.
type ListKey = (EventId, PredictionFilter, Option<Page>);

extends_core!(Predictions);

impl Predictions {
    pub fn new(core: &Core, events: &Events) -> Self {
        let lists = Arc::new(Cache::new(128, Duration::from_secs(1)));
        Self { core: core.clone(), counts: events.counts.clone(), lists }
    }
}

/// Said of a prediction that does not count.
pub const LATE: &str = "The kick-off was moved to before this prediction was made.";

/// Why a prediction does not count, if it does not.
pub fn void_reason(is_late: bool) -> Option<&'static str> {
    is_late.then_some(LATE)
}

/// A prediction just made.
#[derive(Debug, Clone, Copy)]
pub struct Placed {
    pub id: PredictionId,
    pub created_at: Timestamp,
    pub is_first: bool,
    /// To be told to [`events::Counts`] after the commit.
    pub counted: Option<ShardCount>,
}

/// Makes or replaces the user's prediction on the event, if it has not begun.
pub fn place(tx: &mut Tx, user: UserId, event_id: EventId, pick: &Pick) -> Result<Placed> {
    let event = events::get_for_prediction(tx, event_id)?;
    // Read after the event is held: what waited for a kick-off is told so.
    let now = tx.deadline_now()?;
    if !event.takes_predictions(now) {
        return Err(Error::Refused {
            code: "event_started",
            message: "The match has started or is void; it takes no predictions any more.",
        });
    }
    let stored = store::upsert(tx, user, event_id, pick, now)?;
    store::insert_revision(tx, stored.id, pick, now)?;
    // Last, because other predictions may wait for the same counter.
    let counted = counters::count(tx, user, event_id, pick, stored.previous())?;
    let is_first = stored.revision == 1;
    Ok(Placed { id: stored.id, created_at: stored.created_at, is_first, counted })
}

pub fn get(tx: &mut Tx, id: PredictionId) -> Result<PredictionRow> {
    store::find(tx, id)?.ok_or(Error::NotFound("prediction"))
}

/// How many predictions an event has.
pub fn count_of_event(tx: &mut Tx, event: EventId) -> Result<i64> {
    Ok(store::totals_of_event(tx, event)?.all())
}

/// Everything this feature knows about a user, for them to take away. What stays after they leave is under a pseudonym.
pub fn export(tx: &mut Tx, user: UserId) -> Result<serde_json::Value> {
    let mut revisions: BTreeMap<PredictionId, Vec<RevisionView>> = BTreeMap::new();
    for (id, revision) in store::list_revisions_of_user(tx, user)? {
        revisions.entry(id).or_default().push(revision);
    }
    let view = |row: PredictionRow| {
        json!({
            "id": row.id, "event_id": row.event_id, "prediction": row.outcome,
            "score_prediction": row.score, "confidence": row.confidence, "points_earned": row.points,
            "created_at": row.created_at, "revisions": revisions.remove(&row.id),
        })
    };
    Ok(store::list_of_user(tx, user)?.into_iter().map(view).collect())
}
