//! The processes that are alive, as operators see them.

use serde_json::Value;
use touchline::platform::clock::Timestamp;
use touchline::platform::db::{Tx, params};

use crate::harness::{NOW, OPERATOR_TOKEN, TestApp, eventually};

impl TestApp {
    async fn nodes(&self) -> Vec<Value> {
        let reply = self.client.get("/api/admin/nodes").token(OPERATOR_TOKEN).send().await;
        reply.expect(200).body["data"].as_array().unwrap().clone()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_says_what_it_is_and_is_there_whatever_the_time() {
    let app = TestApp::new().await;
    let nodes = app.nodes().await;
    assert_eq!(nodes.len(), 1);
    assert_eq!(nodes[0]["pid"], std::process::id());
    assert_eq!(nodes[0]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(nodes[0]["listen"], app.app.config.listen.to_string());
    assert_eq!((&nodes[0]["started_at"], &nodes[0]["seen_at"]), (&NOW.into(), &NOW.into()));
    assert!(nodes[0]["lag_ms"].as_i64().is_some_and(|lag| lag >= 0));
    assert!(nodes[0]["host"].as_str().is_some_and(|host| !host.is_empty()));
    app.advance(3 * 24 * 3600);
    let later = app.nodes().await;
    assert_eq!((later.len(), &later[0]["id"]), (1, &nodes[0]["id"]));
    assert_eq!(later[0]["seen_at"], "2026-11-18T12:00:00.000Z");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_was_killed_is_gone_after_a_minute_and_forgotten_after_a_day() {
    let app = TestApp::new().await;
    let seen = Timestamp::parse(NOW).unwrap();
    let write = move |tx: &mut Tx| {
        tx.exec(
            "INSERT INTO nodes (id, host, pid, version, listen, started_at, seen_at, lag_ms)
             VALUES ('killed', 'elsewhere', 7, '0.1.0', '10.0.0.7:8080', $1, $1, 3)",
            params![seen],
        )
    };
    app.app.db.write(write).await.unwrap();
    app.advance(59);
    assert_eq!(app.nodes().await.len(), 2);
    app.advance(1);
    assert_eq!(app.nodes().await.len(), 1);
    let count = "SELECT count(*) FROM nodes WHERE id = 'killed'";
    assert_eq!(app.count(count).await, 1);
    app.advance(24 * 3600);
    app.nodes().await;
    assert_eq!(app.count(count).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_stops_takes_itself_off() {
    let app = TestApp::new().await;
    assert_eq!(app.nodes().await.len(), 1);
    app.app.stop.cancel();
    eventually(|| async { (app.count("SELECT count(*) FROM nodes").await == 0).then_some(()) })
        .await;
}
