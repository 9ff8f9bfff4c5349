//! What leagues are called, how one gets in, and by what they are ranked.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::{Scoring, TournamentId};
use crate::features::predictions::Rules;
use crate::platform::clock;
use crate::platform::db::{FromColumn, Value, column, enum_column, text_column};
use crate::platform::http::input::{Complaint, FromInput, Raw};
use crate::platform::search;
use crate::platform::texts::Text;
use crate::{id_input, shown_text, text_input};

#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    serde::Deserialize,
    ToSchema,
)]
#[schema(value_type = i64, minimum = 1, example = 8)]
pub struct LeagueId(pub i64);

column!(LeagueId as i64);
id_input!(LeagueId);

/// 1 to 60 characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 60, example = "Office league")]
pub struct LeagueName(String);

text_column!(LeagueName);

impl LeagueName {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn folded(&self) -> String {
        search::fold(&self.0)
    }
}

/// A part of a league's name, 1 to 60 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeagueSearch(String);

impl LeagueSearch {
    pub fn pattern(&self) -> String {
        search::contains_pattern(&self.0)
    }
}

/// Why an operator closes a league: 1 to 500 characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 500, example = "Sells tickets")]
pub struct ClosingReason(String);

shown_text! {
    ClosingReason: 1..=500, "Must have 1 to 500 characters.";
    LeagueName: 1..=60, "Must have 1 to 60 characters.";
    LeagueSearch: 1..=60, "Must have 1 to 60 characters.";
}

/// Neither 0 and O nor 1, I and L: it is read out and typed.
const LETTERS: &[u8; 30] = b"23456789ABCDEFGHJKMNPQRSTUVWXY";
const CODE_LENGTH: usize = 10;

/// Lets whoever has it into a league: ten letters and digits, of which there are 590 billion times a thousand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = LeagueCode, value_type = String, pattern = "^[2-9A-HJKMNP-Y]{10}$", example = "K7XQ2MPAD9")]
pub struct Code(String);

text_column!(Code);

impl Code {
    pub fn generate() -> Self {
        let letter = || {
            let at = clock::random_below(30);
            let letter = usize::try_from(at).ok().and_then(|at| LETTERS.get(at));
            letter.map_or('2', |letter| char::from(*letter))
        };
        Self((0..CODE_LENGTH).map(|_| letter()).collect())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// As it was typed: small letters, spaces and hyphens do not matter.
impl TryFrom<&str> for Code {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        let typed = text.chars().filter(|letter| !matches!(letter, ' ' | '-'));
        let code: String = typed.take(CODE_LENGTH + 1).collect::<String>().to_ascii_uppercase();
        let is_code = code.len() == CODE_LENGTH && code.bytes().all(|byte| LETTERS.contains(&byte));
        if is_code {
            Ok(Self(code))
        } else {
            Err(text!("Must be the ten letters and digits of a league's code."))
        }
    }
}

/// What somebody may do in a league.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = LeagueRole)]
pub enum Role {
    /// Everything; there is one.
    Owner,
    /// Lets people in and takes them out.
    Deputy,
    Member,
}

enum_column!(Role { Owner = "owner", Deputy = "deputy", Member = "member" });

impl TryFrom<&str> for Role {
    type Error = Text;

    fn try_from(word: &str) -> Result<Self, Self::Error> {
        Self::from_value(Value::Text(word)).map_err(|_| text!("Must be owner, deputy or member."))
    }
}

/// By what a league counts: a preset for all of its tournaments, or what each of them pays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LeagueScoring {
    #[default]
    Tournament,
    Classic,
    Kicktipp,
    Super6,
    PremierLeague,
}

enum_column!(LeagueScoring {
    Tournament = "tournament",
    Classic = "classic",
    Kicktipp = "kicktipp",
    Super6 = "super6",
    PremierLeague = "premier_league",
});

impl TryFrom<&str> for LeagueScoring {
    type Error = Text;

    fn try_from(word: &str) -> Result<Self, Self::Error> {
        Self::from_value(Value::Text(word))
            .map_err(|_| text!("Must be tournament, classic, kicktipp, super6 or premier_league."))
    }
}

text_input!(LeagueName, LeagueSearch, ClosingReason, Code, Role, LeagueScoring);

/// What a preset pays for what was right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weights {
    pub outcome: i64,
    pub draw: i64,
    pub difference: i64,
    pub exact: i64,
}

impl LeagueScoring {
    /// Nothing where each tournament pays what it does.
    pub fn weights(self) -> Option<Weights> {
        let scoring = match self {
            Self::Tournament => return None,
            Self::Classic => Scoring::Classic,
            Self::Kicktipp => Scoring::Kicktipp,
            Self::Super6 => Scoring::Super6,
            Self::PremierLeague => Scoring::PremierLeague,
        };
        let rules = Rules { scoring, confidence_weighted: false };
        let [outcome, draw, difference, exact] = rules.weights();
        Some(Weights { outcome, draw, difference, exact })
    }
}

const MOST_TOURNAMENTS: usize = 20;

/// The tournaments whose matches count, 1 to 20 of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tournaments(Vec<TournamentId>);

impl Tournaments {
    pub fn as_slice(&self) -> &[TournamentId] {
        &self.0
    }
}

impl FromInput for Tournaments {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        const SENTENCE: Text = text!("Must be a list of 1 to 20 ids of tournaments.");
        let Raw::Json(serde_json::Value::Array(items)) = raw else { return Err(SENTENCE.into()) };
        let read =
            |item| TournamentId::from_input(Raw::Json(item)).map_err(|_| Complaint::from(SENTENCE));
        if items.len() > MOST_TOURNAMENTS {
            return Err(SENTENCE.into());
        }
        let mut ids = items.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() { Err(SENTENCE.into()) } else { Ok(Self(ids)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_code_is_understood_however_it_was_typed() {
        for typed in ["K7XQ2MPAD9", "k7xq2mpad9", " k7xq2-mpad9 ", "K7X Q2M PAD 9"] {
            assert_eq!(Code::try_from(typed).unwrap().as_str(), "K7XQ2MPAD9", "{typed}");
        }
        for wrong in ["", "K7XQ2MPAD", "K7XQ2MPAD99", "K7XQ2MPADO", "K7XQ2MPAD１"] {
            assert!(Code::try_from(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_new_code_is_one_and_another_each_time() {
        let code = Code::generate();
        assert_eq!(Code::try_from(code.as_str()), Ok(code.clone()));
        assert_ne!(Code::generate(), code);
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader_of_codes(text in "\\PC{0,30}") {
            let _ = Code::try_from(text.as_str());
        }
    }
}
