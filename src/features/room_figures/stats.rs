//! What can be counted about a room's members, in a number of queries that does not grow with the room.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::chat::RoomRow;
use crate::features::users::UserId;
use crate::platform::clock::{DAY_MS, Timestamp};
use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

use super::store;

/// A member who did anything in this time is active.
const ACTIVE_MS: i64 = 7 * DAY_MS;
const NEUTRAL: &str = "neutral";
const MOST_TOP_PREDICTORS: i64 = 10;

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

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TopPredictorView {
    user_id: UserId,
    username: String,
    correct_predictions: i64,
    /// The part of their settled predictions that was right, 0 to 1.
    accuracy: f64,
}

/// What the predictions of a room's members add to its statistics.
struct PredictionFigures {
    predictions_made: i64,
    active_by_prediction_alone: i64,
    top_predictors: Vec<TopPredictorView>,
}

pub fn of_room(tx: &mut Tx, room: &RoomRow) -> Result<MemberStatsView> {
    let since = tx.now().plus_ms(-ACTIVE_MS);
    let active: i64 = tx.one(
        "SELECT count(*) FROM chat_members m LEFT JOIN chat_accounts a ON a.matrix_id = m.matrix_id
         WHERE m.room_id = $1 AND m.membership = 'join' AND m.last_active_at >= $2
           AND (a.matrix_id IS NULL OR a.user_id IS NOT NULL)",
        params![room.room_id, since],
    )?;
    let teams: Vec<(String, i64)> = tx.all(
        "SELECT t.slug, count(*) FROM chat_room_users u
         JOIN favourite_teams f ON f.user_id = u.user_id AND f.slot = 0 JOIN teams t ON t.id = f.team_id
         WHERE u.room_id = $1 GROUP BY t.slug",
        params![room.room_id],
    )?;
    let mut team_distribution: BTreeMap<String, i64> = teams.into_iter().collect();
    let partisans: i64 = team_distribution.values().sum();
    team_distribution
        .insert(NEUTRAL.to_owned(), room.member_count.saturating_sub(partisans).max(0));
    let predictions = prediction_figures(tx, room, since)?;
    Ok(MemberStatsView {
        total_members: room.member_count,
        active_members: active + predictions.active_by_prediction_alone,
        predictions_made: predictions.predictions_made,
        team_distribution,
        top_predictors: predictions.top_predictors,
    })
}

/// The figures that only predictions know.
fn prediction_figures(tx: &mut Tx, room: &RoomRow, since: Timestamp) -> Result<PredictionFigures> {
    let predictions_made = match room.event_id {
        Some(event) => store::count_of_room(tx, &room.room_id, event, room.is_event_room)?,
        None => 0,
    };
    let top = store::list_top_predictors(tx, &room.room_id, MOST_TOP_PREDICTORS)?;
    Ok(PredictionFigures {
        predictions_made,
        active_by_prediction_alone: store::count_active_by_prediction_alone(
            tx,
            &room.room_id,
            since,
        )?,
        top_predictors: top
            .into_iter()
            .map(|row| TopPredictorView {
                user_id: row.user_id,
                username: row.username,
                correct_predictions: row.correct,
                accuracy: fraction(row.correct, row.settled),
            })
            .collect(),
    })
}

#[allow(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "a fraction of counts far below 2^53"
)]
fn fraction(part: i64, whole: i64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
