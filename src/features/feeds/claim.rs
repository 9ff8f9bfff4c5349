//! What a provider claims about a match, and whether that can be believed at all.

use crate::adapters::providers::report::MatchState;
use crate::features::events::{EventRow, Status, Venue};
use crate::platform::clock::{DAY_MS, MINUTE_MS, Timestamp};

use super::convert::{FeedMatch, ScorePair};
use super::source::Awarded;

/// What the same provider said the last time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastSaid {
    pub start_time: Timestamp,
    pub start_time_confirmed: bool,
    pub venue: Venue,
}

impl LastSaid {
    pub const fn time(&self) -> (Timestamp, bool) {
        (self.start_time, self.start_time_confirmed)
    }

    /// As if the provider had said how the match looks.
    pub fn of(event: &EventRow) -> Self {
        let (start_time, start_time_confirmed) = event.time();
        Self { start_time, start_time_confirmed, venue: event.venue.clone() }
    }
}

/// Why what a provider says is not carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    pub words: String,
    /// Two providers tell different results.
    pub is_disagreement: bool,
}

impl Hold {
    /// Something an operator has to look at.
    pub fn because(words: impl Into<String>) -> Self {
        Self { words: words.into(), is_disagreement: false }
    }
}

/// A match that is said to be over or to be played before it can be is not believed; clocks differ by less than this.
const EARLY_MS: i64 = 30 * MINUTE_MS;

/// What the provider makes of the match, with what the settings say about desks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    Scheduled,
    Postponed,
    Live,
    Finished,
    Void(&'static str),
}

pub fn claim(report: &FeedMatch, awarded: Awarded) -> Result<Claim, Hold> {
    Ok(match &report.state {
        MatchState::Scheduled => Claim::Scheduled,
        MatchState::Postponed => Claim::Postponed,
        MatchState::Live => Claim::Live,
        MatchState::Finished => Claim::Finished,
        MatchState::Cancelled => Claim::Void("Cancelled"),
        MatchState::Abandoned => Claim::Void("Abandoned"),
        MatchState::Awarded => match awarded {
            Awarded::Hold => return Err(Hold::because("it was awarded, not played")),
            Awarded::Finish => Claim::Finished,
            Awarded::Void => Claim::Void("Awarded"),
        },
        MatchState::Unknown(word) => {
            return Err(Hold::because(format!("its status {word} is not known")));
        }
    })
}

/// What a new match begins as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstLook {
    pub status: Status,
    pub score: Option<ScorePair>,
    pub start_time: Timestamp,
    pub start_time_confirmed: bool,
}

/// What a new match begins as, unless it has to be held or is not to be there at all.
pub fn first_look(report: &FeedMatch, awarded: Awarded, now: Timestamp) -> Result<FirstLook, Hold> {
    let claim = claim(report, awarded)?;
    check_time(claim, report, now)?;
    if claim == Claim::Scheduled && report.kickoff < now.plus_ms(-DAY_MS) {
        // The clock would take it for live, and nobody would ever end it.
        return Err(Hold::because("it was to begin more than a day ago and has no result"));
    }
    let (status, score) = match claim {
        Claim::Scheduled | Claim::Postponed => (Status::Scheduled, None),
        Claim::Live => (Status::Live, report.tally.unwrap_or(None)),
        Claim::Finished => (Status::Finished, Some(result_of(report)?)),
        Claim::Void(_) => return Err(Hold::because("it does not count and was never listed")),
    };
    let (start_time, start_time_confirmed) = said(report).time();
    Ok(FirstLook { status, score, start_time, start_time_confirmed })
}

pub fn check_time(claim: Claim, report: &FeedMatch, now: Timestamp) -> Result<(), Hold> {
    let is_to_come = report.kickoff > now.plus_ms(EARLY_MS);
    match claim {
        Claim::Finished if report.kickoff > now => {
            Err(Hold::because("it is said to be finished before its start"))
        }
        Claim::Live if is_to_come => Err(Hold::because("it is said to be played before its start")),
        _ => Ok(()),
    }
}

pub fn result_of(report: &FeedMatch) -> Result<ScorePair, Hold> {
    match report.tally {
        Ok(Some(score)) => Ok(score),
        Ok(None) => Err(Hold::because("it is said to be finished without a score that counts")),
        Err(reason) => Err(Hold::because(format!("it is said to be finished with {reason}"))),
    }
}

/// What is to be remembered as said. Providers say of a match that it is postponed as long as it has no new time; the time beside
/// that is the old one.
pub fn said(report: &FeedMatch) -> LastSaid {
    LastSaid {
        start_time: report.kickoff,
        start_time_confirmed: report.state != MatchState::Postponed,
        venue: report.venue.clone(),
    }
}
