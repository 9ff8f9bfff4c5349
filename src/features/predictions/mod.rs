//! Predictions: what users say before kick-off, and what it earns them after the final whistle.
//!
//! Owns: the `predictions`, `prediction_revisions`, `event_counters`, `prediction_news` and `prediction_news_head` tables, and
//! the rules by which a prediction earns points.
//! Invariants: one prediction for a user and an event, made before kick-off by the clock of the transaction that stores it;
//! every revision is kept for as long as `predictions.revisions_kept_days` says; the counters equal a recount at every commit.
//! Never: changes an event, or a prediction's content after kick-off; decides when points are given, which is the settlement's.

mod counters;
mod earned;
mod listing;
mod listing_store;
mod news;
mod points_store;
pub mod routes;
mod scoring;
mod store;
mod values;
mod visibility;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::json;

use crate::extends_core;
use crate::features::events::{self, Counts, EventId, Events, ShardCount};
use crate::features::users::UserId;
use crate::platform::cache::Cache;
use crate::platform::clock::{DAY_MS, Timestamp};
use crate::platform::config::Visibility;
use crate::platform::core::Core;
use crate::platform::db::{ChangeCounters, Shared, Tx};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;

use self::routes::Predict;
use self::store::{NewRow, StoredRow};
use self::visibility::Sight;

pub use counters::PredictionTotals;
pub use earned::Earned;
pub use listing::{OwnFilter, OwnPage, PredictionFilter, totals, totals_among, walk};
pub use listing_store::{ListedRow, OwnTotals, own_totals, walk_among, walk_own};
pub use news::TellPredictions;
pub(crate) use points_store::merit;
pub use points_store::{
    EarnedRow, LeaderRow, PaidView, Stretch, Target, WouldChangeView, WouldEarnView, hold_stretch,
    list_points, mark_counted, next_stretch, settle_points, would_change, would_earn, would_lead,
    would_pay,
};
pub use routes::{OwnPredictionView, PredictionView};
pub use scoring::{Rules, Tier};
pub use store::{PredictionRow, RevisionView, count_ever_made, count_of_user, list_revisions};
pub use values::{Confidence, Outcome, Pick, PredictionId, ScorePair};
pub use visibility::is_own_only;

/// Forgets as many of the oldest revisions as said, if they are this old; answers how many it forgot.
pub fn forget_revisions(tx: &mut Tx, kept_days: i64, most: i64) -> Result<u64> {
    let before = tx.now().plus_ms(-kept_days.saturating_mul(DAY_MS));
    store::delete_revisions_before(tx, before, most)
}

/// Of the predictions on an event, as lists show them.
static CHANGES: ChangeCounters = ChangeCounters::new();

/// Predictions, with short lists of them, which are the same for all users.
#[derive(Clone)]
pub struct Predictions {
    core: Core,
    counts: Arc<Counts>,
    lists: Arc<Cache<ListKey, Option<Bytes>>>,
    predict: Shared<Predict>,
    own: Shared<OwnPage>,
}

/// Which list: of which event, narrowed by what, which page.
type ListKey = (EventId, PredictionFilter, Option<Page>);

extends_core!(Predictions);

impl Predictions {
    pub fn new(core: &Core, events: &Events) -> Self {
        let lists = Arc::new(Cache::new(128, Duration::from_secs(1)));
        let (predict, own) = (Shared::new(&core.db), Shared::new(&core.db));
        Self { core: core.clone(), counts: events.counts.clone(), lists, predict, own }
    }

    /// After the commit of predictions that were placed outside a request: matches are shown with how many they have.
    pub fn tell_counts(&self, counted: &[(EventId, ShardCount)]) {
        for (event, shard) in counted {
            self.counts.tell(*event, *shard);
        }
    }

    /// What this caller may see of the event's predictions that they ask for.
    async fn sight_of(
        &self,
        event: EventId,
        caller: UserId,
        filter: PredictionFilter,
    ) -> Result<Sight> {
        let visibility = self.config.predictions.visibility;
        let is_own_only = match visibility {
            Visibility::Always => false,
            Visibility::AfterKickOff => {
                let look = move |tx: &mut Tx| is_own_only(tx, visibility, event);
                self.db.lookup(look).await?
            }
        };
        Ok(if is_own_only { Sight::own_only(caller, filter) } else { Sight::whole(filter) })
    }
}

/// Why a prediction does not count, if it does not.
pub fn void_reason(is_late: bool) -> Option<&'static str> {
    is_late.then_some("The kick-off was moved to before this prediction was made.")
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

/// Makes or replaces the predictions of as many users on events that have not begun.
pub fn place_each(tx: &mut Tx, wishes: &[(UserId, EventId, Pick)]) -> Result<Vec<Result<Placed>>> {
    let ids: Vec<EventId> = wishes.iter().map(|(_, event, _)| *event).collect();
    let events = events::list_for_prediction(tx, &ids)?;
    // Read after the events are held: what waited for a kick-off is told so.
    let now = tx.deadline_now()?;
    let refusal = |id: &EventId| match events.get(id) {
        None => Some(not_found!("event")),
        Some(event) if event.takes_predictions(now) => None,
        Some(_) => Some(Error::Refused {
            code: "event_started",
            message: text!("The match has started or is void; it takes no predictions any more."),
        }),
    };
    let accepted: BTreeMap<(EventId, UserId), Pick> = wishes
        .iter()
        .filter(|(_, event, _)| refusal(event).is_none())
        .map(|(user, event, pick)| ((*event, *user), *pick))
        .collect();
    let placed = store_each(tx, &accepted, now)?;
    let answer = |(user, event, _): &(UserId, EventId, Pick)| match placed.get(&(*event, *user)) {
        Some(placed) => Ok(*placed),
        None => Err(refusal(event).unwrap_or_else(|| Error::internal("nothing was stored"))),
    };
    Ok(wishes.iter().map(answer).collect())
}

fn store_each(
    tx: &mut Tx,
    picks: &BTreeMap<(EventId, UserId), Pick>,
    now: Timestamp,
) -> Result<BTreeMap<(EventId, UserId), Placed>> {
    if picks.is_empty() {
        return Ok(BTreeMap::new());
    }
    let new: Vec<_> = picks.iter().map(|(of, pick)| NewRow::new(*of, pick)).collect();
    let stored: Vec<(StoredRow, Pick)> = store::upsert(tx, &new, now)?
        .into_iter()
        .filter_map(|row| Some((picks.get(&(row.event_id, row.user_id)).copied()?, row)))
        .map(|(pick, row)| (row, pick))
        .collect();
    let revisions: Vec<_> = stored.iter().map(|(row, pick)| NewRow::new(row.id, pick)).collect();
    store::insert_revisions(tx, &revisions, now)?;
    // Last, because other predictions may wait for the same counter.
    let counted = counters::count(tx, &stored)?;
    let placed = |(row, _): (StoredRow, Pick)| {
        let (is_first, counted) = (row.revision == 1, counted.get(&row.event_id).copied());
        let placed = Placed { id: row.id, created_at: row.created_at, is_first, counted };
        ((row.event_id, row.user_id), placed)
    };
    Ok(stored.into_iter().map(placed).collect())
}

pub fn get(tx: &mut Tx, id: PredictionId) -> Result<PredictionRow> {
    store::find(tx, id)?.ok_or(not_found!("prediction"))
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
