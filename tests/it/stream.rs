//! The live stream.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::harness::{Client, Fan, OPERATOR_TOKEN, TestApp, eventually};

/// Two matches that begin in an hour.
pub async fn two_matches(app: &TestApp) -> (i64, i64) {
    let team = |slug: &str| json!({"slug": slug, "name": slug, "sport": "football"});
    let event = |key: &str, home: &str, away: &str| json!({"key": key, "tournament": "league", "home": home, "away": away, "start_time": "2026-11-15T13:00:00Z"});
    let document = json!({
        "sports": [{"slug": "football", "name": "Football"}],
        "teams": [team("north"), team("south"), team("east"), team("west")],
        "tournaments": [{"slug": "league", "name": "League", "sport": "football"}],
        "events": [event("a", "north", "south"), event("b", "east", "west")],
    });
    let call = app.client.put("/api/admin/catalogue").token(OPERATOR_TOKEN).json(document);
    let ids = call.send().await.expect(200).body["data"]["events"].clone();
    (ids["a"].as_i64().unwrap(), ids["b"].as_i64().unwrap())
}

pub async fn kick_off(app: &TestApp, event: i64) {
    let call = app.client.patch(&format!("/api/admin/events/{event}")).token(OPERATOR_TOKEN);
    call.json(json!({"status": "live"})).send().await.expect(200);
}

pub async fn score(app: &TestApp, event: i64, home: i64, away: i64) {
    let body = json!({"status": "live", "home_score": home, "away_score": away});
    let call = app.client.patch(&format!("/api/admin/events/{event}")).token(OPERATOR_TOKEN);
    call.json(body).send().await.expect(200);
}

/// The connection, what came and was not read yet, and where the service said that it begins.
pub struct Listening(TcpStream, String, String);

#[derive(Debug, PartialEq)]
pub struct Told {
    pub id: String,
    pub name: String,
    pub data: Value,
}

impl Told {
    /// How far the news of matches are.
    pub fn number(&self) -> i64 {
        self.id.split('.').next().unwrap().parse().unwrap()
    }
}

impl Listening {
    pub async fn open(app: &TestApp, fan: &Fan, query: &str, last_id: Option<&str>) -> Self {
        Self::open_at(&app.client, &fan.token, query, last_id).await
    }

    pub async fn open_at(client: &Client, token: &str, query: &str, last_id: Option<&str>) -> Self {
        Self::open_path(client, token, &format!("/api/auth/stream{query}"), last_id).await
    }

