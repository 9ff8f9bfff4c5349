//! Operators' calls for webhooks.

use axum::extract::{FromRef, State};
use http::StatusCode;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::operators::guard;
use crate::features::sessions::Sessions;
use crate::features::webhooks::Webhooks;
use crate::input;
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::{Params, Valid};
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Data, Json, Listed, Message};

use super::{DeliveryView, Url, WantedKind, WebhookId};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
    Webhooks: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(add_webhook, list_webhooks))
        .routes(routes!(remove_webhook))
        .routes(routes!(replay_webhook))
        .routes(routes!(list_webhook_deliveries))
}

input! {
    #[derive(ToSchema)]
    struct WebhookBody {
        url: Url,
        /// Which of `status`, `score`, `predictions` and `settlement` to send; all when absent.
        #[schema(example = json!(["status", "settlement"]))]
        kinds: Option<Vec<WantedKind>>,
    }
}

#[derive(Serialize, ToSchema)]
struct NewWebhookView {
    id: WebhookId,
    url: Url,
    kinds: Vec<&'static str>,
    /// For checking signatures. It is shown here and never again.
    #[schema(example = "whsec_...")]
    secret: String,
}

/// Add a webhook.
///
/// It hears of everything that happens from now on, signed as Standard Webhooks has it.
#[utoipa::path(post, path = "/api/admin/webhooks", tag = "Operators", security(("operator" = ["owner"])),
    request_body = WebhookBody, responses((status = 201, body = Data<NewWebhookView>)))]
async fn add_webhook(
    State(webhooks): State<Webhooks>,
    guard::Owner(operator): guard::Owner,
    Valid(body): Valid<WebhookBody>,
) -> Result<(StatusCode, Json<Data<NewWebhookView>>)> {
    let (url, keys) = (body.url.clone(), webhooks.keys.clone());
    let add = move |tx: &mut Tx| super::add(tx, &keys, &operator, &body.url, body.kinds.as_deref());
    let (id, kinds, secret) = webhooks.db.write(add).await?;
    Ok((StatusCode::CREATED, Data::json(NewWebhookView { id, url, kinds, secret })))
}

#[derive(Serialize, ToSchema)]
struct WebhookView {
    id: WebhookId,
    url: Url,
    kinds: Vec<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Whether the receiver answered 410 and is left alone until a replay.
    is_gone: bool,
}

/// List webhooks.
#[utoipa::path(get, path = "/api/admin/webhooks", tag = "Operators", security(("operator" = ["operator"])),
    responses((status = 200, body = Data<Vec<WebhookView>>)))]
async fn list_webhooks(
    State(webhooks): State<Webhooks>,
    _: guard::Operator,
) -> Result<Json<Data<Vec<WebhookView>>>> {
    let rows = webhooks.db.lookup(super::list).await?;
    let views = rows.into_iter().map(|row| WebhookView {
        id: row.id,
        url: row.url,
        kinds: serde_json::from_str(&row.kinds).unwrap_or_default(),
        created_at: row.created_at,
        is_gone: row.gone_at.is_some(),
    });
    Ok(Data::json(views.collect()))
}

/// Remove a webhook.
#[utoipa::path(delete, path = "/api/admin/webhooks/{webhook}", tag = "Operators",
    security(("operator" = ["operator"])), params(("webhook" = i64, Path, minimum = 1, description = "The webhook's id")),
    responses((status = 200, body = Message)))]
async fn remove_webhook(
    State(webhooks): State<Webhooks>,
    guard::Operator(operator): guard::Operator,
    PathId(id): PathId,
) -> Result<Json<Message>> {
    webhooks.db.write(move |tx| super::remove(tx, &operator, WebhookId(id))).await?;
    Ok(Json(Message { message: text!("The webhook is removed.") }))
}

input! {
    #[derive(ToSchema)]
    struct ReplayBody {
        /// Send everything after this feed id again; when absent, only what was not taken.
        after: Option<i64>,
    }
}

#[derive(Serialize, ToSchema)]
struct ReplayView {
    /// How many messages are sent again, at most 200 a call.
    messages: u64,
}

/// Send messages again.
#[utoipa::path(post, path = "/api/admin/webhooks/{webhook}/replay", tag = "Operators",
    security(("operator" = ["operator"])), params(("webhook" = i64, Path, minimum = 1, description = "The webhook's id")),
    request_body = ReplayBody, responses((status = 200, body = Data<ReplayView>)))]
async fn replay_webhook(
    State(webhooks): State<Webhooks>,
    guard::Operator(operator): guard::Operator,
    PathId(id): PathId,
    Valid(body): Valid<ReplayBody>,
) -> Result<Json<Data<ReplayView>>> {
    let replay = move |tx: &mut Tx| super::replay(tx, &operator, WebhookId(id), body.after);
    Ok(Data::json(ReplayView { messages: webhooks.db.write(replay).await? }))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct DeliveriesQuery {
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Entries on a page, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List a webhook's deliveries of the last week, newest first.
#[utoipa::path(get, path = "/api/admin/webhooks/{webhook}/deliveries", tag = "Operators",
    security(("operator" = ["operator"])),
    params(("webhook" = i64, Path, minimum = 1, description = "The webhook's id"), DeliveriesQuery),
    responses((status = 200, body = Listed<DeliveryView, PageMeta>)))]
async fn list_webhook_deliveries(
    State(webhooks): State<Webhooks>,
    _: guard::Operator,
    PathId(id): PathId,
    Params(query): Params<DeliveriesQuery>,
) -> Result<Json<Listed<DeliveryView, PageMeta>>> {
    let page = Page::of(query.page, query.per_page);
    let list = move |tx: &mut Tx| super::list_deliveries(tx, WebhookId(id), page);
    let (data, total) = webhooks.db.read(list).await?;
    Ok(Json(Listed { data, meta: page.meta(total) }))
}
