//! From settings to running threads, and back.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::sync::broadcast;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::chunks::{StreamSource, Streams};
use super::meters::Meters;
use super::notices::NoticeChannels;
use super::postgres::notices::NoticeListener;
use super::postgres::server::Server;
use super::postgres::threads::ConnectionThread;
use super::script::{Access, Queue, Waiting};
use super::sqlite::lookups::Lookups;
use super::sqlite::threads::{WriterThread, read_scripts};
use super::tx::{Connection, Tx};
use super::{Engine, Settings, postgres, sqlite};
use crate::platform::clock::Clock;
use crate::platform::error::{DatabaseError, DatabaseResult, Result};

/// What all clones of a `Db` share.
pub(super) struct Inner {
    engine: Engine,
    /// On PostgreSQL any thread takes both kinds, from the queue of writes.
    reads: Option<Queue>,
    /// Only on SQLite, where a small read is done before another thread has begun it.
    lookups: Option<Lookups>,
    writes: Queue,
    streams: Streams,
    channels: Arc<NoticeChannels>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    listener: Mutex<ListenerState>,
}

/// Listening costs a connection, so it begins with the first listener.
enum ListenerState {
    NotNeeded,
    Unstarted(Arc<Server>),
    Running(UnboundedSender<&'static str>),
    Closed,
}

impl Inner {
    pub(super) fn start(settings: &Settings, clock: &Clock) -> DatabaseResult<Self> {
        let url = settings.url.as_str();
        if let Some(path) = url.strip_prefix("sqlite:") {
            return Self::start_sqlite(settings, Path::new(path), clock);
        }
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return Self::start_postgres(settings, clock);
        }
        // Whatever it is, it may hold a password.
        Err(DatabaseError::Setup(
            "the database URL must begin with sqlite: or postgres://, as in \
             sqlite:data/touchline.db or postgres://user@host/database"
                .to_owned(),
        ))
    }

    fn start_sqlite(settings: &Settings, path: &Path, clock: &Clock) -> DatabaseResult<Self> {
        create_private(path)?;
        let limit = Duration::from_millis(settings.statement_timeout_ms);
        let (meters, channels) = (Arc::new(Meters::new()), Arc::new(NoticeChannels::default()));
        let (writes, write_queue) = Queue::bounded(settings.queue_limit, Arc::clone(&meters));
        let (reads, read_queue) = Queue::bounded(settings.queue_limit, Arc::clone(&meters));
        let group_commit = WriterThread {
            tx: open_sqlite(path, Access::Write, limit, clock)?,
            waiting: write_queue,
            group_limit: settings.group_limit.max(1),
            channels: Arc::clone(&channels),
            meters: Arc::clone(&meters),
            log: with_suffix(path, "-wal"),
            last_group: 0,
        };
        let mut threads = vec![spawn("db-writer", move || group_commit.run())?];
        let readers = settings.sqlite_readers.max(1);
        for _ in 0..readers {
            let tx = open_sqlite(path, Access::Read, limit, clock)?;
            let waiting = read_queue.clone();
            threads.push(spawn("db-reader", move || read_scripts(tx, &waiting))?);
        }
        let looking_up = (0..readers).map(|_| open_sqlite(path, Access::Lookup, limit, clock));
        let lookups = Lookups::new(looking_up.collect::<DatabaseResult<_>>()?, Arc::clone(&meters));
        let source = SqliteSource { path: path.to_owned(), clock: clock.clone() };
        Ok(Self {
            engine: Engine::Sqlite,
            reads: Some(reads),
            lookups: Some(lookups),
            writes,
            streams: Streams::new(source, meters),
            channels,
            threads: Mutex::new(threads),
            listener: Mutex::new(ListenerState::NotNeeded),
        })
    }

    fn start_postgres(settings: &Settings, clock: &Clock) -> DatabaseResult<Self> {
        let server = Arc::new(Server::new(settings)?);
        let limit = Some(Duration::from_millis(settings.statement_timeout_ms))
            .filter(|limit| !limit.is_zero());
        // One that works proves the settings; the other threads connect by themselves.
        let first = postgres::PostgresConnection::open(&server, limit)?;
        let meters = Arc::new(Meters::new());
        let (writes, waiting) = Queue::bounded(settings.queue_limit, Arc::clone(&meters));
        let threads = start_workers(settings, &server, &waiting, clock, limit, first)?;
        let source = PostgresSource { server: Arc::clone(&server), clock: clock.clone() };
        Ok(Self {
            engine: Engine::Postgres,
            reads: None,
            lookups: None,
            writes,
            streams: Streams::new(source, meters),
            channels: Arc::new(NoticeChannels::default()),
            threads: Mutex::new(threads),
            listener: Mutex::new(ListenerState::Unstarted(server)),
        })
    }

