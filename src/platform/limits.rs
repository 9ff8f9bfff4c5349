//! How often something may happen: an exact sliding window, kept in the database.
//!
//! Owns: the `rate_limits` table. A row holds the moments of the last hits of one caller, newest first, each as 16 digits.
//! Invariants: a hit is counted by one guarded statement, so it is exact under concurrency and across nodes, and it
//! survives a restart; a hit that is refused, or whose transaction is rolled back, is not counted.
//! Never: stores whom it counts; buckets are named by a keyed hash.

use crate::features::users::UserId;
use crate::platform::clock::{SECOND_MS, Timestamp};
use crate::platform::db::{Tx, params};
use crate::platform::error::{Error, Result};
use crate::platform::keys::Keys;

pub const DIGITS: i64 = 16;

/// At most `most` hits in any `window_ms`; `code` names the limiter to the caller it refuses.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    pub code: &'static str,
    pub most: i64,
    pub window_ms: i64,
}

/// Whom to count, under a name that does not tell. Made outside a transaction, which has better things to do.
#[derive(Debug, Clone)]
pub struct Who(String);

impl Who {
    pub fn new(keys: &Keys, text: &str) -> Self {
        Self(keys.pseudonym("rate limit", text))
    }

    pub fn user(keys: &Keys, id: UserId) -> Self {
        Self::new(keys, &id.0.to_string())
    }
}

/// Counts a hit by `who`, or refuses with the time until the next one is free.
pub fn hit(tx: &mut Tx, limit: Limit, who: &Who) -> Result<()> {
    let now = tx.now();
    let bucket = format!("{}:{}", limit.code, who.0);
    let counted = tx.exec(
        "INSERT INTO rate_limits (bucket, hits, expires_at) VALUES ($1, $2, $3)
         ON CONFLICT (bucket) DO UPDATE
         SET hits = substr(excluded.hits || rate_limits.hits, 1, CAST(CAST($4 AS BIGINT) AS INTEGER)),
             expires_at = excluded.expires_at
         WHERE length(rate_limits.hits) < CAST($4 AS BIGINT)
            OR substr(rate_limits.hits, CAST(CAST($5 AS BIGINT) AS INTEGER), 16) <= $6",
        params![
            bucket,
            digits(now),
            now.plus_ms(limit.window_ms),
            limit.most * DIGITS,
            (limit.most - 1) * DIGITS + 1,
            digits(now.plus_ms(-limit.window_ms))
        ],
    )?;
    if counted == 1 && limit.most > 0 {
        return Ok(());
    }
    let oldest: Option<String> = tx.opt(
        "SELECT substr(hits, CAST(CAST($2 AS BIGINT) AS INTEGER), 16) FROM rate_limits WHERE bucket = $1",
        params![bucket, (limit.most - 1) * DIGITS + 1],
    )?;
    let oldest = oldest.and_then(|digits| digits.parse().ok()).unwrap_or(now.as_millis());
    let free_at = Timestamp::from_millis(oldest).plus_ms(limit.window_ms);
    Err(refused(limit, free_at.millis_since(now)))
}

pub fn refused(limit: Limit, wait_ms: i64) -> Error {
    let seconds = wait_ms.saturating_add(SECOND_MS - 1) / SECOND_MS;
    Error::RateLimited {
        code: limit.code,
        retry_after_s: u64::try_from(seconds).unwrap_or(0).max(1),
    }
}

/// Forgets callers whose hits have all left their window.
pub fn forget_expired(tx: &mut Tx) -> Result<u64> {
    let now = tx.now();
    tx.exec("DELETE FROM rate_limits WHERE expires_at <= $1", params![now])
}

/// Zero-padded, so that texts compare as the numbers do.
pub fn digits(moment: Timestamp) -> String {
    format!("{:016}", moment.as_millis().max(0))
}
