//! Servers that repeat what the primary writes, for reads that may be a moment old.
//!
//! A read is answered from a replica only if its own snapshot shows the beat that is asked for, so neither a replica that lags nor one
//! of a server that is no longer the primary answers with what is too old. Whatever else goes wrong there, the primary is asked.

use std::any::type_name;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::beats::{Beats, EVERY, Look, READ, is_there};
use super::new_runtime;
use super::server::Server;
use super::start::{begin_snapshot, open_stream, statement_timeout};
use super::threads::ConnectionThread;
use crate::platform::clock::Clock;
use crate::platform::config::DatabaseConfig;
use crate::platform::db::meters::Meters;
use crate::platform::db::script::{Access, Queue};
use crate::platform::db::spawn;
use crate::platform::db::tx::Tx;
use crate::platform::error::{DatabaseError, DatabaseResult, Error, Result};

/// A replica that says nothing for so long is away, and who waits for it is sent to the primary.
const SILENCE: Duration = Duration::from_millis(500);
const RECONNECT_PAUSE: Duration = Duration::from_millis(250);

pub struct Replicas {
    all: Vec<Arc<Replica>>,
    /// Whose turn it is.
    turn: AtomicUsize,
    beats: Arc<Beats>,
    clock: Clock,
    stop: CancellationToken,
}

struct Replica {
    server: Arc<Server>,
    queue: Queue,
    /// The beat that it showed last; none while it is away.
    shown: watch::Sender<Option<i64>>,
}

impl Replicas {
    /// Starts the threads of all replicas, whether they can be reached or not, and one that looks after them and the count in the primary.
    pub fn start(
        primary: &Arc<Server>,
        config: &DatabaseConfig,
        clock: &Clock,
        meters: &Arc<Meters>,
        threads: &mut Vec<JoinHandle<()>>,
    ) -> DatabaseResult<Self> {
        let statement_timeout = statement_timeout(config);
        let mut all = Vec::new();
        for url in &config.replica_urls {
            let server = Arc::new(Server::of_replica(url, &config.tls_ca_file)?);
            let (queue, waiting) = Queue::bounded(config.queue_limit, Arc::clone(meters));
            let connected = Arc::new(AtomicUsize::new(0));
            for _ in 0..config.replica_connections {
                let thread = ConnectionThread {
                    server: Arc::clone(&server),
                    waiting: waiting.clone(),
                    clock: clock.clone(),
                    statement_timeout,
                    // Whoever only reads tells nothing.
                    outgoing: Arc::default(),
                    connected: Arc::clone(&connected),
                };
                threads.push(spawn("db-replica", move || thread.run(None))?);
            }
            all.push(Arc::new(Replica { server, queue, shown: watch::Sender::new(None) }));
        }
        let beats = Arc::new(Beats::new(Duration::from_millis(config.replica_max_age_ms)));
        let stop = CancellationToken::new();
        let keeping = Arc::clone(&beats).keep(Arc::clone(primary));
        let watching = all.iter().map(|replica| watch_over(Arc::clone(replica)));
        let all_of_it =
            futures_util::future::join(keeping, futures_util::future::join_all(watching));
        let (runtime, stopped) = (new_runtime()?, stop.clone());
        let run = move || drop(runtime.block_on(stopped.run_until_cancelled(all_of_it)));
        threads.push(spawn("db-beats", run)?);
        Ok(Self { all, turn: AtomicUsize::new(0), beats, clock: clock.clone(), stop })
    }

    pub fn close(&self) {
        self.stop.cancel();
        self.all.iter().for_each(|replica| replica.queue.close());
    }

    /// The beat from which a replica is young enough, if that is known.
    pub fn needed(&self) -> Option<i64> {
        self.beats.needed()
    }

    /// How old what a replica answers may be.
    pub fn max_age(&self) -> Duration {
        self.beats.max_age()
    }

    /// Runs a script that only reads on a replica that shows this beat. None if there is none, or it did not answer.
    pub async fn read<T, F>(&self, needed: i64, script: F) -> Option<Result<T>>
    where
        F: Fn(&mut Tx) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        let replica = self.choose(needed)?;
        let name = type_name::<F>;
        let script = move |tx: &mut Tx| {
            let is_there = is_there(tx.one(READ, &[])?, needed);
            if is_there { script(tx).map(Some) } else { Ok(None) }
        };
        let mut shown = replica.shown.subscribe();
        tokio::select! {
            biased;
            answer = replica.queue.run(Access::Read, name, script) => match answer {
                Ok(found) => found.map(Ok),
                // Sent on, a crowd that is too many for the replicas would be too many for the primary.
                Err(Error::Database(DatabaseError::Busy(text))) => Some(Err(DatabaseError::Busy(text).into())),
                Err(Error::Database(error)) => {
                    tracing::debug!(%error, "a replica did not answer");
                    None
                }
                Err(refusal) => Some(Err(refusal)),
            },
            _ = shown.wait_for(Option::is_none) => None,
        }
    }

    /// A connection whose snapshot shows this beat, for a stream. None if there is none to be had.
    pub fn open_stream(&self, needed: i64) -> Option<Tx> {
        let replica = self.choose(needed)?;
        let mut tx = open_stream(&replica.server, &self.clock).ok()?;
        begin_snapshot(&mut tx).ok()?;
        let shown: i64 = tx.one(READ, &[]).ok()?;
        is_there(shown, needed).then_some(tx)
    }

    fn choose(&self, needed: i64) -> Option<&Replica> {
        let first = self.turn.fetch_add(1, Ordering::Relaxed);
        let in_turn = (0..self.all.len()).map(|next| (first.wrapping_add(next)) % self.all.len());
        let mut in_turn = in_turn.filter_map(|number| self.all.get(number));
        in_turn
            .find(|replica| replica.shown.borrow().is_some_and(|shown| is_there(shown, needed)))
            .map(Arc::as_ref)
    }
}

impl Drop for Replicas {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Looks how far a replica shows the count, for as long as it is polled.
async fn watch_over(replica: Arc<Replica>) {
    loop {
        if let Err(error) = follow(&replica).await {
            tracing::debug!(%error, "a replica is away");
        }
        replica.shown.send_replace(None);
        tokio::time::sleep(RECONNECT_PAUSE).await;
    }
}

async fn follow(replica: &Replica) -> DatabaseResult<()> {
    let session = replica.server.connect(None).await?;
    let look = Look::prepare(&session.client).await?;
    loop {
        let silent = |_| DatabaseError::Lost("it says nothing".to_owned());
        let looking = tokio::time::timeout(SILENCE, look.at(&session.client));
        let shown = looking.await.map_err(silent)??;
        replica.shown.send_replace(Some(shown));
        tokio::time::sleep(EVERY).await;
    }
}
