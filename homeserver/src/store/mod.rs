//! The database: one SQLite file, one thread that writes, a few that read.
//!
//! Owns: the schema, the threads and their queues, group commit, the stream counter.
//! Invariants: a write is acknowledged only after its transaction reached the disk; a job that fails
//! leaves nothing behind; stream positions never go back, not even across a crash; news is announced
//! only after it is committed; the service's work never waits behind that of a crowd.
//! Never: knows what a room or a user may do.

pub mod events;
mod queues;
pub mod schema;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use crossbeam_channel::Receiver;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Params, Row};
use tokio::sync::oneshot;

use crate::config::{Clock, Config};
use crate::error::{Error, OpenError, Result};
use crate::live::{Live, Topic, lock};
pub use queues::Turn;
use queues::{Job, Queues, next, queues};

const READERS: usize = 3;
/// Jobs that may share one transaction: enough that the disk is never the limit, few enough that
/// the first of them does not wait long.
const BATCH_MAX: usize = 256;

type WriteJob = Box<dyn FnOnce(&mut Tx<'_>) -> Acknowledge + Send>;
type Acknowledge = Box<dyn FnOnce(&Result<()>) + Send>;
type ReadJob = Box<dyn FnOnce(&Connection) + Send>;

pub struct Store {
    writer: Queues<WriteJob>,
    readers: Queues<ReadJob>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// The writer's view of the database during one job.
pub struct Tx<'c> {
    pub conn: &'c Connection,
    /// When the batch began.
    pub now: i64,
    position: i64,
    topics: BTreeSet<Topic>,
    heads: BTreeMap<i64, i64>,
    touched: BTreeSet<String>,
    /// Why nothing of this batch can be committed any more.
    undone: Option<Error>,
}

impl Tx<'_> {
    /// Takes the next stream position.
    pub fn next_seq(&mut self) -> i64 {
        self.position += 1;
        self.position
    }

    pub fn position(&self) -> i64 {
        self.position
    }

    /// The next position is behind this one.
    pub fn skip_to(&mut self, position: i64) {
        self.position = self.position.max(position);
    }

    /// Announces, once committed, that `room` changed at `seq`.
    pub fn wake_room(&mut self, room: i64, seq: i64) {
        self.heads.insert(room, seq);
        self.topics.insert(Topic::Room(room));
    }

    /// Notes that a room changed for one user only, who is woken separately.
    pub fn note_room(&mut self, room: i64, seq: i64) {
        self.heads.insert(room, seq);
    }

    /// Announces, once committed, that something of a user's own changed.
    pub fn wake_user(&mut self, user: &str) {
        self.topics.insert(Topic::User(user.to_owned()));
    }

    /// Notes that something of a user's own changed of which nobody has to be told now.
    pub fn touch_user(&mut self, user: &str) {
        self.touched.insert(user.to_owned());
    }

    pub fn execute(&self, sql: &str, params: impl Params) -> Result<usize> {
        Ok(self.conn.prepare_cached(sql)?.execute(params)?)
    }

    /// Runs one job so that its failure, panics included, undoes only itself.
    fn isolated<R>(&mut self, work: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        if let Some(error) = &self.undone {
            return Err(error.clone());
        }
        let outcome = self.in_savepoint(work);
        // Where there is no room, SQLite may undo the whole transaction and not only what failed.
        if let (Err(error), true) = (&outcome, self.conn.is_autocommit()) {
            self.undone = Some(error.clone());
        }
        outcome
    }

    fn in_savepoint<R>(&mut self, work: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        self.execute("SAVEPOINT job", [])?;
        let outcome = catch_unwind(AssertUnwindSafe(|| work(self)))
            .unwrap_or_else(|_| Err(Error::internal("a write job panicked")));
        if self.conn.is_autocommit() {
            return outcome;
        }
        if outcome.is_err() {
            self.execute("ROLLBACK TO job", [])?;
        }
        self.execute("RELEASE job", [])?;
        outcome
    }
}

