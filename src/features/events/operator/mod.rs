//! What operators may change about a match, and what they may not.

mod lists;
mod new;
pub mod routes;
mod store;
mod version;

use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::input;
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::{Error, FieldErrors, Result};

use super::{
    EventId, EventRow, Kickoff, Minute, Period, Score, Status, Venue, VoidReason, changes,
    store as events,
};

pub use lists::{Lateness, Stretch, lateness, list, list_late};
pub use new::{NewEvent, add};
pub use version::version;

input! {
    // A change of a match; what is absent stays.
    #[derive(Debug, Clone, Default, Serialize, ToSchema)]
    #[schema(as = EventBody)]
    pub struct EventChange {
        pub start_time: Option<Kickoff>,
        /// False postpones the match without a new time: it is `scheduled`, takes predictions and does not go live until a
        /// `start_time` is given, which confirms it.
        pub start_time_confirmed: Option<bool>,
        pub venue: Option<Venue>,
        /// `live` kicks off early; `scheduled` with a new `start_time` postpones a live match; any status ends a void.
        pub status: Option<Status>,
        /// A live score; both sides together at first.
        pub home_score: Option<Score>,
        pub away_score: Option<Score>,
        /// Of a live match. Another period than before, told without a minute, has none.
        pub period: Option<Period>,
        /// The minute that a live match is in now.
        pub minute: Option<Minute>,
    }
}

impl EventChange {
    pub fn is_empty(&self) -> bool {
        self.start_time.is_none()
            && self.start_time_confirmed.is_none()
            && self.venue.is_none()
            && self.status.is_none()
            && !self.has_score()
            && !self.has_clock()
    }

    fn has_clock(&self) -> bool {
        self.period.is_some() || self.minute.is_some()
    }

    fn postpones_without_a_time(&self) -> bool {
        self.start_time_confirmed == Some(false)
    }

    fn has_score(&self) -> bool {
        self.home_score.is_some() || self.away_score.is_some()
    }
}

pub fn update(tx: &mut Tx, id: EventId, change: &EventChange) -> Result<EventRow> {
    let before = get_for_update(tx, id)?;
    let after = changed(&before, change, tx.now())?;
    changes::apply(tx, before, after)
}

/// Finishes a match, or corrects its result.
pub fn enter_result(tx: &mut Tx, id: EventId, home: Score, away: Score) -> Result<EventRow> {
    let before = get_for_update(tx, id)?;
    let after = with_result(&before, home, away)?;
    changes::apply(tx, before, after)
}

fn with_result(before: &EventRow, home: Score, away: Score) -> Result<EventRow> {
    if before.is_void() {
        return Err(Error::Unprocessable {
            code: "event_void",
            message: text!("The match is void. Give it a status first if it counts after all."),
        });
    }
    Ok(EventRow {
        status: Status::Finished,
        home_score: Some(home),
        away_score: Some(away),
        ..before.clone()
    })
}

/// Takes a match out of the count: it was cancelled or abandoned. Its status stays.
pub fn void(tx: &mut Tx, id: EventId, reason: &VoidReason) -> Result<EventRow> {
    let before = get_for_update(tx, id)?;
    let after = voided(&before, reason, tx.now());
    changes::apply(tx, before, after)
}

fn voided(before: &EventRow, reason: &VoidReason, now: Timestamp) -> EventRow {
    EventRow {
        voided_at: before.voided_at.or(Some(now)),
        void_reason: Some(reason.clone()),
        ..before.clone()
    }
}

/// What is done to one match: it is changed as by [`update`], then gets a result or is voided, where those are given.
#[derive(Debug, Clone)]
pub struct MatchUpdate {
    pub event: EventId,
    pub change: EventChange,
    pub result: Option<(Score, Score)>,
    pub void: Option<VoidReason>,
}

impl MatchUpdate {
    fn apply(&self, before: &EventRow, now: Timestamp) -> Result<EventRow> {
        let mut after = before.clone();
        if !self.change.is_empty() {
            after = changed(&after, &self.change, now)?;
        }
        if let Some((home, away)) = self.result {
            after = with_result(&after, home, away)?;
        }
        if let Some(reason) = &self.void {
            after = voided(&after, reason, now);
        }
        Ok(after)
    }
}

/// Updates several matches at once, in the order of their ids, and answers those that the rules refuse to change. What
/// follows is done for all of them together, so that locks are taken in the order in which every script takes them.
pub fn update_all(tx: &mut Tx, updates: &[MatchUpdate]) -> Result<Vec<EventId>> {
    let (mut refused, mut done) = (Vec::new(), Vec::new());
    for update in updates {
        let before = get_for_update(tx, update.event)?;
        match update.apply(&before, tx.now()) {
            Ok(after) => {
                let after = changes::with_outcome(tx, &before, after);
                if before != after {
                    events::update(tx, &after, None)?;
                    done.push(changes::Change { before: Some(before), after });
                }
            }
            Err(Error::Invalid(_) | Error::Unprocessable { .. }) => refused.push(before.id),
            Err(error) => return Err(error),
        }
    }
    changes::follow_up(tx, &done)?;
    Ok(refused)
}

