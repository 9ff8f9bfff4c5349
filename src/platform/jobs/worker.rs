//! The workers: each lane takes its due jobs and runs them.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::sync::{Semaphore, broadcast};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::gauge::set_gauge;
use crate::platform::{clock, tokens, trace};

use super::store::{self, ClaimedRow};
use super::{BoundJob, Jobs, Lane, Next, WAKE_CHANNEL, pause_ms};

const LONGEST_ERROR: usize = 500;
const REPORT_PAUSE: Duration = Duration::from_secs(5);
const LOOK_AGAIN: Duration = Duration::from_millis(20);
const RECORD_PAUSE: Duration = Duration::from_secs(1);

/// What a lane has to do.
enum Claim {
    /// These now, and perhaps more.
    Due(Vec<ClaimedRow>),
    /// Nothing, for so long if that is known.
    NotBefore(Option<Duration>),
    /// What is due is in others' hands at this moment: another node takes it, or it is being asked for once more.
    Held,
}

impl Jobs {
    /// Runs due jobs until the service is to end, then lets those in hand come to a good place.
    pub async fn run(&self) {
        let lanes = join_all(Lane::ALL.map(|lane| self.run_lane(lane)));
        tokio::join!(lanes, self.report());
    }

    async fn run_lane(&self, lane: Lane) {
        let core = &self.core;
        let mut wake = core.db.listen(WAKE_CHANNEL);
        let workers = Arc::new(Semaphore::new(core.config.jobs.workers));
        let (mut running, broken_off) = (JoinSet::new(), CancellationToken::new());
        while !core.stop.is_cancelled() {
            while running.try_join_next().is_some() {}
            let taken = self.take_due(lane, &workers, &broken_off, &mut running).await;
            let pause = taken.unwrap_or_else(|error| {
                tracing::warn!(error = %error, lane = lane.name(), "due jobs could not be taken");
                None
            });
            // A job of another node is heard of, unless that node or the wire to it broke.
            let longest = Duration::from_millis(core.config.jobs.poll_ms);
            tokio::select! {
                () = core.stop.cancelled() => {}
                () = self.hear_of(lane, &mut wake) => {}
                _ = running.join_next(), if !running.is_empty() => {}
                () = tokio::time::sleep(pause.map_or(longest, |pause| pause.min(longest))) => {}
            }
        }
        let drain_time = Duration::from_millis(core.config.http.drain_timeout_ms);
        let all_done = async { while running.join_next().await.is_some() {} };
        if tokio::time::timeout(drain_time, all_done).await.is_err() {
            tracing::warn!(
                lane = lane.name(),
                "the drain time is over: work in hand is left to the next start or node"
            );
            broken_off.cancel();
            while running.join_next().await.is_some() {}
        }
    }

    /// Returns when there may be new work for the lane; also when the listener says that it may have missed some.
    async fn hear_of(&self, lane: Lane, wake: &mut broadcast::Receiver<String>) {
        while let Ok(kind) = wake.recv().await {
            if self.lane_of(&kind).is_none_or(|of| of == lane) {
                return;
            }
        }
    }

    /// Starts what is due, as far as workers are free. Answers how long it is until more is due, if that is known.
    async fn take_due(
        &self,
        lane: Lane,
        workers: &Arc<Semaphore>,
        broken_off: &CancellationToken,
        running: &mut JoinSet<()>,
    ) -> Result<Option<Duration>> {
        loop {
            let free = workers.available_permits();
            if free == 0 {
                return Ok(None);
            }
            let lease = new_lease();
            let due = match self.claim(lane, &lease, free).await? {
                Claim::Due(due) => due,
                Claim::NotBefore(pause) => return Ok(pause),
                Claim::Held => return Ok(Some(LOOK_AGAIN)),
            };
            for job in due {
                let Ok(permit) = workers.clone().acquire_owned().await else { return Ok(None) };
                let (jobs, lease, broken_off) = (self.clone(), lease.clone(), broken_off.clone());
                running.spawn(async move {
                    let run = jobs.run_one(&lease, &job);
                    if broken_off.run_until_cancelled(run).await.is_none() {
                        release(&jobs.core, &lease, &job).await;
                    }
                    drop(permit);
                });
            }
        }
    }

    /// Runs everything that is due now, one by one, until nothing is. For tests, whose clock stands still.
    pub async fn run_due(&self) -> Result<usize> {
        let mut count = 0;
        loop {
            let (before, mut is_held) = (count, false);
            for lane in Lane::ALL {
                let lease = new_lease();
                match self.claim(lane, &lease, 1).await? {
                    Claim::Due(due) => {
                        for job in due {
                            self.run_one(&lease, &job).await;
                            count += 1;
                        }
                    }
                    Claim::NotBefore(_) => {}
                    Claim::Held => is_held = true,
                }
            }
            if is_held {
                tokio::time::sleep(LOOK_AGAIN).await;
            } else if count == before {
                return Ok(count);
            }
        }
    }

