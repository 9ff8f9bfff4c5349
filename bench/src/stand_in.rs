//! Two small servers that this program can be, each as a process of its own.

use std::io::Write;

use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::Outcome;

/// The ceiling of all reads: the least an axum server can do for a request.
pub fn hello() -> Router {
    Router::new().route("/", get(|| async { Json(json!({"message": "Hello, world!"})) }))
}

/// A homeserver that lets everybody in at once, so that the cost of a login is the service's own. Whatever else it is asked
/// to do is done, as far as anybody can tell: an outage would be tried again and again behind what is measured.
pub fn homeserver() -> Router {
    let log_in = |Json(body): Json<Value>| async move {
        Json(json!({
            "user_id": body.pointer("/identifier/user"), "device_id": body.get("device_id"),
            "access_token": "bench",
        }))
    };
    let register = |Json(body): Json<Value>| async move {
        let name = body.get("username").and_then(Value::as_str).unwrap_or_default();
        Json(json!({
            "user_id": format!("@{name}:localhost"), "device_id": body.get("device_id"),
            "access_token": "bench",
        }))
    };
    let nobody =
        || async { (StatusCode::NOT_FOUND, Json(json!({"errcode": "M_NOT_FOUND", "error": ""}))) };
    Router::new()
        .route("/_matrix/client/v3/login", post(log_in))
        .route("/_matrix/client/v3/register", post(register))
        .route("/_matrix/client/v3/profile/{user}", get(nobody))
        .route("/_matrix/client/v3/devices", get(|| async { Json(json!({"devices": []})) }))
        .fallback(|| async { Json(json!({})) })
}

/// Serves on a free port, which it prints first.
pub fn run(router: Router) -> Outcome<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        writeln!(std::io::stdout(), "http://{}", listener.local_addr()?)?;
        Ok(axum::serve(listener, router).await?)
    })
}
