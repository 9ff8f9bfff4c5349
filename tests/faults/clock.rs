//! The clock at its edges, midnight and kick-off, and stepped both ways under load.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use touchline::platform::clock::{Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, Timestamp};

use crate::Scale;
use crate::harness::{Client, Fan, OPERATOR_TOKEN, Reply, TestApp, fresh_database_url};
use crate::load::{self, Load, prediction};
use crate::neighbours::until;
use crate::outcome::Outcome;
use crate::shim::Shim;
use crate::site::Site;

/// The program's clock, as the test sets it; it runs on from there.
struct Hands<'a>(&'a Shim);

impl Hands<'_> {
    fn set(&self, moment: Timestamp) {
        self.0.step_clock(moment.millis_since(Clock::system().now()));
    }
}

async fn claim(client: &Client, fan: &Fan) -> (u16, Value) {
    let reply = client.post("/api/auth/daily-coins").token(&fan.token).send().await;
    (reply.status, reply.body["data"]["streak_days"].clone())
}

async fn balance(client: &Client, fan: &Fan) -> Value {
    let reply = client.get("/api/auth/coins").token(&fan.token).send().await;
    reply.body["data"]["balance"].clone()
}

async fn midnight(hands: &Hands<'_>, client: &Client, fan: &Fan, outcome: &mut Outcome) {
    let day = Clock::system().now().utc_day() + 1;
    let at = |day: i64, millis: i64| Timestamp::start_of_utc_day(day).plus_ms(millis);
    let mut expect = async |when: &str, status: u16, streak: Value| {
        let found = claim(client, fan).await;
        outcome.requests += 1;
        outcome.require(found == (status, streak.clone()), || {
            format!("a claim {when} is {found:?} instead of {status} with {streak}")
        });
    };
    hands.set(at(day, DAY_MS - 3 * SECOND_MS));
    expect("before midnight", 200, json!(1)).await;
    expect("again", 400, Value::Null).await;
    tokio::time::sleep(Duration::from_millis(3_200)).await;
    expect("after midnight", 200, json!(2)).await;
    let kept = balance(client, fan).await;
    hands.set(at(day, DAY_MS - 10 * SECOND_MS));
    expect("with the clock set back over midnight", 400, Value::Null).await;
    hands.set(at(day - 30, 0));
    expect("with the clock set back by a month", 400, Value::Null).await;
    hands.set(at(day + 1, DAY_MS / 2));
    expect("later on the claimed day", 400, Value::Null).await;
    let kept_later = balance(client, fan).await;
    hands.set(at(day + 2, 1));
    expect("just after the next midnight", 200, json!(3)).await;
    outcome.require(kept_later == kept, || "a step of the clock moved coins".to_owned());
}

async fn limits(hands: &Hands<'_>, client: &Client, outcome: &mut Outcome) {
    let noon = Timestamp::start_of_utc_day(Clock::system().now().utc_day() + 5).plus_ms(DAY_MS / 2);
    let mut expect = async |when: &str, status: u16| {
        let body = json!({"phone": TestApp::phone(7_000)});
        let found = client.post("/api/code/request").json(body).send().await.status;
        outcome.requests += 1;
        outcome
            .require(found == status, || format!("a code {when} is {found} instead of {status}"));
    };
    hands.set(noon);
    for _ in 0..5 {
        expect("within the limit", 200).await;
    }
    expect("beyond the limit", 429).await;
    hands.set(noon.plus_ms(-HOUR_MS));
    expect("with the clock set back by an hour", 429).await;
    hands.set(noon.plus_ms(HOUR_MS));
    expect("an hour later", 200).await;
}

