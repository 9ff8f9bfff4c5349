//! How often something may happen: an exact sliding window, kept in the database.
//!
//! Owns: the `rate_limits` table. A row holds the moments of the last hits of one caller, newest first, each as 16 digits.
//! Invariants: a hit is counted by one guarded statement, so it is exact under concurrency and across nodes, and it
//! survives a restart; a hit that is refused, taken back, or whose transaction is rolled back, is not counted.
//! Never: stores whom it counts; buckets are named by a keyed hash.

mod store;

use std::collections::{BTreeMap, HashMap, HashSet};

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

/// Refuses each, without counting anything, whose next hit would be refused.
pub fn check_each(tx: &mut Tx, limit: Limit, all: &[&Who]) -> Result<Vec<Result<()>>> {
    let buckets: Vec<String> = all.iter().map(|who| bucket(limit, who)).collect();
    let oldest: HashMap<_, _> = oldest_hits(tx, limit, &buckets)?;
    let before = tx.now().plus_ms(-limit.window_ms);
    let check = |bucket: &String| match oldest.get(bucket) {
        Some(oldest) if *oldest > before => Err(refused_since(limit, *oldest, tx.now())),
        _ => Ok(()),
    };
    Ok(buckets.iter().map(check).collect())
}

/// The oldest of the last hits of each bucket that has as many as the limit allows.
fn oldest_hits(
    tx: &mut Tx,
    limit: Limit,
    buckets: &[String],
) -> Result<HashMap<String, Timestamp>> {
    let found = store::list_oldest_hits(tx, buckets, limit.most)?;
    let moment = |(bucket, digits): (String, String)| {
        Some((bucket, Timestamp::from_millis(digits.parse().ok()?)))
    };
    Ok(found.into_iter().filter_map(moment).collect())
}

fn refused_since(limit: Limit, oldest: Timestamp, now: Timestamp) -> Error {
    refused(limit, oldest.plus_ms(limit.window_ms).millis_since(now))
}

/// Holds what is counted for each of these, so that whoever counts waits.
pub fn hold_each(tx: &mut Tx, limit: Limit, all: &[&Who]) -> Result<()> {
    let buckets: Vec<String> = all.iter().map(|who| bucket(limit, who)).collect();
    store::hold_hits(tx, &buckets).map(drop)
}

/// Counts a hit by `who`, or refuses with the time until the next one is free.
pub fn hit(tx: &mut Tx, limit: Limit, who: &Who) -> Result<()> {
    let now = tx.now();
    hit_each(tx, limit, &[who], now)?.into_iter().collect()
}

/// Counts a hit at this moment by each of these, or refuses it, as if they came one after the other.
pub fn hit_each(
    tx: &mut Tx,
    limit: Limit,
    all: &[&Who],
    now: Timestamp,
) -> Result<Vec<Result<()>>> {
    if all.is_empty() {
        return Ok(Vec::new());
    }
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
    let counted: HashSet<String> =
        store::insert_hits(tx, &at_once, limit, now)?.into_iter().collect();
    let hit = |(bucket, who): (&String, &&Who)| {
        if counted.contains(bucket) {
            Ok(Ok(()))
        } else if hits.get(bucket.as_str()).is_some_and(|number| *number > 1) && limit.most > 0 {
            Ok(hit_each(tx, limit, &[who], now)?.into_iter().collect())
        } else {
            let oldest = oldest_hits(tx, limit, std::slice::from_ref(bucket))?.remove(bucket);
            Ok(Err(refused_since(limit, oldest.unwrap_or(now), now)))
        }
    };
    buckets.iter().zip(all).map(hit).collect()
}

/// A hit in writing, for whoever finds out later that it is to be taken back.
pub fn receipt(who: &Who, at: Timestamp) -> String {
    format!("{}:{}", at.as_millis(), who.0)
}

/// Takes back the hits of these receipts, each of which may be several that are separated by spaces.
pub fn take_back_receipts(tx: &mut Tx, limit: Limit, receipts: &[String]) -> Result<()> {
    let receipts = receipts.iter().flat_map(|receipts| receipts.split(' '));
    let hit = |receipt: &str| {
        let (at, who) = receipt.split_once(':')?;
        Some((Who(who.to_owned()), Timestamp::from_millis(at.parse().ok()?)))
    };
    let hits: Vec<(Who, Timestamp)> = receipts.filter_map(hit).collect();
    let hits: Vec<(&Who, Timestamp)> = hits.iter().map(|(who, at)| (who, *at)).collect();
    take_back_each(tx, limit, &hits)
}

/// Takes back hits that were counted at these moments, since nothing came of them.
pub fn take_back_each(tx: &mut Tx, limit: Limit, hits: &[(&Who, Timestamp)]) -> Result<()> {
    if hits.is_empty() {
        return Ok(());
    }
    let mut gone: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (who, at) in hits {
        gone.entry(bucket(limit, who)).or_default().push(digits(*at));
    }
    let buckets: Vec<String> = gone.keys().cloned().collect();
    let mut kept = store::hold_hits(tx, &buckets)?;
    for (bucket, hits) in &mut kept {
        for hit in gone.get(bucket).into_iter().flatten() {
            let place = hits.as_bytes().chunks(hit.len()).position(|kept| kept == hit.as_bytes());
            if let Some(place) = place {
                let start = place * hit.len();
                hits.replace_range(start..start + hit.len(), "");
            }
        }
    }
    store::update_hits(tx, &kept).map(drop)
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
