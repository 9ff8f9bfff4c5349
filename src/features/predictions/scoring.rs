//! The rules that turn a prediction and a result into points.
//!
//! The same rules are written once more in SQL, in `points_store.rs`, because a million predictions are settled there without
//! passing through here; a property test holds the two together.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::{Score, Scoring, TournamentRow};
use crate::platform::db::{ColumnType, FromColumn, ToColumn, Value, mismatch};
use crate::platform::error::DatabaseError;

use super::{Outcome, Pick};

/// What was right about a prediction, the best of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    Nothing,
    Outcome,
    Difference,
    Exact,
}

impl Tier {
    pub const ALL: [Self; 4] = [Self::Nothing, Self::Outcome, Self::Difference, Self::Exact];

    const fn number(self) -> i64 {
        match self {
            Self::Nothing => 0,
            Self::Outcome => 1,
            Self::Difference => 2,
            Self::Exact => 3,
        }
    }
}

/// As a number, so that the database can compare tiers.
impl ToColumn for Tier {
    const COLUMN_TYPE: ColumnType = ColumnType::Integer;

    fn to_value(&self) -> Value<'_> {
        Value::Integer(self.number())
    }
}

impl FromColumn for Tier {
    fn from_value(value: Value<'_>) -> Result<Self, DatabaseError> {
        let found = Self::ALL.into_iter().find(|tier| value == Value::Integer(tier.number()));
        found.map_or_else(|| mismatch("a tier", value), Ok)
    }
}

/// How a tournament's predictions earn points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    pub scoring: Scoring,
    pub confidence_weighted: bool,
}

/// What a preset pays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pay {
    pub(super) outcome: i64,
    /// None: the goal difference is worth no more than the outcome.
    pub(super) difference: Option<i64>,
    pub(super) exact: i64,
    /// Whether a draw that was right counts as the right difference, which it always has.
    pub(super) draws_have_difference: bool,
}

impl Rules {
    /// How predictions on a tournament's matches earn points.
    pub fn of(tournament: &TournamentRow) -> Self {
        Self { scoring: tournament.scoring, confidence_weighted: tournament.confidence_weighted }
    }

    pub(super) const fn pay(self) -> Pay {
        match self.scoring {
            Scoring::Classic => {
                Pay { outcome: 3, difference: Some(4), exact: 6, draws_have_difference: true }
            }
            Scoring::Kicktipp => {
                Pay { outcome: 2, difference: Some(3), exact: 4, draws_have_difference: false }
            }
            Scoring::Super6 => {
                Pay { outcome: 2, difference: None, exact: 5, draws_have_difference: false }
            }
            Scoring::PremierLeague => {
                Pay { outcome: 5, difference: None, exact: 10, draws_have_difference: false }
            }
        }
    }

    /// What the goal difference pays for this result, if it pays at all.
    pub(super) fn difference_pay(self, result: Outcome) -> Option<i64> {
        let pay = self.pay();
        pay.difference.filter(|_| result != Outcome::Draw || pay.draws_have_difference)
    }

    /// What is paid for a right outcome, a right draw, the right difference of a match that somebody won, and the exact score, before
    /// confidence weighs in.
    pub fn weights(self) -> [i64; 4] {
        let pay = self.pay();
        let paid = |result| self.difference_pay(result).unwrap_or(pay.outcome);
        [pay.outcome, paid(Outcome::Draw), paid(Outcome::Home), pay.exact]
    }

    /// The points of a tier before confidence weighs in.
    pub fn base_points(self, tier: Tier) -> i64 {
        let pay = self.pay();
        match tier {
            Tier::Nothing => 0,
            Tier::Outcome => pay.outcome,
            Tier::Difference => pay.difference.unwrap_or(pay.outcome),
            Tier::Exact => pay.exact,
        }
    }

    pub fn score(self, pick: &Pick, home: Score, away: Score) -> (Tier, i64) {
        let tier = self.tier(pick, home, away);
        let base = self.base_points(tier);
        let points =
            if self.confidence_weighted { weighted(base, pick.confidence().get()) } else { base };
        (tier, points)
    }

