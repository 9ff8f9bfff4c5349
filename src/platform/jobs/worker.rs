//! The loop that takes due jobs and runs them.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::platform::core::Core;
use crate::platform::error::{Error, Result};
use crate::platform::{clock, tokens};

use super::store::{self, JobRow};
use super::{BoundJob, Job, Jobs, Next, WAKE_CHANNEL, retry_delay_ms, unknown_kind};

const LONGEST_ERROR: usize = 500;

impl Jobs {
    /// Runs due jobs until the service is to end, then lets those in hand finish.
    pub async fn run(&self) {
        let core = &self.core;
        let mut wake = core.db.listen(WAKE_CHANNEL);
        let workers = Arc::new(Semaphore::new(core.config.jobs.workers));
        let mut running = JoinSet::new();
        loop {
            while running.try_join_next().is_some() {}
            if let Err(error) = take_due(self, &workers, &mut running).await {
                tracing::warn!(error = %error, "due jobs could not be taken");
            }
            tokio::select! {
                () = core.stop.cancelled() => break,
                _ = wake.recv() => {}
                _ = running.join_next(), if !running.is_empty() => {}
                () = tokio::time::sleep(Duration::from_millis(core.config.jobs.poll_ms)) => {
                    report_backlog(core).await;
                }
            }
        }
        while running.join_next().await.is_some() {}
    }

    /// Runs everything that is due now, one by one, until nothing is. For tests, whose clock stands still.
    pub async fn run_due(&self) -> Result<usize> {
        let mut count = 0;
        loop {
            let lease = new_lease();
            let due = claim(&self.core, &lease, 1).await?;
            if due.is_empty() {
                return Ok(count);
            }
            for job in due {
                run_one(self, &lease, job).await;
                count += 1;
            }
        }
    }
}

async fn take_due(jobs: &Jobs, workers: &Arc<Semaphore>, running: &mut JoinSet<()>) -> Result<()> {
    let free = workers.available_permits();
    if free == 0 {
        return Ok(());
    }
    let lease = new_lease();
    for job in claim(&jobs.core, &lease, free).await? {
        let Ok(permit) = workers.clone().acquire_owned().await else { return Ok(()) };
        let (jobs, lease) = (jobs.clone(), lease.clone());
        running.spawn(async move {
            run_one(&jobs, &lease, job).await;
            drop(permit);
        });
    }
    Ok(())
}

fn new_lease() -> String {
    tokens::base62(&clock::random_bytes::<16>())
}

async fn claim(core: &Core, lease: &str, most: usize) -> Result<Vec<JobRow>> {
    let (lease, most) = (lease.to_owned(), i64::try_from(most).unwrap_or(i64::MAX));
    let lease_ms = core.config.jobs.lease_ms;
    core.db
        .write(move |tx| {
            let until = tx.now().plus_ms(lease_ms);
            store::claim(tx, &lease, until, most)
        })
        .await
}

async fn run_one(jobs: &Jobs, lease: &str, row: JobRow) {
    let started = std::time::Instant::now();
    let kind = jobs.kinds.iter().find(|kind| kind.name == row.kind);
    let outcome = match kind {
        Some(kind) => run_with_lease(&jobs.core, lease, kind, &row).await,
        None => Err(unknown_kind(&row.kind)),
    };
    let word = if outcome.is_ok() { "ok" } else { "failed" };
    metrics::counter!("touchline_jobs_total", "kind" => row.kind.clone(), "outcome" => word)
        .increment(1);
    metrics::histogram!("touchline_job_seconds", "kind" => row.kind.clone())
        .record(started.elapsed().as_secs_f64());
    if let Err(error) = record(&jobs.core, lease, kind, &row, outcome).await {
        // The lease runs out and the job is taken up again: at least once is kept.
        tracing::warn!(error = %error, kind = row.kind, "a job's outcome could not be written down");
    }
}

/// Runs a job while renewing its lease, so that long work is not taken up by another node.
async fn run_with_lease(core: &Core, lease: &str, kind: &BoundJob, row: &JobRow) -> Result<Next> {
    let payload = serde_json::from_str(&row.payload).map_err(Error::internal)?;
    let job = Job { id: row.id, payload, attempt: row.attempts };
    let mut work = tokio::spawn((kind.run)(job));
    let third = u64::try_from(core.config.jobs.lease_ms / 3).unwrap_or(1).max(1);
    loop {
        tokio::select! {
            done = &mut work => {
                return done.unwrap_or_else(|_| Err(Error::internal("the job panicked")));
            }
            () = tokio::time::sleep(Duration::from_millis(third)) => {
                let (id, lease, lease_ms) = (row.id, lease.to_owned(), core.config.jobs.lease_ms);
                let renewed = core.db.write(move |tx| {
                    let until = tx.now().plus_ms(lease_ms);
                    store::update_lease(tx, id, &lease, until)
                });
                if let Err(error) = renewed.await {
                    tracing::warn!(error = %error, "a job's lease could not be renewed");
                }
            }
        }
    }
}

async fn record(
    core: &Core,
    lease: &str,
    kind: Option<&BoundJob>,
    row: &JobRow,
    outcome: Result<Next>,
) -> Result<u64> {
    let (id, attempts, lease) = (row.id, row.attempts, lease.to_owned());
    let every_ms = kind.and_then(|kind| kind.every_ms);
    let failure = match outcome {
        Ok(Next::At(run_at)) => {
            return core.db.write(move |tx| store::update_again(tx, id, &lease, run_at)).await;
        }
        Ok(Next::Done) => {
            return match every_ms {
                Some(every_ms) => {
                    let again = move |tx: &mut crate::platform::db::Tx| {
                        let run_at = tx.now().plus_ms(every_ms);
                        store::update_again(tx, id, &lease, run_at)
                    };
                    core.db.write(again).await
                }
                None => core.db.write(move |tx| store::delete(tx, id, &lease)).await,
            };
        }
        Err(error) => error,
    };
    tracing::warn!(error = %failure, kind = row.kind, attempts, "a job failed");
    let error: String = failure.to_string().chars().take(LONGEST_ERROR).collect();
    // A chore is tried for ever: there is nobody to take it up again.
    let is_dead = every_ms.is_none() && attempts >= core.config.jobs.max_attempts;
    let state = if is_dead { "dead" } else { "ready" };
    let delay = retry_delay_ms(attempts, clock::random_below(1_000));
    core.db
        .write(move |tx| {
            let run_at = tx.now().plus_ms(delay);
            store::update_failed(tx, id, &lease, run_at, state, &error)
        })
        .await
}

async fn report_backlog(core: &Core) {
    let Ok(backlog) = core.db.read(super::backlog).await else { return };
    gauge("touchline_jobs_ready", backlog.ready);
    gauge("touchline_jobs_dead", backlog.dead);
    gauge("touchline_jobs_lag_ms", backlog.lag_ms);
}

#[allow(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "a gauge is a float; counts are far below 2^53"
)]
fn gauge(name: &'static str, value: i64) {
    metrics::gauge!(name).set(value as f64);
}
