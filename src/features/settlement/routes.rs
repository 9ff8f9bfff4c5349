//! One prediction, with why it earned what it earned.

use axum::Json;
use axum::extract::{FromRef, State};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::events::Scoring;
use crate::features::predictions::{
    self, Confidence, Outcome, OwnPredictionView, PredictionId, RevisionRow, ScorePair, Tier,
};
use crate::features::sessions::{Sessions, User};
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::path::PathId;
use crate::platform::http::views::Data;

use super::explanation::{self, Explanation};
use super::state::SettlementState;

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(show_prediction))
}

#[derive(Serialize, ToSchema)]
struct RevisionView {
    prediction: Outcome,
    score_prediction: Option<ScorePair>,
    confidence: Confidence,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// How the points came about.
#[derive(Serialize, ToSchema)]
struct ExplanationView {
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

impl From<Explanation> for ExplanationView {
    fn from(explanation: Explanation) -> Self {
        Self {
            sentence: explanation.sentence,
            rule: explanation.rule,
            scoring: explanation.scoring,
            settlement_version: explanation.version,
            settlement: explanation.state,
            final_at: explanation.final_at,
        }
    }
}

#[derive(Serialize, ToSchema)]
struct PredictionDetailView {
    #[serde(flatten)]
    prediction: OwnPredictionView,
    user_id: UserId,
    explanation: ExplanationView,
    /// Every revision, oldest first; only for whoever made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    revisions: Option<Vec<RevisionView>>,
}

/// Show a prediction and say why it earned what it earned.
#[utoipa::path(get, path = "/api/auth/predictions/{prediction}", tag = "Predictions", security(("user" = [])),
    params(("prediction" = i64, Path, minimum = 1, description = "The prediction's id")),
    responses((status = 200, body = Data<PredictionDetailView>)))]
async fn show_prediction(
    State(core): State<Core>,
    user: User,
    PathId(id): PathId,
) -> Result<Json<Data<PredictionDetailView>>> {
    let read = move |tx: &mut Tx| {
        let row = predictions::get(tx, PredictionId(id))?;
        let explanation = explanation::explain(tx, &row)?;
        let is_own = row.user_id == user.id;
        let revisions = if is_own { Some(predictions::list_revisions(tx, row.id)?) } else { None };
        Ok((row, explanation, revisions))
    };
    let (row, explanation, revisions) = core.db.read(read).await?;
    let revisions = revisions.map(|revisions| {
        let view = |revision: RevisionRow| RevisionView {
            score_prediction: revision.score(),
            prediction: revision.outcome,
            confidence: revision.confidence,
            created_at: revision.created_at,
        };
        revisions.into_iter().map(view).collect()
    });
    Ok(Data::json(PredictionDetailView {
        user_id: row.user_id,
        prediction: row.into(),
        explanation: explanation.into(),
        revisions,
    }))
}
