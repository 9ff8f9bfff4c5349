//! Those whom the service calls: the homeserver and the SMS provider, refusing, hanging, saying 429, talking nonsense.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Scale;
use crate::harness::{Client, Fan, OPERATOR_TOKEN, Reply, TestApp};
use crate::load::{self, Load};
use crate::outcome::Outcome;
use crate::site::Site;
use crate::stand_in::{Mood, StandIn};

const WORKERS: usize = 4;
pub const SECRET: (&str, &str) =
    ("TOUCHLINE_SECRET_KEY", "a secret that both of them derive theirs from");
/// What a login may wait for chat (1.5 s by default), and as much again for a busy machine.
const LOGIN_WAIT: Duration = Duration::from_secs(4);

fn moods() -> Vec<(&'static str, Mood)> {
    vec![
        ("refused", Mood::Refusing),
        ("hanging", Mood::Hanging),
        (
            "429",
            Mood::answering(
                "429 Too Many Requests",
                r#"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":500}"#,
            ),
        ),
        ("nonsense in HTTP", Mood::answering("200 OK", "<html>It works!</html>")),
        ("nonsense", Mood::Saying("\u{1}\u{2} what?\r\n\r\n".to_owned())),
    ]
}

async fn create_room(client: &Client, fan: &Fan, name: &str) -> Reply {
    client.post("/api/auth/chat-room").token(&fan.token).json(json!({"name": name})).send().await
}

async fn credentials(client: &Client, token: &str) -> u16 {
    client.post("/api/auth/matrix-credentials").token(token).send().await.status
}

