//! Predictions as users see them: everybody's, and their own.

use std::collections::BTreeMap;

use axum::extract::{FromRef, State};
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::events::{self, EventId, ShardCount, TournamentId};
use crate::features::predictions::Predictions;
use crate::features::sessions::{Sessions, User};
use crate::features::users::{self, BriefUserView, UserId};
use crate::input;
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::db::{Tx, Wish};
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::client_address::ClientAddress;
use crate::platform::http::input::Params;
use crate::platform::http::list::{self, List};
use crate::platform::http::page::{AskedPageMeta, AtLeastOne, Page, PageMeta};
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Listed, WithMessage};
use crate::platform::idempotency::{self, Answer, Once, ValidOnce};

use super::{
    Confidence, ListedRow, Outcome, OwnFilter, OwnPage, OwnTotals, Pick, Placed, PredictionFilter,
    PredictionId, PredictionRow, PredictionTotals, ScorePair, void_reason,
};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Predictions: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(create_prediction))
        .routes(routes!(list_event_predictions))
        .routes(routes!(list_my_predictions))
}

input! {
    #[derive(ToSchema)]
    struct PredictionBody {
        event_id: EventId,
        prediction: Outcome,
        /// The exact score, if one is predicted. It must agree with `prediction`.
        score_prediction: Option<ScorePair>,
        /// How sure the user is, in percent; 50 when absent.
        confidence: Option<Confidence>,
    }
}

#[derive(Serialize, ToSchema)]
struct CreatedView {
    id: PredictionId,
    user_id: UserId,
    event_id: EventId,
    prediction: Outcome,
    score_prediction: Option<ScorePair>,
    confidence: Confidence,
    /// Null until the match is over and settled.
    points_earned: Option<i64>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// Predict a match, or replace the prediction until kick-off.
///
/// The first prediction on a match answers 201. Posting again replaces it as a whole and answers 200. From kick-off on, and for
/// a void match, it is 400 with the code `event_started`.
#[utoipa::path(post, path = "/api/auth/predictions", tag = "Predictions", security(("user" = [])),
    params(("Idempotency-Key" = Option<String>, Header, pattern = "^[ -~]{1,255}$", description = "1 to 255 printable ASCII characters")),
    request_body = PredictionBody,
    responses((status = 201, body = WithMessage<CreatedView>), (status = 200, body = WithMessage<CreatedView>),
    (status = 400, description = "The match has begun or is void, or the body is not valid JSON", body = crate::platform::http::error_body::ErrorBody),
    (status = 404, description = "There is no such event", body = crate::platform::http::error_body::ErrorBody)),
    extensions(("x-codes" = json!(["400 event_started", "404 not_found"]))))]
async fn create_prediction(
    State(predictions): State<Predictions>,
    user: User,
    ValidOnce(body, once): ValidOnce<PredictionBody>,
) -> Result<Answer> {
    let pick =
        Pick::new(body.prediction, body.score_prediction, body.confidence.unwrap_or_default())?;
    let event_id = body.event_id;
    let wish = Predict { user: user.id, event_id, pick, once };
    let (answer, counted) = predictions.predict.ask(wish).await?;
    if let Some(shard) = counted {
        predictions.counts.tell(event_id, shard);
    }
    metrics::counter!("touchline_predictions_total").increment(1);
    Ok(answer)
}

/// A user's wish to predict a match.
pub struct Predict {
    user: UserId,
    event_id: EventId,
    pick: Pick,
    once: Once,
}

impl Predict {
    fn view(&self, placed: Placed) -> (StatusCode, WithMessage<CreatedView>) {
        let data = CreatedView {
            id: placed.id,
            user_id: self.user,
            event_id: self.event_id,
            prediction: self.pick.outcome(),
            score_prediction: self.pick.score(),
            confidence: self.pick.confidence(),
            points_earned: None,
            created_at: placed.created_at,
        };
        let (status, message) = if placed.is_first {
            (StatusCode::CREATED, text!("Your prediction is in."))
        } else {
            (StatusCode::OK, text!("Your prediction is replaced."))
        };
        (status, WithMessage { message, data })
    }
}

impl Wish for Predict {
    /// The answer, and what is to be told of the match's number.
    type Granted = (Answer, Option<ShardCount>);
    const WRITES: bool = true;

    fn turn(&self) -> Option<u64> {
        Some(self.user.0.unsigned_abs())
    }

    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<Self::Granted>>> {
        let requests: Vec<_> = wishes.iter().map(|wish| (wish.user.0, &wish.once)).collect();
        let mut counted = BTreeMap::new();
        let answers = idempotency::once_each(tx, &requests, |tx, open| {
            let open: Vec<_> = open.iter().filter_map(|position| wishes.get(*position)).collect();
            let picks: Vec<_> =
                open.iter().map(|wish| (wish.user, wish.event_id, wish.pick)).collect();
            let placed = super::place_each(tx, &picks)?;
            let view = |(wish, placed): (&&Self, Result<Placed>)| {
                let placed = placed?;
                counted.insert(wish.user, placed.counted);
                Ok(wish.view(placed))
            };
            Ok(open.iter().zip(placed).map(view).collect())
        })?;
        let told = |(wish, answer): (&Self, Result<Answer>)| {
            Ok((answer?, counted.get(&wish.user).copied().flatten()))
        };
        Ok(wishes.iter().zip(answers).map(told).collect())
    }
}

#[derive(Serialize, ToSchema)]
pub struct PredictionView {
    id: PredictionId,
    user: BriefUserView,
    prediction: Outcome,
    score_prediction: Option<ScorePair>,
    confidence: Confidence,
    /// Null until the match is over and settled.
    #[schema(example = json!(null))]
    points_earned: Option<i64>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Why it does not count; absent if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    void_reason: Option<&'static str>,
}

