//! The `chat_turns` table.

use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

use super::member_store::Membership;

/// Takes the turn to make somebody this to a room, unless another request has it; answers whether it did.
pub fn take(
    tx: &mut Tx,
    room_id: &str,
    matrix_id: &str,
    wanted: Option<Membership>,
    until: Timestamp,
) -> Result<bool> {
    let now = tx.now();
    let taken = tx.exec(
        "INSERT INTO chat_turns (room_id, matrix_id, wanted, leased_until, is_overtaken)
         VALUES ($1, $2, COALESCE($3, 'leave'), $4, 0)
         ON CONFLICT (room_id, matrix_id) DO UPDATE
         SET wanted = excluded.wanted, leased_until = excluded.leased_until, is_overtaken = 0
         WHERE chat_turns.leased_until <= $5",
        params![room_id, matrix_id, wanted, until, now],
    )?;
    Ok(taken == 1)
}

/// Ends the turn; answers whether the network told of what it did, or of more. One that was lost to another request counts as such.
pub fn end(tx: &mut Tx, room_id: &str, matrix_id: &str, until: Timestamp) -> Result<bool> {
    let overtaken: Option<bool> = tx.opt(
        "DELETE FROM chat_turns WHERE room_id = $1 AND matrix_id = $2 AND leased_until = $3
         RETURNING is_overtaken",
        params![room_id, matrix_id, until],
    )?;
    Ok(overtaken.unwrap_or(true))
}

/// The network tells that somebody is this to a room. It tells in order: what is not what the turn is for happened before it.
pub fn update_overtaken(
    tx: &mut Tx,
    room_id: &str,
    matrix_id: &str,
    told: Option<Membership>,
) -> Result<u64> {
    tx.exec(
        "UPDATE chat_turns SET is_overtaken = 1
         WHERE room_id = $1 AND matrix_id = $2 AND (wanted IS NULL OR wanted = COALESCE($3, 'leave'))",
        params![room_id, matrix_id, told],
    )
}

pub fn delete_over(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM chat_turns WHERE (room_id, matrix_id) IN
             (SELECT room_id, matrix_id FROM chat_turns WHERE leased_until < $1 ORDER BY leased_until LIMIT $2 FOR UPDATE SKIP LOCKED)",
        params![before, most],
    )
}
