//! The threads around a SQLite file: one writer with group commit, and a few readers.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::RecvTimeoutError;

use crate::platform::db::change_counter::ChangeCounter;
use crate::platform::db::meters::Meters;
use crate::platform::db::notices::{Notice, NoticeChannels};
use crate::platform::db::script::{QueuedScript, Waiting};
use crate::platform::db::tx::Tx;
use crate::platform::error::{DatabaseError, DatabaseResult};

/// How long the writer waits for a quiet moment, or for readers that hold the log.
const CARE_EVERY: Duration = Duration::from_secs(1);
/// A log this large is emptied even if the readers must be waited for. SQLite copies the log by
/// itself every 1000 pages, but starts it anew only at a moment without readers, which under
/// constant load may never come.
const LARGE_LOG_BYTES: u64 = 64 << 20;
/// In a quiet moment a log larger than this is emptied; less is not worth the disk's work.
const SMALL_LOG_BYTES: u64 = 1 << 20;
/// How long writes may stand still for that.
const LARGE_LOG_WAIT: Duration = Duration::from_millis(250);
/// One attempt in that time. While SQLite waits for readers to leave a place in the log, others whom the log's end would serve
/// may take that very place, one after the other, and be waited for as well; a new attempt sees that they do not stand in the way.
const ATTEMPT_WAIT: Duration = Duration::from_millis(15);
/// If readers stood in the way, it is tried again after a while, or when this much has been added: the faster the log grows,
/// the more often writes wait, so its length stays bounded.
const GROWTH_BYTES: u64 = LARGE_LOG_BYTES / 8;
/// No more scripts join a group that has run this long, so that nobody waits for many others.
const GROUP_TIME: Duration = Duration::from_millis(50);

/// How long a commit waits for more scripts, if the last one had more: those whose scripts it answered are likely to be back in
/// a moment, and a sync of the disk costs more than that. Nobody who writes alone ever waits.
const STRAGGLER_TIME: Duration = Duration::from_micros(200);

/// Runs each script in a snapshot of its own.
pub fn read_scripts(mut tx: Tx, waiting: &Waiting) {
    while let Some(mut script) = waiting.next() {
        if let Err(error) = begin_snapshot(&mut tx) {
            script.answer(Err(error));
            continue;
        }
        script.run(&mut tx);
        // Before the answer, so that a caller who has it no longer holds back the log.
        let ended = end_snapshot(&mut tx);
        script.answer(ended);
    }
}

pub fn begin_snapshot(tx: &mut Tx) -> DatabaseResult<()> {
    control(tx, "BEGIN DEFERRED")
}

/// Ends a read's transaction; there is nothing in it that could be lost.
pub fn end_snapshot(tx: &mut Tx) -> DatabaseResult<()> {
    if in_transaction(tx) { control(tx, "COMMIT") } else { Ok(()) }
}

fn control(tx: &mut Tx, sql: &'static str) -> DatabaseResult<()> {
    tx.sqlite()?.control(sql)
}

fn in_transaction(tx: &mut Tx) -> bool {
    tx.sqlite().is_ok_and(|connection| connection.in_transaction())
}

/// The one thread that writes: all scripts that wait share one commit, each in its own savepoint.
pub struct WriterThread {
    pub tx: Tx,
    pub waiting: Waiting,
    pub group_limit: usize,
    pub channels: Arc<NoticeChannels>,
    pub meters: Arc<Meters>,
    pub log: PathBuf,
    pub last_group: usize,
}

/// The scripts of one commit, and what to announce once it is done.
#[derive(Default)]
struct Group {
    members: Vec<QueuedScript>,
    /// For how many callers they ran.
    size: usize,
    notices: Vec<Notice>,
    changed: Vec<&'static ChangeCounter>,
}

