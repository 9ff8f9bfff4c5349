//! When a feed is asked next: often while something is on, rarely otherwise, and never so often that the day's quota is
//! gone before the day is.

use crate::features::events::{EventRow, Status};
use crate::platform::clock::{HOUR_MS, MINUTE_MS, SECOND_MS, Timestamp};
use crate::platform::config::FeedsConfig;

/// A match is about to begin this long before its start.
const ABOUT_TO_BEGIN_MS: i64 = 10 * MINUTE_MS;
/// A match that has no result after this long is not waited for any more.
const LONGEST_MATCH_MS: i64 = 6 * HOUR_MS;
/// For how long the quota has to last while something is on: two matches in a row.
const LIVE_STRETCH_MS: i64 = 4 * HOUR_MS;
/// How soon a source that failed is tried again.
const RETRY_MS: i64 = 2 * MINUTE_MS;

pub fn next_poll<'a>(
    now: Timestamp,
    events: impl Iterator<Item = &'a EventRow>,
    left_today: Option<i64>,
    config: &FeedsConfig,
) -> Timestamp {
    let often_ms = often_ms(left_today, config);
    let rarely_ms = config.poll_minutes.saturating_mul(MINUTE_MS).max(often_ms);
    let mut next = now.plus_ms(rarely_ms);
    // A match whose time is not known is not waited for.
    for event in events.filter(|event| !event.is_void() && event.start_time_confirmed) {
        let begins = event.start_time.plus_ms(-ABOUT_TO_BEGIN_MS);
        let is_on = match event.status {
            Status::Finished => false,
            Status::Live => now.millis_since(event.start_time) < LONGEST_MATCH_MS,
            Status::Scheduled => begins <= now,
        };
        if is_on {
            return now.plus_ms(often_ms);
        }
        if event.status == Status::Scheduled {
            next = next.min(begins);
        }
    }
    next
}

/// Half of what is left today is for the matches that are on; the rest is for those after them.
fn often_ms(left_today: Option<i64>, config: &FeedsConfig) -> i64 {
    let wanted = config.live_poll_seconds.saturating_mul(SECOND_MS);
    match left_today {
        Some(left) => wanted.max(LIVE_STRETCH_MS / (left / 2).max(1)),
        None => wanted,
    }
}

/// After a failure: when the first of the sources may be asked again, but not in a hurry.
pub fn retry(now: Timestamp, waits_ms: impl Iterator<Item = Option<i64>>) -> Timestamp {
    let wait_ms = waits_ms.map(|wait| wait.unwrap_or(RETRY_MS)).min().unwrap_or(RETRY_MS);
    now.plus_ms(wait_ms.clamp(10 * SECOND_MS, HOUR_MS))
}