    fn tier(self, pick: &Pick, home: Score, away: Score) -> Tier {
        let result = Outcome::of(home, away);
        if pick.outcome() != result {
            return Tier::Nothing;
        }
        if pick.score().is_some_and(|score| (score.home, score.away) == (home, away)) {
            return Tier::Exact;
        }
        // Whoever says draw, with or without a score, says that the difference is none.
        let has_difference = result == Outcome::Draw
            || pick.score().is_some_and(|score| {
                score.home.get() - score.away.get() == home.get() - away.get()
            });
        if has_difference && self.difference_pay(result).is_some() {
            Tier::Difference
        } else {
            Tier::Outcome
        }
    }
}

/// Half sure earns what the preset says, wholly sure twice that, not sure at all nothing; halves are rounded up.
const fn weighted(points: i64, confidence: i64) -> i64 {
    (points * confidence + 25) / 50
}

#[cfg(test)]
mod tests {
    use super::super::{Confidence, ScorePair};
    use super::*;
    use proptest::prelude::*;

    fn score(number: i64) -> Score {
        Score::try_from(number).unwrap()
    }

    fn points(scoring: Scoring, outcome: Outcome, pair: Option<(i64, i64)>, to: (i64, i64)) -> i64 {
        let pair = pair.map(|(home, away)| ScorePair { home: score(home), away: score(away) });
        let pick = Pick::new(outcome, pair, Confidence::default()).unwrap();
        let rules = Rules { scoring, confidence_weighted: false };
        rules.score(&pick, score(to.0), score(to.1)).1
    }

    #[test]
    fn the_presets_pay_what_their_table_says() {
        use Outcome::{Away, Draw, Home};
        use Scoring::{Classic, Kicktipp, PremierLeague, Super6};
        // Prediction, result, then classic, kicktipp, super6, premier_league.
        for (outcome, pair, to, expected) in [
            (Home, Some((2, 1)), (2, 1), [6, 4, 5, 10]),
            (Home, Some((3, 2)), (2, 1), [4, 3, 2, 5]),
            (Home, Some((3, 0)), (2, 1), [3, 2, 2, 5]),
            (Home, None, (2, 1), [3, 2, 2, 5]),
            (Draw, Some((1, 1)), (1, 1), [6, 4, 5, 10]),
            (Draw, Some((0, 0)), (1, 1), [4, 2, 2, 5]),
            (Draw, None, (1, 1), [4, 2, 2, 5]),
            (Away, Some((0, 1)), (2, 1), [0, 0, 0, 0]),
            (Away, Some((0, 2)), (1, 3), [4, 3, 2, 5]),
        ] {
            let presets = [Classic, Kicktipp, Super6, PremierLeague];
            assert_eq!(presets.map(|preset| points(preset, outcome, pair, to)), expected);
        }
    }

    #[test]
    fn confidence_weighs_in_only_where_the_tournament_says_so() {
        for (confidence, expected) in [(0, 0), (25, 3), (50, 6), (51, 6), (55, 7), (100, 12)] {
            let pair = ScorePair { home: score(2), away: score(1) };
            let confidence = Confidence::try_from(confidence).unwrap();
            let pick = Pick::new(Outcome::Home, Some(pair), confidence).unwrap();
            let rules = Rules { scoring: Scoring::Classic, confidence_weighted: true };
            assert_eq!(rules.score(&pick, score(2), score(1)), (Tier::Exact, expected));
        }
    }

    proptest! {
        #[test]
        fn a_better_prediction_never_earns_less(
            scoring in prop::sample::select(vec![
                Scoring::Classic, Scoring::Kicktipp, Scoring::Super6, Scoring::PremierLeague,
            ]),
        ) {
            let rules = Rules { scoring, confidence_weighted: false };
            let paid = Tier::ALL.map(|tier| rules.base_points(tier));
            prop_assert!(paid.is_sorted(), "{paid:?}");
        }

        #[test]
        fn a_score_that_contradicts_the_outcome_is_no_prediction(home in 0_i64..100, away in 0_i64..100) {
            let pair = ScorePair { home: score(home), away: score(away) };
            for outcome in [Outcome::Home, Outcome::Draw, Outcome::Away] {
                let pick = Pick::new(outcome, Some(pair), Confidence::default());
                prop_assert_eq!(pick.is_ok(), Outcome::of(pair.home, pair.away) == outcome);
            }
        }
    }
}