impl From<ListedRow> for PredictionView {
    fn from(row: ListedRow) -> Self {
        Self {
            id: row.id,
            user: row.user,
            prediction: row.outcome,
            score_prediction: row.score,
            confidence: row.confidence,
            points_earned: row.points,
            created_at: row.created_at,
            void_reason: void_reason(row.is_late),
        }
    }
}

#[derive(Serialize, ToSchema)]
struct Distribution {
    #[schema(example = 70)]
    home: i64,
    #[schema(example = 20)]
    draw: i64,
    #[schema(example = 38)]
    away: i64,
}

#[derive(Serialize, ToSchema)]
struct EventPredictionsMeta {
    #[schema(example = 128)]
    total_predictions: i64,
    prediction_distribution: Distribution,
    /// Rounded to two places; 0 for none.
    #[schema(example = 63.42)]
    average_confidence: f64,
    #[serde(flatten)]
    page: AskedPageMeta,
}

impl EventPredictionsMeta {
    #[allow(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        reason = "at most 10,000 hundredths"
    )]
    fn of(totals: PredictionTotals, page: AskedPageMeta) -> Self {
        Self {
            page,
            total_predictions: totals.all(),
            prediction_distribution: Distribution {
                home: totals.home,
                draw: totals.draw,
                away: totals.away,
            },
            average_confidence: totals.average_confidence_hundredths() as f64 / 100.0,
        }
    }
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct EventPredictionsQuery {
        /// Only this user's.
        #[param(value_type = Option<i64>, minimum = 1)]
        user_id: Option<UserId>,
        /// Only this outcome.
        prediction: Option<Outcome>,
        /// Page number, from 1; without it and `per_page` the whole list is sent.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Predictions on a page; 20 when absent, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List the predictions on a match, oldest first: all of them, or a page if one is asked for.
///
/// The filters apply to `data` and `meta`. The figures of `meta` are of all pages together. Where the operator hides predictions
/// until kick-off, `data` has only the caller's own before, and `meta` counts everybody's.
#[utoipa::path(get, path = "/api/auth/events/{event}/predictions", tag = "Predictions", security(("user" = [])),
    params(("event" = i64, Path, minimum = 1, description = "The event's id"), EventPredictionsQuery),
    responses((status = 200, body = Listed<PredictionView, EventPredictionsMeta>)),
    extensions(("x-codes" = json!(["429 user_list_limit", "429 address_list_limit"]))))]
async fn list_event_predictions(
    State(predictions): State<Predictions>,
    user: User,
    address: ClientAddress,
    PathId(event): PathId,
    Params(query): Params<EventPredictionsQuery>,
) -> Result<Response> {
    let event = EventId(event);
    let filter = PredictionFilter { user: query.user_id, outcome: query.prediction };
    let page = Page::asked(query.page, query.per_page);
    let made_of = [super::CHANGES.of(event.0), &users::NAMES];
    let sight = predictions.sight_of(event, user.id, filter).await?;
    let list = move |tx: &mut Tx, list: &mut List<'_>| {
        events::get(tx, event)?;
        let totals = super::totals(tx, event, sight.counted)?;
        let listed =
            if sight.is_whole() { totals } else { super::totals(tx, event, sight.listed)? };
        let meta = EventPredictionsMeta::of(totals, AskedPageMeta::of(page, listed.all()));
        list.set_meta(&meta)?;
        let page = list.page(page);
        super::walk(tx, event, sight.listed, page, |row| list.push(&PredictionView::from(row)))
    };
    let (anybody, reader) = (address.reader(None), address.reader(Some(user.id.0)));
    let short = if sight.is_whole() {
        // Kept for others too, so nothing of it may be old.
        let short = || list::read_short(&predictions.db, anybody, list);
        predictions.lists.get((event, sight.listed, page), &made_of, short).await?
    } else {
        list::read_short(&predictions.db, reader, list).await?
    };
    list::answer(&predictions.db, reader, short, list).await
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
    #[schema(nullable = false)]
    void_reason: Option<&'static str>,
}

impl From<PredictionRow> for OwnPredictionView {
    fn from(row: PredictionRow) -> Self {
        Self {
            id: row.id,
            event_id: row.event_id,
            prediction: row.outcome,
            score_prediction: row.score,
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
    #[serde(flatten)]
    page: PageMeta,
}

impl OwnPredictionsMeta {
    fn of(totals: OwnTotals, page: Option<Page>) -> Self {
        Self {
            page: Page::meta_of(page, totals.predictions),
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
    responses((status = 200, body = Listed<OwnPredictionView, OwnPredictionsMeta>)),
    extensions(("x-codes" = json!(["429 user_list_limit", "429 address_list_limit"]))))]
async fn list_my_predictions(
    State(predictions): State<Predictions>,
    user: User,
    address: ClientAddress,
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
        list.set_meta(&OwnPredictionsMeta::of(super::own_totals(tx, user.id, filter)?, page))?;
        let page = list.page(page);
        super::walk_own(tx, user.id, filter, page, |row| list.push(&OwnPredictionView::from(row)))
    };
    let reader = address.reader(Some(user.id.0));
    // Many callers' first pages are one statement; where there are replicas, the primary is spared it.
    let is_first = filter == OwnFilter::default() && !predictions.db.reads_aside();
    let near = OwnPage::near(user.id, page.unwrap_or(list::BEGINNING));
    let short = match near.filter(|_| is_first) {
        Some(wish) => {
            let (totals, rows) = predictions.own.ask(wish).await?;
            list::short(&OwnPredictionsMeta::of(totals, page), rows, OwnPredictionView::from)?
        }
        None => list::read_short(&predictions.db, reader, list).await?,
    };
    list::answer(&predictions.db, reader, short, list).await
}
