//! The list of events in SQL: how many there are of each status, and stretches of one status.

use crate::platform::clock::{DAY_MS, Timestamp};
use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

use super::store::select_details;
use super::{EventDetailsRow, EventFilter, Status};

/// By status, as counted when events changed.
pub fn list_counts(tx: &mut Tx, filter: &EventFilter) -> Result<Vec<(Status, i64)>> {
    let tournament = filter.tournament.map_or(0, |id| id.0);
    let team = filter.team.map_or(0, |id| id.0);
    tx.all(
        "SELECT status, n FROM event_counts WHERE tournament_id = $1 AND team_id = $2",
        params![tournament, team],
    )
}

/// By status, counted now, of the events of one day.
pub fn list_counts_of_day(
    tx: &mut Tx,
    filter: &EventFilter,
    day: Timestamp,
) -> Result<Vec<(Status, i64)>> {
    tx.all(
        "SELECT status, count(*) FROM events
         WHERE voided_at IS NULL AND status IN ('live', 'scheduled', 'finished') AND start_time >= $1 AND start_time < $2
           AND (CAST($3 AS BIGINT) IS NULL OR tournament_id = $3)
           AND (CAST($4 AS BIGINT) IS NULL OR home_team_id = $4 OR away_team_id = $4)
         GROUP BY status",
        params![day, day.plus_ms(DAY_MS), filter.tournament, filter.team],
    )
}

/// A stretch of the events of one status.
pub struct Part<'a> {
    pub filter: &'a EventFilter,
    pub status: Status,
    pub limit: i64,
    pub offset: i64,
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
    pub fn rows(&self, tx: &mut Tx) -> Result<Vec<EventDetailsRow>> {
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
