//! Chat over crashes and outages: of this service, and of the homeserver. And a real client on issued credentials.

use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use touchline::app;
use touchline::platform::config::Config;

use crate::chat_rooms::{create, entry, public_room};
use crate::harness::{
    Chatter, Client, Fan, Program, Synapse, TestApp, escape, eventually, free_address,
    fresh_database_url, synapse_python, variables,
};

const ADA: &str = "+447700900123";
const BEN: &str = "+447700900124";

pub async fn log_in(client: &Client, phone: &str, homeserver: &str) -> (Fan, Chatter) {
    client.post("/api/code/request").json(json!({"phone": phone})).send().await.expect(200);
    let log = client.get(&format!("/api/logs/sms?phone={}", escape(phone))).send().await;
    let body = json!({"phone": phone, "code": log.body["data"][0]["code"]});
    let data =
        client.post("/api/code/verify").json(body).send().await.expect(200).body["data"].clone();
    (Fan::of(&data), Chatter::of(&data["matrix_credentials"], homeserver))
}

pub async fn member_count(client: &Client, fan: &Fan, room: &str) -> Value {
    let reply = client.get("/api/auth/chat-rooms").token(&fan.token).send().await.expect(200);
    let rooms = reply.body["data"].as_array().unwrap().clone();
    let found = rooms.into_iter().find(|entry| entry["room_id"] == json!(room));
    found.map_or(Value::Null, |entry| entry["member_count"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_happened_on_the_network_is_lost_or_counted_twice_over_kill_9() {
    let (folder, database) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let address = free_address();
    let settings = [("TOUCHLINE_LISTEN", address.as_str())];
    let mut program = Program::start(&folder, &database, &settings);
    let base = program.client.base().to_owned();
    let (ada, owner) = log_in(&program.client, ADA, &base).await;
    let call = program.client.post("/api/auth/chat-room").token(&ada.token);
    let room = call.json(json!({"name": "Away end"})).send().await.expect(201);
    let room = room.body["data"]["room_id"].as_str().unwrap().to_owned();
    let (_, chatter) = log_in(&program.client, BEN, &base).await;
    let (join, leave) =
        (format!("/join/{}", escape(&room)), format!("/rooms/{}/leave", escape(&room)));
    for _ in 0..3 {
        chatter.post(&join, json!({})).await.expect(200);
        chatter.post(&leave, json!({})).await.expect(200);
        chatter.post(&join, json!({})).await.expect(200);
        // In the middle of the pushes.
        program.kill();
        program = Program::start(&folder, &database, &settings);
        chatter.post(&leave, json!({})).await.expect(200);
        owner.say(&room, "Still here").await;
    }
    chatter.post(&join, json!({})).await.expect(200);
    let client = &program.client;
    eventually(|| async { (member_count(client, &ada, &room).await == 2).then_some(()) }).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(member_count(client, &ada, &room).await, 2);
}

mod needs_synapse {
    use super::*;

    fn no_synapse() -> ! {
        panic!(
            "this test needs Synapse: run `make synapse`, or a command under scripts/with-synapse"
        )
    }

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs Synapse"]
    async fn a_homeserver_that_was_away_is_used_again_when_it_is_back() {
        let mut app = TestApp::new().await;
        let Some(mut synapse) = app.synapse.take() else { no_synapse() };
        let (ada, _) = app.chatter(ADA).await;
        let room = public_room(&app, &ada, "Before").await;
        synapse.stop();
        create(&app, &ada, json!({"name": "During"})).await.expect_error(503, "chat_unavailable");
        let code = app.request_code(BEN).await;
        let started = std::time::Instant::now();
        let body = json!({"phone": BEN, "code": code});
        let reply = app.client.post("/api/code/verify").json(body).send().await.expect(200);
        assert_eq!(reply.body["data"]["matrix_credentials"], Value::Null);
        assert!(started.elapsed() < Duration::from_secs(2));
        let ben = Fan::of(&reply.body["data"]);
        synapse.run().await;
        let issue = || async {
            let call =
                app.client.post("/api/auth/matrix-credentials").token(&ben.token).send().await;
            (call.status == 200).then(|| call.body["data"]["matrix_credentials"].clone())
        };
        let chatter = Chatter::of(&eventually(issue).await, app.homeserver());
        chatter.post(&format!("/join/{}", escape(&room)), json!({})).await.expect(200);
        let joined =
            || async { entry(&app, &ben, &room).await.filter(|entry| entry["member_count"] == 2) };
        eventually(joined).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs Synapse"]
    async fn what_synapse_could_not_push_arrives_after_our_start() {
        let Some(python) = synapse_python() else { no_synapse() };
        let (folder, database) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
        let address = free_address();
        let listen = ("TOUCHLINE_LISTEN", address.as_str());
        let mut config = config(&folder, &database, &[listen]);
        let synapse = Synapse::start(python, &mut config).await;
        let settings = [listen, ("TOUCHLINE_MATRIX__HOMESERVER_URL", synapse.url.as_str())];
        let program = Program::start(&folder, &database, &settings);
        let (ada, owner) = log_in(&program.client, ADA, &synapse.url).await;
        let (ben, chatter) = log_in(&program.client, BEN, &synapse.url).await;
        let call = program.client.post("/api/auth/chat-room").token(&ada.token);
        let room = call.json(json!({"name": "Away end"})).send().await.expect(201);
        let room = room.body["data"]["room_id"].as_str().unwrap().to_owned();
        program.kill();
        chatter.post(&format!("/join/{}", escape(&room)), json!({})).await.expect(200);
        owner.set_state(&room, "m.room.name", json!({"name": "While you were away"})).await;
        // Synapse has begun to wait longer and longer between its tries.
        tokio::time::sleep(Duration::from_secs(4)).await;
        let program = Program::start(&folder, &database, &settings);
        let client = &program.client;
        eventually(|| async { (member_count(client, &ben, &room).await == 2).then_some(()) }).await;
        let doctor =
            Program::command(&folder, &database, &settings).arg("doctor").output().unwrap();
        let said = String::from_utf8_lossy(&doctor.stdout).into_owned();
        assert!(doctor.status.success() && said.contains("All is well."), "{said}");
    }
}

fn config(folder: &TempDir, database: &str, settings: &[(&str, &str)]) -> Config {
    app::load_config(None, variables(folder, database, settings).into_iter()).unwrap()
}

/// Runs the doctor and gives its exit code and what it said.
fn doctor(folder: &TempDir, database: &str, settings: &[(&str, &str)]) -> (Option<i32>, String) {
    let output = Program::command(folder, database, settings).arg("doctor").output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_says_what_is_wrong() {
    let (folder, database) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let address = free_address();
    let listen = ("TOUCHLINE_LISTEN", address.as_str());
    let (code, said) = doctor(&folder, &database, &[listen]);
    assert_eq!(code, Some(1));
    assert!(said.contains("is `touchline serve` running?"), "{said}");
    let program = Program::start(&folder, &database, &[listen]);
    let (code, said) = doctor(&folder, &database, &[listen]);
    assert!(code == Some(0) && said.contains("All is well."), "{said}");
    assert!(said.contains("embedded homeserver and is not federated"), "{said}");
    let url = program.client.base().to_owned();
    let elsewhere = ("TOUCHLINE_MATRIX__HOMESERVER_URL", url.as_str());
    let wrong_token = ("TOUCHLINE_MATRIX__AS_TOKEN", "wrong");
    let (_, said) = doctor(&folder, &database, &[elsewhere, wrong_token]);
    assert!(said.contains("does not know our as_token"), "{said}");
    let wrong_name = ("TOUCHLINE_MATRIX__SERVER_NAME", "example.org");
    let (_, said) = doctor(&folder, &database, &[elsewhere, wrong_name]);
    assert!(said.contains("matrix.server_name"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_registration_names_this_service() {
    let folder = tempfile::tempdir().unwrap();
    let settings = [("TOUCHLINE_MATRIX__APPSERVICE_URL", "https://api.example.org")];
    let output =
        Program::command(&folder, "", &settings).arg("matrix-registration").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("url: \"https://api.example.org\""), "{text}");
    assert!(text.contains("exclusive: false\n      regex: \"@.*:localhost$\""), "{text}");
    assert!(text.contains("rate_limited: false"), "{text}");
}

mod needs_nio {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs matrix-nio"]
    async fn matrix_nio_works_with_issued_credentials() {
        let Ok(python) = std::env::var("TOUCHLINE_TEST_NIO") else {
            panic!(
                "this test needs matrix-nio: run `make synapse`, or a command under scripts/with-synapse"
            )
        };
        let app = TestApp::new().await;
        let (ada, one) = app.chatter(ADA).await;
        let (_, other) = app.chatter(BEN).await;
        let room = public_room(&app, &ada, "Away end").await;
        let client = |chatter: &Chatter| json!({"user_id": chatter.id, "access_token": chatter.token, "device_id": chatter.device});
        let task = json!({"homeserver": app.homeserver(), "room": room, "one": client(&one), "other": client(&other)});
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/harness/nio_chat.py");
        let run = tokio::task::spawn_blocking(move || {
            Command::new(python).arg(script).arg(task.to_string()).output().unwrap()
        });
        let output = run.await.unwrap();
        let said = format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(output.status.success() && said.contains("received: Evening all"), "{said}");
        let joined =
            || async { entry(&app, &ada, &room).await.filter(|entry| entry["member_count"] == 2) };
        eventually(joined).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_wait_for_news_take_no_place_from_the_api() {
    let settings =
        [("TOUCHLINE_HTTP__MAX_IN_FLIGHT", "3"), ("TOUCHLINE_HTTP__HANDLER_TIMEOUT_MS", "2500")];
    let app = TestApp::with(&settings).await;
    let (ada, chatter) = app.chatter(ADA).await;
    let since = chatter.get("/sync?timeout=0").await.expect(200).body["next_batch"].clone();
    let wait = format!("/sync?timeout=3000&since={}", since.as_str().unwrap());
    let waiting = futures_util::future::join_all((0..8).map(|_| chatter.get(&wait)));
    let working = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        app.client.get("/api/auth/me").token(&ada.token).send().await.status
    };
    let started = std::time::Instant::now();
    let (waited, worked) = tokio::join!(waiting, working);
    assert_eq!(worked, 200);
    assert!(waited.iter().all(|reply| reply.status == 200), "{waited:?}");
    assert!(
        started.elapsed() > Duration::from_millis(2_600),
        "they waited longer than a handler may"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_waits_for_news_does_not_hold_up_the_end() {
    let (folder, database) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let mut program = Program::start(&folder, &database, &[]);
    let (_, chatter) = log_in(&program.client, ADA, program.client.base()).await;
    let since = chatter.get("/sync?timeout=0").await.expect(200).body["next_batch"].clone();
    let wait = format!("/sync?timeout=30000&since={}", since.as_str().unwrap());
    let waiting = tokio::spawn(async move { chatter.get(&wait).await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    program.terminate();
    assert_eq!(program.exit_code(Duration::from_secs(5)), Some(0));
    let reply = waiting.await.unwrap();
    assert_eq!((reply.status, &reply.body["errcode"]), (503, &json!("M_UNKNOWN")));
}