    pub(super) fn engine(&self) -> Engine {
        self.engine
    }

    pub(super) fn reads(&self) -> &Queue {
        self.reads.as_ref().unwrap_or(&self.writes)
    }

    /// What a small read found, if it could be done on this thread.
    pub(super) fn lookup<T>(&self, script: &impl Fn(&mut Tx) -> Result<T>) -> Option<Result<T>> {
        self.lookups.as_ref()?.run(script)
    }

    pub(super) fn writes(&self) -> &Queue {
        &self.writes
    }

    pub(super) fn streams(&self) -> &Streams {
        &self.streams
    }

    pub(super) fn listen(&self, channel: &'static str) -> broadcast::Receiver<String> {
        let (receiver, is_new) = self.channels.listen(channel);
        let mut state = self.listener.lock().unwrap_or_else(PoisonError::into_inner);
        match &*state {
            ListenerState::Running(new_channels) if is_new => drop(new_channels.send(channel)),
            ListenerState::Running(_) | ListenerState::NotNeeded | ListenerState::Closed => {}
            ListenerState::Unstarted(server) => {
                let (sender, new_channels) = unbounded_channel();
                let channels = Arc::clone(&self.channels);
                let listener =
                    NoticeListener { server: Arc::clone(server), channels, new_channels };
                match spawn("db-listener", move || listener.run()) {
                    Ok(thread) => {
                        self.threads.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
                        *state = ListenerState::Running(sender);
                    }
                    Err(error) => tracing::error!(%error, "notifications are not heard"),
                }
            }
        }
        receiver
    }

    /// Blocks until the threads have ended.
    pub(super) fn close(&self) {
        *self.listener.lock().unwrap_or_else(PoisonError::into_inner) = ListenerState::Closed;
        self.writes.close();
        self.reads().close();
        self.streams.close();
        self.lookups.iter().for_each(Lookups::close);
        let threads =
            std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // A thread that panicked has been reported by the panic itself.
            drop(thread.join());
        }
    }
}

fn start_workers(
    settings: &Settings,
    server: &Arc<Server>,
    waiting: &Waiting,
    clock: &Clock,
    statement_timeout: Option<Duration>,
    first: postgres::PostgresConnection,
) -> DatabaseResult<Vec<JoinHandle<()>>> {
    let connected = Arc::new(AtomicUsize::new(0));
    let mut first = Some(first);
    (0..settings.postgres_connections.max(1))
        .map(|_| {
            let worker = ConnectionThread {
                server: Arc::clone(server),
                waiting: waiting.clone(),
                clock: clock.clone(),
                statement_timeout,
                connected: Arc::clone(&connected),
            };
            let connection = first.take();
            spawn("db-connection", move || worker.run(connection))
        })
        .collect()
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> DatabaseResult<JoinHandle<()>> {
    thread::Builder::new().name(name.to_owned()).spawn(run).map_err(|error| {
        DatabaseError::Setup(format!("the thread {name} cannot be started: {error}"))
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

fn open_sqlite(path: &Path, access: Access, limit: Duration, clock: &Clock) -> DatabaseResult<Tx> {
    let connection = sqlite::SqliteConnection::open(path, access, limit)?;
    Ok(Tx::new(Connection::Sqlite(connection), clock.clone()))
}

struct SqliteSource {
    path: PathBuf,
    clock: Clock,
}

impl StreamSource for SqliteSource {
    fn open(&self) -> DatabaseResult<Tx> {
        open_sqlite(&self.path, Access::Read, Duration::ZERO, &self.clock)
    }

    fn begin(&self, tx: &mut Tx) -> DatabaseResult<()> {
        tx.start(Access::Read);
        sqlite::threads::control(tx, "BEGIN DEFERRED")
    }

    fn end(&self, tx: &mut Tx) -> bool {
        sqlite::threads::end_snapshot(tx).is_ok()
    }
}

struct PostgresSource {
    server: Arc<Server>,
    clock: Clock,
}

impl StreamSource for PostgresSource {
    fn open(&self) -> DatabaseResult<Tx> {
        let connection = postgres::PostgresConnection::open(&self.server, None)?;
        Ok(Tx::new(Connection::Postgres(Box::new(connection)), self.clock.clone()))
    }

    fn begin(&self, tx: &mut Tx) -> DatabaseResult<()> {
        tx.start(Access::Read);
        if postgres::threads::is_alive(tx) {
            Ok(())
        } else {
            Err(DatabaseError::Lost("closed while it was idle".to_owned()))
        }
    }

    fn end(&self, tx: &mut Tx) -> bool {
        postgres::threads::end_read(tx);
        postgres::threads::settle(tx)
    }
}
