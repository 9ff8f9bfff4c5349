//! What predictions say about the members of a room, in one query each whatever the room's size.

use crate::features::events::{self, EventId};
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;

row! {
    #[derive(Debug, Clone)]
    pub struct PredictorRow {
        pub user_id: UserId,
        pub username: String,
        pub correct: i64,
        pub settled: i64,
    }
}

/// Predictions on the room's own match: by its members, or everybody's in the match's own room.
pub fn count_of_room(
    tx: &mut Tx,
    room_id: &str,
    event: EventId,
    is_event_room: bool,
) -> Result<i64> {
    if is_event_room {
        return events::predictions_count(tx, event);
    }
    tx.one(
        "SELECT count(*) FROM chat_room_users m JOIN predictions p ON p.user_id = m.user_id AND p.event_id = $2
         WHERE m.room_id = $1",
        params![room_id, event],
    )
}

/// Members who have done nothing in the room since then, but have predicted.
pub fn count_active_by_prediction_alone(
    tx: &mut Tx,
    room_id: &str,
    since: Timestamp,
) -> Result<i64> {
    tx.one(
        "SELECT count(*) FROM chat_room_users m WHERE m.room_id = $1 AND m.last_active_at < $2
           AND EXISTS (SELECT 1 FROM predictions p WHERE p.user_id = m.user_id AND p.updated_at >= $2)",
        params![room_id, since],
    )
}

/// Members by how many of their settled predictions were right, then by the part that was, then by who predicted first.
pub fn list_top_predictors(tx: &mut Tx, room_id: &str, most: i64) -> Result<Vec<PredictorRow>> {
    tx.all(
        "SELECT u.id, u.username, s.correct, s.settled
         FROM chat_room_users m JOIN users u ON u.id = m.user_id
         JOIN boards b ON b.tournament_id = 0 AND b.period = 'all'
         JOIN standings s ON s.board_id = b.id AND s.user_id = u.id
         WHERE m.room_id = $1 AND s.settled > 0
         ORDER BY s.correct DESC, CAST(s.correct AS REAL) / s.settled DESC,
                  (SELECT min(p.id) FROM predictions p WHERE p.user_id = u.id), u.id
         LIMIT $2",
        params![room_id, most],
    )
}
