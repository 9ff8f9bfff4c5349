//! The files of the fan page as they are in `web/`, and the client through which it speaks, by their paths.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use bytes::Bytes;

use super::document::Document;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const PNG: &str = "image/png";
const MANIFEST: &str = "application/manifest+json";

pub const INDEX: &str = "app/index.html";
pub const WORKER: &str = "app/worker.js";

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
    "app/calls.js" as SCRIPT,
    "app/chat.js" as SCRIPT,
    "app/coins.js" as SCRIPT,
    "app/come-in.js" as SCRIPT,
    "app/drawer.js" as SCRIPT,
    "app/fan.js" as SCRIPT,
    "app/inside.js" as SCRIPT,
    "app/match.js" as SCRIPT,
    "app/matches.js" as SCRIPT,
    "app/me.js" as SCRIPT,
    "app/news.js" as SCRIPT,
    "app/outbox.js" as SCRIPT,
    "app/panel.js" as SCRIPT,
    "app/pick.js" as SCRIPT,
    "app/rooms.js" as SCRIPT,
    "app/table.js" as SCRIPT,
    "app/teams.js" as SCRIPT,
    "app/texts.js" as SCRIPT,
    "app/texts-de.js" as SCRIPT,
    "app/texts-en.js" as SCRIPT,
    "app/worker.js" as SCRIPT,
    "app/manifest.webmanifest" as MANIFEST,
    "app/icon.svg" as SVG,
    "app/icon-192.png" as PNG,
    "app/icon-512.png" as PNG,
    "shared/tokens.css" as CSS,
    "shared/components.js" as SCRIPT,
    "shared/language.js" as SCRIPT,
    "vendor/htm-preact-standalone.module.js" as SCRIPT,
];

/// As it is published: what apps use is what the page uses.
const CLIENT: (&str, &str, &[u8]) =
    ("app/touchline.js", SCRIPT, include_bytes!("../../../clients/js/touchline.js"));

static DOCUMENTS: LazyLock<BTreeMap<&str, Document>> = LazyLock::new(|| {
    let document = |(path, kind, bytes): (_, _, &'static [u8])| {
        (path, Document::new(kind, Bytes::from_static(bytes)))
    };
    FILES.iter().copied().chain([CLIENT]).map(document).collect()
});

pub fn find(path: &str) -> Option<&'static Document> {
    DOCUMENTS.get(path)
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
    fn every_file_that_the_page_names_is_there() {
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
                assert!(find(&named).is_some(), "{path} names {named}");
            }
        }
    }

    #[test]
    fn every_file_of_the_page_is_served() {
        let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
        for folder in ["app", "shared", "vendor"] {
            for entry in fs::read_dir(web.join(folder)).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                let is_for_people = name.starts_with("LICENSE") || name.ends_with(".d.ts");
                assert!(
                    is_for_people || find(&format!("{folder}/{name}")).is_some(),
                    "{folder}/{name}"
                );
            }
        }
    }
}
