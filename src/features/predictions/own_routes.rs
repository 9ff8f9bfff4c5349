//! One's own predictions.

use axum::extract::{FromRef, State};
use axum::response::Response;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::events::{EventId, TournamentId};
use crate::features::predictions::Predictions;
use crate::features::sessions::{Sessions, User};
use crate::input;
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::Params;
use crate::platform::http::list::{self, List};
use crate::platform::http::page::{AtLeastOne, Page};
use crate::platform::http::views::Listed;

use super::listing::{self, OwnFilter, OwnTotals};
use super::{Confidence, Outcome, PredictionId, PredictionRow, ScorePair, void_reason};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Predictions: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(list_my_predictions))
}

#[derive(Serialize, ToSchema)]
pub struct OwnPredictionView {
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
    list::respond(&predictions.db, list).await
}
