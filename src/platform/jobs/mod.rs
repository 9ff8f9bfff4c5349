//! Work done outside a request: typed jobs in lanes.
//!
//! Owns: the `jobs` table, the lanes and their workers, leases and pauses.
//! Invariants: a job is written by the transaction that needs it, so it exists exactly if its cause does; it runs at least once,
//! so jobs are idempotent; asked for again while it runs, it runs once more; its run is part of the trace of what asked for it last;
//! two nodes never hold one lease; a lane never waits for another; what fails is tried again until it succeeds or an operator drops it.
//! Never: runs inside a database transaction, so a job may call the network; takes work whose kind this program does not know.

mod lanes;
mod store;
mod worker;

use std::pin::Pin;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio_util::sync::CancellationToken;
use utoipa::ToSchema;

use crate::platform::clock::{SECOND_MS, Timestamp, random_below};
use crate::platform::core::Core;
use crate::platform::db::{Engine, Tx};
use crate::platform::error::{Error, Result};

pub use lanes::Lane;
pub use store::{JobRow, JobState};

/// The channel on which nodes tell each other of new work, by its kind.
const WAKE_CHANNEL: &str = "jobs";
const FIRST_PAUSE_MS: i64 = SECOND_MS;

/// A sort of work. Its fields are what it is about, kept in the table from when it is asked for until it is done.
pub trait Job: Serialize + DeserializeOwned + Send + 'static {
    /// Its name in the table.
    const KIND: &'static str;
    const LANE: Lane;
    /// A chore is always there, once for all nodes, and done this often.
    const EVERY_MS: Option<i64> = None;
    /// The part of the service that it needs.
    type State: Clone + Send + Sync + 'static;

    /// Jobs of a kind with the same key are one job, done with what was asked for last.
    fn key(&self) -> Option<String> {
        None
    }

    fn run(self, state: Self::State, stop: Stop) -> impl Future<Output = Result<Next>> + Send;
}

/// A sort of work as a struct and a function: `job! { pub struct Open { id: Id } kind: "open", lane: Chat, key: id.0, run: open(Chat) }`
/// with `async fn open(job: Open, chat: Chat, stop: Stop) -> Result<Next>`. Instead of `key`, a chore has `every: MILLISECONDS`.
macro_rules! job {
    ($(#[$about:meta])* $visible:vis struct $name:ident $fields:tt
     kind: $kind:literal, lane: $lane:ident, $(key: $key:ident $(. $part:tt)?,)? $(every: $every:expr,)? run: $run:ident($state:ty)) => {
        $(#[$about])*
        #[derive(::serde::Serialize, ::serde::Deserialize)]
        $visible struct $name $fields

        impl $crate::platform::jobs::Job for $name {
            const KIND: &'static str = $kind;
            const LANE: $crate::platform::jobs::Lane = $crate::platform::jobs::Lane::$lane;
            $(const EVERY_MS: Option<i64> = Some($every);)?
            type State = $state;

            $(fn key(&self) -> Option<String> {
                Some(self.$key$(.$part)?.to_string())
            })?

            async fn run(self, state: $state, stop: $crate::platform::jobs::Stop) -> Result<Next> {
                $run(self, state, stop).await
            }
        }
    };
}

pub(crate) use job;

/// Given when the service is to end: long work stops at the next good place, and goes on after the restart.
pub type Stop = CancellationToken;

/// What becomes of a job that went well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    Done,
    /// There is more to do then.
    At(Timestamp),
}

/// Asks for work as part of the transaction: it happens if and only if that commits. A pause after failures stays as it is, so
/// that new wishes do not press a receiver that is away.
pub fn ask<J: Job>(tx: &mut Tx, job: &J) -> Result<()> {
    let now = tx.now();
    ask_at(tx, job, now)
}

pub fn ask_at<J: Job>(tx: &mut Tx, job: &J, run_at: Timestamp) -> Result<()> {
    store::upsert(tx, J::KIND, key_of(job).as_deref(), &payload_of(job)?, run_at)?;
    tx.notify(WAKE_CHANNEL, J::KIND)
}

/// Like [`ask`], and a pause after failures ends: somebody wants it tried now.
pub fn ask_now<J: Job>(tx: &mut Tx, job: &J) -> Result<()> {
    ask(tx, job)?;
    key_of(job).map_or(Ok(()), |key| store::update_run_now_by_key(tx, &key))
}

/// Asks for work that a chore found wanting, unless it is there already: the chore will find it again.
pub fn ask_if_absent<J: Job>(tx: &mut Tx, job: &J) -> Result<()> {
    store::insert_if_absent(tx, J::KIND, key_of(job).as_deref(), &payload_of(job)?)?;
    tx.notify(WAKE_CHANNEL, J::KIND)
}

/// Has a chore done now, and then as often as ever. One that is under way is done once more.
pub fn hurry_chore<J: Job>(tx: &mut Tx) -> Result<()> {
    store::update_chore_now(tx, J::KIND)?;
    tx.notify(WAKE_CHANNEL, J::KIND)
}

fn key_of<J: Job>(job: &J) -> Option<String> {
    job.key().map(|key| format!("{}:{key}", J::KIND))
}

fn payload_of<J: Job>(job: &J) -> Result<String> {
    serde_json::to_string(job).map_err(Error::internal)
}

/// How much work there is in a lane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Backlog {
    pub lane: Lane,
    /// Jobs that wait for their time or for a worker.
    pub waiting: i64,
    pub running: i64,
    /// Jobs that failed and are tried again after a pause.
    pub failing: i64,
    /// Jobs whose last try failed, also while they are being tried again.
    #[serde(skip)]
    pub failed: i64,
    /// How often these were tried.
    #[serde(skip)]
    pub failed_tries: i64,
    /// How long the oldest job that is due has been waiting for a worker.
    pub lag_ms: i64,
}

