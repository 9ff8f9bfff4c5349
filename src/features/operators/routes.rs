//! What operators did.

use axum::extract::{FromRef, State};
use utoipa::IntoParams;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{AuditRow, Operator};
use crate::features::sessions::Sessions;
use crate::input;
use crate::platform::core::Core;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::Params;
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::views::{Json, Listed};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(list_audit_log))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct AuditQuery {
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Entries on a page, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// Read the audit log, newest first.
#[utoipa::path(get, path = "/api/admin/audit", tag = "Operators", security(("operator" = [])),
    params(AuditQuery), responses((status = 200, body = Listed<AuditRow, PageMeta>)))]
async fn list_audit_log(
    State(core): State<Core>,
    _operator: Operator,
    Params(query): Params<AuditQuery>,
) -> Result<Json<Listed<AuditRow, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let (data, total) = core.db.read(move |tx| super::list_audit(tx, page)).await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}
