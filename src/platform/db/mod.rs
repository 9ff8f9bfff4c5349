//! The database layer: one SQL text, two engines, synchronous transaction scripts.
//!
//! Owns: connections, transactions, migrations and notifications; SQLite for one node, PostgreSQL
//! for one or many. `db.write(|tx| ...)` runs a script in one transaction and is answered after its
//! commit; `db.read(|tx| ...)` runs one in a single snapshot; `db.lookup(|tx| ...)` finds a few rows by
//! their keys, without one; `db.stream` sends a long result in chunks; `db.read_aside` and `db.stream_aside` may be answered by a replica;
//! [`Shared`] grants many callers' wishes of one kind by one script. A script is a plain function of [`Tx`], so it cannot await, cannot be cancelled half-way and composes freely.
//!
//! Invariants: an answered write is durable. A script that returns an error, panics, or saw a
//! statement fail leaves nothing behind, and disturbs no other. A script may run more than once
//! before it is answered (two PostgreSQL transactions met), which is why it is `Fn`; only what it
//! did last counts. A script whose caller has gone before it began is not run. Queues are bounded,
//! and a server that is away is an error at once, not a wait.
//!
//! Never: names a dialect outside this folder, calls the network inside a transaction, retries a
//! commit whose outcome is unknown, or puts a row's values or the password into an error.

mod aside;
mod batches;
mod change_counter;
mod chunks;
mod meters;
mod migrations;
pub mod moving;
mod notices;
mod postgres;
mod row;
mod script;
mod shared;
mod sqlite;
#[cfg(test)]
mod tests;
mod tx;
mod value;

use std::any::type_name;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use tokio::sync::broadcast;
use tokio::sync::mpsc::UnboundedSender;

pub use self::change_counter::{ChangeCounter, ChangeCounters};
pub use self::chunks::{Chunks, Reader, Sink};
pub use self::notices::RESTARTED;
pub use self::row::{Columns, FromRow};
pub use self::shared::{Shared, Wish, all_by_position, by_position};
pub use self::sqlite::snapshot::{Snapshot, examine_file};
pub use self::tx::Tx;
pub use self::value::{
    ColumnType, FromColumn, SqlParam, SqlParams, ToColumn, Value, mismatch, param,
};
pub use crate::{
    db_column as column, db_enum_column as enum_column, db_params as params, db_row as row,
    db_text_column as text_column,
};

