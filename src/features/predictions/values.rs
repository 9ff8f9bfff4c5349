//! The values that predictions are made of.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::features::events::Score;
use crate::platform::db::{Columns, FromColumn, FromRow, Value, column, enum_column};
use crate::platform::error::{DatabaseError, FieldErrors};
use crate::platform::http::input::{Complaint, FromInput, Raw};
use crate::platform::texts::Text;
use crate::{id_input, input, object_input, text_input};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(value_type = i64, minimum = 1, example = 481)]
pub struct PredictionId(pub i64);

column!(PredictionId as i64);
id_input!(PredictionId);

/// Who wins, or nobody.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Home,
    Draw,
    Away,
}

enum_column!(Outcome { Home = "home", Draw = "draw", Away = "away" });
text_input!(Outcome);

impl Outcome {
    pub fn of(home: Score, away: Score) -> Self {
        match home.cmp(&away) {
            std::cmp::Ordering::Greater => Self::Home,
            std::cmp::Ordering::Equal => Self::Draw,
            std::cmp::Ordering::Less => Self::Away,
        }
    }
}

impl TryFrom<&str> for Outcome {
    type Error = Text;

    fn try_from(word: &str) -> Result<Self, Self::Error> {
        Self::from_value(Value::Text(word)).map_err(|_| text!("Must be home, draw or away."))
    }
}

/// How sure somebody is of their outcome, in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(value_type = i64, minimum = 0, maximum = 100, example = 75)]
pub struct Confidence(i64);

column!(Confidence as i64);

impl Confidence {
    pub const fn get(self) -> i64 {
        self.0
    }
}

/// What is assumed of somebody who says nothing.
impl Default for Confidence {
    fn default() -> Self {
        Self(50)
    }
}

impl TryFrom<i64> for Confidence {
    type Error = Text;

    fn try_from(percent: i64) -> Result<Self, Self::Error> {
        if (0..=100).contains(&percent) {
            Ok(Self(percent))
        } else {
            Err(text!("Must be a whole number from 0 to 100."))
        }
    }
}

impl FromInput for Confidence {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        let percent = i64::from_input(raw).unwrap_or(-1);
        Ok(Self::try_from(percent)?)
    }
}

input! {
    /// The goals of both sides.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
    #[schema(example = json!({"home": 2, "away": 1}))]
    pub struct ScorePair {
        pub home: Score,
        pub away: Score,
    }
}

object_input!(ScorePair);

/// From the two columns that hold it: both sides, or neither.
impl FromRow for Option<ScorePair> {
    fn from_row(columns: &mut Columns<'_>) -> Result<Self, DatabaseError> {
        let (home, away): (Option<Score>, Option<Score>) = FromRow::from_row(columns)?;
        Ok(home.zip(away).map(|(home, away)| ScorePair { home, away }))
    }
}

/// A prediction's content; its score agrees with its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pick {
    outcome: Outcome,
    score: Option<ScorePair>,
    confidence: Confidence,
}

impl Pick {
    pub fn new(
        outcome: Outcome,
        score: Option<ScorePair>,
        confidence: Confidence,
    ) -> Result<Self, FieldErrors> {
        match score {
            Some(score) if Outcome::of(score.home, score.away) != outcome => {
                Err(FieldErrors::of("score_prediction", text!("Must agree with the prediction.")))
            }
            _ => Ok(Self { outcome, score, confidence }),
        }
    }

    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }

    pub const fn score(&self) -> Option<ScorePair> {
        self.score
    }

    pub const fn confidence(&self) -> Confidence {
        self.confidence
    }
}
