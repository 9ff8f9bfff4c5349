//! How far a live match is: its period and its minute.
//!
//! Both are kept as somebody told them, the minute with when it was so, and clients run the clock from there. A minute that the
//! service counted itself would change every page of matches once a minute, and be wrong whenever play is interrupted.

use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::clock::{MINUTE_MS, Timestamp};
use crate::platform::db::{FromColumn, Value, column, enum_column, row};
use crate::platform::http::input::{Complaint, FromInput, Raw};
use crate::platform::texts::Text;
use crate::text_input;

/// A part of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = MatchPeriod)]
pub enum Period {
    FirstHalf,
    HalfTime,
    SecondHalf,
    ExtraTime,
    Penalties,
}

enum_column!(Period {
    FirstHalf = "first_half",
    HalfTime = "half_time",
    SecondHalf = "second_half",
    ExtraTime = "extra_time",
    Penalties = "penalties",
});
text_input!(Period);

impl Period {
    pub const fn name(self) -> &'static str {
        match self {
            Self::FirstHalf => "first_half",
            Self::HalfTime => "half_time",
            Self::SecondHalf => "second_half",
            Self::ExtraTime => "extra_time",
            Self::Penalties => "penalties",
        }
    }

    /// Whether the clock stands still in it.
    const fn is_pause(self) -> bool {
        matches!(self, Self::HalfTime | Self::Penalties)
    }
}

impl TryFrom<&str> for Period {
    type Error = Text;

    fn try_from(word: &str) -> Result<Self, Self::Error> {
        Self::from_value(Value::Text(word)).map_err(|_| {
            text!("Must be first_half, half_time, second_half, extra_time or penalties.")
        })
    }
}

/// A minute of play, 0 to 300; added time counts on, so the second minute of it in a first half is 47.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = i64, minimum = 0, maximum = 300, example = 63)]
pub struct Minute(i64);

column!(Minute as i64);

impl Minute {
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl TryFrom<i64> for Minute {
    type Error = Text;

    fn try_from(number: i64) -> Result<Self, Self::Error> {
        let can_be = (0..=300).contains(&number);
        if can_be { Ok(Self(number)) } else { Err(text!("Must be a whole number from 0 to 300.")) }
    }
}

impl FromInput for Minute {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        let number = i64::from_input(raw).unwrap_or(-1);
        Ok(Self::try_from(number)?)
    }
}

row! {
    /// What was told of a live match; nothing of any other.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Playing {
        pub period: Option<Period>,
        pub minute: Option<Minute>,
        /// When it was that minute.
        pub minute_at: Option<Timestamp>,
    }
}

impl Playing {
    /// With what is told now; what is absent stays, but for the minute of another period.
    #[must_use]
    pub fn told(self, period: Option<Period>, minute: Option<Minute>, now: Timestamp) -> Self {
        let period = period.or(self.period);
        match minute {
            Some(_) => Self { period, minute, minute_at: Some(now) },
            None if period != self.period => Self { period, minute: None, minute_at: None },
            None => self,
        }
    }

    /// Whether somebody who runs the clock from what was told before is shown something else now. A minute more or less is not:
    /// whoever tells it is asked at any second of it.
    pub fn is_news_after(self, before: Self) -> bool {
        let told = |playing: Self| playing.minute.zip(playing.minute_at);
        match (told(before), told(self)) {
            _ if self.period != before.period => true,
            (None, None) => false,
            (Some((then, then_at)), Some((minute, minute_at))) => {
                let is_pause = self.period.is_some_and(Period::is_pause);
                let passed = if is_pause { 0 } else { minute_at.millis_since(then_at) / MINUTE_MS };
                (then.0 + passed - minute.0).abs() > 1
            }
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(period: Period, minute: i64, after_ms: i64) -> Playing {
        let minute = Minute::try_from(minute).unwrap();
        let now = Timestamp::from_millis(after_ms);
        Playing::default().told(Some(period), Some(minute), now)
    }

    #[test]
    fn a_clock_that_runs_on_is_no_news_and_one_that_jumps_is() {
        let before = at(Period::FirstHalf, 10, 0);
        for (minute, after_ms, is_news) in [
            (11, MINUTE_MS, false),
            (12, MINUTE_MS, false),
            (20, 10 * MINUTE_MS, false),
            (13, MINUTE_MS, true),
            (10, 5 * MINUTE_MS, true),
        ] {
            let after = at(Period::FirstHalf, minute, after_ms);
            assert_eq!(after.is_news_after(before), is_news, "{minute} after {after_ms}");
        }
        assert!(at(Period::HalfTime, 45, 0).is_news_after(at(Period::FirstHalf, 45, 0)));
        let pause = at(Period::HalfTime, 45, 0);
        assert!(!at(Period::HalfTime, 45, 9 * MINUTE_MS).is_news_after(pause));
    }

    #[test]
    fn another_period_has_another_minute() {
        let now = Timestamp::from_millis(0);
        let before = at(Period::FirstHalf, 45, 0);
        assert_eq!(before.told(Some(Period::HalfTime), None, now).minute, None);
        assert_eq!(before.told(Some(Period::FirstHalf), None, now), before);
        assert_eq!(before.told(None, None, now), before);
    }
}
