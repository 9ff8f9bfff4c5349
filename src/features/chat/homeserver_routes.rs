//! What the homeserver calls: pushed events, questions about users and rooms, pings. Errors are Matrix's own.

use axum::Router;
use axum::body::Body;
use axum::extract::{FromRef, Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post, put};
use http::{HeaderMap, HeaderValue, Request, StatusCode, header};
use serde::Serialize;
use serde_json::json;
use subtle::ConstantTimeEq;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::adapters::matrix::{self, Transaction};
use crate::features::chat::Chat;
use crate::features::chat::moderation::{self, NetworkReport};
use crate::platform::error::Error;
use crate::platform::http::AppState;
use crate::platform::http::input::read_bytes;
use crate::platform::http::views::Json;
use crate::platform::tokens;

/// What one report takes, whatever somebody wrote into it.
const REPORT_LIMIT_BYTES: usize = 64 * 1024;

/// Not part of the API's description: only the homeserver has the token for these.
pub fn routes<S: AppState>() -> Router<S>
where
    Chat: FromRef<S>,
{
    Router::new()
        .route("/_matrix/app/v1/transactions/{id}", put(take_transaction))
        .route("/_matrix/app/v1/users/{user}", get(ask_for_user))
        .route("/_matrix/app/v1/rooms/{alias}", get(ask_for_room))
        .route("/_matrix/app/v1/ping", post(answer_ping))
        .route("/_matrix/app/unstable/touchline/reports", post(take_report))
        .route("/_matrix/{*rest}", any(unrecognised))
}

/// Where Matrix clients are told which homeserver to use.
pub fn discovery_routes<S: AppState>() -> OpenApiRouter<S>
where
    Chat: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(discover_homeserver))
}

/// An error in the form that homeservers and Matrix clients read.
pub fn problem(status: StatusCode, code: &str, words: &str) -> Response {
    (status, Json(json!({"errcode": code, "error": words}))).into_response()
}

async fn unrecognised() -> Response {
    problem(StatusCode::NOT_FOUND, "M_UNRECOGNIZED", "Unrecognized request")
}

fn done() -> Response {
    Json(json!({})).into_response()
}

/// Nothing if the caller is the homeserver. Hashes have one length, so the comparison tells nothing about the token.
fn refuse_stranger(chat: &Chat, headers: &HeaderMap) -> Option<Response> {
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let given = given.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
    let expected = chat.matrix.settings().hs_token.expose();
    if bool::from(tokens::hash(given).ct_eq(&tokens::hash(expected))) {
        return None;
    }
    metrics::counter!("touchline_matrix_strangers_total").increment(1);
    Some(problem(StatusCode::FORBIDDEN, "M_FORBIDDEN", "This is not the homeserver's token"))
}

async fn take_transaction(
    State(chat): State<Chat>,
    Path(id): Path<String>,
    request: Request<Body>,
) -> Response {
    if let Some(refusal) = refuse_stranger(&chat, request.headers()) {
        return refusal;
    }
    let limit = chat.config.matrix.transaction_limit_bytes;
    let bytes = match read_bytes(request, limit, chat.config.http.body_timeout_ms).await {
        Ok(bytes) => bytes,
        Err(Error::TooLarge) => return too_large(limit),
        Err(_) => return problem(StatusCode::BAD_REQUEST, "M_NOT_JSON", "The body ended early"),
    };
    let Ok(transaction) = serde_json::from_slice::<Transaction>(&bytes) else {
        return problem(StatusCode::BAD_REQUEST, "M_NOT_JSON", "This is not a transaction");
    };
    let is_embedded = chat.matrix.settings().is_embedded;
    let position = matrix::last_position(&id).filter(|_| is_embedded);
    match super::receive(&chat, transaction.into_events(), position).await {
        Ok(()) => done(),
        // The homeserver sends it again, and what was committed is known by its event ids.
        Err(error) => error.into_response(),
    }
}

