//! What a provider tells of a live match's period and minute. The last word is whoever spoke last: a clock is soon told anew.

use crate::features::events::{EventRow, Minute, Period};

use super::convert::FeedMatch;

/// A period and a minute, as they are to be.
pub type PlannedPlaying = (Option<Period>, Option<Minute>);

/// What is news of it. Not every word of a provider says a period, nor every answer a minute.
pub fn news(report: &FeedMatch, event: &EventRow) -> Option<PlannedPlaying> {
    let known = event.playing;
    let period = report.period.or(known.period);
    let kept = known.minute.filter(|_| period == known.period);
    let minute = report.minute.or(kept);
    ((period, minute) != (known.period, known.minute)).then_some((period, minute))
}