impl Store {
    pub fn open(path: &Path, config: &Config) -> std::result::Result<(Self, Arc<Live>), OpenError> {
        keep_private(path).map_err(|error| OpenError::Start(format!("its files: {error}")))?;
        let conn = Connection::open(path)?;
        prepare_connection(&conn, -8_000)?;
        schema::migrate(&conn)?;
        schema::claim(&conn, &config.server_name, &config.installation)?;
        let now = config.now.clone();
        let live = Arc::new(Live::new(now(), &conn)?);
        let (writer, write_jobs) = queues();
        let (readers, read_jobs) = queues();
        let mut threads = vec![spawn("homeserver-writer", {
            let live = live.clone();
            move || run_writer(&conn, &write_jobs, &live, &now)
        })?];
        let [for_service, for_users] = read_jobs;
        // One reads for the service alone.
        for jobs in std::iter::once(&for_service).chain([&for_users; READERS]) {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let conn = Connection::open_with_flags(path, flags)?;
            prepare_connection(&conn, -2_000)?;
            let jobs: Receiver<Job<ReadJob>> = jobs.clone();
            threads.push(spawn("homeserver-reader", move || {
                while let Ok(Job::Run(job)) = jobs.recv() {
                    job(&conn);
                }
            })?);
        }
        Ok((Self { writer, readers, threads: Mutex::new(threads) }, live))
    }

    pub async fn write<R: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Tx<'_>) -> Result<R> + Send + 'static,
    ) -> Result<R> {
        self.write_in(Turn::Users, work).await
    }

    pub async fn read<R: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<R> + Send + 'static,
    ) -> Result<R> {
        self.read_in(Turn::Users, work).await
    }

    /// Runs `work` in a write transaction; returns once it is on disk.
    pub async fn write_in<R: Send + 'static>(
        &self,
        turn: Turn,
        work: impl FnOnce(&mut Tx<'_>) -> Result<R> + Send + 'static,
    ) -> Result<R> {
        let (answer, outcome) = oneshot::channel();
        let job: WriteJob = Box::new(move |tx| {
            let result = tx.isolated(work);
            Box::new(move |committed| {
                let result = result.and_then(|done| committed.clone().map(|()| done));
                // The caller may have gone away: its work stands all the same.
                let _ = answer.send(result);
            })
        });
        self.writer.send(turn, job)?;
        outcome.await.map_err(Error::internal)?
    }

    /// Has `work` done some time, before whatever is written after this; nobody is told whether it was.
    pub fn post(
        &self,
        work: impl FnOnce(&mut Tx<'_>) -> Result<()> + Send + 'static,
    ) -> Result<()> {
        let job: WriteJob = Box::new(move |tx| {
            let _ = tx.isolated(work);
            Box::new(|_| ())
        });
        self.writer.send(Turn::Users, job)
    }

    /// Runs `work` on one snapshot of the committed data.
    pub async fn read_in<R: Send + 'static>(
        &self,
        turn: Turn,
        work: impl FnOnce(&Connection) -> Result<R> + Send + 'static,
    ) -> Result<R> {
        let (answer, outcome) = oneshot::channel();
        let job: ReadJob = Box::new(move |conn| {
            let result = catch_unwind(AssertUnwindSafe(|| {
                let snapshot = conn.unchecked_transaction()?;
                work(&snapshot)
            }))
            .unwrap_or_else(|_| Err(Error::internal("a read job panicked")));
            let _ = answer.send(result);
        });
        self.readers.send(turn, job)?;
        outcome.await.map_err(Error::internal)?
    }

    /// Finishes what is queued and closes the file.
    pub fn stop(&self) {
        let _ = self.readers.service.send(Job::Stop);
        for _ in 0..READERS {
            let _ = self.readers.users.send(Job::Stop);
        }
        let _ = self.writer.users.send(Job::Stop);
        for thread in std::mem::take(&mut *lock(&self.threads)) {
            let _ = thread.join();
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.stop();
    }
}

fn spawn(
    name: &str,
    work: impl FnOnce() + Send + 'static,
) -> std::result::Result<JoinHandle<()>, OpenError> {
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(work)
        .map_err(|cause| OpenError::Start(cause.to_string()))
}

