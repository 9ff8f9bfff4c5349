//! The `jobs` table.

use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;

row! {
    #[derive(Debug, Clone)]
    pub struct JobRow {
        pub id: i64,
        pub kind: String,
        pub payload: String,
        pub attempts: i64,
    }
}

row! {
    pub struct BacklogRow {
        pub ready: i64,
        pub dead: i64,
        pub oldest_run_at: Option<Timestamp>,
    }
}

pub fn insert(
    tx: &mut Tx,
    kind: &str,
    dedup_key: Option<&str>,
    payload: &str,
    run_at: Timestamp,
) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "INSERT INTO jobs (kind, dedup_key, payload, run_at, attempts, leased_until, state, created_at)
         VALUES ($1, $2, $3, $4, 0, 0, 'ready', $5) ON CONFLICT (dedup_key) DO NOTHING",
        params![kind, dedup_key, payload, run_at, now],
    )
}

/// Takes due jobs that nobody holds. The attempt is counted now, so that a job that kills its node is counted too.
pub fn claim(tx: &mut Tx, lease: &str, leased_until: Timestamp, most: i64) -> Result<Vec<JobRow>> {
    let now = tx.now();
    tx.all(
        "UPDATE jobs SET lease = $1, leased_until = $2, attempts = attempts + 1
         WHERE id IN (SELECT id FROM jobs WHERE state = 'ready' AND run_at <= $3 AND leased_until <= $3
                      ORDER BY run_at, id LIMIT $4 FOR UPDATE SKIP LOCKED)
         RETURNING id, kind, payload, attempts",
        params![lease, leased_until, now, most],
    )
}

pub fn update_lease(tx: &mut Tx, id: i64, lease: &str, leased_until: Timestamp) -> Result<u64> {
    tx.exec(
        "UPDATE jobs SET leased_until = $3 WHERE id = $1 AND lease = $2",
        params![id, lease, leased_until],
    )
}

pub fn delete(tx: &mut Tx, id: i64, lease: &str) -> Result<u64> {
    tx.exec("DELETE FROM jobs WHERE id = $1 AND lease = $2", params![id, lease])
}

pub fn update_again(tx: &mut Tx, id: i64, lease: &str, run_at: Timestamp) -> Result<u64> {
    tx.exec(
        "UPDATE jobs SET run_at = $3, attempts = 0, leased_until = 0, lease = NULL, last_error = NULL
         WHERE id = $1 AND lease = $2",
        params![id, lease, run_at],
    )
}

pub fn update_failed(
    tx: &mut Tx,
    id: i64,
    lease: &str,
    run_at: Timestamp,
    state: &str,
    error: &str,
) -> Result<u64> {
    tx.exec(
        "UPDATE jobs SET run_at = $3, state = $4, last_error = $5, leased_until = 0, lease = NULL
         WHERE id = $1 AND lease = $2",
        params![id, lease, run_at, state, error],
    )
}

pub fn backlog(tx: &mut Tx) -> Result<BacklogRow> {
    tx.one(
        "SELECT count(*) FILTER (WHERE state = 'ready'), count(*) FILTER (WHERE state = 'dead'),
                min(run_at) FILTER (WHERE state = 'ready')
         FROM jobs",
        params![],
    )
}
