//! The operators' stream: what happens, for whoever watches over it.
//!
//! Owns: what operators are told live, and the one look a second at it that all who listen on this node share.
//! Invariants: a listener is told every announcement of a match, once and in order, or that it missed too much; the rest it is told as it
//! stands; nobody listens longer than their token opens; a node that nobody listens to reads nothing. Of two rows of the audit log that are
//! written in the same instant it may be told of one: the log itself is what is complete.
//! Never: changes anything, or tells a phone number, a code or a message.

mod figures;
mod listener;
pub mod routes;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::extends_core;
use crate::features::events;
use crate::features::stream::LiveStream;
use crate::features::{chat, operators};
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::jobs::Jobs;

use figures::{Figures, Pace};

/// How often everything is looked at while somebody listens.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Consoles on one node.
const MOST_LISTENERS: usize = 50;
const RETRY_S: u64 = 30;

/// How everything stands, as it was last looked at.
#[derive(Debug, Clone, Default)]
struct Standing {
    /// The newest announcement and row of the audit log.
    newest: Position,
    /// How many reports are open, and the newest of them.
    reports: (i64, Option<i64>),
    failing_jobs: Failing,
    figures: Figures,
}

/// How jobs fail: no two states of one differ in nothing here, so that whoever saw one of them is told of the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Failing {
    /// Those that wait for their next try.
    jobs: i64,
    /// Those and the ones that are being tried again.
    failed: i64,
    /// How often these were tried.
    tries: i64,
}

/// Up to where a listener was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Position {
    matches: i64,
    audit: i64,
}

/// The operators' stream of this node.
#[derive(Clone)]
pub struct DeskStream {
    core: Core,
    fans: LiveStream,
    standing: Arc<watch::Sender<Standing>>,
    places: Arc<Semaphore>,
}

extends_core!(DeskStream);

impl DeskStream {
    pub fn new(core: &Core, fans: &LiveStream) -> Self {
        Self {
            core: core.clone(),
            fans: fans.clone(),
            standing: Arc::new(watch::Sender::new(Standing::default())),
            places: Arc::new(Semaphore::new(MOST_LISTENERS)),
        }
    }

    fn admit(&self) -> Result<OwnedSemaphorePermit> {
        let full = |_| Error::Unavailable { code: "too_many_consoles", retry_after_s: RETRY_S };
        self.places.clone().try_acquire_owned().map_err(full)
    }

    /// How many consoles listen on this node.
    pub fn listening(&self) -> usize {
        MOST_LISTENERS.saturating_sub(self.places.available_permits())
    }

    /// Looks at everything once a second while somebody listens, until the service is to end.
    pub async fn follow(&self, jobs: &Jobs) {
        let mut pace = Pace::default();
        loop {
            if self.standing.receiver_count() > 0 {
                match self.look(jobs, &mut pace).await {
                    // Told each time: a few consoles look whether it is news to them.
                    Ok(standing) => drop(self.standing.send_replace(standing)),
                    Err(error) => {
                        tracing::debug!(error = %error, "operators could not be told how things stand");
                    }
                }
            }
            if self.stop.run_until_cancelled(tokio::time::sleep(LOOK_EVERY)).await.is_none() {
                return;
            }
        }
    }

    async fn look(&self, jobs: &Jobs, pace: &mut Pace) -> Result<Standing> {
        let jobs = jobs.clone();
        let read = move |tx: &mut Tx| {
            let (matches, _) = events::kept_ids(tx)?;
            let newest = Position { matches, audit: operators::newest_audit(tx)? };
            Ok((newest, chat::open_reports(tx)?, jobs.backlog(tx)?, figures::read(tx)?))
        };
        let (newest, reports, backlog, counted) = self.db.read(read).await?;
        let failing_jobs = backlog.iter().fold(Failing::default(), |sum, lane| Failing {
            jobs: sum.jobs + lane.failing,
            failed: sum.failed + lane.failed,
            tries: sum.tries + lane.failed_tries,
        });
        let lag_ms = backlog.iter().map(|lane| lane.lag_ms).max().unwrap_or(0);
        let figures = pace.figures(counted, lag_ms, self.fans.listening());
        Ok(Standing { newest, reports, failing_jobs, figures })
    }
}
