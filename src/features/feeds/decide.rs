//! What a report changes about a match, and what it does not.
//!
//! Three things are compared: what the provider says, how the match looks, and what feeds last wrote about it. A field that
//! looks different from what was written was changed by an operator, and stays.

use crate::adapters::providers::Provider;
use crate::features::events::{EventId, EventRow, Score, Status, Venue};
use crate::platform::clock::Timestamp;
use crate::platform::db::row;

use super::claim::{Claim, Hold, LastSaid, check_time, claim, result_of, said};
use super::convert::{FeedMatch, ScorePair};
use super::playing::{self, PlannedPlaying};
use super::source::Awarded;

row! {
    /// What feeds last wrote about a match.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LastWritten {
        pub event_id: EventId,
        pub start_time: Timestamp,
        pub start_time_confirmed: bool,
        pub venue: Venue,
        pub status: Status,
        pub home_score: Option<Score>,
        pub away_score: Option<Score>,
        pub is_void: bool,
        /// Who said how the match ended.
        pub outcome_by: Option<Provider>,
        /// An operator said how the match ended.
        pub is_operators: bool,
    }
}

/// A match as it is, and what is known about how it came to be so.
#[derive(Debug, Clone, Copy)]
pub struct KnownMatch<'a> {
    pub event: &'a EventRow,
    pub written: Option<&'a LastWritten>,
    pub said: Option<&'a LastSaid>,
}

/// How a match is to look; what is absent stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlannedChanges {
    /// Another time, or the same that now is confirmed.
    pub start_time: Option<Timestamp>,
    /// No time is known any more; `start_time` is then another last known one.
    pub is_time_open: bool,
    pub venue: Option<Venue>,
    /// `Scheduled` reopens, `Live` kicks off, and `Finished` enters the score as the result. Any of them ends a void.
    pub status: Option<Status>,
    pub score: Option<ScorePair>,
    pub playing: Option<PlannedPlaying>,
    pub void: Option<&'static str>,
}

impl PlannedChanges {
    fn set_time(&mut self, before: Timestamp, (start, is_confirmed): (Timestamp, bool)) {
        self.start_time = (is_confirmed || start != before).then_some(start);
        self.is_time_open = !is_confirmed;
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub changes: PlannedChanges,
    pub hold: Option<Hold>,
    /// What is to be remembered as written once the changes are made.
    pub written: LastWritten,
    /// What is to be remembered as said. What is held was not heard, so that it is news when it is said again.
    pub said: LastSaid,
}

/// A match that is there when a feed first names it is taken over as it stands; if it has ended, an operator said how.
pub fn adopted(event: &EventRow) -> LastWritten {
    LastWritten {
        event_id: event.id,
        start_time: event.start_time,
        start_time_confirmed: event.start_time_confirmed,
        venue: event.venue.clone(),
        status: event.status,
        home_score: event.home_score,
        away_score: event.away_score,
        is_void: event.is_void(),
        outcome_by: None,
        is_operators: event.is_void() || event.status == Status::Finished,
    }
}

pub fn decide(
    report: &FeedMatch,
    provider: Provider,
    awarded: Awarded,
    known: KnownMatch<'_>,
    now: Timestamp,
) -> Decision {
    let written = known.written.cloned().unwrap_or_else(|| adopted(known.event));
    let mut decider =
        Decider { report, provider, known, now, changes: PlannedChanges::default(), written };
    decider.note_operator();
    let hold = decider.weigh(awarded).err();
    if hold.is_some() {
        // Held whole: half of what is not believed is not believed either.
        decider.changes = PlannedChanges::default();
    }
    decider.remember();
    let said = match &hold {
        None => said(report),
        Some(_) => known.said.cloned().unwrap_or_else(|| LastSaid::of(known.event)),
    };
    Decision { changes: decider.changes, hold, written: decider.written, said }
}

/// One match while it is decided.
struct Decider<'a> {
    report: &'a FeedMatch,
    provider: Provider,
    known: KnownMatch<'a>,
    now: Timestamp,
    changes: PlannedChanges,
    written: LastWritten,
}

