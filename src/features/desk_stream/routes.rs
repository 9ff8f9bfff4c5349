//! `GET /api/admin/stream`.

use axum::body::Body;
use axum::extract::{FromRef, State};
use axum::response::Response;
use http::{HeaderMap, HeaderValue, header};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::desk_stream::DeskStream;
use crate::features::operators::guard;
use crate::features::sessions::Sessions;
use crate::platform::core::Core;
use crate::platform::error::{Error, Result};
use crate::platform::http::AppState;

use super::Position;
use super::listener::Listener;

const LAST_EVENT_ID: &str = "last-event-id";

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    DeskStream: FromRef<S>,
    Sessions: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(open_desk_stream))
}

/// Follow what happens live, as server-sent events.
///
/// `match` when something about a match changes (`event_id`, `kind` and `data` as fans are told), `audit` for what operators do (`id`, `operator`,
/// `action`, `subject`, `created_at`), `report` (`open`, `newest_id`) and `job` (`failing`) when those change or a job that fails is tried again, `figures` every five seconds
/// (`predictions_a_minute`, `listening`, `codes_sent_last_hour`, `jobs_lag_ms`). Come back with `Last-Event-ID` to be told what
/// happened meanwhile; `reset` says that too much was missed: read anew. The stream ends with the token, and now and then by itself: come back then.
#[utoipa::path(get, path = "/api/admin/stream", tag = "Operators", security(("operator" = ["viewer"])),
    params(("Last-Event-ID" = Option<String>, Header, pattern = r"^[0-9]+\.[0-9]+$", example = "1042.17",
        description = "The last id that was seen. Treat it as an opaque text.")),
    responses((status = 200, description = "A stream without an end", content_type = "text/event-stream", body = String)),
    extensions(("x-codes" = json!(["422 validation_failed", "503 too_many_consoles"]))))]
async fn open_desk_stream(
    State(desk): State<DeskStream>,
    guard::Viewer(operator): guard::Viewer,
    headers: HeaderMap,
) -> Result<Response> {
    let after = headers.get(LAST_EVENT_ID).map(|value| {
        let id = value.to_str().ok().and_then(Position::parse);
        id.ok_or_else(|| {
            Error::invalid(LAST_EVENT_ID, text!("Must be an id that the stream gave."))
        })
    });
    let listener = Listener::open(&desk, operator, after.transpose()?).await?;
    let mut response = Response::new(Body::from_stream(listener.frames()));
    let kind = HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    // Proxies that collect an answer before passing it on would defeat a stream.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}
