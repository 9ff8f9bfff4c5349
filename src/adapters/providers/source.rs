//! A source of matches: who publishes them, where, and which of their goals count.

use std::path::PathBuf;

use jiff::tz::TimeZone;
use reqwest::Url;
use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::db::enum_column;
use crate::platform::texts::Text;

/// Who publishes matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    FootballData,
    ApiFootball,
    Openfootball,
}

enum_column!(Provider {
    FootballData = "football_data",
    ApiFootball = "api_football",
    Openfootball = "openfootball",
});

impl Provider {
    pub const fn name(self) -> &'static str {
        match self {
            Self::FootballData => "football_data",
            Self::ApiFootball => "api_football",
            Self::Openfootball => "openfootball",
        }
    }

    /// Whether its ids are more than the names of what they stand for.
    pub const fn has_ids(self) -> bool {
        !matches!(self, Self::Openfootball)
    }
}

impl TryFrom<&str> for Provider {
    type Error = Text;

    fn try_from(word: &str) -> Result<Self, Self::Error> {
        [Self::FootballData, Self::ApiFootball, Self::Openfootball]
            .into_iter()
            .find(|provider| provider.name() == word)
            .ok_or(text!("Must be football_data, api_football or openfootball."))
    }
}

crate::text_input!(Provider);

/// Which goals count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// Those of the 90 minutes.
    Regular,
    /// Those of extra time too; a shoot-out never counts.
    ExtraTime,
}

/// Where a provider has a tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A competition's code or a league's number, and the season's first year.
    Season {
        code: String,
        season: String,
    },
    File(PathBuf),
    Web(Url),
}

/// One provider of one tournament's matches.
#[derive(Debug, Clone)]
pub struct Source {
    pub provider: Provider,
    pub place: Place,
    /// In which its local times are meant.
    pub time_zone: TimeZone,
}
