//! The rules of the house, checked on the source itself.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path, ending));
        } else if path.to_str().unwrap().ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Every source file of the service: its path from `src/` and its text without the tests at its end.
fn sources() -> Vec<(String, String)> {
    let src = root().join("src");
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap().to_owned();
        (path.strip_prefix(&src).unwrap().to_str().unwrap().to_owned(), code)
    };
    files_below(&src, ".rs").iter().map(read).collect()
}

fn assert_nowhere(what: &str, is_allowed: impl Fn(&str) -> bool) {
    for (path, code) in sources() {
        assert!(is_allowed(&path) || !code.contains(what), "{path} mentions `{what}`");
    }
}

#[test]
fn only_the_database_layer_names_an_engine() {
    for engine in ["rusqlite", "tokio_postgres"] {
        assert_nowhere(engine, |path| path.starts_with("db/"));
    }
}

#[test]
fn only_the_http_side_names_the_web_framework() {
    let is_http = |path: &str| {
        path.starts_with("http/")
            || path.ends_with("routes.rs")
            || ["app.rs", "idempotency.rs"].contains(&path)
    };
    assert_nowhere("axum::", is_http);
}

#[test]
fn a_store_is_private_to_its_feature() {
    for (path, code) in sources() {
        assert!(!code.contains("pub mod store"), "{path} opens its store");
        let feature = path.split('/').next().unwrap();
        for line in code.lines().filter(|line| line.contains("::store::")) {
            let own = format!("crate::{feature}::store");
            let is_own =
                ["super::store", "self::store", &own].iter().any(|path| line.contains(path));
            assert!(is_own, "{path} reaches into another feature's store: {line}");
        }
    }
}

#[test]
fn routes_are_made_known_through_the_description_alone() {
    // A route added with `.route(` would be missing from the document, and so from the guard test.
    // What the homeserver calls is no part of the API, and is guarded by the homeserver's own token.
    let is_allowed = |path: &str| path.starts_with("http/") || path == "matrix/routes.rs";
    assert_nowhere(".route(", is_allowed);
}

#[test]
fn every_module_opens_with_what_it_owns_and_never_does() {
    for (path, code) in sources() {
        if path.ends_with("/mod.rs") && path.matches('/').count() == 1 {
            for word in ["//! Owns:", "//! Invariants:", "//! Never:"] {
                assert!(code.contains(word), "{path} does not say `{word}`");
            }
        }
    }
}

#[test]
fn no_source_file_outgrows_a_readers_head() {
    for (path, code) in sources() {
        let lines = code.lines().count();
        assert!(lines <= 500, "{path} has {lines} lines: is it two files?");
    }
}

#[test]
fn paths_quoted_in_the_docs_exist() {
    let mut pages = files_below(&root().join("docs"), ".md");
    pages.extend(["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(|page| root().join(page)));
    let is_path = |word: &&str| {
        ["src/", "tests/", "docs/", "migrations/", "scripts/", "homeserver/", "bench/"]
            .iter()
            .any(|folder| word.starts_with(folder))
    };
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for quoted in text.split('`').skip(1).step_by(2).filter(is_path) {
            let path = quoted.trim_end_matches('/');
            let is_pattern = path.contains(['<', '*', ' ', '{']) || path.contains("NNNN");
            assert!(is_pattern || root().join(path).exists(), "{}: {quoted}", page.display());
        }
    }
}
