//! The `rate_limits` table.

use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

use super::DIGITS;

/// A hit on its way into a bucket; moments are written as their digits.
pub struct Hit<'a> {
    pub bucket: &'a str,
    pub now: &'a str,
    /// Hit up to then are out of the window.
    pub before: &'a str,
    pub most: i64,
}

/// Counts the hit if there is room for it; 0 if not.
pub fn insert_hit(tx: &mut Tx, hit: &Hit<'_>, expires_at: Timestamp) -> Result<u64> {
    tx.exec(
        "INSERT INTO rate_limits (bucket, hits, expires_at) VALUES ($1, $2, $3)
         ON CONFLICT (bucket) DO UPDATE
         SET hits = substr(excluded.hits || rate_limits.hits, 1, CAST(CAST($4 AS BIGINT) AS INTEGER)),
             expires_at = excluded.expires_at
         WHERE length(rate_limits.hits) < CAST($4 AS BIGINT)
            OR substr(rate_limits.hits, CAST(CAST($5 AS BIGINT) AS INTEGER), 16) <= $6",
        params![
            hit.bucket,
            hit.now,
            expires_at,
            hit.most * DIGITS,
            (hit.most - 1) * DIGITS + 1,
            hit.before
        ],
    )
}

/// The oldest of the last `most` hits.
pub fn find_oldest_hit(tx: &mut Tx, bucket: &str, most: i64) -> Result<Option<String>> {
    tx.opt(
        "SELECT substr(hits, CAST(CAST($2 AS BIGINT) AS INTEGER), 16) FROM rate_limits WHERE bucket = $1",
        params![bucket, (most - 1) * DIGITS + 1],
    )
}

pub fn delete_expired(tx: &mut Tx, now: Timestamp) -> Result<u64> {
    tx.exec("DELETE FROM rate_limits WHERE expires_at <= $1", params![now])
}
