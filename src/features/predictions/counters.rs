//! How many predictions an event has, by outcome, and how sure they are: kept as they come, so that a list's `meta` costs the
//! same for ten as for a million.
//!
//! The numbers of an event are spread over several rows, by user: on PostgreSQL a single row would make everybody who predicts
//! the same match wait for everybody else's commit.

use crate::features::events::{COUNT_SHARDS, EventId, ShardCount};
use crate::features::users::UserId;
use crate::platform::db::{Tx, row};
use crate::platform::error::Result;

use super::{Confidence, Outcome, Pick, store};

row! {
    /// Counts and sums of confidence by outcome.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct PredictionTotals {
        pub home: i64,
        pub draw: i64,
        pub away: i64,
        pub home_confidence: i64,
        pub draw_confidence: i64,
        pub away_confidence: i64,
    }
}

impl PredictionTotals {
    /// Adds so many predictions of an outcome, and the sum of their confidence.
    pub fn add(&mut self, outcome: Outcome, count: i64, confidence: i64) {
        let (number, sum) = match outcome {
            Outcome::Home => (&mut self.home, &mut self.home_confidence),
            Outcome::Draw => (&mut self.draw, &mut self.draw_confidence),
            Outcome::Away => (&mut self.away, &mut self.away_confidence),
        };
        *number += count;
        *sum += confidence;
    }

    /// Only what falls on this outcome.
    #[must_use]
    pub fn only(self, outcome: Outcome) -> Self {
        let (count, confidence) = match outcome {
            Outcome::Home => (self.home, self.home_confidence),
            Outcome::Draw => (self.draw, self.draw_confidence),
            Outcome::Away => (self.away, self.away_confidence),
        };
        let mut only = Self::default();
        only.add(outcome, count, confidence);
        only
    }

    pub fn all(self) -> i64 {
        self.home + self.draw + self.away
    }

    /// In hundredths of a percent, rounded; 0 for none.
    pub fn average_confidence_hundredths(self) -> i64 {
        let sum = self.home_confidence + self.draw_confidence + self.away_confidence;
        let all = self.all();
        (sum * 200 + all).checked_div(2 * all).unwrap_or(0)
    }
}

/// Counts a prediction, and discounts what it replaces. Answers the new number of the row that has one more.
pub fn count(
    tx: &mut Tx,
    user: UserId,
    event: EventId,
    pick: &Pick,
    previous: Option<(Outcome, Confidence)>,
) -> Result<Option<ShardCount>> {
    let mut change = PredictionTotals::default();
    change.add(pick.outcome(), 1, pick.confidence().get());
    if let Some((outcome, confidence)) = previous {
        change.add(outcome, -1, -confidence.get());
    }
    if change == PredictionTotals::default() {
        return Ok(None);
    }
    let shard = usize::try_from(user.0).unwrap_or(0) % COUNT_SHARDS;
    let predictions = store::add_to_totals(tx, event, shard, &change)?;
    Ok((change.all() != 0).then_some((shard, predictions)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_average_is_rounded_to_two_places_and_nothing_averages_to_nothing() {
        let average = |home, home_confidence| {
            PredictionTotals { home, home_confidence, ..PredictionTotals::default() }
                .average_confidence_hundredths()
        };
        assert_eq!(average(0, 0), 0);
        assert_eq!(average(3, 200), 6667);
        assert_eq!(average(3, 100), 3333);
        assert_eq!(average(8, 1), 13, "0.125 is rounded up");
        assert_eq!(average(2, 150), 7500);
    }
}
