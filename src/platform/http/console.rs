//! The operators' console at `/console`, from `web/console/`.
//!
//! It holds an operator's token, so its policy lets it speak to its own address alone and lets nobody show it in a frame.

use axum::Router;
use axum::extract::Path;
use axum::response::Redirect;
use axum::routing::get;
use http::{HeaderMap, HeaderValue};

use super::web_files;

/// Clubs' logos are the one thing from elsewhere: operators import them with their addresses.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' https:; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let show_index = |headers: HeaderMap| async move {
        let policy = Some(HeaderValue::from_static(POLICY));
        web_files::show_page(web_files::CONSOLE, &headers, policy).await
    };
    let show_file = |Path(file): Path<String>, headers: HeaderMap| async move {
        web_files::show(&format!("console/{file}"), &headers).await
    };
    Router::new()
        .route("/console", get(show_index))
        .route("/console/", get(|| async { Redirect::permanent("/console") }))
        .route("/console/{*file}", get(show_file))
}

/// On an address of its own it is also what stands at `/`.
pub fn at_front<S: Clone + Send + Sync + 'static>() -> Router<S> {
    router().route("/", get(|| async { Redirect::temporary("/console") }))
}
