//! The `chat_taken` table.

use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

/// Up to where the embedded homeserver's stream was taken in, if anything was.
pub fn find(tx: &mut Tx) -> Result<Option<i64>> {
    tx.opt("SELECT position FROM chat_taken WHERE id = 1", params![])
}

/// It only goes on, whatever is pushed again.
pub fn upsert(tx: &mut Tx, position: i64) -> Result<u64> {
    tx.exec(
        "INSERT INTO chat_taken (id, position) VALUES (1, $1)
         ON CONFLICT (id) DO UPDATE SET position = excluded.position WHERE chat_taken.position < excluded.position",
        params![position],
    )
}
