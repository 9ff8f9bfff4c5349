//! Operators among themselves.

use axum::extract::{FromRef, State};
use http::StatusCode;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{NewOperator, Operator, OperatorId, OperatorName, OperatorRow, Role, guard};
use crate::features::sessions::Sessions;
use crate::input;
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::{Params, Valid};
use crate::platform::http::moments::Moment;
use crate::platform::http::page::{AtLeastOne, Page, PageMeta};
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Data, Json, Listed, WithMessage};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(show_operator))
        .routes(routes!(list_operators, add_operator))
        .routes(routes!(revoke_operator))
}

#[derive(Serialize, ToSchema)]
struct CallerView {
    /// Null for the token of the configuration.
    id: Option<OperatorId>,
    #[schema(example = "ana")]
    name: String,
    role: Role,
    /// Null for one that does not end by itself.
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
}

/// Show whose token this is, and what it allows.
#[utoipa::path(get, path = "/api/admin/me", tag = "Operators", security(("operator" = ["viewer"])),
    responses((status = 200, body = Data<CallerView>)))]
async fn show_operator(
    State(core): State<Core>,
    guard::Viewer(operator): guard::Viewer,
) -> Result<Json<Data<CallerView>>> {
    let Operator { id, name, role } = operator;
    let find = move |tx: &mut Tx| id.map_or(Ok(None), |id| super::find(tx, id));
    let row = core.db.lookup(find).await?;
    let expires_at = row.and_then(|row| row.expires_at);
    Ok(Data::json(CallerView { id, name, role, expires_at }))
}

/// Whether a token opens anything.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum OperatorState {
    Active,
    Expired,
    Revoked,
}

#[derive(Serialize, ToSchema)]
struct OperatorView {
    id: OperatorId,
    /// Who the token is for; the audit log shows it.
    #[schema(example = "ana")]
    name: String,
    #[schema(value_type = Role)]
    role: String,
    state: OperatorState,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// The name of whoever made it; null for one that was made before that was written down.
    #[schema(example = "configured")]
    created_by: Option<String>,
    /// Null for one that does not end by itself.
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    /// Accurate to a minute; null for one that was never used.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_used_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    revoked_at: Option<Timestamp>,
}

impl OperatorView {
    fn of(row: OperatorRow, now: Timestamp) -> Self {
        let state = match row.revoked_at {
            Some(_) => OperatorState::Revoked,
            None if row.opens_at(now) => OperatorState::Active,
            None => OperatorState::Expired,
        };
        Self {
            id: row.id,
            name: row.name,
            role: row.role,
            state,
            created_at: row.created_at,
            created_by: row.created_by,
            expires_at: row.expires_at,
            last_used_at: row.last_used_at,
            revoked_at: row.revoked_at,
        }
    }
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct OperatorsQuery {
        /// Only those that open something; false when absent.
        active: Option<bool>,
        /// Page number, from 1.
        #[param(value_type = Option<i64>, minimum = 1)]
        page: Option<AtLeastOne>,
        /// Operators on a page, at most 100.
        #[param(value_type = Option<i64>, minimum = 1)]
        per_page: Option<AtLeastOne>,
    }
}

/// List operators' tokens, newest first. The one of the configuration is not among them.
#[utoipa::path(get, path = "/api/admin/operators", tag = "Operators", security(("operator" = ["owner"])),
    params(OperatorsQuery), responses((status = 200, body = Listed<OperatorView, PageMeta>)))]
async fn list_operators(
    State(core): State<Core>,
    _: guard::Owner,
    Params(query): Params<OperatorsQuery>,
) -> Result<Json<Listed<OperatorView, PageMeta>>> {
    let (page, only_active) =
        (Page::of(query.page, query.per_page), query.active.unwrap_or_default());
    let list = move |tx: &mut Tx| {
        let (rows, total) = super::list(tx, only_active, page)?;
        Ok((rows, total, tx.now()))
    };
    let (rows, total, now) = core.db.read(list).await?;
    let data = rows.into_iter().map(|row| OperatorView::of(row, now)).collect();
    Ok(Json(Listed { data, meta: page.meta(total) }))
}

input! {
    #[derive(ToSchema)]
    struct OperatorBody {
        name: OperatorName,
        role: Role,
        /// From when on the token opens nothing; never when absent.
        #[schema(value_type = Option<String>, format = DateTime)]
        expires_at: Option<Moment>,
    }
}

#[derive(Serialize, ToSchema)]
struct NewOperatorView {
    #[serde(flatten)]
    operator: OperatorView,
    /// It is shown here and never again.
    #[schema(example = "tlop_...")]
    token: String,
}

/// Make a token for an operator.
#[utoipa::path(post, path = "/api/admin/operators", tag = "Operators", security(("operator" = ["owner"])),
    request_body = OperatorBody, responses((status = 201, body = WithMessage<NewOperatorView>)))]
async fn add_operator(
    State(core): State<Core>,
    guard::Owner(operator): guard::Owner,
    Valid(body): Valid<OperatorBody>,
) -> Result<(StatusCode, Json<WithMessage<NewOperatorView>>)> {
    let expires_at = body.expires_at.map(Moment::get);
    let new = NewOperator { name: body.name, role: body.role, expires_at };
    let (row, token) = core.db.write(move |tx| super::issue(tx, &operator, &new)).await?;
    let view = NewOperatorView {
        operator: OperatorView::of(row, core.clock.now()),
        token: token.expose().to_owned(),
    };
    let message = text!("Keep the token: it is not shown again.");
    Ok((StatusCode::CREATED, WithMessage::json(message, view)))
}

/// Revoke an operator's token, from the next call on.
///
/// The last token of an owner cannot be revoked where the configuration has none. A role is not changed: make another token.
#[utoipa::path(delete, path = "/api/admin/operators/{operator}", tag = "Operators", security(("operator" = ["owner"])),
    params(("operator" = i64, Path, minimum = 1, description = "The operator's id")),
    responses((status = 200, body = WithMessage<OperatorView>), (status = 409, description = "It is the last token of an owner")),
    extensions(("x-codes" = json!(["409 last_owner"]))))]
async fn revoke_operator(
    State(core): State<Core>,
    guard::Owner(operator): guard::Owner,
    PathId(id): PathId,
) -> Result<Json<WithMessage<OperatorView>>> {
    let this = core.clone();
    let revoke = move |tx: &mut Tx| super::revoke(tx, &this, &operator, OperatorId(id));
    let row = core.db.write(revoke).await?;
    Ok(WithMessage::json(text!("The token is revoked."), OperatorView::of(row, core.clock.now())))
}
