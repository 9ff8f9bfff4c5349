//! Why a prediction earned what it earned, for people.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::{self, Scoring};
use crate::features::predictions::{Confidence, LATE, PredictionRow, Rules, Tier};
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::Result;

use super::state::{self, SettlementState};

/// How the points came about.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExplanationView {
    /// A sentence for people.
    #[schema(example = "Right goal difference: 4 points by the classic rules.")]
    sentence: String,
    /// What was right; null without points.
    rule: Option<Tier>,
    /// The preset by which it was settled.
    scoring: Option<Scoring>,
    /// Goes up with each correction of the result; null without points.
    #[schema(example = 1)]
    settlement_version: Option<i64>,
    settlement: SettlementState,
    /// When the points become or became final.
    #[schema(value_type = Option<String>, format = DateTime)]
    final_at: Option<Timestamp>,
}

pub fn explain(tx: &mut Tx, row: &PredictionRow) -> Result<ExplanationView> {
    let event = events::get(tx, row.event_id)?;
    let (settlement, final_at) = state::find(tx, &event)?;
    let sentence = match (row.tier, row.points, row.scoring) {
        _ if row.is_late => format!("Does not count. {LATE}"),
        _ if event.is_void() => "The match is void: no points.".to_owned(),
        (Some(tier), Some(points), Some(scoring)) => {
            explain_points(tier, points, row.confidence, scoring)
        }
        _ => "No points yet: the match is not settled.".to_owned(),
    };
    Ok(ExplanationView {
        sentence,
        rule: row.tier,
        scoring: row.scoring.filter(|_| row.points.is_some()),
        settlement_version: row.points.map(|_| row.settlement_version),
        settlement,
        final_at,
    })
}

fn explain_points(tier: Tier, points: i64, confidence: Confidence, scoring: Scoring) -> String {
    let what = match tier {
        Tier::Nothing => return "Wrong outcome: 0 points.".to_owned(),
        Tier::Outcome => "Right outcome",
        Tier::Difference => "Right goal difference",
        Tier::Exact => "Exact score",
    };
    let preset = match scoring {
        Scoring::Classic => "classic",
        Scoring::Kicktipp => "kicktipp",
        Scoring::Super6 => "super6",
        Scoring::PremierLeague => "premier_league",
    };
    let base = Rules { scoring, confidence_weighted: false }.base_points(tier);
    if points == base {
        format!("{what}: {points} points by the {preset} rules.")
    } else {
        let confidence = confidence.get();
        format!(
            "{what}: {base} points by the {preset} rules, weighted by {confidence} % confidence: {points}."
        )
    }
}
