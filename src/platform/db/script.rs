//! A script on its way: queued by a caller, run on a connection's thread, answered once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, TrySendError, bounded};
use tokio::sync::oneshot;
use tracing::Span;

use super::meters::Meters;
use super::tx::Tx;
use crate::platform::error::{DatabaseError, DatabaseResult, Error, Result};
use crate::platform::trace;

/// What a script may do, and with it how its transaction is begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// A few rows, without a transaction.
    Lookup,
    /// One snapshot.
    Read,
    Write,
}

impl Access {
    /// The span of a script, which is known by this name.
    pub(super) fn span(self, name: fn() -> &'static str) -> Span {
        let word = match self {
            Self::Lookup => "lookup",
            Self::Read => "read",
            Self::Write => "write",
        };
        trace::script(word, name)
    }
}

/// How long a script waited until somebody took it.
pub(super) fn note_wait(span: &Span, wait: Duration) {
    if !span.is_none() {
        span.record("wait_us", u64::try_from(wait.as_micros()).unwrap_or(u64::MAX));
    }
}

/// A script without its types, so that scripts of all kinds wait in one queue.
pub(super) trait Script: Send {
    /// Whether the caller still waits.
    fn is_wanted(&self) -> bool;
    /// Runs the script (again) and keeps what it returned; true if its effects are to be kept.
    fn run(&mut self, tx: &mut Tx) -> bool;
    /// Answers whoever waits: with what the script returned, or with why that does not count; they hear of it `wait` later.
    fn answer(self: Box<Self>, ended: DatabaseResult<()>, wait: Duration) -> Answered;
    /// For how many callers it ran.
    fn size(&self) -> usize {
        1
    }
    /// Puts a script that follows another back into the queue.
    fn requeue(self: Box<Self>) {}
}

/// What is left when a script is answered.
#[derive(Default)]
pub(super) struct Answered {
    /// What the database refused it with.
    pub(super) error: Option<&'static str>,
    /// Others came meanwhile: what goes on with them.
    pub(super) next: Option<Box<dyn Script>>,
}

struct Typed<T, F> {
    script: F,
    returned: Option<Result<T>>,
    reply: Reply<T>,
}

/// What a caller is told, and how long it is still too early to tell.
pub(super) type Reply<T> = oneshot::Sender<(Result<T>, Duration)>;

/// Waits for what a [`Reply`] tells.
pub(super) async fn told<T>(answer: oneshot::Receiver<(Result<T>, Duration)>) -> Result<T> {
    let Ok((result, wait)) = answer.await else {
        return Err(DatabaseError::Closed.into());
    };
    if !wait.is_zero() {
        tokio::time::sleep(wait).await;
    }
    result
}

impl<T, F> Script for Typed<T, F>
where
    T: Send,
    F: Fn(&mut Tx) -> Result<T> + Send,
{
    fn is_wanted(&self) -> bool {
        !self.reply.is_closed()
    }

    fn run(&mut self, tx: &mut Tx) -> bool {
        let returned = guarded(tx, |tx| (self.script)(tx));
        let keep = returned.is_ok();
        self.returned = Some(returned);
        keep
    }

    fn answer(self: Box<Self>, ended: DatabaseResult<()>, wait: Duration) -> Answered {
        let result = match (ended, self.returned) {
            (Ok(()), Some(returned)) => returned,
            (Ok(()), None) => Err(DatabaseError::Closed.into()),
            (Err(error), _) => Err(error.into()),
        };
        let error = match &result {
            Err(Error::Database(error)) => Some(error.label()),
            _ => None,
        };
        // A caller that has gone away does not undo what was done.
        drop(self.reply.send((result, wait)));
        Answered { error, next: None }
    }
}

/// Runs a script so that a panic or a swallowed database error cannot pass for success.
pub(super) fn guarded<T>(tx: &mut Tx, script: impl FnOnce(&mut Tx) -> Result<T>) -> Result<T> {
    let returned = catch_unwind(AssertUnwindSafe(|| script(tx)))
        .unwrap_or_else(|_| Err(DatabaseError::Panicked.into()));
    match (returned, tx.failure()) {
        (Ok(_), Some(failure)) => Err(failure.clone().into()),
        (returned, _) => returned,
    }
}

/// A queued script and what is measured about it.
pub(super) struct QueuedScript {
    script: Box<dyn Script>,
    access: Access,
    queued_at: Instant,
    meters: Arc<Meters>,
    span: Span,
}

impl QueuedScript {
    pub(super) fn access(&self) -> Access {
        self.access
    }

