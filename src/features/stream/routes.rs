//! `GET /api/auth/stream`.

use axum::body::Body;
use axum::extract::{FromRef, State};
use axum::response::Response;
use http::{HeaderMap, HeaderValue, header};
use utoipa::IntoParams;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::features::events::EventId;
use crate::features::sessions::{Sessions, User};
use crate::features::stream::LiveStream;
use crate::input;
use crate::platform::core::Core;
use crate::platform::error::{Error, Result};
use crate::platform::http::AppState;
use crate::platform::http::client_address::ClientAddress;
use crate::platform::http::input::Params;

use super::listener::Listener;
use super::position::LastId;

const LAST_EVENT_ID: &str = "last-event-id";

pub fn routes<S: AppState>() -> OpenApiRouter<S>
where
    Core: FromRef<S>,
    Sessions: FromRef<S>,
    LiveStream: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(open_stream))
}

input! {
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    struct StreamQuery {
        /// Only what happens to this match, and to the caller's prediction on it.
        #[param(value_type = Option<i64>, minimum = 1)]
        event_id: Option<EventId>,
    }
}

/// Follow matches, and what happens to oneself, live, as server-sent events.
///
/// Of matches: `status`, `score`, `predictions` and `settlement`; their data is a JSON object with `event_id`. Of the caller alone:
/// `prediction` when a match is settled (`event_id`, `prediction_id`, `points_earned`, `settlement`), `coins` when coins moved (as in the
/// list of transactions), and `room` when somebody invited or removed them (`room_id`, `name`, `change`, `by`, `created_at`).
/// Come back with `Last-Event-ID` to miss nothing; `reset` says that what was missed is no longer kept. The stream ends now and then by itself:
/// come back then. A browser's `EventSource` cannot send the token; the JavaScript client reads the stream with `fetch` and comes back
/// by itself.
#[utoipa::path(get, path = "/api/auth/stream", tag = "Events", security(("user" = [])),
    params(StreamQuery, ("Last-Event-ID" = Option<String>, Header, pattern = r"^[0-9]+(\.[0-9]+\.[0-9]+)?$", example = "1042.17.3",
        description = "The last id that was seen. Treat it as an opaque text.")),
    responses((status = 200, description = "A stream without an end", content_type = "text/event-stream", body = String)),
    extensions(("x-codes" = json!(["429 address_stream_limit", "429 user_stream_limit"]))))]
async fn open_stream(
    State(stream): State<LiveStream>,
    user: User,
    address: ClientAddress,
    Params(query): Params<StreamQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let last_id = last_event_id(&headers)?;
    let places = stream.admit(user.id, address)?;
    let listener = Listener::open(&stream, user, places, query.event_id, last_id).await?;
    let mut response = Response::new(Body::from_stream(listener.frames()));
    let kind = HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    // Proxies that collect an answer before passing it on would defeat a stream.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

fn last_event_id(headers: &HeaderMap) -> Result<Option<LastId>> {
    let Some(value) = headers.get(LAST_EVENT_ID) else { return Ok(None) };
    match value.to_str().ok().and_then(LastId::parse) {
        Some(id) => Ok(Some(id)),
        None => Err(Error::invalid(LAST_EVENT_ID, text!("Must be an id that the stream gave."))),
    }
}
