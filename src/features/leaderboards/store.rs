//! The `boards` and `settlement_points` tables, and what is counted as it is read: standings, calibration and runs. The
//! predictions of an event are read where they are, from an index in the order of its board: a copy in `standings` would cost
//! a row for each prediction that is settled.

use serde::Serialize;

use crate::features::chat::Room;
use crate::features::events::EventId;
use crate::features::predictions::{LeaderRow, PredictionId};
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;

use super::boards::{Board, BoardId};
use super::places::Place;
use super::statistics::{Calibration, Runs};

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
        /// The sum of the squared errors, in ten-thousandths.
        pub brier: i64,
    }
}

/// The board, if any match has been counted into it.
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

/// Users with more points.
pub fn count_above(tx: &mut Tx, board: BoardId, points: i64) -> Result<i64> {
    tx.one(
        "SELECT CAST(COALESCE(sum(users), 0) AS BIGINT) FROM standing_counts WHERE board_id = $1 AND points > $2",
        params![board, points],
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

/// Who stands first, at most so many, of all or of those who did not predict this event.
pub fn list_first(
    tx: &mut Tx,
    board: BoardId,
    without: Option<EventId>,
    most: i64,
) -> Result<Vec<LeaderRow>> {
    tx.all(
        "SELECT u.id, u.username, s.points, s.exact FROM standings s JOIN users u ON u.id = s.user_id
         WHERE s.board_id = $1
           AND NOT EXISTS (SELECT 1 FROM predictions p WHERE p.event_id = $2 AND p.user_id = s.user_id)
         ORDER BY s.points DESC, s.exact DESC, s.user_id LIMIT $3",
        params![board, without, most],
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

/// How many of the listed users have the same points and stand before this one.
pub fn count_before_among(
    tx: &mut Tx,
    board: BoardId,
    users: &str,
    user: UserId,
    own: StandingRow,
) -> Result<i64> {
    tx.one(
        "SELECT count(*) FROM standings
         WHERE board_id = $1 AND points = $3 AND (exact > $4 OR (exact = $4 AND user_id < $5))
           AND user_id IN (SELECT CAST(value AS BIGINT) FROM json_each($2))",
        params![board, users, own.points, own.exact, user],
    )
}

pub fn list_calibration(tx: &mut Tx, user: UserId) -> Result<Vec<Calibration>> {
    tx.all(
        "SELECT decile, settled, correct FROM calibration WHERE user_id = $1 AND settled > 0 ORDER BY decile",
        params![user],
    )
}

/// A room's members by how many of their settled predictions were right, then by the part that was, then by who predicted
/// first.
///
/// The room's members are joined here, through the view that chat has for this: a list of ten thousand ids would have to be
/// read and sent first, which costs half as much again on PostgreSQL.
pub fn top_predictors(tx: &mut Tx, room: &Room, most: i64) -> Result<Vec<PredictorRow>> {
    tx.all(
        "SELECT u.id, u.username, s.correct, s.settled
         FROM chat_room_users m JOIN users u ON u.id = m.user_id
         JOIN boards b ON b.tournament_id = 0 AND b.period = 'all'
         JOIN standings s ON s.board_id = b.id AND s.user_id = u.id
         WHERE m.room_id = $1 AND s.settled > 0
         ORDER BY s.correct DESC, CAST(s.correct AS REAL) / s.settled DESC,
                  (SELECT min(p.id) FROM predictions p WHERE p.user_id = u.id), u.id
         LIMIT $2",
        params![room.room_id, most],
    )
}

row! {
    /// The caller's own line.
    #[derive(Debug, Clone, Copy)]
    pub struct OwnEventRow {
        id: PredictionId,
        pub points: i64,
        tier: i64,
    }
}

/// How many predictions earned so many points, most points first.
pub fn list_event_counts(tx: &mut Tx, event: EventId) -> Result<Vec<(i64, i64)>> {
    tx.all(
        "SELECT points, CAST(sum(predictions) AS BIGINT) FROM settlement_points WHERE event_id = $1
         GROUP BY points ORDER BY points DESC",
        params![event],
    )
}

/// Adds up anew how many of an event's predictions earned how much.
pub fn recount_event(tx: &mut Tx, event: EventId) -> Result<()> {
    tx.exec("DELETE FROM settlement_points WHERE event_id = $1", params![event])?;
    tx.exec(
        "INSERT INTO settlement_points (event_id, points, tier, predictions)
         SELECT event_id, points, tier, count(*) FROM predictions
         WHERE event_id = $1 AND points IS NOT NULL GROUP BY event_id, points, tier",
        params![event],
    )
    .map(drop)
}

row! {
    /// What all predictions on an event came to, as it is announced.
    #[derive(Debug, Serialize)]
    pub struct EventSumsRow {
        settled: i64,
        correct: i64,
        exact: i64,
        points: i64,
    }
}

pub fn get_event_sums(tx: &mut Tx, event: EventId) -> Result<EventSumsRow> {
    tx.one(
        "SELECT COALESCE(CAST(sum(predictions) AS BIGINT), 0),
                COALESCE(CAST(sum(predictions) FILTER (WHERE tier > 0) AS BIGINT), 0),
                COALESCE(CAST(sum(predictions) FILTER (WHERE tier = 3) AS BIGINT), 0),
                COALESCE(CAST(sum(predictions * points) AS BIGINT), 0)
         FROM settlement_points WHERE event_id = $1",
        params![event],
    )
}

pub fn find_own_in_event(tx: &mut Tx, event: EventId, user: UserId) -> Result<Option<OwnEventRow>> {
    tx.opt(
        "SELECT id, points, tier FROM predictions WHERE event_id = $1 AND user_id = $2 AND points IS NOT NULL",
        params![event, user],
    )
}

/// Predictions with the same points that stand before this one.
pub fn count_before_in_event(tx: &mut Tx, event: EventId, own: OwnEventRow) -> Result<i64> {
    tx.one(
        "SELECT (SELECT count(*) FROM predictions WHERE event_id = $1 AND points = $2 AND tier > $3)
              + (SELECT count(*) FROM predictions WHERE event_id = $1 AND points = $2 AND tier = $3 AND id < $4)",
        params![event, own.points, own.tier, own.id],
    )
}

/// Predictions with at most so many points, in the order of the board.
pub fn list_event_places(
    tx: &mut Tx,
    event: EventId,
    most: i64,
    limit: i64,
    offset: i64,
) -> Result<Vec<Place>> {
    tx.all(
        "SELECT u.id, u.username, u.name, p.points, CASE WHEN p.tier = 3 THEN 1 ELSE 0 END,
                CASE WHEN p.tier > 0 THEN 1 ELSE 0 END, 1
         FROM (SELECT id FROM predictions
               WHERE event_id = $1 AND points IS NOT NULL AND points <= $2
               ORDER BY points DESC, tier DESC, id LIMIT $3 OFFSET $4) i
         JOIN predictions p ON p.id = i.id
         JOIN users u ON u.id = p.user_id ORDER BY p.points DESC, p.tier DESC, p.id",
        params![event, most, limit, offset],
    )
}

/// A user's runs, and whether they are stale.
pub fn find_runs(tx: &mut Tx, user: UserId) -> Result<Option<(Runs, bool)>> {
    tx.opt(
        "SELECT current_run, best_run, is_stale FROM prediction_runs WHERE user_id = $1",
        params![user],
    )
}

/// Holds a user's runs until the end of the transaction.
pub fn lock_runs(tx: &mut Tx, user: UserId) -> Result<()> {
    tx.opt::<i64>(
        "SELECT user_id FROM prediction_runs WHERE user_id = $1 FOR UPDATE",
        params![user],
    )
    .map(drop)
}

/// A user's counted predictions in the order of kick-off: when, on which match, and what was right.
pub fn each_counted(
    tx: &mut Tx,
    user: UserId,
    visit: impl FnMut((Timestamp, EventId, i64)) -> Result<()>,
) -> Result<()> {
    tx.each(
        "SELECT e.start_time, e.id, p.counted_tier FROM predictions p JOIN events e ON e.id = p.event_id
         WHERE p.user_id = $1 AND p.counted_tier IS NOT NULL ORDER BY e.start_time, e.id",
        params![user],
        visit,
    )
}

/// Stores runs that were walked up to this match.
pub fn update_runs(
    tx: &mut Tx,
    user: UserId,
    runs: Runs,
    last: (Timestamp, EventId),
) -> Result<()> {
    tx.exec(
        "UPDATE prediction_runs SET current_run = $2, best_run = $3, last_start = $4, last_event = $5, is_stale = 0
         WHERE user_id = $1",
        params![user, runs.current, runs.best, last.0, last.1],
    )
    .map(drop)
}
