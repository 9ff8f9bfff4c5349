//! The processes that run the service on one database.
//!
//! Owns: the `nodes` table.
//! Invariants: a process writes itself down every few seconds and takes itself off when it stops; one that was not seen for a minute is
//! not listed.
//! Never: decides anything by who else is there; leases and limits are in the database.

pub mod routes;
mod store;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use crate::extends_core;
use crate::platform::clock::{self, DAY_MS, MINUTE_MS, Timestamp};
use crate::platform::core::Core;
use crate::platform::db::{Engine, Tx};
use crate::platform::error::Result;
use crate::platform::keys;

pub use store::NodeRow;

/// With a server, others may want to know; an embedded database has one process, and a quiet one leaves the disk alone.
const SHARED_EVERY: Duration = Duration::from_secs(5);
const ALONE_EVERY: Duration = Duration::from_secs(15);
const GONE_AFTER_MS: i64 = MINUTE_MS;
const FORGOTTEN_AFTER_MS: i64 = DAY_MS;
/// Where the machine says what it is called.
const HOST_NAME_FILES: [&str; 2] = ["/proc/sys/kernel/hostname", "/etc/hostname"];

/// This process, as it writes itself down.
#[derive(Clone)]
pub struct Nodes {
    core: Core,
    this: Arc<ThisNode>,
}

struct ThisNode {
    id: String,
    host: String,
    started_at: Timestamp,
    lag_ms: AtomicI64,
}

extends_core!(Nodes);

impl Nodes {
    pub fn new(core: &Core) -> Self {
        let this = ThisNode {
            id: keys::hex(&clock::random_bytes::<8>()),
            host: host_name(),
            started_at: core.clock.now(),
            lag_ms: AtomicI64::new(0),
        };
        Self { core: core.clone(), this: Arc::new(this) }
    }

    /// Writes this process down until the service is to end, and takes it off then.
    pub async fn keep_seen(&self) {
        let every = match self.db.engine() {
            Engine::Sqlite => ALONE_EVERY,
            Engine::Postgres => SHARED_EVERY,
        };
        loop {
            self.be_seen().await;
            if self.stop.run_until_cancelled(tokio::time::sleep(every)).await.is_none() {
                break;
            }
        }
        let id = self.this.id.clone();
        if let Err(error) = self.db.write(move |tx| store::delete(tx, &id)).await {
            tracing::debug!(error = %error, "this node could not be taken off the list");
        }
    }

    /// A node that cannot write itself down is not seen, which is what others should know.
    async fn be_seen(&self) {
        let began = Instant::now();
        let (this, row) = (self.this.clone(), self.row());
        let write = move |tx: &mut Tx| {
            let now = tx.now();
            store::delete_before(tx, now.plus_ms(-FORGOTTEN_AFTER_MS))?;
            store::upsert(tx, &NodeRow { seen_at: now, ..row.clone() })
        };
        match self.db.write(write).await {
            Ok(()) => {
                let lag_ms = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX);
                this.lag_ms.store(lag_ms, Ordering::Relaxed);
            }
            Err(error) => tracing::debug!(error = %error, "this node could not be written down"),
        }
    }

    fn row(&self) -> NodeRow {
        NodeRow {
            id: self.this.id.clone(),
            host: self.this.host.clone(),
            pid: i64::from(std::process::id()),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            listen: self.config.listen.to_string(),
            started_at: self.this.started_at,
            seen_at: self.this.started_at,
            lag_ms: self.this.lag_ms.load(Ordering::Relaxed),
            clock_difference_ms: self.clock.difference_ms(),
        }
    }

    /// Those that are alive, the one that answers among them.
    pub async fn list(&self) -> Result<Vec<NodeRow>> {
        if !self.stop.is_cancelled() {
            self.be_seen().await;
        }
        let list =
            |tx: &mut Tx| store::list_seen_since(tx, tx.now().plus_ms(-GONE_AFTER_MS), MOST_LISTED);
        self.db.read(list).await
    }
}

const MOST_LISTED: i64 = 1_000;

fn host_name() -> String {
    let read = |file| std::fs::read_to_string(file).ok();
    let name = HOST_NAME_FILES.into_iter().find_map(read).unwrap_or_default();
    let name = name.trim();
    if name.is_empty() { "unknown".to_owned() } else { name.chars().take(253).collect() }
}
