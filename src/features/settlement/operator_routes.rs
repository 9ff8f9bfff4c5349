//! Settlement as operators see it: what a result would do, before it is entered.

use axum::Json;
use axum::extract::{FromRef, State};
use serde::Serialize;
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::events::{EventId, Score, Scoring};
use crate::features::operators::{self, Operator};
use crate::features::predictions::{
    Confidence, Outcome, PaidRow, PredictionId, ScorePair, Tier, WouldEarnRow,
};
use crate::features::sessions::Sessions;
use crate::features::users::UserId;
use crate::input;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::Params;
use crate::platform::http::page::{AtLeastOne, Page};
use crate::platform::http::path::PathId;
use crate::platform::http::views::Data;

use super::preview::{self, DryRun};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(preview_settlement))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct PreviewQuery {
        #[param(value_type = i64, minimum = 0, maximum = 99)]
        home_score: Score,
        #[param(value_type = i64, minimum = 0, maximum = 99)]
        away_score: Score,
        /// The last prediction of the part before; the first part when absent.
        #[param(value_type = Option<i64>, minimum = 1)]
        after: Option<PredictionId>,
        /// Predictions in a part; 20 when absent, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

#[derive(Serialize, ToSchema)]
struct PaidView {
    rule: Tier,
    #[schema(example = 4)]
    points: i64,
    #[schema(example = 17)]
    predictions: i64,
}

#[derive(Serialize, ToSchema)]
struct WouldEarnView {
    id: PredictionId,
    user_id: UserId,
    #[schema(example = "northgate_fan")]
    username: String,
    prediction: Outcome,
    score_prediction: Option<ScorePair>,
    confidence: Confidence,
    /// What it has now.
    points_earned: Option<i64>,
    /// What it would have; null if it does not count.
    points: Option<i64>,
    rule: Option<Tier>,
}

impl From<WouldEarnRow> for WouldEarnView {
    fn from(row: WouldEarnRow) -> Self {
        Self {
            score_prediction: row.score(),
            id: row.id,
            user_id: row.user_id,
            username: row.username,
            prediction: row.outcome,
            confidence: row.confidence,
            points_earned: row.points_now,
            points: row.points,
            rule: row.tier,
        }
    }
}

#[derive(Serialize, ToSchema)]
struct PreviewView {
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

/// See what a result would earn everybody, without entering it.
#[utoipa::path(get, path = "/api/admin/events/{event}/settlement", tag = "Operators", security(("operator" = [])),
    params(("event" = i64, Path, minimum = 1, description = "The event's id"), PreviewQuery),
    responses((status = 200, body = Data<PreviewView>)))]
async fn preview_settlement(
    State(core): State<Core>,
    operator: Operator,
    PathId(event): PathId,
    Params(query): Params<PreviewQuery>,
) -> Result<Json<Data<PreviewView>>> {
    let result = (query.home_score, query.away_score);
    let detail = json!({"home_score": query.home_score, "away_score": query.away_score});
    let (length, after) =
        (Page::of(None, query.per_page).per_page, query.after.map_or(0, |id| id.0));
    let run = move |tx: &mut Tx| preview::dry_run(tx, EventId(event), result, after, length);
    // Adding up a million predictions takes a while: that is no work for the writer.
    let run = core.db.read(run).await?;
    let subject = format!("event {event}");
    let audit = move |tx: &mut Tx| {
        operators::audit(tx, &operator, "event.preview_settlement", &subject, &detail)
    };
    core.db.write(audit).await?;
    Ok(Data::json(view(run, length)))
}

fn view(run: DryRun, length: i64) -> PreviewView {
    let is_full = i64::try_from(run.rows.len()).is_ok_and(|rows| rows == length);
    let paid = |row: &PaidRow| PaidView {
        rule: row.tier,
        points: row.points,
        predictions: row.predictions,
    };
    PreviewView {
        scoring: run.rules.scoring,
        confidence_weighted: run.rules.confidence_weighted,
        settled_predictions: run.totals.iter().map(|row| row.predictions).sum(),
        total_points: run.totals.iter().map(|row| row.points * row.predictions).sum(),
        totals: run.totals.iter().map(paid).collect(),
        next_after: run.rows.last().filter(|_| is_full).map(|row| row.id),
        predictions: run.rows.into_iter().map(WouldEarnView::from).collect(),
    }
}
