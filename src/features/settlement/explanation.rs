//! Why a prediction earned what it earned, for people.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::{self, Scoring};
use crate::features::predictions::{Confidence, PredictionRow, Rules, Tier};
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::texts::{Said, Text};

use super::state::{self, SettlementState};

/// How the points came about.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExplanationView {
    /// A sentence for people.
    #[schema(value_type = String, example = "Right goal difference: 4 points by the classic rules.")]
    sentence: Said,
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
    let sentence: Said = match (row.tier, row.points, row.scoring) {
        _ if row.is_late => {
            text!("Does not count. The kick-off was moved to before this prediction was made.")
                .into()
        }
        _ if event.is_void() => text!("The match is void: no points.").into(),
        (Some(tier), Some(points), Some(scoring)) => {
            explain_points(tier, points, row.confidence, scoring)
        }
        _ => text!("No points yet: the match is not settled.").into(),
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

fn explain_points(tier: Tier, points: i64, confidence: Confidence, scoring: Scoring) -> Said {
    let preset = match scoring {
        Scoring::Classic => "classic",
        Scoring::Kicktipp => "kicktipp",
        Scoring::Super6 => "super6",
        Scoring::PremierLeague => "premier_league",
    };
    let base = Rules { scoring, confidence_weighted: false }.base_points(tier);
    if points == base {
        return Said::new(
            plainly(tier),
            vec![("points", points.to_string()), ("preset", preset.to_owned())],
        );
    }
    let gaps = vec![
        ("base", base.to_string()),
        ("preset", preset.to_owned()),
        ("confidence", confidence.get().to_string()),
        ("points", points.to_string()),
    ];
    Said::new(weighted(tier), gaps)
}

const fn plainly(tier: Tier) -> Text {
    match tier {
        Tier::Nothing => text!("Wrong outcome: 0 points."),
        Tier::Outcome => text!("Right outcome: {points} points by the {preset} rules."),
        Tier::Difference => text!("Right goal difference: {points} points by the {preset} rules."),
        Tier::Exact => text!("Exact score: {points} points by the {preset} rules."),
    }
}

const fn weighted(tier: Tier) -> Text {
    match tier {
        Tier::Nothing => plainly(tier),
        Tier::Outcome => text!(
            "Right outcome: {base} points by the {preset} rules, weighted by {confidence} % confidence: {points}."
        ),
        Tier::Difference => text!(
            "Right goal difference: {base} points by the {preset} rules, weighted by {confidence} % confidence: {points}."
        ),
        Tier::Exact => text!(
            "Exact score: {base} points by the {preset} rules, weighted by {confidence} % confidence: {points}."
        ),
    }
}
