//! From a URL to the threads that are connected to its server.

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::mpsc::unbounded_channel;

use super::notices::NoticeListener;
use super::pooler::refuse_shared;
use super::server::Server;
use super::threads::ConnectionThread;
use super::{PostgresConnection, new_runtime};
use crate::platform::clock::Clock;
use crate::platform::config::DatabaseConfig;
use crate::platform::db::chunks::{Shares, StreamSource, Streams};
use crate::platform::db::meters::Meters;
use crate::platform::db::notices::NoticeChannels;
use crate::platform::db::script::{Access, Queue};
use crate::platform::db::tx::{Connection, Tx};
use crate::platform::db::{Engine, Inner, spawn};
use crate::platform::error::{DatabaseError, DatabaseResult};

/// A stream may take its time, but a server that stands still does not keep it for ever.
const STREAM_WAIT: Duration = Duration::from_secs(60);

pub fn start(url: &str, config: &DatabaseConfig, clock: &Clock) -> DatabaseResult<Inner> {
    let server = Arc::new(Server::new(url, &config.tls_ca_file)?);
    let statement_timeout =
        Some(Duration::from_millis(config.statement_timeout_ms)).filter(|limit| !limit.is_zero());
    new_runtime()?.block_on(refuse_shared(&server))?;
    // One that works proves the settings; the other threads connect by themselves.
    let mut first = Some(PostgresConnection::open(&server, statement_timeout)?);
    let meters = Arc::new(Meters::new());
    let (queue, waiting) = Queue::bounded(config.queue_limit, Arc::clone(&meters));
    let (queue, connected) = (Arc::new(queue), Arc::new(AtomicUsize::new(0)));
    let mut threads = Vec::new();
    for _ in 0..config.postgres_connections.max(1) {
        let thread = ConnectionThread {
            server: Arc::clone(&server),
            waiting: waiting.clone(),
            clock: clock.clone(),
            statement_timeout,
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
        new_channels: added,
    };
    threads.push(spawn("db-listener", move || listener.run())?);
    Ok(Inner {
        engine: Engine::Postgres,
        reads: Arc::clone(&queue),
        writes: queue,
        lookups: None,
        streams: Streams::new(
            StreamServer { server, clock: clock.clone() },
            Shares::of(config),
            Arc::clone(&meters),
        ),
        meters,
        queue_limit: config.queue_limit,
        channels,
        new_channels: Mutex::new(Some(new_channels)),
        threads: Mutex::new(threads),
    })
}

struct StreamServer {
    server: Arc<Server>,
    clock: Clock,
}

impl StreamSource for StreamServer {
    fn open(&self) -> DatabaseResult<Tx> {
        let connection = PostgresConnection::open(&self.server, None)?.with_patience(STREAM_WAIT);
        Ok(Tx::new(Connection::Postgres(Box::new(connection)), self.clock.clone()))
    }

    fn begin(&self, tx: &mut Tx) -> DatabaseResult<()> {
        tx.start(Access::Read);
        let connection = tx.postgres()?;
        connection.look();
        if connection.is_usable() {
            Ok(())
        } else {
            Err(DatabaseError::Lost("closed while it was idle".to_owned()))
        }
    }

    fn end(&self, tx: &mut Tx) -> bool {
        tx.postgres().is_ok_and(|connection| {
            connection.end_read();
            connection.settle();
            connection.is_usable()
        })
    }
}
