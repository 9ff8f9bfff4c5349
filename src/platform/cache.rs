//! Answers kept in memory while what they were made of has not changed.
//!
//! Owns: [`Cache`], a bounded map whose entries end with the next change, and after a while in any case.
//! Invariants: a change made by this process is seen at once; one made by another node or program within `longest`; memory is
//! bounded by the number of entries; of many callers who miss the same answer at once, one reads it and the others wait for it.
//! Never: decides a limit, a balance or a deadline.

use std::hash::Hash;
use std::time::{Duration, Instant};

use quick_cache::sync::{Cache as Kept, EntryAction, EntryResult};

use crate::platform::db::ChangeCounter;
use crate::platform::error::Result;

pub struct Cache<K, V> {
    longest: Duration,
    kept: Kept<K, Entry<V>>,
}

#[derive(Clone)]
struct Entry<V> {
    value: V,
    changes: u64,
    until: Instant,
}

impl<V> Entry<V> {
    /// For somebody who has seen so many changes: what was read after more of them is as good.
    fn is_good(&self, changes: u64) -> bool {
        self.changes >= changes && Instant::now() < self.until
    }
}

impl<K: Eq + Hash + Clone, V: Clone> Cache<K, V> {
    /// Keeps about `most` values, each for `longest` at most; nothing at all if that is no time.
    pub fn new(most: usize, longest: Duration) -> Self {
        Self { longest, kept: Kept::new(most) }
    }

    /// What is kept for `key`, if none of what it was made of has changed, or what `read` finds. An error is not kept.
    pub async fn get<R>(
        &self,
        key: K,
        made_of: &[&ChangeCounter],
        read: impl FnOnce() -> R,
    ) -> Result<V>
    where
        R: Future<Output = Result<V>>,
    {
        let count_changes = || made_of.iter().map(|source| source.so_far()).sum();
        let changes = count_changes();
        if let Some(entry) = self.kept.get(&key).filter(|entry| entry.is_good(changes)) {
            return Ok(entry.value);
        }
        // A caller who waits for another's answer looks at it as at any other: it may be from before a change.
        let check = |_: &K, entry: &mut Entry<V>| {
            if entry.is_good(changes) {
                EntryAction::Retain(entry.value.clone())
            } else {
                EntryAction::ReplaceWithGuard
            }
        };
        let place = match self.kept.entry_async(&key, check).await {
            EntryResult::Retained(value) => return Ok(value),
            EntryResult::Replaced(place, _) | EntryResult::Vacant(place) => Some(place),
            EntryResult::Removed(..) | EntryResult::Timeout => None,
        };
        // Both from before it is read, and after the wait for its place: what another node commits meanwhile is seen as late as what it
        // commits now, and those who came during the wait need not read again.
        let changes = count_changes();
        let until = Instant::now() + self.longest;
        let value = read().await?;
        if let Some(place) = place {
            // An error means that the answer was to be forgotten while it was read.
            let _ = place.insert(Entry { value: value.clone(), changes, until });
        }
        Ok(value)
    }

    pub fn forget(&self, key: &K) {
        self.kept.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use futures_util::future::join_all;

    use super::*;

    static CHANGES: ChangeCounter = ChangeCounter::new();
    const LONG: Duration = Duration::from_secs(3_600);

    async fn count_reads(cache: &Cache<u32, u32>, key: u32, reads: &mut u32) -> u32 {
        let read = async || {
            *reads += 1;
            Ok(*reads)
        };
        cache.get(key, &[&CHANGES], read).await.unwrap()
    }

    #[tokio::test]
    async fn a_value_is_read_once_until_it_is_forgotten() {
        let (cache, mut reads) = (Cache::new(8, LONG), 0);
        assert_eq!(count_reads(&cache, 1, &mut reads).await, 1);
        assert_eq!(count_reads(&cache, 1, &mut reads).await, 1);
        assert_eq!(count_reads(&cache, 2, &mut reads).await, 2);
        cache.forget(&1);
        assert_eq!(count_reads(&cache, 1, &mut reads).await, 3);
    }

    #[tokio::test]
    async fn nothing_is_kept_for_longer_than_asked() {
        let (cache, mut reads) = (Cache::new(8, Duration::ZERO), 0);
        count_reads(&cache, 1, &mut reads).await;
        assert_eq!(count_reads(&cache, 1, &mut reads).await, 2);
    }

    #[tokio::test]
    async fn a_value_read_before_a_change_is_not_shown_after_it() {
        static CHANGES: ChangeCounter = ChangeCounter::new();
        let cache = Cache::new(8, LONG);
        let read = async || {
            // As if a commit came between the snapshot and the keeping.
            CHANGES.add();
            Ok(99)
        };
        assert_eq!(cache.get(1, &[&CHANGES], read).await.unwrap(), 99);
        assert_eq!(cache.get(1, &[&CHANGES], async || Ok(1)).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn an_error_is_not_kept() {
        let (cache, mut reads) = (Cache::new(8, LONG), 0);
        let failed = cache.get(1, &[&CHANGES], async || Err(not_found!("user"))).await;
        assert!(failed.is_err());
        assert_eq!(count_reads(&cache, 1, &mut reads).await, 1);
    }

    #[tokio::test]
    async fn however_many_are_asked_for_only_so_many_are_kept() {
        let (cache, mut reads) = (Cache::new(8, LONG), 0);
        for key in 0..100 {
            count_reads(&cache, key, &mut reads).await;
        }
        assert!(cache.kept.len() <= 8, "{}", cache.kept.len());
    }

    #[tokio::test]
    async fn of_many_who_miss_at_once_one_reads() {
        let cache = Cache::new(8, LONG);
        let reads = AtomicU32::new(0);
        let read = async || {
            reads.fetch_add(1, Ordering::SeqCst);
            tokio::task::yield_now().await;
            Ok(7)
        };
        let made_of = [&CHANGES];
        let all = join_all((0..20).map(|_| cache.get(1, &made_of, read))).await;
        assert!(all.into_iter().all(|value| value.unwrap() == 7));
        assert_eq!(reads.into_inner(), 1);
    }

    #[tokio::test]
    async fn who_came_before_a_change_takes_what_was_read_after_it() {
        static CHANGES: ChangeCounter = ChangeCounter::new();
        let cache = Cache::new(8, LONG);
        let reads = AtomicU32::new(0);
        let read = async || {
            // A change while it is read: all who wait have come before it, and the first of them reads for all.
            if reads.fetch_add(1, Ordering::SeqCst) == 0 {
                tokio::task::yield_now().await;
                CHANGES.add();
            }
            Ok(7)
        };
        let made_of = [&CHANGES];
        join_all((0..20).map(|_| cache.get(1, &made_of, read))).await;
        cache.get(1, &made_of, read).await.unwrap();
        assert_eq!(reads.into_inner(), 2, "one before the change and one after it");
    }

    #[tokio::test]
    async fn who_waits_for_a_reader_that_fails_reads_too() {
        let cache = Cache::new(8, LONG);
        let fail = async || {
            tokio::task::yield_now().await;
            Err(not_found!("user"))
        };
        let made_of = [&CHANGES];
        let (failed, found) =
            tokio::join!(cache.get(1, &made_of, fail), cache.get(1, &made_of, async || Ok(3)));
        assert!(failed.is_err());
        assert_eq!(found.unwrap(), 3);
    }
}
