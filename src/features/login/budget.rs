//! The day's budget of messages, and its reserve for phones that have an account.
//!
//! A day is counted in sixteen parts, each with its share of the budget, so that senders on PostgreSQL rarely wait for one another.
//! No part passes its share, so the whole is never passed; and a message is refused only when every part has used its share up.

use crate::features::users::{self, Phone};
use crate::platform::clock::{self, DAY_MS, Timestamp};
use crate::platform::config::{ConfigError, LoginConfig};
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::limits::{self, Limit};

use super::store;

pub fn check(settings: &LoginConfig) -> Result<(), ConfigError> {
    if (0..=100).contains(&settings.budget_reserve_percent) {
        return Ok(());
    }
    Err(ConfigError::new("login.budget_reserve_percent must be between 0 and 100."))
}

/// Counts a message to this phone, or refuses it until midnight. Answers in which part it was counted, if there is a budget at all.
pub fn spend(tx: &mut Tx, settings: &LoginConfig, phone: &Phone) -> Result<Option<i64>> {
    let (now, budget) = (tx.now(), settings.sends_a_day_in_all);
    if budget <= 0 {
        return Ok(None);
    }
    let day = now.utc_day();
    let mut part = take(tx, day, budget)?;
    if part.is_none() && users::is_phone_of_somebody(tx, phone)? {
        part = take(tx, day, budget.saturating_add(reserve(settings)))?;
    }
    if part.is_some() {
        return Ok(part);
    }
    tracing::warn!(
        "the day's budget of messages is used up: strangers get no code before midnight UTC"
    );
    let midnight = Timestamp::start_of_utc_day(day + 1);
    let limit = Limit { code: "sms_budget", most: budget, window_ms: DAY_MS };
    Err(limits::refused(limit, midnight.millis_since(now)))
}

/// Rounded up, so that even a small budget has one.
fn reserve(settings: &LoginConfig) -> i64 {
    let hundredfold = settings.sends_a_day_in_all.saturating_mul(settings.budget_reserve_percent);
    hundredfold.saturating_add(99) / 100
}

/// One message of `most` a day, from a part that has some left.
fn take(tx: &mut Tx, day: i64, most: i64) -> Result<Option<i64>> {
    let mut open = store::list_open_parts(tx, day, most)?;
    let parts = u64::try_from(open.len()).unwrap_or(0);
    open.rotate_left(usize::try_from(clock::random_below(parts)).unwrap_or(0));
    for part in open {
        // Somebody may have taken the last of it since.
        if store::spend_budget(tx, day, part, most)? == 1 {
            return Ok(Some(part));
        }
    }
    Ok(None)
}
