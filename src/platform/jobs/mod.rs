//! Work done outside a request: the outbox and the recurring chores.
//!
//! Owns: the `jobs` table, leases, retries and the loop that runs due work on every node.
//! Invariants: a job is written by the transaction that needs it, so it exists exactly if its cause does; it runs at least once,
//! and a second time only if its node died or failed, so handlers are idempotent; two nodes never hold one lease.
//! Never: runs inside a database transaction, so a handler may call the network.

mod store;
mod worker;

use std::pin::Pin;
use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::clock::{MINUTE_MS, SECOND_MS, Timestamp};
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};

/// The channel on which nodes tell each other of new work.
pub const WAKE_CHANNEL: &str = "jobs";
const FIRST_RETRY_MS: i64 = SECOND_MS;
const LONGEST_RETRY_MS: i64 = 10 * MINUTE_MS;

/// A job in hand.
#[derive(Debug, Clone)]
pub struct Job {
    pub id: i64,
    pub payload: serde_json::Value,
    pub attempt: i64,
}

/// What becomes of a job that went well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    Done,
    /// Run again then, with the attempts forgotten.
    At(Timestamp),
}

pub type Running = Pin<Box<dyn Future<Output = Result<Next>> + Send>>;

/// A sort of work: its name in the table and the code that does it, given the state that it needs.
pub struct JobKind<S> {
    pub name: &'static str,
    /// A chore that is always scheduled, once for all nodes, this often.
    pub every_ms: Option<i64>,
    pub run: fn(S, Job) -> Running,
}

impl<S: Clone + Send + Sync + 'static> JobKind<S> {
    /// The work together with its state.
    pub fn bind(&self, state: &S) -> BoundJob {
        let (run, state) = (self.run, state.clone());
        BoundJob {
            name: self.name,
            every_ms: self.every_ms,
            run: Arc::new(move |job| run(state.clone(), job)),
        }
    }
}

/// A sort of work that is ready to run.
#[derive(Clone)]
pub struct BoundJob {
    name: &'static str,
    every_ms: Option<i64>,
    run: Arc<dyn Fn(Job) -> Running + Send + Sync>,
}

/// Everything that runs outside a request.
#[derive(Clone)]
pub struct Jobs {
    core: Core,
    kinds: Arc<[BoundJob]>,
}

/// Asks for work as part of the transaction; it happens if and only if that commits.
pub fn enqueue(
    tx: &mut Tx,
    kind: &'static str,
    payload: &serde_json::Value,
    run_at: Timestamp,
) -> Result<()> {
    store::insert(tx, kind, None, &payload.to_string(), run_at)?;
    tx.notify(WAKE_CHANNEL, kind)
}

/// Like [`enqueue`], but work already waiting under this key is not asked for twice.
pub fn enqueue_once(
    tx: &mut Tx,
    kind: &'static str,
    key: &str,
    payload: &serde_json::Value,
    run_at: Timestamp,
) -> Result<()> {
    store::insert(tx, kind, Some(key), &payload.to_string(), run_at)?;
    tx.notify(WAKE_CHANNEL, kind)
}

/// How much work waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Backlog {
    /// Jobs that wait for their time or for a worker.
    pub ready: i64,
    /// Jobs that were given up and want somebody to look.
    pub dead: i64,
    /// How long the oldest job that is due has been waiting.
    pub lag_ms: i64,
}

pub fn backlog(tx: &mut Tx) -> Result<Backlog> {
    let row = store::backlog(tx)?;
    let lag_ms = row.oldest_run_at.map_or(0, |oldest| tx.now().millis_since(oldest).max(0));
    Ok(Backlog { ready: row.ready, dead: row.dead, lag_ms })
}

impl Jobs {
    pub fn new(core: &Core, kinds: Vec<BoundJob>) -> Self {
        Self { core: core.clone(), kinds: kinds.into() }
    }

    /// Sees to it that every recurring chore is in the table.
    pub async fn schedule_chores(&self) -> Result<()> {
        let kinds = self.kinds.clone();
        let schedule = move |tx: &mut Tx| {
            let now = tx.now();
            for kind in kinds.iter().filter(|kind| kind.every_ms.is_some()) {
                store::insert(tx, kind.name, Some(kind.name), "null", now)?;
            }
            Ok(())
        };
        self.core.db.write(schedule).await
    }
}

/// How long to wait before attempt `attempt + 1`: doubling, bounded, and spread so that failures do not return in step.
fn retry_delay_ms(attempt: i64, spread: u64) -> i64 {
    let doublings = u32::try_from(attempt.clamp(1, 20) - 1).unwrap_or(0);
    let delay = FIRST_RETRY_MS.saturating_mul(1_i64 << doublings).min(LONGEST_RETRY_MS);
    let jitter = i64::try_from(spread % 1_000).unwrap_or(0);
    delay / 2 + delay.saturating_mul(jitter) / 2_000
}

fn unknown_kind(kind: &str) -> Error {
    Error::internal(format!("no code runs jobs of the kind {kind}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_retry_waits_between_half_and_all_of_a_bounded_doubling_delay(
            attempt in 1_i64..1_000, spread: u64,
        ) {
            let full = (FIRST_RETRY_MS << (attempt.min(20) - 1)).min(LONGEST_RETRY_MS);
            let delay = retry_delay_ms(attempt, spread);
            prop_assert!((full / 2..=full).contains(&delay));
        }
    }
}
