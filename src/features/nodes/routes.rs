//! Operators' look at the processes that run.

use axum::extract::{FromRef, State};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::nodes::{NodeRow, Nodes};
use crate::features::operators::guard;
use crate::features::sessions::Sessions;
use crate::platform::core::Core;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::views::{Data, Json};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Nodes: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(list_nodes))
}

/// List the processes that are alive, the longest there first.
///
/// One that stops takes itself off; one that was killed is gone a minute after it was last seen.
#[utoipa::path(get, path = "/api/admin/nodes", tag = "Operators", security(("operator" = ["viewer"])),
    responses((status = 200, body = Data<Vec<NodeRow>>)))]
async fn list_nodes(
    State(nodes): State<Nodes>,
    _: guard::Viewer,
) -> Result<Json<Data<Vec<NodeRow>>>> {
    Ok(Data::json(nodes.list().await?))
}
