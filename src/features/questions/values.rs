//! What a question says, what it pays and where that counts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::features::events::TournamentId;
use crate::features::leaderboards::Period;
use crate::features::teams::TeamId;
use crate::platform::db::{FromColumn, Value, column, enum_column, text_column};
use crate::platform::http::input::{Complaint, FromInput, Raw};
use crate::platform::http::moments::Moment;
use crate::platform::texts::Text;
use crate::{id_input, input, object_input, shown_text, text_input};

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[schema(value_type = i64, minimum = 1, example = 3)]
pub struct QuestionId(pub i64);

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[schema(value_type = i64, minimum = 1, example = 17)]
pub struct OptionId(pub i64);

column!(QuestionId as i64);
column!(OptionId as i64);
id_input!(QuestionId, OptionId);

/// 1 to 200 characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 200, example = "Who wins the cup?")]
pub struct QuestionText(String);

/// 1 to 100 characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 100, example = "Northgate FC")]
pub struct OptionText(String);

/// Why a question is void: 1 to 255 characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 255, example = "The cup is not played")]
pub struct QuestionVoidReason(String);

text_column!(QuestionText);
text_column!(OptionText);
text_column!(QuestionVoidReason);
text_input!(QuestionText, OptionText, QuestionVoidReason);
shown_text! {
    QuestionText: 1..=200, "Must have 1 to 200 characters.";
    OptionText: 1..=100, "Must have 1 to 100 characters.";
    QuestionVoidReason: 1..=255, "Must have 1 to 255 characters.";
}

/// How a question stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = QuestionState)]
pub enum State {
    /// It takes answers.
    Open,
    /// It takes none any more, and nothing is decided.
    Closed,
    Settled,
    Void,
}

enum_column!(State { Open = "open", Closed = "closed", Settled = "settled", Void = "void" });

impl TryFrom<&str> for State {
    type Error = Text;

    fn try_from(word: &str) -> Result<Self, Self::Error> {
        Self::from_value(Value::Text(word))
            .map_err(|_| text!("Must be open, closed, settled or void."))
    }
}

text_input!(State);

/// For each right answer, 1 to 1,000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = i64, minimum = 1, maximum = 1000, example = 20)]
pub struct TipPoints(i64);

/// How many answers one may pick, 1 to 20.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = i64, minimum = 1, maximum = 20, example = 1)]
pub struct MostPicks(i64);

column!(TipPoints as i64);
column!(MostPicks as i64);

impl MostPicks {
    pub const ONE: Self = Self(1);

    pub const fn get(self) -> i64 {
        self.0
    }
}

impl FromInput for TipPoints {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        match i64::from_input(raw) {
            Ok(points) if (1..=1_000).contains(&points) => Ok(Self(points)),
            _ => Err(text!("Must be a whole number from 1 to 1000.").into()),
        }
    }
}

impl FromInput for MostPicks {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        match i64::from_input(raw) {
            Ok(most) if (1..=20).contains(&most) => Ok(Self(most)),
            _ => Err(text!("Must be a whole number from 1 to 20.").into()),
        }
    }
}

input! {
    // An answer that a question offers.
    #[derive(Debug, Clone, ToSchema)]
    #[schema(as = NewOptionBody)]
    pub struct NewOption {
        pub text: OptionText,
        /// The team that it is, for apps that show crests.
        pub team_id: Option<TeamId>,
    }
}

object_input!(NewOption);

const MOST_OPTIONS: usize = 200;

/// 2 to 200 answers to choose from, no two the same.
#[derive(Debug, Clone)]
pub struct NewOptions(Vec<NewOption>);

impl NewOptions {
    pub fn as_slice(&self) -> &[NewOption] {
        &self.0
    }
}

impl FromInput for NewOptions {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        let options = Vec::<NewOption>::from_input(raw)?;
        if !(2..=MOST_OPTIONS).contains(&options.len()) {
            return Err(text!("Must have 2 to 200 answers.").into());
        }
        let mut texts: Vec<&str> = options.iter().map(|option| option.text.0.as_str()).collect();
        texts.sort_unstable();
        if texts.windows(2).any(|pair| pair.first() == pair.last()) {
            return Err(text!("No two answers can be the same.").into());
        }
        Ok(Self(options))
    }
}

