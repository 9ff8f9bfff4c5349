//! Devices and what they are told.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use touchline::features::predictions::Outcome;
use web_push_native::p256::SecretKey;
use web_push_native::p256::elliptic_curve::sec1::ToEncodedPoint as _;

use crate::harness::{Delivery, Fan, OPERATOR_TOKEN, PushService, Reply, TestApp};
use crate::leagues::make;
use crate::predictions::{get, pick, place};
use crate::settlement::finish;
use crate::stream::{kick_off, score, two_matches};

/// For services that the tests play themselves.
const HERE: (&str, &str) = ("TOUCHLINE_PUSH__ALLOWS_PRIVATE_NETWORKS", "true");
pub const AUTH: [u8; 16] = [7; 16];

pub fn browser_key() -> SecretKey {
    SecretKey::from_slice(&[9; 32]).unwrap()
}

pub async fn register(app: &TestApp, fan: &Fan, body: Value) -> Reply {
    app.client.post("/api/auth/devices").token(&fan.token).json(body).send().await
}

/// A server of the app's own, which is the simplest of all devices.
pub async fn plain_device(app: &TestApp, fan: &Fan, service: &PushService) -> Value {
    let address = format!("{}/{}", service.url, fan.id);
    let body = json!({"kind": "http", "address": address});
    register(app, fan, body).await.expect(201).body["data"].clone()
}

pub async fn browser(app: &TestApp, fan: &Fan, service: &PushService) -> Value {
    let point = browser_key().public_key().to_encoded_point(false);
    let body = json!({
        "kind": "webpush", "address": format!("{}/browser", service.url),
        "p256dh": URL_SAFE_NO_PAD.encode(point.as_bytes()), "auth": URL_SAFE_NO_PAD.encode(AUTH),
    });
    register(app, fan, body).await.expect(201).body["data"].clone()
}

pub async fn want(app: &TestApp, fan: &Fan, body: Value) -> Value {
    let call = app.client.patch("/api/auth/push/settings").token(&fan.token).json(body);
    call.send().await.expect(200).body["data"].clone()
}

pub async fn devices(app: &TestApp, fan: &Fan) -> Vec<Value> {
    get(app, fan, "/api/auth/devices").await.expect(200).body["data"].as_array().unwrap().clone()
}

pub async fn tell(app: &TestApp, body: Value) -> Value {
    let call = app.client.post("/api/admin/push/messages").token(OPERATOR_TOKEN).json(body);
    let told = call.send().await.expect(201).body["data"].clone();
    app.run_jobs().await;
    told
}

pub fn hello() -> Value {
    json!({"title": "Hello", "body": "The cup begins."})
}

pub async fn follow(app: &TestApp, fan: &Fan, team: i64) {
    let call = app.client.post("/api/auth/teams/primary").token(&fan.token);
    call.json(json!({"team_id": team})).send().await.expect(200);
}

/// Titles of what a server of the app's own was told.
pub fn titles(calls: &[Delivery]) -> Vec<String> {
    calls.iter().map(|call| call.json()["title"].as_str().unwrap().to_owned()).collect()
}