fn run_writer(conn: &Connection, jobs: &[Receiver<Job<WriteJob>>; 2], live: &Live, now: &Clock) {
    let mut position = live.position();
    while let Some(Job::Run(first)) = next(jobs) {
        let mut tx = Tx {
            conn,
            now: now(),
            position,
            topics: BTreeSet::new(),
            heads: BTreeMap::new(),
            touched: BTreeSet::new(),
            undone: None,
        };
        tx.undone = tx.execute("BEGIN IMMEDIATE", []).err();
        let mut stop = false;
        let mut acknowledgements = vec![first(&mut tx)];
        let [service, users] = jobs;
        while acknowledgements.len() < BATCH_MAX {
            match service.try_recv().or_else(|_| users.try_recv()) {
                Ok(Job::Run(job)) => acknowledgements.push(job(&mut tx)),
                Ok(Job::Stop) => {
                    stop = true;
                    break;
                }
                Err(_) => break,
            }
        }
        let committed = commit(&mut tx, position, live);
        if committed.is_ok() {
            position = tx.position;
            live.publish(position, &tx.topics, &tx.touched);
        } else if !conn.is_autocommit() {
            let _ = conn.execute_batch("ROLLBACK");
        }
        for acknowledge in acknowledgements {
            acknowledge(&committed);
        }
        // Last, so that whoever wrote does not wait behind a thousand who are woken for it.
        if committed.is_ok() {
            live.wake_all(!tx.heads.is_empty(), &tx.topics);
        }
        if stop {
            break;
        }
    }
    let _ = conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);");
}

fn commit(tx: &mut Tx<'_>, position: i64, live: &Live) -> Result<()> {
    if let Some(error) = tx.undone.take() {
        return Err(error);
    }
    if tx.position != position {
        tx.execute("UPDATE stream SET position = ?1", [tx.position])?;
    }
    live.announce(&tx.heads);
    tx.execute("COMMIT", []).map(drop)
}

/// Messages and tokens are readable by the owner only, also those of a file from before that was so.
fn keep_private(path: &Path) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?;
    #[cfg(unix)]
    for suffix in ["", "-wal", "-shm"] {
        let mut file = path.as_os_str().to_owned();
        file.push(suffix);
        // SQLite makes the other two with the rights of the first.
        if std::fs::exists(&file)? {
            let owner_only = std::os::unix::fs::PermissionsExt::from_mode(0o600);
            std::fs::set_permissions(&file, owner_only)?;
        }
    }
    Ok(())
}

fn prepare_connection(conn: &Connection, cache_kib: i64) -> rusqlite::Result<()> {
    conn.set_prepared_statement_cache_capacity(128);
    conn.busy_timeout(std::time::Duration::from_secs(5))?;
    // Plans must not depend on bound values, or every new value prepares the statement again.
    conn.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    conn.pragma_update(None, "journal_mode", "WAL")?;
    conn.pragma_update(None, "synchronous", "FULL")?;
    conn.pragma_update(None, "temp_store", "MEMORY")?;
    conn.pragma_update(None, "journal_size_limit", 64 * 1024 * 1024)?;
    conn.pragma_update(None, "cache_size", cache_kib)
}

/// The first row, if there is one.
pub fn find<T>(
    conn: &Connection,
    sql: &str,
    params: impl Params,
    map: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>> {
    Ok(conn.prepare_cached(sql)?.query_row(params, map).optional()?)
}

/// Reads a row of several columns.
pub fn tuple<T>(row: &Row<'_>) -> rusqlite::Result<T>
where
    T: for<'r> TryFrom<&'r Row<'r>, Error = rusqlite::Error>,
{
    T::try_from(row)
}

/// The position of what is read on this connection.
pub fn position(conn: &Connection) -> Result<i64> {
    let found = find(conn, "SELECT position FROM stream", [], |row| row.get(0))?;
    Ok(found.unwrap_or(0))
}

pub fn exists(conn: &Connection, sql: &str, params: impl Params) -> Result<bool> {
    Ok(find(conn, sql, params, |_| Ok(()))?.is_some())
}

pub fn list<T>(
    conn: &Connection,
    sql: &str,
    params: impl Params,
    map: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>> {
    let mut statement = conn.prepare_cached(sql)?;
    let rows = statement.query_map(params, map)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

#[cfg(test)]
mod tests;
