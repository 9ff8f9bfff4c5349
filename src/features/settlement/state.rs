//! How far a match's settlement is, and when its points are final.

use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::features::events::{self, AnnouncementKind, EventId, EventRow};
use crate::features::leaderboards;
use crate::platform::clock::{MINUTE_MS, Timestamp};
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::jobs::{Next, Stop, job};

use super::store::{self, SettlementRow};

/// A result that stays unchanged for so long is final.
const PROVISIONAL_MS: i64 = 60 * MINUTE_MS;

/// Where an event's settlement stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = State)]
pub enum SettlementState {
    /// There is no result, or it is not settled yet.
    Open,
    /// Points are there; a correction within the hour is not unusual.
    Provisional,
    /// The result has stood for an hour.
    Final,
}

/// Where the event's settlement stands, and when its points are final.
pub fn find(tx: &mut Tx, event: &EventRow) -> Result<(SettlementState, Option<Timestamp>)> {
    let row = store::find(tx, event.id)?.filter(|row| row.version == event.outcome_revision);
    Ok(match row {
        Some(SettlementRow { final_at: Some(at), .. }) => (SettlementState::Final, Some(at)),
        Some(SettlementRow { settled_at: Some(_), .. }) => {
            (SettlementState::Provisional, Some(final_from(event)))
        }
        _ => (SettlementState::Open, None),
    })
}

/// When the result as it is becomes final.
pub fn final_from(event: &EventRow) -> Timestamp {
    event.result_at.map_or(event.start_time, |entered| entered.plus_ms(PROVISIONAL_MS))
}

/// Tells the live stream, with what all predictions came to; what each earned is found by whoever listens. The next announcement, of any event, waits for the commit: this is the last thing a script does.
pub fn tell(tx: &mut Tx, event: &EventRow, state: SettlementState) -> Result<()> {
    let sums = leaderboards::get_event_sums(tx, event.id)?;
    let data = json!({
        "event_id": event.id, "settlement": state, "home_score": event.home_score, "away_score": event.away_score,
        "predictions": sums,
    });
    events::announce(tx, event.id, AnnouncementKind::Settlement, &data)
}

job! {
    /// Declares a settlement final, if nothing changed since this was asked for.
    pub struct MakeFinal { pub event: EventId, pub version: i64 }
    kind: "settlement_final", lane: Settlement, key: event.0, run: run_make_final(Core)
}

async fn run_make_final(job: MakeFinal, core: Core, _: Stop) -> Result<Next> {
    core.db.write(move |tx| make_final(tx, job.event, job.version)).await?;
    Ok(Next::Done)
}

fn make_final(tx: &mut Tx, id: EventId, version: i64) -> Result<()> {
    // Held first, as by whoever settles the event.
    let mut row = store::find_for_update(tx, id)?;
    let event = events::get_for_prediction(tx, id)?;
    let is_current = event.outcome_revision == version && row.version == version;
    let is_due = tx.now() >= final_from(&event);
    if is_current && is_due && row.settled_at.is_some() && row.final_at.is_none() {
        row.final_at = Some(tx.now());
        store::update(tx, id, &row)?;
        tell(tx, &event, SettlementState::Final)?;
    }
    Ok(())
}
