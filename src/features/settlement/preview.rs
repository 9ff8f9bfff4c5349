//! What a result would earn everybody, for an operator who wants to see it first.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::{self, EventId, Score, Scoring};
use crate::features::predictions::{self, PaidView, PredictionId, Rules, Target, WouldEarnView};
use crate::platform::db::Tx;
use crate::platform::error::Result;

#[derive(Debug, Serialize, ToSchema)]
pub struct PreviewView {
    scoring: Scoring,
    confidence_weighted: bool,
    #[schema(example = 128)]
    settled_predictions: i64,
    #[schema(example = 311)]
    total_points: i64,
    totals: Vec<PaidView>,
    predictions: Vec<WouldEarnView>,
    /// Ask with `after` set to this for the next part; null at the end.
    #[schema(example = 481)]
    next_after: Option<PredictionId>,
}

/// What the predictions of an event would earn with this result: all of them in sum, and a part of them one by one.
pub fn preview(
    tx: &mut Tx,
    id: EventId,
    result: (Score, Score),
    after: i64,
    length: i64,
) -> Result<PreviewView> {
    let event = events::get(tx, id)?;
    let tournament = events::get_tournament(tx, event.tournament_id)?;
    let rules = Rules::of(&tournament);
    let target = Target { result: Some(result), version: 0, rules, start_time: event.closes_at() };
    let totals = predictions::would_pay(tx, id, &target)?;
    let rows = match predictions::next_stretch(tx, id, after, length)? {
        Some(stretch) => predictions::would_earn(tx, stretch, &target)?,
        None => Vec::new(),
    };
    let is_full = i64::try_from(rows.len()).is_ok_and(|rows| rows == length);
    Ok(PreviewView {
        scoring: rules.scoring,
        confidence_weighted: rules.confidence_weighted,
        settled_predictions: totals.iter().map(|row| row.predictions).sum(),
        total_points: totals.iter().map(|row| row.points * row.predictions).sum(),
        totals,
        next_after: rows.last().filter(|_| is_full).map(|row| row.id),
        predictions: rows,
    })
}
