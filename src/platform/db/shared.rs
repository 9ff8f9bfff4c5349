//! Callers that wait, share: wishes of one kind that wait at the same moment are granted by one script over all of them. On SQLite that is so
//! of writes; a lookup is done on the caller's thread.
//!
//! Nobody waits for company: whoever comes while nothing of the kind runs goes at once, and alone if nobody else is there. Those
//! who come while it does go together as soon as there is a connection for them, on SQLite in the same commit. So what a statement costs is
//! divided by as many as are in a hurry.

use std::any::type_name;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tracing::Span;

use super::meters::Meters;
use super::script::{Access, Answered, Reply, Script, guarded, note_wait, told};
use super::tx::Tx;
use super::{Db, Engine};
use crate::platform::error::{DatabaseError, DatabaseResult, Error, Result};

/// Wishes that one run grants at most: beyond this a statement gets no cheaper, and the first would wait for the last.
const MOST_AT_ONCE: usize = 64;
/// Runs of a kind at the same time: while the server works on one, the next is made ready. More of them would each
/// take fewer wishes.
const RUNS: usize = 2;
/// A run that takes this long is held up, as by a lock, and another may begin in its place.
const HELD_UP: Duration = Duration::from_millis(50);

/// One of many wishes of the same kind.
pub trait Wish: Send + Sync + 'static {
    type Granted: Send + 'static;
    /// Whether it is granted in a transaction, or found without one as by [`Db::lookup`].
    const WRITES: bool;

    /// Two wishes of the same turn are never granted by one run: what a script changes for the first, the second has to find.
    fn turn(&self) -> Option<u64> {
        None
    }

    /// Grants or refuses each, in their order. What was written for one that is refused stays, as its neighbours' does: it is what is
    /// meant to stay, such as a counted try, or nothing. An error of the whole, as of a statement, undoes all of it; each is then tried
    /// alone.
    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<Self::Granted>>>
    where
        Self: Sized;
}

/// Where wishes of one kind wait for each other; clones are the same place.
pub struct Shared<W: Wish>(Arc<Line<W>>);

impl<W: Wish> Clone for Shared<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

struct Line<W: Wish> {
    db: Db,
    state: Mutex<State<W>>,
}

struct State<W: Wish> {
    waiting: VecDeque<Waiting<W>>,
    /// Of runs that failed: one of them may be why, so each goes alone.
    alone: VecDeque<Waiting<W>>,
    /// The runs under way by their numbers, and since when each has its wishes.
    runs: BTreeMap<u64, Option<Instant>>,
    last_run: u64,
    engine: Engine,
}

impl<W: Wish> State<W> {
    /// The number of one more run, if any wish waits and it may begin.
    fn begin_run(&mut self) -> Option<u64> {
        let is_idle = self.waiting.is_empty() && self.alone.is_empty();
        if is_idle || !self.has_room() {
            return None;
        }
        self.last_run += 1;
        self.runs.insert(self.last_run, None);
        Some(self.last_run)
    }

    /// Whether one more run would not take from those under way what they could do together.
    fn has_room(&self) -> bool {
        match self.engine {
            // The one writer runs them one after the other: whoever comes goes with the one that is still to begin.
            Engine::Sqlite => self.runs.values().all(Option::is_some),
            Engine::Postgres => {
                let is_going_on =
                    |since: &&Option<Instant>| since.is_none_or(|it| it.elapsed() < HELD_UP);
                self.runs.values().filter(is_going_on).count() < RUNS
            }
        }
    }
}

struct Waiting<W: Wish> {
    wish: W,
    since: Instant,
    reply: Reply<W::Granted>,
    span: Span,
}

impl<W: Wish> Shared<W> {
    pub fn new(db: &Db) -> Self {
        let (waiting, alone) = (VecDeque::new(), VecDeque::new());
        let (runs, engine) = (BTreeMap::new(), db.engine());
        let state = Mutex::new(State { waiting, alone, runs, last_run: 0, engine });
        Self(Arc::new(Line { db: db.clone(), state }))
    }

    /// Answered once it is granted, after the commit if it writes; or why it is not.
    pub async fn ask(&self, wish: W) -> Result<W::Granted> {
        let db = &self.0.db;
        if db.engine() == Engine::Sqlite && !W::WRITES {
            // A lookup is done there sooner than others could be waited for.
            let grant = move |tx: &mut Tx| grant_all(tx, std::slice::from_ref(&wish));
            let granted = db.lookup_as(type_name::<W>, grant).await;
            return granted?.pop().unwrap_or_else(|| Err(not_all()));
        }
        let (reply, answer) = oneshot::channel();
        let span = Line::<W>::ACCESS.span(type_name::<W>);
        self.0.add(Waiting { wish, since: Instant::now(), reply, span: span.clone() })?;
        let mut answer = pin!(told(answer));
        loop {
            if let Ok(answer) = tokio::time::timeout(HELD_UP, &mut answer).await {
                return answer;
            }
            self.0.begin_run();
        }
    }
}

