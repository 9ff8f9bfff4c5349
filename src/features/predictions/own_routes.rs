//! One's own predictions, and one prediction with why it earned what it earned.

use axum::Json;
use axum::extract::{FromRef, State};
use axum::response::Response;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::events::{self, EventId, Scoring, TournamentId};
use crate::features::predictions::Predictions;
use crate::features::sessions::Sessions;
use crate::features::sessions::User;
use crate::features::users::UserId;
use crate::input;
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::Params;
use crate::platform::http::page::{AtLeastOne, Page};
use crate::platform::http::path::PathId;
use crate::platform::http::stream::{self, List};
use crate::platform::http::views::{Data, Listed};

use super::listing::{self, OwnFilter, OwnTotals};
use super::routes::{LATE, void_reason};
use super::{
    Confidence, Outcome, PredictionId, PredictionRow, Rules, ScorePair, State as Settled, Tier,
    settlement,
};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Predictions: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(list_my_predictions)).routes(routes!(show_prediction))
}

#[derive(Serialize, ToSchema)]
struct OwnPredictionView {
    id: PredictionId,
    event_id: EventId,
    prediction: Outcome,
    score_prediction: Option<ScorePair>,
    confidence: Confidence,
    #[schema(example = json!(null))]
    points_earned: Option<i64>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it was last replaced.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
    /// Why it does not count; absent if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    void_reason: Option<&'static str>,
}

impl From<PredictionRow> for OwnPredictionView {
    fn from(row: PredictionRow) -> Self {
        Self {
            score_prediction: row.score(),
            id: row.id,
            event_id: row.event_id,
            prediction: row.outcome,
            confidence: row.confidence,
            points_earned: row.points,
            created_at: row.created_at,
            updated_at: row.updated_at,
            void_reason: void_reason(row.is_late),
        }
    }
}

#[derive(Serialize, ToSchema)]
struct OwnPredictionsMeta {
    #[schema(example = 14)]
    total_predictions: i64,
    #[schema(example = 12)]
    settled_predictions: i64,
    /// The sum of the points of these predictions.
    #[schema(example = 31)]
    points_earned: i64,
}

impl From<OwnTotals> for OwnPredictionsMeta {
    fn from(totals: OwnTotals) -> Self {
        Self {
            total_predictions: totals.predictions,
            settled_predictions: totals.settled,
            points_earned: totals.points,
        }
    }
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct OwnPredictionsQuery {
        /// Only on this match.
        #[param(value_type = Option<i64>, minimum = 1)]
        event_id: Option<EventId>,
        /// Only on matches of this tournament.
        #[param(value_type = Option<i64>, minimum = 1)]
        tournament_id: Option<TournamentId>,
        /// Only this outcome.
        prediction: Option<Outcome>,
        /// Only those that have points (true), or have none yet (false).
        settled: Option<bool>,
        /// Page number, from 1; without it and `per_page` the whole list is sent.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Predictions on a page; 20 when absent, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List the caller's own predictions, newest first: all of them, or a page if one is asked for.
#[utoipa::path(get, path = "/api/auth/predictions", tag = "Predictions", security(("user" = [])),
    params(OwnPredictionsQuery),
    responses((status = 200, body = Listed<OwnPredictionView, OwnPredictionsMeta>)))]
async fn list_my_predictions(
    State(predictions): State<Predictions>,
    user: User,
    Params(query): Params<OwnPredictionsQuery>,
) -> Result<Response> {
    let filter = OwnFilter {
        event: query.event_id,
        tournament: query.tournament_id,
        outcome: query.prediction,
        is_settled: query.settled,
    };
    let page = Page::asked(query.page, query.per_page);
    let list = move |tx: &mut Tx, list: &mut List<'_>| {
        list.set_meta(&OwnPredictionsMeta::from(listing::own_totals(tx, user.id, filter)?))?;
        let page = list.page(page);
        listing::walk_own(tx, user.id, filter, page, |row| list.push(&OwnPredictionView::from(row)))
    };
    stream::respond(&predictions.db, list).await
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
    settlement: Settled,
    /// When the points become or became final.
    #[schema(value_type = Option<String>, format = DateTime)]
    final_at: Option<Timestamp>,
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
    State(predictions): State<Predictions>,
    user: User,
    PathId(id): PathId,
) -> Result<Json<Data<PredictionDetailView>>> {
    let read = move |tx: &mut Tx| {
        let row = super::get(tx, PredictionId(id))?;
        let explanation = explain(tx, &row)?;
        let is_own = row.user_id == user.id;
        let revisions = if is_own { Some(super::list_revisions(tx, row.id)?) } else { None };
        Ok((row, explanation, revisions))
    };
    let (row, explanation, revisions) = predictions.db.read(read).await?;
    let revisions = revisions.map(|revisions| {
        let view = |revision: super::RevisionRow| RevisionView {
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
        explanation,
        revisions,
    }))
}

fn explain(tx: &mut Tx, row: &PredictionRow) -> Result<ExplanationView> {
    let event = events::get(tx, row.event_id)?;
    let (settlement, final_at) = settlement::state(tx, &event)?;
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
