//! The rules of the house, checked on the source itself.

mod floors;
mod tables;

use std::fs;
use std::path::{Path, PathBuf};

/// A source file of the service.
#[derive(Clone)]
pub struct Source {
    /// From `src/`.
    pub path: String,
    /// Without the tests at its end.
    pub code: String,
}

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

/// Every source file of the service that is not a test.
pub fn sources() -> Vec<Source> {
    let src = root().join("src");
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap().to_owned();
        Source { path: path.strip_prefix(&src).unwrap().to_str().unwrap().to_owned(), code }
    };
    let is_test =
        |source: &Source| source.path.contains("/tests/") || source.path.ends_with("/tests.rs");
    files_below(&src, ".rs").iter().map(read).filter(|source| !is_test(source)).collect()
}

fn assert_nowhere(what: &str, is_allowed: impl Fn(&str) -> bool) {
    for Source { path, code } in sources() {
        assert!(is_allowed(&path) || !code.contains(what), "{path} mentions `{what}`");
    }
}

#[test]
fn only_the_database_layer_names_an_engine() {
    for engine in ["rusqlite", "tokio_postgres"] {
        assert_nowhere(engine, |path| path.starts_with("platform/db/"));
    }
}

#[test]
fn only_the_http_side_names_the_web_framework() {
    let is_http = |path: &str| {
        path.starts_with("platform/http/")
            || path.ends_with("routes.rs")
            || path.ends_with("/guard.rs")
            || ["app.rs", "app/surface.rs", "platform/idempotency/mod.rs"].contains(&path)
    };
    assert_nowhere("axum::", is_http);
}

/// The name under which each type that derives `ToSchema` is in the API's description.
fn schema_names(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for after in code.split("ToSchema").skip(1) {
        // The rest of the derive, other attributes, then the type; a `use` or a bound is followed by no type of its own.
        let head: Vec<&str> = after.lines().take_while(|line| !line.is_empty()).take(12).collect();
        let Some(closing) = head.first().filter(|line| line.trim_start().starts_with([',', ')']))
        else {
            continue;
        };
        let of_type = |line: &&str| {
            let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
            let is_type = matches!(words.next(), Some("struct" | "enum"));
            is_type.then(|| words.next().unwrap_or_default().to_owned())
        };
        let Some(at) = head.iter().position(|line| of_type(line).is_some()) else { continue };
        assert!(at > 0, "{closing}");
        let given =
            head[..at].iter().find_map(|line| line.split_once("(as = ")).map(|(_, name)| name);
        let name = given.map(str::to_owned).or_else(|| of_type(&head[at]));
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        names.push(name.unwrap().chars().take_while(|c| is_word(*c)).collect());
    }
    names
}

/// The document keeps one description for a name, so of two types with the same one, one would be described as the other.
#[test]
fn no_two_types_have_the_same_name_in_the_description_of_the_api() {
    let mut seen = std::collections::BTreeMap::new();
    for Source { path, code } in sources() {
        for name in schema_names(&code) {
            let before = seen.insert(name.clone(), path.clone());
            assert_eq!(before, None, "{name} is also in {path}; say #[schema(as = ...)]");
        }
    }
    assert!(seen.len() > 100, "only {} types were found", seen.len());
}

#[test]
fn a_store_is_private_to_its_feature() {
    for Source { path, code } in sources() {
        assert!(!code.contains("pub mod store"), "{path} opens its store");
        let feature = path.split('/').take(2).collect::<Vec<_>>().join("::");
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
    // What homeservers call is no part of the API, and is guarded by tokens of their own.
    // Neither are pages for people, which take no token at all.
    let others = [
        "features/chat/homeserver_routes.rs",
        "features/push/gateway_routes.rs",
        "features/chat_login/routes.rs",
    ];
    let is_allowed = |path: &str| path.starts_with("platform/http/") || others.contains(&path);
    assert_nowhere(".route(", is_allowed);
}

#[test]
fn every_module_opens_with_what_it_owns_and_never_does() {
    for Source { path, code } in sources() {
        if path.ends_with("/mod.rs") && path.matches('/').count() == 2 {
            for word in ["//! Owns:", "//! Invariants:", "//! Never:"] {
                assert!(code.contains(word), "{path} does not say `{word}`");
            }
        }
    }
}

#[test]
fn no_source_file_outgrows_a_readers_head() {
    for Source { path, code } in sources() {
        let lines = code.lines().count();
        assert!(lines <= 500, "{path} has {lines} lines: is it two files?");
    }
}

#[test]
fn paths_quoted_in_the_docs_exist() {
    let mut pages = files_below(&root().join("docs"), ".md");
    pages.extend(["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(|page| root().join(page)));
    let is_path = |word: &&str| {
        let folders =
            ["src/", "tests/", "docs/", "migrations/", "scripts/", "homeserver/", "bench/"];
        folders.iter().chain(&["packaging/", ".github/"]).any(|folder| word.starts_with(folder))
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
