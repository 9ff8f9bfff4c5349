//! How the service puts up with a homeserver that is busy, broken, endless or silent: a stand-in that behaves as told.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{StatusCode, Uri};
use serde_json::{Value, json};

use crate::chat_rooms::create;
use crate::harness::{Fan, Reply, TestApp, eventually};

const ADA: &str = "+447700900123";
const MIB: usize = 1024 * 1024;

/// What the stand-in does with a room that is asked for.
enum Act {
    Make,
    Answer(u16, Value),
    /// 200, and a body that does not end.
    Flood,
    Nothing,
}

/// A homeserver that has every account and makes rooms as its script says; after the script, without a fuss.
#[derive(Default)]
struct StandIn {
    script: Mutex<VecDeque<Act>>,
    asked_at: Mutex<Vec<Instant>>,
    greeted: AtomicUsize,
    flooded: Arc<AtomicUsize>,
}

impl StandIn {
    fn script(&self, acts: impl IntoIterator<Item = Act>) {
        self.script.lock().unwrap().extend(acts);
    }

    /// When it was asked for a room, each time.
    fn asked_at(&self) -> Vec<Instant> {
        self.asked_at.lock().unwrap().clone()
    }
}

async fn answer(State(stand_in): State<Arc<StandIn>>, uri: Uri) -> Response {
    let json = |value: Value| axum::Json(value).into_response();
    match uri.path().rsplit('/').next().unwrap_or_default() {
        "createRoom" => make_room(&stand_in).await,
        "register" => json(json!({"user_id": "@touchline:localhost"})),
        "login" => {
            json(json!({"user_id": "@fan:localhost", "access_token": "t", "device_id": "D"}))
        }
        "ping" => {
            stand_in.greeted.fetch_add(1, Ordering::AcqRel);
            json(json!({"duration_ms": 1}))
        }
        // No profile: the account is free to be made.
        _ => (StatusCode::NOT_FOUND, axum::Json(json!({"errcode": "M_NOT_FOUND"}))).into_response(),
    }
}

async fn make_room(stand_in: &StandIn) -> Response {
    let number = {
        let mut asked_at = stand_in.asked_at.lock().unwrap();
        asked_at.push(Instant::now());
        asked_at.len()
    };
    let act = stand_in.script.lock().unwrap().pop_front().unwrap_or(Act::Make);
    match act {
        Act::Make => {
            axum::Json(json!({"room_id": format!("!r{number}:localhost")})).into_response()
        }
        Act::Answer(status, body) => {
            (StatusCode::from_u16(status).unwrap(), axum::Json(body)).into_response()
        }
        Act::Flood => {
            let flooded = stand_in.flooded.clone();
            let chunks = futures_util::stream::repeat_with(move || {
                flooded.fetch_add(1, Ordering::AcqRel);
                Ok::<_, std::io::Error>(Bytes::from(vec![b' '; MIB]))
            });
            Response::new(Body::from_stream(chunks))
        }
        Act::Nothing => std::future::pending().await,
    }
}

/// A service that uses a stand-in, a user of it, and the stand-in.
async fn start(settings: &[(&str, &str)]) -> (TestApp, Fan, Arc<StandIn>) {
    let stand_in = Arc::new(StandIn::default());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().fallback(answer).with_state(stand_in.clone());
    tokio::spawn(async move { axum::serve(listener, router).await });
    let mut all = vec![("TOUCHLINE_MATRIX__HOMESERVER_URL", url.as_str())];
    all.extend(settings);
    let app = TestApp::with(&all).await;
    let ada = app.log_in(ADA).await;
    // From here on nothing but the test's own calls goes out.
    let greeted = || async { (stand_in.greeted.load(Ordering::Acquire) > 0).then_some(()) };
    eventually(greeted).await;
    (app, ada, stand_in)
}

async fn make(app: &TestApp, fan: &Fan) -> Reply {
    create(app, fan, json!({"name": "Away end"})).await
}

