//! Which matches operators see: those of a stretch of time, and those that are later than they should be.

use crate::features::events::{EventDetailsRow, EventId, EventRow, Status, TournamentId};
use crate::platform::clock::{HOUR_MS, MINUTE_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::page::Page;

use super::store;

/// The clock kicks matches off within seconds; one that still waits after this has a reason.
const KICK_OFF_MS: i64 = MINUTE_MS;
/// A match that is being played has a score by then, if anybody tells it.
const SILENT_MS: i64 = 15 * MINUTE_MS;
/// A match with extra time and penalties is over by then.
const RESULT_MS: i64 = 5 * HOUR_MS / 2;

/// Which matches are asked for, by when they begin.
#[derive(Debug, Clone)]
pub struct Stretch {
    pub from: Timestamp,
    /// Before this moment.
    pub to: Timestamp,
    pub tournament: Option<TournamentId>,
    pub status: Option<Status>,
    pub is_void: Option<bool>,
}

/// A page of matches by their start, voided ones too, and how many there are.
pub fn list(tx: &mut Tx, stretch: &Stretch, page: Page) -> Result<(Vec<EventDetailsRow>, i64)> {
    Ok((store::list(tx, stretch, page)?, store::count(tx, stretch)?))
}

/// In which way a match is later than it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lateness {
    /// It should have begun.
    KickOff,
    /// It is being played, and nobody has told a score.
    Silent,
    /// It should be over.
    Result,
}

/// In which way a match is late now, and since when.
pub fn lateness(event: &EventRow, now: Timestamp) -> Option<(Lateness, Timestamp)> {
    let (kind, since) = match event.status {
        _ if event.is_void() => return None,
        Status::Scheduled if event.start_time_confirmed => (Lateness::KickOff, KICK_OFF_MS),
        Status::Live if event.start_time.plus_ms(RESULT_MS) <= now => (Lateness::Result, RESULT_MS),
        Status::Live if event.home_score.is_none() => (Lateness::Silent, SILENT_MS),
        Status::Scheduled | Status::Live | Status::Finished => return None,
    };
    let since = event.start_time.plus_ms(since);
    (since <= now).then_some((kind, since))
}

/// Matches that are late, whichever day they are of: at most so many that have not begun, and as many that are live.
pub fn list_late(tx: &mut Tx, most: i64) -> Result<Vec<EventId>> {
    let now = tx.now();
    let mut late = store::list_not_begun(tx, now.plus_ms(-KICK_OFF_MS), most)?;
    let (over, told) = (now.plus_ms(-RESULT_MS), now.plus_ms(-SILENT_MS));
    late.extend(store::list_live_too_long(tx, over, told, most)?);
    Ok(late)
}
