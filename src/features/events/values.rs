//! The values that events are made of, as operators and documents write them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::features::teams::SportId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{FromColumn, Value, column, enum_column, text_column};
use crate::platform::http::input::{Complaint, FromInput, Raw};
use crate::platform::http::moments::Moment;
use crate::platform::texts::Text;
use crate::{shown_text, text_input};

use super::Status;

/// Goals or points of one side, 0 to 99.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[schema(value_type = i64, minimum = 0, maximum = 99, example = 2)]
pub struct Score(i64);

column!(Score as i64);

impl Score {
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl TryFrom<i64> for Score {
    type Error = Text;

    fn try_from(number: i64) -> Result<Self, Self::Error> {
        if (0..=99).contains(&number) {
            Ok(Self(number))
        } else {
            Err(text!("Must be a whole number from 0 to 99."))
        }
    }
}

impl FromInput for Score {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        let number = i64::from_input(raw).unwrap_or(-1);
        Ok(Self::try_from(number)?)
    }
}

impl TryFrom<&str> for Status {
    type Error = Text;

    fn try_from(word: &str) -> Result<Self, Self::Error> {
        Self::from_value(Value::Text(word))
            .map_err(|_| text!("Must be scheduled, live or finished."))
    }
}

/// When a match begins: a moment with its zone, within a range that any calendar can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, format = DateTime, example = "2026-11-20T15:00:00Z")]
pub struct Kickoff(Timestamp);

impl Kickoff {
    pub const fn get(self) -> Timestamp {
        self.0
    }
}

impl TryFrom<&str> for Kickoff {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        Moment::try_from(text).map(|moment| Self(moment.get()))
    }
}

impl TryFrom<Timestamp> for Kickoff {
    type Error = Text;

    fn try_from(moment: Timestamp) -> Result<Self, Self::Error> {
        Moment::try_from(moment).map(|moment| Self(moment.get()))
    }
}

/// Where a match is played, at most 200 characters; empty when unknown.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[schema(value_type = String, max_length = 200, example = "Northgate Park")]
pub struct Venue(String);

/// Why a match does not count, 1 to 200 characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 200, example = "Abandoned: waterlogged pitch")]
pub struct VoidReason(String);

impl Venue {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl VoidReason {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

text_column!(Venue);
text_column!(VoidReason);
text_input!(Scoring, Status, Kickoff, Venue, VoidReason);
shown_text! {
    Venue: 0..=200, "Must have at most 200 characters.";
    VoidReason: 1..=200, "Must have 1 to 200 characters.";
}

/// A preset of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scoring {
    #[default]
    Classic,
    Kicktipp,
    Super6,
    PremierLeague,
}

enum_column!(Scoring {
    Classic = "classic",
    Kicktipp = "kicktipp",
    Super6 = "super6",
    PremierLeague = "premier_league",
});

impl TryFrom<&str> for Scoring {
    type Error = Text;

    fn try_from(word: &str) -> Result<Self, Self::Error> {
        Self::from_value(Value::Text(word))
            .map_err(|_| text!("Must be classic, kicktipp, super6 or premier_league."))
    }
}

/// What matches belong to, and how predictions on them earn points.
pub struct NewTournament<'a> {
    pub slug: &'a str,
    pub sport: SportId,
    pub name: &'a str,
    pub logo: Option<&'a str>,
    pub scoring: Scoring,
    pub confidence_weighted: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kick_off_needs_a_zone_and_a_sane_year() {
        assert!(Kickoff::try_from("2026-11-20T15:00:00Z").is_ok());
        assert!(Kickoff::try_from("2026-11-20T15:00:00+01:00").is_ok());
        for wrong in [
            "",
            "2026-11-20",
            "2026-11-20T15:00:00",
            "2026-02-30T15:00:00Z",
            "1899-12-31T23:59:59Z",
            "2200-01-01T00:00:00Z",
        ] {
            assert!(Kickoff::try_from(wrong).is_err(), "{wrong}");
        }
    }
}
