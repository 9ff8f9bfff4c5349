//! The threads around PostgreSQL: each has a connection, takes any script that waits, and gets a
//! new connection when its own is lost.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, TryRecvError};

use super::new_runtime;
use super::server::Server;
use crate::platform::clock::{Clock, random_below};
use crate::platform::db::notices::Outgoing;
use crate::platform::db::script::{Access, QueuedScript, Waiting};
use crate::platform::db::tx::{Connection, Tx};
use crate::platform::error::{DatabaseError, DatabaseResult};

/// How often a script that met another transaction is run again.
const RERUNS: u32 = 3;
const SHORTEST_BACK_OFF: Duration = Duration::from_millis(25);
/// The pool is whole again within this time, and one connection, of the server's return.
const LONGEST_BACK_OFF: Duration = Duration::from_millis(250);
/// A connection that takes longer than this counts as a server that is away.
const PATIENCE: Duration = Duration::from_millis(250);
const DRAIN_EVERY: Duration = Duration::from_millis(5);

pub struct ConnectionThread {
    pub server: Arc<Server>,
    pub waiting: Waiting,
    pub clock: Clock,
    pub statement_timeout: Option<Duration>,
    /// Where what scripts tell other nodes is sent from, after their commit.
    pub outgoing: Arc<Outgoing>,
    /// How many threads have a connection. While none has, whatever waits is answered at once.
    pub connected: Arc<AtomicUsize>,
}

impl ConnectionThread {
    /// Ends when the queue is closed and empty.
    pub fn run(self, first: Option<super::PostgresConnection>) {
        let mut tx = first.map(|connection| self.adopt(connection));
        let mut back_off = SHORTEST_BACK_OFF;
        loop {
            let Some(connected) = tx.as_mut() else {
                match self.connect() {
                    Ok(connected) => {
                        tx = Some(connected);
                        back_off = SHORTEST_BACK_OFF;
                    }
                    Err(error) => {
                        tracing::debug!(%error, "PostgreSQL cannot be reached");
                        if self.refuse_for(jittered(back_off), &error).is_break() {
                            return;
                        }
                        back_off = (back_off * 2).min(LONGEST_BACK_OFF);
                    }
                }
                continue;
            };
            let Some(script) = self.next(connected) else { break };
            if usable(connected) {
                self.serve_all(connected, script);
            } else {
                // Closed while it was idle: nothing has happened yet, so this is not an error.
                self.abandon(&mut tx);
                match self.connect() {
                    Ok(mut fresh) => {
                        self.serve_all(&mut fresh, script);
                        tx = Some(fresh);
                    }
                    Err(error) => script.answer(Err(error)),
                }
            }
            if tx.as_mut().is_some_and(|tx| !usable(tx)) {
                self.abandon(&mut tx);
            }
        }
        self.abandon(&mut tx);
    }

    /// Serves a script and what follows it, unless others wait for a connection.
    fn serve_all(&self, tx: &mut Tx, script: QueuedScript) {
        let mut next = self.serve(tx, script);
        while let Some(script) = next.take() {
            if usable(tx) && self.waiting.is_empty() {
                next = self.serve(tx, script);
            } else {
                script.requeue();
            }
        }
    }

    /// Runs a script, again if it met another one, and answers it; gives what is to follow it.
    fn serve(&self, tx: &mut Tx, mut script: QueuedScript) -> Option<QueuedScript> {
        for rerun in 0..=RERUNS {
            let keep = script.run(tx);
            let met_another = match tx.failure() {
                Some(DatabaseError::Serialization(_)) => true,
                // A script looks before it inserts: what is present now came in between, and the second look finds it.
                Some(DatabaseError::Unique { .. }) => rerun == 0,
                _ => false,
            };
            let ended = end(tx, script.access(), keep);
            let notices = tx.take_notices();
            if ended.is_ok() && keep && !notices.is_empty() {
                self.outgoing.add(notices);
            }
            // Also if it failed: a commit may have happened although it says that it did not.
            let changed = tx.take_changes();
            for changed in &changed {
                changed.add();
            }
            let wait = changed.iter().map(|changed| changed.kept_elsewhere()).max();
            let met_another = met_another || matches!(ended, Err(DatabaseError::Serialization(_)));
            if !met_another || rerun == RERUNS {
                return script.answer_and_go_on(ended, wait.unwrap_or_default());
            }
            thread::sleep(jittered(Duration::from_millis(4 << rerun)));
        }
        None
    }

