//! Days and moments as callers write them.

use crate::platform::clock::Timestamp;
use crate::platform::texts::Text;
use crate::text_input;

/// A UTC date written YYYY-MM-DD, as its first moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UtcDate(pub Timestamp);

impl TryFrom<&str> for UtcDate {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        Timestamp::parse_date(text)
            .map(Self)
            .ok_or(text!("Must be a date that exists, written YYYY-MM-DD."))
    }
}

text_input!(UtcDate);

/// A moment with its zone, within a range that any calendar can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment(Timestamp);

const EARLIEST: Timestamp = Timestamp::from_millis(-2_208_988_800_000); // 1900
const LATEST: Timestamp = Timestamp::from_millis(7_258_118_400_000); // 2200

impl Moment {
    pub const fn get(self) -> Timestamp {
        self.0
    }
}

impl TryFrom<&str> for Moment {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        match Timestamp::parse(text) {
            Some(moment) => Self::try_from(moment),
            None => Err(text!("Must be a moment with its zone, such as 2026-11-20T15:00:00Z.")),
        }
    }
}

impl TryFrom<Timestamp> for Moment {
    type Error = Text;

    fn try_from(moment: Timestamp) -> Result<Self, Self::Error> {
        let is_near = (EARLIEST..LATEST).contains(&moment);
        is_near.then_some(Self(moment)).ok_or(text!("Must be between the years 1900 and 2200."))
    }
}

text_input!(Moment);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn whatever_is_read_as_a_day_is_that_day(
            text in prop_oneof!["\\PC{0,30}", "[0-9]{4}-[0-9]{2}-[0-9]{2}", "[0-9TZW:-]{10}"],
        ) {
            if let Ok(UtcDate(midnight)) = UtcDate::try_from(text.as_str()) {
                prop_assert_eq!(midnight.to_string(), format!("{text}T00:00:00.000Z"));
            }
        }
    }
}
