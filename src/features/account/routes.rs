//! Export and deletion of one's own account.

use axum::Json;
use axum::extract::{FromRef, State};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::sessions::{Sessions, User};
use crate::platform::core::Core;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::views::{Data, Message};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(export_account)).routes(routes!(delete_account))
}

/// Take away everything the service holds about me.
#[utoipa::path(get, path = "/api/auth/export", tag = "Account", security(("user" = [])),
    responses((status = 200, body = Data<Object>)))]
async fn export_account(
    State(core): State<Core>,
    user: User,
) -> Result<Json<Data<serde_json::Value>>> {
    Ok(Data::json(core.db.read(move |tx| super::export(tx, user.id)).await?))
}

/// Delete my account, for good.
///
/// Frees the phone number, revokes every token and closes the chat account. What others rely on stays under a pseudonym, and
/// the username is not given to anybody else, since it names a chat account that can never be opened again.
#[utoipa::path(delete, path = "/api/auth/me", tag = "Account", security(("user" = [])),
    responses((status = 200, body = Message)))]
async fn delete_account(State(core): State<Core>, user: User) -> Result<Json<Message>> {
    core.db.write(move |tx| super::delete(tx, user.id)).await?;
    Ok(Json(Message { message: "Your account is deleted." }))
}
