//! Counting in SQL: whole stretches of predictions into the `standings`, `standing_counts` and `calibration` tables. The
//! `predictions` table is read here, because a million of them are counted without passing through the program.

use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

use super::boards::BoardId;
use super::count::Counting;

/// The predictions of a stretch that are not what was counted. $1: event; $2 and $3: the stretch; $4: whether it is counted or
/// taken out. They are joined with `$more`, in this order.
macro_rules! changed {
    () => {
        $crate::features::leaderboards::count_store::changed!(join "")
    };
    (join $more:expr) => {
        concat!(
            "(SELECT p.user_id, p.confidence, p.counted_tier, p.counted_points, p.counted_confidence,
                     CASE WHEN $4 = 1 THEN p.tier END AS tier, CASE WHEN $4 = 1 THEN p.points END AS points
              FROM predictions p WHERE p.event_id = $1 AND p.id > $2 AND p.id <= $3) c ", $more, "
             WHERE (c.tier IS DISTINCT FROM c.counted_tier OR c.points IS DISTINCT FROM c.counted_points
                    OR (c.tier IS NOT NULL AND c.confidence <> c.counted_confidence))"
        )
    };
}

pub(super) use changed;

/// Takes the lock of all boards, until the end of the transaction.
pub fn lock(tx: &mut Tx) -> Result<()> {
    tx.exec("UPDATE boards_lock SET turns = turns + 1 WHERE id = 1", params![]).map(drop)
}

pub fn count_standings(tx: &mut Tx, counting: &Counting<'_>) -> Result<()> {
    tx.exec(
        concat!(
            "INSERT INTO standings (board_id, user_id, settled, correct, exact, points, brier)
             SELECT CAST(b.value AS BIGINT), c.user_id,
                    (CASE WHEN c.tier IS NULL THEN 0 ELSE 1 END) - (CASE WHEN c.counted_tier IS NULL THEN 0 ELSE 1 END),
                    (CASE WHEN c.tier > 0 THEN 1 ELSE 0 END) - (CASE WHEN c.counted_tier > 0 THEN 1 ELSE 0 END),
                    (CASE WHEN c.tier = 3 THEN 1 ELSE 0 END) - (CASE WHEN c.counted_tier = 3 THEN 1 ELSE 0 END),
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
                 exact = standings.exact + excluded.exact, points = standings.points + excluded.points,
                 brier = standings.brier + excluded.brier"
        ),
        params![
            counting.stretch.event,
            counting.stretch.after,
            counting.stretch.end,
            counting.is_counting,
            counting.boards
        ],
    )
    .map(drop)
}

/// Whoever has no settled prediction left is on no board.
pub fn delete_empty_standings(tx: &mut Tx, counting: &Counting<'_>) -> Result<()> {
    let discounted: Option<i64> = tx.opt(
        concat!(
            "SELECT c.user_id FROM ",
            changed!(),
            " AND c.tier IS NULL AND c.counted_tier IS NOT NULL LIMIT 1"
        ),
        params![
            counting.stretch.event,
            counting.stretch.after,
            counting.stretch.end,
            counting.is_counting
        ],
    )?;
    if discounted.is_none() {
        return Ok(());
    }
    tx.exec(
        concat!(
            "DELETE FROM standings WHERE settled = 0 AND (board_id, user_id) IN
               (SELECT CAST(b.value AS BIGINT), c.user_id FROM json_each($5) b CROSS JOIN ",
            changed!(),
            ")"
        ),
        params![
            counting.stretch.event,
            counting.stretch.after,
            counting.stretch.end,
            counting.is_counting,
            counting.boards
        ],
    )
    .map(drop)
}

/// Adds the users of the stretch to (1) or takes them from (-1) the places where they now are.
pub fn count_places(tx: &mut Tx, counting: &Counting<'_>, sign: i64) -> Result<()> {
    tx.exec(
        concat!(
            "INSERT INTO standing_counts (board_id, points, users)
             SELECT s.board_id, s.points, $6 * count(*)
             FROM json_each($5) b CROSS JOIN ", changed!(join "CROSS JOIN standings s"), "
               AND s.board_id = CAST(b.value AS BIGINT) AND s.user_id = c.user_id
             GROUP BY s.board_id, s.points
             ON CONFLICT (board_id, points) DO UPDATE SET users = standing_counts.users + excluded.users"
        ),
        params![
            counting.stretch.event,
            counting.stretch.after,
            counting.stretch.end,
            counting.is_counting,
            counting.boards,
            sign
        ],
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
    let range = params![
        counting.stretch.event,
        counting.stretch.after,
        counting.stretch.end,
        counting.is_counting
    ];
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
