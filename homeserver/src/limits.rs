//! Token buckets for users' own tokens. The application service is never limited.

use std::collections::HashMap;
use std::sync::Mutex;

use crate::config::Rate;
use crate::error::{Error, Result};
use crate::live::lock;

/// Users remembered at most. Over it, the fullest buckets (the idle users) are forgotten, which
/// changes nothing for them.
const USERS_MAX: usize = 50_000;

/// A token, in the thousandths that buckets count.
const TOKEN: i64 = 1000;

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

    /// Takes a token of `user`, or says how long to wait.
    pub fn take(&self, user: &str, now: i64) -> Result<()> {
        if self.rate.per_second == 0 {
            return Ok(());
        }
        let (per_second, full) =
            (i64::from(self.rate.per_second), i64::from(self.rate.burst) * TOKEN);
        let mut buckets = lock(&self.buckets);
        if buckets.len() >= USERS_MAX {
            let refill_ms = full / per_second;
            buckets.retain(|_, bucket| now - bucket.at < refill_ms);
        }
        let bucket = buckets.entry(user.to_owned()).or_insert(Bucket { level: full, at: now });
        let elapsed = (now - bucket.at).clamp(0, 3_600_000);
        bucket.level = (bucket.level + elapsed * per_second).min(full);
        bucket.at = now;
        if bucket.level < TOKEN {
            let missing = TOKEN - bucket.level;
            return Err(Error::limited(u64::try_from(missing / per_second + 1).unwrap_or(1)));
        }
        bucket.level -= TOKEN;
        Ok(())
    }
}