/// Rows that each begin with the position of a wish, one for each of so many at most: what was found for each of them.
pub fn by_position<T>(number: usize, rows: Vec<(i64, T)>) -> Vec<Option<T>> {
    let mut found: Vec<Option<T>> = std::iter::repeat_with(|| None).take(number).collect();
    for (position, row) in rows {
        let place = usize::try_from(position).ok().and_then(|position| found.get_mut(position));
        if let Some(place) = place {
            *place = Some(row);
        }
    }
    found
}

/// The same for rows of which a wish may have any number: all that were found for each, in their order.
pub fn all_by_position<T>(number: usize, rows: Vec<(i64, T)>) -> Vec<Vec<T>> {
    let mut found: Vec<Vec<T>> = std::iter::repeat_with(Vec::new).take(number).collect();
    for (position, row) in rows {
        let place = usize::try_from(position).ok().and_then(|position| found.get_mut(position));
        if let Some(place) = place {
            place.push(row);
        }
    }
    found
}

fn grant_all<W: Wish>(tx: &mut Tx, wishes: &[W]) -> Result<Vec<Result<W::Granted>>> {
    let granted = W::grant(tx, wishes)?;
    if granted.len() == wishes.len() { Ok(granted) } else { Err(not_all()) }
}

fn not_all() -> Error {
    Error::internal("a script over wishes has to answer each of them")
}

impl<W: Wish> Line<W> {
    const ACCESS: Access = if W::WRITES { Access::Write } else { Access::Lookup };

    fn add(self: &Arc<Self>, waiting: Waiting<W>) -> DatabaseResult<()> {
        let mut state = self.lock();
        if state.waiting.len() >= self.db.inner.queue_limit {
            return Err(DatabaseError::Busy("too many wishes wait".to_owned()));
        }
        state.waiting.push_back(waiting);
        self.db.inner.meters.queued(Self::ACCESS);
        drop(state);
        self.begin_run();
        Ok(())
    }

    fn begin_run(self: &Arc<Self>) {
        let begun = self.lock().begin_run();
        if let Some(number) = begun {
            self.queue_run(number);
        }
    }

    fn queue_run(self: &Arc<Self>, number: u64) {
        let queue = self.db.inner.queue_of(Self::ACCESS);
        if let Err(error) = queue.push(Self::ACCESS, Box::new(self.new_run(number)), Span::none()) {
            self.give_up(number, &error);
        }
    }

    fn new_run(self: &Arc<Self>, number: u64) -> Run<W> {
        let line = Arc::clone(self);
        Run { line, number, wishes: Vec::new(), askers: Vec::new(), returned: None }
    }

    /// A run could not even begin. Those of other runs are still to come if there are any.
    fn give_up(&self, number: u64, error: &DatabaseError) {
        let mut state = self.lock();
        state.runs.remove(&number);
        if state.runs.is_empty() {
            let State { waiting, alone, .. } = &mut *state;
            for _ in &*waiting {
                self.db.inner.meters.taken(Self::ACCESS);
            }
            for left in waiting.drain(..).chain(alone.drain(..)) {
                drop(left.reply.send((Err(error.clone().into()), Duration::ZERO)));
            }
        }
    }

    /// Those whose turn it is, of whom somebody still waits for an answer.
    fn take(&self, number: u64) -> Vec<Waiting<W>> {
        let mut state = self.lock();
        state.runs.insert(number, Some(Instant::now()));
        while let Some(one) = state.alone.pop_front() {
            if !one.reply.is_closed() {
                return vec![one];
            }
        }
        let mut taken = Vec::new();
        let (mut turns, mut later) = (HashSet::new(), VecDeque::new());
        while taken.len() < MOST_AT_ONCE {
            let Some(next) = state.waiting.pop_front() else { break };
            if next.reply.is_closed() {
                Meters::skipped(Self::ACCESS);
            } else if next.wish.turn().is_none_or(|turn| turns.insert(turn)) {
                taken.push(next);
            } else {
                later.push_back(next);
                continue;
            }
            self.db.inner.meters.taken(Self::ACCESS);
        }
        later.append(&mut state.waiting);
        state.waiting = later;
        taken
    }

