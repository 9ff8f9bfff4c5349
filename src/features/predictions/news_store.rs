//! The `prediction_news_head` and `prediction_news` tables, and the revisions that they are compared with.

use crate::features::events::EventId;
use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

use super::PredictionTotals;

/// The newest revision, if somebody has predicted since the last look.
pub fn find_newest(tx: &mut Tx) -> Result<Option<i64>> {
    tx.opt(
        "SELECT r.id FROM prediction_revisions r
         WHERE r.id > (SELECT last_revision_id FROM prediction_news_head WHERE id = 1) ORDER BY r.id DESC LIMIT 1",
        params![],
    )
}

/// Events with a revision since the last look, or shortly before it.
pub fn list_changed(tx: &mut Tx, newest: i64, overlap: i64) -> Result<Vec<EventId>> {
    tx.all(
        "SELECT DISTINCT p.event_id FROM prediction_revisions r JOIN predictions p ON p.id = r.prediction_id
         WHERE r.id > (SELECT last_revision_id FROM prediction_news_head WHERE id = 1) - $1 AND r.id <= $2
         ORDER BY p.event_id",
        params![overlap, newest],
    )
}

pub fn update_head(tx: &mut Tx, newest: i64) -> Result<()> {
    tx.exec(
        "UPDATE prediction_news_head SET last_revision_id = $1 WHERE id = 1 AND last_revision_id < $1",
        params![newest],
    )
    .map(drop)
}

/// Remembers what is told of an event; answers whether that is something else than what was told last.
pub fn upsert_told(tx: &mut Tx, event: EventId, totals: PredictionTotals) -> Result<bool> {
    let changed = tx.exec(
        "INSERT INTO prediction_news (event_id, home, draw, away) VALUES ($1, $2, $3, $4)
         ON CONFLICT (event_id) DO UPDATE SET home = excluded.home, draw = excluded.draw, away = excluded.away
         WHERE prediction_news.home <> excluded.home OR prediction_news.draw <> excluded.draw
            OR prediction_news.away <> excluded.away",
        params![event, totals.home, totals.draw, totals.away],
    )?;
    Ok(changed > 0)
}
