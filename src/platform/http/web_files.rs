//! The files of the fan page and of the console as they are in `web/`, and the clients through which they speak, by their paths.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::Router;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};

use super::document::Document;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const PNG: &str = "image/png";
const MANIFEST: &str = "application/manifest+json";

pub const FAN_PAGE: &str = "app/index.html";
pub const FAN_WORKER: &str = "app/worker.js";
pub const CONSOLE: &str = "console/index.html";

/// Files of `web/` by their path in it.
macro_rules! web {
    ($($path:literal as $kind:expr),* $(,)?) => {
        &[$(($path, $kind, include_bytes!(concat!("../../../web/", $path)))),*]
    };
}

const FILES: &[(&str, &str, &[u8])] = web![
    "app/index.html" as HTML,
    "app/about.js" as SCRIPT,
    "app/app.css" as CSS,
    "app/app.js" as SCRIPT,
    "app/asking.js" as SCRIPT,
    "app/calls.js" as SCRIPT,
    "app/chat.js" as SCRIPT,
    "app/coins.js" as SCRIPT,
    "app/come-in.js" as SCRIPT,
    "app/drawer.js" as SCRIPT,
    "app/entering.js" as SCRIPT,
    "app/fan.js" as SCRIPT,
    "app/inside.css" as CSS,
    "app/inside.js" as SCRIPT,
    "app/lazy.js" as SCRIPT,
    "app/league-asks.js" as SCRIPT,
    "app/league-form.js" as SCRIPT,
    "app/league-members.js" as SCRIPT,
    "app/league-part.js" as SCRIPT,
    "app/league.js" as SCRIPT,
    "app/leagues.css" as CSS,
    "app/leagues.js" as SCRIPT,
    "app/match.js" as SCRIPT,
    "app/matches.js" as SCRIPT,
    "app/me.js" as SCRIPT,
    "app/news.js" as SCRIPT,
    "app/notification-devices.js" as SCRIPT,
    "app/notification-kinds.js" as SCRIPT,
    "app/notification-part.js" as SCRIPT,
    "app/notification-setting.js" as SCRIPT,
    "app/notification-store.js" as SCRIPT,
    "app/notification-times.js" as SCRIPT,
    "app/notifications.css" as CSS,
    "app/outbox.js" as SCRIPT,
    "app/panel.js" as SCRIPT,
    "app/pick.js" as SCRIPT,
    "app/push.js" as SCRIPT,
    "app/question-form.js" as SCRIPT,
    "app/question-others.js" as SCRIPT,
    "app/question-part.js" as SCRIPT,
    "app/question-result.js" as SCRIPT,
    "app/question.js" as SCRIPT,
    "app/questions-open.js" as SCRIPT,
    "app/questions.css" as CSS,
    "app/questions.js" as SCRIPT,
    "app/reminder.js" as SCRIPT,
    "app/report.js" as SCRIPT,
    "app/rooms.js" as SCRIPT,
    "app/table.js" as SCRIPT,
    "app/teams.js" as SCRIPT,
    "app/texts.js" as SCRIPT,
    "app/texts-de.js" as SCRIPT,
    "app/texts-en.js" as SCRIPT,
    "app/texts-inside-de.js" as SCRIPT,
    "app/texts-inside-en.js" as SCRIPT,
    "app/texts-inside.js" as SCRIPT,
    "app/texts-leagues-de.js" as SCRIPT,
    "app/texts-leagues-en.js" as SCRIPT,
    "app/texts-leagues.js" as SCRIPT,
    "app/texts-notifications-de.js" as SCRIPT,
    "app/texts-notifications-en.js" as SCRIPT,
    "app/texts-notifications.js" as SCRIPT,
    "app/texts-questions-de.js" as SCRIPT,
    "app/texts-questions-en.js" as SCRIPT,
    "app/texts-questions.js" as SCRIPT,
    "app/worker.js" as SCRIPT,
    "app/manifest.webmanifest" as MANIFEST,
    "app/icon.svg" as SVG,
    "app/icon-192.png" as PNG,
    "app/icon-512.png" as PNG,
    "console/audit.js" as SCRIPT,
    "console/changes.js" as SCRIPT,
    "console/console.css" as CSS,
    "console/console.js" as SCRIPT,
    "console/desk.js" as SCRIPT,
    "console/feeds.js" as SCRIPT,
    "console/front.js" as SCRIPT,
    "console/icon.svg" as SVG,
    "console/index.html" as HTML,
    "console/inputs.js" as SCRIPT,
    "console/leagues.js" as SCRIPT,
    "console/machinery.js" as SCRIPT,
    "console/match.js" as SCRIPT,
    "console/match-actions.js" as SCRIPT,
    "console/match-new.js" as SCRIPT,
    "console/matches.js" as SCRIPT,
    "console/messages.js" as SCRIPT,
    "console/money.js" as SCRIPT,
    "console/needs.js" as SCRIPT,
    "console/nodes.js" as SCRIPT,
    "console/operator-list.js" as SCRIPT,
    "console/parts.js" as SCRIPT,
    "console/person-actions.js" as SCRIPT,
    "console/person.js" as SCRIPT,
    "console/places.js" as SCRIPT,
    "console/push.js" as SCRIPT,
    "console/push-audience.js" as SCRIPT,
    "console/push-figures.js" as SCRIPT,
    "console/push-messages.js" as SCRIPT,
    "console/push-new.js" as SCRIPT,
    "console/question.js" as SCRIPT,
    "console/question-actions.js" as SCRIPT,
    "console/question-answers.js" as SCRIPT,
    "console/question-form.js" as SCRIPT,
    "console/question-new.js" as SCRIPT,
    "console/question-settle.js" as SCRIPT,
    "console/questions.js" as SCRIPT,
    "console/reports.js" as SCRIPT,
    "console/rooms.js" as SCRIPT,
    "console/sign-in.js" as SCRIPT,
    "console/texts-de.js" as SCRIPT,
    "console/texts-en.js" as SCRIPT,
    "console/texts-places-en.js" as SCRIPT,
    "console/texts.js" as SCRIPT,
    "console/tournament-choice.js" as SCRIPT,
    "console/users.js" as SCRIPT,
    "console/webhooks.js" as SCRIPT,
    "sign-in/sign-in.css" as CSS,
    "shared/tokens.css" as CSS,
    "shared/components.js" as SCRIPT,
    "shared/language.js" as SCRIPT,
    "vendor/htm-preact-standalone.module.js" as SCRIPT,
];

