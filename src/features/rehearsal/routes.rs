//! The call that tells a scene, and chat that is away.

use axum::extract::{FromRef, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::operators::{self, guard};
use crate::features::sessions::Sessions;
use crate::input;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::AppState;
use crate::platform::http::input::Valid;
use crate::platform::http::views::{Json, Message};

use super::{Away, Rehearsal, Scene};

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Rehearsal: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(rehearse_scene))
}

input! {
    #[derive(ToSchema)]
    struct SceneBody {
        scene: Scene,
        /// For so long no message is sent: asking for a code is answered 503. 0 ends it.
        #[schema(value_type = Option<i64>, minimum = 0, maximum = 3_600_000)]
        sms_away_ms: Option<Away>,
        /// For so long the service reaches no homeserver, and apps do not reach the embedded one. 0 ends it.
        #[schema(value_type = Option<i64>, minimum = 0, maximum = 3_600_000)]
        chat_away_ms: Option<Away>,
    }
}

/// Tell what happens on a match day that is only played, and take messages or chat away for a while.
///
/// In `local` and `testing` only; elsewhere there is no such path. The scene is in the service's log and in the audit log. An outage
/// is that of the node that was asked.
#[utoipa::path(post, path = "/api/admin/rehearsal", tag = "Operators", security(("operator" = ["operator"])),
    request_body = SceneBody, responses((status = 200, body = Message)),
    extensions(("x-codes" = json!(["404 not_found"]))))]
async fn rehearse_scene(
    State(rehearsal): State<Rehearsal>,
    guard::Operator(operator): guard::Operator,
    Valid(body): Valid<SceneBody>,
) -> Result<Json<Message>> {
    let scene = body.scene.0;
    tracing::info!(scene, "a match day is played");
    for (outage, away) in [(&rehearsal.sms, body.sms_away_ms), (&rehearsal.chat, body.chat_away_ms)]
    {
        if let Some(Away(lasting)) = away {
            outage.begin(lasting);
        }
    }
    let detail = json!({"scene": scene});
    let note =
        move |tx: &mut Tx| operators::audit(tx, &operator, "rehearsal.scene", "rehearsal", &detail);
    rehearsal.db.write(note).await?;
    Ok(Json(Message { message: text!("The scene is told.") }))
}

/// In front of the embedded homeserver: what an app sees of one that is away.
pub async fn or_away(State(rehearsal): State<Rehearsal>, request: Request, next: Next) -> Response {
    if !rehearsal.chat.is_on() {
        return next.run(request).await;
    }
    let body =
        json!({"errcode": "M_UNKNOWN", "error": "The homeserver is away, which is rehearsed."});
    let mut answer = (StatusCode::SERVICE_UNAVAILABLE, axum::Json(body)).into_response();
    answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    answer
}
