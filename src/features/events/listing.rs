//! The list of events: live by start, then scheduled by start, then finished latest first.
//!
//! The three parts are read one after the other, each from an index that is already in its order, and only as far as the
//! page reaches. How long the parts are is counted when events change, not when they are listed; only a day's events are
//! counted on the spot. So a page costs the same however many matches have been played.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::teams::TeamId;
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::page::Page;

use super::listing_store::{self as store, Part};
use super::{EventDetailsRow, Status, TournamentId};

/// Which events are asked for; what is absent does not narrow.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct EventFilter {
    pub tournament: Option<TournamentId>,
    pub team: Option<TeamId>,
    /// The first moment of a UTC day.
    pub day: Option<Timestamp>,
    pub status: Option<Status>,
}

/// How many events are listed, by status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Totals)]
pub struct EventTotals {
    pub live: i64,
    pub scheduled: i64,
    pub finished: i64,
}

impl EventTotals {
    fn of(rows: Vec<(Status, i64)>) -> Self {
        let mut totals = Self::default();
        for (status, count) in rows {
            match status {
                Status::Live => totals.live = count,
                Status::Scheduled => totals.scheduled = count,
                Status::Finished => totals.finished = count,
            }
        }
        totals
    }

    /// The parts of the list in their order, those that the filter asks for.
    fn parts(self, only: Option<Status>) -> impl Iterator<Item = (Status, i64)> {
        let parts = [
            (Status::Live, self.live),
            (Status::Scheduled, self.scheduled),
            (Status::Finished, self.finished),
        ];
        parts.into_iter().filter(move |(status, _)| only.is_none_or(|only| only == *status))
    }
}

/// All events that are listed.
pub fn totals(tx: &mut Tx) -> Result<EventTotals> {
    counted(tx, &EventFilter::default())
}

/// One page of events, and how many there are in all.
pub fn list(tx: &mut Tx, filter: &EventFilter, page: Page) -> Result<(Vec<EventDetailsRow>, i64)> {
    let totals = counted(tx, filter)?;
    let total = totals.parts(filter.status).map(|(_, count)| count).sum();
    let mut rows = Vec::new();
    let (mut skip, mut wanted) = (page.offset(), page.per_page);
    for (status, count) in totals.parts(filter.status) {
        if skip >= count {
            skip -= count;
            continue;
        }
        let part = Part { filter, status, limit: wanted.min(count - skip), offset: skip };
        rows.extend(part.rows(tx)?);
        wanted -= part.limit;
        skip = 0;
        if wanted == 0 {
            break;
        }
    }
    Ok((rows, total))
}

/// What is live, whenever it began, and what else this UTC day has, in the order of every list; at most so many.
pub fn list_today(tx: &mut Tx, day: Timestamp, most: i64) -> Result<Vec<EventDetailsRow>> {
    let of_any_day = EventFilter::default();
    let of_the_day = EventFilter { day: Some(day), ..EventFilter::default() };
    let parts = [
        (Status::Live, &of_any_day),
        (Status::Scheduled, &of_the_day),
        (Status::Finished, &of_the_day),
    ];
    let mut rows = Vec::new();
    let mut wanted = most;
    for (status, filter) in parts {
        let found = Part { filter, status, limit: wanted, offset: 0 }.rows(tx)?;
        wanted -= i64::try_from(found.len()).unwrap_or(wanted);
        rows.extend(found);
    }
    Ok(rows)
}

fn counted(tx: &mut Tx, filter: &EventFilter) -> Result<EventTotals> {
    let counts = match filter.day {
        Some(day) => store::list_counts_of_day(tx, filter, day)?,
        None => store::list_counts(tx, filter)?,
    };
    Ok(EventTotals::of(counts))
}
