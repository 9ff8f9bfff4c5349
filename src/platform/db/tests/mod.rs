//! Tests of the layer. Those that are not about one engine run on SQLite and, if
//! `TOUCHLINE_TEST_DATABASE_URL` names a PostgreSQL superuser, on PostgreSQL too.

mod batches;
mod behaviour;
mod cluster;
mod hosts;
mod lookups;
mod migrations;
mod model;
// By this name, so that a command can choose what needs a server.
#[path = "postgres.rs"]
mod needs_postgres;
mod plans;
mod poolers;
mod replicas;
mod shared;
mod sqlite;
mod streams;
mod unwanted;

use std::time::Duration;

use super::{Db, Tx, params};
use crate::platform::clock::{Clock, Timestamp, random_below};
use crate::platform::config::{Config, DatabaseConfig};
use crate::platform::error::{DatabaseError, Error, Result};

pub(super) const START: Timestamp = Timestamp::from_millis(1_700_000_000_000);

/// A database of one test; gone when it is dropped.
pub(super) struct Scratch {
    pub(super) db: Db,
    pub(super) url: String,
    config: DatabaseConfig,
    _place: Place,
}

impl Scratch {
    async fn open(url: String, config: DatabaseConfig, place: Place) -> Self {
        let db = open(&url, &config).await.unwrap();
        Self { db, url, config, _place: place }
    }

    /// The same database, opened once more: another node, or this one after its end.
    pub(super) async fn open_again(&self) -> Db {
        open(&self.url, &self.config).await.unwrap()
    }
}

pub(super) async fn open(url: &str, config: &DatabaseConfig) -> Result<Db> {
    Db::open(url, config, Clock::manual(START)).await
}

pub(super) fn defaults() -> DatabaseConfig {
    Config::defaults().unwrap().database
}

#[allow(dead_code, reason = "held for their Drop")]
enum Place {
    Folder(tempfile::TempDir),
    Server(ScratchDatabase),
}

impl std::ops::Deref for Scratch {
    type Target = Db;
    fn deref(&self) -> &Db {
        &self.db
    }
}

pub(super) async fn sqlite_with(change: impl FnOnce(&mut DatabaseConfig)) -> Scratch {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("test.db").display());
    let mut config = defaults();
    change(&mut config);
    Scratch::open(url, config, Place::Folder(folder)).await
}

pub(super) async fn postgres_with(change: impl FnOnce(&mut DatabaseConfig)) -> Option<Scratch> {
    let database = ScratchDatabase::create().await?;
    let mut config = DatabaseConfig { postgres_connections: 4, ..defaults() };
    change(&mut config);
    Some(Scratch::open(database.url.clone(), config, Place::Server(database)).await)
}

/// An empty database on each engine there is.
pub(super) async fn engines() -> Vec<Scratch> {
    let mut all = vec![sqlite_with(|_| {}).await];
    all.extend(postgres_with(|_| {}).await);
    all
}

struct ScratchDatabase {
    admin_url: String,
    name: String,
    url: String,
}

impl ScratchDatabase {
    async fn create() -> Option<Self> {
        let admin_url = std::env::var("TOUCHLINE_TEST_DATABASE_URL").ok()?;
        let name = format!("touchline_test_{:x}", random_below(u64::MAX));
        admin(&admin_url, &format!("CREATE DATABASE {name}")).await;
        let (place, options) = admin_url.split_once('?').unwrap_or((&admin_url, ""));
        let server = place.rsplit_once('/').unwrap().0;
        let url = format!("{server}/{name}?{options}");
        Some(Self { admin_url, name, url })
    }
}

impl Drop for ScratchDatabase {
    fn drop(&mut self) {
        let (url, sql) =
            (self.admin_url.clone(), format!("DROP DATABASE {} WITH (FORCE)", self.name));
        let dropping = std::thread::spawn(move || {
            super::postgres::new_runtime().unwrap().block_on(admin(&url, &sql));
        });
        dropping.join().unwrap();
    }
}

async fn admin(url: &str, sql: &str) {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    let driving = tokio::spawn(connection);
    client.batch_execute(sql).await.unwrap();
    drop(client);
    driving.await.unwrap().unwrap();
}

/// A table most tests use; `name` is unique.
pub(super) async fn with_items(db: &Db) {
    db.write(|tx| {
        let sql = super::migrations::in_dialect(
            "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, amount INTEGER NOT NULL) STRICT",
            tx.engine(),
        );
        Ok(tx.batch(&sql)?)
    })
    .await
    .unwrap();
}

pub(super) fn insert(tx: &mut Tx, name: &str, amount: i64) -> Result<i64> {
    tx.one("INSERT INTO items (name, amount) VALUES ($1, $2) RETURNING id", params![name, amount])
}

pub(super) async fn names(db: &Db) -> Vec<String> {
    db.read(|tx| tx.all("SELECT name FROM items ORDER BY name", &[])).await.unwrap()
}

/// The layer's error inside a script's.
pub(super) fn cause<T: std::fmt::Debug>(result: Result<T>) -> DatabaseError {
    match result {
        Err(Error::Database(error)) => error,
        other => panic!("not a database error: {other:?}"),
    }
}

pub(super) fn present(constraint: &str) -> DatabaseError {
    DatabaseError::Unique { constraint: constraint.to_owned() }
}

pub(super) async fn soon<F: Future<Output = bool>>(what: &str, mut check: impl FnMut() -> F) {
    for _ in 0..500 {
        if check().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("not within five seconds: {what}");
}
