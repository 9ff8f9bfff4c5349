//! How many predictions matches have, kept in memory: every prediction changes a number that every page of matches shows, and
//! reading it anew each time is a wait for all readers of the page.
//!
//! A match's number is spread over several rows of the database, and each row only grows. So the largest number seen of a row is
//! its newest, whether it was read or is told by whoever made a prediction, and in whatever order the two arrive.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::platform::db::ChangeCounter;

use super::EventId;

/// Rows that a match's numbers are spread over.
pub const COUNT_SHARDS: usize = 32;
/// More matches than pages show at a time.
const MOST: usize = 8_192;

#[derive(Default)]
pub struct Counts {
    known: Mutex<HashMap<EventId, Arc<MatchCount>>>,
    /// Of any of the numbers.
    pub changes: ChangeCounter,
    /// Numbers were forgotten: pages that show them hear of no change any more and have to be read anew.
    pub losses: ChangeCounter,
}

/// The number of one match, row by row.
#[derive(Default)]
pub struct MatchCount([AtomicI64; COUNT_SHARDS]);

/// One of a match's rows: which, and its number of predictions.
pub type ShardCount = (usize, i64);

impl Counts {
    /// A prediction was committed. To be told before it is answered, so that whoever has the answer is shown nothing older.
    pub fn tell(&self, event: EventId, shard: ShardCount) {
        self.lock().entry(event).or_default().raise(shard);
        self.changes.add();
    }

    /// Takes what was read of these matches and answers their numbers, which go on with what is told.
    pub fn learn(
        &self,
        events: &[EventId],
        rows: Vec<(EventId, i64, i64)>,
    ) -> Vec<Arc<MatchCount>> {
        let mut known = self.lock();
        if known.len() > MOST {
            known.clear();
            self.losses.add();
        }
        for (event, shard, count) in rows {
            let shard = usize::try_from(shard).unwrap_or(usize::MAX);
            known.entry(event).or_default().raise((shard, count));
        }
        events.iter().map(|event| known.entry(*event).or_default().clone()).collect()
    }

    /// The numbers are sound even if a holder of the lock panicked: each stands for itself.
    fn lock(&self) -> MutexGuard<'_, HashMap<EventId, Arc<MatchCount>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MatchCount {
    pub fn sum(&self) -> i64 {
        self.0.iter().map(|number| number.load(Ordering::SeqCst)).sum()
    }

    fn raise(&self, (shard, count): ShardCount) {
        if let Some(number) = self.0.get(shard) {
            number.fetch_max(count, Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATCH: EventId = EventId(7);

    fn learn(counts: &Counts, rows: Vec<(EventId, i64, i64)>) -> Arc<MatchCount> {
        counts.learn(&[MATCH], rows).remove(0)
    }

    #[test]
    fn what_is_told_counts_at_once_and_whatever_comes_first() {
        let counts = Counts::default();
        counts.tell(MATCH, (3, 5));
        // Read before the fifth prediction of row 3 was committed.
        let number = learn(&counts, vec![(MATCH, 3, 4), (MATCH, 0, 10)]);
        assert_eq!(number.sum(), 15);
        counts.tell(MATCH, (3, 7));
        counts.tell(MATCH, (3, 6));
        assert_eq!(number.sum(), 17);
    }

    #[test]
    fn a_match_without_predictions_has_none() {
        assert_eq!(learn(&Counts::default(), Vec::new()).sum(), 0);
    }

    #[test]
    fn only_so_many_matches_are_remembered_and_a_loss_is_told() {
        let counts = Counts::default();
        for number in 0..20_000 {
            counts.learn(&[EventId(number)], Vec::new());
        }
        assert!(counts.lock().len() <= MOST + 1);
        assert!(counts.losses.so_far() > 0);
    }
}
