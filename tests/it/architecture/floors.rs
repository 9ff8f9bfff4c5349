//! The plan of the house: who may use whom.

use std::collections::BTreeSet;
use std::fs;

use super::{Source, root, sources};

/// The floors from the ground up and, on each, its folders and files in one order. What stands here may use what stands before it
/// and nothing that stands after it.
const FLOORS: &[(&str, &[&str])] = &[
    (
        "platform",
        &[
            "clock",
            "language",
            "texts",
            "error",
            "verdict",
            "gauge",
            "progress",
            "config",
            "keys",
            "tokens",
            "trace",
            "search",
            "shown_text",
            "outbound",
            "public_network",
            "breaker",
            "outage",
            "damaged_json",
            "db",
            "key_guard",
            "installation",
            "core",
            "clock_watch",
            "cache",
            "limits",
            "jobs",
            "http",
            "idempotency",
            "telemetry",
        ],
    ),
    ("adapters", &["sms", "matrix", "providers", "push"]),
    (
        "features",
        &[
            "users",
            "sessions",
            "operators",
            "user_notes",
            "job_control",
            "nodes",
            "coins",
            "teams",
            "events",
            "webhooks",
            "chat",
            "predictions",
            "stream",
            "leaderboards",
            "leagues",
            "questions",
            "push",
            "settlement",
            "room_figures",
            "catalogue",
            "feeds",
            "match_desk",
            "login",
            "chat_login",
            "account",
            "people",
            "overview",
            "desk_stream",
            "rehearsal",
            "demo",
        ],
    ),
    ("", &["chores", "settings_check", "app", "backup", "cli", "main"]),
];

/// Every place in the order of the floors, as the path that code writes: `platform::clock`, ..., `app`.
fn places() -> Vec<String> {
    let places = FLOORS.iter().flat_map(|(floor, names)| {
        names.iter().map(move |name| match *floor {
            "" => (*name).to_owned(),
            floor => format!("{floor}::{name}"),
        })
    });
    places.collect()
}

/// The place that a file belongs to; nothing for the lists of a floor's modules.
fn place_of(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    match parts.as_slice() {
        ["lib"] | [_, "mod"] if !parts.contains(&"cli") => None,
        [floor @ ("platform" | "adapters" | "features"), name, ..] => {
            Some(format!("{floor}::{name}"))
        }
        [name, ..] => Some((*name).to_owned()),
        [] => None,
    }
}

/// Every path below `crate::` that the code names, groups written out, as far as the module on a floor.
fn used_paths(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let without_comments: String = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n");
    for after in without_comments.split("crate::").skip(1) {
        expand("", after, &mut found);
    }
    found
}

fn expand(prefix: &str, rest: &str, found: &mut BTreeSet<String>) {
    let rest = rest.trim_start();
    if let Some(inside) = rest.strip_prefix('{') {
        let mut depth = 1;
        let mut start = 0;
        for (at, letter) in inside.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 || (depth == 1 && letter == ',') {
                expand(prefix, &inside[start..at], found);
                start = at + 1;
            }
            if depth == 0 {
                return;
            }
        }
        return;
    }
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let (name, behind) = rest.split_at(end);
    if name.is_empty() {
        return;
    }
    let path = if prefix.is_empty() { name.to_owned() } else { format!("{prefix}::{name}") };
    let is_floor = prefix.is_empty() && FLOORS.iter().any(|(floor, _)| *floor == name);
    match behind.strip_prefix("::") {
        Some(behind) if is_floor => expand(&path, behind, found),
        _ => {
            found.insert(path);
        }
    }
}

/// What is wrong with the arrows between places: those that run up, and ends that no floor has.
fn wrong_arrows(sources: &[Source]) -> Vec<String> {
    let places = places();
    let height = |place: &str| places.iter().position(|other| other == place);
    let mut wrong = Vec::new();
    for source in sources {
        let Some(from) = place_of(&source.path) else { continue };
        let Some(from_height) = height(&from) else {
            wrong.push(format!("{} is on no floor", source.path));
            continue;
        };
        for to in used_paths(&source.code) {
            match height(&to) {
                Some(to_height) if to_height > from_height => {
                    wrong.push(format!("{} uses {to}, which is above it", source.path));
                }
                None if to.contains("::") => {
                    wrong.push(format!("{}: {to} is on no floor", source.path));
                }
                // A macro is at the root of the crate, wherever it is written.
                Some(_) | None => {}
            }
        }
    }
    wrong
}

#[test]
fn nothing_uses_what_is_above_it() {
    let wrong = wrong_arrows(&sources());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_arrow_that_is_turned_round_is_found() {
    for (path, line) in [
        ("features/users/mod.rs", "use crate::features::chat;"),
        ("features/events/store.rs", "use crate::features::{teams, predictions::Pick};"),
        ("platform/db/mod.rs", "fn f() { crate::features::users::find(); }"),
        ("adapters/sms/mod.rs", "use crate::{features::login, platform::db};"),
        ("platform/error/mod.rs", "use crate::platform::db::Tx;"),
        ("features/coins/mod.rs", "use crate::app::App;"),
    ] {
        let mut copy = sources();
        let source = copy
            .iter_mut()
            .find(|source| source.path == path)
            .unwrap_or_else(|| panic!("{path} is gone"));
        source.code = format!("{line}\n{}", source.code);
        assert_eq!(wrong_arrows(&copy).len(), 1, "{path}: {line}");
    }
}

#[test]
fn every_place_of_the_plan_is_there() {
    for place in places() {
        let path = root().join("src").join(place.replace("::", "/"));
        let is_there = path.is_dir() || path.with_extension("rs").is_file();
        assert!(is_there, "{place} is in the plan and not in src/");
    }
}

/// The picture has a line for each floor, from the top down, with its folders in order.
#[test]
fn the_picture_of_the_house_shows_the_plan() {
    let page = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let picture = page.split("```").nth(1).unwrap();
    let words: Vec<&str> = picture
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .collect();
    let mut drawn = Vec::new();
    for (floor, names) in FLOORS.iter().rev() {
        drawn.extend(Some(*floor).filter(|floor| !floor.is_empty()));
        drawn.extend(names.iter().copied().filter(|name| *name != "damaged_json"));
    }
    assert_eq!(words, drawn, "docs/architecture.md draws another plan");
}
