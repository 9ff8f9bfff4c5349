//! The `event_counters` table. Nobody else writes it; events read from it how many predictions a match is shown with.

use crate::features::events::EventId;
use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

use super::PredictionTotals;

/// Adds to the numbers of one of an event's rows.
pub fn add(tx: &mut Tx, event: EventId, shard: i64, change: &PredictionTotals) -> Result<()> {
    tx.exec(
        "INSERT INTO event_counters (event_id, shard, predictions, home, draw, away, home_confidence, draw_confidence,
                away_confidence)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (event_id, shard) DO UPDATE
         SET predictions = event_counters.predictions + excluded.predictions,
             home = event_counters.home + excluded.home,
             draw = event_counters.draw + excluded.draw,
             away = event_counters.away + excluded.away,
             home_confidence = event_counters.home_confidence + excluded.home_confidence,
             draw_confidence = event_counters.draw_confidence + excluded.draw_confidence,
             away_confidence = event_counters.away_confidence + excluded.away_confidence",
        params![
            event,
            shard,
            change.all(),
            change.home,
            change.draw,
            change.away,
            change.home_confidence,
            change.draw_confidence,
            change.away_confidence
        ],
    )
    .map(drop)
}

/// The numbers of all of an event's rows together.
pub fn find(tx: &mut Tx, event: EventId) -> Result<PredictionTotals> {
    tx.one(
        "SELECT CAST(COALESCE(sum(home), 0) AS BIGINT), CAST(COALESCE(sum(draw), 0) AS BIGINT),
                CAST(COALESCE(sum(away), 0) AS BIGINT), CAST(COALESCE(sum(home_confidence), 0) AS BIGINT),
                CAST(COALESCE(sum(draw_confidence), 0) AS BIGINT), CAST(COALESCE(sum(away_confidence), 0) AS BIGINT)
         FROM event_counters WHERE event_id = $1",
        params![event],
    )
}
