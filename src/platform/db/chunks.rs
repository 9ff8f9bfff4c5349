//! Long results on their way to a client: a script on a thread of its own sends chunks through a
//! short channel, so memory stays bounded and a slow client holds up no ordinary read. The threads are
//! few and shared out: no address and no user has them all, however slowly they read.

use std::collections::VecDeque;
use std::net::IpAddr;
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
use crate::platform::config::DatabaseConfig;
use crate::platform::error::{DatabaseError, DatabaseResult, Error, Result};

/// Streams that run at once, each with a connection.
const STREAMS: usize = 8;
/// Streams that may wait for one of these to end.
const STREAMS_WAITING: usize = 64;
/// Of those that wait, so many may be for one address.
const WAITING_PER_ADDRESS: usize = 32;
/// How long a thread and its connection are kept for the next stream.
const LINGER: Duration = Duration::from_secs(10);
/// A client that takes nothing for so long is given up.
const STALL: Duration = Duration::from_secs(30);
/// A snapshot is never older than this: on SQLite an old one keeps the log from being emptied.
const LONGEST: Duration = Duration::from_secs(120);
const CHUNKS_UNDER_WAY: usize = 4;
/// How long closing waits for streams that still run.
const CLOSE_WAIT: Duration = Duration::from_secs(5);
const RETRY_S: u64 = 1;

/// Whom a stream is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reader {
    /// As limits count it.
    pub address: IpAddr,
    pub user: Option<i64>,
}

/// How many streams may run for one reader.
pub(super) struct Shares {
    per_address: usize,
    per_user: usize,
}

impl Shares {
    pub(super) fn of(config: &DatabaseConfig) -> Self {
        Self { per_address: config.long_lists_per_address, per_user: config.long_lists_per_user }
    }
}

/// How many of these are for the reader's address, and for the same user.
fn count<'a>(readers: impl Iterator<Item = &'a Reader>, reader: Reader) -> (usize, usize) {
    readers.fold((0, 0), |(address, user), other| {
        let is_user = reader.user.is_some() && other.user == reader.user;
        (address + usize::from(other.address == reader.address), user + usize::from(is_user))
    })
}

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
    /// One to a replica that shows this beat, with its snapshot begun; none if none does.
    fn open_aside(&self, _needed: i64) -> Option<Tx> {
        None
    }
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
    shares: Shares,
    meters: Arc<Meters>,
    state: Mutex<State>,
    changed: Condvar,
}

struct Waiting {
    script: StreamScript,
    sink: Sink,
    reader: Reader,
    /// The beat that a replica has to show to be asked; none: the primary is.
    needed: Option<i64>,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Waiting>,
    /// For whom streams run.
    running: Vec<Reader>,
    threads: usize,
    idle: usize,
    is_closed: bool,
}

impl Streams {
    pub(super) fn new(source: impl StreamSource, shares: Shares, meters: Arc<Meters>) -> Self {
        let shared = Shared {
            source: Box::new(source),
            shares,
            meters,
            state: Mutex::default(),
            changed: Condvar::new(),
        };
        Self { shared: Arc::new(shared) }
    }

    pub(super) fn start(
        &self,
        reader: Reader,
        needed: Option<i64>,
        script: StreamScript,
    ) -> Result<Chunks> {
        let (sender, receiver) = mpsc::channel(CHUNKS_UNDER_WAY);
        let sink = Sink { sender, ends_at: Instant::now() + LONGEST };
        let mut state = self.shared.lock();
        // Who has gone away while waiting takes nobody's place.
        state.waiting.retain(|waiting| !waiting.sink.sender.is_closed());
        state.check_share(&self.shared.shares, reader)?;
        let queued = self.enqueue(state, Waiting { script, sink, reader, needed });
        queued.inspect_err(|error| Meters::error(error.label()))?;
        Ok(Chunks(receiver))
    }

    fn enqueue(&self, mut state: MutexGuard<'_, State>, new: Waiting) -> DatabaseResult<()> {
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
        state.waiting.push_back(new);
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

impl State {
    /// Refuses a reader for whom enough streams run or wait already.
    fn check_share(&self, shares: &Shares, reader: Reader) -> Result<()> {
        let waiting = self.waiting.iter().map(|waiting| &waiting.reader);
        let (of_address, of_user) = count(self.running.iter().chain(waiting), reader);
        let code = if of_user >= 2 * shares.per_user {
            "user_list_limit"
        } else if of_address >= shares.per_address + WAITING_PER_ADDRESS {
            "address_list_limit"
        } else {
            return Ok(());
        };
        metrics::counter!("touchline_http_refused_total", "reason" => code).increment(1);
        Err(Error::RateLimited { code, retry_after_s: RETRY_S })
    }

    /// The first that waits and whose reader's share is not used up.
    fn next(&self, shares: &Shares) -> Option<usize> {
        self.waiting.iter().position(|waiting| {
            let (of_address, of_user) = count(self.running.iter(), waiting.reader);
            of_address < shares.per_address && of_user < shares.per_user
        })
    }

    fn take_next(&mut self, shares: &Shares) -> Option<Waiting> {
        let next = self.next(shares)?;
        let next = self.waiting.remove(next)?;
        self.running.push(next.reader);
        Some(next)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self) {
        let mut tx = None;
        while let Some(Waiting { script, sink, reader, needed }) = self.next() {
            if sink.sender.is_closed() {
                Meters::skipped(Access::Read);
            } else {
                let started = Instant::now();
                match needed.and_then(|needed| self.source.open_aside(needed)) {
                    // Only a few long lists are read: a connection of their own there is not worth keeping.
                    Some(mut aside) => run_on(&mut aside, script, sink),
                    None => self.run(&mut tx, script, sink),
                }
                self.meters.stream_took(started.elapsed());
            }
            self.ended(reader);
        }
        drop(tx);
        self.lock().threads -= 1;
        self.changed.notify_all();
    }

    fn ended(&self, reader: Reader) {
        let mut state = self.lock();
        if let Some(at) = state.running.iter().position(|running| *running == reader) {
            state.running.swap_remove(at);
        }
        // It can have been in the way of two that wait, for its address and for its user; this thread takes one of them.
        self.changed.notify_all();
    }

    fn next(&self) -> Option<Waiting> {
        let mut state = self.lock();
        if let Some(next) = state.take_next(&self.shares) {
            return Some(next);
        }
        state.idle += 1;
        let nothing = |state: &mut State| state.next(&self.shares).is_none() && !state.is_closed;
        let waited = self.changed.wait_timeout_while(state, LINGER, nothing);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.idle -= 1;
        state.take_next(&self.shares)
    }

    fn run(&self, tx: &mut Option<Tx>, script: StreamScript, mut sink: Sink) {
        let is_reusable = match self.connected(tx) {
            Ok(tx) => {
                run_on(tx, script, sink);
                self.source.end(tx)
            }
            Err(error) => {
                break_off(&mut sink, error.into());
                false
            }
        };
        if !is_reusable {
            *tx = None;
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

fn run_on(tx: &mut Tx, script: StreamScript, mut sink: Sink) {
    if let Err(error) = super::script::guarded(tx, |tx| script(tx, &mut sink)) {
        break_off(&mut sink, error);
    }
}

fn break_off(sink: &mut Sink, error: Error) {
    if let Error::Database(error) = &error {
        Meters::error(error.label());
    }
    // A reader that has gone away does not need to know.
    drop(sink.deliver(Err(error)));
}