fn get_for_update(tx: &mut Tx, id: EventId) -> Result<EventRow> {
    events::find_for_update(tx, id)?.ok_or(not_found!("event"))
}

/// The match as the audit log shows it.
fn state(event: &EventRow) -> Value {
    json!({
        "start_time": event.start_time, "start_time_confirmed": event.start_time_confirmed,
        "venue": event.venue, "status": event.status, "home_score": event.home_score,
        "away_score": event.away_score, "period": event.playing.period,
        "minute": event.playing.minute, "void_reason": event.void_reason,
    })
}

/// What the audit log calls a match.
pub fn subject(event: EventId) -> String {
    format!("event {}", event.0)
}

/// How the match is to look, or which field makes no sense for it.
fn changed(
    before: &EventRow,
    change: &EventChange,
    now: Timestamp,
) -> Result<EventRow, FieldErrors> {
    let mut after = before.clone();
    if let Some(venue) = &change.venue {
        after.venue = venue.clone();
    }
    if let Some(start) = change.start_time {
        (after.start_time, after.start_time_confirmed) = (start.get(), true);
    }
    after.start_time_confirmed = change.start_time_confirmed.unwrap_or(after.start_time_confirmed);
    let status = if change.postpones_without_a_time() { Status::Scheduled } else { before.status };
    after.status = change.status.unwrap_or(status);
    if before.is_void() {
        if change.status.is_some() {
            (after.voided_at, after.void_reason) = (None, None);
        } else if change.start_time.is_some()
            || change.start_time_confirmed.is_some()
            || change.has_score()
            || change.has_clock()
        {
            return Err(FieldErrors::of(
                "status",
                text!("The match is void; giving it a status ends that."),
            ));
        }
    } else if before.status == Status::Finished && after.status != Status::Finished {
        return Err(FieldErrors::of(
            "status",
            text!("A finished match is not reopened; void it first."),
        ));
    }
    if after.status != Status::Scheduled && change.postpones_without_a_time() {
        return Err(FieldErrors::of(
            "start_time_confirmed",
            text!("A match without a time has not begun; its status is scheduled."),
        ));
    }
    if change.has_clock() {
        if after.status != Status::Live {
            let field = if change.period.is_some() { "period" } else { "minute" };
            return Err(FieldErrors::of(
                field,
                text!("Only a live match has a period and a minute."),
            ));
        }
        after.playing = before.playing.told(change.period, change.minute, now);
    }
    match after.status {
        Status::Scheduled => scheduled(before, change, now, &mut after)?,
        Status::Live => live(before, change, now, &mut after)?,
        Status::Finished => finished(before, change, now, &mut after)?,
    }
    Ok(after)
}

fn scheduled(
    before: &EventRow,
    change: &EventChange,
    now: Timestamp,
    after: &mut EventRow,
) -> Result<(), FieldErrors> {
    if change.has_score() {
        return Err(FieldErrors::of(
            "home_score",
            text!("A match that has not begun has no score."),
        ));
    }
    let reopens = before.status != Status::Scheduled || (before.is_void() && !after.is_void());
    if reopens && after.closes_at() <= now {
        return Err(FieldErrors::of(
            "start_time",
            text!("A postponed match needs a time that is to come, or start_time_confirmed false."),
        ));
    }
    (after.home_score, after.away_score) = (None, None);
    Ok(())
}

fn live(
    before: &EventRow,
    change: &EventChange,
    now: Timestamp,
    after: &mut EventRow,
) -> Result<(), FieldErrors> {
    let is_moved = change.start_time.is_some() && after.start_time > now;
    if is_moved && before.status == Status::Live {
        return Err(FieldErrors::of(
            "start_time",
            text!("A live match is postponed with status scheduled and its new time."),
        ));
    }
    after.home_score = change.home_score.or(before.home_score);
    after.away_score = change.away_score.or(before.away_score);
    both_or_neither(after)
}

fn finished(
    before: &EventRow,
    change: &EventChange,
    now: Timestamp,
    after: &mut EventRow,
) -> Result<(), FieldErrors> {
    if change.has_score() && change.status.is_none() {
        return Err(FieldErrors::of(
            "home_score",
            text!("The match is finished; correct its result instead."),
        ));
    }
    if change.start_time.is_some() && after.start_time > now {
        return Err(FieldErrors::of("start_time", text!("A finished match cannot begin later.")));
    }
    after.home_score = change.home_score.or(before.home_score);
    after.away_score = change.away_score.or(before.away_score);
    if after.home_score.is_none() && after.away_score.is_none() {
        return Err(FieldErrors::of("home_score", text!("A finished match needs its score.")));
    }
    both_or_neither(after)
}

fn both_or_neither(event: &EventRow) -> Result<(), FieldErrors> {
    match (event.home_score, event.away_score) {
        (Some(_), None) => Err(FieldErrors::of("away_score", text!("Both sides need a score."))),
        (None, Some(_)) => Err(FieldErrors::of("home_score", text!("Both sides need a score."))),
        _ => Ok(()),
    }
}
