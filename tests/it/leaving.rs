//! What is left of somebody who deleted their account, and what they find when they come back.

use serde_json::{Value, json};

use crate::chat_rooms::public_room;
use crate::harness::{Fan, OPERATOR_TOKEN, Reply, TestApp};

const PHONE: &str = "+447700900123";
const NEW_PHONE: &str = "+447700900124";
const TRIED_PHONE: &str = "+447700900125";
const PENDING_PHONE: &str = "+447700900126";

async fn post(app: &TestApp, fan: &Fan, path: &str, body: Value) -> Reply {
    let call = app.client.post(path).token(&fan.token).json(body);
    call.header("idempotency-key", path).send().await
}

async fn rename(app: &TestApp, fan: &Fan, name: &str) -> Reply {
    post(app, fan, "/api/auth/update-user-info", json!({"username": name})).await
}

async fn delete(app: &TestApp, fan: &Fan) {
    app.client.delete("/api/auth/me").token(&fan.token).send().await.expect(200);
}

async fn move_to(app: &TestApp, fan: &Fan, phone: &str) {
    post(app, fan, "/api/auth/verify-phone/initiate", json!({"phone": phone})).await.expect(200);
    let body = json!({"phone": phone, "code": app.last_code(phone).await});
    post(app, fan, "/api/auth/verify-phone", body).await.expect(200);
}

async fn balance(app: &TestApp, fan: &Fan) -> Value {
    let reply = app.client.get("/api/auth/coins").token(&fan.token).send().await.expect(200);
    reply.body["data"]["balance"].clone()
}

async fn claim(app: &TestApp, fan: &Fan) -> Reply {
    app.client.post("/api/auth/daily-coins").token(&fan.token).send().await
}

