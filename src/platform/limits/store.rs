//! The `rate_limits` table.

use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params};
use crate::platform::error::{Error, Result};

pub const DIGITS: i64 = 16;

/// Zero-padded, so that texts compare as the numbers do.
pub fn digits(moment: Timestamp) -> String {
    format!("{:016}", moment.as_millis().max(0))
}

/// So many hits at one moment, for each of these buckets, which are sorted: all of a bucket's are counted or none. Answers the
/// buckets that had room. Hits up to `before` are out of the window.
pub fn insert_hits(
    tx: &mut Tx,
    buckets: &[(&str, usize)],
    most: i64,
    before: Timestamp,
    expires_at: Timestamp,
) -> Result<Vec<String>> {
    let now = digits(tx.now());
    let rows: Vec<(&str, String)> =
        buckets.iter().map(|(bucket, number)| (*bucket, now.repeat(*number))).collect();
    let rows = serde_json::to_string(&rows).map_err(Error::internal)?;
    tx.all(
        "INSERT INTO rate_limits (bucket, hits, expires_at)
         SELECT value ->> 0, value ->> 1, $2 FROM json_each($1) WHERE true ORDER BY key
         ON CONFLICT (bucket) DO UPDATE
         SET hits = substr(excluded.hits || rate_limits.hits, 1, CAST(CAST($3 AS BIGINT) AS INTEGER)),
             expires_at = excluded.expires_at
         WHERE length(rate_limits.hits) + length(excluded.hits) <= CAST($3 AS BIGINT)
            OR substr(rate_limits.hits, CAST(CAST($3 AS BIGINT) AS INTEGER) - length(excluded.hits) + 1, 16) <= $4
         RETURNING bucket",
        params![rows, expires_at, most * DIGITS, digits(before)],
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