    async fn claim(&self, lane: Lane, lease: &str, most: usize) -> Result<Claim> {
        if self.core.clock.is_off() {
            // What is due, and whose lease is over, is for nodes to say whose clocks agree.
            return Ok(Claim::NotBefore(None));
        }
        let (kinds, lease) = (self.kinds_of(lane), lease.to_owned());
        // Most looks find nothing: a read leaves the writer alone.
        let next = move |tx: &mut Tx| Ok((store::find_next(tx, &kinds)?, tx.now()));
        let (Some((kind, due_at)), now) = self.core.db.lookup(next).await? else {
            return Ok(Claim::NotBefore(None));
        };
        if let Ok(pause @ 1..) = u64::try_from(due_at.millis_since(now)) {
            return Ok(Claim::NotBefore(Some(Duration::from_millis(pause))));
        }
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let lease_ms = self.core.config.jobs.lease_ms;
        let claim = move |tx: &mut Tx| {
            let until = tx.now().plus_ms(lease_ms);
            store::claim(tx, &kind, &lease, until, most)
        };
        let due = self.core.db.write(claim).await?;
        Ok(if due.is_empty() { Claim::Held } else { Claim::Due(due) })
    }

    async fn run_one(&self, lease: &str, row: &ClaimedRow) {
        let Some(kind) = self.find(&row.kind) else { return };
        let started = std::time::Instant::now();
        let span = trace::job(kind.kind, row.attempts, row.trace.as_deref());
        let run = run_with_lease(&self.core, lease, kind, row);
        let outcome = run.instrument(span.clone()).await;
        let word = if outcome.is_ok() { "ok" } else { "failed" };
        span.record("outcome", word);
        drop(span);
        metrics::counter!("touchline_jobs_total", "kind" => kind.kind, "outcome" => word)
            .increment(1);
        metrics::histogram!("touchline_job_seconds", "kind" => kind.kind)
            .record(started.elapsed().as_secs_f64());
        if let Err(error) = &outcome {
            tracing::warn!(error = %error, kind = kind.kind, attempts = row.attempts, "a job failed");
        }
        // Until the lease is over the job is ours, and nobody takes it up for as long as its outcome is not written down.
        let lease_time = Duration::from_millis(self.core.config.jobs.lease_ms.unsigned_abs());
        let ended = std::time::Instant::now();
        while let Err(error) = record(&self.core, lease, kind, row, &outcome).await {
            tracing::warn!(error = %error, kind = kind.kind, "a job's outcome could not be written down");
            tokio::time::sleep(RECORD_PAUSE).await;
            if ended.elapsed() > lease_time {
                return;
            }
        }
    }

    async fn report(&self) {
        while self.core.stop.run_until_cancelled(tokio::time::sleep(REPORT_PAUSE)).await.is_some() {
            let jobs = self.clone();
            let Ok(lanes) = self.core.db.read(move |tx| jobs.backlog(tx)).await else { continue };
            for backlog in lanes {
                let lane = backlog.lane.name();
                gauge("touchline_jobs_waiting", lane, backlog.waiting);
                gauge("touchline_jobs_running", lane, backlog.running);
                gauge("touchline_jobs_failing", lane, backlog.failing);
                gauge("touchline_jobs_lag_ms", lane, backlog.lag_ms);
            }
        }
    }
}

fn new_lease() -> String {
    tokens::base62(&clock::random_bytes::<16>())
}

/// Runs a job while renewing its lease, so that long work is not taken up by another node.
async fn run_with_lease(
    core: &Core,
    lease: &str,
    kind: &BoundJob,
    row: &ClaimedRow,
) -> Result<Next> {
    let work = (kind.run)(&row.payload, core.stop.clone())?;
    // A task of its own, so that a panic is a failure; in a set, so that it ends when nobody waits for it.
    let mut work = JoinSet::from_iter([work.in_current_span()]);
    let third = core.config.jobs.lease_ms.unsigned_abs() / 3;
    loop {
        tokio::select! {
            done = work.join_next() => {
                let panicked = || Error::internal("the job panicked");
                return done.and_then(std::result::Result::ok).ok_or_else(panicked)?;
            }
            () = tokio::time::sleep(Duration::from_millis(third.max(1))) => {
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
    kind: &BoundJob,
    row: &ClaimedRow,
    outcome: &Result<Next>,
) -> Result<()> {
    let (id, generation, lease) = (row.id, row.generation, lease.to_owned());
    let (every_ms, pause) = (kind.every_ms, pause_ms(kind.lane, row.attempts));
    let outcome = match outcome {
        Ok(next) => Ok(*next),
        Err(error) => Err(error.to_string().chars().take(LONGEST_ERROR).collect::<String>()),
    };
    let record = move |tx: &mut Tx| {
        let now = tx.now();
        let again_at = match (&outcome, every_ms) {
            (Err(error), _) => {
                return store::update_failed(tx, id, &lease, now.plus_ms(pause), error);
            }
            (Ok(Next::At(at)), _) => *at,
            (Ok(Next::Done), Some(every_ms)) => now.plus_ms(every_ms),
            (Ok(Next::Done), None) => match store::delete_done(tx, id, &lease, generation)? {
                0 => now,
                removed => return Ok(removed),
            },
        };
        store::update_again(tx, id, &lease, generation, again_at)
    };
    core.db.write(record).await.map(drop)
}

async fn release(core: &Core, lease: &str, row: &ClaimedRow) {
    let (id, lease) = (row.id, lease.to_owned());
    let released = core.db.write(move |tx| store::update_released(tx, id, &lease)).await;
    if let Err(error) = released {
        // The lease runs out and the job is taken up again: at least once is kept.
        tracing::warn!(error = %error, kind = row.kind, "a job could not be let go");
    }
}

fn gauge(name: &'static str, lane: &'static str, value: i64) {
    set_gauge(&metrics::gauge!(name, "lane" => lane), value);
}
