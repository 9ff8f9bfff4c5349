//! The `rate_limits` table.

use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params};
use crate::platform::error::{Error, Result};

use super::Limit;

pub const DIGITS: i64 = 16;

/// Zero-padded, so that texts compare as the numbers do.
pub fn digits(moment: Timestamp) -> String {
    format!("{:016}", moment.as_millis().max(0))
}

/// So many hits at one moment, for each of these buckets, which are sorted: all of a bucket's are counted or none. Answers the
/// buckets that had room.
pub fn insert_hits(
    tx: &mut Tx,
    buckets: &[(&str, usize)],
    limit: Limit,
    now: Timestamp,
) -> Result<Vec<String>> {
    let (before, expires_at) = (now.plus_ms(-limit.window_ms), now.plus_ms(limit.window_ms));
    let hit = digits(now);
    let rows: Vec<(&str, String)> =
        buckets.iter().map(|(bucket, number)| (*bucket, hit.repeat(*number))).collect();
    let rows = serde_json::to_string(&rows).map_err(Error::internal)?;
    tx.all(
        "INSERT INTO rate_limits (bucket, hits, expires_at)
         SELECT value ->> 0, value ->> 1, $2 FROM json_each($1, '$') WHERE true ORDER BY key
         ON CONFLICT (bucket) DO UPDATE
         SET hits = substr(excluded.hits || rate_limits.hits, 1, CAST(CAST($3 AS BIGINT) AS INTEGER)),
             expires_at = excluded.expires_at
         WHERE length(rate_limits.hits) + length(excluded.hits) <= CAST($3 AS BIGINT)
            OR substr(rate_limits.hits, CAST(CAST($3 AS BIGINT) AS INTEGER) - length(excluded.hits) + 1, 16) <= $4
         RETURNING bucket",
        params![rows, expires_at, limit.most * DIGITS, digits(before)],
    )
}

/// The oldest of the last `most` hits of each of these buckets that has so many.
pub fn list_oldest_hits(
    tx: &mut Tx,
    buckets: &[String],
    most: i64,
) -> Result<Vec<(String, String)>> {
    tx.all(
        "SELECT bucket, substr(hits, CAST(CAST($2 AS BIGINT) AS INTEGER), 16) FROM rate_limits
         WHERE bucket IN (SELECT value FROM json_each($1))",
        params![list_of(buckets)?, (most - 1) * DIGITS + 1],
    )
}

/// All hits that are kept of these buckets, held in the order of their names so that none is lost while they are changed.
pub fn hold_hits(tx: &mut Tx, buckets: &[String]) -> Result<Vec<(String, String)>> {
    tx.all(
        "SELECT bucket, hits FROM rate_limits WHERE bucket IN (SELECT value FROM json_each($1))
         ORDER BY bucket FOR UPDATE",
        params![list_of(buckets)?],
    )
}

pub fn update_hits(tx: &mut Tx, hits: &[(String, String)]) -> Result<u64> {
    let hits = serde_json::to_string(hits).map_err(Error::internal)?;
    tx.exec(
        "UPDATE rate_limits SET hits = kept.hits
         FROM (SELECT value ->> 0 AS bucket, value ->> 1 AS hits FROM json_each($1, '$')) kept
         WHERE rate_limits.bucket = kept.bucket",
        params![hits],
    )
}

fn list_of(buckets: &[String]) -> Result<String> {
    serde_json::to_string(buckets).map_err(Error::internal)
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
