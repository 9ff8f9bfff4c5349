//! Tokens and sessions.

use serde_json::json;

use crate::harness::{Fan, TestApp};

const PHONE: &str = "+447700900123";
const DAY: u64 = 24 * 3_600;

async fn status_of(app: &TestApp, token: &str) -> u16 {
    app.client.get("/api/auth/me").token(token).send().await.status
}

async fn sessions(app: &TestApp, fan: &Fan) -> Vec<serde_json::Value> {
    let reply = app.client.get("/api/auth/sessions").token(&fan.token).send().await.expect(200);
    reply.body["data"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_valid_token_a_guarded_call_is_401() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    app.client.get("/api/auth/me").send().await.expect_error(401, "unauthenticated");
    let mut broken = fan.token.clone();
    broken.pop();
    for token in ["", "tl_", "x", broken.as_str()] {
        let reply = app.client.get("/api/auth/me").token(token).send().await;
        reply.expect_error(401, "unauthenticated");
    }
    let basic =
        app.client.get("/api/auth/me").header("authorization", &format!("Basic {}", fan.token));
    basic.send().await.expect_error(401, "unauthenticated");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_hash_of_the_token_is_stored() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    assert!(!app.dump().await.contains(&fan.token));
}

#[tokio::test(flavor = "multi_thread")]
async fn logging_out_ends_this_session_and_no_other() {
    let app = TestApp::new().await;
    let (one, other) = (app.log_in(PHONE).await, app.log_in(PHONE).await);
    app.client.post("/api/auth/logout").token(&one.token).send().await.expect(200);
    assert_eq!(status_of(&app, &one.token).await, 401);
    assert_eq!(status_of(&app, &other.token).await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_listed_newest_first_with_the_current_one_marked() {
    let app = TestApp::new().await;
    let first = app.log_in(PHONE).await;
    let code = app.request_code(PHONE).await;
    let body = json!({"phone": PHONE, "code": code, "device_name": "Ada's phone"});
    app.client.post("/api/code/verify").json(body).send().await.expect(200);
    let listed = sessions(&app, &first).await;
    assert_eq!(listed.len(), 2);
    assert_eq!(listed[0]["device_name"], "Ada's phone");
    assert_eq!((&listed[0]["is_current"], &listed[1]["is_current"]), (&json!(false), &json!(true)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_can_be_revoked_by_its_user_alone() {
    let app = TestApp::new().await;
    let (one, other) = (app.log_in(PHONE).await, app.log_in(PHONE).await);
    let stranger = app.log_in("+447700900999").await;
    let id = sessions(&app, &one).await[0]["id"].as_i64().unwrap();
    let path = format!("/api/auth/sessions/{id}");
    app.client.delete(&path).token(&stranger.token).send().await.expect_error(404, "not_found");
    app.client.delete(&path).token(&one.token).send().await.expect(200);
    app.client.delete(&path).token(&one.token).send().await.expect_error(404, "not_found");
    assert_eq!(status_of(&app, &other.token).await, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_other_sessions_can_be_revoked_at_once() {
    let app = TestApp::new().await;
    let (one, other) = (app.log_in(PHONE).await, app.log_in(PHONE).await);
    app.client.delete("/api/auth/sessions").token(&one.token).send().await.expect(200);
    assert_eq!(status_of(&app, &one.token).await, 200);
    assert_eq!(status_of(&app, &other.token).await, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_id_of_the_wrong_form_is_404() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    for id in ["x", "-1", "0", "1.5", "99999999999999999999", "%00"] {
        let call = app.client.delete(&format!("/api/auth/sessions/{id}")).token(&fan.token);
        call.send().await.expect_error(404, "not_found");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unused_token_expires_after_the_idle_time() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    app.advance(89 * DAY);
    assert_eq!(status_of(&app, &fan.token).await, 200);
    app.advance(89 * DAY);
    assert_eq!(status_of(&app, &fan.token).await, 200);
    app.advance(90 * DAY);
    assert_eq!(status_of(&app, &fan.token).await, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_in_daily_use_still_ends_at_its_greatest_age() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    for _ in 0..8 {
        app.advance(45 * DAY);
        assert_eq!(status_of(&app, &fan.token).await, 200);
    }
    app.advance(5 * DAY);
    assert_eq!(status_of(&app, &fan.token).await, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn expired_sessions_are_forgotten() {
    let app = TestApp::new().await;
    app.log_in(PHONE).await;
    app.advance(91 * DAY);
    app.run_jobs().await;
    assert_eq!(app.count("SELECT count(*) FROM sessions").await, 0);
}