/// A homeserver tries the same transaction again until it is taken, and nothing after it arrives before.
fn too_large(limit: usize) -> Response {
    tracing::error!(
        limit,
        "the homeserver sends more at once than matrix.transaction_limit_bytes: raise it, or nothing more arrives"
    );
    let words = format!("The transaction is larger than {limit} bytes");
    let mut response = problem(StatusCode::PAYLOAD_TOO_LARGE, "M_TOO_LARGE", &words);
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// What somebody reported on the network. Only the embedded homeserver hands it over; others have operators of their own.
async fn take_report(State(chat): State<Chat>, request: Request<Body>) -> Response {
    if let Some(refusal) = refuse_stranger(&chat, request.headers()) {
        return refusal;
    }
    let body = read_bytes(request, REPORT_LIMIT_BYTES, chat.config.http.body_timeout_ms).await;
    let report = body.ok().and_then(|bytes| serde_json::from_slice::<NetworkReport>(&bytes).ok());
    let Some(report) = report else {
        return problem(StatusCode::BAD_REQUEST, "M_BAD_JSON", "This is not a report");
    };
    match moderation::report_from_network(&chat, report).await {
        Ok(()) => done(),
        Err(Error::Invalid(_)) => {
            let words = "A reason has at most 500 characters";
            problem(StatusCode::BAD_REQUEST, "M_INVALID_PARAM", words)
        }
        Err(Error::NotFound(_)) => {
            problem(StatusCode::NOT_FOUND, "M_NOT_FOUND", "The service does not know you")
        }
        Err(Error::RateLimited { retry_after_s, .. }) => {
            let body = json!({"errcode": "M_LIMIT_EXCEEDED", "error": "Too many reports",
                              "retry_after_ms": retry_after_s * 1000});
            (StatusCode::TOO_MANY_REQUESTS, Json(body)).into_response()
        }
        Err(error) => error.into_response(),
    }
}

async fn ask_for_user(
    State(chat): State<Chat>,
    Path(user): Path<String>,
    headers: HeaderMap,
) -> Response {
    if let Some(refusal) = refuse_stranger(&chat, &headers) {
        return refusal;
    }
    match super::has_account(&chat, user).await {
        Ok(true) => done(),
        Ok(false) => problem(StatusCode::NOT_FOUND, "M_NOT_FOUND", "There is no such user"),
        Err(error) => error.into_response(),
    }
}

/// Asked when somebody names a match's room that does not exist yet; it is made on the spot.
async fn ask_for_room(
    State(chat): State<Chat>,
    Path(alias): Path<String>,
    headers: HeaderMap,
) -> Response {
    if let Some(refusal) = refuse_stranger(&chat, &headers) {
        return refusal;
    }
    match super::open_room_of_alias(&chat, &alias).await {
        Ok(true) => done(),
        Ok(false) => problem(StatusCode::NOT_FOUND, "M_NOT_FOUND", "There is no such room"),
        Err(error) => error.into_response(),
    }
}

async fn answer_ping(State(chat): State<Chat>, headers: HeaderMap) -> Response {
    refuse_stranger(&chat, &headers).unwrap_or_else(done)
}

#[derive(Serialize, ToSchema)]
struct DiscoveryView {
    #[serde(rename = "m.homeserver")]
    homeserver: HomeserverView,
}

#[derive(Serialize, ToSchema)]
struct HomeserverView {
    #[schema(example = "http://127.0.0.1:8080")]
    base_url: String,
}

/// Which homeserver Matrix clients are to use.
#[utoipa::path(get, path = "/.well-known/matrix/client", tag = "Chat", security(()),
    responses((status = 200, body = DiscoveryView)))]
async fn discover_homeserver(State(chat): State<Chat>) -> Response {
    let base_url = chat.matrix.settings().public_url.clone();
    let view = DiscoveryView { homeserver: HomeserverView { base_url } };
    // Browsers on any origin may ask, as the protocol wants.
    ([(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")], Json(view)).into_response()
}
