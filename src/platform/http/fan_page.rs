//! What stands at `/`: the fan page from `web/app/`, or, where it is off, a short page about the service.
//!
//! The fan page speaks to this service and its homeserver alone; the content policy holds it to that.

use axum::Router;
use axum::extract::Path;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::get;
use http::{HeaderMap, HeaderName, HeaderValue, header};

use super::{front_page, web_files};

/// The fan page, which also speaks to these addresses: the service's own, if it is opened by another, and the homeserver's.
pub fn router<S: Clone + Send + Sync + 'static>(also: &[String]) -> Router<S> {
    let policy = policy(also);
    let for_files = policy.clone();
    let show_file = move |Path(file): Path<String>, headers| {
        show(format!("app/{file}"), headers, for_files.clone())
    };
    let show_index = move |headers| show(web_files::FAN_PAGE.to_owned(), headers, policy.clone());
    Router::new().route("/", get(show_index)).route("/app/{*file}", get(show_file))
}

/// The short page instead, which `front` answers.
pub fn without<S, H, T>(front: H) -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    H: Handler<T, S>,
    T: 'static,
{
    let style =
        || async { ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], front_page::STYLE) };
    Router::new().route("/", get(front)).route("/front.css", get(style))
}

/// Nothing inline and nothing from elsewhere, but for the logos of clubs, which operators import with their addresses.
fn policy(also: &[String]) -> Option<HeaderValue> {
    // What a directive cannot hold would end it: such an address is left out, and chat does not work there.
    let can_be_named =
        |address: &&String| !address.is_empty() && !address.contains([' ', ';', ',']);
    let also: Vec<&str> = also.iter().filter(can_be_named).map(String::as_str).collect();
    let policy = format!(
        "default-src 'self'; connect-src 'self' {}; img-src 'self' https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        also.join(" ")
    );
    HeaderValue::try_from(policy).ok()
}

async fn show(path: String, headers: HeaderMap, policy: Option<HeaderValue>) -> Response {
    if path == web_files::FAN_PAGE {
        return web_files::show_page(&path, &headers, policy).await;
    }
    if path != web_files::FAN_WORKER {
        return web_files::show(&path, &headers).await;
    }
    let mut worker = web_files::show_page(&path, &headers, policy).await;
    // It looks after the page at `/`, above its own folder.
    let scope = HeaderName::from_static("service-worker-allowed");
    worker.headers_mut().insert(scope, HeaderValue::from_static("/"));
    worker
}
