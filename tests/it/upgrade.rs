//! Upgrades: a database that an earlier release made and filled (see `tests/fixtures/README.md`) is opened by this one.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;
use touchline::platform::{keys, tokens};

use crate::harness::{Fan, OPERATOR_TOKEN, TestApp, fresh_database_url};
use crate::settlement::assert_adds_up;

/// Who has some of everything in every fixture.
const ANA: &str = "+447700900101";
/// When the fixtures' matches have been played, and nothing in them has been forgotten for its age.
const NEXT_DAY: &str = "2026-11-16T12:00:00Z";

/// A database as an earlier release left it, which this one has not opened yet.
struct Old {
    version: String,
    folder: TempDir,
    /// Empty on SQLite.
    url: String,
}

impl Old {
    /// Those from before this migration.
    async fn before(version: &str) -> Vec<Self> {
        let mut all = Self::all().await;
        all.retain(|old| old.version.as_str() < version);
        assert!(!all.is_empty(), "no fixture before {version}");
        all
    }

    /// One for each fixture of the engine under test.
    async fn all() -> Vec<Self> {
        let is_postgres = std::env::var_os("TOUCHLINE_TEST_DATABASE_URL").is_some();
        let engine = if is_postgres { "postgres" } else { "sqlite" };
        let mut all = Vec::new();
        for (name, sql) in files("tests/fixtures") {
            let version = name.strip_prefix("schema-").and_then(|name| name.split_once('.'));
            if let Some((version, rest)) = version
                && rest == format!("{engine}.sql")
            {
                all.push(Self::load(version, &sql).await);
            }
        }
        assert!(!all.is_empty(), "no fixture for {engine}");
        all
    }

    async fn load(version: &str, sql: &str) -> Self {
        let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
        let old = Self { version: version.to_owned(), folder, url };
        if old.url.is_empty() {
            old.sqlite().execute_batch(sql).unwrap();
        } else {
            old.on_postgres(sql).await;
        }
        old
    }

    fn sqlite(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.folder.path().join("touchline.db")).unwrap()
    }

    /// The first column of every row.
    async fn on_postgres(&self, sql: &str) -> Vec<String> {
        let connected = tokio_postgres::connect(&self.url, tokio_postgres::NoTls).await;
        let (client, connection) = connected.unwrap();
        let connection = tokio::spawn(connection);
        let messages = client.simple_query(sql).await.unwrap();
        drop(client);
        connection.await.unwrap().unwrap();
        let first = |message: &tokio_postgres::SimpleQueryMessage| match message {
            tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        };
        messages.iter().filter_map(first).collect()
    }

    async fn texts(&self, sql: &str) -> Vec<String> {
        if !self.url.is_empty() {
            return self.on_postgres(sql).await;
        }
        let connection = self.sqlite();
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    }

    async fn open(&self) -> TestApp {
        let app = TestApp::beside(&self.folder, &self.url).await;
        app.set_time(NEXT_DAY);
        app
    }
}

/// The names and texts of a folder's files, in order.
fn files(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: std::path::PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    let mut files: Vec<_> = entries.map(read).collect();
    files.sort();
    files
}

/// The tables that there are after the migrations up to this one.
fn tables(version: &str) -> BTreeSet<String> {
    let mut tables = BTreeSet::from(["schema_migrations".to_owned()]);
    let files = files("migrations");
    let released = files.iter().filter(|(name, _)| &name[..4] <= version);
    for line in released.flat_map(|(_, sql)| sql.lines()) {
        let words: Vec<&str> = line.trim_end_matches(';').split_whitespace().collect();
        match words[..] {
            ["CREATE", "TABLE", name, ..] => {
                tables.insert(name.to_owned());
            }
            ["DROP", "TABLE", name] => {
                tables.remove(name);
            }
            ["ALTER", "TABLE", from, "RENAME", "TO", to] => {
                tables.remove(from);
                tables.insert(to.to_owned());
            }
            _ => {}
        }
    }
    tables
}

/// Everything the schema consists of, as the engine itself tells it.
async fn schema(app: &TestApp, is_postgres: bool) -> BTreeSet<String> {
    let sql = if is_postgres {
        "SELECT 'column ' || concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default,
                                       collation_name, is_identity)
         FROM information_schema.columns WHERE table_schema = 'public'
         UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
         UNION ALL SELECT concat_ws(' ', CAST(conrelid AS regclass), conname, pg_get_constraintdef(oid))
         FROM pg_constraint WHERE connamespace = CAST('public' AS regnamespace)
         UNION ALL SELECT viewname || definition FROM pg_views WHERE schemaname = 'public'
         UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = CAST('public' AS regnamespace)"
    } else {
        "SELECT concat_ws(' ', type, name, tbl_name, sql) FROM sqlite_schema"
    };
    // A dump that was read again groups conditions otherwise, and means the same.
    let without_groups = |part: String| part.replace(['(', ')'], "");
    app.texts(sql).await.into_iter().map(without_groups).collect()
}