async fn kick_off(hands: &Hands<'_>, client: &Client, load: &Load, outcome: &mut Outcome) {
    let event = format!("/api/admin/events/{}", load.event);
    let now = Timestamp::start_of_utc_day(Clock::system().now().utc_day() + 8);
    let start = now.plus_ms(2 * SECOND_MS);
    hands.set(now);
    let body = json!({"start_time": start.to_string()});
    client.patch(&event).token(OPERATOR_TOKEN).json(body).send().await.expect(200);
    let fan = &load.fans[0];
    let mut expect = async |when: &str, status: u16| {
        let body = prediction(load.event, 777);
        let found =
            client.post("/api/auth/predictions").token(&fan.token).json(body).send().await.status;
        outcome.requests += 1;
        outcome.require(found == status, || {
            format!("a prediction {when} is {found} instead of {status}")
        });
    };
    hands.set(start.plus_ms(1));
    expect("just after kick-off", 400).await;
    let give_up = Instant::now() + Duration::from_secs(5);
    let status = async || {
        let path = format!("/api/auth/events/{}", load.event);
        client.get(&path).token(&fan.token).send().await.body["data"]["status"].clone()
    };
    while status().await != "live" && Instant::now() < give_up {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    hands.set(start.plus_ms(-HOUR_MS));
    expect("on a live match with the clock set back", 400).await;
    hands.set(start.plus_ms(HOUR_MS));
    expect("an hour into the match", 400).await;
    outcome.require(status().await == "live", || "the match did not go live by itself".to_owned());
}

pub async fn stepped(_: Scale) -> Outcome {
    let Some(shim) = Shim::build() else { return Outcome::skipped("no C compiler") };
    let settings = shim.settings();
    let settings: Vec<(&str, &str)> =
        settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut site = Site::on_sqlite(&settings);
    let client = site.client();
    let load = Load::prepare(&client).await;
    let mut outcome = Outcome { times: 11, ..Outcome::default() };
    let hands = Hands(&shim);
    // Somebody whom the load leaves alone.
    let fan = Fan::of(&load::log_in(&client, "+447799999998").await);
    load.newcomers.store(1, std::sync::atomic::Ordering::SeqCst);
    let workers = load.begin(4);
    midnight(&hands, &client, &fan, &mut outcome).await;
    limits(&hands, &client, &mut outcome).await;
    kick_off(&hands, &client, &load, &mut outcome).await;
    outcome.healed(load.heal(Instant::now()).await);
    workers.end().await;
    let late =
        "SELECT count(*) FROM prediction_revisions r JOIN predictions p ON p.id = r.prediction_id
                JOIN events e ON e.id = p.event_id WHERE r.created_at >= e.start_time";
    let late = site.books().count(late).await;
    outcome.require(late == 0, || format!("{late} predictions were taken after kick-off"));
    // The limit of the load's own phone ended days ago by this clock.
    site.conclude_without_limit(&load, &mut outcome).await;
    outcome.require(outcome.kinds.is_empty(), || "somebody was refused".to_owned());
    outcome
}

async fn predict(client: &Client, fan: &Fan, event: i64) -> Reply {
    let body = prediction(event, 778);
    client.post("/api/auth/predictions").token(&fan.token).json(body).send().await
}

/// What a node says and does while its clock is so far off.
async fn while_off(
    (hands, off_ms): (&Shim, i64),
    (node, load): (&Client, &Load),
    outcome: &mut Outcome,
) {
    hands.step_clock(off_ms);
    // By the node's clock it has begun and by the true time it has not, or the other way round.
    let start = Clock::system().now().plus_ms(off_ms / 2);
    let event = format!("/api/admin/events/{}", load.event);
    let body = json!({"start_time": start.to_string()});
    node.patch(&event).token(OPERATOR_TOKEN).json(body).send().await.expect(200);
    let (ready, refused) =
        (node.get("/readyz").send().await, predict(node, &load.fans[0], load.event).await);
    outcome.requests += 2;
    let says_so = ready.status == 503 && ready.body["checks"]["clock"] == "differs";
    outcome.require(says_so, || format!("{off_ms} ms off, and ready: {}", ready.text));
    let is_refused = refused.status == 503
        && refused.code() == "clock_differs"
        && refused.header("retry-after").is_some();
    outcome.require(is_refused, || {
        format!("{off_ms} ms off, a prediction is {} {}", refused.status, refused.text)
    });
    // Long enough for two looks at what kicks off.
    tokio::time::sleep(Duration::from_millis(2_200)).await;
    let path = format!("/api/auth/events/{}", load.event);
    let shown = node.get(&path).token(&load.fans[0].token).send().await;
    outcome.require(shown.body["data"]["status"] == "scheduled", || {
        format!("{off_ms} ms off, the match is {}", shown.body["data"]["status"])
    });
    hands.step_clock(0);
    let since = Instant::now();
    let right = if off_ms > 0 { 200 } else { 400 };
    let works = async || predict(node, &load.fans[0], load.event).await.status == right;
    outcome.healed(until(since, works).await);
    outcome
        .require(node.get("/readyz").send().await.status == 200, || "not ready again".to_owned());
}

/// A node whose clock is minutes off decides nothing by it and says so; it needs no restart once the clock is right.
pub async fn off_on_one_node(_: Scale) -> Outcome {
    let url = fresh_database_url().await;
    if url.is_empty() {
        return Outcome::skipped("no PostgreSQL: TOUCHLINE_TEST_DATABASE_URL names none");
    }
    let Some(shim) = Shim::build() else { return Outcome::skipped("no C compiler") };
    let settings = shim.settings();
    let settings: Vec<(&str, &str)> =
        settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut site = Site::on(&url, &settings);
    let load = Load::prepare(&site.client()).await;
    let mut outcome = Outcome { times: 3, ..Outcome::default() };
    predict(&site.client(), &load.fans[0], load.event).await.expect(201);
    for off_ms in [5 * MINUTE_MS, -5 * MINUTE_MS] {
        while_off((&shim, off_ms), (&site.client(), &load), &mut outcome).await;
    }
    // Started with a clock that is off: it never says that it is ready, and its day is the others' day.
    site.kill();
    shim.step_clock(2 * DAY_MS);
    site.up();
    let ready = site.client().get("/readyz").send().await;
    outcome.require(ready.status == 503, || "ready from the start on".to_owned());
    let claimed =
        site.client().post("/api/auth/daily-coins").token(&load.fans[0].token).send().await;
    let tomorrow = Timestamp::start_of_utc_day(Clock::system().now().utc_day() + 1);
    outcome.require(claimed.body["data"]["next_claim_at"] == json!(tomorrow), || {
        format!("the daily coins are {} {}", claimed.status, claimed.text)
    });
    outcome.requests += 2;
    let panics = site.program().log().lines().filter(|line| line.contains("panicked")).count();
    outcome.require(panics == 0, || format!("{panics} panics in the log"));
    outcome
}
