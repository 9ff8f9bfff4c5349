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
        /// Only what happens to this match.
        #[param(value_type = Option<i64>, minimum = 1)]
        event_id: Option<EventId>,
    }
}

/// Follow matches live, as server-sent events.
///
/// Events are named `status`, `score`, `predictions` and `settlement`; their data is a JSON object with `event_id`. Come back with
/// `Last-Event-ID` to miss nothing; `reset` says that what was missed is no longer kept. The stream ends now and then by itself: come back
/// then. A browser's `EventSource` cannot send the token; the JavaScript client reads the stream with `fetch` and comes back by itself.
#[utoipa::path(get, path = "/api/auth/stream", tag = "Events", security(("user" = [])),
    params(StreamQuery, ("Last-Event-ID" = Option<i64>, Header, minimum = 0, description = "The last id that was seen")),
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
    let listener =
        Listener::open(&stream, user.session_id, places, query.event_id, last_id).await?;
    let mut response = Response::new(Body::from_stream(listener.frames()));
    let kind = HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    // Proxies that collect an answer before passing it on would defeat a stream.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

fn last_event_id(headers: &HeaderMap) -> Result<Option<i64>> {
    let Some(value) = headers.get(LAST_EVENT_ID) else { return Ok(None) };
    let is_digits = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
    let id = value.to_str().ok().filter(is_digits).and_then(|text| text.parse().ok());
    match id {
        Some(id) => Ok(Some(id)),
        None => Err(Error::invalid(LAST_EVENT_ID, "Must be an id that the stream gave.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_bytes_break_the_reader_of_the_last_id(
            text in prop_oneof!["\\PC{0,30}", "[+-]?[0-9]{0,22}", any::<i64>().prop_map(|id| id.to_string())],
        ) {
            let Ok(value) = HeaderValue::from_bytes(text.as_bytes()) else { return Ok(()) };
            let headers = HeaderMap::from_iter([(http::HeaderName::from_static(LAST_EVENT_ID), value)]);
            let id = text.parse::<i64>().ok().filter(|id| *id >= 0 && !text.starts_with(['+', '-']));
            prop_assert_eq!(last_event_id(&headers).ok(), id.map(Some));
        }
    }
}
