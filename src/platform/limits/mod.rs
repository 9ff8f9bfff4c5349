//! How often something may happen: an exact sliding window, kept in the database.
//!
//! Owns: the `rate_limits` table. A row holds the moments of the last hits of one caller, newest first, each as 16 digits.
//! Invariants: a hit is counted by one guarded statement, so it is exact under concurrency and across nodes, and it
//! survives a restart; a hit that is refused, taken back, or whose transaction is rolled back, is not counted.
//! Never: stores whom it counts; buckets are named by a keyed hash.

mod store;

use std::collections::{BTreeMap, HashSet};

use crate::platform::clock::{SECOND_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::keys::Keys;

pub use store::{DIGITS, digits, forget_expired};

/// At most `most` hits in any `window_ms`; `code` names the limiter to the caller it refuses.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    pub code: &'static str,
    pub most: i64,
    pub window_ms: i64,
}

/// Whom to count, under a name that does not tell. Made outside a transaction, which has better things to do.
#[derive(Debug, Clone)]
pub struct Who(String);

impl Who {
    pub fn new(keys: &Keys, text: &str) -> Self {
        Self(keys.pseudonym("rate limit", text))
    }

    pub fn user(keys: &Keys, id: impl Into<i64>) -> Self {
        Self::new(keys, &id.into().to_string())
    }
}

/// Refuses, without counting anything, if the next hit by `who` would be refused.
pub fn check(tx: &mut Tx, limit: Limit, who: &Who) -> Result<()> {
    let now = tx.now();
    let oldest = store::find_oldest_hit(tx, &bucket(limit, who), limit.most)?;
    match oldest.and_then(|digits| digits.parse().ok()).map(Timestamp::from_millis) {
        Some(oldest) if oldest > now.plus_ms(-limit.window_ms) => {
            Err(refused(limit, oldest.plus_ms(limit.window_ms).millis_since(now)))
        }
        _ => Ok(()),
    }
}

/// Holds what is counted for `who`, so that whoever counts waits.
pub fn hold(tx: &mut Tx, limit: Limit, who: &Who) -> Result<()> {
    store::find_hits(tx, &bucket(limit, who)).map(drop)
}

/// Counts a hit by `who`, or refuses with the time until the next one is free.
pub fn hit(tx: &mut Tx, limit: Limit, who: &Who) -> Result<()> {
    hit_each(tx, limit, &[who])?.into_iter().collect()
}

/// Counts a hit by each of these, or refuses it, as if they came one after the other.
pub fn hit_each(tx: &mut Tx, limit: Limit, all: &[&Who]) -> Result<Vec<Result<()>>> {
    let now = tx.now();
    let buckets: Vec<String> = all.iter().map(|who| bucket(limit, who)).collect();
    let mut hits: BTreeMap<&str, usize> = BTreeMap::new();
    for bucket in &buckets {
        *hits.entry(bucket).or_default() += 1;
    }
    // More than there is ever room for at once are seen to one by one.
    let at_once: Vec<(&str, usize)> = hits
        .iter()
        .filter(|(_, number)| i64::try_from(**number).is_ok_and(|number| number <= limit.most))
        .map(|(bucket, number)| (*bucket, *number))
        .collect();
    let (before, expires_at) = (now.plus_ms(-limit.window_ms), now.plus_ms(limit.window_ms));
    let counted: HashSet<String> =
        store::insert_hits(tx, &at_once, limit.most, before, expires_at)?.into_iter().collect();
    let hit = |(bucket, who): (&String, &&Who)| {
        if counted.contains(bucket) {
            Ok(Ok(()))
        } else if hits.get(bucket.as_str()).is_some_and(|number| *number > 1) && limit.most > 0 {
            Ok(hit_each(tx, limit, &[who])?.into_iter().collect())
        } else {
            let oldest = store::find_oldest_hit(tx, bucket, limit.most)?;
            let oldest = oldest.and_then(|digits| digits.parse().ok()).unwrap_or(now.as_millis());
            let free_at = Timestamp::from_millis(oldest).plus_ms(limit.window_ms);
            Ok(Err(refused(limit, free_at.millis_since(now))))
        }
    };
    buckets.iter().zip(all).map(hit).collect()
}

/// A hit in writing, for whoever finds out later that it is to be taken back.
pub fn receipt(who: &Who, at: Timestamp) -> String {
    format!("{}:{}", at.as_millis(), who.0)
}

/// Takes back the hits of these receipts, which are separated by spaces.
pub fn take_back_all(tx: &mut Tx, limit: Limit, receipts: &str) -> Result<()> {
    for (at, who) in receipts.split(' ').filter_map(|receipt| receipt.split_once(':')) {
        let at = Timestamp::from_millis(at.parse().map_err(Error::internal)?);
        take_back(tx, limit, &Who(who.to_owned()), at)?;
    }
    Ok(())
}

/// Takes back a hit that was counted at this moment, since nothing came of it.
pub fn take_back(tx: &mut Tx, limit: Limit, who: &Who, at: Timestamp) -> Result<()> {
    let (bucket, digits) = (bucket(limit, who), store::digits(at));
    let Some(hits) = store::find_hits(tx, &bucket)? else { return Ok(()) };
    let mut kept: Vec<&[u8]> = hits.as_bytes().chunks(digits.len()).collect();
    if let Some(place) = kept.iter().position(|hit| *hit == digits.as_bytes()) {
        kept.remove(place);
        let hits = String::from_utf8(kept.concat()).map_err(Error::internal)?;
        store::update_hits(tx, &bucket, &hits)?;
    }
    Ok(())
}

fn bucket(limit: Limit, who: &Who) -> String {
    format!("{}:{}", limit.code, who.0)
}

pub fn refused(limit: Limit, wait_ms: i64) -> Error {
    let seconds = wait_ms.saturating_add(SECOND_MS - 1) / SECOND_MS;
    Error::RateLimited {
        code: limit.code,
        retry_after_s: u64::try_from(seconds).unwrap_or(0).max(1),
    }
}
