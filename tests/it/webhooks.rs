//! Webhooks: signed, retried, replayed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::harness::{OPERATOR_TOKEN, Reply, TestApp};
use crate::stream::{kick_off, score, two_matches};

/// A receiver whose answer a test chooses.
pub struct Receiver {
    pub url: String,
    status: Arc<AtomicU16>,
    requests: mpsc::UnboundedReceiver<String>,
}

impl Receiver {
    pub async fn start() -> Self {
        Self::listen(TcpListener::bind("127.0.0.1:0").await.unwrap())
    }

    fn listen(listener: TcpListener) -> Self {
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let status = Arc::new(AtomicU16::new(200));
        let (sender, requests) = mpsc::unbounded_channel();
        let answer = status.clone();
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut request = vec![0; 8192];
                let count = stream.read(&mut request).await.unwrap();
                // The test may have ended already.
                let _ = sender.send(String::from_utf8_lossy(&request[..count]).into_owned());
                let status = answer.load(Ordering::SeqCst);
                let text = format!(
                    "HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
                );
                let _ = stream.write_all(text.as_bytes()).await;
            }
        });
        Self { url, status, requests }
    }

    pub fn taken(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.requests.try_recv().ok()).collect()
    }
}

async fn add(app: &TestApp, body: Value) -> Reply {
    app.client.post("/api/admin/webhooks").token(OPERATOR_TOKEN).json(body).send().await
}

async fn deliveries(app: &TestApp, id: &Value) -> Vec<Value> {
    let path = format!("/api/admin/webhooks/{id}/deliveries");
    let reply = app.client.get(&path).token(OPERATOR_TOKEN).send().await.expect(200);
    reply.body["data"].as_array().unwrap().clone()
}

