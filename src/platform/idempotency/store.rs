//! The `idempotency_keys` table.

use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;

row! {
    pub struct KeptRow {
        pub request_hash: Vec<u8>,
        pub status: i64,
        pub body: String,
    }
}

/// Whether the key is now this request's: it was free, or kept since before `oldest`.
pub fn claim(
    tx: &mut Tx,
    user: i64,
    key: &str,
    request_hash: &[u8],
    oldest: Timestamp,
) -> Result<bool> {
    let now = tx.now();
    // On PostgreSQL this waits for a twin's transaction to end; on SQLite writers take turns anyway.
    let claimed = tx.exec(
        "INSERT INTO idempotency_keys (user_id, key, request_hash, status, body, created_at)
         VALUES ($1, $2, $3, 0, '', $4)
         ON CONFLICT (user_id, key) DO UPDATE
         SET request_hash = excluded.request_hash, created_at = excluded.created_at
         WHERE idempotency_keys.created_at <= $5",
        params![user, key, request_hash, now, oldest],
    )?;
    Ok(claimed == 1)
}

pub fn update_answer(tx: &mut Tx, user: i64, key: &str, status: i64, body: &str) -> Result<u64> {
    tx.exec(
        "UPDATE idempotency_keys SET status = $3, body = $4 WHERE user_id = $1 AND key = $2",
        params![user, key, status, body],
    )
}

pub fn delete(tx: &mut Tx, user: i64, key: &str) -> Result<u64> {
    tx.exec("DELETE FROM idempotency_keys WHERE user_id = $1 AND key = $2", params![user, key])
}

pub fn delete_of(tx: &mut Tx, user: i64) -> Result<u64> {
    tx.exec("DELETE FROM idempotency_keys WHERE user_id = $1", params![user])
}

pub fn find_since(tx: &mut Tx, user: i64, key: &str, oldest: Timestamp) -> Result<Option<KeptRow>> {
    tx.opt(
        "SELECT request_hash, status, body FROM idempotency_keys
         WHERE user_id = $1 AND key = $2 AND created_at > $3",
        params![user, key, oldest],
    )
}

pub fn delete_expired(tx: &mut Tx, oldest: Timestamp, most: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM idempotency_keys WHERE (user_id, key) IN
             (SELECT user_id, key FROM idempotency_keys WHERE created_at <= $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        params![oldest, most],
    )
}