pub async fn with_service() -> (TestApp, PushService) {
    (TestApp::with(&[HERE]).await, PushService::start().await)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reminder_comes_at_its_time_and_only_without_a_prediction() {
    let (app, service) = with_service().await;
    let (first, _) = two_matches(&app).await;
    let team = get_team(&app, "north").await;
    let (ada, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    for fan in [&ada, &ben] {
        follow(&app, fan, team).await;
        plain_device(&app, fan, &service).await;
        want(&app, fan, json!({"remind_minutes": 30})).await;
    }
    assert!(place(&app, ben.id, first, pick(Outcome::Home, None, 50)).await);
    app.advance(29 * 60);
    app.run_jobs().await;
    assert_eq!(service.taken().len(), 0);
    app.advance(60);
    app.run_jobs().await;
    let calls = service.taken();
    assert_eq!(titles(&calls), ["Your prediction is missing, kick-off in 30 minutes"]);
    assert_eq!(calls[0].path, format!("/{}", ada.id));
    assert_eq!(calls[0].json()["data"]["event_ids"], json!([first]));
    app.advance(60);
    app.run_jobs().await;
    assert_eq!(service.taken().len(), 0, "nobody is reminded twice");
}

pub async fn get_team(app: &TestApp, slug: &'static str) -> i64 {
    app.app
        .db
        .read(move |tx| {
            tx.one("SELECT id FROM teams WHERE slug = $1", touchline::platform::db::params![slug])
        })
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prediction_that_is_made_before_a_reminder_is_sent_stops_it() {
    let (app, service) = with_service().await;
    let (first, _) = two_matches(&app).await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    follow(&app, &ada, get_team(&app, "north").await).await;
    plain_device(&app, &ada, &service).await;
    service.answer_next_with(429, ("retry-after", "60"), Value::Null);
    app.run_jobs().await;
    assert_eq!(service.taken().len(), 1);
    assert!(place(&app, ada.id, first, pick(Outcome::Home, None, 50)).await);
    app.advance(61);
    app.run_jobs().await;
    assert_eq!(service.taken().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_of_a_league_are_reminded_of_too() {
    let (app, service) = with_service().await;
    two_matches(&app).await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    let tournament = app.count("SELECT max(id) FROM tournaments").await;
    make(&app, &ada, json!({"name": "Office", "tournament_ids": [tournament]})).await;
    plain_device(&app, &ada, &service).await;
    app.run_jobs().await;
    assert_eq!(titles(&service.taken()), ["2 predictions are missing, kick-off in 60 minutes"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn goals_of_a_minute_are_one_message() {
    let (app, service) = with_service().await;
    let (first, second) = two_matches(&app).await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    follow(&app, &ada, get_team(&app, "north").await).await;
    let other = get_team(&app, "east").await;
    let call = app.client.post("/api/auth/teams/other").token(&ada.token);
    call.json(json!({"team_ids": [other]})).send().await.expect(200);
    plain_device(&app, &ada, &service).await;
    want(&app, &ada, json!({"goal": true, "reminder": false})).await;
    for event in [first, second] {
        kick_off(&app, event).await;
    }
    for (event, home, away) in
        [(first, 1, 0), (second, 0, 1), (first, 1, 1), (first, 2, 1), (second, 0, 2)]
    {
        score(&app, event, home, away).await;
        app.advance(5);
        app.run_jobs().await;
    }
    assert_eq!(service.taken().len(), 0);
    app.advance(60);
    app.run_jobs().await;
    let calls = service.taken();
    assert_eq!(titles(&calls), ["5 goals"]);
    assert_eq!(calls[0].json()["body"], "north 2–1 south\neast 0–2 west");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_says_what_it_earned() {
    let (app, service) = with_service().await;
    let (first, _) = two_matches(&app).await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    plain_device(&app, &ada, &service).await;
    assert!(place(&app, ada.id, first, pick(Outcome::Home, None, 50)).await);
    app.advance(3 * 3_600);
    finish(&app, first, 1, 0).await;
    app.advance(61);
    app.run_jobs().await;
    let calls = service.taken();
    assert_eq!(titles(&calls), ["Full time: 3 points for you"]);
    assert_eq!(calls[0].json()["body"], "north 1–0 south");
}

#[tokio::test(flavor = "multi_thread")]
async fn in_quiet_hours_nothing_is_sent_and_in_the_morning_what_still_counts() {
    let (app, service) = with_service().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    plain_device(&app, &ada, &service).await;
    // It is noon in UTC, and 13:00 in Berlin.
    want(
        &app,
        &ada,
        json!({"quiet_from": "12:30", "quiet_until": "14:00", "zone": "Europe/Berlin"}),
    )
    .await;
    tell(&app, hello()).await;
    assert_eq!(service.taken().len(), 0);
    app.advance(3_601);
    app.run_jobs().await;
    assert_eq!(titles(&service.taken()), ["Hello"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_told_more_often_a_day_than_they_want() {
    let (app, service) = with_service().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    plain_device(&app, &ada, &service).await;
    want(&app, &ada, json!({"most_a_day": 2})).await;
    for _ in 0..3 {
        tell(&app, hello()).await;
    }
    assert_eq!(service.taken().len(), 2);
    app.advance(24 * 3_600);
    tell(&app, hello()).await;
    assert_eq!(service.taken().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_switched_off_is_not_told() {
    let (app, service) = with_service().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    plain_device(&app, &ada, &service).await;
    want(&app, &ada, json!({"message": false})).await;
    tell(&app, hello()).await;
    assert_eq!(service.taken().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operators_message_reaches_those_it_is_for() {
    let (app, service) = with_service().await;
    two_matches(&app).await;
    let (ada, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    let team = get_team(&app, "north").await;
    follow(&app, &ada, team).await;
    for fan in [&ada, &ben] {
        want(&app, fan, json!({"reminder": false})).await;
        plain_device(&app, fan, &service).await;
    }
    tell(&app, json!({"title": "North", "body": "For some.", "team_id": team})).await;
    let paths: Vec<String> = service.taken().into_iter().map(|call| call.path).collect();
    assert_eq!(paths, [format!("/{}", ada.id)]);
    tell(&app, hello()).await;
    assert_eq!(service.taken().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_reads_german_is_told_in_german() {
    let (app, service) = with_service().await;
    two_matches(&app).await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    follow(&app, &ada, get_team(&app, "north").await).await;
    let body = json!({"kind": "http", "address": format!("{}/de", service.url)});
    let call = app.client.post("/api/auth/devices").token(&ada.token);
    call.header("accept-language", "de-AT,en;q=0.5").json(body).send().await.expect(201);
    app.run_jobs().await;
    assert_eq!(titles(&service.taken()), ["Dein Tipp fehlt noch, Anstoß in 60 Minuten"]);
}

/// Ada follows a team of the first of two matches and wants to know of goals alone.
async fn follower_of_goals(app: &TestApp, service: &PushService) -> i64 {
    let (first, _) = two_matches(app).await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    follow(app, &ada, get_team(app, "north").await).await;
    plain_device(app, &ada, service).await;
    want(app, &ada, json!({"goal": true, "reminder": false})).await;
    kick_off(app, first).await;
    first
}

#[tokio::test(flavor = "multi_thread")]
async fn a_goal_that_was_taken_back_is_not_told() {
    let (app, service) = with_service().await;
    let first = follower_of_goals(&app, &service).await;
    for (home, away) in [(1, 0), (0, 0)] {
        score(&app, first, home, away).await;
        app.run_jobs().await;
    }
    app.advance(61);
    app.run_jobs().await;
    assert_eq!(titles(&service.taken()), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kick_off_is_told_to_whoever_wants_it() {
    let (app, service) = with_service().await;
    let (first, _) = two_matches(&app).await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    follow(&app, &ada, get_team(&app, "south").await).await;
    plain_device(&app, &ada, &service).await;
    want(&app, &ada, json!({"kick_off": true, "reminder": false})).await;
    kick_off(&app, first).await;
    app.run_jobs().await;
    app.advance(61);
    app.run_jobs().await;
    let calls = service.taken();
    assert_eq!(titles(&calls), ["Kick-off"]);
    assert_eq!(calls[0].json()["data"], json!({"kind": "kick_off", "event_ids": [first]}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_that_is_put_off_is_reminded_of_before_its_new_time() {
    let (app, service) = with_service().await;
    let (first, _) = two_matches(&app).await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    follow(&app, &ada, get_team(&app, "north").await).await;
    plain_device(&app, &ada, &service).await;
    want(&app, &ada, json!({"remind_minutes": 30})).await;
    let later = json!({"start_time": "2026-11-15T16:00:00Z"});
    let call = app.client.patch(&format!("/api/admin/events/{first}")).token(OPERATOR_TOKEN);
    call.json(later).send().await.expect(200);
    app.advance(31 * 60);
    app.run_jobs().await;
    assert_eq!(service.taken().len(), 0, "it does not begin at one");
    app.advance(3 * 3_600);
    app.run_jobs().await;
    assert_eq!(titles(&service.taken()), ["Your prediction is missing, kick-off in 29 minutes"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_banned_is_told_nothing() {
    let (app, service) = with_service().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    plain_device(&app, &ada, &service).await;
    let ban = json!({"reason": "rude", "minutes": 60});
    let call = app.client.post(&format!("/api/admin/users/{}/ban", ada.id)).token(OPERATOR_TOKEN);
    call.json(ban).send().await.expect(200);
    tell(&app, hello()).await;
    assert_eq!(service.taken().len(), 0);
}
