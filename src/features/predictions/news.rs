//! Tells the live stream how many predictions a match has, at most once a second for each.
//!
//! Whoever predicts tells nobody: on PostgreSQL commits that notify wait for each other. Once a second somebody looks at the
//! revisions that have come since the last look and tells what changed, so the cost follows what happens and not how much
//! there is.

use serde_json::json;

use crate::features::events::{self, AnnouncementKind, EventId};
use crate::features::predictions::Predictions;
use crate::platform::clock::SECOND_MS;
use crate::platform::db::{Tx, params};
use crate::platform::error::Result;
use crate::platform::jobs::{self, Job, Next, Running};

use super::{Totals, counters};

pub const TELL_PREDICTIONS: jobs::JobKind<Predictions> =
    jobs::JobKind { name: "tell_predictions", every_ms: Some(SECOND_MS), run: tell };

/// Ids are given out before the commit, so one that was not there at the last look may have come since; this far back is
/// looked again. What slips through is told with the event's next prediction.
const OVERLAP: i64 = 2_000;
/// Events told in one transaction.
const AT_ONCE: usize = 50;

fn tell(predictions: Predictions, _: Job) -> Running {
    Box::pin(async move {
        // Almost always nothing is new: that is found by a read, and the writer is left alone.
        let Some(newest) = predictions.db.lookup(find_newest).await? else { return Ok(Next::Done) };
        let changed = predictions.db.read(move |tx| list_changed(tx, newest)).await?;
        for events in changed.chunks(AT_ONCE) {
            let events = events.to_vec();
            let tell = move |tx: &mut Tx| events.iter().try_for_each(|id| tell_event(tx, *id));
            predictions.db.write(tell).await?;
        }
        predictions.db.write(move |tx| update_head(tx, newest)).await?;
        Ok(Next::Done)
    })
}

/// The newest revision, if somebody has predicted since the last look.
fn find_newest(tx: &mut Tx) -> Result<Option<i64>> {
    tx.opt(
        "SELECT r.id FROM prediction_revisions r
         WHERE r.id > (SELECT last_revision_id FROM prediction_news_head WHERE id = 1) ORDER BY r.id DESC LIMIT 1",
        params![],
    )
}

fn list_changed(tx: &mut Tx, newest: i64) -> Result<Vec<EventId>> {
    tx.all(
        "SELECT DISTINCT p.event_id FROM prediction_revisions r JOIN predictions p ON p.id = r.prediction_id
         WHERE r.id > (SELECT last_revision_id FROM prediction_news_head WHERE id = 1) - $1 AND r.id <= $2
         ORDER BY p.event_id",
        params![OVERLAP, newest],
    )
}

fn update_head(tx: &mut Tx, newest: i64) -> Result<()> {
    tx.exec(
        "UPDATE prediction_news_head SET last_revision_id = $1 WHERE id = 1 AND last_revision_id < $1",
        params![newest],
    )
    .map(drop)
}

fn tell_event(tx: &mut Tx, event: EventId) -> Result<()> {
    let totals = counters::totals(tx, event)?;
    if !is_news(tx, event, totals)? {
        return Ok(());
    }
    let data = json!({
        "event_id": event, "predictions_count": totals.all(),
        "prediction_distribution": {"home": totals.home, "draw": totals.draw, "away": totals.away},
    });
    events::announce(tx, event, AnnouncementKind::Predictions, &data)
}

/// Remembers what is told; nothing to tell if it is what was told last.
fn is_news(tx: &mut Tx, event: EventId, totals: Totals) -> Result<bool> {
    let changed = tx.exec(
        "INSERT INTO prediction_news (event_id, home, draw, away) VALUES ($1, $2, $3, $4)
         ON CONFLICT (event_id) DO UPDATE SET home = excluded.home, draw = excluded.draw, away = excluded.away
         WHERE prediction_news.home <> excluded.home OR prediction_news.draw <> excluded.draw
            OR prediction_news.away <> excluded.away",
        params![event, totals.home, totals.draw, totals.away],
    )?;
    Ok(changed > 0)
}
