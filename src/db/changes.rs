//! Telling whether something has changed, so that what was read from it can be kept in memory while it stays true.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the commits of this process that changed something. One for the whole process: if two services share it, they
/// read anew more often than they must, and never too rarely.
#[derive(Debug, Default)]
pub struct Changes(AtomicU64);

impl Changes {
    pub const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// To be asked before reading: if it is still the same later, so is what was read.
    pub fn so_far(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }

    /// After the commit and before its answer, so that whoever has the answer is shown nothing older.
    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}