async fn get(app: &TestApp, fan: &Fan, path: &str) -> Value {
    app.client.get(path).token(&fan.token).send().await.expect(200).body["data"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_table_of_an_old_database_has_data() {
    for old in Old::all().await {
        let look =
            |table: &String| format!("SELECT '{table}' WHERE NOT EXISTS (SELECT 1 FROM {table})");
        let looks: Vec<String> = tables(&old.version).iter().map(look).collect();
        assert!(looks.len() > 50, "{looks:?}");
        let empty = old.texts(&looks.join(" UNION ALL ")).await;
        assert!(empty.is_empty(), "empty in schema-{}: {empty:?}", old.version);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upgraded_database_has_the_schema_of_a_new_one() {
    for old in Old::all().await {
        let is_postgres = !old.url.is_empty();
        let upgraded = schema(&old.open().await, is_postgres).await;
        let new = schema(&TestApp::new().await, is_postgres).await;
        assert!(new.len() > 100, "{new:?}");
        let different: Vec<_> = upgraded.symmetric_difference(&new).collect();
        assert!(different.is_empty(), "schema-{}: {different:#?}", old.version);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_finds_everything_again_after_an_upgrade() {
    for old in Old::all().await {
        let app = old.open().await;
        let ana = app.log_in(ANA).await;
        let me = get(&app, &ana, "/api/auth/me").await;
        let known = [&me["username"], &me["name"], &me["email"], &me["date_of_birth"]];
        assert_eq!(known, ["ana_banks", "Ana Banks", "ana@example.org", "1990-05-17"], "{me}");
        let coins = get(&app, &ana, "/api/auth/coins").await;
        assert_eq!(coins["balance"], 545, "{coins}");
        let predictions = get(&app, &ana, "/api/auth/predictions").await;
        let points = |one: &Value| (one["event_id"].clone(), one["points_earned"].clone());
        let points: Vec<_> = predictions.as_array().unwrap().iter().map(points).collect();
        let expected = [
            (json!(7), json!(null)),
            (json!(6), json!(null)),
            (json!(4), json!(null)),
            (json!(3), json!(3)),
            (json!(2), json!(6)),
            (json!(1), json!(6)),
        ];
        assert_eq!(points, expected);
        let first = &get(&app, &ana, "/api/auth/leaderboard").await[0];
        assert_eq!((&first["user"]["id"], &first["points"]), (&json!(ana.id), &json!(15)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn places_that_an_earlier_release_left_behind_are_gone_after_the_upgrade() {
    for old in Old::before("0014").await {
        let spoil = "UPDATE standing_counts SET users = users + 1;
                     INSERT INTO standing_counts (board_id, points, users) SELECT id, 4321, 7 FROM boards";
        if old.url.is_empty() {
            old.sqlite().execute_batch(spoil).unwrap();
        } else {
            old.on_postgres(spoil).await;
        }
        assert_adds_up(&old.open().await).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_new_is_added_beside_what_was_there_before_the_upgrade() {
    for old in Old::all().await {
        let app = old.open().await;
        let newest = app.count("SELECT max(id) FROM users").await;
        let fan = app.log_in(&TestApp::phone(1)).await;
        assert_eq!(fan.id, newest + 1);
        let path = "/api/auth/predictions";
        let body = json!({"event_id": 7, "prediction": "away"});
        let made = app.client.post(path).token(&fan.token).json(body).send().await.expect(201);
        let predictions = app.count("SELECT max(id) FROM predictions").await;
        assert_eq!(made.body["data"]["id"], predictions);
        let event = get(&app, &fan, "/api/auth/events/7").await;
        assert_eq!(event["predictions_count"], 3, "{event}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_was_closed_before_the_upgrade_is_not_given_to_anybody() {
    for old in Old::before("0013").await {
        let hash = keys::hex(&tokens::hash("gone_for_good"));
        let insert = "INSERT INTO chat_closed_names (name_hash) VALUES";
        if old.url.is_empty() {
            old.sqlite().execute_batch(&format!("{insert} (X'{hash}')")).unwrap();
        } else {
            old.on_postgres(&format!("{insert} ('\\x{hash}')")).await;
        }
        let app = old.open().await;
        let body = json!({"username": "gone_for_good"});
        let reply = app.client.post("/api/auth/username/check").json(body).send().await.expect(200);
        assert_eq!(reply.body["available"], false, "schema-{}", old.version);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn work_goes_on_after_an_upgrade() {
    for old in Old::all().await {
        let app = old.open().await;
        // The fixture comes without its homeserver, so its rooms are not on the one that is here.
        let rebuild = app.client.post("/api/admin/chat/rebuild").token(OPERATOR_TOKEN);
        rebuild.send().await.expect(200);
        for _ in 0..3 {
            app.run_failing_jobs().await;
            app.advance(600);
        }
        // Nobody listens any more where the fixture's deliveries go.
        let failed = "SELECT DISTINCT kind FROM jobs WHERE last_error IS NOT NULL";
        assert_eq!(app.texts(failed).await, ["webhook_deliver"]);
        assert_eq!(app.count("SELECT count(*) FROM jobs WHERE state = 'dead'").await, 0);
        let frozen = "SELECT count(*) FROM coin_accounts WHERE frozen_at IS NOT NULL";
        assert_eq!(app.count(frozen).await, 0);
        assert_adds_up(&app).await;
        let ana = app.log_in(ANA).await;
        let prediction = get(&app, &ana, "/api/auth/predictions/1").await;
        assert_eq!(prediction["explanation"]["settlement"], "final", "{prediction}");
    }
}