    pub async fn open_path(
        client: &Client,
        token: &str,
        path: &str,
        last_id: Option<&str>,
    ) -> Self {
        let mut stream = TcpStream::connect(client.address()).await.unwrap();
        let last_id = last_id.map(|id| format!("last-event-id: {id}\r\n")).unwrap_or_default();
        let head = format!(
            "GET {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n{last_id}\r\n",
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut this = Self(stream, String::new(), String::new());
        this.until("\nretry: ").await;
        let at = this.1.find("\nretry: ").unwrap();
        while !this.1[at..].contains("\n\n") {
            this.until_more().await;
        }
        let (head, rest) = this.1.split_once("\nretry: ").unwrap();
        let (retry, rest) = rest.split_once("\n\n").unwrap();
        assert!((1_000..3_000).contains(&retry.parse::<u64>().unwrap()), "{retry}");
        assert!(head.contains("content-type: text/event-stream"), "{head}");
        this.2 = head.rsplit_once("id: ").unwrap().1.to_owned();
        this.1 = rest.to_owned();
        this
    }

    /// Reads until the service ends the stream, which leaves the connection open for others.
    pub async fn until_end(&mut self) {
        self.until("0\r\n\r\n").await;
    }

    async fn until(&mut self, text: &str) {
        while !self.1.contains(text) {
            self.until_more().await;
        }
    }

    async fn until_more(&mut self) {
        let mut buffer = [0; 4096];
        let read = tokio::time::timeout(Duration::from_secs(5), self.0.read(&mut buffer));
        let count = read.await.unwrap_or_else(|_| panic!("only {:?}", self.1)).unwrap();
        assert!(count > 0, "ended after {:?}", self.1);
        self.1.push_str(std::str::from_utf8(&buffer[..count]).unwrap());
    }

    /// The next thing that is told; chunk sizes and signs of life are passed over.
    pub async fn next(&mut self) -> Told {
        loop {
            self.until("\n\n").await;
            let (frame, rest) = self.1.split_once("\n\n").unwrap();
            let (frame, rest) = (frame.to_owned(), rest.to_owned());
            self.1 = rest;
            let field = |name: &str| {
                frame.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned)
            };
            if let (Some(name), Some(data)) = (field("event: "), field("data: ")) {
                let id = field("id: ").unwrap_or_default();
                return Told { id, name, data: serde_json::from_str(&data).unwrap() };
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listener_hears_of_kick_off_and_goals_as_they_happen() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let (event, _) = two_matches(&app).await;
    let mut listening = Listening::open(&app, &fan, "", None).await;
    kick_off(&app, event).await;
    score(&app, event, 1, 0).await;
    let (status, goal) = (listening.next().await, listening.next().await);
    assert_eq!((status.name.as_str(), &status.data["status"]), ("status", &json!("live")));
    assert_eq!(goal.name, "score");
    assert_eq!(goal.data["event_id"], event);
    assert_eq!((&goal.data["home_score"], &goal.data["away_score"]), (&json!(1), &json!(0)));
    assert!(goal.number() > status.number());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listener_that_comes_back_misses_nothing_and_hears_nothing_twice() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let (event, _) = two_matches(&app).await;
    let mut listening = Listening::open(&app, &fan, "", None).await;
    score(&app, event, 0, 0).await;
    let last = listening.next().await;
    drop(listening);
    for goals in 1..=3 {
        score(&app, event, goals, 0).await;
    }
    let mut listening = Listening::open(&app, &fan, "", Some(&last.id)).await;
    score(&app, event, 4, 0).await;
    let mut ids = vec![last.number()];
    let mut goals = Vec::new();
    while goals.last() != Some(&4) {
        let told = listening.next().await;
        ids.push(told.number());
        goals.extend(told.data["home_score"].as_i64());
    }
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
    assert!(goals.ends_with(&[1, 2, 3, 4]), "{goals:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listener_who_lost_the_connection_before_any_news_misses_nothing() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let (event, _) = two_matches(&app).await;
    let beginning = Listening::open(&app, &fan, "", None).await.2;
    score(&app, event, 1, 0).await;
    let mut listening = Listening::open(&app, &fan, "", Some(&beginning)).await;
    assert_eq!(listening.2, beginning);
    while listening.next().await.name != "score" {}
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listener_may_ask_for_one_match_only() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let (first, second) = two_matches(&app).await;
    let mut listening = Listening::open(&app, &fan, &format!("?event_id={second}"), None).await;
    score(&app, first, 1, 0).await;
    score(&app, second, 2, 0).await;
    assert_eq!(listening.next().await.data["event_id"], second);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_longer_kept_is_said_to_be_missed() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let (event, _) = two_matches(&app).await;
    score(&app, event, 1, 0).await;
    app.advance(2 * 24 * 3_600);
    app.run_jobs().await;
    // The node that told of it has it in memory for longer.
    let other = app.another_node().await;
    let mut listening = Listening::open(&other, &fan, "", Some("0")).await;
    assert_eq!(listening.next().await.name, "reset");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_stream_gives_signs_of_life() {
    let app = TestApp::with(&[("TOUCHLINE_STREAM__HEARTBEAT_S", "1")]).await;
    let fan = app.log_in("+447700900123").await;
    Listening::open(&app, &fan, "", None).await.until(": still here").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_last_id_beyond_all_others_waits_for_what_comes() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let (event, _) = two_matches(&app).await;
    let mut listening = Listening::open(&app, &fan, "", Some("9223372036854775807")).await;
    kick_off(&app, event).await;
    assert_eq!(listening.next().await.name, "status");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_last_id_that_is_none_is_refused() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let call = app.client.get("/api/auth/stream").token(&fan.token);
    call.header("last-event-id", "yesterday").send().await.expect_invalid("last-event-id");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_follows_a_quiet_match_sees_signs_of_life_while_others_are_busy() {
    let app = TestApp::with(&[("TOUCHLINE_STREAM__HEARTBEAT_S", "1")]).await;
    let fan = app.log_in("+447700900123").await;
    let (busy, quiet) = two_matches(&app).await;
    let mut listening = Listening::open(&app, &fan, &format!("?event_id={quiet}"), None).await;
    let goals = async {
        for goals in (0..100).cycle() {
            score(&app, busy, goals % 100, 0).await;
        }
    };
    tokio::select! {
        () = goals => {}
        () = listening.until(": still here") => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopping_service_ends_its_streams() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let mut listening = Listening::open(&app, &fan, "", None).await;
    app.app.stop.cancel();
    let mut rest = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(5), listening.0.read_to_end(&mut rest));
    ended.await.expect("the stream goes on").unwrap();
}

/// The status and code with which a stream is refused.
async fn refusal(app: &TestApp, token: &str, address: &str) -> Option<(u16, String)> {
    let call = app.client.get("/api/auth/stream").token(token).header("x-forwarded-for", address);
    // One that is let in does not end.
    let reply = tokio::time::timeout(Duration::from_millis(300), call.send()).await.ok()?;
    assert_eq!(reply.header("retry-after"), Some("1"), "{}", reply.text);
    Some((reply.status, reply.code().to_owned()))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_has_so_many_streams_at_once_from_wherever_and_gets_a_place_back() {
    let app = TestApp::with(&[
        ("TOUCHLINE_STREAM__MAX_PER_USER", "2"),
        ("TOUCHLINE_HTTP__TRUSTED_PROXIES", "127.0.0.1"),
    ])
    .await;
    let (fan, other) = (app.log_in("+447700900123").await, app.log_in("+447700900124").await);
    let first = Listening::open(&app, &fan, "", None).await;
    let _second = Listening::open(&app, &fan, "", None).await;
    let limit = Some((429, "user_stream_limit".to_owned()));
    assert_eq!(refusal(&app, &fan.token, "198.51.100.1").await, limit);
    Listening::open(&app, &other, "", None).await;
    drop(first);
    eventually(|| async {
        (refusal(&app, &fan.token, "198.51.100.1").await.is_none()).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_so_many_streams_at_once_whoever_opens_them() {
    let app = TestApp::with(&[
        ("TOUCHLINE_STREAM__MAX_PER_ADDRESS", "2"),
        ("TOUCHLINE_HTTP__TRUSTED_PROXIES", "127.0.0.1"),
    ])
    .await;
    let mut fans = Vec::new();
    for number in 0..3 {
        fans.push(app.log_in(&TestApp::phone(number)).await);
    }
    let _first = Listening::open(&app, &fans[0], "", None).await;
    let _second = Listening::open(&app, &fans[1], "", None).await;
    let limit = Some((429, "address_stream_limit".to_owned()));
    assert_eq!(refusal(&app, &fans[2].token, "127.0.0.1").await, limit);
    assert_eq!(refusal(&app, &fans[2].token, "198.51.100.2").await, None);
}