impl WriterThread {
    pub fn run(mut self) {
        // When a large log is looked after again: not at once, if readers stood in the way.
        let (mut care_at, mut care_length) = (Instant::now(), LARGE_LOG_BYTES);
        loop {
            match self.waiting.next_within(CARE_EVERY) {
                Ok(script) => {
                    self.run_group(script);
                    let length = self.log_length();
                    let is_time = Instant::now() >= care_at || length >= care_length;
                    if length > LARGE_LOG_BYTES && is_time && !self.empty_log(LARGE_LOG_WAIT) {
                        care_at = Instant::now() + CARE_EVERY;
                        care_length = length + GROWTH_BYTES;
                    }
                }
                // Nothing to write: a good moment, and nobody is made to wait.
                Err(RecvTimeoutError::Timeout) if self.log_length() > SMALL_LOG_BYTES => {
                    self.empty_log(Duration::ZERO);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.empty_log(Duration::ZERO);
    }

    fn run_group(&mut self, first: QueuedScript) {
        if let Err(error) = control(&mut self.tx, "BEGIN IMMEDIATE") {
            first.answer(Err(error));
            return;
        }
        let mut group = Group::default();
        let ended = self.fill(&mut group, first).and_then(|()| self.commit());
        if ended.is_err() && in_transaction(&mut self.tx) {
            // If even this fails, the next BEGIN fails and says so.
            drop(control(&mut self.tx, "ROLLBACK"));
        }
        self.meters.group(group.size);
        // Also if it failed: a commit may have happened although it says that it did not.
        group.changed.iter().for_each(|changed| changed.add());
        if ended.is_ok() {
            for notice in group.notices {
                self.channels.deliver(notice.channel, &notice.payload);
            }
        }
        // Also those whose own script failed: what they saw may never have happened.
        for member in group.members {
            member.answer(ended.clone());
        }
    }

    /// Runs the first script and all that wait; an error means that the whole transaction is gone.
    fn fill(&mut self, group: &mut Group, first: QueuedScript) -> DatabaseResult<()> {
        let started = Instant::now();
        let mut give_up = None;
        let mut next = Some(first);
        while let Some(mut script) = next {
            let outcome = self.run_member(&mut script, group);
            group.size += script.size();
            group.members.push(script);
            outcome?;
            let may_grow = group.size < self.group_limit && started.elapsed() < GROUP_TIME;
            next = if may_grow { self.next_member(group.size, &mut give_up) } else { None };
        }
        self.last_group = group.size;
        Ok(())
    }

    fn next_member(&self, members: usize, give_up: &mut Option<Instant>) -> Option<QueuedScript> {
        if let Ok(script) = self.waiting.try_next() {
            return Some(script);
        }
        if members >= self.last_group {
            return None;
        }
        let now = Instant::now();
        let until = *give_up.get_or_insert(now + STRAGGLER_TIME);
        self.waiting.next_within(until.saturating_duration_since(now)).ok()
    }

    /// One script in its savepoint: if it fails, it is undone alone.
    fn run_member(&mut self, script: &mut QueuedScript, group: &mut Group) -> DatabaseResult<()> {
        control(&mut self.tx, "SAVEPOINT script")?;
        let keep = script.run(&mut self.tx);
        if !in_transaction(&mut self.tx) {
            // A full disk, a failed read or an interrupted write: SQLite undid everything.
            return Err(self.tx.failure().cloned().unwrap_or_else(|| {
                DatabaseError::CommitFailed("the transaction was ended inside a script".to_owned())
            }));
        }
        if keep {
            group.notices.append(&mut self.tx.take_notices());
            group.changed.append(&mut self.tx.take_changes());
        } else {
            control(&mut self.tx, "ROLLBACK TO script")?;
        }
        control(&mut self.tx, "RELEASE script")
    }

    fn commit(&mut self) -> DatabaseResult<()> {
        control(&mut self.tx, "COMMIT").map_err(|error| match error {
            DatabaseError::Full => DatabaseError::Full,
            other => DatabaseError::CommitFailed(other.to_string()),
        })
    }

    fn log_length(&self) -> u64 {
        std::fs::metadata(&self.log).map_or(0, |log| log.len())
    }

    /// Empties the log; false if it could not be. A long reader may prevent it: then a later turn does it, and streams end by
    /// themselves after a while.
    fn empty_log(&mut self, wait: Duration) -> bool {
        let give_up = Instant::now() + wait;
        loop {
            let wait = give_up.saturating_duration_since(Instant::now()).min(ATTEMPT_WAIT);
            let done = self.tx.sqlite().and_then(|connection| connection.checkpoint(wait));
            if done != Ok(false) || wait.is_zero() {
                tracing::debug!(?done, "the log was to be emptied");
                return done.unwrap_or(false);
            }
        }
    }
}
