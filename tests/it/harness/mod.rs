//! What tests stand on: the real service on a fresh database with a clock that tests set.

mod chat;
mod client;
#[path = "../../../src/platform/db/tests/cluster.rs"]
#[allow(dead_code, reason = "the database layer's own tests use the rest")]
mod cluster;
mod description;
mod log;
mod network;
mod ports;
mod postgres;
mod program;
mod push_service;
mod small_disk;
mod sqlite;
mod synapse;

use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use touchline::app::{self, App};
use touchline::platform::clock::{Clock, Timestamp};
use touchline::platform::db::Engine;

pub use chat::{Chatter, escape, eventually};
pub use client::{Call, Client, Reply, plain_client};
pub use cluster::{Cluster, no_postgres};
pub use log::line_with;
pub use network::{Network, Switch};
pub use ports::{free_address, free_port};
pub use program::{Program, wait_for_metric};
pub use push_service::{Delivery, PushService};
pub use small_disk::SmallDisk;
pub use synapse::{Synapse, python as synapse_python};

/// When every test begins, unless it says otherwise.
pub const NOW: &str = "2026-11-15T12:00:00.000Z";
pub const OPERATOR_TOKEN: &str = "operator-token-for-tests";

pub struct TestApp {
    pub app: App,
    pub clock: Clock,
    pub client: Client,
    /// The homeserver, where it is not the embedded one.
    pub synapse: Option<Synapse>,
    _folder: TempDir,
}

/// Somebody who has logged in.
pub struct Fan {
    pub id: i64,
    pub phone: String,
    pub username: String,
    pub token: String,
}

impl TestApp {
    pub async fn new() -> Self {
        Self::with(&[]).await
    }

    /// With settings given as their environment variables.
    pub async fn with(settings: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database_url = postgres::prepared_database().await.unwrap_or_default();
        if database_url.is_empty() {
            sqlite::place_database(folder.path()).await;
        }
        Self::open(folder, &database_url, settings).await
    }

    /// Beside a [`Program`] with the same folder and database: to prepare what it finds and to look at what it did.
    pub async fn beside(folder: &TempDir, database_url: &str) -> Self {
        let url = match database_url {
            "" => format!("sqlite:{}", folder.path().join("touchline.db").display()),
            url => url.to_owned(),
        };
        Self::open(tempfile::tempdir().unwrap(), &url, &[]).await
    }

    /// Another node on the same database, which has nothing in memory yet.
    pub async fn another_node(&self) -> Self {
        let url = self.app.config.database_url();
        let node = Self::open(tempfile::tempdir().unwrap(), &url, &[]).await;
        node.clock.set(self.clock.now());
        node
    }

    async fn open(folder: TempDir, database_url: &str, settings: &[(&str, &str)]) -> Self {
        // A busy machine takes its time to make a chat account; tests of this limit set it themselves.
        let mut all = vec![("TOUCHLINE_MATRIX__LOGIN_TIMEOUT_MS", "9000")];
        all.extend_from_slice(settings);
        let variables = variables(&folder, database_url, &all);
        let mut config = app::load_config(None, variables.into_iter()).unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        // The embedded homeserver and the service call each other at this address.
        config.listen = listener.local_addr().unwrap();
        let synapse = match synapse_python().filter(|_| config.matrix.homeserver_url.is_empty()) {
            Some(python) => Some(Synapse::start(python, &mut config).await),
            None => None,
        };
        let clock = Clock::manual(Timestamp::parse(NOW).unwrap());
        log::start();
        touchline::platform::outbound::install_tls();
        let app = App::open(config, clock.clone()).await.unwrap();
        let client = Client::new(&format!("http://{}", listener.local_addr().unwrap()));
        let serving = app.clone();
        tokio::spawn(async move { serving.serve(listener).await });
        Self { app, clock, client, synapse, _folder: folder }
    }

    /// Runs everything that is due by the test's clock. No job may fail, and none may be left over in somebody's hands.
    pub async fn run_jobs(&self) -> usize {
        let count = self.run_failing_jobs().await;
        let left = "SELECT kind || ': ' || COALESCE(last_error, 'never finished') FROM jobs
                    WHERE last_error IS NOT NULL OR lease IS NOT NULL";
        assert_eq!(self.texts(left).await, Vec::<String>::new());
        count
    }

    /// The same, where the test wants some to fail.
    pub async fn run_failing_jobs(&self) -> usize {
        self.app.jobs.run_due().await.unwrap()
    }

