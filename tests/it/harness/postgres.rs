//! A database of its own for each test, on the server that `TOUCHLINE_TEST_DATABASE_URL` names.

use touchline::platform::{clock, tokens};

pub async fn fresh_database() -> Option<String> {
    let server = std::env::var("TOUCHLINE_TEST_DATABASE_URL").ok()?;
    let name = format!("t_{}", tokens::base62(&clock::random_bytes::<12>()).to_lowercase());
    let (client, connection) =
        tokio_postgres::connect(&server, tokio_postgres::NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    client.batch_execute(&format!("CREATE DATABASE {name}")).await.unwrap();
    drop(client);
    connection.await.unwrap().unwrap();
    let (before, _) = server.rsplit_once('/').unwrap();
    Some(format!("{before}/{name}"))
}
