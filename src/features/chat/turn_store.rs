//! The `chat_turns` table.

use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

/// Takes the turn unless another request has it; answers whether it did.
pub fn take(tx: &mut Tx, room_id: &str, matrix_id: &str, until: Timestamp) -> Result<bool> {
    let now = tx.now();
    let taken = tx.exec(
        "INSERT INTO chat_turns (room_id, matrix_id, leased_until, is_overtaken) VALUES ($1, $2, $3, 0)
         ON CONFLICT (room_id, matrix_id) DO UPDATE SET leased_until = excluded.leased_until, is_overtaken = 0
         WHERE chat_turns.leased_until <= $4",
        params![room_id, matrix_id, until, now],
    )?;
    Ok(taken == 1)
}

/// Ends the turn; answers whether the network told of a change during it. One that was lost to another request counts as such.
pub fn end(tx: &mut Tx, room_id: &str, matrix_id: &str, until: Timestamp) -> Result<bool> {
    let overtaken: Option<bool> = tx.opt(
        "DELETE FROM chat_turns WHERE room_id = $1 AND matrix_id = $2 AND leased_until = $3
         RETURNING is_overtaken",
        params![room_id, matrix_id, until],
    )?;
    Ok(overtaken.unwrap_or(true))
}

pub fn update_overtaken(tx: &mut Tx, room_id: &str, matrix_id: &str) -> Result<u64> {
    tx.exec(
        "UPDATE chat_turns SET is_overtaken = 1 WHERE room_id = $1 AND matrix_id = $2",
        params![room_id, matrix_id],
    )
}

pub fn delete_over(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM chat_turns WHERE (room_id, matrix_id) IN
             (SELECT room_id, matrix_id FROM chat_turns WHERE leased_until < $1 ORDER BY leased_until LIMIT $2 FOR UPDATE SKIP LOCKED)",
        params![before, most],
    )
}