impl Backlog {
    const fn empty(lane: Lane) -> Self {
        Self { lane, waiting: 0, running: 0, failing: 0, failed: 0, failed_tries: 0, lag_ms: 0 }
    }
}

/// Which jobs to list.
#[derive(Debug, Clone, Copy)]
pub struct JobFilter {
    pub lane: Option<Lane>,
    pub state: Option<JobState>,
    pub most: i64,
    pub offset: i64,
}

type Running = Pin<Box<dyn Future<Output = Result<Next>> + Send>>;
type Start = dyn Fn(&str, Stop) -> Result<Running> + Send + Sync;

/// A sort of work together with what it needs.
#[derive(Clone)]
pub struct BoundJob {
    kind: &'static str,
    lane: Lane,
    every_ms: Option<i64>,
    run: Arc<Start>,
}

pub fn bind<J: Job>(state: &J::State) -> BoundJob {
    let state = state.clone();
    let run = move |payload: &str, stop: Stop| -> Result<Running> {
        let job: J = serde_json::from_str(payload).map_err(Error::internal)?;
        Ok(Box::pin(job.run(state.clone(), stop)))
    };
    BoundJob { kind: J::KIND, lane: J::LANE, every_ms: J::EVERY_MS, run: Arc::new(run) }
}

/// Everything that runs outside a request.
#[derive(Clone)]
pub struct Jobs {
    core: Core,
    kinds: Arc<[BoundJob]>,
}

impl Jobs {
    pub fn new(core: &Core, kinds: Vec<BoundJob>) -> Self {
        Self { core: core.clone(), kinds: kinds.into() }
    }

    /// Sees to it that every chore is in the table, and that nothing waits for a process that is gone.
    pub async fn prepare(&self) -> Result<()> {
        // On SQLite there is one process: whoever held a lease before it started is gone.
        let is_alone = self.core.db.engine() == Engine::Sqlite;
        let kinds = self.kinds.clone();
        let prepare = move |tx: &mut Tx| {
            if is_alone {
                store::update_all_leases_ended(tx)?;
            }
            let mut chores = kinds.iter().filter(|kind| kind.every_ms.is_some());
            chores.try_for_each(|chore| {
                store::insert_if_absent(tx, chore.kind, Some(chore.kind), "null")
            })
        };
        self.core.db.write(prepare).await
    }

