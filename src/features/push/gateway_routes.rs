//! What homeservers call: Matrix's push gateway API. Errors are Matrix's own.

use axum::Router;
use axum::body::Body;
use axum::extract::{FromRef, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use http::{HeaderValue, Request, StatusCode, header};
use serde::Deserialize;
use serde_json::json;

use crate::adapters::matrix::PUSH_GATEWAY_PATH;
use crate::features::chat::homeserver_routes::problem;
use crate::features::push::Push;
use crate::platform::error::Error;
use crate::platform::http::AppState;
use crate::platform::http::input::read_bytes;
use crate::platform::http::views::Json;

use super::gateway::{self, Notification};

/// Not part of the API's description: homeservers call it, and know it from Matrix's specification.
pub fn routes<S: AppState>() -> Router<S>
where
    Push: FromRef<S>,
{
    Router::new().route(PUSH_GATEWAY_PATH, post(notify))
}

#[derive(Deserialize)]
struct Notify {
    notification: Notification,
}

/// The rest of the body is not read, so the connection cannot carry another request.
fn too_large() -> Response {
    let mut response =
        problem(StatusCode::PAYLOAD_TOO_LARGE, "M_TOO_LARGE", "The body is too large");
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// The keys in it are what lets a caller in: Matrix has no other secret here.
async fn notify(State(push): State<Push>, request: Request<Body>) -> Response {
    let limits = &push.config.http;
    let bytes = match read_bytes(request, limits.body_limit_bytes, limits.body_timeout_ms).await {
        Ok(bytes) => bytes,
        Err(Error::TooLarge) => {
            return too_large();
        }
        Err(_) => return problem(StatusCode::BAD_REQUEST, "M_NOT_JSON", "The body ended early"),
    };
    let body = match serde_json::from_slice::<Notify>(&bytes) {
        Ok(body) => body,
        Err(error) if error.is_data() => {
            return problem(StatusCode::BAD_REQUEST, "M_BAD_JSON", "This is not a notification");
        }
        Err(_) => return problem(StatusCode::BAD_REQUEST, "M_NOT_JSON", "This is not JSON"),
    };
    match gateway::take(&push, body.notification).await {
        Ok(rejected) => Json(json!({"rejected": rejected})).into_response(),
        // The homeserver tries it again.
        Err(error) => error.into_response(),
    }
}
