//! A user's own sessions: list, revoke, log out.

use axum::Json;
use axum::extract::{FromRef, State};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::sessions::{self, SessionId, Sessions, User};
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Data, Message};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(list_sessions, revoke_other_sessions))
        .routes(routes!(revoke_session))
        .routes(routes!(log_out))
}

#[derive(Serialize, ToSchema)]
struct SessionView {
    id: SessionId,
    /// What the app called the device at login, if anything.
    #[schema(example = "Ada's phone")]
    device_name: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Accurate to an hour.
    #[schema(value_type = String, format = DateTime)]
    last_used_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
    /// Whether this is the session of the token that asks.
    is_current: bool,
}

/// List my sessions, newest first.
#[utoipa::path(get, path = "/api/auth/sessions", tag = "Sessions", security(("user" = [])),
    responses((status = 200, body = Data<Vec<SessionView>>)))]
async fn list_sessions(
    State(core): State<Core>,
    user: User,
) -> Result<Json<Data<Vec<SessionView>>>> {
    let rows = core.db.lookup(move |tx| sessions::list(tx, user.id)).await?;
    let views = rows
        .into_iter()
        .map(|row| SessionView {
            id: row.id,
            device_name: row.device_name,
            created_at: row.created_at,
            last_used_at: row.last_used_at,
            expires_at: row.expires_at,
            is_current: row.id == user.session_id,
        })
        .collect();
    Ok(Data::json(views))
}

/// Revoke all my sessions but this one.
#[utoipa::path(delete, path = "/api/auth/sessions", tag = "Sessions", security(("user" = [])),
    responses((status = 200, body = Message)))]
async fn revoke_other_sessions(State(core): State<Core>, user: User) -> Result<Json<Message>> {
    core.db.write(move |tx| super::end_other_sessions(tx, user)).await?;
    Ok(Json(Message { message: "All other sessions are revoked." }))
}

/// Revoke one of my sessions.
#[utoipa::path(delete, path = "/api/auth/sessions/{session}", tag = "Sessions", security(("user" = [])),
    params(("session" = i64, Path, minimum = 1, description = "The session's id")),
    responses((status = 200, body = Message)))]
async fn revoke_session(
    State(core): State<Core>,
    user: User,
    PathId(session): PathId,
) -> Result<Json<Message>> {
    core.db.write(move |tx| super::end_session(tx, user.id, SessionId(session))).await?;
    Ok(Json(Message { message: "The session is revoked." }))
}

/// Log out: revoke the session of this token.
#[utoipa::path(post, path = "/api/auth/logout", tag = "Sessions", security(("user" = [])),
    responses((status = 200, body = Message)))]
async fn log_out(State(core): State<Core>, user: User) -> Result<Json<Message>> {
    core.db.write(move |tx| super::end_session(tx, user.id, user.session_id)).await?;
    Ok(Json(Message { message: "You are logged out." }))
}
