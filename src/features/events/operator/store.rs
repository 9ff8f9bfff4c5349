//! Matches as operators look for them, in SQL: of a stretch of time, and those that are late.

use crate::features::events::store::select_details;
use crate::features::events::{EventDetailsRow, EventId, TournamentId};
use crate::features::teams::TeamId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params};
use crate::platform::error::Result;
use crate::platform::http::page::Page;

use super::Stretch;

/// What narrows a stretch: `$1` to `$5`.
macro_rules! in_stretch {
    () => {
        "FROM events WHERE start_time >= $1 AND start_time < $2
           AND (CAST($3 AS BIGINT) IS NULL OR tournament_id = $3)
           AND (CAST($4 AS TEXT) IS NULL OR status = $4)
           AND (CAST($5 AS BIGINT) IS NULL OR (CASE WHEN voided_at IS NULL THEN 0 ELSE 1 END) = $5)"
    };
}

/// By their start.
pub fn list(tx: &mut Tx, stretch: &Stretch, page: Page) -> Result<Vec<EventDetailsRow>> {
    let Stretch { from, to, tournament, status, is_void } = stretch;
    tx.all(
        select_details!(
            concat!(
                "(SELECT id, start_time ",
                in_stretch!(),
                " ORDER BY start_time, id LIMIT $6 OFFSET $7) p JOIN events e ON e.id = p.id"
            ),
            "ORDER BY p.start_time, p.id"
        ),
        params![from, to, tournament, status, is_void, page.per_page, page.offset()],
    )
}

pub fn count(tx: &mut Tx, stretch: &Stretch) -> Result<i64> {
    let Stretch { from, to, tournament, status, is_void } = stretch;
    tx.one(
        concat!("SELECT count(*) ", in_stretch!()),
        params![from, to, tournament, status, is_void],
    )
}

/// Those that were to begin before this and have not, the oldest first.
pub fn list_not_begun(tx: &mut Tx, before: Timestamp, most: i64) -> Result<Vec<EventId>> {
    tx.all(
        "SELECT id FROM events
         WHERE voided_at IS NULL AND status = 'scheduled' AND start_time <= $1 AND start_time_confirmed = 1
         ORDER BY start_time, id LIMIT $2",
        params![before, most],
    )
}

/// Those that are live since before the first moment, and those without a score since before the second one, the oldest first.
pub fn list_live_too_long(
    tx: &mut Tx,
    before: Timestamp,
    without_score_before: Timestamp,
    most: i64,
) -> Result<Vec<EventId>> {
    tx.all(
        "SELECT id FROM events
         WHERE voided_at IS NULL AND status = 'live'
           AND (start_time <= $1 OR (start_time <= $2 AND home_score IS NULL))
         ORDER BY start_time, id LIMIT $3",
        params![before, without_score_before, most],
    )
}

/// The match of this pairing that begins at this moment, if there is one that counts.
pub fn find_same(
    tx: &mut Tx,
    tournament: TournamentId,
    (home, away): (TeamId, TeamId),
    start: Timestamp,
) -> Result<Option<EventId>> {
    tx.opt(
        "SELECT id FROM events WHERE tournament_id = $1 AND home_team_id = $2 AND away_team_id = $3 AND start_time = $4
            AND voided_at IS NULL AND status IN ('live', 'scheduled', 'finished') LIMIT 1",
        params![tournament, home, away, start],
    )
}
