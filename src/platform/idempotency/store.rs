//! The `idempotency_keys` table.

use std::collections::HashSet;

use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};

row! {
    pub struct KeptRow {
        pub request_hash: Vec<u8>,
        pub status: i64,
        pub body: String,
    }
}

/// Which of these users' keys are now those requests': they were free, or kept since before `oldest`.
pub fn claim(
    tx: &mut Tx,
    requests: &[(i64, &str, String)],
    oldest: Timestamp,
) -> Result<HashSet<(i64, String)>> {
    let (requests, now) = (serde_json::to_string(requests).map_err(Error::internal)?, tx.now());
    // On PostgreSQL this waits for a twin's transaction to end; on SQLite writers take turns anyway.
    let claimed = tx.all(
        "INSERT INTO idempotency_keys (user_id, key, request_hash, status, body, created_at)
         SELECT CAST(value ->> 0 AS BIGINT), value ->> 1, unhex(value ->> 2), 0, '', $2 FROM json_each($1, '$') WHERE true
         ORDER BY 1, 2
         ON CONFLICT (user_id, key) DO UPDATE
         SET request_hash = excluded.request_hash, created_at = excluded.created_at
         WHERE idempotency_keys.created_at <= $3
         RETURNING user_id, key",
        params![requests, now, oldest],
    )?;
    Ok(claimed.into_iter().collect())
}

/// Keeps what was answered: each user, key, status and body.
pub fn update_answers(tx: &mut Tx, answers: &[(i64, &str, u16, &str)]) -> Result<u64> {
    let answers = serde_json::to_string(answers).map_err(Error::internal)?;
    tx.exec(
        "UPDATE idempotency_keys SET status = answer.status, body = answer.body
         FROM (SELECT CAST(value ->> 0 AS BIGINT) AS user_id, value ->> 1 AS key,
                      CAST(value ->> 2 AS BIGINT) AS status, value ->> 3 AS body FROM json_each($1, '$')) answer
         WHERE idempotency_keys.user_id = answer.user_id AND idempotency_keys.key = answer.key",
        params![answers],
    )
}

pub fn delete(tx: &mut Tx, keys: &[(i64, &str)]) -> Result<u64> {
    let keys = serde_json::to_string(keys).map_err(Error::internal)?;
    tx.exec(
        "DELETE FROM idempotency_keys WHERE (user_id, key) IN
             (SELECT CAST(value ->> 0 AS BIGINT), value ->> 1 FROM json_each($1, '$'))",
        params![keys],
    )
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
