use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::{Path, State};
use axum::routing::{get, post, put};
use axum::{Json, Router};
use http::{HeaderMap, StatusCode};
use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{AS_TOKEN, HS_TOKEN, Options, TestServer, escape};

#[derive(Clone, Default)]
struct Service {
    state: Arc<Mutex<Received>>,
}

#[derive(Default)]
struct Received {
    events: Vec<Value>,
    transactions: Vec<String>,
    /// Transactions refused before the first is taken.
    failures: usize,
    pings: Vec<Value>,
    asked: Vec<String>,
    reports: Vec<Value>,
    /// What the next report is answered.
    verdict: Option<(u16, Value)>,
}

impl Service {
    async fn start(&self) -> String {
        let router = Router::new()
            .route("/_matrix/app/v1/transactions/{id}", put(take))
            .route("/_matrix/app/v1/ping", post(pinged))
            .route("/_matrix/app/v1/rooms/{alias}", get(asked))
            .route("/_matrix/app/unstable/touchline/reports", post(reported))
            .with_state(self.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        url
    }

    async fn wait_for(&self, wanted: impl Fn(&Received) -> bool) {
        for _ in 0..200 {
            if wanted(&self.state.lock().unwrap()) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the application service was not told");
    }
}

fn check(headers: &HeaderMap) {
    assert_eq!(headers["authorization"], format!("Bearer {HS_TOKEN}"));
}

async fn take(
    State(service): State<Service>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> (StatusCode, Json<Value>) {
    check(&headers);
    let mut state = service.state.lock().unwrap();
    state.transactions.push(id);
    if state.failures > 0 {
        state.failures -= 1;
        return (StatusCode::SERVICE_UNAVAILABLE, Json(json!({})));
    }
    state.events.extend(body["events"].as_array().unwrap().clone());
    (StatusCode::OK, Json(json!({})))
}

async fn pinged(
    State(service): State<Service>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Json<Value> {
    check(&headers);
    service.state.lock().unwrap().pings.push(body);
    Json(json!({}))
}

async fn reported(
    State(service): State<Service>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> (StatusCode, Json<Value>) {
    check(&headers);
    let mut state = service.state.lock().unwrap();
    state.reports.push(body);
    let (status, answer) = state.verdict.clone().unwrap_or((200, json!({})));
    (StatusCode::from_u16(status).unwrap(), Json(answer))
}

async fn asked(State(service): State<Service>, Path(alias): Path<String>) -> StatusCode {
    service.state.lock().unwrap().asked.push(alias);
    StatusCode::NOT_FOUND
}

#[tokio::test]
async fn every_event_is_pushed_in_order_and_failures_are_tried_again() {
    let service = Service::default();
    service.state.lock().unwrap().failures = 2;
    let url = service.start().await;
    let server = TestServer::with(Options { appservice_url: url, ..Options::default() }).await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    server.homeserver.start_push();
    let mut sent = Vec::new();
    for number in 0..30 {
        sent.push(ann.say(&room, &number.to_string()).await);
    }
    let messages = |received: &Received| -> Vec<Value> {
        let of_kind = |event: &&Value| event["type"] == "m.room.message";
        received.events.iter().filter(of_kind).cloned().collect()
    };
    service.wait_for(|received| messages(received).len() >= 30).await;
    let received = service.state.lock().unwrap();
    let ids: Vec<_> =
        messages(&received).iter().map(|e| e["event_id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids, sent);
    assert_eq!(received.transactions[0], received.transactions[1], "a retry keeps its id");
    let create = &received.events[0];
    assert_eq!(create["type"], "m.room.create");
    assert_eq!(create["room_id"], json!(room));
    assert_eq!(create["state_key"], "");
    assert!(create["origin_server_ts"].is_i64() && create["sender"] == json!(ann.id));
}

#[tokio::test]
async fn large_events_are_pushed_in_parts_that_a_service_takes() {
    // This one, as axum has it, takes 2 MB at once. A state event is told together with what it replaces.
    let service = Service::default();
    let url = service.start().await;
    let server = TestServer::with(Options { appservice_url: url, ..Options::default() }).await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let path = format!("/rooms/{}/state/app.large/", escape(&room));
    for number in 0..40 {
        ann.put(&path, json!({"number": number, "text": "x".repeat(60_000)})).await;
    }
    server.homeserver.start_push();
    let large = |received: &Received| -> Vec<Value> {
        let all = received.events.iter().filter(|event| event["type"] == "app.large");
        all.map(|event| event["content"]["number"].clone()).collect()
    };
    service.wait_for(|received| large(received).len() >= 40).await;
    assert_eq!(large(&service.state.lock().unwrap()), (0..40).map(Value::from).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_ping_reaches_the_service_and_ends_the_back_off() {
    let service = Service::default();
    service.state.lock().unwrap().failures = 5;
    let url = service.start().await;
    let server = TestServer::with(Options { appservice_url: url, ..Options::default() }).await;
    let ann = server.user("ann").await;
    ann.public_room().await;
    server.homeserver.start_push();
    service.wait_for(|received| received.transactions.len() >= 3).await;
    service.state.lock().unwrap().failures = 0;
    let path = "/_matrix/client/v1/appservice/touchline/ping";
    let body = json!({"transaction_id": "mine"});
    let (status, answer) =
        server.call(Method::POST, path, Some(AS_TOKEN), Some(body.clone())).await;
    assert_eq!(status, 200, "{answer}");
    assert!(answer["duration_ms"].is_u64());
    assert_eq!(service.state.lock().unwrap().pings, [body]);
    service.wait_for(|received| !received.events.is_empty()).await;
    let (status, answer) = server.call(Method::POST, path, Some(&ann.token), Some(json!({}))).await;
    assert_eq!((status.as_u16(), &answer["errcode"]), (403, &json!("M_FORBIDDEN")));
}

#[tokio::test]
async fn the_service_acts_as_any_user_it_registered_and_only_those() {
    let service = Service::default();
    let url = service.start().await;
    let server = TestServer::with(Options { appservice_url: url, ..Options::default() }).await;
    let ann = server.user("ann").await;
    let client = "/_matrix/client/v3";
    let alias =
        json!({"room_alias_name": "match_7", "preset": "public_chat", "room_version": "11"});
    let path = format!("{client}/createRoom");
    let (status, answer) = server.call(Method::POST, &path, Some(AS_TOKEN), Some(alias)).await;
    assert_eq!(status, 200, "the bot itself needs no registration: {answer}");
    let room = answer["room_id"].as_str().unwrap().to_owned();
    let join = format!("{client}/join/{}", escape("#match_7:test.local"));
    let (status, answer) = server.act(Method::POST, &join, &ann.id, json!({})).await;
    assert_eq!((status.as_u16(), &answer["room_id"]), (200, &json!(room)));
    let (status, _) = server.act(Method::POST, &join, &ann.id, json!({})).await;
    assert_eq!(status, 200, "joining twice is fine");
    let name = format!("{client}/profile/{}/displayname", escape(&ann.id));
    let (status, _) = server.act(Method::PUT, &name, &ann.id, json!({"displayname": "Ann"})).await;
    assert_eq!(status, 200);
    let members = format!("{client}/rooms/{}/joined_members", escape(&room));
    let (_, answer) = server.call(Method::GET, &members, Some(AS_TOKEN), None).await;
    assert_eq!(answer["joined"][&ann.id]["display_name"], "Ann");
    let (status, answer) = server.act(Method::POST, &join, "@nobody:test.local", json!({})).await;
    assert_eq!((status.as_u16(), &answer["errcode"]), (403, &json!("M_FORBIDDEN")));
    let missing = format!("{client}/directory/room/{}", escape("#match_8:test.local"));
    let (status, _) = server.call(Method::GET, &missing, Some(&ann.token), None).await;
    assert_eq!(status, 404);
    assert_eq!(service.state.lock().unwrap().asked, ["#match_8:test.local"]);
}

#[tokio::test]
async fn a_report_is_handed_to_the_service_and_answered_as_it_answers() {
    let service = Service::default();
    let appservice_url = service.start().await;
    let options = Options { appservice_url, takes_reports: true, ..Options::default() };
    let server = TestServer::with(options).await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    let said = bob.say(&room, "insult").await;
    let at = format!("/rooms/{}/report", escape(&room));
    let event = format!("{at}/{}", escape(&said));
    ann.post(&event, json!({"reason": "rude", "score": -100})).await;
    ann.post(&at, json!({"reason": "all of it"})).await;
    let user = format!("/users/{}/report", escape(&bob.id));
    ann.post(&user, json!({"reason": "him"})).await;
    let me = &ann.id;
    assert_eq!(
        service.state.lock().unwrap().reports,
        [
            json!({"reporter": me, "room_id": room, "event_id": said, "user_id": bob.id, "reason": "rude"}),
            json!({"reporter": me, "room_id": room, "reason": "all of it"}),
            json!({"reporter": me, "user_id": bob.id, "reason": "him"}),
        ]
    );
    let limited = json!({"errcode": "M_LIMIT_EXCEEDED", "error": "x", "retry_after_ms": 1000});
    service.state.lock().unwrap().verdict = Some((429, limited));
    let (status, answer) = ann.try_call(Method::POST, &event, Some(json!({}))).await;
    assert_eq!((status.as_u16(), &answer["retry_after_ms"]), (429, &json!(1000)), "{answer}");
    let long = json!({"errcode": "M_INVALID_PARAM", "error": "too long"});
    service.state.lock().unwrap().verdict = Some((400, long.clone()));
    let (status, answer) = ann.try_call(Method::POST, &event, Some(json!({}))).await;
    assert_eq!((status.as_u16(), answer), (400, long));
    service.state.lock().unwrap().verdict = Some((403, json!({"errcode": "M_FORBIDDEN"})));
    assert_eq!(ann.refused(Method::POST, &event, json!({})).await, (503, "M_UNKNOWN".into()));
}

#[tokio::test]
async fn nobody_reports_what_they_do_not_see() {
    let service = Service::default();
    let appservice_url = service.start().await;
    let options = Options { appservice_url, takes_reports: true, ..Options::default() };
    let server = TestServer::with(options).await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann
        .create_room(json!({"preset": "public_chat", "initial_state": [
        {"type": "m.room.history_visibility", "content": {"history_visibility": "joined"}}]}))
        .await;
    let said = ann.say(&room, "before bob came").await;
    let report = |room: &str, tail: &str| format!("/rooms/{}/report{tail}", escape(room));
    let event = report(&room, &format!("/{}", escape(&said)));
    let missing = (404, "M_NOT_FOUND".to_owned());
    let body = || json!({"reason": "x"});
    assert_eq!(bob.refused(Method::POST, &event, body()).await, missing, "not in the room");
    assert_eq!(bob.refused(Method::POST, &report(&room, ""), body()).await, missing);
    bob.join(&room).await;
    assert_eq!(bob.refused(Method::POST, &event, body()).await, missing, "not seen");
    assert_eq!(bob.refused(Method::POST, &report("!none:test.local", ""), body()).await, missing);
    let nobody = format!("/users/{}/report", escape("@nobody:test.local"));
    assert_eq!(bob.refused(Method::POST, &nobody, body()).await, missing);
    assert!(service.state.lock().unwrap().reports.is_empty());
}

#[tokio::test]
async fn without_a_service_that_takes_reports_nobody_reports() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let path = format!("/rooms/{}/report", escape(&room));
    let refused = ann.refused(Method::POST, &path, json!({"reason": "x"})).await;
    assert_eq!(refused, (404, "M_UNRECOGNIZED".into()));
}
