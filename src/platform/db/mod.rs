//! The database layer: one SQL text, two engines, synchronous transaction scripts.
//!
//! Owns: connections, transactions, migrations and notifications; SQLite for one node, PostgreSQL
//! for one or many. `db.write(|tx| ...)` runs a script in one transaction and is answered after its
//! commit; `db.read(|tx| ...)` runs one in a single snapshot; `db.lookup(|tx| ...)` finds a few rows by
//! their keys, without one; `db.stream` sends a long result in chunks. A script is a plain function of
//! [`Tx`], so it cannot await, cannot be cancelled half-way and composes freely.
//!
//! Invariants: an answered write is durable. A script that returns an error, panics, or saw a
//! statement fail leaves nothing behind, and disturbs no other. A script may run more than once
//! before it is answered (two PostgreSQL transactions met), which is why it is `Fn`; only what it
//! did last counts. Queues are bounded, and a server that is away is an error at once, not a wait.
//!
//! Never: names a dialect outside this folder, calls the network inside a transaction, retries a
//! commit whose outcome is unknown, or puts a row's values or the password into an error.

mod change_counter;
mod chunks;
mod meters;
mod migrations;
mod notices;
mod postgres;
mod row;
mod script;
mod sqlite;
mod start;
#[cfg(test)]
mod tests;
mod tx;
mod value;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::broadcast;

pub use self::change_counter::{ChangeCounter, ChangeCounters};
pub use self::chunks::{Chunks, Sink};
pub use self::notices::RESTARTED;
pub use self::row::{Columns, FromRow};
pub use self::tx::Tx;
pub use self::value::{
    ColumnType, FromColumn, SqlParam, SqlParams, ToColumn, Value, mismatch, param,
};
pub use crate::{
    db_column as column, db_enum_column as enum_column, db_params as params, db_row as row,
    db_text_column as text_column,
};

use self::migrations::{MIGRATIONS, Migration};
use self::script::Access;
use self::start::Inner;
use crate::platform::clock::Clock;
use crate::platform::error::{DatabaseError, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

#[derive(Clone)]
pub struct Settings {
    /// `sqlite:PATH` or `postgres://user:password@host/database?sslmode=require`.
    pub url: String,
    pub sqlite_readers: usize,
    pub postgres_connections: usize,
    /// How long one statement may take, on either engine (0: for ever); streams are exempt.
    pub statement_timeout_ms: u64,
    /// How many scripts may share a commit on SQLite.
    pub group_limit: usize,
    /// How many scripts may wait; one more is refused as busy.
    pub queue_limit: usize,
    /// The certificate authority of the PostgreSQL server; the platform's, if not given.
    pub tls_ca_file: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            url: "sqlite:data/touchline.db".to_owned(),
            sqlite_readers: cores.clamp(2, 8),
            postgres_connections: 12,
            statement_timeout_ms: 10_000,
            group_limit: 256,
            queue_limit: 4096,
            tls_ca_file: None,
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the URL: it may hold a password.
        f.debug_struct("Settings")
            .field("sqlite_readers", &self.sqlite_readers)
            .field("postgres_connections", &self.postgres_connections)
            .field("statement_timeout_ms", &self.statement_timeout_ms)
            .field("group_limit", &self.group_limit)
            .field("queue_limit", &self.queue_limit)
            .field("tls_ca_file", &self.tls_ca_file)
            .finish_non_exhaustive()
    }
}

/// A handle to the database; clones share its threads, which end when the last one is dropped.
#[derive(Clone)]
pub struct Db {
    inner: Arc<Inner>,
}

impl Db {
    /// Opens the database and starts its threads; says at once if it cannot be reached.
    pub async fn open(settings: &Settings, clock: Clock) -> Result<Self> {
        let settings = settings.clone();
        // Opening waits for the disk or the network, and runtimes are started on the way.
        let started = tokio::task::spawn_blocking(move || Inner::start(&settings, &clock)).await;
        let inner = started.map_err(|_| DatabaseError::Panicked)??;
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Brings the schema up to date and names what was applied. Nodes that do so at once take turns.
    pub async fn migrate(&self) -> Result<Vec<String>> {
        self.migrate_with(MIGRATIONS).await
    }

    async fn migrate_with(&self, known: &'static [Migration]) -> Result<Vec<String>> {
        let mut applied = Vec::new();
        // Each in a transaction of its own, so that one that fails keeps those before it.
        while let Some(name) = self.write(|tx| migrations::apply_next(tx, known)).await? {
            tracing::info!(name, "migration applied");
            applied.push(name);
        }
        Ok(applied)
    }

    /// Runs a script that only reads, in one snapshot: all its statements see the same moment.
    pub async fn read<T, F>(&self, script: F) -> Result<T>
    where
        F: Fn(&mut Tx) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.inner.reads.run(Access::Read, script).await
    }

    /// Runs a script that finds a few rows by their keys. On PostgreSQL there is no transaction around it: **each statement sees
    /// its own moment**, so what must agree with each other is read with [`Db::read`]. On SQLite it runs on the thread of the
    /// caller, who waits for nothing but the file's pages.
    pub async fn lookup<T, F>(&self, script: F) -> Result<T>
    where
        F: Fn(&mut Tx) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        match self.inner.lookups.as_ref().and_then(|lookups| lookups.run(&script)) {
            Some(returned) => returned,
            None => self.inner.reads.run(Access::Lookup, script).await,
        }
    }

    /// Runs a script in one transaction and answers after its commit.
    pub async fn write<T, F>(&self, script: F) -> Result<T>
    where
        F: Fn(&mut Tx) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.inner.writes.run(Access::Write, script).await
    }

    /// Runs a script that only reads and sends what it finds in chunks, at the reader's pace.
    ///
    /// Dropping the [`Chunks`] ends the script at its next chunk; so does taking nothing for 30
    /// seconds, or two minutes in all.
    pub fn stream<F>(&self, script: F) -> Chunks
    where
        F: FnOnce(&mut Tx, &mut Sink) -> Result<()> + Send + 'static,
    {
        self.inner.streams.start(Box::new(script))
    }

    /// Whether reads work and the writer is alive.
    pub async fn ping(&self) -> Result<()> {
        self.read(|tx| tx.one::<i64>("SELECT 1", &[])).await?;
        match self.engine() {
            // Without a change in it, its commit does not touch the disk.
            Engine::Sqlite => self.write(|tx| tx.one::<i64>("SELECT 1", &[])).await.map(drop),
            // The same connections serve both.
            Engine::Postgres => Ok(()),
        }
    }

    pub fn engine(&self) -> Engine {
        self.inner.engine
    }

    /// Takes no more scripts, finishes those that wait, and ends the threads.
    pub async fn close(&self) {
        let inner = Arc::clone(&self.inner);
        if tokio::task::spawn_blocking(move || inner.close()).await.is_err() {
            tracing::error!("closing the database layer panicked");
        }
    }

    /// What [`Tx::notify`] sends to `channel` from now on, on any node; see [`RESTARTED`].
    pub fn listen(&self, channel: &'static str) -> broadcast::Receiver<String> {
        self.inner.listen(channel)
    }
}
