//! What an operator can read of the service itself.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::input;
use crate::platform::clock::Timestamp;
use crate::platform::error::Result;
use crate::platform::http::guards::Operator;
use crate::platform::http::input::Params;
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::views::{Data, Listed};

use super::overview::{self, OverviewView};
use super::store;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list_audit_log)).routes(routes!(show_overview))
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
    State(app): State<App>,
    _operator: Operator,
    Params(query): Params<AuditQuery>,
) -> Result<Json<Listed<AuditView, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let list =
        move |tx: &mut crate::platform::db::Tx| store::list_audit(tx, page.per_page, page.offset());
    let (rows, total) = app.db.read(list).await?;
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

/// Show what an operator watches: users, matches, jobs and messages.
///
/// The audit log notes it at most once an hour for each operator, so that a console may ask as often as it likes.
#[utoipa::path(get, path = "/api/admin/overview", tag = "Operators", security(("operator" = [])),
    responses((status = 200, body = Data<OverviewView>)))]
async fn show_overview(
    State(app): State<App>,
    operator: Operator,
) -> Result<Json<Data<OverviewView>>> {
    let environment = app.config.environment;
    let view = app.db.read(move |tx| overview::read(tx, environment)).await?;
    super::note_reading(&app, operator, "overview.read", "overview").await?;
    Ok(Data::json(view))
}
