//! The document that operators import: its items, their values, and what can be wrong with it by itself.

use std::collections::BTreeSet;

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::{Kickoff, Score, Scoring, Status, Venue};
use crate::platform::error::FieldErrors;
use crate::platform::http::input::{Complaint, FromInput, Raw};
use crate::platform::texts::Text;
use crate::{input, object_input, shown_text, text_input};

/// A name for programs: 1 to 64 of `a-z 0-9 _`, beginning with a letter or a digit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(value_type = String, pattern = "^[a-z0-9][a-z0-9_]{0,63}$", example = "northgate_fc")]
pub struct Slug(String);

/// What a match is called in the operator's own books: 1 to 128 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(value_type = String, pattern = "^[!-~]{1,128}$", example = "demo:1")]
pub struct Key(String);

/// A name for people, 1 to 100 characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 100, example = "Northgate FC")]
pub struct Title(String);

/// An http or https address, or a path on this service; at most 500 characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, max_length = 500, example = "https://cdn.example.org/northgate.png")]
pub struct Logo(String);

/// A year from 1000 to 2999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = i64, minimum = 1000, maximum = 2999, example = 1893)]
pub struct Year(i64);

macro_rules! as_str {
    ($($type:ident),*) => {$(
        impl $type {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
    )*};
}

as_str!(Slug, Key, Title, Logo);
text_input!(Slug, Key, Title, Logo);
shown_text!(Title: 1..=100, "Must have 1 to 100 characters.");

impl Year {
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl TryFrom<&str> for Slug {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        let is_slug = (1..=64).contains(&text.len())
            && !text.starts_with('_')
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        if is_slug {
            Ok(Self(text.to_owned()))
        } else {
            Err(text!("Must be 1 to 64 of a-z, 0-9 and _, beginning with a letter or a digit."))
        }
    }
}

impl TryFrom<&str> for Key {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        if (1..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(text.to_owned()))
        } else {
            Err(text!("Must be 1 to 128 visible ASCII characters."))
        }
    }
}

impl TryFrom<&str> for Logo {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        let is_path = text.starts_with('/') && !text.starts_with("//");
        let is_address = text.parse::<http::Uri>().is_ok_and(|uri| {
            matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some()
        });
        if text.len() <= 500
            && text.bytes().all(|b| b.is_ascii_graphic())
            && (is_path || is_address)
        {
            Ok(Self(text.to_owned()))
        } else {
            Err(text!("Must be an http or https address of at most 500 characters."))
        }
    }
}

impl FromInput for Year {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        match i64::from_input(raw) {
            Ok(year) if (1000..=2999).contains(&year) => Ok(Self(year)),
            _ => Err(text!("Must be a year from 1000 to 2999.").into()),
        }
    }
}

input! {
    #[derive(Debug, Clone, Serialize, ToSchema)]
    pub struct SportItem {
        pub slug: Slug,
        pub name: Title,
    }
}

input! {
    #[derive(Debug, Clone, Serialize, ToSchema)]
    pub struct TeamItem {
        pub slug: Slug,
        pub name: Title,
        /// The slug of a sport in this document or imported before.
        pub sport: Slug,
        pub country: Option<Title>,
        pub founded: Option<Year>,
        pub logo: Option<Logo>,
    }
}

input! {
    #[derive(Debug, Clone, Serialize, ToSchema)]
    pub struct TournamentItem {
        pub slug: Slug,
        pub name: Title,
        pub sport: Slug,
        pub logo: Option<Logo>,
        /// How predictions earn points; `classic` when absent.
        pub scoring: Option<Scoring>,
        /// Whether confidence weighs points; false when absent.
        pub confidence_weighted: Option<bool>,
    }
}

input! {
    #[derive(Debug, Clone, ToSchema)]
    pub struct EventItem {
        pub key: Key,
        pub tournament: Slug,
        pub home: Slug,
        pub away: Slug,
        pub start_time: Kickoff,
        /// False for a match that is postponed without a new time; true when absent.
        pub start_time_confirmed: Option<bool>,
        pub venue: Option<Venue>,
        /// `scheduled` when absent.
        pub status: Option<Status>,
        /// The score of a live or finished match.
        pub home_score: Option<Score>,
        pub away_score: Option<Score>,
    }
}

impl EventItem {
    pub fn status(&self) -> Status {
        self.status.unwrap_or(Status::Scheduled)
    }
}

object_input!(SportItem, TeamItem, TournamentItem, EventItem);

input! {
    /// Everything that is played, or a part of it.
    #[derive(Debug, Clone, ToSchema)]
    pub struct Document {
        sports: Option<Vec<SportItem>>,
        teams: Option<Vec<TeamItem>>,
        tournaments: Option<Vec<TournamentItem>>,
        events: Option<Vec<EventItem>>,
    }
}

impl Document {
    pub fn sports(&self) -> &[SportItem] {
        self.sports.as_deref().unwrap_or_default()
    }

