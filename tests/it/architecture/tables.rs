//! Whose table is whose: read from the migrations and from the SQL in the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::{files_below, root, sources};

/// Reads of another feature's table that speed needs, and why. All others go through the feature that owns the table.
const READS_ACROSS: &[(&str, &str, &str)] = &[
    (
        "features/sessions",
        "users",
        "whether the user is banned is asked with every call: one read instead of two",
    ),
    ("features/coins", "users", "a page of frozen accounts names whose they are"),
    ("features/account", "users", "an account with its teams is read by one statement"),
    ("features/account", "favourite_teams", "an account with its teams is read by one statement"),
    ("features/account", "teams", "an account with its teams is read by one statement"),
    (
        "features/events",
        "teams",
        "a page of matches names two teams for each: a join instead of a second query for every page",
    ),
    ("features/events", "sports", "an import asks for the sports of many tournaments at once"),
    (
        "features/events",
        "event_counters",
        "a page of matches shows how many predictions each has; predictions are above",
    ),
    (
        "features/predictions",
        "standings",
        "who would lead a board with another result is asked of all predictions on a match at once; boards are above",
    ),
    (
        "features/chat",
        "events",
        "the list of rooms shows the match of each, and leaves out rooms of matches long over",
    ),
    ("features/chat", "teams", "the list of rooms names both teams of each room's match"),
    (
        "features/chat",
        "tournaments",
        "rooms of matches that go by an old name are found by one comparison of them all",
    ),
    ("features/chat", "users", "the list of those whom somebody has blocked names them"),
    (
        "features/predictions",
        "events",
        "one's own predictions are narrowed by tournament in the query that pages them",
    ),
    ("features/predictions", "users", "a list of predictions names who made each, as it streams"),
    (
        "features/leaderboards",
        "predictions",
        "points are counted from whole stretches of predictions at a time",
    ),
    ("features/leaderboards", "events", "runs are walked in the order of kick-off"),
    ("features/leaderboards", "users", "a page of a board names its users"),
    (
        "features/leaderboards",
        "chat_room_users",
        "the best of a room are found without a list of its members",
    ),
    (
        "features/leaderboards",
        "question_tips",
        "points are counted from whole stretches of special tips at a time",
    ),
    ("features/leagues", "users", "a page of a league's table, or of its members, names its users"),
    ("features/leagues", "tournaments", "a list of leagues names the tournaments of each"),
    (
        "features/leagues",
        "predictions",
        "those whose predictions were settled are reckoned a stretch at a time",
    ),
    (
        "features/leagues",
        "chat_rooms",
        "leagues whose room is no more are found without a list of rooms",
    ),
    (
        "features/leagues",
        "boards",
        "a league of ten thousand is reckoned from its tournaments' weeks at once",
    ),
    (
        "features/leagues",
        "standings",
        "a league of ten thousand is reckoned from its tournaments' weeks at once",
    ),
    (
        "features/leagues",
        "questions",
        "special tips are added to the tables of leagues a stretch at a time",
    ),
    (
        "features/leagues",
        "question_tips",
        "special tips are added to the tables of leagues a stretch at a time",
    ),
    ("features/questions", "users", "a page of what everybody answered names its users"),
    ("features/questions", "tournaments", "a list of questions names the tournament of each"),
    (
        "features/push",
        "events",
        "matches that come near and are not planned yet are found by one comparison",
    ),
    (
        "features/push",
        "predictions",
        "who is to be reminded, or told what a result earned, is found a stretch of users at a time",
    ),
    (
        "features/push",
        "favourite_teams",
        "who is to be told of a match is found a stretch of users at a time",
    ),
    (
        "features/push",
        "leagues",
        "who is to be told of a match is found a stretch of users at a time",
    ),
    (
        "features/push",
        "league_members",
        "who is to be told of a match is found a stretch of users at a time",
    ),
    (
        "features/push",
        "league_tournaments",
        "who is to be told of a match is found a stretch of users at a time",
    ),
    (
        "features/settlement",
        "events",
        "results that are not settled are found by one comparison of the last days' matches",
    ),
    (
        "features/feeds",
        "teams",
        "the list of what providers' ids stand for names the team of each, in the order of names",
    ),
    (
        "features/feeds",
        "events",
        "a team's matches are let go with the team in one statement, whatever their number",
    ),
    (
        "features/room_figures",
        "chat_room_users",
        "figures of a room are counted without a list of its members",
    ),
    (
        "features/room_figures",
        "favourite_teams",
        "members are counted by team in one query, whatever the size of the room",
    ),
    (
        "features/room_figures",
        "teams",
        "the teams that members are counted by are shown by their slugs",
    ),
    (
        "features/room_figures",
        "predictions",
        "members' predictions are counted in one query, whatever the size of the room",
    ),
];

/// The layer that runs SQL has none of its own but what it keeps its books with.
const DATABASE_LAYER: &str = "platform/db/";
/// What that layer itself counts and notes, for reads from replicas.
const TABLES_OF_THE_LAYER: [&str; 2] = ["replica_beats", "user_positions"];

fn tables() -> BTreeSet<String> {
    let mut tables = BTreeSet::new();
    for file in files_below(&root().join("migrations"), ".sql") {
        let text = fs::read_to_string(file).unwrap();
        for word in ["CREATE TABLE ", "CREATE VIEW "] {
            for after in text.split(word).skip(1) {
                tables.insert(first_word(after));
            }
        }
        for after in text.split("DROP TABLE ").skip(1) {
            tables.remove(&first_word(after));
        }
    }
    assert!(tables.len() > 50, "only {} tables were found", tables.len());
    tables
}

