//! What other features' tables say about the members of a room, in one query each whatever the room's size.
//!
//! The members come from the view that chat has for this. Handing each feature a list of ids instead was measured with a room
//! of ten thousand: on PostgreSQL teams and predictions took about twice as long to count, and reading the list came on top.

use crate::features::events::EventId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

/// How many members have which primary team, by its slug.
pub fn list_teams(tx: &mut Tx, room_id: &str) -> Result<Vec<(String, i64)>> {
    tx.all(
        "SELECT t.slug, count(*) FROM chat_room_users u
         JOIN favourite_teams f ON f.user_id = u.user_id AND f.slot = 0 JOIN teams t ON t.id = f.team_id
         WHERE u.room_id = $1 GROUP BY t.slug",
        params![room_id],
    )
}

/// The members' predictions on a match.
pub fn count_predictions(tx: &mut Tx, room_id: &str, event: EventId) -> Result<i64> {
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