    pub fn teams(&self) -> &[TeamItem] {
        self.teams.as_deref().unwrap_or_default()
    }

    pub fn tournaments(&self) -> &[TournamentItem] {
        self.tournaments.as_deref().unwrap_or_default()
    }

    pub fn events(&self) -> &[EventItem] {
        self.events.as_deref().unwrap_or_default()
    }

    /// What is wrong with the document whatever is in the database.
    pub fn check(&self, errors: &mut FieldErrors) {
        note_repeats("sports", "slug", self.sports().iter().map(|item| &item.slug), errors);
        note_repeats("teams", "slug", self.teams().iter().map(|item| &item.slug), errors);
        let tournaments = self.tournaments().iter().map(|item| &item.slug);
        note_repeats("tournaments", "slug", tournaments, errors);
        note_repeats("events", "key", self.events().iter().map(|item| &item.key), errors);
        for (at, team) in self.teams().iter().enumerate() {
            if team.slug.as_str() == "neutral" {
                errors.add(
                    &format!("teams.{at}.slug"),
                    text!("This word stands for fans of no team."),
                );
            }
        }
        for (at, event) in self.events().iter().enumerate() {
            event.check(at, errors);
        }
    }
}

fn note_repeats<T: Ord>(
    list: &str,
    field: &str,
    names: impl Iterator<Item = T>,
    errors: &mut FieldErrors,
) {
    let mut seen = BTreeSet::new();
    for (at, name) in names.enumerate() {
        if !seen.insert(name) {
            errors
                .add(&format!("{list}.{at}.{field}"), text!("Is in the document more than once."));
        }
    }
}

impl EventItem {
    fn check(&self, at: usize, errors: &mut FieldErrors) {
        let mut add = |field: &str, sentence: Text| {
            errors.add(&format!("events.{at}.{field}"), sentence);
        };
        if self.home == self.away {
            add("away", text!("A team cannot play itself."));
        }
        if self.start_time_confirmed == Some(false) && self.status() != Status::Scheduled {
            add("start_time_confirmed", text!("A match that has begun has a time."));
        }
        match (self.status(), self.home_score, self.away_score) {
            (Status::Scheduled | Status::Live, None, None)
            | (Status::Live | Status::Finished, Some(_), Some(_)) => {}
            (Status::Scheduled, Some(_), _) => {
                add("home_score", text!("A match that has not begun has no score."));
            }
            (Status::Scheduled, None, Some(_)) => {
                add("away_score", text!("A match that has not begun has no score."));
            }
            (_, None, _) => add("home_score", text!("Both sides need a score.")),
            (_, Some(_), None) => add("away_score", text!("Both sides need a score.")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::damaged_json::damaged;
    use crate::platform::http::input::Valid;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn document() -> Value {
        json!({
            "sports": [{"slug": "football", "name": "Football"}],
            "teams": [
                {"slug": "north", "name": "North", "sport": "football", "country": "England", "founded": 1893,
                 "logo": "https://cdn.example.org/north.png"},
                {"slug": "south", "name": "South", "sport": "football"},
            ],
            "tournaments": [{"slug": "league", "name": "League", "sport": "football", "scoring": "classic",
                "confidence_weighted": true, "logo": "/crests/league.svg"}],
            "events": [{"key": "a:1", "tournament": "league", "home": "north", "away": "south",
                "start_time": "2026-11-20T15:00:00Z", "venue": "Park", "status": "finished",
                "home_score": 2, "away_score": 1}],
        })
    }

    fn read(value: Value) -> Option<Document> {
        let Value::Object(object) = value else { return None };
        let Valid(document) = Valid::<Document>::of(object).ok()?;
        let mut errors = FieldErrors::default();
        document.check(&mut errors);
        errors.is_empty().then_some(document)
    }

    #[test]
    fn the_document_of_these_tests_is_good() {
        assert!(read(document()).is_some());
    }

    proptest! {
        #[test]
        fn no_damaged_document_panics_and_what_is_taken_makes_sense(damaged in damaged(document())) {
            let Some(document) = read(damaged) else { return Ok(()) };
            let is_shown = |text: &str| !text.is_empty() && !text.chars().any(char::is_control);
            for team in document.teams() {
                prop_assert!(is_shown(team.slug.as_str()) && is_shown(team.name.as_str()));
                prop_assert!(team.founded.is_none_or(|year| (1000..=2999).contains(&year.get())));
                prop_assert!(team.logo.as_ref().is_none_or(|logo| logo.as_str().len() <= 500));
            }
            for event in document.events() {
                prop_assert!(event.home != event.away);
                prop_assert_eq!(event.home_score.is_some(), event.away_score.is_some());
                let goals = event.home_score.into_iter().chain(event.away_score);
                prop_assert!(goals.into_iter().all(|score| (0..=99).contains(&score.get())));
                prop_assert!(event.status() != Status::Finished || event.home_score.is_some());
            }
        }
    }
}
