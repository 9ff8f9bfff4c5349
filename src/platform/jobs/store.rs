//! The `jobs` table.

use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, enum_column, params, row};
use crate::platform::error::Result;

use super::JobFilter;

row! {
    #[derive(Debug, Clone)]
    pub struct ClaimedRow {
        pub id: i64,
        pub kind: String,
        pub payload: String,
        pub attempts: i64,
        pub generation: i64,
        pub trace: Option<String>,
    }
}

row! {
    pub struct KindCountsRow {
        pub kind: String,
        pub waiting: i64,
        pub running: i64,
        pub failing: i64,
        pub failed: i64,
        pub failed_tries: i64,
        pub oldest_run_at: Option<Timestamp>,
    }
}

row! {
    pub struct JobRow {
        pub id: i64,
        pub kind: String,
        pub payload: String,
        pub state: JobState,
        pub attempts: i64,
        pub run_at: Timestamp,
        pub last_error: Option<String>,
        pub created_at: Timestamp,
    }
}

/// What a job does at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// For its time, or for a worker.
    Waiting,
    Running,
    /// For the end of the pause after a failure.
    Failing,
}

enum_column!(JobState { Waiting = "waiting", Running = "running", Failing = "failing" });

/// Asks for a job. One that is there under its key gets the new payload and a higher generation.
pub fn upsert(
    tx: &mut Tx,
    kind: &str,
    key: Option<&str>,
    payload: &str,
    run_at: Timestamp,
) -> Result<()> {
    let (now, trace) = (tx.now(), tx.trace());
    tx.exec(
        "INSERT INTO jobs (kind, dedup_key, payload, run_at, created_at, trace) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (dedup_key) DO UPDATE
         SET generation = jobs.generation + 1, payload = excluded.payload, trace = excluded.trace,
             run_at = CASE WHEN jobs.last_error IS NULL THEN excluded.run_at ELSE jobs.run_at END",
        params![kind, key, payload, run_at, now, trace],
    )
    .map(drop)
}

pub fn insert_if_absent(tx: &mut Tx, kind: &str, key: Option<&str>, payload: &str) -> Result<()> {
    let (now, trace) = (tx.now(), tx.trace());
    tx.exec(
        "INSERT INTO jobs (kind, dedup_key, payload, run_at, created_at, trace) VALUES ($1, $2, $3, $4, $4, $5)
         ON CONFLICT (dedup_key) DO NOTHING",
        params![kind, key, payload, now, trace],
    )
    .map(drop)
}

pub fn update_all_leases_ended(tx: &mut Tx) -> Result<()> {
    tx.exec("UPDATE jobs SET lease = NULL, leased_until = 0 WHERE lease IS NOT NULL", params![])
        .map(drop)
}

/// Of these kinds, the one whose work is due first, or has been for longest, and since when.
pub fn find_next(tx: &mut Tx, kinds: &str) -> Result<Option<(String, Timestamp)>> {
    let now = tx.now();
    tx.planned_anew().opt(
        "SELECT kind, due_at FROM
             (SELECT k.value AS kind,
                     (SELECT j.run_at FROM jobs j WHERE j.kind = k.value AND j.leased_until <= $2
                      ORDER BY j.run_at, j.id LIMIT 1) AS due_at
              FROM json_each($1) AS k) AS kinds
         WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1",
        params![kinds, now],
    )
}

/// Takes due jobs that nobody holds. The attempt is counted now, so that a job that kills its node is counted too.
pub fn claim(
    tx: &mut Tx,
    kind: &str,
    lease: &str,
    leased_until: Timestamp,
    most: i64,
) -> Result<Vec<ClaimedRow>> {
    let now = tx.now();
    tx.planned_anew().all(
        "UPDATE jobs SET lease = $2, leased_until = $3, attempts = attempts + 1
         WHERE id IN (SELECT id FROM jobs WHERE kind = $1 AND run_at <= $4 AND leased_until <= $4
                      ORDER BY run_at, id LIMIT $5 FOR UPDATE SKIP LOCKED)
         RETURNING id, kind, payload, attempts, generation, trace",
        params![kind, lease, leased_until, now, most],
    )
}

pub fn update_lease(tx: &mut Tx, id: i64, lease: &str, leased_until: Timestamp) -> Result<u64> {
    tx.exec(
        "UPDATE jobs SET leased_until = $3 WHERE id = $1 AND lease = $2",
        params![id, lease, leased_until],
    )
}

/// Removes what was run; what has been asked for since stays.
pub fn delete_done(tx: &mut Tx, id: i64, lease: &str, generation: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM jobs WHERE id = $1 AND lease = $2 AND generation = $3",
        params![id, lease, generation],
    )
}