pub fn header<'a>(request: &'a str, name: &str) -> &'a str {
    let prefix = format!("{name}: ");
    request.lines().find_map(|line| line.strip_prefix(prefix.as_str())).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_signed_so_that_its_receiver_can_check_it() {
    let app = TestApp::new().await;
    let mut receiver = Receiver::start().await;
    let (event, _) = two_matches(&app).await;
    let added = add(&app, json!({"url": receiver.url})).await.expect(201);
    kick_off(&app, event).await;
    app.advance(1);
    app.run_jobs().await;
    let request = receiver.taken().remove(0);
    let (_, body) = request.split_once("\r\n\r\n").unwrap();
    let secret = added.body["data"]["secret"].as_str().unwrap().strip_prefix("whsec_").unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&BASE64_STANDARD.decode(secret).unwrap()).unwrap();
    let (id, at) = (header(&request, "webhook-id"), header(&request, "webhook-timestamp"));
    mac.update(format!("{id}.{at}.{body}").as_bytes());
    let expected = format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()));
    assert_eq!(header(&request, "webhook-signature"), expected);
    let body: Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["type"], "match.status");
    assert_eq!(body["data"]["event_id"], event);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_wanted_kinds_of_what_comes_after_are_sent() {
    let app = TestApp::new().await;
    let mut receiver = Receiver::start().await;
    let (first, second) = two_matches(&app).await;
    kick_off(&app, first).await;
    add(&app, json!({"url": receiver.url, "kinds": ["score"]})).await.expect(201);
    kick_off(&app, second).await;
    score(&app, second, 1, 0).await;
    app.advance(1);
    app.run_jobs().await;
    let taken = receiver.taken();
    assert_eq!(taken.len(), 1, "{taken:?}");
    assert!(taken[0].contains("match.score"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_not_taken_is_tried_again_with_the_same_id() {
    let app = TestApp::new().await;
    let mut receiver = Receiver::start().await;
    let (event, _) = two_matches(&app).await;
    let added = add(&app, json!({"url": receiver.url})).await.expect(201);
    receiver.status.store(500, Ordering::SeqCst);
    kick_off(&app, event).await;
    app.advance(1);
    app.run_jobs().await;
    let id = &added.body["data"]["id"];
    assert_eq!(deliveries(&app, id).await[0]["state"], "failing");
    receiver.status.store(204, Ordering::SeqCst);
    app.advance(60);
    app.run_jobs().await;
    let delivery = deliveries(&app, id).await.remove(0);
    assert_eq!((&delivery["state"], &delivery["attempts"]), (&json!("delivered"), &json!(2)));
    let taken = receiver.taken();
    assert_eq!(header(&taken[0], "webhook-id"), header(&taken[1], "webhook-id"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_the_receiver_refuses_holds_up_no_other() {
    let app = TestApp::new().await;
    let mut receiver = Receiver::start().await;
    let (event, other) = two_matches(&app).await;
    let added = add(&app, json!({"url": receiver.url})).await.expect(201);
    receiver.status.store(500, Ordering::SeqCst);
    kick_off(&app, event).await;
    app.advance(1);
    app.run_jobs().await;
    receiver.taken();
    receiver.status.store(200, Ordering::SeqCst);
    kick_off(&app, other).await;
    app.run_jobs().await;
    app.advance(1);
    app.run_jobs().await;
    let states: Vec<Value> = deliveries(&app, &added.body["data"]["id"])
        .await
        .iter()
        .map(|one| one["state"].clone())
        .collect();
    assert_eq!(states[0], "delivered", "the newer one: {states:?}");
}

/// A place where nobody listens.
pub async fn nowhere() -> (String, std::net::SocketAddr) {
    let address = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    (format!("http://{address}/hook"), address)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_does_not_answer_is_left_alone_for_longer_and_longer() {
    let app = TestApp::new().await;
    let (event, _) = two_matches(&app).await;
    let (url, _) = nowhere().await;
    add(&app, json!({"url": url})).await.expect(201);
    kick_off(&app, event).await;
    for goals in 0..20 {
        score(&app, event, goals, 0).await;
        for _ in 0..6 {
            app.advance(10);
            app.run_failing_jobs().await;
        }
    }
    let attempts = app.count("SELECT max(attempts) FROM webhook_deliveries").await;
    // After 1, 2, 4 ... 512 seconds, each pause cut by up to a half, and looked at every ten seconds.
    assert!((6..=14).contains(&attempts), "{attempts} in 20 minutes, with news every minute");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replay_is_sent_at_once_however_long_the_receiver_was_away() {
    let app = TestApp::new().await;
    let (event, _) = two_matches(&app).await;
    let (url, address) = nowhere().await;
    let added = add(&app, json!({"url": url})).await.expect(201);
    kick_off(&app, event).await;
    for _ in 0..40 {
        app.advance(600);
        app.run_failing_jobs().await;
    }
    let mut receiver = Receiver::listen(TcpListener::bind(address).await.unwrap());
    let path = format!("/api/admin/webhooks/{}/replay", added.body["data"]["id"]);
    let replay = app.client.post(&path).token(OPERATOR_TOKEN).json(json!({})).send().await;
    let messages = replay.expect(200).body["data"]["messages"].as_u64().unwrap();
    app.run_jobs().await;
    // Both kick-offs: the other match began while nobody listened.
    assert_eq!((messages, receiver.taken().len()), (2, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_is_gone_is_left_alone_until_a_replay() {
    let app = TestApp::new().await;
    let mut receiver = Receiver::start().await;
    let (event, _) = two_matches(&app).await;
    let added = add(&app, json!({"url": receiver.url})).await.expect(201);
    receiver.status.store(410, Ordering::SeqCst);
    kick_off(&app, event).await;
    app.advance(1);
    app.run_jobs().await;
    app.advance(600);
    app.run_jobs().await;
    assert_eq!(receiver.taken().len(), 1);
    receiver.status.store(200, Ordering::SeqCst);
    let path = format!("/api/admin/webhooks/{}/replay", added.body["data"]["id"]);
    let replay = app.client.post(&path).token(OPERATOR_TOKEN).json(json!({})).send().await;
    assert_eq!(replay.expect(200).body["data"]["messages"], 1);
    app.run_jobs().await;
    assert_eq!(receiver.taken().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_webhook_hears_no_more() {
    let app = TestApp::new().await;
    let mut receiver = Receiver::start().await;
    let (event, _) = two_matches(&app).await;
    let added = add(&app, json!({"url": receiver.url})).await.expect(201);
    let path = format!("/api/admin/webhooks/{}", added.body["data"]["id"]);
    app.client.delete(&path).token(OPERATOR_TOKEN).send().await.expect(200);
    app.client.delete(&path).token(OPERATOR_TOKEN).send().await.expect_error(404, "not_found");
    kick_off(&app, event).await;
    app.advance(1);
    app.run_jobs().await;
    assert_eq!(receiver.taken().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_makes_no_sense_is_refused() {
    let app = TestApp::new().await;
    for url in ["", "example.org", "ftp://example.org/x", "file:///etc/passwd"] {
        add(&app, json!({"url": url})).await.expect_invalid("url");
    }
    let body = json!({"url": "https://example.org", "kinds": ["goals"]});
    add(&app, body).await.expect_invalid("kinds.0");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_secret_is_stored_nowhere() {
    let app = TestApp::new().await;
    let added = add(&app, json!({"url": "https://example.org"})).await.expect(201);
    let secret = added.body["data"]["secret"].as_str().unwrap();
    assert!(!app.dump().await.contains(secret.strip_prefix("whsec_").unwrap()));
}
