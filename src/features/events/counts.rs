//! How many predictions matches have, kept in memory: every prediction changes a number that every page of matches shows, and
//! on PostgreSQL reading it anew each time is a round trip for which all readers of the page wait.
//!
//! A match's number is spread over several rows of the database, and each row only grows. So the largest number seen of a row is
//! its newest, whether it was read or is told by whoever made a prediction, and in whatever order the two arrive.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::platform::db::ChangeCounter;

use super::EventId;

/// Rows that a match's numbers are spread over.
pub const COUNT_SHARDS: usize = 32;
/// How late what other nodes count may be seen.
const KEPT: Duration = Duration::from_millis(500);
/// More matches than pages show at a time.
const MOST: usize = 8_192;

#[derive(Default)]
pub struct Counts {
    known: Mutex<HashMap<EventId, Known>>,
    pub changes: ChangeCounter,
}

#[derive(Default)]
struct Known {
    shards: [i64; COUNT_SHARDS],
    /// None if only some of the rows are known.
    until: Option<Instant>,
}

/// One of a match's rows: which, and its number of predictions.
pub type ShardCount = (usize, i64);

impl Counts {
    /// A prediction was committed. To be told before it is answered, so that whoever has the answer is shown nothing older.
    pub fn tell(&self, event: EventId, shard: ShardCount) {
        self.lock().entry(event).or_default().raise(shard);
        self.changes.add();
    }

    /// The numbers of these matches, if all are known and none is too old.
    pub fn get(&self, events: &[EventId]) -> Option<BTreeMap<EventId, i64>> {
        let (known, now) = (self.lock(), Instant::now());
        let number = |event: &EventId| {
            let known = known.get(event).filter(|known| known.until > Some(now))?;
            Some((*event, known.shards.iter().sum()))
        };
        events.iter().map(number).collect()
    }

    /// Takes what was read of these matches, after `read_at`, and answers their numbers.
    pub fn learn(
        &self,
        events: &[EventId],
        rows: Vec<(EventId, i64, i64)>,
        read_at: Instant,
    ) -> BTreeMap<EventId, i64> {
        let mut known = self.lock();
        if known.len() > MOST {
            known.retain(|_, known| known.until > Some(read_at));
        }
        for event in events {
            known.entry(*event).or_default().until = Some(read_at + KEPT);
        }
        for (event, shard, count) in rows {
            let shard = usize::try_from(shard).unwrap_or(usize::MAX);
            known.entry(event).or_default().raise((shard, count));
        }
        let number =
            |event: &EventId| known.get(event).map_or(0, |known| known.shards.iter().sum());
        events.iter().map(|event| (*event, number(event))).collect()
    }

    /// The numbers are sound even if a holder of the lock panicked: each stands for itself.
    fn lock(&self) -> MutexGuard<'_, HashMap<EventId, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn raise(&mut self, (shard, count): ShardCount) {
        if let Some(known) = self.shards.get_mut(shard) {
            *known = count.max(*known);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATCH: EventId = EventId(7);

    #[test]
    fn what_is_told_counts_at_once_and_whatever_comes_first() {
        let counts = Counts::default();
        counts.tell(MATCH, (3, 5));
        assert_eq!(counts.get(&[MATCH]), None, "the other rows are not known");
        // Read before the fifth prediction of row 3 was committed.
        let read = vec![(MATCH, 3, 4), (MATCH, 0, 10)];
        assert_eq!(counts.learn(&[MATCH], read, Instant::now()), BTreeMap::from([(MATCH, 15)]));
        counts.tell(MATCH, (3, 7));
        counts.tell(MATCH, (3, 6));
        assert_eq!(counts.get(&[MATCH]), Some(BTreeMap::from([(MATCH, 17)])));
    }

    #[test]
    fn a_match_without_predictions_has_none() {
        let counts = Counts::default();
        assert_eq!(counts.learn(&[MATCH], Vec::new(), Instant::now())[&MATCH], 0);
        assert_eq!(counts.get(&[MATCH]), Some(BTreeMap::from([(MATCH, 0)])));
    }

    #[test]
    fn what_was_read_a_while_ago_is_read_again() {
        let counts = Counts::default();
        let Some(long_ago) = Instant::now().checked_sub(KEPT) else { return };
        counts.learn(&[MATCH], Vec::new(), long_ago);
        assert_eq!(counts.get(&[MATCH]), None);
    }

    #[test]
    fn only_so_many_matches_are_remembered() {
        let counts = Counts::default();
        for number in 0..20_000 {
            counts.tell(EventId(number), (0, 1));
            if number % 100 == 0 {
                counts.learn(&[MATCH], Vec::new(), Instant::now());
            }
        }
        assert!(counts.lock().len() <= MOST + 101);
    }
}
