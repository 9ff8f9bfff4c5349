//! Events as operators run them: postpone, kick off early, score, finish, void.

use axum::extract::{FromRef, State};
use http::HeaderName;
use serde_json::{Value, json};
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
use crate::platform::http::if_match::{IfMatch, etag};
use crate::platform::http::input::Valid;
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Json, WithMessage};
use crate::platform::texts::Text;

use super::{EventChange, version};
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
    params(
        ("event" = i64, Path, minimum = 1, description = "The event's id"),
        ("If-Match" = Option<String>, Header, pattern = "^\"[0-9a-f]+\"$",
            description = "The `version` of the match that this was decided by, in quotes. If it has another one by now, nothing is changed.")),
    request_body = EventChange, responses((status = 200, body = WithMessage<EventDetailView>)),
    extensions(("x-codes" = json!(["409 changed_meanwhile"]))))]
async fn update_event(
    State(events): State<Events>,
    guard::Operator(operator): guard::Operator,
    PathId(event): PathId,
    seen: IfMatch,
    Valid(change): Valid<EventChange>,
) -> Result<Changed> {
    if change.is_empty() {
        let sentence = text!(
            "At least one of start_time, start_time_confirmed, venue, status, home_score, away_score, period and minute is required."
        );
        return Err(Error::invalid("body", sentence));
    }
    let detail = json!(change);
    let update = move |tx: &mut Tx| super::update(tx, EventId(event), &change).map(drop);
    let operation = Operation { action: "event.update", event: EventId(event), detail, seen };
    operation.run(&events, operator, text!("The match is changed."), update).await
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
    params(
        ("event" = i64, Path, minimum = 1, description = "The event's id"),
        ("If-Match" = Option<String>, Header, pattern = "^\"[0-9a-f]+\"$",
            description = "The `version` of the match that this was decided by, in quotes. If it has another one by now, nothing is changed.")),
    request_body = ResultBody, responses((status = 200, body = WithMessage<EventDetailView>)),
    extensions(("x-codes" = json!(["409 changed_meanwhile", "422 event_void"]))))]
async fn enter_result(
    State(events): State<Events>,
    guard::Operator(operator): guard::Operator,
    PathId(event): PathId,
    seen: IfMatch,
    Valid(body): Valid<ResultBody>,
) -> Result<Changed> {
    let (home, away) = (body.home_score, body.away_score);
    let detail = json!({"home_score": home, "away_score": away});
    let enter = move |tx: &mut Tx| super::enter_result(tx, EventId(event), home, away).map(drop);
    let operation = Operation { action: "event.result", event: EventId(event), detail, seen };
    operation.run(&events, operator, text!("The result is entered."), enter).await
}

input! {
    #[derive(ToSchema)]
    struct VoidBody {
        reason: VoidReason,
    }
}

/// Void a match that was cancelled or abandoned: predictions on it earn nothing.
#[utoipa::path(post, path = "/api/admin/events/{event}/void", tag = "Operators", security(("operator" = ["operator"])),
    params(
        ("event" = i64, Path, minimum = 1, description = "The event's id"),
        ("If-Match" = Option<String>, Header, pattern = "^\"[0-9a-f]+\"$",
            description = "The `version` of the match that this was decided by, in quotes. If it has another one by now, nothing is changed.")),
    request_body = VoidBody, responses((status = 200, body = WithMessage<EventDetailView>)),
    extensions(("x-codes" = json!(["409 changed_meanwhile"]))))]
async fn void_event(
    State(events): State<Events>,
    guard::Operator(operator): guard::Operator,
    PathId(event): PathId,
    seen: IfMatch,
    Valid(body): Valid<VoidBody>,
) -> Result<Changed> {
    let detail = json!({"reason": body.reason});
    let void = move |tx: &mut Tx| super::void(tx, EventId(event), &body.reason).map(drop);
    let operation = Operation { action: "event.void", event: EventId(event), detail, seen };
    operation.run(&events, operator, text!("The match is void."), void).await
}

/// The match as it is now, with its version.
type Changed = ([(HeaderName, String); 1], Json<WithMessage<EventDetailView>>);

/// What an operator does to a match, having seen one of its versions.
struct Operation {
    action: &'static str,
    event: EventId,
    detail: Value,
    seen: IfMatch,
}

impl Operation {
    /// Changes the match, writes the audit row and reads the match back, all in one transaction.
    async fn run(
        self,
        state: &Events,
        operator: Operator,
        message: Text,
        change: impl Fn(&mut Tx) -> Result<()> + Send + 'static,
    ) -> Result<Changed> {
        let operate = move |tx: &mut Tx| {
            let event = super::get_for_update(tx, self.event)?;
            version::check(tx, &self.seen, &event)?;
            change(tx)?;
            let after = super::state(&super::get_for_update(tx, self.event)?);
            let changed = Change { before: super::state(&event), after };
            let subject = super::subject(self.event);
            operators::audit_change(tx, &operator, self.action, &subject, &self.detail, &changed)?;
            events::get_counted(tx, self.event)
        };
        let (row, count) = state.db.write(operate).await?;
        let version = super::version(&row.event);
        let view = EventDetailView::of(row, count, &state.config);
        Ok((etag(&version), WithMessage::json(message, view)))
    }
}
