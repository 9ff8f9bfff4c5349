//! How much of the house one caller holds at once: connections, requests in work, live streams.
//!
//! Owns: the count of what each caller holds on this node, and the refusal of one place too many.
//! Invariants: a place is given back when it is dropped, whatever ended its use; whoever holds nothing is not remembered.
//! Never: waits for a place, or counts over time (that is `platform::limits`, in the database).

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::platform::error::{Error, Result};

/// A place can come free at any moment.
const RETRY_S: u64 = 1;

/// Whom a place is counted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Holder {
    /// An IPv4 address, or the first address of an IPv6 /64.
    Address(IpAddr),
    User(i64),
}

/// At most `most` places for each holder; `code` names the limit to whom it refuses, and in the metrics.
#[derive(Clone)]
pub struct Places {
    code: &'static str,
    most: usize,
    held: Arc<Mutex<HashMap<Holder, usize>>>,
}

impl Places {
    pub fn new(code: &'static str, most: usize) -> Self {
        Self { code, most, held: Arc::default() }
    }

    pub fn take(&self, holder: Holder) -> Result<Place> {
        let mut held = lock(&self.held);
        let count = held.entry(holder).or_default();
        if *count < self.most {
            *count += 1;
            return Ok(Place { holder, held: Arc::clone(&self.held) });
        }
        drop(held);
        metrics::counter!("touchline_http_refused_total", "reason" => self.code).increment(1);
        Err(Error::RateLimited { code: self.code, retry_after_s: RETRY_S })
    }
}

/// One place, for as long as this is kept.
pub struct Place {
    holder: Holder,
    held: Arc<Mutex<HashMap<Holder, usize>>>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut held = lock(&self.held);
        match held.get_mut(&self.holder) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(held.remove(&self.holder)),
        }
    }
}

/// Counts are sound even if a holder of the lock panicked: nothing happens between reading and writing one.
fn lock(held: &Mutex<HashMap<Holder, usize>>) -> MutexGuard<'_, HashMap<Holder, usize>> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_free_again_when_it_is_dropped_and_nobody_is_remembered() {
        let (places, ana, ben) = (Places::new("limit", 2), Holder::User(1), Holder::User(2));
        let first = places.take(ana).unwrap();
        let second = places.take(ana).unwrap();
        assert!(matches!(places.take(ana), Err(Error::RateLimited { code: "limit", .. })));
        drop(places.take(ben).unwrap());
        drop(first);
        drop(places.take(ana).unwrap());
        drop(second);
        assert!(lock(&places.held).is_empty());
    }
}
