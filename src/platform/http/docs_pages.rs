//! The pages that show the API's description: the files of `web/docs/` as they are, and the clients with which they send.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::document::Document;
use bytes::Bytes;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

const FILES: [(&str, &str, &str); 6] = [
    ("index.html", HTML, include_str!("../../../web/docs/index.html")),
    ("docs.css", CSS, include_str!("../../../web/docs/docs.css")),
    ("docs.js", SCRIPT, include_str!("../../../web/docs/docs.js")),
    ("icon.svg", SVG, include_str!("../../../web/docs/icon.svg")),
    ("operators.js", SCRIPT, include_str!("../../../clients/js/operators.js")),
    ("touchline.js", SCRIPT, include_str!("../../../clients/js/touchline.js")),
];

static PAGES: LazyLock<BTreeMap<&str, Document>> = LazyLock::new(|| {
    let page = |(name, kind, text): (_, _, &'static str)| {
        (name, Document::new(kind, Bytes::from_static(text.as_bytes())))
    };
    FILES.into_iter().map(page).collect()
});

/// A file of the pages.
pub fn find(name: &str) -> Option<&'static Document> {
    PAGES.get(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_the_pages_name_is_there() {
        let texts = FILES.iter().filter(|(name, ..)| ["index.html", "docs.js"].contains(name));
        let named = texts.flat_map(|(.., text)| text.split('"')).filter_map(|part| {
            let name = part.strip_prefix("./").unwrap_or(part);
            let is_file = [".css", ".js", ".svg"].iter().any(|end| name.ends_with(end));
            is_file.then_some(name)
        });
        let missing: Vec<&str> = named.filter(|name| find(name).is_none()).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