/// Lets go of a job that goes on later, or when it was asked for since.
pub fn update_again(
    tx: &mut Tx,
    id: i64,
    lease: &str,
    generation: i64,
    run_at: Timestamp,
) -> Result<u64> {
    tx.exec(
        "UPDATE jobs SET run_at = CASE WHEN generation = $3 THEN $4 ELSE run_at END,
                         attempts = 0, leased_until = 0, lease = NULL, last_error = NULL
         WHERE id = $1 AND lease = $2",
        params![id, lease, generation, run_at],
    )
}

/// Lets go of a job until its pause is over. Attempts are none only where somebody asked, while it ran, that it be tried now.
pub fn update_failed(
    tx: &mut Tx,
    id: i64,
    lease: &str,
    run_at: Timestamp,
    error: &str,
) -> Result<u64> {
    tx.exec(
        "UPDATE jobs SET run_at = CASE WHEN attempts = 0 THEN run_at ELSE $3 END,
                         last_error = $4, leased_until = 0, lease = NULL
         WHERE id = $1 AND lease = $2",
        params![id, lease, run_at, error],
    )
}

/// Lets go of a job that could not come to its end, as if it had not been tried.
pub fn update_released(tx: &mut Tx, id: i64, lease: &str) -> Result<u64> {
    tx.exec(
        "UPDATE jobs SET attempts = CASE WHEN attempts = 0 THEN 0 ELSE attempts - 1 END,
                         leased_until = 0, lease = NULL
         WHERE id = $1 AND lease = $2",
        params![id, lease],
    )
}

pub fn update_run_now(tx: &mut Tx, id: i64) -> Result<Option<String>> {
    let now = tx.now();
    tx.opt(
        "UPDATE jobs SET run_at = $2, attempts = 0 WHERE id = $1 RETURNING kind",
        params![id, now],
    )
}

pub fn update_run_now_by_key(tx: &mut Tx, key: &str) -> Result<()> {
    let now = tx.now();
    tx.exec("UPDATE jobs SET run_at = $2, attempts = 0 WHERE dedup_key = $1", params![key, now])
        .map(drop)
}

/// A chore is its own key.
pub fn update_chore_now(tx: &mut Tx, kind: &str) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "UPDATE jobs SET generation = generation + 1, run_at = $2, attempts = 0 WHERE dedup_key = $1",
        params![kind, now],
    )
}

pub fn find_kind(tx: &mut Tx, id: i64) -> Result<Option<String>> {
    tx.opt("SELECT kind FROM jobs WHERE id = $1", params![id])
}

pub fn delete(tx: &mut Tx, id: i64) -> Result<u64> {
    tx.exec("DELETE FROM jobs WHERE id = $1", params![id])
}

pub fn count_by_kind(tx: &mut Tx) -> Result<Vec<KindCountsRow>> {
    let now = tx.now();
    tx.all(
        "SELECT kind, count(*) FILTER (WHERE leased_until <= $1 AND last_error IS NULL),
                count(*) FILTER (WHERE leased_until > $1),
                count(*) FILTER (WHERE leased_until <= $1 AND last_error IS NOT NULL),
                count(last_error), CAST(coalesce(sum(attempts) FILTER (WHERE last_error IS NOT NULL), 0) AS BIGINT),
                min(run_at) FILTER (WHERE leased_until <= $1)
         FROM jobs GROUP BY kind",
        params![now],
    )
}

/// Jobs with their state, of kinds ($2) and in a state ($3), if either is given.
macro_rules! select_jobs {
    ($columns:literal, $rest:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM
                 (SELECT id, kind, payload, attempts, run_at, last_error, created_at,
                         CASE WHEN leased_until > $1 THEN 'running' WHEN last_error IS NULL THEN 'waiting'
                              ELSE 'failing' END AS state
                  FROM jobs) AS jobs
             WHERE (CAST($2 AS TEXT) IS NULL OR kind IN (SELECT value FROM json_each($2)))
               AND (CAST($3 AS TEXT) IS NULL OR state = $3)",
            $rest
        )
    };
}

/// A page of the jobs, those that wait longest first, and how many there are in all.
pub fn list(tx: &mut Tx, filter: &JobFilter, kinds: Option<&str>) -> Result<(Vec<JobRow>, i64)> {
    let now = tx.now();
    let rows = tx.all(
        select_jobs!(
            "id, kind, payload, state, attempts, run_at, last_error, created_at",
            " ORDER BY run_at, id LIMIT $4 OFFSET $5"
        ),
        params![now, kinds, filter.state, filter.most, filter.offset],
    )?;
    let total = tx.one(select_jobs!("count(*)", ""), params![now, kinds, filter.state])?;
    Ok((rows, total))
}
