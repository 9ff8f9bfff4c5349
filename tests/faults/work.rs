//! Work outside requests, where those it needs are away, slow or silent.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use touchline::platform::clock::{Clock, Timestamp};

use crate::Scale;
use crate::harness::{Client, OPERATOR_TOKEN, TestApp, escape};
use crate::load;
use crate::neighbours::{SECRET, until};
use crate::outcome::Outcome;
use crate::site::Site;
use crate::stand_in::{Mood, StandIn};

async fn operate(client: &Client, path: &str, body: Value) -> Value {
    let reply = client.post(path).token(OPERATOR_TOKEN).json(body).send().await;
    assert!(reply.status < 300, "{path}: {} {}", reply.status, reply.text);
    reply.body["data"].clone()
}

fn soon(milliseconds: i64) -> Timestamp {
    Clock::system().now().plus_ms(milliseconds)
}

/// As after hours of failures, which nobody wants to wait for here.
const LONG_AWAY: &str =
    "UPDATE jobs SET attempts = 40, run_at = run_at + 600000 WHERE last_error IS NOT NULL";

/// A homeserver and a webhook's receiver were away for hours: the match's room comes, and what was announced is sent again.
pub async fn back_after_hours(_: Scale) -> Outcome {
    let other = Site::on_sqlite(&[SECRET]);
    let address = other.client().address().parse().unwrap();
    let mut homeserver = StandIn::start(Mood::Refusing).await;
    homeserver.turn(Mood::Refusing).await;
    let mut receiver = StandIn::start(Mood::Refusing).await;
    receiver.turn(Mood::Refusing).await;
    let url = homeserver.url();
    let site = Site::on_sqlite(&[SECRET, ("TOUCHLINE_MATRIX__HOMESERVER_URL", &url)]);
    let client = site.client();
    let mut outcome = Outcome { times: 2, requests: 5, ..Outcome::default() };
    let webhook = operate(&client, "/api/admin/webhooks", json!({"url": receiver.url()})).await;
    let event = load::import(&client, &soon(500).to_string()).await;
    let failing = "SELECT count(DISTINCT kind) FROM jobs
                   WHERE last_error IS NOT NULL AND lease IS NULL AND kind IN ('chat_event_room', 'webhook_deliver')";
    let since = Instant::now();
    until(since, || async { site.books().count(failing).await == 2 }).await;
    site.books().change(LONG_AWAY).await;
    homeserver.turn(Mood::Forwarding(address)).await;
    receiver.turn(Mood::answering("200 OK", "{}")).await;
    let back = Instant::now();
    let replay = format!("/api/admin/webhooks/{}/replay", webhook["id"]);
    let replayed = operate(&client, &replay, json!({})).await;
    let delivered = "SELECT count(*) FROM webhook_deliveries WHERE state = 'delivered'";
    until(back, || async { site.books().count(delivered).await > 0 }).await;
    outcome.require(replayed["messages"] != 0, || format!("a replay of nothing: {replayed}"));
    let jobs = client.get("/api/admin/jobs?lane=chat&state=failing").token(OPERATOR_TOKEN);
    for job in jobs.send().await.expect(200).body["data"].as_array().unwrap() {
        operate(&client, &format!("/api/admin/jobs/{}/retry", job["id"]), json!({})).await;
    }
    let room =
        format!("SELECT count(*) FROM events WHERE id = {event} AND chat_room_id IS NOT NULL");
    until(back, || async { site.books().count(&room).await == 1 }).await;
    outcome.healed(back.elapsed());
    outcome.note("a webhook replayed and a match room opened after 40 failures");
    outcome
}

