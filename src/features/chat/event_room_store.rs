//! The rooms of matches in the `chat_rooms` table, compared with the matches.

use crate::features::events::EventId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;

use super::store::change_listed;

row! {
    /// What the room of a match says.
    pub struct EventRoomRow {
        pub name: String,
        pub topic: String,
        pub archived_at: Option<Timestamp>,
    }
}

pub fn find(tx: &mut Tx, room_id: &str) -> Result<Option<EventRoomRow>> {
    tx.opt("SELECT name, topic, archived_at FROM chat_rooms WHERE room_id = $1", params![room_id])
}

pub fn update_archived(tx: &mut Tx, room_id: &str, since: Option<Timestamp>) -> Result<u64> {
    change_listed(
        tx,
        "UPDATE chat_rooms SET archived_at = $2 WHERE room_id = $1",
        params![room_id, since],
    )
}

/// Matches that began before this and are over, and whose room is not silent yet.
pub fn list_to_archive(tx: &mut Tx, before: Timestamp, most: i64) -> Result<Vec<EventId>> {
    tx.all(
        "SELECT e.id FROM chat_rooms r JOIN events e ON e.id = r.event_id
         WHERE r.is_event_room = 1 AND r.archived_at IS NULL AND e.start_time < $1
           AND (e.status = 'finished' OR e.voided_at IS NOT NULL)
         ORDER BY e.start_time, e.id LIMIT $2",
        params![before, most],
    )
}

/// Matches that are still to be played, or being played, whose room goes by other names than they do.
pub fn list_misnamed(tx: &mut Tx, most: i64) -> Result<Vec<EventId>> {
    tx.all(
        "SELECT e.id FROM events e JOIN chat_rooms r ON r.room_id = e.chat_room_id
             JOIN teams h ON h.id = e.home_team_id JOIN teams a ON a.id = e.away_team_id
             JOIN tournaments t ON t.id = e.tournament_id
         WHERE e.status <> 'finished' AND e.voided_at IS NULL
           AND (r.name <> h.name || ' – ' || a.name OR substr(r.topic, 1, length(t.name)) <> t.name)
         ORDER BY e.start_time, e.id LIMIT $1",
        params![most],
    )
}