    fn adopt(&self, connection: super::PostgresConnection) -> Tx {
        self.connected.fetch_add(1, Ordering::SeqCst);
        Tx::new(Connection::Postgres(Box::new(connection)), self.clock.clone())
    }

    fn abandon(&self, tx: &mut Option<Tx>) {
        if tx.take().is_some() {
            self.connected.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// The next script; before waiting for one, the last read's transaction is ended.
    fn next(&self, tx: &mut Tx) -> Option<QueuedScript> {
        match self.waiting.try_next() {
            Ok(script) => Some(script),
            Err(TryRecvError::Disconnected) => None,
            Err(TryRecvError::Empty) => {
                let connection = tx.postgres().ok()?;
                connection.settle();
                let script = self.waiting.next();
                connection.look();
                script
            }
        }
    }

    /// While the attempt lasts and nobody is connected, whoever waits is answered, not kept.
    fn connect(&self) -> DatabaseResult<Tx> {
        let runtime = new_runtime()?;
        let limit = self.statement_timeout;
        let session = runtime.block_on(async {
            let mut connecting = Box::pin(self.server.connect(limit));
            let mut patience = PATIENCE;
            loop {
                match tokio::time::timeout(patience, &mut connecting).await {
                    Ok(connected) => return connected,
                    Err(_) => self.refuse_waiting(&DatabaseError::Lost("connecting".to_owned())),
                }
                patience = DRAIN_EVERY;
            }
        })?;
        Ok(self.adopt(super::PostgresConnection::new(runtime, session, limit)))
    }

    fn nobody_is_connected(&self) -> bool {
        self.connected.load(Ordering::SeqCst) == 0
    }

    fn refuse_waiting(&self, error: &DatabaseError) {
        while self.nobody_is_connected() {
            let Ok(script) = self.waiting.try_next() else { return };
            script.answer(Err(error.clone()));
        }
    }

    /// Lets time pass before the next attempt; until then whoever comes hears at once. Breaks off when the queue is closed.
    fn refuse_for(&self, pause: Duration, error: &DatabaseError) -> ControlFlow<()> {
        let until = Instant::now() + pause;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return ControlFlow::Continue(());
            }
            if !self.nobody_is_connected() {
                // The others take what waits.
                thread::sleep(left);
                return ControlFlow::Continue(());
            }
            match self.waiting.next_within(left.min(DRAIN_EVERY)) {
                Ok(script) => script.answer(Err(error.clone())),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return ControlFlow::Break(()),
            }
        }
    }
}

/// Between half of it and the whole.
fn jittered(pause: Duration) -> Duration {
    let half = pause / 2;
    half + Duration::from_micros(random_below(u64::try_from(half.as_micros()).unwrap_or(0)))
}

fn usable(tx: &mut Tx) -> bool {
    tx.postgres().is_ok_and(|connection| connection.is_usable())
}

/// Ends a script's transaction, if it has one; what it did counts only if it is a write that is to be kept.
fn end(tx: &mut Tx, access: Access, keep: bool) -> DatabaseResult<()> {
    let connection = tx.postgres()?;
    match access {
        Access::Lookup | Access::Read => connection.end_read(),
        Access::Write if !keep => connection.rollback(),
        Access::Write => {
            return connection.commit().map_err(|error| match error {
                // This leaves open whether the commit happened, so it is never tried again here.
                DatabaseError::Lost(text) => DatabaseError::CommitFailed(text),
                other => other,
            });
        }
    }
    Ok(())
}