use self::aside::Aside;
use self::chunks::Streams;
use self::meters::Meters;
use self::migrations::{MIGRATIONS, Migration};
use self::notices::NoticeChannels;
use self::postgres::Replicas;
use self::script::{Access, Queue};
use self::sqlite::lookups::Lookups;
use crate::platform::clock::Clock;
use crate::platform::config::{Config, ConfigError, DatabaseConfig, Environment};
use crate::platform::error::{DatabaseError, DatabaseResult, Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// A handle to the database; clones share its threads, which end when the last one is dropped.
#[derive(Clone)]
pub struct Db {
    inner: Arc<Inner>,
    /// Only where there are replicas to read from.
    aside: Option<Arc<Aside>>,
}

struct Inner {
    engine: Engine,
    writes: Arc<Queue>,
    /// On PostgreSQL the queue of writes: any thread takes both kinds.
    reads: Arc<Queue>,
    /// Only on SQLite, where a few rows are found before another thread has begun.
    lookups: Option<Lookups>,
    streams: Streams,
    replicas: Option<Arc<Replicas>>,
    meters: Arc<Meters>,
    /// Scripts, and wishes of a kind, that may wait.
    queue_limit: usize,
    channels: Arc<NoticeChannels>,
    /// Only on PostgreSQL, until it is closed: the channels that its listener is to listen to as well.
    new_channels: Mutex<Option<UnboundedSender<&'static str>>>,
    /// Also only on PostgreSQL: the thread that listens, and tells the last of what the others committed.
    listener: Mutex<Option<JoinHandle<()>>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Db {
    /// Opens the database at `sqlite:PATH` or `postgres://user:password@host/database?sslmode=require` and starts its threads; says
    /// at once if it cannot be reached.
    pub async fn open(url: &str, config: &DatabaseConfig, clock: Clock) -> Result<Self> {
        let (url, config) = (url.to_owned(), config.clone());
        // Opening waits for the disk or the network, and runtimes are started on the way.
        let started = tokio::task::spawn_blocking(move || start(&url, &config, &clock)).await;
        let inner = Arc::new(started.map_err(|_| DatabaseError::Panicked)??);
        let replicas = inner.replicas.clone();
        let primary = Self { inner, aside: None };
        let aside = replicas.map(|replicas| Arc::new(Aside::new(&primary, replicas)));
        Ok(Self { aside, ..primary })
    }

    /// Brings the schema up to date and names what was applied. Nodes that do so at once take turns.
    pub async fn migrate(&self) -> Result<Vec<String>> {
        self.read(moving::refuse).await?;
        self.migrate_with(MIGRATIONS).await
    }

    async fn migrate_with(&self, known: &'static [Migration]) -> Result<Vec<String>> {
        let mut applied = Vec::new();
        // Each in a transaction of its own, so that one that fails keeps those before it.
        while let Some(name) = self.write(|tx| migrations::apply_next(tx, known)).await? {
            tracing::debug!(name, "migration applied");
            applied.push(name);
        }
        if self.engine() == Engine::Sqlite {
            // From now on writes are short, and SQLite keeps what undoes one in memory: a temporary file, which it takes from 64 KiB on, needs a
            // descriptor at a moment when none may be left. A migration may change more than there is memory.
            self.write(|tx| Ok(tx.batch("PRAGMA temp_store = MEMORY")?)).await?;
        }
        Ok(applied)
    }

    /// Runs a script that only reads, in one snapshot: all its statements see the same moment.
    pub async fn read<T, F>(&self, script: F) -> Result<T>
    where
        F: Fn(&mut Tx) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.inner.reads.run(Access::Read, type_name::<F>, script).await
    }

    /// Runs a script that finds a few rows by their keys. There is no transaction around it: **each statement sees its own moment**, so
    /// what must agree with each other is read with [`Db::read`]. On SQLite it runs on the thread of the caller, who waits for nothing
    /// but the file's pages.
    pub async fn lookup<T, F>(&self, script: F) -> Result<T>
    where
        F: Fn(&mut Tx) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.lookup_as(type_name::<F>, script).await
    }

    /// Runs a script that only reads, for a user, in one snapshot. Where there are replicas, one of them answers: what others did may be missing
    /// for as long as `database.replica_max_age_ms`, what the user did themselves is not.
    pub async fn read_aside<T, F>(&self, user: i64, script: F) -> Result<T>
    where
        F: Fn(&mut Tx) -> Result<T> + Clone + Send + 'static,
        T: Send + 'static,
    {
        if let Some(aside) = &self.aside
            && let Some(needed) = aside.needed(user).await
            && let Some(answer) = aside.replicas.read(needed, script.clone()).await
        {
            Meters::read_aside(true);
            return answer;
        }
        if self.reads_aside() {
            Meters::read_aside(false);
        }
        self.read(script).await
    }

    /// Whether there are replicas to read from.
    pub fn reads_aside(&self) -> bool {
        self.aside.is_some()
    }

    /// Sees to it that a user whose change was committed reads it from now on, on every node. Without replicas there is nothing to do.
    pub async fn wrote(&self, user: i64) {
        if let Some(aside) = &self.aside {
            aside.wrote(user).await;
        }
    }

    /// Runs a script in one transaction and answers after its commit.
    pub async fn write<T, F>(&self, script: F) -> Result<T>
    where
        F: Fn(&mut Tx) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.write_as(type_name::<F>, script).await
    }

    /// The same, under another name than the script's own in traces.
    async fn write_as<T, F>(&self, name: fn() -> &'static str, script: F) -> Result<T>
    where
        F: Fn(&mut Tx) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.inner.writes.run(Access::Write, name, script).await
    }

    async fn lookup_as<T, F>(&self, name: fn() -> &'static str, script: F) -> Result<T>
    where
        F: Fn(&mut Tx) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        let here = |lookups: &Lookups| Access::Lookup.span(name).in_scope(|| lookups.run(&script));
        match self.inner.lookups.as_ref().and_then(here) {
            Some(returned) => returned,
            None => self.inner.reads.run(Access::Lookup, name, script).await,
        }
    }

    /// Runs a script that only reads and sends what it finds in chunks, at the reader's pace.
    ///
    /// Dropping the [`Chunks`] ends the script at its next chunk; so does taking nothing for 30
    /// seconds, or two minutes in all. One reader has a share of the streams only: beyond it they wait, and
    /// beyond what may wait they are refused.
    pub fn stream<F>(&self, reader: Reader, script: F) -> Result<Chunks>
    where
        F: FnOnce(&mut Tx, &mut Sink) -> Result<()> + Send + 'static,
    {
        self.inner.streams.start(reader, None, Box::new(script))
    }

    /// The same from a replica, if the reader is a user and there is one, as by [`Db::read_aside`].
    pub async fn stream_aside<F>(&self, reader: Reader, script: F) -> Result<Chunks>
    where
        F: FnOnce(&mut Tx, &mut Sink) -> Result<()> + Send + 'static,
    {
        let needed = match (&self.aside, reader.user) {
            (Some(aside), Some(user)) => aside.needed(user).await,
            _ => None,
        };
        self.inner.streams.start(reader, needed, Box::new(script))
    }

    /// Whether reads work and writes are taken.
    pub async fn ping(&self) -> Result<()> {
        // A file that was moved away is still read, and takes nothing.
        self.read(moving::refuse).await?;
        // Without a change in it, its commit does not touch the disk; a standby does not let it begin.
        self.write(|tx| tx.one::<i64>("SELECT 1", &[])).await.map(drop)
    }

    /// Whether the file of an embedded database is whole; a server looks after its own.
    pub async fn examine(&self) -> Result<()> {
        if self.engine() == Engine::Sqlite {
            let found: String = self.read(|tx| tx.one("PRAGMA quick_check(1)", &[])).await?;
            if found != "ok" {
                let text = format!("it is damaged ({found}): restore it from a backup");
                return Err(Error::internal(text));
            }
        }
        Ok(())
    }

    /// Compares this node's clock with the server's, which all nodes share. An embedded database has none of its own.
    pub async fn compare_clock(&self) -> Result<()> {
        match self.engine() {
            Engine::Sqlite => Ok(()),
            Engine::Postgres => self.lookup(Tx::compare_clock).await,
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
        let (receiver, is_new) = self.inner.channels.listen(channel);
        let new_channels = self.inner.new_channels.lock().unwrap_or_else(PoisonError::into_inner);
        if is_new && let Some(new_channels) = &*new_channels {
            // The listener ends before this only if it could not be started, and says so.
            let _ = new_channels.send(channel);
        }
        receiver
    }
}

