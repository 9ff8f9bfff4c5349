//! Long results on their way to a client: a script on a thread of its own sends chunks through a
//! short channel, so memory stays bounded and a slow client holds up no ordinary read.

use std::collections::VecDeque;
use std::pin::{Pin, pin};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::Stream;
use tokio::sync::mpsc;

use super::meters::Meters;
use super::script::Access;
use super::tx::Tx;
use crate::platform::error::{DatabaseError, DatabaseResult, Error, Result};

/// Streams that run at once, each with a connection.
const STREAMS: usize = 8;
/// Streams that may wait for one of these to end.
const STREAMS_WAITING: usize = 64;
/// How long a thread and its connection are kept for the next stream.
const LINGER: Duration = Duration::from_secs(10);
/// A client that takes nothing for so long is given up.
const STALL: Duration = Duration::from_secs(30);
/// A snapshot is never older than this: on SQLite an old one keeps the log from being emptied.
const LONGEST: Duration = Duration::from_secs(120);
const CHUNKS_UNDER_WAY: usize = 4;
/// How long closing waits for streams that still run.
const CLOSE_WAIT: Duration = Duration::from_secs(5);

/// The receiving end: a stream of chunks, ended early by at most one error.
pub struct Chunks(mpsc::Receiver<Result<Bytes>>);

impl Stream for Chunks {
    type Item = Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(cx)
    }
}

/// The sending end, for the script. An error from it means that nobody reads on: return it.
pub struct Sink {
    sender: mpsc::Sender<Result<Bytes>>,
    ends_at: Instant,
}

impl Sink {
    pub fn send(&mut self, chunk: Bytes) -> Result<()> {
        Ok(self.deliver(Ok(chunk))?)
    }

    fn deliver(&mut self, item: Result<Bytes>) -> DatabaseResult<()> {
        let left = self.ends_at.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(DatabaseError::Stopped("it took too long"));
        }
        match wait_for(self.sender.send(item), left.min(STALL)) {
            Some(Ok(())) => Ok(()),
            Some(Err(_)) => Err(DatabaseError::Stopped("the reader went away")),
            None => Err(DatabaseError::Stopped("the reader took nothing for too long")),
        }
    }
}

/// Waits on this thread, which has no runtime of its own, for something another one completes.
fn wait_for<T>(future: impl Future<Output = T>, at_most: Duration) -> Option<T> {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let give_up = Instant::now() + at_most;
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return Some(value);
        }
        let left = give_up.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        thread::park_timeout(left);
    }
}

type StreamScript = Box<dyn FnOnce(&mut Tx, &mut Sink) -> Result<()> + Send>;

/// How a stream's connection is opened, and how its snapshot is begun and ended.
pub(super) trait StreamSource: Send + Sync + 'static {
    fn open(&self) -> DatabaseResult<Tx>;
    fn begin(&self, tx: &mut Tx) -> DatabaseResult<()>;
    /// Whether the connection can be used again.
    fn end(&self, tx: &mut Tx) -> bool;
}

/// The threads of streams: started when needed, kept for a while, never more than [`STREAMS`].
pub(super) struct Streams {
    shared: Arc<Shared>,
}

struct Shared {
    source: Box<dyn StreamSource>,
    meters: Arc<Meters>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<(StreamScript, Sink)>,
    threads: usize,
    idle: usize,
    is_closed: bool,
}

impl Streams {
    pub(super) fn new(source: impl StreamSource, meters: Arc<Meters>) -> Self {
        let shared = Shared {
            source: Box::new(source),
            meters,
            state: Mutex::default(),
            changed: Condvar::new(),
        };
        Self { shared: Arc::new(shared) }
    }

    pub(super) fn start(&self, script: StreamScript) -> Chunks {
        let (sender, receiver) = mpsc::channel(CHUNKS_UNDER_WAY);
        let sink = Sink { sender, ends_at: Instant::now() + LONGEST };
        let refused = sink.sender.clone();
        if let Err(error) = self.enqueue(script, sink) {
            Meters::error(error.label());
            // There is room: nothing was sent yet.
            drop(refused.try_send(Err(error.into())));
        }
        Chunks(receiver)
    }

    fn enqueue(&self, script: StreamScript, sink: Sink) -> DatabaseResult<()> {
        let mut state = self.shared.lock();
        if state.is_closed {
            return Err(DatabaseError::Closed);
        }
        if state.waiting.len() >= state.idle + STREAMS_WAITING {
            return Err(DatabaseError::Busy("too many streams wait".to_owned()));
        }
        if state.waiting.len() >= state.idle && state.threads < STREAMS {
            let shared = Arc::clone(&self.shared);
            thread::Builder::new()
                .name("db-stream".to_owned())
                .spawn(move || shared.serve())
                .map_err(|error| DatabaseError::Busy(format!("no thread for a stream: {error}")))?;
            state.threads += 1;
        }
        state.waiting.push_back((script, sink));
        self.shared.changed.notify_one();
        Ok(())
    }

    /// Refuses what has not begun and gives what runs a moment to end.
    pub(super) fn close(&self) {
        let mut state = self.shared.lock();
        state.is_closed = true;
        state.waiting.clear();
        self.shared.changed.notify_all();
        let wait =
            self.shared.changed.wait_timeout_while(state, CLOSE_WAIT, |state| state.threads > 0);
        drop(wait.unwrap_or_else(PoisonError::into_inner));
    }
}

impl Drop for Streams {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self) {
        let mut tx = None;
        while let Some((script, sink)) = self.next() {
            if sink.sender.is_closed() {
                Meters::skipped(Access::Read);
                continue;
            }
            let started = Instant::now();
            self.run(&mut tx, script, sink);
            self.meters.stream_took(started.elapsed());
        }
        drop(tx);
        self.lock().threads -= 1;
        self.changed.notify_all();
    }

    fn next(&self) -> Option<(StreamScript, Sink)> {
        let mut state = self.lock();
        if let Some(script) = state.waiting.pop_front() {
            return Some(script);
        }
        state.idle += 1;
        let nothing = |state: &mut State| state.waiting.is_empty() && !state.is_closed;
        let waited = self.changed.wait_timeout_while(state, LINGER, nothing);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.idle -= 1;
        state.waiting.pop_front()
    }

    fn run(&self, tx: &mut Option<Tx>, script: StreamScript, mut sink: Sink) {
        let (outcome, reusable) = match self.connected(tx) {
            Ok(tx) => {
                let outcome = super::script::guarded(tx, |tx| script(tx, &mut sink));
                (outcome, self.source.end(tx))
            }
            Err(error) => (Err(error.into()), false),
        };
        if !reusable {
            *tx = None;
        }
        if let Err(error) = outcome {
            if let Error::Database(error) = &error {
                Meters::error(error.label());
            }
            // A reader that has gone away does not need to know.
            drop(sink.deliver(Err(error)));
        }
    }

    /// The connection with a snapshot begun; one that died meanwhile is replaced.
    fn connected<'a>(&self, slot: &'a mut Option<Tx>) -> DatabaseResult<&'a mut Tx> {
        if let Some(mut kept) = slot.take()
            && self.source.begin(&mut kept).is_ok()
        {
            return Ok(slot.insert(kept));
        }
        let mut fresh = self.source.open()?;
        self.source.begin(&mut fresh)?;
        Ok(slot.insert(fresh))
    }
}
