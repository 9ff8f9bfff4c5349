//! The `rate_limits` table.

use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

pub const DIGITS: i64 = 16;

/// Zero-padded, so that texts compare as the numbers do.
pub fn digits(moment: Timestamp) -> String {
    format!("{:016}", moment.as_millis().max(0))
}

/// Counts a hit if there is room for it; 0 if not. Hits up to `before` are out of the window.
pub fn insert_hit(
    tx: &mut Tx,
    bucket: &str,
    most: i64,
    before: Timestamp,
    expires_at: Timestamp,
) -> Result<u64> {
    let now = digits(tx.now());
    tx.exec(
        "INSERT INTO rate_limits (bucket, hits, expires_at) VALUES ($1, $2, $3)
         ON CONFLICT (bucket) DO UPDATE
         SET hits = substr(excluded.hits || rate_limits.hits, 1, CAST(CAST($4 AS BIGINT) AS INTEGER)),
             expires_at = excluded.expires_at
         WHERE length(rate_limits.hits) < CAST($4 AS BIGINT)
            OR substr(rate_limits.hits, CAST(CAST($5 AS BIGINT) AS INTEGER), 16) <= $6",
        params![bucket, now, expires_at, most * DIGITS, (most - 1) * DIGITS + 1, digits(before)],
    )
}

/// The oldest of the last `most` hits.
pub fn find_oldest_hit(tx: &mut Tx, bucket: &str, most: i64) -> Result<Option<String>> {
    tx.opt(
        "SELECT substr(hits, CAST(CAST($2 AS BIGINT) AS INTEGER), 16) FROM rate_limits WHERE bucket = $1",
        params![bucket, (most - 1) * DIGITS + 1],
    )
}

/// All hits that are kept, held so that none is lost while they are changed.
pub fn find_hits(tx: &mut Tx, bucket: &str) -> Result<Option<String>> {
    tx.opt("SELECT hits FROM rate_limits WHERE bucket = $1 FOR UPDATE", params![bucket])
}

pub fn update_hits(tx: &mut Tx, bucket: &str, hits: &str) -> Result<u64> {
    tx.exec("UPDATE rate_limits SET hits = $2 WHERE bucket = $1", params![bucket, hits])
}

/// Forgets callers whose hits have all left their window.
pub fn forget_expired(tx: &mut Tx, most: i64) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "DELETE FROM rate_limits WHERE bucket IN
             (SELECT bucket FROM rate_limits WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        params![now, most],
    )
}
