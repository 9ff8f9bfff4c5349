//! What stands at `/` where there is no fan page: one page without scripts, from `web/front/`.

use axum::response::{Html, IntoResponse, Response};
use http::{HeaderMap, HeaderValue, header};

pub const ABOUT: &str = "A backend for match-day apps: login by text message, matches, predictions, points, coins and chat.";

const PAGE: &str = include_str!("../../../web/front/index.html");
pub const STYLE: &str = include_str!("../../../web/front/front.css");

/// Whether the caller reads HTML: browsers name it, scripts take anything.
pub fn is_for_a_browser(headers: &HeaderMap) -> bool {
    let taken = headers.get(header::ACCEPT).and_then(|taken| taken.to_str().ok());
    taken.is_some_and(|taken| taken.contains("text/html"))
}

/// The page, saying how the service is: `ready`, `degraded` or `unavailable`.
pub fn answer(status: &str) -> Response {
    let health = match status {
        "ready" => "Everything works.",
        "degraded" => "It works, but for the chat, which is away at the moment.",
        _ => "It does not take requests at the moment.",
    };
    let page = PAGE
        .replace("{about}", ABOUT)
        .replace("{version}", env!("CARGO_PKG_VERSION"))
        .replace("{status}", status)
        .replace("{health}", health);
    let mut response = Html(page).into_response();
    let policy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    // Another answer for those who take something else.
    headers.insert(header::VARY, HeaderValue::from_static("accept"));
    response
}