/// The answers that are picked, or right: 1 to 20 of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picks(Vec<OptionId>);

impl Picks {
    pub fn one(pick: OptionId) -> Self {
        Self(vec![pick])
    }

    pub fn as_slice(&self) -> &[OptionId] {
        &self.0
    }
}

impl FromInput for Picks {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        let mut picks = Vec::<OptionId>::from_input(raw)?;
        picks.sort_unstable();
        picks.dedup();
        if (1..=20).contains(&picks.len()) {
            return Ok(Self(picks));
        }
        Err(text!("Must be the ids of 1 to 20 answers.").into())
    }
}

/// A table into which a question's points count. Those with a period count it where its deadline is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CountsIn {
    /// Of everything, of all time.
    Global,
    Season,
    Month,
    Week,
    /// Of the tournament, of all its time.
    Tournament,
    TournamentMonth,
    TournamentWeek,
    /// In all: not in the tables of their weeks.
    Leagues,
}

impl CountsIn {
    const ALL: [Self; 8] = [
        Self::Global,
        Self::Season,
        Self::Month,
        Self::Week,
        Self::Tournament,
        Self::TournamentMonth,
        Self::TournamentWeek,
        Self::Leagues,
    ];
    pub const USUAL: [Self; 4] = [Self::Global, Self::Season, Self::Tournament, Self::Leagues];

    const fn word(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Season => "season",
            Self::Month => "month",
            Self::Week => "week",
            Self::Tournament => "tournament",
            Self::TournamentMonth => "tournament_month",
            Self::TournamentWeek => "tournament_week",
            Self::Leagues => "leagues",
        }
    }

    /// The board that it is, and whether it is the tournament's; nothing for leagues.
    pub const fn board(self) -> Option<(bool, Period)> {
        match self {
            Self::Global => Some((false, Period::All)),
            Self::Season => Some((false, Period::Season)),
            Self::Month => Some((false, Period::Month)),
            Self::Week => Some((false, Period::Week)),
            Self::Tournament => Some((true, Period::All)),
            Self::TournamentMonth => Some((true, Period::Month)),
            Self::TournamentWeek => Some((true, Period::Week)),
            Self::Leagues => None,
        }
    }
}

impl TryFrom<&str> for CountsIn {
    type Error = Text;

    fn try_from(word: &str) -> Result<Self, Self::Error> {
        Self::ALL.into_iter().find(|table| table.word() == word).ok_or(
            text!("Must be global, season, month, week, tournament, tournament_month, tournament_week or leagues."),
        )
    }
}

text_input!(CountsIn);

input! {
    // What an operator opens.
    #[derive(Debug, ToSchema)]
    #[schema(as = QuestionBody)]
    pub struct NewQuestion {
        pub tournament_id: TournamentId,
        pub text: QuestionText,
        /// The last moment to answer, at most 800 days ahead.
        #[schema(value_type = String, format = DateTime, example = "2026-11-20T15:00:00Z")]
        pub closes_at: Moment,
        /// For each right answer.
        pub points: TipPoints,
        /// How many answers one may pick, fewer than there are; 1 when absent.
        pub most_picks: Option<MostPicks>,
        /// 2 to 200 answers to choose from.
        #[schema(value_type = Vec<NewOption>, min_items = 2, max_items = 200,
            example = json!([{"text": "Northgate FC", "team_id": 7}, {"text": "Somebody else"}]))]
        pub options: NewOptions,
        /// The tables into which its points count; global, season, tournament and leagues when absent.
        pub counts_in: Option<Vec<CountsIn>>,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_word_is_the_one_that_is_written() {
        for table in CountsIn::ALL {
            assert_eq!(json!(table), json!(table.word()));
            assert_eq!(CountsIn::try_from(table.word()), Ok(table));
        }
    }
}
