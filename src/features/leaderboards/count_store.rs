//! Counting in SQL: whole stretches of predictions into the `standings`, `standing_counts`, `calibration` and
//! `prediction_runs` tables. The `predictions` table is read here, because a million of them are counted without passing through the program.

use crate::features::predictions::{Stretch, merit};
use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

use super::boards::BoardId;
use super::count::Counting;

/// The predictions of a stretch that are not what was counted. $1: event; $2 and $3: the stretch; $4: whether it is counted or
/// taken out. They are joined with `$more`, in this order.
macro_rules! changed {
    () => {
        changed!(join "")
    };
    (join $more:expr) => {
        concat!(
            "(SELECT p.user_id, p.confidence, p.counted_tier, p.counted_points, p.counted_confidence, p.counted_merit,
                     CASE WHEN $4 = 1 THEN p.tier END AS tier, CASE WHEN $4 = 1 THEN p.points END AS points,
                     CASE WHEN $4 = 1 THEN ", merit!(), " END AS merit
              FROM predictions p WHERE p.event_id = $1 AND p.id > $2 AND p.id <= $3) c ", $more, "
             WHERE (c.tier IS DISTINCT FROM c.counted_tier OR c.points IS DISTINCT FROM c.counted_points
                    OR c.merit IS DISTINCT FROM c.counted_merit
                    OR (c.tier IS NOT NULL AND c.confidence <> c.counted_confidence))"
        )
    };
}

/// Takes the lock of all boards, until the end of the transaction.
pub fn lock(tx: &mut Tx) -> Result<()> {
    tx.exec("UPDATE boards_lock SET turns = turns + 1 WHERE id = 1", params![]).map(drop)
}

/// Waits for whoever has the lock of all boards, and lets nobody have it until the end of the transaction.
pub fn hold_still(tx: &mut Tx) -> Result<()> {
    tx.one::<i64>("SELECT turns FROM boards_lock WHERE id = 1 FOR SHARE", params![]).map(drop)
}

pub fn count_standings(tx: &mut Tx, counting: &Counting<'_>) -> Result<()> {
    let Counting { stretch: Stretch { event, after, end }, is_counting, boards, .. } = *counting;
    tx.exec(
        concat!(
            "INSERT INTO standings (board_id, user_id, settled, correct, exact, draws, differences, points, brier)
             SELECT CAST(b.value AS BIGINT), c.user_id,
                    (CASE WHEN c.tier IS NULL THEN 0 ELSE 1 END) - (CASE WHEN c.counted_tier IS NULL THEN 0 ELSE 1 END),
                    (CASE WHEN c.tier > 0 THEN 1 ELSE 0 END) - (CASE WHEN c.counted_tier > 0 THEN 1 ELSE 0 END),
                    (CASE WHEN c.tier = 3 THEN 1 ELSE 0 END) - (CASE WHEN c.counted_tier = 3 THEN 1 ELSE 0 END),
                    (CASE WHEN c.merit = 2 THEN 1 ELSE 0 END) - (CASE WHEN c.counted_merit = 2 THEN 1 ELSE 0 END),
                    (CASE WHEN c.merit = 3 THEN 1 ELSE 0 END) - (CASE WHEN c.counted_merit = 3 THEN 1 ELSE 0 END),
                    COALESCE(c.points, 0) - COALESCE(c.counted_points, 0),
                    (CASE WHEN c.tier IS NULL THEN 0
                          WHEN c.tier > 0 THEN (c.confidence - 100) * (c.confidence - 100)
                          ELSE c.confidence * c.confidence END)
                    - (CASE WHEN c.counted_tier IS NULL THEN 0
                            WHEN c.counted_tier > 0 THEN (c.counted_confidence - 100) * (c.counted_confidence - 100)
                            ELSE c.counted_confidence * c.counted_confidence END)
             FROM json_each($5) b CROSS JOIN ", changed!(), "
             ON CONFLICT (board_id, user_id) DO UPDATE
             SET settled = standings.settled + excluded.settled, correct = standings.correct + excluded.correct,
                 exact = standings.exact + excluded.exact, draws = standings.draws + excluded.draws,
                 differences = standings.differences + excluded.differences, points = standings.points + excluded.points,
                 brier = standings.brier + excluded.brier"
        ),
        params![event, after, end, is_counting, boards],
    )
    .map(drop)
}

