//! The list of events: live by start, then scheduled by start, then finished latest first.
//!
//! The three parts are read one after the other, each from an index that is already in its order, and only as far as the
//! page reaches. How long the parts are is counted when events change, not when they are listed; only a day's events are
//! counted on the spot. So a page costs the same however many matches have been played.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::teams::{self, TeamId};
use crate::platform::clock::{DAY_MS, Timestamp};
use crate::platform::db::{Tx, params};
use crate::platform::error::{Error, FieldErrors, Result};
use crate::platform::http::page::Page;

use super::store::select_details;
use super::{EventDetailsRow, Status, TournamentId, tournaments};

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
    check(tx, filter)?;
    let totals = match filter.day {
        Some(day) => counted_now(tx, filter, day)?,
        None => counted(tx, filter)?,
    };
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

fn check(tx: &mut Tx, filter: &EventFilter) -> Result<()> {
    let mut errors = FieldErrors::default();
    if let Some(id) = filter.tournament
        && tournaments::find(tx, id)?.is_none()
    {
        errors.add("tournament_id", "There is no such tournament.");
    }
    if let Some(id) = filter.team
        && teams::find(tx, id)?.is_none()
    {
        errors.add("team_id", "There is no such team.");
    }
    if errors.is_empty() { Ok(()) } else { Err(Error::Invalid(errors)) }
}

fn counted(tx: &mut Tx, filter: &EventFilter) -> Result<EventTotals> {
    let tournament = filter.tournament.map_or(0, |id| id.0);
    let team = filter.team.map_or(0, |id| id.0);
    let rows = tx.all(
        "SELECT status, n FROM event_counts WHERE tournament_id = $1 AND team_id = $2",
        params![tournament, team],
    )?;
    Ok(EventTotals::of(rows))
}

fn counted_now(tx: &mut Tx, filter: &EventFilter, day: Timestamp) -> Result<EventTotals> {
    let rows = tx.all(
        "SELECT status, count(*) FROM events
         WHERE voided_at IS NULL AND status IN ('live', 'scheduled', 'finished') AND start_time >= $1 AND start_time < $2
           AND (CAST($3 AS BIGINT) IS NULL OR tournament_id = $3)
           AND (CAST($4 AS BIGINT) IS NULL OR home_team_id = $4 OR away_team_id = $4)
         GROUP BY status",
        params![day, day.plus_ms(DAY_MS), filter.tournament, filter.team],
    )?;
    Ok(EventTotals::of(rows))
}

/// A stretch of the events of one status.
struct Part<'a> {
    filter: &'a EventFilter,
    status: Status,
    limit: i64,
    offset: i64,
}

/// The rows of one part: `$where` narrows it, `$order` is its direction.
macro_rules! of_part {
    ($where:expr, $order:expr) => {
        select_details!(
            concat!(
                "(SELECT id, start_time FROM events
                  WHERE voided_at IS NULL AND status = $1 AND start_time >= $2 AND start_time < $3 ",
                $where,
                " ORDER BY start_time ", $order, ", id ", $order,
                " LIMIT $4 OFFSET $5) p JOIN events e ON e.id = p.id"
            ),
            concat!("ORDER BY p.start_time ", $order, ", p.id ", $order)
        )
    };
}

/// The same for a team: its home and its away matches are each in order already, so two short lists are merged. `$6` is the
/// team, `$7` how far into each list the page can reach.
macro_rules! of_team {
    ($where:expr, $order:expr) => {
        select_details!(
            concat!(
                "(SELECT id, start_time FROM (",
                of_team!(side "home_team_id", $where, $order),
                ") at_home UNION ALL SELECT id, start_time FROM (",
                of_team!(side "away_team_id", $where, $order),
                ") away ORDER BY start_time ", $order, ", id ", $order,
                " LIMIT $4 OFFSET $5) p JOIN events e ON e.id = p.id"
            ),
            concat!("ORDER BY p.start_time ", $order, ", p.id ", $order)
        )
    };
    (side $column:expr, $where:expr, $order:expr) => {
        concat!(
            "SELECT id, start_time FROM events
             WHERE voided_at IS NULL AND status = $1 AND start_time >= $2 AND start_time < $3 AND ",
            $column, " = $6 ", $where,
            " ORDER BY start_time ", $order, ", id ", $order, " LIMIT $7"
        )
    };
}

/// Finished matches are listed the other way round.
macro_rules! in_order {
    ($status:expr, $of:ident, $where:expr) => {
        if $status == Status::Finished { $of!($where, "DESC") } else { $of!($where, "ASC") }
    };
}

impl Part<'_> {
    fn rows(&self, tx: &mut Tx) -> Result<Vec<EventDetailsRow>> {
        let (from, until) = match self.filter.day {
            Some(day) => (day, day.plus_ms(DAY_MS)),
            None => (Timestamp::from_millis(i64::MIN), Timestamp::from_millis(i64::MAX)),
        };
        let (status, limit, offset) = (self.status, self.limit, self.offset);
        let reach = limit.saturating_add(offset);
        match (self.filter.team, self.filter.tournament) {
            (None, None) => {
                tx.all(in_order!(status, of_part, ""), params![status, from, until, limit, offset])
            }
            (None, Some(tournament)) => tx.all(
                in_order!(status, of_part, "AND tournament_id = $6"),
                params![status, from, until, limit, offset, tournament],
            ),
            (Some(team), None) => tx.all(
                in_order!(status, of_team, ""),
                params![status, from, until, limit, offset, team, reach],
            ),
            (Some(team), Some(tournament)) => tx.all(
                in_order!(status, of_team, "AND tournament_id = $8"),
                params![status, from, until, limit, offset, team, reach, tournament],
            ),
        }
    }
}
