//! What operators did.

use axum::Json;
use axum::extract::{FromRef, State};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::Operator;
use crate::features::sessions::Sessions;
use crate::input;
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::Params;
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::views::Listed;

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

#[derive(Serialize, ToSchema)]
struct AuditView {
    id: i64,
    /// The name of the operator's token.
    #[schema(example = "ana")]
    operator: String,
    #[schema(example = "event.result")]
    action: String,
    #[schema(example = "event 12")]
    subject: String,
    #[schema(value_type = Object)]
    detail: serde_json::Value,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// Read the audit log, newest first.
#[utoipa::path(get, path = "/api/admin/audit", tag = "Operators", security(("operator" = [])),
    params(AuditQuery), responses((status = 200, body = Listed<AuditView, PageMeta>)))]
async fn list_audit_log(
    State(core): State<Core>,
    _operator: Operator,
    Params(query): Params<AuditQuery>,
) -> Result<Json<Listed<AuditView, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let (rows, total) = core.db.read(move |tx| super::list_audit(tx, page)).await?;
    let data = rows
        .into_iter()
        .map(|row| AuditView {
            id: row.id,
            operator: row.operator,
            action: row.action,
            subject: row.subject,
            detail: serde_json::from_str(&row.detail).unwrap_or_default(),
            created_at: row.created_at,
        })
        .collect();
    Ok(Json(Listed { data, meta: page.meta(total) }))
}
