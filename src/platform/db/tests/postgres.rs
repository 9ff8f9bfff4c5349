//! What is particular to PostgreSQL: transactions that meet, and a server that goes away.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::super::params;
use super::cluster::{Cluster, no_postgres};
use super::*;
use crate::platform::error::{DatabaseError, StatusHint};

const ADD: &str = "UPDATE items SET amount = amount + 1 WHERE name = $1";

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn scripts_that_lock_each_other_out_are_run_again() {
    let Some(db) = postgres_with(|_| {}).await else { no_postgres() };
    with_items(&db).await;
    db.write(|tx| insert(tx, "a", 0)).await.unwrap();
    db.write(|tx| insert(tx, "b", 0)).await.unwrap();
    let runs = Arc::new(AtomicUsize::new(0));
    let meeting = Arc::new(std::sync::Barrier::new(2));
    let script = |first: &'static str, second: &'static str| {
        let (runs, meeting) = (Arc::clone(&runs), Arc::clone(&meeting));
        db.write(move |tx| {
            tx.exec(ADD, params![first])?;
            if runs.fetch_add(1, Ordering::SeqCst) < 2 {
                meeting.wait();
            }
            tx.exec(ADD, params![second])
        })
    };
    let (one, two) = tokio::join!(script("a", "b"), script("b", "a"));
    one.unwrap();
    two.unwrap();
    // One is run again at least; it may meet the other a second time.
    assert!(runs.load(Ordering::SeqCst) >= 3);
    let amounts: Vec<i64> = db.read(|tx| tx.all("SELECT amount FROM items", &[])).await.unwrap();
    assert_eq!(amounts, [2, 2]);
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_script_that_always_meets_another_is_given_up_as_unavailable() {
    let Some(db) = postgres_with(|_| {}).await else { no_postgres() };
    let runs = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&runs);
    let unlucky = db
        .write(move |tx| {
            counter.fetch_add(1, Ordering::SeqCst);
            // Even a script that swallows the error is run again.
            let sql = "DO $$ BEGIN RAISE EXCEPTION 'met' USING ERRCODE = '40001'; END $$";
            tx.exec(sql, &[]).ok();
            Ok(())
        })
        .await;
    let error = cause(unlucky);
    assert!(matches!(error, DatabaseError::Serialization(_)), "{error:?}");
    assert_eq!(error.status_hint(), StatusHint::Unavailable);
    assert_eq!(runs.load(Ordering::SeqCst), 4);
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn of_two_scripts_that_look_and_then_insert_the_second_finds_what_the_first_did() {
    let Some(db) = postgres_with(|_| {}).await else { no_postgres() };
    with_items(&db).await;
    let runs = Arc::new(AtomicUsize::new(0));
    let meeting = Arc::new(std::sync::Barrier::new(2));
    let script = || {
        let (runs, meeting) = (Arc::clone(&runs), Arc::clone(&meeting));
        db.write(move |tx| {
            let found: Option<i64> = tx.opt("SELECT id FROM items WHERE name = 'a'", &[])?;
            if runs.fetch_add(1, Ordering::SeqCst) < 2 {
                meeting.wait();
            }
            match found {
                Some(_) => Err(not_found!("user")),
                None => insert(tx, "a", 0),
            }
        })
    };
    let (one, two) = tokio::join!(script(), script());
    let refused = if one.is_ok() { two } else { one };
    assert!(matches!(refused, Err(Error::NotFound(_))), "{refused:?}");
    assert_eq!(names(&db).await, ["a"]);
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_connection_cut_inside_a_script_is_lost_and_replaced() {
    let Some(db) = postgres_with(|settings| settings.postgres_connections = 1).await else {
        no_postgres()
    };
    let cut = db.write(|tx| tx.exec("SELECT pg_terminate_backend(pg_backend_pid())", &[])).await;
    assert!(matches!(cause(cut), DatabaseError::Lost(_)));
    db.ping().await.unwrap();
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn connections_cut_while_idle_are_replaced_without_an_error() {
    let Some(db) = postgres_with(|_| {}).await else { no_postgres() };
    let other = db.open_again().await;
    for _ in 0..3 {
        other
            .read(|tx| {
                tx.all::<i64>(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                     WHERE datname = current_database() AND pid <> pg_backend_pid()",
                    &[],
                )
            })
            .await
            .unwrap();
        // The server takes a moment to end them; then both have stale ones, and neither's
        // callers notice.
        tokio::time::sleep(Duration::from_millis(100)).await;
        for _ in 0..8 {
            db.ping().await.unwrap();
        }
        other.ping().await.unwrap();
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_statement_that_takes_too_long_is_busy() {
    let Some(db) = postgres_with(|settings| settings.statement_timeout_ms = 100).await else {
        no_postgres()
    };
    let slow = db.read(|tx| tx.all::<Option<i64>>("SELECT pg_sleep(5)", &[])).await;
    assert!(matches!(cause(slow), DatabaseError::Busy(_)));
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_table_changed_by_another_node_is_noticed_and_the_script_run_again() {
    let Some(db) = postgres_with(|settings| settings.postgres_connections = 1).await else {
        no_postgres()
    };
    with_items(&db).await;
    // Two texts, so that each is prepared before the change.
    let read = || db.read(|tx| tx.all::<i64>("SELECT * FROM items", &[]));
    let look_up = || db.lookup(|tx| tx.all::<i64>("SELECT * FROM items WHERE id > 0", &[]));
    db.write(|tx| insert(tx, "a", 1)).await.unwrap();
    read().await.unwrap();
    look_up().await.unwrap();
    let other = db.open_again().await;
    other.write(|tx| Ok(tx.batch("ALTER TABLE items ADD COLUMN more BIGINT")?)).await.unwrap();
    assert_eq!(look_up().await.unwrap().len(), 1);
    assert_eq!(read().await.unwrap().len(), 1);
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn notices_reach_another_node_and_a_cut_listener_listens_again() {
    let Some(db) = postgres_with(|_| {}).await else { no_postgres() };
    let other = db.open_again().await;
    let mut heard = other.listen("teams");
    assert_eq!(heard.recv().await.unwrap(), super::super::RESTARTED);
    db.write(|tx| tx.notify("teams", "7")).await.unwrap();
    assert_eq!(heard.recv().await.unwrap(), "7");
    db.read(|tx| {
        tx.all::<i64>(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND query LIKE 'LISTEN%'",
            &[],
        )
    })
    .await
    .unwrap();
    assert_eq!(heard.recv().await.unwrap(), super::super::RESTARTED);
    db.write(|tx| tx.notify("teams", "8")).await.unwrap();
    assert_eq!(heard.recv().await.unwrap(), "8");
    other.close().await;
}

/// The isolation of a script's statements, and when the transaction of each began.
fn moments(tx: &mut Tx) -> Result<Vec<(String, String)>> {
    let sql = "SELECT current_setting('transaction_isolation'), CAST(now() AS TEXT)";
    Ok(vec![tx.one(sql, &[])?, tx.one(sql, &[])?])
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_read_is_one_transaction_and_a_lookup_is_none() {
    let Some(db) = postgres_with(|settings| settings.postgres_connections = 1).await else {
        no_postgres()
    };
    // In turns on one connection: the end of a read's transaction travels with what comes next.
    for _ in 0..2 {
        let read = db.read(moments).await.unwrap();
        assert_eq!(read[0], read[1]);
        assert_eq!(read[0].0, "repeatable read");
        let looked_up = db.lookup(moments).await.unwrap();
        assert_ne!(looked_up[0].1, looked_up[1].1, "each statement has its own moment");
        assert_eq!(looked_up[0].0, "read committed");
        db.write(|_| Ok(())).await.unwrap();
    }
}

/// Passes everything on, until a commit is on its way: then cuts the line without an answer.
async fn cut_at_commit(server: String, listener: TcpListener) {
    loop {
        let (mut client, _) = listener.accept().await.unwrap();
        let mut server = TcpStream::connect(&server).await.unwrap();
        tokio::spawn(async move {
            let (mut up, mut down) = (vec![0; 65536], vec![0; 65536]);
            loop {
                tokio::select! {
                    Ok(n) = client.read(&mut up) => {
                        server.write_all(&up[..n]).await.unwrap();
                        if n == 0 || up[..n].windows(7).any(|word| word == b"COMMIT\0") {
                            return;
                        }
                    }
                    Ok(n) = server.read(&mut down) => {
                        if n == 0 || client.write_all(&down[..n]).await.is_err() {
                            return;
                        }
                    }
                }
            }
        });
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_commit_without_an_answer_is_neither_a_success_nor_tried_again() {
    let Some(db) = postgres_with(|_| {}).await else { no_postgres() };
    with_items(&db).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let place = db.url.split_once('@').unwrap().1.split_once('/').unwrap().0.to_owned();
    let proxied = db.url.replace(&place, &listener.local_addr().unwrap().to_string());
    tokio::spawn(cut_at_commit(place, listener));
    let config = DatabaseConfig { postgres_connections: 1, ..defaults() };
    let through_proxy = open(&proxied, &config).await.unwrap();
    let runs = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&runs);
    let unknown = through_proxy
        .write(move |tx| {
            counter.fetch_add(1, Ordering::SeqCst);
            insert(tx, "a", 1)
        })
        .await;
    let error = cause(unknown);
    assert!(matches!(error, DatabaseError::CommitFailed(_)), "{error:?}");
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn tls_is_used_when_asked_for_and_the_certificate_is_checked() {
    let Some(cluster) = Cluster::start() else { no_postgres() };
    let authority = cluster.with_tls().expect("this test needs openssl");
    let at = |host: &str, mode: &str| {
        format!("postgres://postgres@{host}:{}/postgres?sslmode={mode}", cluster.port())
    };
    let connect = |url: String, tls_ca_file: &str| {
        let tls_ca_file = tls_ca_file.to_owned();
        let config = DatabaseConfig { tls_ca_file, postgres_connections: 1, ..defaults() };
        async move {
            let db = open(&url, &config).await?;
            let sql = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
            db.read(move |tx| tx.one::<bool>(sql, &[])).await
        }
    };
    let trusted = authority.to_str().unwrap();
    assert!(connect(at("localhost", "require"), trusted).await.unwrap());
    // Already checked in full, so the stricter words mean the same.
    assert!(connect(at("localhost", "verify-full"), trusted).await.unwrap());
    assert!(connect(at("localhost", "verify-ca"), trusted).await.unwrap());
    assert!(connect(at("localhost", "prefer"), trusted).await.unwrap());
    assert!(!connect(at("localhost", "disable"), trusted).await.unwrap());
    // A name that the certificate does not have, and an authority that nobody named.
    for (host, ca_file) in [("127.0.0.1", trusted), ("localhost", "")] {
        let refused = cause(connect(at(host, "require"), ca_file).await);
        assert!(matches!(refused, DatabaseError::Lost(_)), "{refused:?}");
    }
    assert!(!connect(at("localhost", "prefer"), "").await.unwrap());
    let missing = connect(at("localhost", "require"), "/nowhere/ca.crt").await;
    assert!(matches!(cause(missing), DatabaseError::Setup(_)));
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_server_that_was_made_a_standby_is_away_for_writes_until_it_is_the_primary_again() {
    let Some(cluster) = Cluster::start() else { no_postgres() };
    let config = DatabaseConfig { postgres_connections: 1, ..defaults() };
    let db = open(&cluster.url(), &config).await.unwrap();
    with_items(&db).await;
    cluster.demote();
    let look = || db.read(|tx| tx.one::<i64>("SELECT 1", &[]));
    soon("reads are answered", || async { look().await.is_ok() }).await;
    assert!(db.ping().await.is_err(), "it says that it is well");
    for _ in 0..3 {
        let error = cause(db.write(|tx| insert(tx, "a", 1)).await);
        assert!(matches!(error, DatabaseError::Lost(_)), "{error:?}");
        assert_eq!(error.status_hint(), StatusHint::Unavailable);
    }
    cluster.promote();
    soon("writes are taken", || async { db.write(|tx| insert(tx, "a", 1)).await.is_ok() }).await;
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_connection_on_which_nothing_can_be_written_is_replaced() {
    let Some(db) = postgres_with(|config| config.postgres_connections = 1).await else {
        no_postgres()
    };
    with_items(&db).await;
    let session = |tx: &mut Tx| tx.one::<i64>("SELECT CAST(pg_backend_pid() AS BIGINT)", &[]);
    let first = db.read(session).await.unwrap();
    let read_only = |tx: &mut Tx| {
        tx.exec("SET LOCAL transaction_read_only = on", &[])?;
        insert(tx, "a", 1)
    };
    let error = cause(db.write(read_only).await);
    assert!(matches!(error, DatabaseError::Lost(_)), "{error:?}");
    assert_ne!(db.read(session).await.unwrap(), first);
    db.write(|tx| insert(tx, "a", 1)).await.unwrap();
}

/// What a caller under load counts.
#[derive(Default)]
struct Tally {
    acknowledged: Vec<String>,
    refused: usize,
}

async fn keep_writing(db: Db, caller: usize, until: Instant) -> Tally {
    let mut tally = Tally::default();
    for n in 0.. {
        if Instant::now() > until {
            break;
        }
        let name = format!("{caller}-{n}");
        let stored = name.clone();
        match db.write(move |tx| insert(tx, &stored, 1)).await {
            Ok(_) => tally.acknowledged.push(name),
            Err(Error::Database(error)) => {
                assert_eq!(error.status_hint(), StatusHint::Unavailable, "{error:?}");
                tally.refused += 1;
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            Err(other) => panic!("{other}"),
        }
    }
    tally
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL"]
async fn a_restart_under_load_loses_nothing_acknowledged_and_heals_within_two_seconds() {
    let Some(cluster) = Cluster::start() else { no_postgres() };
    let db = open(&cluster.url(), &defaults()).await.unwrap();
    with_items(&db).await;
    let until = Instant::now() + Duration::from_secs(6);
    let callers: Vec<_> =
        (0..24).map(|caller| tokio::spawn(keep_writing(db.clone(), caller, until))).collect();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let cluster = tokio::task::spawn_blocking(move || {
        cluster.stop("immediate");
        cluster
    })
    .await
    .unwrap();
    // While it is away, nobody waits.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let asked = Instant::now();
    let away = db.read(|tx| tx.one::<i64>("SELECT 1", &[])).await;
    assert!(matches!(cause(away), DatabaseError::Lost(_)));
    assert!(asked.elapsed() < Duration::from_secs(1), "waited {:?}", asked.elapsed());
    let _cluster = tokio::task::spawn_blocking(move || {
        cluster.run();
        cluster
    })
    .await
    .unwrap();
    let returned = Instant::now();
    soon("the pool heals", || async { db.ping().await.is_ok() }).await;
    assert!(returned.elapsed() < Duration::from_secs(2), "healed after {:?}", returned.elapsed());
    let (mut acknowledged, mut refused) = (Vec::new(), 0);
    for caller in callers {
        let tally = caller.await.unwrap();
        acknowledged.extend(tally.acknowledged);
        refused += tally.refused;
    }
    assert!(refused > 0, "the restart was not noticed");
    let stored = names(&db).await;
    for name in &acknowledged {
        assert!(stored.binary_search(name).is_ok(), "{name} was acknowledged and is gone");
    }
    db.close().await;
}
