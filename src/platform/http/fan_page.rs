//! What stands at `/`: the fan page from `web/app/`, or, where it is off, a short page about the service.
//!
//! The fan page speaks to this service and its homeserver alone; the content policy holds it to that.

use axum::Router;
use axum::extract::Path;
use axum::handler::Handler;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::platform::error::Error;

use super::document::Document;
use super::{fan_page_files, front_page};

/// The fan page, which also speaks to these addresses: the service's own, if it is opened by another, and the homeserver's.
pub fn router<S: Clone + Send + Sync + 'static>(also: &[String]) -> Router<S> {
    let policy = policy(also);
    let mut router = Router::new();
    for folder in ["app", "shared", "vendor"] {
        let policy = policy.clone();
        let show_file = move |Path(file): Path<String>, headers| {
            show(format!("{folder}/{file}"), headers, policy.clone())
        };
        router = router.route(&format!("/{folder}/{{*file}}"), get(show_file));
    }
    let show_index = move |headers| show(fan_page_files::INDEX.to_owned(), headers, policy.clone());
    router.route("/", get(show_index))
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
    let Some(file) = fan_page_files::find(&path) else {
        return Error::NotFound("page").into_response();
    };
    let mut response = Document::answer(file, &headers).await;
    let headers = response.headers_mut();
    if path == fan_page_files::INDEX || path == fan_page_files::WORKER {
        // Without it, as all other files, the answer has the strictest policy there is.
        headers.extend(policy.map(|policy| (header::CONTENT_SECURITY_POLICY, policy)));
    }
    if path == fan_page_files::WORKER {
        // It looks after the page at `/`, above its own folder.
        let scope = HeaderName::from_static("service-worker-allowed");
        headers.insert(scope, HeaderValue::from_static("/"));
    }
    response
}
