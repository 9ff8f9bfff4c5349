//! Moving an account to a new phone.

use serde_json::{Value, json};

use crate::harness::{Fan, Reply, TestApp};

const OLD: &str = "+447700900001";
const NEW: &str = "+447700900002";

async fn post(app: &TestApp, fan: &Fan, path: &str, body: Value) -> Reply {
    app.client.post(path).token(&fan.token).json(body).send().await
}

async fn initiate(app: &TestApp, fan: &Fan, phone: &str) -> Reply {
    post(app, fan, "/api/auth/verify-phone/initiate", json!({"phone": phone})).await
}

async fn verify(app: &TestApp, fan: &Fan, phone: &str, code: &str) -> Reply {
    post(app, fan, "/api/auth/verify-phone", json!({"phone": phone, "code": code})).await
}

async fn phone_of(app: &TestApp, fan: &Fan) -> Value {
    let reply = app.client.get("/api/auth/me").token(&fan.token).send().await.expect(200);
    reply.body["data"]["phone"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn verifying_a_new_number_moves_the_account_to_it() {
    let app = TestApp::new().await;
    let fan = app.log_in(OLD).await;
    let begun = initiate(&app, &fan, "+44 7700-900002").await.expect(200);
    assert_eq!(begun.body["data"], json!({"expires_in": 300, "phone": NEW}));
    let code = app.last_code(NEW).await;
    let done = verify(&app, &fan, NEW, &code).await.expect(200);
    assert_eq!(done.body["data"], json!({"verified": true, "phone": NEW}));
    assert_eq!(app.log_in(NEW).await.id, fan.id);
    assert_ne!(app.log_in(OLD).await.id, fan.id);
}

#[tokio::test(flavor = "multi_thread")]
async fn moving_ends_the_other_sessions() {
    let app = TestApp::new().await;
    let (fan, elsewhere) = (app.log_in(OLD).await, app.log_in(OLD).await);
    initiate(&app, &fan, NEW).await.expect(200);
    let code = app.last_code(NEW).await;
    verify(&app, &fan, NEW, &code).await.expect(200);
    app.client.get("/api/auth/me").token(&fan.token).send().await.expect(200);
    app.client.get("/api/auth/me").token(&elsewhere.token).send().await.expect(401);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_sessions_stay_if_the_settings_say_so() {
    let app = TestApp::with(&[("TOUCHLINE_LOGIN__REVOKE_SESSIONS_ON_PHONE_CHANGE", "false")]).await;
    let (fan, elsewhere) = (app.log_in(OLD).await, app.log_in(OLD).await);
    initiate(&app, &fan, NEW).await.expect(200);
    let code = app.last_code(NEW).await;
    verify(&app, &fan, NEW, &code).await.expect(200);
    app.client.get("/api/auth/me").token(&elsewhere.token).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn verifying_the_same_number_again_ends_no_session() {
    let app = TestApp::new().await;
    let (fan, elsewhere) = (app.log_in(OLD).await, app.log_in(OLD).await);
    initiate(&app, &fan, OLD).await.expect(200);
    let code = app.last_code(OLD).await;
    verify(&app, &fan, OLD, &code).await.expect(200);
    app.client.get("/api/auth/me").token(&elsewhere.token).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_of_another_account_is_revealed_only_by_its_code() {
    let app = TestApp::new().await;
    let (fan, holder) = (app.log_in(OLD).await, app.log_in(NEW).await);
    initiate(&app, &fan, NEW).await.expect(200);
    verify(&app, &fan, NEW, "000000").await.expect_error(401, "invalid_code");
    let code = app.last_code(NEW).await;
    verify(&app, &fan, NEW, &code).await.expect_error(422, "phone_taken");
    assert_eq!(phone_of(&app, &fan).await, OLD);
    assert_eq!(phone_of(&app, &holder).await, NEW);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_pending_verification_there_is_nothing_to_verify_or_resend() {
    let app = TestApp::new().await;
    let fan = app.log_in(OLD).await;
    verify(&app, &fan, NEW, "123456").await.expect_error(422, "no_pending_verification");
    let again = post(&app, &fan, "/api/auth/resend-code", json!({"phone": NEW})).await;
    again.expect_error(422, "no_pending_verification");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_phone_than_the_pending_one_is_a_mismatch() {
    let app = TestApp::new().await;
    let fan = app.log_in(OLD).await;
    initiate(&app, &fan, NEW).await.expect(200);
    let code = app.last_code(NEW).await;
    verify(&app, &fan, "+447700900003", &code).await.expect_error(422, "phone_mismatch");
    verify(&app, &fan, NEW, &code).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_code_does_not_verify_and_a_verification_code_does_not_log_in() {
    let app = TestApp::new().await;
    let fan = app.log_in(OLD).await;
    initiate(&app, &fan, NEW).await.expect(200);
    let for_verification = app.last_code(NEW).await;
    let for_login = app.request_code(NEW).await;
    assert_ne!(for_login, for_verification);
    verify(&app, &fan, NEW, &for_login).await.expect(401);
    let body = json!({"phone": NEW, "code": for_verification});
    app.client.post("/api/code/verify").json(body).send().await.expect(401);
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_token_a_resend_is_for_the_verification() {
    let app = TestApp::new().await;
    let fan = app.log_in(OLD).await;
    initiate(&app, &fan, NEW).await.expect(200);
    let code = app.last_code(NEW).await;
    post(&app, &fan, "/api/auth/resend-code", json!({"phone": NEW})).await.expect(200);
    assert_eq!(app.last_code(NEW).await, code);
    verify(&app, &fan, NEW, &code).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_initiate_replaces_the_first() {
    let app = TestApp::new().await;
    let fan = app.log_in(OLD).await;
    initiate(&app, &fan, NEW).await.expect(200);
    let code = app.last_code(NEW).await;
    initiate(&app, &fan, "+447700900003").await.expect(200);
    verify(&app, &fan, NEW, &code).await.expect_error(422, "phone_mismatch");
}

#[tokio::test(flavor = "multi_thread")]
async fn sends_for_login_and_verification_share_the_phones_limit() {
    let app = TestApp::new().await;
    let fan = app.log_in(OLD).await;
    for _ in 0..5 {
        initiate(&app, &fan, NEW).await.expect(200);
    }
    initiate(&app, &fan, NEW).await.expect_error(429, "phone_send_limit");
    let body = json!({"phone": NEW});
    let login = app.client.post("/api/code/request").json(body).send().await;
    login.expect_error(429, "phone_send_limit");
}
