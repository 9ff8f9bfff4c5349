//! A database of its own for each test, on the server that `TOUCHLINE_TEST_DATABASE_URL` names.

use tokio::sync::OnceCell;
use touchline::platform::clock::Clock;
use touchline::platform::config::Config;
use touchline::platform::db::Db;
use touchline::platform::{clock, tokens};

/// The name of a database with today's schema, of which others are copies: making it anew takes longer than most tests.
static PREPARED: OnceCell<String> = OnceCell::const_new();

/// A database with nothing in it.
pub async fn fresh_database() -> Option<String> {
    let server = std::env::var("TOUCHLINE_TEST_DATABASE_URL").ok()?;
    let name = create(&server, "").await;
    Some(at(&server, &name))
}

/// A database with today's schema.
pub async fn prepared_database() -> Option<String> {
    let server = std::env::var("TOUCHLINE_TEST_DATABASE_URL").ok()?;
    let prepared = PREPARED.get_or_init(|| prepare(&server)).await;
    let name = create(&server, &format!("TEMPLATE {prepared}")).await;
    Some(at(&server, &name))
}

async fn prepare(server: &str) -> String {
    let name = create(server, "").await;
    let config = Config::defaults().unwrap();
    let db = Db::open(&at(server, &name), &config.database, Clock::system()).await.unwrap();
    db.migrate().await.unwrap();
    db.close().await;
    name
}

async fn create(server: &str, how: &str) -> String {
    let name = format!("t_{}", tokens::base62(&clock::random_bytes::<12>()).to_lowercase());
    let (client, connection) =
        tokio_postgres::connect(server, tokio_postgres::NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    client.batch_execute(&format!("CREATE DATABASE {name} {how}")).await.unwrap();
    drop(client);
    connection.await.unwrap().unwrap();
    name
}

fn at(server: &str, name: &str) -> String {
    let (before, _) = server.rsplit_once('/').unwrap();
    format!("{before}/{name}")
}
