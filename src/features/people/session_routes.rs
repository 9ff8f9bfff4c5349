//! Operators' calls about a user's sessions.

use axum::extract::{FromRef, State};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::chat;
use crate::features::operators::{self, guard};
use crate::features::sessions::{self, SessionId, Sessions};
use crate::features::users::{self, UserId};
use crate::input;
use crate::platform::clock::Timestamp;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::ValidIfAny;
use crate::platform::http::path::PathId;
use crate::platform::http::views::{Data, Json, WithMessage};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(list_user_sessions)).routes(routes!(end_user_sessions))
}

#[derive(Serialize, ToSchema)]
struct UserSessionView {
    id: SessionId,
    /// What the app called the device at login, if anything.
    #[schema(example = "Ada's phone")]
    device_name: Option<String>,
    /// The session's devices on the chat network.
    #[schema(example = json!(["TLABCDEFGH"]))]
    chat_devices: Vec<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Accurate to an hour.
    #[schema(value_type = String, format = DateTime)]
    last_used_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

/// List a user's sessions with their devices, newest first.
#[utoipa::path(get, path = "/api/admin/users/{user}/sessions", tag = "Operators", security(("operator" = ["moderator"])),
    params(("user" = i64, Path, minimum = 1, description = "The user's id")),
    responses((status = 200, body = Data<Vec<UserSessionView>>)))]
async fn list_user_sessions(
    State(core): State<Core>,
    guard::Moderator(operator): guard::Moderator,
    PathId(user): PathId,
) -> Result<Json<Data<Vec<UserSessionView>>>> {
    let list = move |tx: &mut Tx| {
        users::get(tx, UserId(user))?;
        let sessions = sessions::list(tx, UserId(user))?;
        let ids: Vec<SessionId> = sessions.iter().map(|session| session.id).collect();
        Ok((sessions, chat::list_devices_of(tx, &ids)?))
    };
    let (rows, devices) = core.db.read(list).await?;
    let of = |id: SessionId| {
        let own = devices.iter().filter(move |(session, _)| *session == id);
        own.map(|(_, device)| device.clone()).collect()
    };
    let views = rows.into_iter().map(|row| UserSessionView {
        id: row.id,
        device_name: row.device_name,
        chat_devices: of(row.id),
        created_at: row.created_at,
        last_used_at: row.last_used_at,
        expires_at: row.expires_at,
    });
    let views = views.collect();
    operators::note_reading(&core, operator, "user_sessions.read", "users").await?;
    Ok(Data::json(views))
}

input! {
    #[derive(Default, ToSchema)]
    struct EndSessionsBody {
        /// Only this one; all when absent.
        #[schema(value_type = Option<i64>, minimum = 1)]
        session_id: Option<SessionId>,
    }
}

#[derive(Serialize, ToSchema)]
struct EndedSessionsView {
    /// How many sessions ended.
    #[schema(example = 2)]
    ended: u64,
}

/// End all sessions of a user, or one.
#[utoipa::path(post, path = "/api/admin/users/{user}/sessions/end", tag = "Operators", security(("operator" = ["moderator"])),
    params(("user" = i64, Path, minimum = 1, description = "The user's id")),
    request_body = Option<EndSessionsBody>, responses((status = 200, body = WithMessage<EndedSessionsView>)))]
async fn end_user_sessions(
    State(core): State<Core>,
    guard::Moderator(operator): guard::Moderator,
    PathId(user): PathId,
    ValidIfAny(body): ValidIfAny<EndSessionsBody>,
) -> Result<Json<WithMessage<EndedSessionsView>>> {
    let end = move |tx: &mut Tx| super::end_sessions(tx, &operator, UserId(user), body.session_id);
    let ended = core.db.write(end).await?;
    Ok(WithMessage::json(text!("The sessions are ended."), EndedSessionsView { ended }))
}
