//! Time and randomness, the two things a program must not take from thin air.
//!
//! Owns: the only reads of the wall clock and of the operating system's random source.
//! Invariants: every deadline, limit and stamp comes from a [`Clock`], so tests decide what time it is. Nodes that share a database
//! go by its time where their own differs by more than [`MOST_DIFFERENCE_MS`].
//! Never: reads the time twice for one decision; callers read once and pass the value on.

use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

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

    /// The UTC date, `2026-11-20`.
    pub fn to_utc_date(self) -> String {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(moment) => moment.strftime("%Y-%m-%d").to_string(),
            Err(_) => self.to_string(),
        }
    }

    /// As people read it: `2026-11-20 15:00 UTC`.
    pub fn to_the_minute(self) -> String {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(moment) => moment.strftime("%Y-%m-%d %H:%M UTC").to_string(),
            Err(_) => self.to_string(),
        }
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(moment) => write!(f, "{moment:.3}"),
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

/// How far a node's clock may be from the database's before nothing is decided by it.
pub const MOST_DIFFERENCE_MS: i64 = SECOND_MS;

/// A moment by another clock, which all nodes share, and how much later or earlier it may have been.
#[derive(Debug, Clone, Copy)]
pub struct Sighting {
    theirs: Timestamp,
    at: Instant,
    unsure_ms: i64,
}

impl Sighting {
    /// Of a clock that said `theirs` at some time between `asked` and now: half-way, as far as anybody can tell.
    pub fn between(asked: Instant, theirs: Timestamp) -> Self {
        let half = asked.elapsed() / 2;
        Self { theirs, at: asked + half, unsure_ms: millis_of(half) }
    }

    /// What that clock says now: the time since then is told by a clock that nobody sets.
    fn now(&self) -> Timestamp {
        self.theirs.plus_ms(millis_of(self.at.elapsed()))
    }

    /// Whether a clock that says `ours` while that one says `theirs` is certainly wrong.
    const fn is_off(&self, ours: Timestamp, theirs: Timestamp) -> bool {
        ours.millis_since(theirs).saturating_abs()
            > MOST_DIFFERENCE_MS.saturating_add(self.unsure_ms)
    }
}

fn millis_of(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// Where the time comes from: the machine, or a test's hand.
#[derive(Clone, Default)]
pub struct Clock {
    manual: Option<Arc<AtomicI64>>,
    sighting: Arc<RwLock<Option<Sighting>>>,
}

impl Clock {
    pub fn system() -> Self {
        Self::default()
    }

    /// A clock that stands still until [`Clock::set`] or [`Clock::advance`] moves it; clones move together.
    pub fn manual(start: Timestamp) -> Self {
        Self { manual: Some(Arc::new(AtomicI64::new(start.0))), ..Self::default() }
    }

    /// The time; where the machine's is off, the one that all nodes share.
    pub fn now(&self) -> Timestamp {
        if let Some(millis) = &self.manual {
            return Timestamp(millis.load(Ordering::SeqCst));
        }
        let ours = wall_clock();
        match self.sighting() {
            Some(sighting) if sighting.is_off(ours, sighting.now()) => sighting.now(),
            _ => ours,
        }
    }

    /// How far the machine's clock is ahead of the one that all nodes share, or behind if negative; nothing if there is none.
    pub fn difference_ms(&self) -> Option<i64> {
        self.sighting().map(|sighting| wall_clock().millis_since(sighting.now()))
    }

    /// Whether the machine's clock is too far off to decide by.
    pub fn is_off(&self) -> bool {
        self.sighting().is_some_and(|sighting| sighting.is_off(wall_clock(), sighting.now()))
    }

    /// Compares the machine's clock with this one from now on; a manual clock is compared with nothing.
    pub fn compare(&self, sighting: Sighting) {
        if self.manual.is_none() {
            *self.sighting.write().unwrap_or_else(PoisonError::into_inner) = Some(sighting);
        }
    }

    fn sighting(&self) -> Option<Sighting> {
        *self.sighting.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves a manual clock; a system clock is left alone.
    pub fn set(&self, now: Timestamp) {
        if let Some(millis) = &self.manual {
            millis.store(now.0, Ordering::SeqCst);
        }
    }

    pub fn advance(&self, by: Duration) {
        if let Some(millis) = &self.manual {
            millis.fetch_add(millis_of(by), Ordering::SeqCst);
        }
    }
}

#[allow(clippy::disallowed_methods, reason = "the one place that reads the wall clock")]
fn wall_clock() -> Timestamp {
    Timestamp(jiff::Timestamp::now().as_millisecond())
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
        assert_eq!(moment.to_string(), "2026-11-20T13:00:00.000Z");
        assert_eq!(moment.plus_ms(250).to_string(), "2026-11-20T13:00:00.250Z");
        assert_eq!(moment.to_the_minute(), "2026-11-20 13:00 UTC");
    }

    fn seen(off_ms: i64) -> Clock {
        let clock = Clock::system();
        clock.compare(Sighting::between(Instant::now(), wall_clock().plus_ms(-off_ms)));
        clock
    }

    #[test]
    fn a_clock_that_is_off_gives_way_to_the_common_one() {
        for off_ms in [5 * MINUTE_MS, -5 * MINUTE_MS, DAY_MS] {
            let clock = seen(off_ms);
            assert!(clock.is_off());
            let (before, common, after) = (wall_clock(), clock.now(), wall_clock());
            // A few milliseconds are rounded away.
            let range = before.plus_ms(-off_ms - 5)..=after.plus_ms(5 - off_ms);
            assert!(range.contains(&common), "{common} is not in {range:?}");
        }
    }

    #[test]
    fn a_difference_that_the_way_to_the_database_explains_is_none() {
        let sighting = |unsure_ms| Sighting {
            theirs: Timestamp::from_millis(0),
            at: Instant::now(),
            unsure_ms,
        };
        let is_off = |ours, unsure_ms| {
            sighting(unsure_ms).is_off(Timestamp::from_millis(ours), Timestamp::from_millis(0))
        };
        assert!(!is_off(1_000, 0) && is_off(1_001, 0) && is_off(-1_001, 0));
        assert!(!is_off(1_900, 900) && is_off(1_901, 900));
    }

    #[test]
    fn a_clock_that_was_compared_with_nothing_is_never_off() {
        assert!(!Clock::system().is_off());
        assert_eq!(Clock::system().difference_ms(), None);
        let manual = Clock::manual(Timestamp::from_millis(0));
        manual.compare(Sighting::between(Instant::now(), wall_clock()));
        assert!(!manual.is_off());
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