const CLIENT: &[u8] = include_bytes!("../../../clients/js/touchline.js");
const OPERATORS: &[u8] = include_bytes!("../../../clients/js/operators.js");

/// As they are published: what apps and scripts use is what the pages use.
const CLIENTS: [(&str, &str, &[u8]); 3] = [
    ("app/touchline.js", SCRIPT, CLIENT),
    ("console/touchline.js", SCRIPT, CLIENT),
    ("console/operators.js", SCRIPT, OPERATORS),
];

static DOCUMENTS: LazyLock<BTreeMap<&str, Document>> = LazyLock::new(|| {
    let document = |(path, kind, bytes): (_, _, &'static [u8])| {
        (path, Document::new(kind, Bytes::from_static(bytes)))
    };
    FILES.iter().copied().chain(CLIENTS).map(document).collect()
});

/// What both pages use, at the same addresses.
pub fn shared_router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    ["shared", "vendor"].into_iter().fold(Router::new(), |router, folder| {
        let show_file = move |Path(file): Path<String>, headers| async move {
            show(&format!("{folder}/{file}"), &headers).await
        };
        router.route(&format!("/{folder}/{{*file}}"), get(show_file))
    })
}

/// A file as it is; the answer has the strictest policy there is.
pub async fn show(path: &str, headers: &HeaderMap) -> Response {
    match DOCUMENTS.get(path) {
        Some(file) => Document::answer(file, headers).await,
        None => not_found!("page").into_response(),
    }
}

/// A page, which may do what its policy says.
pub async fn show_page(path: &str, headers: &HeaderMap, policy: Option<HeaderValue>) -> Response {
    let mut response = show(path, headers).await;
    let headers = response.headers_mut();
    headers.extend(policy.map(|policy| (header::CONTENT_SECURITY_POLICY, policy)));
    response
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// A path as a page or module of this folder names it.
    fn resolve(folder: &str, named: &str) -> String {
        match named.split_once('/') {
            Some(("", path)) => path.to_owned(),
            Some((".", file)) => format!("{folder}/{file}"),
            _ => named.trim_start_matches("../").to_owned(),
        }
    }

    #[test]
    fn every_file_that_a_page_names_is_there() {
        let is_file = |part: &&str| {
            let is_path =
                part.starts_with("./") || part.starts_with("../") || part.starts_with('/');
            is_path
                && [".css", ".js", ".svg", ".png", ".webmanifest"]
                    .iter()
                    .any(|end| part.ends_with(end))
        };
        for (path, _, bytes) in FILES {
            let Ok(text) = std::str::from_utf8(bytes) else { continue };
            let folder = path.split('/').next().unwrap();
            for named in text.split('"').filter(is_file) {
                let named = resolve(folder, named);
                assert!(DOCUMENTS.contains_key(named.as_str()), "{path} names {named}");
            }
        }
    }

    #[test]
    fn every_file_of_the_pages_is_served() {
        let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
        for folder in ["app", "console", "shared", "vendor"] {
            for entry in fs::read_dir(web.join(folder)).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                let is_for_people = name.starts_with("LICENSE") || name.ends_with(".d.ts");
                assert!(
                    is_for_people || DOCUMENTS.contains_key(format!("{folder}/{name}").as_str()),
                    "{folder}/{name}"
                );
            }
        }
    }
}
