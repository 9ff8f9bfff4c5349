//! One prediction, with why it earned what it earned; and for operators what a result would do, before it is entered.

use axum::extract::{FromRef, State};
use serde::Serialize;
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::events::{EventId, Score};
use crate::features::operators::{self, guard};
use crate::features::predictions::{self, OwnPredictionView, PredictionId, RevisionView};
use crate::features::sessions::{Sessions, User};
use crate::features::users::UserId;
use crate::input;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::Params;
use crate::platform::http::page::{AtLeastOne, Page};
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Data, Json};

use super::explanation::{self, ExplanationView};
use super::preview::{self, PreviewView};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(show_prediction)).routes(routes!(preview_settlement))
}

#[derive(Serialize, ToSchema)]
struct PredictionDetailView {
    #[serde(flatten)]
    prediction: OwnPredictionView,
    user_id: UserId,
    explanation: ExplanationView,
    /// Every revision, oldest first; only for whoever made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
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
    let visibility = core.config.predictions.visibility;
    let read = move |tx: &mut Tx| {
        let row = predictions::get(tx, PredictionId(id))?;
        let is_own = row.user_id == user.id;
        if !is_own && predictions::is_own_only(tx, visibility, row.event_id)? {
            return Err(not_found!("prediction"));
        }
        let explanation = explanation::explain(tx, &row)?;
        let revisions = if is_own { Some(predictions::list_revisions(tx, row.id)?) } else { None };
        Ok((row, explanation, revisions))
    };
    let (row, explanation, revisions) = core.db.read(read).await?;
    Ok(Data::json(PredictionDetailView {
        user_id: row.user_id,
        prediction: row.into(),
        explanation,
        revisions,
    }))
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

/// See what a result would earn everybody, without entering it.
#[utoipa::path(get, path = "/api/admin/events/{event}/settlement", tag = "Operators", security(("operator" = ["operator"])),
    params(("event" = i64, Path, minimum = 1, description = "The event's id"), PreviewQuery),
    responses((status = 200, body = Data<PreviewView>)),
    extensions(("x-codes" = json!(["422 event_void"]))))]
async fn preview_settlement(
    State(core): State<Core>,
    guard::Operator(operator): guard::Operator,
    PathId(event): PathId,
    Params(query): Params<PreviewQuery>,
) -> Result<Json<Data<PreviewView>>> {
    let result = (query.home_score, query.away_score);
    let detail = json!({"home_score": query.home_score, "away_score": query.away_score});
    let (length, after) =
        (Page::of(None, query.per_page).per_page, query.after.map_or(0, |id| id.0));
    let run = move |tx: &mut Tx| preview::preview(tx, EventId(event), result, after, length);
    // Adding up a million predictions takes a while: that is no work for the writer.
    let view = core.db.read(run).await?;
    let subject = format!("event {event}");
    let audit = move |tx: &mut Tx| {
        operators::audit(tx, &operator, "event.preview_settlement", &subject, &detail)
    };
    core.db.write(audit).await?;
    Ok(Data::json(view))
}