/// Everything but chat goes on; logins say that there is no chat yet; it comes back by itself.
pub async fn homeserver(_: Scale) -> Outcome {
    // The one stood in for is the embedded homeserver of a second service with the same secret.
    let other = Site::on_sqlite(&[SECRET]);
    let address = other.client().address().parse().unwrap();
    let mut stand_in = StandIn::start(Mood::Forwarding(address)).await;
    let url = stand_in.url();
    let mut site = Site::on_sqlite(&[SECRET, ("TOUCHLINE_MATRIX__HOMESERVER_URL", &url)]);
    let client = site.client();
    let load = Load::prepare(&client).await;
    let mut outcome = Outcome::default();
    let fan = &load.fans[0];
    create_room(&client, fan, "Before").await.expect(201);
    for (name, mood) in moods() {
        outcome.times += 1;
        let workers = load.begin(WORKERS);
        stand_in.turn(mood).await;
        let mut newcomer = Value::Null;
        for number in 0..2 {
            let phone = TestApp::phone(1000 + outcome.times * 10 + number);
            let started = Instant::now();
            newcomer = load::log_in(&client, &phone).await;
            load.newcomers.fetch_add(1, Ordering::SeqCst);
            let took = started.elapsed();
            outcome.require(newcomer["matrix_credentials"].is_null(), || {
                format!("{name}: credentials from nobody")
            });
            outcome.require(took < LOGIN_WAIT, || format!("{name}: a login took {took:?}"));
            let room = create_room(&client, fan, "During").await;
            let is_right = room.status == 503
                && room.code() == "chat_unavailable"
                && room.header("retry-after").is_some();
            outcome
                .require(is_right, || format!("{name}: a room is {} {}", room.status, room.text));
            outcome.requests += 4;
        }
        stand_in.turn(Mood::Forwarding(address)).await;
        let back = Instant::now();
        let asked = AtomicUsize::new(0);
        let works = || async {
            // Somebody else each time: a user may ask for credentials ten times in ten minutes.
            let fan = &load.fans[asked.fetch_add(1, Ordering::SeqCst) % load.fans.len()];
            let is_back = credentials(&client, &fan.token).await == 200;
            if !is_back {
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
            is_back
        };
        outcome.healed(until(back, works).await);
        let status = credentials(&client, newcomer["token"].as_str().unwrap()).await;
        outcome.require(status == 200, || format!("{name}: a newcomer's credentials are {status}"));
        let says_so =
            || async { client.get("/readyz").send().await.body["checks"]["homeserver"] == "ok" };
        // It looks once a second.
        let took = until(Instant::now(), says_so).await;
        outcome.require(took < LOGIN_WAIT, || format!("{name}: ready only after {took:?}"));
        create_room(&client, fan, &format!("After {name}")).await.expect(201);
        workers.end().await;
    }
    outcome.note("breaker_pause_ms = 1500");
    site.conclude(&load, &mut outcome).await;
    outcome
        .require(outcome.kinds.is_empty(), || "coins or predictions suffered with chat".to_owned());
    outcome
}

/// How long after `since` it works again, asked every 20 ms for 30 s at most.
pub async fn until<F: Future<Output = bool>>(since: Instant, works: impl Fn() -> F) -> Duration {
    while since.elapsed() < Duration::from_secs(30) && !works().await {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    since.elapsed()
}

async fn request_code(client: &Client, number: u32) -> Reply {
    let body = json!({"phone": TestApp::phone(number)});
    client.post("/api/code/request").json(body).send().await
}

/// Asking for a code says 503 in time, the SMS log says why, everybody else works on.
pub async fn sms_provider(_: Scale) -> Outcome {
    let well = Mood::answering("200 OK", "{}");
    let mut stand_in = StandIn::start(well.clone()).await;
    let url = format!("{}/send", stand_in.url());
    let mut site = Site::on_sqlite(&[
        ("TOUCHLINE_SMS__PROVIDERS", "http"),
        ("TOUCHLINE_SMS__HTTP__URL", &url),
        // The default leaves a provider alone for half a minute, which nobody wants to wait for here.
        ("TOUCHLINE_SMS__BREAKER_PAUSE_MS", "1000"),
        ("TOUCHLINE_SMS__ATTEMPT_TIMEOUT_MS", "1000"),
        ("TOUCHLINE_SMS__TOTAL_TIMEOUT_MS", "1500"),
    ]);
    let client = site.client();
    let load = Load::prepare(&client).await;
    let mut outcome = Outcome::default();
    // A gateway that answers 200 has taken the message, whatever else it says.
    for (name, mood) in moods().into_iter().filter(|(name, _)| *name != "nonsense in HTTP") {
        outcome.times += 1;
        let workers = load.begin(WORKERS);
        stand_in.turn(mood).await;
        for number in 0..7 {
            let number = 1000 + outcome.times * 10 + number;
            let started = Instant::now();
            let reply = request_code(&client, number).await;
            let is_right = reply.status == 503
                && reply.code() == "sms_unavailable"
                && reply.header("retry-after").is_some();
            outcome.require(is_right, || format!("{name}: {} {}", reply.status, reply.text));
            outcome.require(started.elapsed() < LOGIN_WAIT, || {
                format!("{name}: answered after {:?}", started.elapsed())
            });
            let log = format!("/api/logs/sms?phone=%2B{}", &TestApp::phone(number)[1..]);
            let log = client.get(&log).send().await;
            outcome.require(log.body["data"][0]["status"] == "failed", || {
                format!("{name}: the log says {}", log.text)
            });
            outcome.requests += 1;
        }
        stand_in.turn(well.clone()).await;
        let back = Instant::now();
        let number = std::sync::atomic::AtomicU32::new(5000 + outcome.times * 300);
        let works = || async {
            request_code(&client, number.fetch_add(1, Ordering::SeqCst)).await.status == 200
        };
        outcome.healed(until(back, works).await);
        workers.end().await;
    }
    outcome.note("breaker_pause_ms = 1000, attempts of 1 s");
    site.conclude(&load, &mut outcome).await;
    outcome
        .require(outcome.kinds.is_empty(), || "coins or predictions suffered with SMS".to_owned());
    let audit = client.get("/api/admin/audit").token(OPERATOR_TOKEN).send().await.status;
    outcome.require(audit == 200, || format!("the operator API is {audit}"));
    outcome
}
