//! Export and deletion of one's own account.

use axum::Json;
use axum::extract::State;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::platform::error::Result;
use crate::platform::http::guards::User;
use crate::platform::http::views::{Data, Message};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(export_account)).routes(routes!(delete_account))
}

/// Take away everything the service holds about me.
#[utoipa::path(get, path = "/api/auth/export", tag = "Account", security(("user" = [])),
    responses((status = 200, body = Data<Object>)))]
async fn export_account(
    State(app): State<App>,
    user: User,
) -> Result<Json<Data<serde_json::Value>>> {
    Ok(Data::json(app.db.read(move |tx| super::export(tx, user.id)).await?))
}

/// Delete my account, for good.
///
/// Frees the phone number, revokes every token and closes the chat account. What others rely on stays under a pseudonym, and
/// the username is not given to anybody else, since it names a chat account that can never be opened again.
#[utoipa::path(delete, path = "/api/auth/me", tag = "Account", security(("user" = [])),
    responses((status = 200, body = Message)))]
async fn delete_account(State(app): State<App>, user: User) -> Result<Json<Message>> {
    app.db.write(move |tx| super::delete(tx, user.id)).await?;
    Ok(Json(Message { message: "Your account is deleted." }))
}
