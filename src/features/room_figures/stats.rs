//! What can be counted about a room's members.

use std::collections::BTreeMap;

use crate::features::chat::{self, Room, RoomId};
use crate::features::leaderboards::{self, PredictorRow};
use crate::features::predictions;
use crate::features::users::UserId;
use crate::platform::clock::DAY_MS;
use crate::platform::db::Tx;
use crate::platform::error::Result;

use super::store;

/// A member who did anything in this time is active.
const ACTIVE_MS: i64 = 7 * DAY_MS;
const MOST_TOP_PREDICTORS: i64 = 10;

#[derive(Debug)]
pub struct MemberStats {
    pub members: i64,
    /// Members who wrote, joined or predicted in the last seven days.
    pub active: i64,
    /// Predictions on the room's match: by its members, or all of them in the match's own room.
    pub predictions: i64,
    /// Members by the slug of their primary team.
    pub by_team: BTreeMap<String, i64>,
    /// Members without one.
    pub neutral: i64,
    pub top_predictors: Vec<PredictorRow>,
}

/// The figures of a room that the user may read.
pub fn stats_of(tx: &mut Tx, user: UserId, room: &RoomId) -> Result<MemberStats> {
    let room = chat::room_for_reading(tx, user, room)?;
    let since = tx.now().plus_ms(-ACTIVE_MS);
    let active = chat::count_active(tx, &room, since)?;
    let by_team: BTreeMap<String, i64> =
        store::list_teams(tx, &room.room_id)?.into_iter().collect();
    let partisans: i64 = by_team.values().sum();
    let predictions = count_predictions(tx, &room)?;
    let top_predictors = leaderboards::top_predictors(tx, &room, MOST_TOP_PREDICTORS)?;
    Ok(MemberStats {
        members: room.member_count,
        active: active + store::count_active_by_prediction_alone(tx, &room.room_id, since)?,
        predictions,
        by_team,
        neutral: room.member_count.saturating_sub(partisans).max(0),
        top_predictors,
    })
}

fn count_predictions(tx: &mut Tx, room: &Room) -> Result<i64> {
    match room.event_id {
        Some(event) if room.is_event_room => predictions::count_of_event(tx, event),
        Some(event) => store::count_predictions(tx, &room.room_id, event),
        None => Ok(0),
    }
}
