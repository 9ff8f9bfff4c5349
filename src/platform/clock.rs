//! Time and randomness, the two things a program must not take from thin air.
//!
//! Owns: the only reads of the wall clock and of the operating system's random source.
//! Invariants: every deadline, limit and stamp comes from a [`Clock`], so tests decide what time it is.
//! Never: reads the time twice for one decision; callers read once and pass the value on.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

pub const SECOND_MS: i64 = 1_000;
pub const MINUTE_MS: i64 = 60 * SECOND_MS;
pub const HOUR_MS: i64 = 60 * MINUTE_MS;
pub const DAY_MS: i64 = 24 * HOUR_MS;

/// A moment in UTC, in milliseconds since 1970; stored as such, shown as RFC 3339 with `Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Later by so many milliseconds (earlier if negative); stops at the ends of time rather than wrapping.
    #[must_use]
    pub const fn plus_ms(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    pub const fn millis_since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Whole days since 1970: the number of the UTC date.
    pub const fn utc_day(self) -> i64 {
        self.0.div_euclid(DAY_MS)
    }

    pub const fn start_of_utc_day(day: i64) -> Self {
        Self(day.saturating_mul(DAY_MS))
    }

    /// The first moment of a `YYYY-MM-DD` date, if such a date exists.
    pub fn parse_date(text: &str) -> Option<Self> {
        // jiff also takes `20261115` and more; the interface takes this one form.
        if text.len() != 10 {
            return None;
        }
        let date: jiff::civil::Date = text.parse().ok()?;
        let midnight = date.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
        Some(Self(midnight.timestamp().as_millisecond()))
    }

    /// Parses RFC 3339, with any offset.
    pub fn parse(text: &str) -> Option<Self> {
        let moment: jiff::Timestamp = text.parse().ok()?;
        Some(Self(moment.as_millisecond()))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(moment) => moment.fmt(f),
            Err(_) => write!(f, "{}ms", self.0),
        }
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| de::Error::custom("expected an RFC 3339 timestamp"))
    }
}

/// Where the time comes from: the machine, or a test's hand.
#[derive(Clone, Default)]
pub struct Clock(Option<Arc<AtomicI64>>);

impl Clock {
    pub fn system() -> Self {
        Self(None)
    }

    /// A clock that stands still until [`Clock::set`] or [`Clock::advance`] moves it; clones move together.
    pub fn manual(start: Timestamp) -> Self {
        Self(Some(Arc::new(AtomicI64::new(start.0))))
    }

    #[allow(clippy::disallowed_methods, reason = "the one place that reads the wall clock")]
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Some(millis) => Timestamp(millis.load(Ordering::SeqCst)),
            None => Timestamp(jiff::Timestamp::now().as_millisecond()),
        }
    }

    /// Moves a manual clock; a system clock is left alone.
    pub fn set(&self, now: Timestamp) {
        if let Some(millis) = &self.0 {
            millis.store(now.0, Ordering::SeqCst);
        }
    }

    pub fn advance(&self, by: Duration) {
        if let Some(millis) = &self.0 {
            millis.fetch_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX), Ordering::SeqCst);
        }
    }
}

/// Fills a buffer from the operating system's random source.
#[allow(clippy::disallowed_methods, reason = "the one place that draws random bytes")]
pub fn random_bytes<const N: usize>() -> [u8; N] {
    use rand::RngExt;
    let mut bytes = [0; N];
    rand::rng().fill(&mut bytes[..]);
    bytes
}

/// A random number below `limit` (0 for a limit of 0).
pub fn random_below(limit: u64) -> u64 {
    u64::from_le_bytes(random_bytes()).checked_rem(limit).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_is_shown_as_rfc_3339_in_utc() {
        let moment = Timestamp::parse("2026-11-20T15:00:00+02:00").unwrap();
        assert_eq!(moment.to_string(), "2026-11-20T13:00:00Z");
        assert_eq!(moment.plus_ms(250).to_string(), "2026-11-20T13:00:00.25Z");
    }

    #[test]
    fn a_date_that_does_not_exist_is_refused() {
        assert!(Timestamp::parse_date("2026-02-30").is_none());
        assert!(Timestamp::parse_date("20260228").is_none());
        assert!(Timestamp::parse_date("2026-02-28").is_some());
    }

    #[test]
    fn a_moment_before_1970_has_a_negative_day() {
        assert_eq!(Timestamp::from_millis(-1).utc_day(), -1);
    }
}