fn busy(retry_after_ms: u64) -> Act {
    Act::Answer(429, json!({"errcode": "M_LIMIT_EXCEEDED", "retry_after_ms": retry_after_ms}))
}

fn broken() -> Act {
    Act::Answer(500, json!({"errcode": "M_UNKNOWN"}))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_busy_homeserver_is_given_the_time_it_asks_for() {
    let (app, ada, stand_in) = start(&[]).await;
    stand_in.script([busy(300), busy(100)]);
    let reply = make(&app, &ada).await.expect(201);
    assert_eq!(reply.body["data"]["room_id"], "!r3:localhost");
    let asked_at = stand_in.asked_at();
    let pauses: Vec<Duration> = asked_at.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(pauses[0] >= Duration::from_millis(300), "{pauses:?}");
    assert!(pauses[1] >= Duration::from_millis(100), "{pauses:?}");
    assert_eq!(asked_at.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_homeserver_that_asks_for_more_time_than_there_is_is_not_waited_for() {
    let (app, ada, stand_in) = start(&[]).await;
    stand_in.script([busy(60_000)]);
    let started = Instant::now();
    let reply = make(&app, &ada).await.expect_error(503, "chat_unavailable");
    assert!(reply.header("retry-after").is_some());
    assert!(started.elapsed() < Duration::from_secs(3));
    assert_eq!(stand_in.asked_at().len(), 1);
    // It is there, though, and is asked again.
    make(&app, &ada).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_homeserver_that_keeps_failing_is_left_alone_for_a_while() {
    let settings = [
        ("TOUCHLINE_MATRIX__BREAKER_FAILURES", "3"),
        ("TOUCHLINE_MATRIX__BREAKER_PAUSE_MS", "700"),
    ];
    let (app, ada, stand_in) = start(&settings).await;
    stand_in.script([broken(), broken(), broken(), broken()]);
    let opens_after = |failures: usize| {
        assert_eq!(stand_in.asked_at().len(), failures);
        Duration::from_millis(750)
    };
    for _ in 0..5 {
        make(&app, &ada).await.expect_error(503, "chat_unavailable");
    }
    tokio::time::sleep(opens_after(3)).await;
    // One trial, which fails: it is left alone again.
    for _ in 0..3 {
        make(&app, &ada).await.expect_error(503, "chat_unavailable");
    }
    tokio::time::sleep(opens_after(4)).await;
    for _ in 0..3 {
        make(&app, &ada).await.expect(201);
    }
    assert_eq!(stand_in.asked_at().len(), 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_without_end_is_not_read_to_its_end() {
    let (app, ada, stand_in) = start(&[]).await;
    stand_in.script([Act::Flood]);
    make(&app, &ada).await.expect_error(503, "chat_unavailable");
    // What was read, and what the sockets between hold.
    let sent = stand_in.flooded.load(Ordering::Acquire);
    assert!((32..64).contains(&sent), "{sent} MiB");
    make(&app, &ada).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_homeserver_is_given_up_in_time() {
    let (app, ada, stand_in) = start(&[("TOUCHLINE_MATRIX__REQUEST_TIMEOUT_MS", "500")]).await;
    stand_in.script([Act::Nothing]);
    let started = Instant::now();
    make(&app, &ada).await.expect_error(503, "chat_unavailable");
    assert!(started.elapsed() < Duration::from_secs(3));
    assert_eq!(stand_in.asked_at().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_no_failure() {
    let (app, ada, stand_in) = start(&[("TOUCHLINE_MATRIX__BREAKER_FAILURES", "2")]).await;
    let refusal = || Act::Answer(400, json!({"errcode": "M_UNKNOWN"}));
    stand_in.script([broken(), refusal(), broken(), refusal()]);
    for _ in 0..4 {
        make(&app, &ada).await.expect_error(503, "chat_unavailable");
    }
    make(&app, &ada).await.expect(201);
    assert_eq!(stand_in.asked_at().len(), 5);
}
