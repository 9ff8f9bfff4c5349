//! A few numbers that say how busy it is.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::features::login::sms_log;
use crate::features::predictions;
use crate::platform::clock::HOUR_MS;
use crate::platform::db::Tx;
use crate::platform::error::Result;

/// What a pace is measured over.
const WINDOW: Duration = Duration::from_secs(60);
/// Sooner than this, a pace says nothing.
const SHORTEST: Duration = Duration::from_secs(5);

/// As operators are told.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Predictions made or changed a minute, on all nodes; nothing until there is something to measure.
    predictions_a_minute: Option<i64>,
    /// Streams of fans that are open on the node that answers.
    listening: usize,
    codes_sent_last_hour: i64,
    jobs_lag_ms: i64,
}

/// What is read for it.
#[derive(Debug, Clone, Copy)]
pub struct Counted {
    /// How many predictions were ever made or changed.
    predictions: i64,
    codes_sent: i64,
}

pub fn read(tx: &mut Tx) -> Result<Counted> {
    let since = tx.now().plus_ms(-HOUR_MS);
    Ok(Counted {
        predictions: predictions::count_ever_made(tx)?,
        codes_sent: sms_log::count_since(tx, since)?.sent,
    })
}

/// Looks of the last minute, the oldest first.
#[derive(Debug, Default)]
pub struct Pace(VecDeque<(Instant, i64)>);

impl Pace {
    pub fn figures(&mut self, counted: Counted, jobs_lag_ms: i64, listening: usize) -> Figures {
        Figures {
            predictions_a_minute: self.a_minute(Instant::now(), counted.predictions),
            listening,
            codes_sent_last_hour: counted.codes_sent,
            jobs_lag_ms,
        }
    }

    /// How fast a count grows, by how far it has come since the oldest look.
    fn a_minute(&mut self, now: Instant, count: i64) -> Option<i64> {
        let is_old = |(at, _): &(Instant, i64)| now.duration_since(*at) > WINDOW;
        while self.0.front().is_some_and(is_old) {
            self.0.pop_front();
        }
        self.0.push_back((now, count));
        let (first, before) = self.0.front().copied()?;
        let seconds = i64::try_from(now.duration_since(first).as_secs()).ok()?;
        let is_long = now.duration_since(first) >= SHORTEST;
        is_long.then(|| (count - before).max(0).saturating_mul(60) / seconds.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_what_a_minute_brings_at_the_rate_of_the_last_one() {
        let (mut pace, start) = (Pace::default(), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(pace.a_minute(at(0), 1_000), None);
        assert_eq!(pace.a_minute(at(4), 1_004), None);
        assert_eq!(pace.a_minute(at(10), 1_010), Some(60));
        assert_eq!(pace.a_minute(at(60), 1_010), Some(10));
        assert_eq!(pace.a_minute(at(200), 9_000), None);
    }
}
