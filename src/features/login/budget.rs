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

/// Counts messages to these phones, or refuses until midnight. Answers in which part they were counted, if there is a budget at all.
/// Many are counted in one part or not at all, since whoever holds one part and waits for another may wait in a circle; then each
/// has to be counted alone.
pub fn spend_each(tx: &mut Tx, settings: &LoginConfig, phones: &[&Phone]) -> Result<Option<i64>> {
    let (now, budget) = (tx.now(), settings.sends_a_day_in_all);
    let number = i64::try_from(phones.len()).unwrap_or(i64::MAX);
    if budget <= 0 || number == 0 {
        return Ok(None);
    }
    let day = now.utc_day();
    let mut part = take(tx, day, budget, number)?;
    if let ([phone], None) = (phones, part)
        && users::is_phone_of_somebody(tx, phone)?
    {
        part = take(tx, day, budget.saturating_add(reserve(settings)), number)?;
    }
    if part.is_some() {
        return Ok(part);
    }
    if number == 1 {
        tracing::warn!(
            "the day's budget of messages is used up: strangers get no code before midnight UTC"
        );
    }
    let midnight = Timestamp::start_of_utc_day(day + 1);
    let limit = Limit { code: "sms_budget", most: budget, window_ms: DAY_MS };
    Err(limits::refused(limit, midnight.millis_since(now)))
}

/// Rounded up, so that even a small budget has one.
pub fn reserve(settings: &LoginConfig) -> i64 {
    let hundredfold = settings.sends_a_day_in_all.saturating_mul(settings.budget_reserve_percent);
    hundredfold.saturating_add(99) / 100
}

/// So many messages of `most` a day, from a part that has as many left.
fn take(tx: &mut Tx, day: i64, most: i64, number: i64) -> Result<Option<i64>> {
    let mut open = store::list_open_parts(tx, day, most, number)?;
    let parts = u64::try_from(open.len()).unwrap_or(0);
    open.rotate_left(usize::try_from(clock::random_below(parts)).unwrap_or(0));
    for part in open {
        // Somebody may have taken the last of it since.
        if store::spend_budget(tx, day, part, most, number)? == 1 {
            return Ok(Some(part));
        }
    }
    Ok(None)
}
