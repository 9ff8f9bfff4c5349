//! What operators do about chat: reports, and reading everything back from the homeserver.

use axum::extract::{FromRef, State};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::chat::Chat;
use crate::features::operators::{self, Change, guard};
use crate::features::sessions::Sessions;
use crate::features::users::UserId;
use crate::input;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::{Params, Valid};
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Json, Listed, Message};

use super::moderation::{self, ReportFilter, ReportView};
use super::resync;
use super::values::Reason;

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Chat: FromRef<S>,
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(list_chat_reports))
        .routes(routes!(resolve_chat_report))
        .routes(routes!(rebuild_chat))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct ReportsQuery {
        /// Only those that are not resolved; true when absent.
        open: Option<bool>,
        /// Only those about this user.
        #[param(value_type = Option<i64>, minimum = 1)]
        about: Option<UserId>,
        /// Only those by this user.
        #[param(value_type = Option<i64>, minimum = 1)]
        by: Option<UserId>,
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Reports on a page, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List what users reported in chat, newest first.
#[utoipa::path(get, path = "/api/admin/chat/reports", tag = "Operators", security(("operator" = ["moderator"])),
    params(ReportsQuery), responses((status = 200, body = Listed<ReportView, PageMeta>)))]
async fn list_chat_reports(
    State(chat): State<Chat>,
    guard::Moderator(operator): guard::Moderator,
    Params(query): Params<ReportsQuery>,
) -> Result<Json<Listed<ReportView, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let is_open = query.open.unwrap_or(true);
    let filter = ReportFilter { is_open, about: query.about, by: query.by };
    let list = move |tx: &mut Tx| moderation::list_reports(tx, filter, page);
    let (data, total) = chat.db.read(list).await?;
    // Reports name people and what they said: who looks at them is written down.
    operators::note_reading(&chat, operator, "chat.reports", "chat").await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}

input! {
    #[derive(ToSchema)]
    struct ResolveBody {
        /// What was done about it.
        resolution: Reason,
    }
}

/// Resolve a report.
#[utoipa::path(post, path = "/api/admin/chat/reports/{report}/resolve", tag = "Operators", security(("operator" = ["moderator"])),
    params(("report" = i64, Path, minimum = 1, description = "The report's id")), request_body = ResolveBody,
    responses((status = 200, body = Message)))]
async fn resolve_chat_report(
    State(chat): State<Chat>,
    guard::Moderator(operator): guard::Moderator,
    PathId(report): PathId,
    Valid(body): Valid<ResolveBody>,
) -> Result<Json<Message>> {
    let resolve = move |tx: &mut Tx| {
        let before = moderation::resolve_report(tx, report, &body.resolution)?;
        let (detail, subject) =
            (json!({"resolution": body.resolution}), format!("report {report}"));
        let change = Change { before: json!({"resolution": before}), after: detail.clone() };
        operators::audit_change(tx, &operator, "chat.resolve", &subject, &detail, &change)
    };
    chat.db.write(resolve).await?;
    Ok(Json(Message { message: text!("The report is resolved.") }))
}

/// Read all rooms and members back from the homeserver.
///
/// For a database that lost them, or after moving to another homeserver.
#[utoipa::path(post, path = "/api/admin/chat/rebuild", tag = "Operators", security(("operator" = ["operator"])),
    responses((status = 200, body = Message)))]
async fn rebuild_chat(
    State(chat): State<Chat>,
    guard::Operator(operator): guard::Operator,
) -> Result<Json<Message>> {
    let rebuild = move |tx: &mut Tx| {
        operators::audit(tx, &operator, "chat.rebuild", "chat", &json!({}))?;
        resync::rebuild_later(tx)
    };
    chat.db.write(rebuild).await?;
    Ok(Json(Message { message: text!("The rooms are being read back.") }))
}
