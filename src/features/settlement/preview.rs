//! What a result would earn everybody, for an operator who wants to see it first.

use crate::features::events::{self, EventId, Score};
use crate::features::predictions::{self, PaidRow, Rules, Target, WouldEarnRow};
use crate::platform::db::Tx;
use crate::platform::error::Result;

/// What the predictions of an event would earn with this result.
pub struct DryRun {
    pub rules: Rules,
    pub totals: Vec<PaidRow>,
    pub rows: Vec<WouldEarnRow>,
}

pub fn dry_run(
    tx: &mut Tx,
    id: EventId,
    (home, away): (Score, Score),
    after: i64,
    length: i64,
) -> Result<DryRun> {
    let event = events::get(tx, id)?;
    let tournament = events::get_tournament(tx, event.tournament_id)?;
    let rules = Rules::of(&tournament);
    let target =
        Target { result: Some((home, away)), version: 0, rules, start_time: event.start_time };
    let totals = predictions::would_pay(tx, id, &target)?;
    let rows = match predictions::next_stretch(tx, id, after, length)? {
        Some(stretch) => predictions::would_earn(tx, stretch, &target)?,
        None => Vec::new(),
    };
    Ok(DryRun { rules, totals, rows })
}