    /// How much work there is in each lane.
    pub fn backlog(&self, tx: &mut Tx) -> Result<Vec<Backlog>> {
        let mut lanes = Lane::ALL.map(Backlog::empty);
        let now = tx.now();
        for row in store::count_by_kind(tx)? {
            let Some(lane) = self.lane_of(&row.kind) else { continue };
            for backlog in lanes.iter_mut().filter(|backlog| backlog.lane == lane) {
                backlog.waiting += row.waiting;
                backlog.running += row.running;
                backlog.failing += row.failing;
                backlog.failed += row.failed;
                backlog.failed_tries += row.failed_tries;
                let lag_ms = row.oldest_run_at.map_or(0, |oldest| now.millis_since(oldest));
                backlog.lag_ms = backlog.lag_ms.max(lag_ms);
            }
        }
        Ok(lanes.to_vec())
    }

    pub fn list(&self, tx: &mut Tx, filter: &JobFilter) -> Result<(Vec<JobRow>, i64)> {
        let kinds = filter.lane.map(|lane| self.kinds_of(lane));
        store::list(tx, filter, kinds.as_deref())
    }

    /// The lane of a kind; none if it is another version's.
    pub fn lane_of(&self, kind: &str) -> Option<Lane> {
        self.find(kind).map(|kind| kind.lane)
    }

    /// Ends a job's pause. Answers what it is, if there is one.
    pub fn retry(&self, tx: &mut Tx, id: i64) -> Result<Option<String>> {
        let kind = store::update_run_now(tx, id)?;
        if let Some(kind) = &kind {
            tx.notify(WAKE_CHANNEL, kind)?;
        }
        Ok(kind)
    }

    /// Forgets a job. Chores stay: nobody would ask for them again. Answers what it was, if there was one.
    pub fn drop_job(&self, tx: &mut Tx, id: i64) -> Result<Option<String>> {
        let Some(kind) = store::find_kind(tx, id)? else { return Ok(None) };
        if self.find(&kind).is_some_and(|kind| kind.every_ms.is_some()) {
            return Err(Error::Conflict {
                code: "job_is_a_chore",
                message: text!(
                    "This job belongs to the service and comes again by itself; it cannot be dropped."
                ),
            });
        }
        store::delete(tx, id)?;
        Ok(Some(kind))
    }

    fn find(&self, kind: &str) -> Option<&BoundJob> {
        self.kinds.iter().find(|known| known.kind == kind)
    }

    /// The kinds of a lane, as a statement takes them.
    fn kinds_of(&self, lane: Lane) -> String {
        let kinds = self.kinds.iter().filter(|kind| kind.lane == lane);
        serde_json::json!(kinds.map(|kind| kind.kind).collect::<Vec<_>>()).to_string()
    }
}

/// How long to wait before attempt `attempt + 1`: doubling, bounded, and spread so that failures do not return in step.
pub fn pause_ms(lane: Lane, attempt: i64) -> i64 {
    spread_pause_ms(lane, attempt, random_below(1_000))
}

fn spread_pause_ms(lane: Lane, attempt: i64, spread: u64) -> i64 {
    let doublings = u32::try_from(attempt.clamp(1, 20) - 1).unwrap_or(0);
    let pause = FIRST_PAUSE_MS.saturating_mul(1_i64 << doublings).min(lane.longest_pause_ms());
    let jitter = i64::try_from(spread % 1_000).unwrap_or(0);
    pause / 2 + pause.saturating_mul(jitter) / 2_000
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_retry_waits_between_half_and_all_of_a_bounded_doubling_pause(
            attempt in 1_i64..1_000, spread: u64, lane in proptest::sample::select(&Lane::ALL[..]),
        ) {
            let full = (FIRST_PAUSE_MS << (attempt.min(20) - 1)).min(lane.longest_pause_ms());
            let pause = spread_pause_ms(lane, attempt, spread);
            prop_assert!((full / 2..=full).contains(&pause));
        }
    }
}
