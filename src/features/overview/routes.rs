//! What an operator watches in one answer, whether the service lives, and whether it should be sent requests.

use axum::extract::{FromRef, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::operators::{self, guard};
use crate::features::sessions::Sessions;
use crate::platform::core::Core;
use crate::platform::error::Result;
use crate::platform::http::views::{Data, Json};
use crate::platform::http::{AppState, front_page};
use crate::platform::jobs::Jobs;

use super::{Overview, Readiness};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Jobs: FromRef<S>,
    Readiness: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(show_overview))
        .routes(routes!(health))
        .routes(routes!(readiness))
}

/// Show what an operator watches: users, matches, jobs and messages.
///
/// The audit log notes it at most once an hour for each operator, so that a console may ask as often as it likes.
#[utoipa::path(get, path = "/api/admin/overview", tag = "Operators", security(("operator" = ["viewer"])),
    responses((status = 200, body = Data<Overview>)))]
async fn show_overview(
    State(core): State<Core>,
    State(jobs): State<Jobs>,
    State(sessions): State<Sessions>,
    guard::Viewer(operator): guard::Viewer,
) -> Result<Json<Data<Overview>>> {
    let environment = core.config.environment;
    let active = sessions.count_active().await?;
    let view = core.db.read(move |tx| super::read(tx, environment, &jobs, active)).await?;
    operators::note_reading(&core, operator, "overview.read", "overview").await?;
    Ok(Data::json(view))
}

#[derive(Serialize, ToSchema)]
struct HealthView {
    #[schema(example = "ok")]
    status: &'static str,
}

#[derive(Serialize, ToSchema)]
struct ReadinessView {
    /// `ready`, `degraded` (requests are served, a part is away) or `unavailable`.
    #[schema(example = "ready")]
    status: &'static str,
    checks: ChecksView,
}

#[derive(Serialize, ToSchema)]
struct ChecksView {
    /// `ok` or `unavailable`.
    #[schema(example = "ok")]
    database: &'static str,
    /// `ok` or `unavailable`; without it everything but chat is served.
    #[schema(example = "ok")]
    homeserver: &'static str,
    /// `ok` or `differs`: the node's clock is more than a second from the database's, so it decides nothing by it.
    #[schema(example = "ok")]
    clock: &'static str,
    /// How far it is ahead, or behind if negative; null with the embedded database.
    #[schema(example = 3)]
    clock_difference_ms: Option<i64>,
}

/// Is the process alive?
///
/// Answers without touching the database, so that a slow database does not get the process restarted.
#[utoipa::path(get, path = "/healthz", tag = "Operations", security(()),
    responses((status = 200, body = HealthView)))]
async fn health() -> Json<HealthView> {
    Json(HealthView { status: "ok" })
}

/// Should requests be sent here?
///
/// Checks the parts the service stands on, once a second at most, and says which is degraded.
#[utoipa::path(get, path = "/readyz", tag = "Operations", security(()), responses(
    (status = 200, body = ReadinessView),
    (status = 503, description = "The database cannot be reached, the node's clock is off, or the service is stopping", body = ReadinessView)))]
async fn readiness(State(readiness): State<Readiness>) -> Response {
    let (code, view) = look(&readiness).await;
    (code, Json(view)).into_response()
}

async fn look(readiness: &Readiness) -> (StatusCode, ReadinessView) {
    let found = readiness.check().await;
    let word = |is_ok| if is_ok { "ok" } else { "unavailable" };
    let is_off = readiness.clock.is_off();
    let checks = ChecksView {
        database: word(found.database),
        homeserver: word(found.homeserver),
        clock: if is_off { "differs" } else { "ok" },
        clock_difference_ms: readiness.clock.difference_ms(),
    };
    if found.database && !is_off && !readiness.stop.is_cancelled() {
        let status = if found.homeserver { "ready" } else { "degraded" };
        (StatusCode::OK, ReadinessView { status, checks })
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, ReadinessView { status: "unavailable", checks })
    }
}

/// What `/` says where there is no fan page, to those who do not read HTML.
#[derive(Serialize)]
struct FrontView {
    name: &'static str,
    about: &'static str,
    version: &'static str,
    /// As `/readyz` has it.
    status: &'static str,
    docs: &'static str,
    description: &'static str,
}

/// Says what this is, whether it is healthy and where the docs are. Always 200: it is for people, and `/readyz` for machines.
pub async fn show_front_page(State(readiness): State<Readiness>, headers: HeaderMap) -> Response {
    let (_, view) = look(&readiness).await;
    if front_page::is_for_a_browser(&headers) {
        return front_page::answer(view.status);
    }
    Json(FrontView {
        name: "Touchline",
        about: front_page::ABOUT,
        version: env!("CARGO_PKG_VERSION"),
        status: view.status,
        docs: "/docs",
        description: "/api/openapi.json",
    })
    .into_response()
}