impl Inner {
    fn queue_of(&self, access: Access) -> &Queue {
        if access == Access::Write { &self.writes } else { &self.reads }
    }

    /// Blocks until the threads have ended.
    fn close(&self) {
        self.writes.close();
        self.reads.close();
        self.streams.close();
        self.replicas.iter().for_each(|replicas| replicas.close());
        self.lookups.iter().for_each(Lookups::close);
        let mut threads =
            std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads.drain(..) {
            // A thread that panicked has been reported by the panic itself.
            drop(thread.join());
        }
        self.new_channels.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = self.listener.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // A thread that panicked has been reported by the panic itself.
            drop(thread.join());
        }
    }
}

/// The file of an embedded database.
pub fn embedded_file(url: &str) -> Option<PathBuf> {
    url.strip_prefix("sqlite:").map(PathBuf::from)
}

/// Whether the database can be opened with these settings, as far as that is known without opening it.
pub fn check(config: &Config) -> std::result::Result<(), ConfigError> {
    let url = config.database_url();
    if url.starts_with("sqlite:") {
        return Ok(());
    }
    let replicas = config.database.replica_urls.iter().map(|url| ("database.replica_urls", url));
    for (name, url) in std::iter::once(("database_url", &url)).chain(replicas) {
        let is_private = postgres::is_private(url)
            .map_err(|error| ConfigError::new(format!("{name} is wrong: {error}.")))?;
        if config.environment == Environment::Production && !is_private {
            return Err(ConfigError::new(format!(
                "{name} must have sslmode=require in production, or name a PostgreSQL server on this machine."
            )));
        }
    }
    Ok(())
}

fn start(url: &str, config: &DatabaseConfig, clock: &Clock) -> DatabaseResult<Inner> {
    if let Some(path) = url.strip_prefix("sqlite:") {
        return sqlite::start(Path::new(path), config, clock);
    }
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        return postgres::start(url, config, clock);
    }
    // Whatever it is, it may hold a password.
    Err(DatabaseError::Setup(
        "the database URL must begin with sqlite: or postgres://, as in \
         sqlite:data/touchline.db or postgres://user@host/database"
            .to_owned(),
    ))
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> DatabaseResult<JoinHandle<()>> {
    thread::Builder::new().name(name.to_owned()).spawn(run).map_err(|error| {
        DatabaseError::Setup(format!("the thread {name} cannot be started: {error}"))
    })
}
