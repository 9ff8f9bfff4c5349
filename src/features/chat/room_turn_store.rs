//! The `chat_room_turns` table.

use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

/// Takes the turn of a room, unless another has it; answers whether it did.
pub fn take(tx: &mut Tx, room_id: &str, holder: &str, until: Timestamp) -> Result<bool> {
    let now = tx.now();
    let taken = tx.exec(
        "INSERT INTO chat_room_turns (room_id, holder, leased_until) VALUES ($1, $2, $3)
         ON CONFLICT (room_id) DO UPDATE SET holder = excluded.holder, leased_until = excluded.leased_until
         WHERE chat_room_turns.leased_until <= $4",
        params![room_id, holder, until, now],
    )?;
    Ok(taken == 1)
}

pub fn end(tx: &mut Tx, room_id: &str, holder: &str) -> Result<u64> {
    tx.exec(
        "DELETE FROM chat_room_turns WHERE room_id = $1 AND holder = $2",
        params![room_id, holder],
    )
}

pub fn delete_over(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM chat_room_turns WHERE room_id IN
             (SELECT room_id FROM chat_room_turns WHERE leased_until < $1 ORDER BY leased_until LIMIT $2 FOR UPDATE SKIP LOCKED)",
        params![before, most],
    )
}
