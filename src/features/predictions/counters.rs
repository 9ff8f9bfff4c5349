//! How many predictions an event has, by outcome, and how sure they are: kept as they come, so that a list's `meta` costs the
//! same for ten as for a million.
//!
//! The numbers of an event are spread over several rows: on PostgreSQL a single row would make everybody who predicts
//! the same match wait for everybody else's commit.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};

use crate::features::events::{COUNT_SHARDS, EventId, ShardCount};
use crate::platform::db::{Tx, row};
use crate::platform::error::Result;

use super::store::{self, StoredRow};
use super::{Outcome, Pick};

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

/// As the list of its numbers.
impl Serialize for PredictionTotals {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let Self { home, draw, away, home_confidence, draw_confidence, away_confidence } = self;
        (home, draw, away, home_confidence, draw_confidence, away_confidence).serialize(serializer)
    }
}

/// Counts predictions that were just stored, and discounts what they replace. Answers for each event with more of them than before
/// the new number of the row that they were counted in.
pub fn count(tx: &mut Tx, placed: &[(StoredRow, Pick)]) -> Result<BTreeMap<EventId, ShardCount>> {
    let mut changes: BTreeMap<EventId, PredictionTotals> = BTreeMap::new();
    for (stored, pick) in placed {
        let change = changes.entry(stored.event_id).or_default();
        change.add(pick.outcome(), 1, pick.confidence().get());
        if let Some((outcome, confidence)) = stored.previous() {
            change.add(outcome, -1, -confidence.get());
        }
    }
    let changes: Vec<_> =
        changes.into_iter().filter(|(_, change)| *change != PredictionTotals::default()).collect();
    // Any row does, since only their sum counts; that of some user spreads those who count at the same time.
    let user = placed.first().map_or(0, |(stored, _)| stored.user_id.0);
    let shard = usize::try_from(user).unwrap_or(0) % COUNT_SHARDS;
    let totals =
        if changes.is_empty() { Vec::new() } else { store::add_to_totals(tx, shard, &changes)? };
    let has_more: BTreeSet<EventId> =
        changes.iter().filter(|(_, change)| change.all() != 0).map(|(event, _)| *event).collect();
    let counted = totals.into_iter().filter(|(event, _)| has_more.contains(event));
    Ok(counted.map(|(event, predictions)| (event, (shard, predictions))).collect())
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