fn first_word(text: &str) -> String {
    text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// `features/chat` for everything in that folder, `platform/cache` for that file.
fn folder_of(path: &str) -> String {
    let parts: Vec<&str> = path.trim_end_matches(".rs").split('/').take(2).collect();
    parts.join("/")
}

/// Which tables each folder names behind one of these words of SQL.
fn named_behind(words: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let tables = tables();
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources() {
        if source.path.starts_with(DATABASE_LAYER) || !source.path.ends_with("store.rs") {
            continue;
        }
        for word in words {
            for after in source.code.split(word).skip(1) {
                let table = first_word(after);
                if tables.contains(&table) {
                    found.entry(folder_of(&source.path)).or_default().insert(table);
                }
            }
        }
    }
    found
}

fn writers() -> BTreeMap<String, BTreeSet<String>> {
    let mut writers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (folder, tables) in named_behind(&["INSERT INTO ", "UPDATE ", "DELETE FROM "]) {
        for table in tables {
            writers.entry(table).or_default().insert(folder.clone());
        }
    }
    writers
}

/// Views are nobody's to write: whoever owns the first table of one owns it.
fn views() -> BTreeMap<String, String> {
    let mut views = BTreeMap::new();
    for file in files_below(&root().join("migrations"), ".sql") {
        let text = fs::read_to_string(file).unwrap();
        for after in text.split("CREATE VIEW ").skip(1) {
            let table =
                after.split(" FROM ").nth(1).or_else(|| after.split("FROM ").nth(1)).unwrap();
            views.insert(first_word(after), first_word(table));
        }
    }
    views
}

/// Tables that the migrations fill and nobody changes afterwards.
fn fixed() -> BTreeSet<String> {
    let mut filled = BTreeSet::new();
    for file in files_below(&root().join("migrations"), ".sql") {
        let text = fs::read_to_string(file).unwrap();
        filled.extend(text.split("INSERT INTO ").skip(1).map(first_word));
    }
    let writers = writers();
    filled.retain(|table| !writers.contains_key(table));
    filled
}

#[test]
fn sql_is_in_stores_alone() {
    for source in sources() {
        if source.path.starts_with(DATABASE_LAYER) || source.path.ends_with("store.rs") {
            continue;
        }
        let code: String = source
            .code
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .collect::<Vec<_>>()
            .join("\n");
        for sql in ["\"SELECT ", "\"INSERT ", "\"UPDATE ", "\"DELETE ", "tx.exec(", "tx.each("] {
            assert!(!code.contains(sql), "{} has SQL: {sql}", source.path);
        }
    }
}

#[test]
fn a_handler_calls_no_store() {
    for source in sources().iter().filter(|source| source.path.ends_with("routes.rs")) {
        let names_store = source.code.contains("store::") || source.code.contains("_store");
        assert!(!names_store, "{} calls a store", source.path);
    }
}

#[test]
fn a_table_is_written_by_one_folder() {
    let writers = writers();
    for (table, folders) in &writers {
        assert_eq!(folders.len(), 1, "{table} is written by {folders:?}");
    }
    let (views, fixed) = (views(), fixed());
    for table in tables() {
        let is_constant = views.contains_key(&table) || fixed.contains(&table);
        let is_the_layers = TABLES_OF_THE_LAYER.contains(&table.as_str());
        assert!(
            is_constant || is_the_layers || writers.contains_key(&table),
            "nobody writes {table}"
        );
    }
}

#[test]
fn what_a_module_says_it_owns_is_what_it_writes() {
    let mut owned: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (table, folders) in writers() {
        for folder in folders {
            owned.entry(folder).or_default().insert(table.clone());
        }
    }
    let tables = tables();
    let constant: BTreeSet<String> = fixed().into_iter().chain(views().into_keys()).collect();
    for source in sources().iter().filter(|source| source.path.ends_with("/mod.rs")) {
        if source.path.matches('/').count() != 2 {
            continue;
        }
        let folder = folder_of(&source.path);
        let after = source.code.split("//! Owns:").nth(1).unwrap_or_default();
        let says = after.split("//! Invariants:").next().unwrap_or_default();
        let words: Vec<&str> = says.split('`').skip(1).step_by(2).collect();
        // `chat_*` stands for all tables that begin so.
        let is_said = |table: &&String| {
            words.iter().any(|word| match word.strip_suffix('*') {
                Some(beginning) => table.starts_with(beginning),
                None => word == table,
            })
        };
        let said: BTreeSet<String> = tables
            .iter()
            .filter(is_said)
            .filter(|table| !constant.contains(*table))
            .cloned()
            .collect();
        assert_eq!(said, owned.remove(&folder).unwrap_or_default(), "{folder}: its Owns line");
    }
    assert!(owned.is_empty(), "these folders do not say what they own: {owned:?}");
}

#[test]
fn reads_of_others_tables_are_listed_with_their_reason() {
    let writers = writers();
    let views = views();
    let owner_of = |table: &String| {
        let table = views.get(table).unwrap_or(table);
        writers.get(table).and_then(|folders| folders.first()).cloned()
    };
    let mut found = BTreeSet::new();
    for (folder, tables) in named_behind(&["FROM ", "JOIN "]) {
        for table in tables {
            if owner_of(&table).is_some_and(|owner| owner != folder) {
                found.insert((folder.clone(), table));
            }
        }
    }
    let listed: BTreeSet<(String, String)> = READS_ACROSS
        .iter()
        .map(|(folder, table, reason)| {
            assert!(reason.len() > 20, "{folder} reads {table}: why?");
            ((*folder).to_owned(), (*table).to_owned())
        })
        .collect();
    let missing: Vec<_> = found.difference(&listed).collect();
    assert!(missing.is_empty(), "not listed: {missing:#?}");
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(gone.is_empty(), "listed and not there: {gone:#?}");
}
