//! From a URL to the threads that are connected to its server.

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::mpsc::unbounded_channel;

use super::notices::NoticeListener;
use super::pooler::refuse_shared;
use super::replicas::Replicas;
use super::server::Server;
use super::threads::ConnectionThread;
use super::{PostgresConnection, new_runtime};
use crate::platform::clock::Clock;
use crate::platform::config::DatabaseConfig;
use crate::platform::db::chunks::{Shares, StreamSource, Streams};
use crate::platform::db::meters::Meters;
use crate::platform::db::notices::{NoticeChannels, Outgoing};
use crate::platform::db::script::{Access, Queue};
use crate::platform::db::tx::{Connection, Tx};
use crate::platform::db::{Engine, Inner, spawn};
use crate::platform::error::{DatabaseError, DatabaseResult};

/// A stream may take its time, but a server that stands still does not keep it for ever.
const STREAM_WAIT: Duration = Duration::from_secs(60);

pub fn start(url: &str, config: &DatabaseConfig, clock: &Clock) -> DatabaseResult<Inner> {
    let server = Arc::new(Server::new(url, &config.tls_ca_file)?);
    let statement_timeout = statement_timeout(config);
    new_runtime()?.block_on(refuse_shared(&server))?;
    // One that works proves the settings; the other threads connect by themselves.
    let mut first = Some(PostgresConnection::open(&server, statement_timeout)?);
    let meters = Arc::new(Meters::new());
    let (queue, waiting) = Queue::bounded(config.queue_limit, Arc::clone(&meters));
    let (queue, connected) = (Arc::new(queue), Arc::new(AtomicUsize::new(0)));
    let outgoing = Arc::new(Outgoing::default());
    let mut threads = Vec::new();
    for _ in 0..config.postgres_connections.max(1) {
        let thread = ConnectionThread {
            server: Arc::clone(&server),
            waiting: waiting.clone(),
            clock: clock.clone(),
            statement_timeout,
            outgoing: Arc::clone(&outgoing),
            connected: Arc::clone(&connected),
        };
        let connection = first.take();
        threads.push(spawn("db-connection", move || thread.run(connection))?);
    }
    let channels = Arc::new(NoticeChannels::default());
    let (new_channels, added) = unbounded_channel();
    let listener = NoticeListener {
        server: Arc::clone(&server),
        channels: Arc::clone(&channels),
        outgoing,
        new_channels: added,
    };
    let listener = spawn("db-listener", move || listener.run())?;
    let replicas = if config.replica_urls.is_empty() {
        None
    } else {
        Some(Arc::new(Replicas::start(&server, config, clock, &meters, &mut threads)?))
    };
    let streams = StreamServer { server, replicas: replicas.clone(), clock: clock.clone() };
    Ok(Inner {
        engine: Engine::Postgres,
        reads: Arc::clone(&queue),
        writes: queue,
        lookups: None,
        streams: Streams::new(streams, Shares::of(config), Arc::clone(&meters)),
        replicas,
        meters,
        queue_limit: config.queue_limit,
        channels,
        new_channels: Mutex::new(Some(new_channels)),
        listener: Mutex::new(Some(listener)),
        threads: Mutex::new(threads),
    })
}

pub fn statement_timeout(config: &DatabaseConfig) -> Option<Duration> {
    Some(Duration::from_millis(config.statement_timeout_ms)).filter(|limit| !limit.is_zero())
}

pub fn open_stream(server: &Server, clock: &Clock) -> DatabaseResult<Tx> {
    let connection = PostgresConnection::open(server, None)?.with_patience(STREAM_WAIT);
    Ok(Tx::new(Connection::Postgres(Box::new(connection)), clock.clone()))
}

/// An error if the connection was closed meanwhile.
pub fn begin_snapshot(tx: &mut Tx) -> DatabaseResult<()> {
    tx.start(Access::Read);
    let connection = tx.postgres()?;
    connection.look();
    if connection.is_usable() {
        Ok(())
    } else {
        Err(DatabaseError::Lost("closed while it was idle".to_owned()))
    }
}

struct StreamServer {
    server: Arc<Server>,
    replicas: Option<Arc<Replicas>>,
    clock: Clock,
}

impl StreamSource for StreamServer {
    fn open(&self) -> DatabaseResult<Tx> {
        open_stream(&self.server, &self.clock)
    }

    fn open_aside(&self, needed: i64) -> Option<Tx> {
        self.replicas.as_ref()?.open_stream(needed)
    }

    fn begin(&self, tx: &mut Tx) -> DatabaseResult<()> {
        begin_snapshot(tx)
    }

    fn end(&self, tx: &mut Tx) -> bool {
        tx.postgres().is_ok_and(|connection| {
            connection.end_read();
            connection.settle();
            connection.is_usable()
        })
    }
}
