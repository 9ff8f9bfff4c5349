//! The `boards` table, and the `standings`, `standing_counts` and `calibration` tables as they are read.

use crate::features::users::UserId;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;

use super::boards::{Board, BoardId};
use super::places::Place;
use super::statistics::Calibration;

row! {
    /// A member of a room with what they have been right about.
    #[derive(Debug, Clone)]
    pub struct PredictorRow {
        pub user_id: UserId,
        pub username: String,
        pub correct: i64,
        pub settled: i64,
    }
}

row! {
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct StandingRow {
        pub settled: i64,
        pub correct: i64,
        pub exact: i64,
        pub points: i64,
        pub brier: i64,
    }
}

pub fn find_board(tx: &mut Tx, board: Board) -> Result<Option<BoardId>> {
    tx.opt(
        "SELECT id FROM boards WHERE tournament_id = $1 AND period = $2 AND starts_at = $3",
        params![board.tournament, board.period, board.starts_at],
    )
}

/// Of two that want one board, one inserts it and both find it.
pub fn insert_board(tx: &mut Tx, board: Board) -> Result<()> {
    tx.exec(
        "INSERT INTO boards (tournament_id, period, starts_at) VALUES ($1, $2, $3)
         ON CONFLICT (tournament_id, period, starts_at) DO NOTHING",
        params![board.tournament, board.period, board.starts_at],
    )
    .map(drop)
}

pub fn find_standing(tx: &mut Tx, board: BoardId, user: UserId) -> Result<Option<StandingRow>> {
    tx.opt(
        "SELECT settled, correct, exact, points, brier FROM standings WHERE board_id = $1 AND user_id = $2",
        params![board, user],
    )
}

/// How many users have so many points, most points first.
pub fn list_counts(tx: &mut Tx, board: BoardId) -> Result<Vec<(i64, i64)>> {
    tx.all(
        "SELECT points, users FROM standing_counts WHERE board_id = $1 ORDER BY points DESC",
        params![board],
    )
}

/// Users with at most so many points, in the order of the board.
pub fn list_places(
    tx: &mut Tx,
    board: BoardId,
    most: i64,
    limit: i64,
    offset: i64,
) -> Result<Vec<Place>> {
    tx.all(
        "SELECT u.id, u.username, u.name, s.points, s.exact, s.correct, s.settled
         FROM (SELECT user_id FROM standings WHERE board_id = $1 AND points <= $2
               ORDER BY points DESC, exact DESC, user_id LIMIT $3 OFFSET $4) i
         JOIN standings s ON s.board_id = $1 AND s.user_id = i.user_id
         JOIN users u ON u.id = s.user_id ORDER BY s.points DESC, s.exact DESC, s.user_id",
        params![board, most, limit, offset],
    )
}

/// Users with the same points who stand before this one.
pub fn count_before(tx: &mut Tx, board: BoardId, user: UserId, own: StandingRow) -> Result<i64> {
    tx.one(
        "SELECT (SELECT count(*) FROM standings WHERE board_id = $1 AND points = $2 AND exact > $3)
              + (SELECT count(*) FROM standings WHERE board_id = $1 AND points = $2 AND exact = $3 AND user_id < $4)",
        params![board, own.points, own.exact, user],
    )
}

/// The users of a list, in the order of the board, each with their rank among them.
pub fn list_among(
    tx: &mut Tx,
    board: BoardId,
    users: &str,
    limit: i64,
    offset: i64,
) -> Result<Vec<(i64, Place)>> {
    tx.all(
        "SELECT s.place, u.id, u.username, u.name, s.points, s.exact, s.correct, s.settled
         FROM (SELECT user_id, points, exact, correct, settled, rank() OVER (ORDER BY points DESC) AS place
               FROM standings
               WHERE board_id = $1
                 AND user_id IN (SELECT CAST(value AS BIGINT) FROM json_each($2))) s
         JOIN users u ON u.id = s.user_id
         ORDER BY s.points DESC, s.exact DESC, s.user_id LIMIT $3 OFFSET $4",
        params![board, users, limit, offset],
    )
}

/// How many of the listed users are on the board and have more than so many points.
pub fn count_among(tx: &mut Tx, board: BoardId, users: &str, more_than: i64) -> Result<i64> {
    tx.one(
        "SELECT count(*) FROM standings
         WHERE board_id = $1 AND points > $3
           AND user_id IN (SELECT CAST(value AS BIGINT) FROM json_each($2))",
        params![board, users, more_than],
    )
}

pub fn list_calibration(tx: &mut Tx, user: UserId) -> Result<Vec<Calibration>> {
    tx.all(
        "SELECT decile, settled, correct FROM calibration WHERE user_id = $1 AND settled > 0 ORDER BY decile",
        params![user],
    )
}

/// The room's members are joined here, through the view that chat has for this: a list of ten thousand ids would have to be
/// read and sent first, which costs half as much again on PostgreSQL.
pub fn list_top_predictors(tx: &mut Tx, room_id: &str, most: i64) -> Result<Vec<PredictorRow>> {
    tx.all(
        "SELECT u.id, u.username, s.correct, s.settled
         FROM chat_room_users m JOIN users u ON u.id = m.user_id
         JOIN boards b ON b.tournament_id = 0 AND b.period = 'all'
         JOIN standings s ON s.board_id = b.id AND s.user_id = u.id
         WHERE m.room_id = $1 AND s.settled > 0
         ORDER BY s.correct DESC, CAST(s.correct AS REAL) / s.settled DESC,
                  (SELECT min(p.id) FROM predictions p WHERE p.user_id = u.id), u.id
         LIMIT $2",
        params![room_id, most],
    )
}