    pub(super) fn run(&mut self, tx: &mut Tx) -> bool {
        tx.start(self.access);
        tx.run_in(&self.span);
        let keep = self.script.run(tx);
        // A span lasts for as long as anybody keeps it, and the next script may be long in coming.
        tx.run_in(&Span::none());
        keep
    }

    /// Answers whoever waits. What goes on from here is put back into the queue.
    pub(super) fn answer(self, ended: DatabaseResult<()>) {
        if let Some(next) = self.answer_and_go_on(ended, Duration::ZERO) {
            next.requeue();
        }
    }

    /// The same, for a thread that goes on itself.
    pub(super) fn answer_and_go_on(
        self,
        ended: DatabaseResult<()>,
        wait: Duration,
    ) -> Option<Self> {
        let Self { script, access, queued_at, meters, span } = self;
        // Before the answer, so that a caller who has it also finds it counted, and its span is over before the caller's own.
        meters.script_took(access, queued_at.elapsed());
        drop(span);
        let Answered { error, next } = script.answer(ended, wait);
        if let Some(error) = error {
            Meters::error(error);
        }
        Some(Self { script: next?, access, queued_at: Instant::now(), meters, span: Span::none() })
    }

    pub(super) fn size(&self) -> usize {
        self.script.size()
    }

    pub(super) fn requeue(self) {
        self.script.requeue();
    }
}

/// The end callers push into. Closing it lets the threads finish what waits and then end.
pub(super) struct Queue {
    sender: RwLock<Option<Sender<QueuedScript>>>,
    meters: Arc<Meters>,
}

impl Queue {
    pub(super) fn bounded(limit: usize, meters: Arc<Meters>) -> (Self, Waiting) {
        let (sender, receiver) = bounded(limit.max(1));
        let waiting = Waiting { receiver, meters: Arc::clone(&meters) };
        (Self { sender: RwLock::new(Some(sender)), meters }, waiting)
    }

    /// `name` is of what the script is known as in traces.
    pub(super) async fn run<T, F>(
        &self,
        access: Access,
        name: fn() -> &'static str,
        script: F,
    ) -> Result<T>
    where
        T: Send + 'static,
        F: Fn(&mut Tx) -> Result<T> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let span = access.span(name);
        self.push(access, Box::new(Typed { script, returned: None, reply }), span.clone())?;
        let result = told(answer).await;
        drop(span);
        result
    }

    pub(super) fn push(
        &self,
        access: Access,
        script: Box<dyn Script>,
        span: Span,
    ) -> DatabaseResult<()> {
        let meters = Arc::clone(&self.meters);
        let script = QueuedScript { script, access, queued_at: Instant::now(), meters, span };
        let sender = self.sender.read().unwrap_or_else(PoisonError::into_inner);
        let error = match sender.as_ref().map(|sender| sender.try_send(script)) {
            Some(Ok(())) => {
                self.meters.queued(access);
                return Ok(());
            }
            Some(Err(TrySendError::Full(_))) => {
                DatabaseError::Busy("too many scripts wait".to_owned())
            }
            Some(Err(TrySendError::Disconnected(_))) | None => DatabaseError::Closed,
        };
        Meters::error(error.label());
        Err(error)
    }

    pub(super) fn close(&self) {
        self.sender.write().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// The end threads take from. A script whose caller has gone before it began is never given to them: under overload that would be
/// most of their work, and nobody would hear of it.
#[derive(Clone)]
pub(super) struct Waiting {
    receiver: Receiver<QueuedScript>,
    meters: Arc<Meters>,
}

impl Waiting {
    /// The next script; none once the queue is closed and empty.
    pub(super) fn next(&self) -> Option<QueuedScript> {
        loop {
            if let Some(script) = self.wanted(self.receiver.recv().ok()?) {
                return Some(script);
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.receiver.is_empty()
    }

    pub(super) fn try_next(&self) -> Result<QueuedScript, TryRecvError> {
        loop {
            if let Some(script) = self.wanted(self.receiver.try_recv()?) {
                return Ok(script);
            }
        }
    }

    pub(super) fn next_within(&self, wait: Duration) -> Result<QueuedScript, RecvTimeoutError> {
        let until = Instant::now() + wait;
        loop {
            if let Some(script) = self.wanted(self.receiver.recv_deadline(until)?) {
                return Ok(script);
            }
        }
    }

    fn wanted(&self, script: QueuedScript) -> Option<QueuedScript> {
        self.meters.taken(script.access);
        let is_wanted = script.script.is_wanted();
        if is_wanted {
            let wait = script.queued_at.elapsed();
            self.meters.waited(script.access, wait);
            note_wait(&script.span, wait);
        } else {
            Meters::skipped(script.access);
        }
        is_wanted.then_some(script)
    }
}
