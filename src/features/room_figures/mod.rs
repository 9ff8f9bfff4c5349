//! Room figures: what chat, teams, predictions and leaderboards know together about the members of a room.
//!
//! Owns: no table; it reads those of the features that it stands above.
//! Invariants: the number of queries does not grow with the room; only whoever may read a room sees its figures.
//! Never: writes.

pub mod routes;
mod store;

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::chat::{self, Room, RoomId};
use crate::features::events::EventId;
use crate::features::leaderboards::{self, PredictorRow};
use crate::features::predictions::{self, ListedRow, PredictionFilter, PredictionTotals};
use crate::features::users::UserId;
use crate::platform::clock::DAY_MS;
use crate::platform::config::Visibility;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::page::Page;

/// A member who did anything in this time is active.
const ACTIVE_MS: i64 = 7 * DAY_MS;
const MOST_TOP_PREDICTORS: i64 = 10;
const NEUTRAL: &str = "neutral";

#[derive(Debug, Serialize, ToSchema)]
pub struct MemberStatsView {
    total_members: i64,
    /// Members who wrote, joined or predicted in the last seven days.
    active_members: i64,
    /// Predictions on the room's match: by its members, or all of them in the match's own room.
    predictions_made: i64,
    /// Members by their primary team; `neutral` for those without one.
    #[schema(example = json!({"northgate_fc": 12, "neutral": 3}))]
    team_distribution: BTreeMap<String, i64>,
    /// At most ten, over all their settled predictions.
    top_predictors: Vec<TopPredictorView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TopPredictorView {
    user_id: UserId,
    username: String,
    correct_predictions: i64,
    /// The part of their settled predictions that was right, 0 to 1.
    accuracy: f64,
}

/// The figures of a room that the user may read.
pub fn stats_of(tx: &mut Tx, user: UserId, room: &RoomId) -> Result<MemberStatsView> {
    let room = chat::room_for_reading(tx, user, room)?;
    let since = tx.now().plus_ms(-ACTIVE_MS);
    let active = chat::count_active(tx, &room, since)?;
    let mut team_distribution: BTreeMap<String, i64> =
        store::list_teams(tx, &room.room_id)?.into_iter().collect();
    let partisans: i64 = team_distribution.values().sum();
    let neutral = room.member_count.saturating_sub(partisans).max(0);
    team_distribution.insert(NEUTRAL.to_owned(), neutral);
    let top_predictors = leaderboards::top_predictors(tx, &room, MOST_TOP_PREDICTORS)?;
    let view = |row: PredictorRow| TopPredictorView {
        user_id: row.user_id,
        username: row.username,
        correct_predictions: row.correct,
        accuracy: fraction(row.correct, row.settled),
    };
    Ok(MemberStatsView {
        total_members: room.member_count,
        active_members: active + store::count_active_by_prediction_alone(tx, &room.room_id, since)?,
        predictions_made: count_predictions(tx, &room)?,
        team_distribution,
        top_predictors: top_predictors.into_iter().map(view).collect(),
    })
}

fn count_predictions(tx: &mut Tx, room: &Room) -> Result<i64> {
    match room.event_id {
        Some(event) if room.is_event_room => predictions::count_of_event(tx, event),
        Some(event) => store::count_predictions(tx, &room.room_id, event),
        None => Ok(0),
    }
}

#[allow(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "a fraction of counts far below 2^53"
)]
fn fraction(part: i64, whole: i64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Whose predictions on which match a room shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// A room without a match shows none.
    Nothing,
    /// The match's own room: everybody's.
    Everybody(EventId),
    Members(EventId, Vec<UserId>),
}

impl Shown {
    /// By a room that the user may read.
    pub fn by(tx: &mut Tx, user: UserId, room: &RoomId) -> Result<Self> {
        let room = chat::room_for_reading(tx, user, room)?;
        Ok(match room.event_id {
            None => Self::Nothing,
            Some(event) if room.is_event_room => Self::Everybody(event),
            Some(event) => Self::Members(event, chat::list_member_ids(tx, &room)?),
        })
    }

    /// What of it is listed for this user: before the match only their own, where the others' are hidden until then.
    pub fn listed_for(&self, tx: &mut Tx, user: UserId, visibility: Visibility) -> Result<Self> {
        let event = match self {
            Self::Nothing => return Ok(Self::Nothing),
            Self::Everybody(event) | Self::Members(event, _) => *event,
        };
        if !predictions::is_own_only(tx, visibility, event)? {
            return Ok(self.clone());
        }
        let is_counted = match self {
            Self::Members(_, members) => members.contains(&user),
            Self::Everybody(_) | Self::Nothing => true,
        };
        Ok(Self::Members(event, if is_counted { vec![user] } else { Vec::new() }))
    }
}

pub fn totals(tx: &mut Tx, shown: &Shown) -> Result<PredictionTotals> {
    match shown {
        Shown::Nothing => Ok(PredictionTotals::default()),
        Shown::Everybody(event) => predictions::totals(tx, *event, PredictionFilter::default()),
        Shown::Members(event, members) => predictions::totals_among(tx, *event, members),
    }
}

/// Visits the predictions, all or a page of them.
pub fn walk(
    tx: &mut Tx,
    shown: &Shown,
    page: Option<Page>,
    visit: impl FnMut(ListedRow) -> Result<()>,
) -> Result<()> {
    match shown {
        Shown::Nothing => Ok(()),
        Shown::Everybody(event) => {
            predictions::walk(tx, *event, PredictionFilter::default(), page, visit)
        }
        Shown::Members(event, members) => predictions::walk_among(tx, *event, members, page, visit),
    }
}
