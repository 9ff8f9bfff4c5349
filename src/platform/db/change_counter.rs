//! Telling whether something has changed, so that what was read from it can be kept in memory while it stays true.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Counts the commits of this process that changed something. One for the whole process: if two services share it, they
/// read anew more often than they must, and never too rarely.
#[derive(Debug, Default)]
pub struct ChangeCounter {
    so_far: AtomicU64,
    kept_elsewhere: Duration,
}

impl ChangeCounter {
    pub const fn new() -> Self {
        Self::kept_elsewhere_for(Duration::ZERO)
    }

    /// Of something that no node may show any more once its change is answered. Where there are other nodes, which hear nothing of
    /// it but keep nothing for longer than `limit`, the answer waits for so long.
    pub const fn kept_elsewhere_for(limit: Duration) -> Self {
        Self { so_far: AtomicU64::new(0), kept_elsewhere: limit }
    }

    pub(super) fn kept_elsewhere(&self) -> Duration {
        self.kept_elsewhere
    }

    /// To be asked before reading: if it is still the same later, so is what was read.
    pub fn so_far(&self) -> u64 {
        self.so_far.load(Ordering::SeqCst)
    }

    /// After the commit and before its answer, so that whoever has the answer is shown nothing older.
    pub(crate) fn add(&self) {
        self.so_far.fetch_add(1, Ordering::SeqCst);
    }
}

const SHARDS: usize = 64;

/// A [`ChangeCounter`] for each of many things of a kind, so that a change of one does not make worthless what is kept about most others.
#[derive(Debug)]
pub struct ChangeCounters([ChangeCounter; SHARDS]);

impl ChangeCounters {
    #[allow(clippy::new_without_default, reason = "it is for statics, which a default cannot make")]
    pub const fn new() -> Self {
        Self([const { ChangeCounter::new() }; SHARDS])
    }

    pub fn of(&self, id: i64) -> &ChangeCounter {
        let [first, ..] = &self.0;
        let shard = usize::try_from(id).map_or(0, |id| id % SHARDS);
        self.0.get(shard).unwrap_or(first)
    }
}
