//! From settings to running threads, and back.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use tokio::sync::broadcast;
use tokio::sync::mpsc::UnboundedSender;

use super::chunks::Streams;
use super::notices::NoticeChannels;
use super::script::Queue;
use super::sqlite::lookups::Lookups;
use super::{Engine, Settings, postgres, sqlite};
use crate::platform::clock::Clock;
use crate::platform::error::{DatabaseError, DatabaseResult};

/// What all clones of a `Db` share.
pub(super) struct Inner {
    pub(super) engine: Engine,
    pub(super) writes: Arc<Queue>,
    /// On PostgreSQL the queue of writes: any thread takes both kinds.
    pub(super) reads: Arc<Queue>,
    /// Only on SQLite, where a few rows are found before another thread has begun.
    pub(super) lookups: Option<Lookups>,
    pub(super) streams: Streams,
    pub(super) channels: Arc<NoticeChannels>,
    /// Only on PostgreSQL, until it is closed: the channels that its listener is to listen to as well.
    pub(super) new_channels: Mutex<Option<UnboundedSender<&'static str>>>,
    pub(super) threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Inner {
    pub(super) fn start(settings: &Settings, clock: &Clock) -> DatabaseResult<Self> {
        let url = settings.url.as_str();
        if let Some(path) = url.strip_prefix("sqlite:") {
            return sqlite::start(settings, Path::new(path), clock);
        }
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return postgres::start(settings, clock);
        }
        // Whatever it is, it may hold a password.
        Err(DatabaseError::Setup(
            "the database URL must begin with sqlite: or postgres://, as in \
             sqlite:data/touchline.db or postgres://user@host/database"
                .to_owned(),
        ))
    }

    pub(super) fn listen(&self, channel: &'static str) -> broadcast::Receiver<String> {
        let (receiver, is_new) = self.channels.listen(channel);
        let new_channels = self.new_channels.lock().unwrap_or_else(PoisonError::into_inner);
        if is_new && let Some(new_channels) = &*new_channels {
            // The listener ends before this only if it could not be started, and says so.
            let _ = new_channels.send(channel);
        }
        receiver
    }

    /// Blocks until the threads have ended.
    pub(super) fn close(&self) {
        self.new_channels.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.writes.close();
        self.reads.close();
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

pub(super) fn spawn(
    name: &str,
    run: impl FnOnce() + Send + 'static,
) -> DatabaseResult<JoinHandle<()>> {
    thread::Builder::new().name(name.to_owned()).spawn(run).map_err(|error| {
        DatabaseError::Setup(format!("the thread {name} cannot be started: {error}"))
    })
}
