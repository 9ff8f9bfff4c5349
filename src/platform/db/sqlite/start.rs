//! From a file's path to the threads around it.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::SqliteConnection;
use super::lookups::Lookups;
use super::threads::{WriterThread, begin_snapshot, end_snapshot, read_scripts};
use crate::platform::clock::Clock;
use crate::platform::config::DatabaseConfig;
use crate::platform::db::chunks::{Shares, StreamSource, Streams};
use crate::platform::db::meters::Meters;
use crate::platform::db::notices::NoticeChannels;
use crate::platform::db::script::{Access, Queue};
use crate::platform::db::tx::{Connection, Tx};
use crate::platform::db::{Engine, Inner, spawn};
use crate::platform::error::{DatabaseError, DatabaseResult};

pub fn start(path: &Path, config: &DatabaseConfig, clock: &Clock) -> DatabaseResult<Inner> {
    create_private(path)?;
    let statement_timeout = Duration::from_millis(config.statement_timeout_ms);
    let file = SqliteFile { path: path.to_owned(), clock: clock.clone(), statement_timeout };
    let (meters, channels) = (Arc::new(Meters::new()), Arc::new(NoticeChannels::default()));
    let (writes, waiting_writes) = Queue::bounded(config.queue_limit, Arc::clone(&meters));
    let (reads, waiting_reads) = Queue::bounded(config.queue_limit, Arc::clone(&meters));
    let writer = WriterThread {
        tx: file.open_for(Access::Write)?,
        waiting: waiting_writes,
        group_limit: config.group_limit.max(1),
        channels: Arc::clone(&channels),
        meters: Arc::clone(&meters),
        log: with_suffix(path, "-wal"),
        last_group: 0,
    };
    let mut threads = vec![spawn("db-writer", move || writer.run())?];
    let mut for_lookups = Vec::new();
    for _ in 0..config.sqlite_readers.max(1) {
        let (tx, waiting) = (file.open_for(Access::Read)?, waiting_reads.clone());
        threads.push(spawn("db-reader", move || read_scripts(tx, &waiting))?);
        for_lookups.push(file.open_for(Access::Lookup)?);
    }
    let unlimited = SqliteFile { statement_timeout: Duration::ZERO, ..file };
    Ok(Inner {
        engine: Engine::Sqlite,
        writes: Arc::new(writes),
        reads: Arc::new(reads),
        lookups: Some(Lookups::new(for_lookups, Arc::clone(&meters))),
        streams: Streams::new(unlimited, Shares::of(config), Arc::clone(&meters)),
        replicas: None,
        meters,
        queue_limit: config.queue_limit,
        channels,
        new_channels: Mutex::new(None),
        listener: Mutex::new(None),
        threads: Mutex::new(threads),
    })
}

/// The file holds phone numbers: a new one is readable by its owner only, and so are the log files
/// that SQLite puts beside it.
fn create_private(path: &Path) -> DatabaseResult<()> {
    if path.as_os_str().is_empty() || path == Path::new(":memory:") {
        return Err(DatabaseError::Setup(
            "the database URL needs a file, as in sqlite:data.db".to_owned(),
        ));
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop).map_err(|error| {
        DatabaseError::Setup(format!(
            "the database file {} cannot be opened: {error}",
            path.display()
        ))
    })
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// Where the file is and how its connections are opened.
struct SqliteFile {
    path: PathBuf,
    clock: Clock,
    statement_timeout: Duration,
}

impl SqliteFile {
    fn open_for(&self, access: Access) -> DatabaseResult<Tx> {
        let connection = SqliteConnection::open(&self.path, access, self.statement_timeout)?;
        Ok(Tx::new(Connection::Sqlite(connection), self.clock.clone()))
    }
}

impl StreamSource for SqliteFile {
    fn open(&self) -> DatabaseResult<Tx> {
        self.open_for(Access::Read)
    }

    fn begin(&self, tx: &mut Tx) -> DatabaseResult<()> {
        tx.start(Access::Read);
        begin_snapshot(tx)
    }

    fn end(&self, tx: &mut Tx) -> bool {
        end_snapshot(tx).is_ok()
    }
}
