//! Tells the live stream how many predictions a match has, at most once a second for each.
//!
//! Whoever predicts tells nobody: on PostgreSQL commits that notify wait for each other. Once a second somebody looks at the
//! revisions that have come since the last look and tells what changed, so the cost follows what happens and not how much
//! there is.

use serde_json::json;

use crate::features::events::{self, AnnouncementKind, EventId};
use crate::features::predictions::Predictions;
use crate::platform::clock::SECOND_MS;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::jobs::{Next, Stop, job};

use super::store;

/// Ids are given out before the commit, so one that was not there at the last look may have come since; this far back is
/// looked again. What slips through is told with the event's next prediction.
const OVERLAP: i64 = 2_000;
/// Events told in one transaction.
const AT_ONCE: usize = 50;

job! {
    pub struct TellPredictions;
    kind: "tell_predictions", lane: MatchClock, every: SECOND_MS, run: tell_predictions(Predictions)
}

async fn tell_predictions(_: TellPredictions, predictions: Predictions, _: Stop) -> Result<Next> {
    // Almost always nothing is new: that is found by a read, and the writer is left alone.
    let Some(newest) = predictions.db.lookup(store::find_newest).await? else {
        return Ok(Next::Done);
    };
    let changed = predictions.db.read(move |tx| store::list_changed(tx, newest, OVERLAP)).await?;
    for events in changed.chunks(AT_ONCE) {
        let events = events.to_vec();
        let tell = move |tx: &mut Tx| events.iter().try_for_each(|id| tell_event(tx, *id));
        predictions.db.write(tell).await?;
    }
    predictions.db.write(move |tx| store::update_head(tx, newest)).await?;
    Ok(Next::Done)
}

fn tell_event(tx: &mut Tx, event: EventId) -> Result<()> {
    let totals = store::totals_of_event(tx, event)?;
    if !store::upsert_told(tx, event, totals)? {
        return Ok(());
    }
    let data = json!({
        "event_id": event, "predictions_count": totals.all(),
        "prediction_distribution": {"home": totals.home, "draw": totals.draw, "away": totals.away},
    });
    events::announce(tx, event, AnnouncementKind::Predictions, &data)
}