async fn is_available(app: &TestApp, name: &str) -> Value {
    let body = json!({"username": name});
    let reply = app.client.post("/api/auth/username/check").json(body).send().await.expect(200);
    reply.body["available"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_in_the_database_tells_who_somebody_was_who_left() {
    let app = TestApp::with(&[("TOUCHLINE_DEMO_DATA", "true")]).await;
    let code = app.request_code(PHONE).await;
    let body = json!({"phone": PHONE, "code": code, "device_name": "Adas Taschentelefon"});
    let reply = app.client.post("/api/code/verify").json(body).send().await.expect(200);
    let fan = Fan::of(&reply.body["data"]);
    let profile = json!({"name": "Ada Lovelace", "email": "ada@example.org",
        "date_of_birth": "1990-12-10", "username": "countess_ada"});
    post(&app, &fan, "/api/auth/update-user-info", profile).await.expect(200);
    public_room(&app, &fan, "Away end").await;
    post(&app, &fan, "/api/auth/chat-room", json!({"name": "Once"})).await.expect(201);
    let spent = json!({"amount": 5, "reason": "shop", "reference_id": "scarf"});
    post(&app, &fan, "/api/auth/coins/deduct", spent).await.expect(200);
    post(&app, &fan, "/api/auth/daily-coins", json!({})).await.expect(200);
    move_to(&app, &fan, NEW_PHONE).await;
    for phone in [TRIED_PHONE, PENDING_PHONE] {
        let body = json!({"phone": phone});
        post(&app, &fan, "/api/auth/verify-phone/initiate", body).await.expect(200);
    }
    let path = format!("/api/admin/users/{}/coins", fan.id);
    let body = json!({"amount": 1, "reason": "goodwill"});
    app.client.post(&path).token(OPERATOR_TOKEN).json(body).send().await.expect(200);
    app.run_jobs().await;
    delete(&app, &fan).await;
    // Until the homeserver has closed the chat account, the outbox has to know it.
    app.run_jobs().await;
    let dump = app.dump().await;
    for trace in [
        "7700900123",
        "7700900124",
        "7700900125",
        "7700900126",
        "countess_ada",
        fan.username.as_str(),
        "lovelace",
        "ada@example.org",
        "1990-12-10",
        "taschentelefon",
    ] {
        let left: Vec<&str> =
            dump.lines().filter(|line| line.to_lowercase().contains(trace)).collect();
        assert!(left.is_empty(), "{trace} in {left:#?}");
    }
    assert_eq!(app.count("SELECT count(*) FROM idempotency_keys").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn leaving_takes_nothing_of_others_out_of_the_sms_log() {
    let app = TestApp::new().await;
    let (fan, other) = (app.log_in(PHONE).await, app.log_in(NEW_PHONE).await);
    let body = json!({"phone": NEW_PHONE});
    post(&app, &fan, "/api/auth/verify-phone/initiate", body).await.expect(200);
    delete(&app, &fan).await;
    let path = format!("/api/logs/sms?phone={}", NEW_PHONE.replace('+', "%2B"));
    let log = app.client.get(&path).send().await.expect(200);
    assert_eq!(log.body["data"].as_array().unwrap().len(), 1, "{}", log.text);
    app.client.get("/api/auth/me").token(&other.token).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn coming_back_gives_no_second_welcome_and_no_second_bonus_that_day() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    claim(&app, &fan).await.expect(200);
    delete(&app, &fan).await;
    for _ in 0..2 {
        let back = app.log_in(PHONE).await;
        assert_eq!(balance(&app, &back).await, 0);
        claim(&app, &back).await.expect_error(400, "already_claimed");
        delete(&app, &back).await;
    }
    app.advance(12 * 3_600);
    let back = app.log_in(PHONE).await;
    let reply = claim(&app, &back).await.expect(200);
    assert_eq!(
        (&reply.body["data"]["streak_days"], balance(&app, &back).await),
        (&json!(1), json!(50))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_back_after_the_time_that_leaving_is_remembered_is_new() {
    let kept = ("TOUCHLINE_COINS__LEAVERS_KEPT_DAYS", "30");
    let app = TestApp::with(&[kept]).await;
    let fan = app.log_in(PHONE).await;
    delete(&app, &fan).await;
    app.advance(29 * 86_400);
    app.run_jobs().await;
    let back = app.log_in(PHONE).await;
    assert_eq!(balance(&app, &back).await, 0);
    delete(&app, &back).await;
    app.advance(30 * 86_400);
    app.run_jobs().await;
    assert_eq!(app.count("SELECT count(*) FROM coin_leavers").await, 0);
    assert_eq!(balance(&app, &app.log_in(PHONE).await).await, 500);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_moved_to_another_phone_before_leaving_is_known_by_that_one() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    move_to(&app, &fan, NEW_PHONE).await;
    delete(&app, &fan).await;
    assert_eq!(balance(&app, &app.log_in(NEW_PHONE).await).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_phone_of_a_deleted_account_is_free_and_its_username_is_not() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    rename(&app, &fan, "ada_fan").await.expect(200);
    delete(&app, &fan).await;
    assert_eq!(is_available(&app, "Ada_Fan").await, false);
    let again = app.log_in(PHONE).await;
    assert_ne!(again.id, fan.id);
    rename(&app, &again, "ada_fan").await.expect_invalid("username");
    let code = app.request_code(NEW_PHONE).await;
    let body = json!({"phone": NEW_PHONE, "code": code, "username": "ada_fan"});
    app.client.post("/api/code/verify").json(body).send().await.expect_invalid("username");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_was_given_up_for_another_is_not_given_to_anybody() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    rename(&app, &fan, "ada_fan").await.expect(200);
    assert_eq!(is_available(&app, &fan.username).await, false);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_name_of_somebody_who_left_is_not_suggested() {
    let app = TestApp::new().await;
    // All but the names that the first round can make are gone.
    for (number, ending) in (1_u32..).zip([
        "fan", "fc", "live", "goals", "away", "home", "united", "city", "ultra", "matchday",
        "stands", "terrace", "striker", "keeper", "winger", "captain", "derby", "kickoff",
    ]) {
        let phone = TestApp::phone(number);
        let code = app.request_code(&phone).await;
        let body = json!({"phone": phone, "code": code, "username": format!("ada_{ending}")});
        let reply = app.client.post("/api/code/verify").json(body).send().await.expect(200);
        delete(&app, &Fan::of(&reply.body["data"])).await;
    }
    let body = json!({"base": "ada", "include_numbers": false});
    let reply = app.client.post("/api/auth/username/generate").json(body).send().await.expect(200);
    let names: Vec<String> = serde_json::from_value(reply.body["suggestions"].clone()).unwrap();
    assert_eq!(names.len(), 5, "{names:?}");
    for name in names {
        assert_eq!(is_available(&app, &name).await, true, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_hash_of_a_closed_name_can_be_guessed_without_the_key() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    rename(&app, &fan, "ada_fan").await.expect(200);
    delete(&app, &fan).await;
    assert_eq!(app.count("SELECT count(*) FROM closed_usernames").await, 2);
    let plain = touchline::platform::tokens::hash("ada_fan").to_vec();
    let find = "SELECT count(*) FROM closed_usernames WHERE name_hash = $1";
    let found: i64 = app
        .app
        .db
        .read(move |tx| tx.one(find, touchline::platform::db::params![plain]))
        .await
        .unwrap();
    assert_eq!(found, 0);
}
