//! Events as operators run them: postpone, kick off early, score, finish, void.

use axum::extract::{FromRef, State};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::events::{self, EventId, Events, Score, VoidReason};
use crate::features::operators::{self, Change, Operator, guard};
use crate::features::sessions::Sessions;
use crate::input;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::AppState;
use crate::platform::http::input::Valid;
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Json, WithMessage};

use super::EventChange;
use crate::features::events::routes::EventDetailView;

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Events: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(update_event))
        .routes(routes!(enter_result))
        .routes(routes!(void_event))
}

/// Change a match: its time, venue, status, live score, period or minute.
#[utoipa::path(patch, path = "/api/admin/events/{event}", tag = "Operators", security(("operator" = ["operator"])),
    params(("event" = i64, Path, minimum = 1, description = "The event's id")),
    request_body = EventChange, responses((status = 200, body = WithMessage<EventDetailView>)))]
async fn update_event(
    State(events): State<Events>,
    guard::Operator(operator): guard::Operator,
    PathId(event): PathId,
    Valid(change): Valid<EventChange>,
) -> Result<Json<WithMessage<EventDetailView>>> {
    if change.is_empty() {
        let sentence = "At least one of start_time, start_time_confirmed, venue, status, home_score, away_score, \
                        period and minute is required.";
        return Err(Error::invalid("body", sentence));
    }
    let detail = json!(change);
    let update = move |tx: &mut Tx| super::update(tx, EventId(event), &change).map(drop);
    let view = operate(&events, operator, "event.update", event, detail, update).await?;
    Ok(WithMessage::json("The match is changed.", view))
}

input! {
    #[derive(ToSchema)]
    struct ResultBody {
        home_score: Score,
        away_score: Score,
    }
}

/// Enter a match's result, which finishes and settles it; again, to correct it.
#[utoipa::path(post, path = "/api/admin/events/{event}/result", tag = "Operators", security(("operator" = ["operator"])),
    params(("event" = i64, Path, minimum = 1, description = "The event's id")),
    request_body = ResultBody, responses((status = 200, body = WithMessage<EventDetailView>)),
    extensions(("x-codes" = json!(["422 event_void"]))))]
async fn enter_result(
    State(events): State<Events>,
    guard::Operator(operator): guard::Operator,
    PathId(event): PathId,
    Valid(body): Valid<ResultBody>,
) -> Result<Json<WithMessage<EventDetailView>>> {
    let (home, away) = (body.home_score, body.away_score);
    let detail = json!({"home_score": home, "away_score": away});
    let enter = move |tx: &mut Tx| super::enter_result(tx, EventId(event), home, away).map(drop);
    let view = operate(&events, operator, "event.result", event, detail, enter).await?;
    Ok(WithMessage::json("The result is entered.", view))
}

input! {
    #[derive(ToSchema)]
    struct VoidBody {
        reason: VoidReason,
    }
}

/// Void a match that was cancelled or abandoned: predictions on it earn nothing.
#[utoipa::path(post, path = "/api/admin/events/{event}/void", tag = "Operators", security(("operator" = ["operator"])),
    params(("event" = i64, Path, minimum = 1, description = "The event's id")),
    request_body = VoidBody, responses((status = 200, body = WithMessage<EventDetailView>)))]
async fn void_event(
    State(events): State<Events>,
    guard::Operator(operator): guard::Operator,
    PathId(event): PathId,
    Valid(body): Valid<VoidBody>,
) -> Result<Json<WithMessage<EventDetailView>>> {
    let detail = json!({"reason": body.reason});
    let void = move |tx: &mut Tx| super::void(tx, EventId(event), &body.reason).map(drop);
    let view = operate(&events, operator, "event.void", event, detail, void).await?;
    Ok(WithMessage::json("The match is void.", view))
}

/// Changes the match, writes the audit row and reads the match back, all in one transaction.
async fn operate(
    state: &Events,
    operator: Operator,
    action: &'static str,
    event: i64,
    detail: serde_json::Value,
    change: impl Fn(&mut Tx) -> Result<()> + Send + 'static,
) -> Result<EventDetailView> {
    let operate = move |tx: &mut Tx| {
        let before = super::state_for_update(tx, EventId(event))?;
        change(tx)?;
        let changed = Change { before, after: super::state_for_update(tx, EventId(event))? };
        let subject = format!("event {event}");
        operators::audit_change(tx, &operator, action, &subject, &detail, &changed)?;
        events::get_counted(tx, EventId(event))
    };
    let (row, count) = state.db.write(operate).await?;
    Ok(EventDetailView::of(row, count, &state.config))
}
