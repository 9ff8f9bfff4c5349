//! Answers kept in memory while what they were made of has not changed.
//!
//! Owns: [`Cache`], a bounded map whose entries end with the next change, and after a while in any case.
//! Invariants: a change made by this process is seen at once; one made by another node or program within `longest`; memory is
//! bounded by the number of entries.
//! Never: decides a limit, a balance or a deadline.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::platform::db::ChangeCounter;
use crate::platform::error::Result;

pub struct Cache<K, V> {
    longest: Duration,
    half: usize,
    kept: Mutex<Kept<K, V>>,
}

/// Two halves: when the young one is full it becomes the old one, and what was not asked for since then is forgotten.
struct Kept<K, V> {
    young: HashMap<K, Entry<V>>,
    old: HashMap<K, Entry<V>>,
}

struct Entry<V> {
    value: V,
    changes: u64,
    until: Instant,
}

impl<K: Eq + Hash, V: Clone> Cache<K, V> {
    /// Keeps at most `most` values, each for `longest` at most; nothing at all if that is no time.
    pub fn new(most: usize, longest: Duration) -> Self {
        let kept = Mutex::new(Kept { young: HashMap::new(), old: HashMap::new() });
        Self { longest, half: (most / 2).max(1), kept }
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
        let changes = made_of.iter().map(|source| source.so_far()).sum();
        if let Some(value) = self.find(&key, changes) {
            return Ok(value);
        }
        // From before it is read: what another node commits meanwhile is seen as late as what it commits now.
        let until = Instant::now() + self.longest;
        let value = read().await?;
        if !self.longest.is_zero() {
            self.lock().keep(key, Entry { value: value.clone(), changes, until }, self.half);
        }
        Ok(value)
    }

    pub fn forget<Q: Eq + Hash + ?Sized>(&self, key: &Q)
    where
        K: Borrow<Q>,
    {
        let mut kept = self.lock();
        kept.young.remove(key);
        kept.old.remove(key);
    }

    fn find(&self, key: &K, changes: u64) -> Option<V> {
        let kept = self.lock();
        let entry = kept.young.get(key).or_else(|| kept.old.get(key))?;
        (entry.changes == changes && Instant::now() < entry.until).then(|| entry.value.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Kept<K, V>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash, V> Kept<K, V> {
    fn keep(&mut self, key: K, entry: Entry<V>, half: usize) {
        if self.young.len() >= half && !self.young.contains_key(&key) {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::error::Error;

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
    async fn a_value_is_read_once() {
        let (cache, mut reads) = (Cache::new(8, LONG), 0);
        assert_eq!(count_reads(&cache, 1, &mut reads).await, 1);
        assert_eq!(count_reads(&cache, 1, &mut reads).await, 1);
        assert_eq!(count_reads(&cache, 2, &mut reads).await, 2);
    }

    #[tokio::test]
    async fn a_forgotten_value_is_read_again() {
        let (cache, mut reads) = (Cache::new(8, LONG), 0);
        count_reads(&cache, 1, &mut reads).await;
        cache.forget(&1);
        assert_eq!(count_reads(&cache, 1, &mut reads).await, 2);
    }

    #[tokio::test]
    async fn nothing_is_kept_for_longer_than_asked() {
        let (cache, mut reads) = (Cache::new(8, Duration::ZERO), 0);
        count_reads(&cache, 1, &mut reads).await;
        assert_eq!(count_reads(&cache, 1, &mut reads).await, 2);
        assert!(cache.lock().young.is_empty());
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
        let failed = cache.get(1, &[&CHANGES], async || Err(Error::NotFound("value"))).await;
        assert!(failed.is_err());
        assert_eq!(count_reads(&cache, 1, &mut reads).await, 1);
    }

    #[tokio::test]
    async fn however_many_are_asked_for_only_so_many_are_kept() {
        let (cache, mut reads) = (Cache::new(8, LONG), 0);
        for key in 0..100 {
            count_reads(&cache, key, &mut reads).await;
        }
        let kept = cache.lock();
        assert!(kept.young.len() + kept.old.len() <= 8);
    }
}
