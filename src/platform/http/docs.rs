//! The API's description and the pages to read and try it, all inside the binary.
//!
//! Owns: `/api/openapi.json` and `/docs`.
//! Invariants: what an operation can answer is in the document; a route without a declared guard does not build (a test says so).
//! Never: loads anything from another site.

use std::sync::OnceLock;

use axum::Router;
use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use http::{HeaderMap, HeaderValue, header};
use serde_json::Value;

use super::docs_pages;
use super::document::Document;

/// Serves the document, made when it is first asked for, and the pages that show it.
pub fn router<S: Clone + Send + Sync + 'static>(document: fn() -> Value) -> Router<S> {
    static DESCRIPTION: OnceLock<Document> = OnceLock::new();
    let make = move || Document::new("application/json", format!("{}\n", document()).into());
    let show = move |headers: HeaderMap| async move {
        DESCRIPTION.get_or_init(make).answer(&headers).await
    };
    Router::new()
        .route("/api/openapi.json", get(show))
        .route("/docs", get(|| async { Redirect::permanent("/docs/") }))
        .route("/docs/", get(|headers| page(Path("index.html".to_owned()), headers)))
        .route("/docs/{*file}", get(page))
}

async fn page(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some(page) = docs_pages::find(&name) else {
        return not_found!("page").into_response();
    };
    let mut response = page.answer(&headers).await;
    let headers = response.headers_mut();
    // Nothing inline and nothing from elsewhere; whoever shows the page in a frame could steer what it sends.
    let policy = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    response
}