impl Decider<'_> {
    fn score(&self) -> Option<ScorePair> {
        self.known.event.home_score.zip(self.known.event.away_score)
    }

    fn written_score(&self) -> Option<ScorePair> {
        self.written.home_score.zip(self.written.away_score)
    }

    fn is_time_operators(&self) -> bool {
        self.known.event.time() != (self.written.start_time, self.written.start_time_confirmed)
    }

    /// The clock makes no match live before its start, and a feed remembers that it did.
    fn is_operators_kick_off(&self) -> bool {
        let event = self.known.event;
        let is_early = event.status == Status::Live && event.start_time > self.now;
        is_early && self.written.status != Status::Live
    }

    /// Whether an operator said that the match is still to come.
    fn check_operators_time(&self, what: &str) -> Result<(), Hold> {
        if self.is_time_operators() && self.known.event.closes_at() > self.now {
            return Err(Hold::because(format!("{what}; an operator moved it to a later time")));
        }
        Ok(())
    }

    /// Whether an operator said that the match stands otherwise.
    fn check_operators_score(&self, what: &str, result: Option<ScorePair>) -> Result<(), Hold> {
        if self.score() != self.written_score() && self.score() != result {
            return Err(Hold::because(format!("{what}; an operator set another live score")));
        }
        Ok(())
    }

    /// An operator's result or void stands for good.
    fn note_operator(&mut self) {
        let event = self.known.event;
        let is_other_result = event.status == Status::Finished
            && (self.written.status != Status::Finished || self.score() != self.written_score());
        let is_other_void = event.is_void() != self.written.is_void;
        if is_other_result || is_other_void {
            self.written.is_operators = true;
        }
    }

    fn weigh(&mut self, awarded: Awarded) -> Result<(), Hold> {
        let claim = claim(self.report, awarded)?;
        check_time(claim, self.report, self.now)?;
        if self.known.event.is_void() {
            return self.weigh_void(claim);
        }
        match claim {
            Claim::Void(reason) => self.weigh_end(reason)?,
            Claim::Finished => self.weigh_result()?,
            Claim::Live => self.weigh_live()?,
            Claim::Scheduled | Claim::Postponed => self.weigh_scheduled()?,
        }
        if matches!(claim, Claim::Finished | Claim::Live) {
            self.weigh_past_time();
        }
        self.weigh_venue();
        Ok(())
    }

    /// A void that a feed made ends when the feed takes it back; an operator's stays.
    fn weigh_void(&mut self, claim: Claim) -> Result<(), Hold> {
        if self.written.is_operators {
            return Ok(());
        }
        match claim {
            Claim::Void(_) => {}
            Claim::Live => {
                let said = self.report.tally.unwrap_or(None);
                self.check_operators_time("being played")?;
                self.check_operators_score("being played", said)?;
                self.changes.status = Some(Status::Live);
                self.changes.score = said;
                self.changes.playing = playing::news(self.report, self.known.event);
                self.weigh_open_time();
            }
            Claim::Finished => {
                let result = result_of(self.report)?;
                self.check_operators_time("finished")?;
                self.check_operators_score("finished", Some(result))?;
                self.changes.score = Some(result);
                self.changes.status = Some(Status::Finished);
                self.weigh_open_time();
            }
            Claim::Scheduled | Claim::Postponed => {
                let before = self.known.event.time();
                let time = if self.is_time_operators() { before } else { said(self.report).time() };
                self.check_operators_score("not begun", None)?;
                if time.0 > self.now || !time.1 {
                    self.changes.status = Some(Status::Scheduled);
                    if time != before {
                        self.changes.set_time(before.0, time);
                    }
                }
            }
        }
        Ok(())
    }

    /// The provider says that the match does not count.
    fn weigh_end(&mut self, reason: &'static str) -> Result<(), Hold> {
        let has_ended = self.known.event.status == Status::Finished;
        if self.written.is_operators {
            return Err(Hold::because(format!("{reason}; an operator has said otherwise")));
        }
        if has_ended && self.written.outcome_by != Some(self.provider) {
            return Err(self.disagreement(reason));
        }
        self.check_operators_time(reason)?;
        self.changes.void = Some(reason);
        Ok(())
    }

    fn weigh_result(&mut self) -> Result<(), Hold> {
        let result = result_of(self.report)?;
        let event = self.known.event;
        let what = format!("finished {}-{}", result.0.get(), result.1.get());
        if event.status == Status::Finished {
            if self.score() == Some(result) {
                return Ok(());
            }
            if self.written.is_operators {
                let words = format!("{what}; an operator entered another result");
                return Err(Hold::because(words));
            }
            if self.written.outcome_by != Some(self.provider) {
                return Err(self.disagreement(&what));
            }
        } else {
            self.check_operators_time(&what)?;
            self.check_operators_score(&what, Some(result))?;
        }
        self.changes.status = Some(Status::Finished);
        self.changes.score = Some(result);
        Ok(())
    }

    fn disagreement(&self, what: &str) -> Hold {
        let event = self.known.event;
        let score = |side: Option<Score>| side.map_or(-1, Score::get);
        let (home, away) = (score(event.home_score), score(event.away_score));
        let by = self.written.outcome_by.map_or("an operator", Provider::name);
        let words = format!("{what}; {by} says finished {home}-{away}");
        Hold { words, is_disagreement: true }
    }

    fn weigh_live(&mut self) -> Result<(), Hold> {
        let event = self.known.event;
        match event.status {
            Status::Finished => return self.has_ended("is said to be still played"),
            Status::Scheduled => {
                self.check_operators_time("being played")?;
                self.changes.status = Some(Status::Live);
            }
            Status::Live => {}
        }
        let said = self.report.tally.unwrap_or(None);
        if said.is_some() && said != self.score() && self.score() == self.written_score() {
            self.changes.score = said;
        }
        self.changes.playing = playing::news(self.report, event);
        Ok(())
    }

    fn weigh_scheduled(&mut self) -> Result<(), Hold> {
        let event = self.known.event;
        let time = said(self.report).time();
        let is_to_come = time.0 > self.now || !time.1;
        let is_news = self.known.said.is_none_or(|said| said.time() != time);
        let is_moved = time != event.time() && is_news && self.may_set(time);
        match event.status {
            Status::Finished => return self.has_ended("is said not to have begun"),
            // A time that is to come, or none, postpones a match that had gone live; otherwise the provider is behind the clock.
            Status::Live if is_moved && is_to_come && !self.is_operators_kick_off() => {
                self.check_operators_score("not begun", None)?;
                self.changes.status = Some(Status::Scheduled);
                self.changes.set_time(event.start_time, time);
            }
            Status::Scheduled if is_moved => self.changes.set_time(event.start_time, time),
            Status::Live | Status::Scheduled => {}
        }
        Ok(())
    }

    /// Whether a match that is to be played may be given this time: an operator's stays. Where there is none, one that is to come
    /// is welcome; the old one, repeated, is not another if it was an operator who said that it no longer holds.
    fn may_set(&self, (start, is_confirmed): (Timestamp, bool)) -> bool {
        let event = self.known.event;
        match (event.start_time_confirmed, self.is_time_operators()) {
            (true, is_operators) => !is_operators,
            (false, false) => !is_confirmed || start > self.now,
            (false, true) => is_confirmed && start > self.now && start != event.start_time,
        }
    }

    /// A provider that takes back its own result is told so; another one is merely behind.
    fn has_ended(&self, what: &str) -> Result<(), Hold> {
        if !self.written.is_operators && self.written.outcome_by == Some(self.provider) {
            return Err(Hold::because(format!("it {what}, after its result")));
        }
        Ok(())
    }

    /// The time at which a match that has begun was to begin, if the provider corrects it.
    fn weigh_past_time(&mut self) {
        let kickoff = self.report.kickoff;
        let is_news = self.known.said.is_none_or(|said| said.time() != (kickoff, true));
        let is_other = (kickoff, true) != self.known.event.time() && !self.is_time_operators();
        if is_news && is_other && kickoff <= self.now {
            self.changes.start_time = Some(kickoff);
        }
        self.weigh_open_time();
    }

    /// A match that had no time and has begun has one.
    fn weigh_open_time(&mut self) {
        if !self.known.event.start_time_confirmed {
            self.changes.start_time = Some(self.report.kickoff.min(self.now));
        }
    }

    /// Providers spell venues differently, so one fills in what is missing and moves only what it changes itself.
    fn weigh_venue(&mut self) {
        let (venue, event) = (&self.report.venue, self.known.event);
        let is_missing = event.venue == Venue::default();
        let is_news = self.known.said.map_or(is_missing, |said| said.venue != *venue);
        let is_ours = event.venue == self.written.venue;
        if *venue != Venue::default() && *venue != event.venue && is_news && is_ours {
            self.changes.venue = Some(venue.clone());
        }
    }

    /// What will be remembered as written: the changes, and every field in which the provider has come to agree with an
    /// operator, so that it leads from there.
    fn remember(&mut self) {
        let is_operators_kick_off = self.is_operators_kick_off();
        let (event, changes) = (self.known.event, &self.changes);
        let written = &mut self.written;
        if changes.start_time.is_some() || changes.is_time_open {
            written.start_time = changes.start_time.unwrap_or(event.start_time);
            written.start_time_confirmed = !changes.is_time_open;
        } else if event.time() == said(self.report).time() {
            (written.start_time, written.start_time_confirmed) = event.time();
        }
        if let Some(venue) = &changes.venue {
            written.venue = venue.clone();
        } else if event.venue == self.report.venue {
            written.venue = event.venue.clone();
        }
        let score = event.home_score.zip(event.away_score);
        if let Some((home, away)) = changes.score {
            (written.home_score, written.away_score) = (Some(home), Some(away));
        } else if changes.status == Some(Status::Scheduled) {
            (written.home_score, written.away_score) = (None, None);
        } else if self.report.tally == Ok(score) {
            (written.home_score, written.away_score) = (event.home_score, event.away_score);
        }
        // That the clock made it live is nobody's doing.
        if let Some(status) = changes.status {
            written.status = status;
        } else if event.status != Status::Finished && !is_operators_kick_off {
            written.status = event.status;
        }
        if changes.status == Some(Status::Finished) || changes.void.is_some() {
            written.outcome_by = Some(self.provider);
        }
        if changes.void.is_some() {
            written.is_void = true;
        } else if changes.status.is_some() {
            written.is_void = false;
        }
    }
}
