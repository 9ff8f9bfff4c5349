//! Why a prediction earned what it earned, for people.

use crate::features::events::{self, Scoring};
use crate::features::predictions::{Confidence, LATE, PredictionRow, Rules, Tier};
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::Result;

use super::state::{self, SettlementState};

/// How a prediction's points came about.
#[derive(Debug)]
pub struct Explanation {
    pub sentence: String,
    /// What was right; nothing without points.
    pub rule: Option<Tier>,
    /// The preset by which it was settled.
    pub scoring: Option<Scoring>,
    /// Goes up with each correction of the result; nothing without points.
    pub version: Option<i64>,
    pub state: SettlementState,
    /// When the points become or became final.
    pub final_at: Option<Timestamp>,
}

pub fn explain(tx: &mut Tx, row: &PredictionRow) -> Result<Explanation> {
    let event = events::get(tx, row.event_id)?;
    let (state, final_at) = state::find(tx, &event)?;
    let sentence = match (row.tier, row.points, row.scoring) {
        _ if row.is_late => format!("Does not count. {LATE}"),
        _ if event.is_void() => "The match is void: no points.".to_owned(),
        (Some(tier), Some(points), Some(scoring)) => {
            explain_points(tier, points, row.confidence, scoring)
        }
        _ => "No points yet: the match is not settled.".to_owned(),
    };
    Ok(Explanation {
        sentence,
        rule: row.tier,
        scoring: row.scoring.filter(|_| row.points.is_some()),
        version: row.points.map(|_| row.settlement_version),
        state,
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