    pub fn advance(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    pub fn set_time(&self, text: &str) {
        self.clock.set(Timestamp::parse(text).unwrap());
    }

    /// The newest code sent to a phone, as the SMS log shows it.
    pub async fn last_code(&self, phone: &str) -> String {
        let query = format!("/api/logs/sms?phone={}", phone.replace('+', "%2B"));
        let log = self.client.get(&query).send().await;
        log.body["data"][0]["code"].as_str().unwrap().to_owned()
    }

    pub async fn request_code(&self, phone: &str) -> String {
        let sent = self.client.post("/api/code/request").json(json!({"phone": phone})).send().await;
        assert_eq!(sent.status, 200, "{}", sent.body);
        self.last_code(phone).await
    }

    pub async fn log_in(&self, phone: &str) -> Fan {
        let code = self.request_code(phone).await;
        let body = json!({"phone": phone, "code": code});
        let reply = self.client.post("/api/code/verify").json(body).send().await;
        assert_eq!(reply.status, 200, "{}", reply.body);
        Fan::of(&reply.body["data"])
    }

    /// The token of an operator with this role, and its id.
    pub async fn operator(&self, name: &str, role: &str) -> (i64, String) {
        let call = self.client.post("/api/admin/operators").token(OPERATOR_TOKEN);
        let made = call.json(json!({"name": name, "role": role})).send().await.expect(201);
        let data = &made.body["data"];
        (data["id"].as_i64().unwrap(), data["token"].as_str().unwrap().to_owned())
    }

    /// A different phone for each number.
    pub fn phone(number: u32) -> String {
        format!("+4477{number:08}")
    }
}

impl Fan {
    pub fn of(data: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Self {
            id: data["user"]["id"].as_i64().unwrap(),
            phone: text(&data["user"]["phone"]),
            username: text(&data["user"]["username"]),
            token: text(&data["token"]),
        }
    }
}

/// The settings of a test as environment variables; later ones win.
pub fn variables(
    folder: &TempDir,
    database_url: &str,
    settings: &[(&str, &str)],
) -> Vec<(String, String)> {
    let data_dir = folder.path().to_str().unwrap();
    let defaults = [
        ("TOUCHLINE_ENVIRONMENT", "testing"),
        ("TOUCHLINE_DATA_DIR", data_dir),
        ("TOUCHLINE_DATABASE_URL", database_url),
        ("TOUCHLINE_LISTEN", "127.0.0.1:0"),
        ("TOUCHLINE_METRICS_LISTEN", ""),
        ("TOUCHLINE_OPERATOR_TOKEN", OPERATOR_TOKEN),
        // The same for all who share a database.
        ("TOUCHLINE_SECRET_KEY", "the-same-key-on-every-node-of-a-test"),
        ("TOUCHLINE_DATABASE__POSTGRES_CONNECTIONS", "4"),
    ];
    let pairs = defaults.iter().chain(settings);
    pairs.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// A fresh PostgreSQL database, or nothing (which means SQLite) when no server is named.
pub async fn fresh_database_url() -> String {
    postgres::fresh_database().await.unwrap_or_default()
}

impl TestApp {
    /// A number that the database holds, for what no endpoint shows.
    pub async fn count(&self, sql: &'static str) -> i64 {
        self.app.db.read(move |tx| tx.one(sql, touchline::platform::db::params![])).await.unwrap()
    }

    pub async fn texts(&self, sql: &str) -> Vec<String> {
        let sql: &'static str = Box::leak(sql.to_owned().into_boxed_str());
        self.app.db.read(move |tx| tx.all(sql, touchline::platform::db::params![])).await.unwrap()
    }

    /// Everything the database holds, as text: what somebody who steals it can read.
    pub async fn dump(&self) -> String {
        let (tables, columns) = match self.app.db.engine() {
            Engine::Sqlite => (
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
                "SELECT name FROM pragma_table_info('{}')",
            ),
            Engine::Postgres => (
                "SELECT CAST(table_name AS TEXT) FROM information_schema.tables WHERE table_schema = 'public'",
                "SELECT CASE data_type WHEN 'bytea' THEN 'encode(' || column_name || ', ''escape'')' ELSE column_name END
                 FROM information_schema.columns WHERE table_name = '{}'",
            ),
        };
        let mut dump = String::new();
        for table in self.texts(tables).await {
            for column in self.texts(&columns.replace("{}", &table)).await {
                let values = format!("SELECT COALESCE(CAST({column} AS TEXT), '') FROM {table}");
                let values = match self.app.db.engine() {
                    Engine::Sqlite => {
                        values.replace("CAST(", "hex(CAST(").replace(" AS TEXT)", " AS BLOB))")
                    }
                    Engine::Postgres => values,
                };
                let bytes = self.texts(&values).await;
                let shown = |text: String| match self.app.db.engine() {
                    Engine::Sqlite => unhex(&text),
                    Engine::Postgres => text,
                };
                for value in bytes {
                    dump += &format!("{table}.{column}: {}\n", shown(value));
                }
            }
        }
        dump
    }
}

/// Bytes written as hex digits, read as text as far as they are any.
fn unhex(digits: &str) -> String {
    let bytes: Vec<u8> = digits
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Runs many calls at once and gives all their answers.
pub async fn together<T, F: Future<Output = T>>(count: usize, call: impl Fn(usize) -> F) -> Vec<T> {
    futures_util::future::join_all((0..count).map(call)).await
}
