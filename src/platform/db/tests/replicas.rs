//! Servers that repeat what the primary writes: what they are asked, and what they are not.

use futures_util::TryStreamExt;

use super::cluster::{Cluster, no_postgres};
use super::*;
use crate::platform::db::Reader;

const ADA: i64 = 1;
const BEN: i64 = 2;

/// A primary and a replica of it, and a node that reads from both.
struct Site {
    primary: Cluster,
    replica: Cluster,
    config: DatabaseConfig,
    db: Db,
}

impl Site {
    /// The node is ready when it reads from the replica, which has no row of `items`.
    async fn start(max_age_ms: u64) -> Self {
        let Some(primary) = Cluster::start() else { no_postgres() };
        let replica = primary.replica();
        let config = DatabaseConfig {
            postgres_connections: 2,
            replica_urls: vec![replica.url()],
            replica_connections: 2,
            replica_max_age_ms: max_age_ms,
            ..defaults()
        };
        let db = open(&primary.url(), &config).await.unwrap();
        db.migrate().await.unwrap();
        with_items(&db).await;
        let site = Self { primary, replica, config, db };
        site.is_read(&site.replica).await;
        site
    }

    /// Waits until what anybody reads comes from this server.
    async fn is_read(&self, server: &Cluster) {
        soon("it is read from", || async { port(&self.db, BEN).await == server.port() }).await;
    }
}

/// The port of the server that a user's read is answered by.
async fn port(db: &Db, user: i64) -> u16 {
    let read = |tx: &mut Tx| tx.one::<i64>("SELECT CAST(inet_server_port() AS BIGINT)", &[]);
    u16::try_from(db.read_aside(user, read).await.unwrap()).unwrap()
}

async fn names_for(db: &Db, user: i64) -> Vec<String> {
    let read = |tx: &mut Tx| tx.all("SELECT name FROM items ORDER BY name", &[]);
    db.read_aside(user, read).await.unwrap()
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_replica_that_lags_is_read_from_again_when_it_has_caught_up() {
    let site = Site::start(1000).await;
    site.replica.hold();
    site.is_read(&site.primary).await;
    site.replica.let_go();
    site.is_read(&site.replica).await;
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn what_somebody_wrote_they_read_on_every_node_while_no_replica_has_it() {
    let site = Site::start(30_000).await;
    let other = open(&site.primary.url(), &site.config).await.unwrap();
    soon("the other node reads from the replica", || async {
        port(&other, BEN).await == site.replica.port()
    })
    .await;
    site.replica.hold();
    site.db.write(|tx| insert(tx, "hers", 1)).await.unwrap();
    site.db.wrote(ADA).await;
    let seen = [
        names_for(&site.db, ADA).await,
        names_for(&other, ADA).await,
        names_for(&other, BEN).await,
    ];
    assert_eq!(seen, [vec!["hers".to_owned()], vec!["hers".to_owned()], vec![]]);
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn what_somebody_wrote_they_read_from_the_replica_when_it_has_it() {
    let site = Site::start(30_000).await;
    site.db.write(|tx| insert(tx, "hers", 1)).await.unwrap();
    site.db.wrote(ADA).await;
    soon("the replica has it", || async { port(&site.db, ADA).await == site.replica.port() }).await;
    assert_eq!(names_for(&site.db, ADA).await, ["hers"]);
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn who_wrote_waits_where_it_cannot_be_noted() {
    let site = Site::start(700).await;
    let break_it = |tx: &mut Tx| Ok(tx.batch("ALTER TABLE user_positions RENAME TO elsewhere")?);
    site.db.write(break_it).await.unwrap();
    let began = std::time::Instant::now();
    site.db.wrote(ADA).await;
    assert!(began.elapsed() >= Duration::from_millis(700), "{:?}", began.elapsed());
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_replica_that_was_lost_is_read_from_again_when_it_is_back() {
    let site = Site::start(1000).await;
    site.replica.stop("immediate");
    assert_eq!(port(&site.db, BEN).await, site.primary.port());
    site.replica.run();
    site.is_read(&site.replica).await;
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn nobody_waits_for_a_replica_that_stands_still() {
    // Old enough that it is not its age for which it is left.
    let site = Site::start(30_000).await;
    site.replica.freeze();
    let began = std::time::Instant::now();
    let answered = port(&site.db, BEN).await;
    let took = began.elapsed();
    site.replica.thaw();
    assert_eq!(answered, site.primary.port());
    assert!(took < Duration::from_secs(3), "{took:?}");
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_long_list_is_read_from_the_replica_unless_that_lags() {
    let site = Site::start(1000).await;
    let reader = Reader { address: [127, 0, 0, 1].into(), user: Some(BEN) };
    let port_of_stream = async || {
        let chunks = site.db.stream_aside(reader, |tx, sink| {
            let port: String = tx.one("SELECT CAST(inet_server_port() AS TEXT)", &[])?;
            sink.send(port.into())
        });
        let chunks: Vec<bytes::Bytes> = chunks.await.unwrap().try_collect().await.unwrap();
        String::from_utf8(chunks.concat()).unwrap()
    };
    assert_eq!(port_of_stream().await, site.replica.port().to_string());
    site.replica.hold();
    site.is_read(&site.primary).await;
    assert_eq!(port_of_stream().await, site.primary.port().to_string());
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn what_a_script_refuses_on_a_replica_is_refused_and_not_asked_again() {
    let site = Site::start(1000).await;
    let refuse = |tx: &mut Tx| -> Result<()> {
        let port: i64 = tx.one("SELECT CAST(inet_server_port() AS BIGINT)", &[])?;
        Err(Error::internal(port.to_string()))
    };
    let refused = site.db.read_aside(BEN, refuse).await.unwrap_err();
    assert!(format!("{refused:?}").contains(&site.replica.port().to_string()), "{refused:?}");
}