    /// The run is over; answers the next if anybody waits.
    fn end_run(
        self: &Arc<Self>,
        number: u64,
        to_be_tried_alone: Vec<Waiting<W>>,
    ) -> Option<Run<W>> {
        let mut state = self.lock();
        state.alone.extend(to_be_tried_alone);
        state.runs.remove(&number);
        let next = state.begin_run();
        drop(state);
        next.map(|number| self.new_run(number))
    }

    /// Sound even if a holder of the lock panicked: nothing in it is half done.
    fn lock(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One script over as many wishes as wait when it begins.
struct Run<W: Wish> {
    line: Arc<Line<W>>,
    number: u64,
    wishes: Vec<W>,
    askers: Vec<Asker<W::Granted>>,
    returned: Option<Result<Vec<Result<W::Granted>>>>,
}

struct Asker<G> {
    since: Instant,
    reply: Reply<G>,
    span: Span,
}

impl<W: Wish> Run<W> {
    fn take(&mut self) {
        for Waiting { wish, since, reply, span } in self.line.take(self.number) {
            note_wait(&span, since.elapsed());
            self.wishes.push(wish);
            self.askers.push(Asker { since, reply, span });
        }
    }

    fn answer_all(askers: Vec<Asker<W::Granted>>, mut answer: impl FnMut() -> Result<W::Granted>) {
        for asker in askers {
            asker.answer(answer(), Duration::ZERO);
        }
    }
}

impl<G> Asker<G> {
    /// A caller who has gone away does not undo what was done. The span is over before that of a caller who has the answer.
    fn answer(self, answer: Result<G>, wait: Duration) {
        drop(self.span);
        drop(self.reply.send((answer, wait)));
    }
}

impl<W: Wish> Script for Run<W> {
    /// Whoever has gone is left out when it begins.
    fn is_wanted(&self) -> bool {
        true
    }

    fn run(&mut self, tx: &mut Tx) -> bool {
        if self.wishes.is_empty() {
            self.take();
            self.line.db.inner.meters.wishes(self.wishes.len());
            // Those whose turn it was not, on SQLite before this one has ended.
            self.line.begin_run();
        }
        if self.wishes.is_empty() {
            return false;
        }
        // What is done for many is part of nobody's trace alone.
        if let [asker] = self.askers.as_slice() {
            tx.run_in(&asker.span);
        }
        let returned = guarded(tx, |tx| grant_all(tx, &self.wishes));
        let keep = returned.is_ok();
        self.returned = Some(returned);
        keep
    }

    fn size(&self) -> usize {
        self.wishes.len()
    }

    fn requeue(self: Box<Self>) {
        self.line.queue_run(self.number);
    }

    fn answer(mut self: Box<Self>, ended: DatabaseResult<()>, wait: Duration) -> Answered {
        if ended.is_err() && self.wishes.is_empty() {
            // It never began, as while the server is away.
            self.take();
        }
        let Self { line, number, wishes, askers, returned } = *self;
        let outcome = match (ended, returned) {
            (Ok(()), Some(returned)) => returned,
            (Ok(()), None) => Ok(Vec::new()),
            (Err(error), _) => Err(error.into()),
        };
        let mut to_be_tried_alone = Vec::new();
        let mut refused_with = None;
        match outcome {
            Ok(granted) => {
                for (asker, granted) in askers.into_iter().zip(granted) {
                    asker.answer(granted, wait);
                }
            }
            Err(Error::Database(error)) if !may_be_of_one_wish(&error) || askers.len() == 1 => {
                refused_with = Some(error.label());
                Self::answer_all(askers, || Err(error.clone().into()));
            }
            Err(_) if askers.len() > 1 => {
                let each = wishes.into_iter().zip(askers);
                let waiting =
                    |(wish, Asker { since, reply, span })| Waiting { wish, since, reply, span };
                to_be_tried_alone.extend(each.map(waiting));
            }
            Err(error) => {
                let mut error = Some(error);
                let closed = || DatabaseError::Closed.into();
                Self::answer_all(askers, || Err(error.take().unwrap_or_else(closed)));
            }
        }
        let next =
            line.end_run(number, to_be_tried_alone).map(|run| -> Box<dyn Script> { Box::new(run) });
        Answered { error: refused_with, next }
    }
}

/// Not what the database would do to any of them, nor what may have been committed after all.
fn may_be_of_one_wish(error: &DatabaseError) -> bool {
    matches!(
        error,
        DatabaseError::Unique { .. }
            | DatabaseError::Serialization(_)
            | DatabaseError::Busy(_)
            | DatabaseError::Panicked
            | DatabaseError::Mismatch(_)
            | DatabaseError::Other(_)
    )
}
