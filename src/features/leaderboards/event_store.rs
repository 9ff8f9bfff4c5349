//! The `settlement_points` table, and the predictions of an event in the order of its board. They are read where they are, from
//! an index in that order: a copy in `standings` would cost a row for each prediction that is settled.

use crate::features::events::EventId;
use crate::features::predictions::PredictionId;
use crate::features::users::UserId;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;

use super::places::Place;

row! {
    /// The caller's own line.
    #[derive(Debug, Clone, Copy)]
    pub struct OwnRow {
        id: PredictionId,
        pub points: i64,
        tier: i64,
    }
}

/// How many predictions earned so many points, most points first.
pub fn list_counts(tx: &mut Tx, event: EventId) -> Result<Vec<(i64, i64)>> {
    tx.all(
        "SELECT points, CAST(sum(predictions) AS BIGINT) FROM settlement_points WHERE event_id = $1
         GROUP BY points ORDER BY points DESC",
        params![event],
    )
}

pub fn replace_counts(tx: &mut Tx, event: EventId) -> Result<()> {
    tx.exec("DELETE FROM settlement_points WHERE event_id = $1", params![event])?;
    tx.exec(
        "INSERT INTO settlement_points (event_id, points, tier, predictions)
         SELECT event_id, points, tier, count(*) FROM predictions
         WHERE event_id = $1 AND points IS NOT NULL GROUP BY event_id, points, tier",
        params![event],
    )
    .map(drop)
}

pub fn find_own(tx: &mut Tx, event: EventId, user: UserId) -> Result<Option<OwnRow>> {
    tx.opt(
        "SELECT id, points, tier FROM predictions WHERE event_id = $1 AND user_id = $2 AND points IS NOT NULL",
        params![event, user],
    )
}

/// Predictions with the same points that stand before this one.
pub fn count_before(tx: &mut Tx, event: EventId, own: OwnRow) -> Result<i64> {
    tx.one(
        "SELECT (SELECT count(*) FROM predictions WHERE event_id = $1 AND points = $2 AND tier > $3)
              + (SELECT count(*) FROM predictions WHERE event_id = $1 AND points = $2 AND tier = $3 AND id < $4)",
        params![event, own.points, own.tier, own.id],
    )
}

/// Predictions with at most so many points, in the order of the board.
pub fn list_places(
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
