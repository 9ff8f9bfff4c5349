//! A server that may be at several hosts, one of which takes writes, and what its standbys have to have.

use tokio::net::TcpListener;

use super::cluster::{Cluster, no_postgres};
use super::*;

fn one_connection() -> DatabaseConfig {
    DatabaseConfig { postgres_connections: 1, ..defaults() }
}

/// The same database with another host before the one that it is at.
fn after_host(first: u16, url: &str) -> String {
    let (user, place) = url.split_once('@').unwrap();
    format!("{user}@127.0.0.1:{first},{place}")
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_host_that_takes_connections_and_says_nothing_holds_nobody_up() {
    let Some(server) = postgres_with(|_| {}).await else { no_postgres() };
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = silent.local_addr().unwrap().port();
    // Kept open, and never read.
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((connection, _)) = silent.accept().await {
            held.push(connection);
        }
    });
    let began = std::time::Instant::now();
    let db = open(&after_host(port, &server.url), &one_connection()).await.unwrap();
    with_items(&db).await;
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn of_several_hosts_it_is_the_one_that_takes_writes_also_when_that_is_another_one() {
    let Some(first) = Cluster::start() else { no_postgres() };
    let Some(second) = Cluster::start() else { no_postgres() };
    first.demote();
    let db = open(&after_host(first.port(), &second.url()), &one_connection()).await.unwrap();
    let port = || db.read(|tx| tx.one::<i64>("SELECT CAST(inet_server_port() AS BIGINT)", &[]));
    assert_eq!(port().await.unwrap(), i64::from(second.port()));
    second.demote();
    first.promote();
    soon("the other one is found", || async { port().await.ok() == Some(first.port().into()) })
        .await;
    db.ping().await.unwrap();
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_commit_whose_wait_for_a_standby_is_cancelled_is_not_acknowledged() {
    let Some(cluster) = Cluster::start() else { no_postgres() };
    let db = open(&cluster.url(), &one_connection()).await.unwrap();
    with_items(&db).await;
    let operator = open(&cluster.url(), &one_connection()).await.unwrap();
    waits_for(&cluster, "nobody").await;
    let writing = db.write(|tx| insert(tx, "a", 1));
    let cancelling = soon("the commit waits and is cancelled", || async {
        let cancel =
            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
        !operator.read(|tx| tx.all::<bool>(cancel, &[])).await.unwrap().is_empty()
    });
    let (written, ()) = tokio::join!(writing, cancelling);
    let error = cause(written);
    assert!(matches!(error, DatabaseError::CommitFailed(_)), "{error:?}");
    waits_for(&cluster, "").await;
    db.write(|tx| insert(tx, "b", 1)).await.unwrap();
}

/// Has the server's commits wait for a standby of this name, if any.
async fn waits_for(cluster: &Cluster, standby: &str) {
    let url = cluster.url();
    admin(&url, &format!("ALTER SYSTEM SET synchronous_standby_names = '{standby}'")).await;
    admin(&url, "SELECT pg_reload_conf()").await;
    let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    soon("the setting is known", || async {
        let row = client.query_one("SHOW synchronous_standby_names", &[]).await.unwrap();
        row.get::<_, String>(0) == standby
    })
    .await;
}
