//! What an operator watches, in one answer.

use axum::Json;
use axum::extract::{FromRef, State};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::operators::{self, Operator};
use crate::features::sessions::Sessions;
use crate::platform::core::Core;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::views::Data;

use super::Overview;

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(show_overview))
}

/// Show what an operator watches: users, matches, jobs and messages.
///
/// The audit log notes it at most once an hour for each operator, so that a console may ask as often as it likes.
#[utoipa::path(get, path = "/api/admin/overview", tag = "Operators", security(("operator" = [])),
    responses((status = 200, body = Data<Overview>)))]
async fn show_overview(
    State(core): State<Core>,
    operator: Operator,
) -> Result<Json<Data<Overview>>> {
    let environment = core.config.environment;
    let view = core.db.read(move |tx| super::read(tx, environment)).await?;
    operators::note_reading(&core, operator, "overview.read", "overview").await?;
    Ok(Data::json(view))
}
