//! Token buckets for users' own tokens. The application service is never limited.

use std::collections::HashMap;
use std::sync::Mutex;

use crate::config::Rate;
use crate::error::{Error, Result};
use crate::live::lock;

/// Users remembered at most. Over it those are forgotten whose buckets are full again, which changes nothing for them; and if
/// so many are at it at once, all.
const USERS_MAX: usize = 50_000;

const SECOND_MS: i64 = 1000;

pub struct Limiter {
    rate: Rate,
    buckets: Mutex<HashMap<String, Bucket>>,
}

struct Bucket {
    level: i64,
    at: i64,
}

impl Limiter {
    pub fn new(rate: Rate) -> Self {
        Self { rate, buckets: Mutex::default() }
    }

    /// The most that can be taken at once.
    pub fn most(&self) -> usize {
        if self.rate.count == 0 {
            usize::MAX
        } else {
            self.rate.burst.try_into().unwrap_or(usize::MAX)
        }
    }

    /// Takes so many tokens of `user`, or says how long to wait.
    pub fn take(&self, user: &str, tokens: usize, now: i64) -> Result<()> {
        if self.rate.count == 0 || tokens == 0 {
            return Ok(());
        }
        // A token is so large that a bucket gains `count` in a millisecond.
        let (count, token) = (i64::from(self.rate.count), i64::from(self.rate.seconds) * SECOND_MS);
        let full = i64::from(self.rate.burst) * token;
        let wanted = i64::try_from(tokens).unwrap_or(i64::MAX).saturating_mul(token);
        let mut buckets = lock(&self.buckets);
        if buckets.len() >= USERS_MAX && !buckets.contains_key(user) {
            buckets.retain(|_, bucket| bucket.level + (now - bucket.at) * count < full);
            if buckets.len() >= USERS_MAX {
                buckets.clear();
            }
        }
        let bucket = buckets.entry(user.to_owned()).or_insert(Bucket { level: full, at: now });
        let elapsed = (now - bucket.at).clamp(0, 3600 * SECOND_MS);
        bucket.level = (bucket.level + elapsed * count).min(full);
        bucket.at = now;
        if bucket.level < wanted {
            let missing = wanted - bucket.level;
            return Err(Error::limited(u64::try_from(missing / count + 1).unwrap_or(1)));
        }
        bucket.level -= wanted;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate { count: 30, seconds: 60, burst: 30 };

    #[test]
    fn as_much_as_said_is_taken_at_once_and_as_much_again_in_the_time_said() {
        let limiter = Limiter::new(RATE);
        let taken = |now: i64| (0..100).filter(|_| limiter.take("ann", 1, now).is_ok()).count();
        assert_eq!((taken(0), taken(1_999), taken(2_000)), (30, 0, 1));
        assert_eq!(taken(62_000), 30);
        assert!(limiter.take("bob", 31, 0).is_err());
        assert!(limiter.take("bob", 30, 0).is_ok());
    }

    #[test]
    fn a_crowd_is_not_remembered_without_end() {
        let limiter = Limiter::new(RATE);
        for number in 0..i64::try_from(USERS_MAX).unwrap_or(0) * 2 + 10 {
            let _ = limiter.take(&number.to_string(), 1, number / 1_000);
        }
        assert!(lock(&limiter.buckets).len() <= USERS_MAX);
    }
}