/// Whoever has nothing settled left is on no board.
pub fn delete_empty_standings(tx: &mut Tx, counting: &Counting<'_>) -> Result<()> {
    let Counting { stretch: Stretch { event, after, end }, is_counting, boards, .. } = *counting;
    let discounted: Option<i64> = tx.opt(
        concat!(
            "SELECT c.user_id FROM ",
            changed!(),
            " AND c.tier IS NULL AND c.counted_tier IS NOT NULL LIMIT 1"
        ),
        params![event, after, end, is_counting],
    )?;
    if discounted.is_none() {
        return Ok(());
    }
    tx.exec(
        concat!(
            "DELETE FROM standings WHERE settled = 0 AND tips = 0 AND (board_id, user_id) IN
               (SELECT CAST(b.value AS BIGINT), c.user_id FROM json_each($5) b CROSS JOIN ",
            changed!(),
            ")"
        ),
        params![event, after, end, is_counting, boards],
    )
    .map(drop)
}

/// Adds the users of the stretch to (1) or takes them from (-1) the places where they now are.
pub fn count_places(tx: &mut Tx, counting: &Counting<'_>, sign: i64) -> Result<()> {
    let Counting { stretch: Stretch { event, after, end }, is_counting, boards, .. } = *counting;
    tx.exec(
        concat!(
            "INSERT INTO standing_counts (board_id, points, users)
             SELECT s.board_id, s.points, $6 * count(*)
             FROM json_each($5) b CROSS JOIN ", changed!(join "CROSS JOIN standings s"), "
               AND s.board_id = CAST(b.value AS BIGINT) AND s.user_id = c.user_id
             GROUP BY s.board_id, s.points
             ON CONFLICT (board_id, points) DO UPDATE SET users = standing_counts.users + excluded.users"
        ),
        params![event, after, end, is_counting, boards, sign],
    )
    .map(drop)
}

pub fn delete_empty_places(tx: &mut Tx, boards: &str) -> Result<()> {
    tx.exec(
        "DELETE FROM standing_counts
         WHERE users = 0 AND board_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))",
        params![boards],
    )
    .map(drop)
}

/// Counts the places of a board anew.
pub fn recount(tx: &mut Tx, board: BoardId) -> Result<()> {
    tx.exec("DELETE FROM standing_counts WHERE board_id = $1", params![board])?;
    tx.exec(
        "INSERT INTO standing_counts (board_id, points, users)
         SELECT board_id, points, count(*) FROM standings
         WHERE board_id = $1 GROUP BY board_id, points",
        params![board],
    )
    .map(drop)
}

pub fn count_calibration(tx: &mut Tx, counting: &Counting<'_>) -> Result<()> {
    let Counting { stretch: Stretch { event, after, end }, is_counting, .. } = *counting;
    let range = params![event, after, end, is_counting];
    tx.exec(
        concat!(
            "INSERT INTO calibration (user_id, decile, settled, correct)
             SELECT c.user_id, CASE WHEN c.counted_confidence = 100 THEN 9 ELSE c.counted_confidence / 10 END,
                    -1, CASE WHEN c.counted_tier > 0 THEN -1 ELSE 0 END
             FROM ", changed!(), " AND c.counted_tier IS NOT NULL
             ON CONFLICT (user_id, decile) DO UPDATE
             SET settled = calibration.settled + excluded.settled, correct = calibration.correct + excluded.correct"
        ),
        range,
    )?;
    tx.exec(
        concat!(
            "INSERT INTO calibration (user_id, decile, settled, correct)
             SELECT c.user_id, CASE WHEN c.confidence = 100 THEN 9 ELSE c.confidence / 10 END,
                    1, CASE WHEN c.tier > 0 THEN 1 ELSE 0 END
             FROM ", changed!(), " AND c.tier IS NOT NULL
             ON CONFLICT (user_id, decile) DO UPDATE
             SET settled = calibration.settled + excluded.settled, correct = calibration.correct + excluded.correct"
        ),
        range,
    )
    .map(drop)
}

/// Lets runs grow or break by what changed; where that is not the latest of a user's matches, they are stale.
pub fn count_runs(tx: &mut Tx, counting: &Counting<'_>) -> Result<()> {
    let Counting { stretch: Stretch { event, after, end }, start_time, is_counting, .. } =
        *counting;
    // What was counted before and is right or wrong otherwise now.
    tx.exec(
        concat!(
            "UPDATE prediction_runs SET is_stale = 1 WHERE user_id IN
               (SELECT c.user_id FROM ",
            changed!(),
            " AND c.counted_tier IS NOT NULL
                AND (c.tier IS NULL OR (CASE WHEN c.tier > 0 THEN 1 ELSE 0 END)
                                    <> (CASE WHEN c.counted_tier > 0 THEN 1 ELSE 0 END)))"
        ),
        params![event, after, end, is_counting],
    )?;
    tx.exec(
        concat!(
            "INSERT INTO prediction_runs (user_id, current_run, best_run, last_start, last_event, is_stale)
             SELECT c.user_id, CASE WHEN c.tier > 0 THEN 1 ELSE 0 END, CASE WHEN c.tier > 0 THEN 1 ELSE 0 END, $5, $1, 0
             FROM ", changed!(), " AND c.counted_tier IS NULL
             ON CONFLICT (user_id) DO UPDATE
             SET is_stale = CASE WHEN prediction_runs.is_stale = 1
                                   OR (excluded.last_start, excluded.last_event)
                                      <= (prediction_runs.last_start, prediction_runs.last_event)
                                 THEN 1 ELSE 0 END,
                 current_run = CASE WHEN excluded.current_run = 1 THEN prediction_runs.current_run + 1 ELSE 0 END,
                 best_run = CASE WHEN excluded.current_run = 1 AND prediction_runs.current_run >= prediction_runs.best_run
                                 THEN prediction_runs.current_run + 1 ELSE prediction_runs.best_run END,
                 last_start = excluded.last_start, last_event = excluded.last_event"
        ),
        params![event, after, end, is_counting, start_time],
    )
    .map(drop)
}