/// Somebody is blocked while the list with the one before is on its way, again and again: in the end all of them are ignored.
pub async fn asked_while_running(scale: Scale) -> Outcome {
    let other = Site::on_sqlite(&[SECRET]);
    let address = other.client().address().parse().unwrap();
    let mut homeserver = StandIn::start(Mood::Forwarding(address)).await;
    let url = homeserver.url();
    let site = Site::on_sqlite(&[SECRET, ("TOUCHLINE_MATRIX__HOMESERVER_URL", &url)]);
    let client = site.client();
    let mut outcome = Outcome { times: scale.of(10, 3), ..Outcome::default() };
    let ada = load::log_in(&client, &TestApp::phone(1)).await;
    let (token, credentials) = (ada["token"].as_str().unwrap(), &ada["matrix_credentials"]);
    let (mut blocked, mut caught) = (Vec::new(), 0);
    for number in 0..outcome.times {
        let pair = [2 * number + 10, 2 * number + 11];
        for phone in pair {
            blocked.push(load::log_in(&client, &TestApp::phone(phone)).await);
        }
        homeserver.turn(Mood::Slow(address, Duration::from_millis(400))).await;
        for fan in &blocked[blocked.len() - 2..] {
            let running =
                "SELECT count(*) FROM jobs WHERE kind = 'chat_account' AND lease IS NOT NULL";
            let path = format!("/api/auth/users/{}/block", fan["user"]["id"]);
            client.post(&path).token(token).send().await.expect(200);
            outcome.requests += 1;
            // In the middle of the call, if it has to be connected anew.
            tokio::time::sleep(Duration::from_millis(200)).await;
            caught += site.books().count(running).await;
        }
        // Long enough for what is under way: turning ends connections.
        tokio::time::sleep(Duration::from_secs(1)).await;
        homeserver.turn(Mood::Forwarding(address)).await;
    }
    let id = credentials["user_id"].as_str().unwrap();
    let path = format!("/_matrix/client/v3/user/{}/account_data/m.ignored_user_list", escape(id));
    let access = credentials["access_token"].as_str().unwrap();
    let ignored = || async {
        let reply = other.client().get(&path).token(access).send().await;
        reply.body["ignored_users"].as_object().map_or(0, serde_json::Map::len)
    };
    let took = until(Instant::now(), || async { ignored().await == blocked.len() }).await;
    outcome.require(caught > 0, || "no job was running when it was asked for again".to_owned());
    outcome.note(&format!("all were ignored {} ms after the last", took.as_millis()));
    let found = ignored().await;
    outcome.lost = u64::try_from(blocked.len() - found.min(blocked.len())).unwrap();
    outcome.acknowledged = outcome.requests;
    outcome
}

const SILENT: usize = 6;
const LONGEST_LAG_MS: i64 = 1_000;

/// Receivers that take every connection and never answer: kick-offs and all other lanes are on time.
pub async fn silent_receivers(scale: Scale) -> Outcome {
    let receiver = StandIn::start(Mood::Hanging).await;
    let site = Site::on_sqlite(&[]);
    let client = site.client();
    let mut outcome = Outcome { times: scale.of(10, 4), ..Outcome::default() };
    for _ in 0..SILENT {
        operate(&client, "/api/admin/webhooks", json!({"url": receiver.url()})).await;
    }
    let mut longest = 0;
    let mut latest = 0;
    for _ in 0..outcome.times {
        let start = soon(1_000);
        let event = load::import(&client, &start.to_string()).await;
        let path = format!("/api/admin/events/{event}");
        client
            .patch(&path)
            .token(OPERATOR_TOKEN)
            .json(json!({"start_time": start.to_string(), "status": "scheduled"}))
            .send()
            .await
            .expect(200);
        outcome.requests += 2;
        let is_live = format!("SELECT count(*) FROM events WHERE id = {event} AND status = 'live'");
        let began = Instant::now();
        while site.books().count(&is_live).await == 0 && began.elapsed() < Duration::from_secs(20) {
            let overview = client.get("/api/admin/overview").token(OPERATOR_TOKEN).send().await;
            for lane in overview.body["data"]["jobs"]["lanes"].as_array().unwrap() {
                if lane["lane"] != "webhooks" {
                    longest = longest.max(lane["lag_ms"].as_i64().unwrap());
                }
            }
            outcome.requests += 1;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        latest = latest.max(Clock::system().now().millis_since(start));
    }
    let hung = "SELECT count(*) FROM jobs WHERE kind = 'webhook_deliver' AND (lease IS NOT NULL OR last_error IS NOT NULL)";
    let hung = site.books().count(hung).await;
    outcome.require(hung > 0, || "no delivery was under way".to_owned());
    outcome.require(longest < LONGEST_LAG_MS, || format!("another lane was {longest} ms late"));
    outcome.require(latest < 3_000, || format!("a kick-off was {latest} ms late"));
    outcome.note(&format!(
        "{SILENT} silent receivers; other lanes at most {longest} ms late, kick-offs {latest} ms"
    ));
    outcome
}
