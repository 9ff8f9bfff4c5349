//! Counting in SQL what special tips earn, whole stretches of them, into the `standings` and `standing_counts` tables. The `question_tips`
//! table is read here, as the predictions are: a million of them are counted without passing through the program.

use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

/// Tips on one question, by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TipStretch {
    pub question: i64,
    /// The first one is after this, the last one is `end`.
    pub after: i64,
    pub end: i64,
}

/// The tips of a stretch that have not earned what was counted. $1: question; $2 and $3: the stretch.
macro_rules! changed {
    ($more:expr) => {
        concat!(
            "(SELECT user_id, points, counted_points FROM question_tips WHERE question_id = $1 AND id > $2 AND id <= $3) c ", $more,
            " WHERE c.points IS DISTINCT FROM c.counted_points"
        )
    };
}

pub fn count_standings(tx: &mut Tx, stretch: TipStretch, boards: &str) -> Result<()> {
    let TipStretch { question, after, end } = stretch;
    tx.exec(
        concat!(
            "INSERT INTO standings (board_id, user_id, settled, correct, exact, points, brier, tips, tip_points)
             SELECT CAST(b.value AS BIGINT), c.user_id, 0, 0, 0, COALESCE(c.points, 0) - COALESCE(c.counted_points, 0), 0,
                    (CASE WHEN c.points IS NULL THEN 0 ELSE 1 END) - (CASE WHEN c.counted_points IS NULL THEN 0 ELSE 1 END),
                    COALESCE(c.points, 0) - COALESCE(c.counted_points, 0)
             FROM json_each($4) b CROSS JOIN ", changed!(""), "
             ON CONFLICT (board_id, user_id) DO UPDATE
             SET points = standings.points + excluded.points, tips = standings.tips + excluded.tips,
                 tip_points = standings.tip_points + excluded.tip_points"
        ),
        params![question, after, end, boards],
    )
    .map(drop)
}

/// Whoever has nothing settled left is on no board.
pub fn delete_empty_standings(tx: &mut Tx, stretch: TipStretch, boards: &str) -> Result<()> {
    let TipStretch { question, after, end } = stretch;
    tx.exec(
        concat!(
            "DELETE FROM standings WHERE settled = 0 AND tips = 0 AND (board_id, user_id) IN
               (SELECT CAST(b.value AS BIGINT), c.user_id FROM json_each($4) b CROSS JOIN ",
            changed!(""),
            " AND c.points IS NULL)"
        ),
        params![question, after, end, boards],
    )
    .map(drop)
}

/// Adds the users of the stretch to (1) or takes them from (-1) the places where they now are.
pub fn count_places(tx: &mut Tx, stretch: TipStretch, boards: &str, sign: i64) -> Result<()> {
    let TipStretch { question, after, end } = stretch;
    tx.exec(
        concat!(
            "INSERT INTO standing_counts (board_id, points, users)
             SELECT s.board_id, s.points, $5 * count(*)
             FROM json_each($4) b CROSS JOIN ", changed!("CROSS JOIN standings s"), "
               AND s.board_id = CAST(b.value AS BIGINT) AND s.user_id = c.user_id
             GROUP BY s.board_id, s.points
             ON CONFLICT (board_id, points) DO UPDATE SET users = standing_counts.users + excluded.users"
        ),
        params![question, after, end, boards, sign],
    )
    .map(drop)
}
