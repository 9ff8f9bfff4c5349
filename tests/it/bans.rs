//! Bans for a time, with a reason.

use serde_json::{Value, json};

use crate::harness::{Fan, OPERATOR_TOKEN, Reply, TestApp, eventually};

async fn ban(app: &TestApp, fan: &Fan, body: Value) -> Reply {
    let path = format!("/api/admin/users/{}/ban", fan.id);
    app.client.post(&path).token(OPERATOR_TOKEN).json(body).send().await
}

async fn shown(app: &TestApp, fan: &Fan) -> Value {
    let path = format!("/api/admin/users/{}", fan.id);
    let reply = app.client.get(&path).token(OPERATOR_TOKEN).send().await.expect(200);
    reply.body["data"]["ban"].clone()
}

async fn me(app: &TestApp, fan: &Fan) -> u16 {
    app.client.get("/api/auth/me").token(&fan.token).send().await.status
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ban_for_a_time_ends_by_itself_to_the_moment() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let banned = ban(&app, &fan, json!({"minutes": 10, "reason": "Insults"})).await.expect(200);
    let until = "2026-11-15T12:10:00.000Z";
    let expected = json!({"id": fan.id, "banned_at": "2026-11-15T12:00:00.000Z", "banned_until": until, "reason": "Insults"});
    assert_eq!(banned.body["data"], expected);
    app.set_time("2026-11-15T12:09:59.999Z");
    assert_eq!(me(&app, &fan).await, 403);
    app.set_time(until);
    assert_eq!(me(&app, &fan).await, 200);
    assert_eq!(shown(&app, &fan).await, Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_logs_in_again_from_the_moment_their_ban_ends() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    ban(&app, &fan, json!({"until": "2026-11-15T12:02:00Z"})).await.expect(200);
    let log_in = async || {
        let body = json!({"phone": fan.phone, "code": app.request_code(&fan.phone).await});
        app.client.post("/api/auth/login").json(body).send().await
    };
    log_in().await.expect_error(403, "banned");
    app.advance(120);
    log_in().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ban_is_shown_with_its_reason_and_who_made_it() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let (_, token) = app.operator("mia", "moderator").await;
    let call = app.client.post(&format!("/api/admin/users/{}/ban", fan.id)).token(&token);
    call.json(json!({"reason": "Insults", "until": "2026-11-16T12:00:00Z"}))
        .send()
        .await
        .expect(200);
    let ban = json!({"banned_at": "2026-11-15T12:00:00.000Z", "banned_until": "2026-11-16T12:00:00.000Z",
                     "reason": "Insults", "banned_by": "mia"});
    assert_eq!(shown(&app, &fan).await, ban);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_ban_has_a_new_end_and_the_old_beginning() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    ban(&app, &fan, json!({"minutes": 10})).await.expect(200);
    app.advance(60);
    let again = ban(&app, &fan, json!({})).await.expect(200);
    assert_eq!(again.body["data"]["banned_at"], "2026-11-15T12:00:00.000Z");
    assert_eq!(again.body["data"]["banned_until"], Value::Null);
    app.advance(3600);
    app.run_jobs().await;
    assert_eq!(me(&app, &fan).await, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ban_after_one_that_has_ended_begins_anew() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    ban(&app, &fan, json!({"minutes": 1})).await.expect(200);
    app.advance(61);
    let again = ban(&app, &fan, json!({})).await.expect(200);
    assert_eq!(again.body["data"]["banned_at"], "2026-11-15T12:01:01.000Z");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ban_that_makes_no_sense_is_refused() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    for (field, body) in [
        ("minutes", json!({"minutes": 0})),
        ("minutes", json!({"minutes": -1})),
        ("minutes", json!({"minutes": 5_256_001})),
        ("minutes", json!({"minutes": 1.5})),
        ("minutes", json!({"minutes": 10, "until": "2026-11-16T12:00:00Z"})),
        ("until", json!({"until": "2026-11-15T12:00:00Z"})),
        ("until", json!({"until": "soon"})),
        ("reason", json!({"reason": ""})),
        ("reason", json!({"reason": "a\u{0}b"})),
        ("reason", json!({"reason": "a\nb"})),
        ("reason", json!({"reason": "x".repeat(501)})),
    ] {
        ban(&app, &fan, body).await.expect_invalid(field);
    }
    assert_eq!(me(&app, &fan).await, 200);
    assert_eq!(app.count("SELECT count(*) FROM audit_log").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_whose_ban_ended_is_let_into_chat_again() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    ban(&app, &fan, json!({"minutes": 10})).await.expect(200);
    app.run_jobs().await;
    app.advance(601);
    app.run_jobs().await;
    assert_eq!(app.count("SELECT count(*) FROM users WHERE banned_at IS NOT NULL").await, 0);
    let credentials = async || {
        let call = app.client.post("/api/auth/matrix-credentials").token(&fan.token);
        call.send().await.expect(200).body["data"]["matrix_credentials"]["access_token"]
            .as_str()
            .map(str::to_owned)
    };
    eventually(credentials).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_shows_a_ban_before_and_after() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    ban(&app, &fan, json!({"minutes": 10, "reason": "Insults"})).await.expect(200);
    let path = format!("/api/admin/users/{}/unban", fan.id);
    app.client.post(&path).token(OPERATOR_TOKEN).send().await.expect(200);
    let log = app.client.get("/api/admin/audit").token(OPERATOR_TOKEN).send().await.expect(200);
    let entry = &log.body["data"][0];
    assert_eq!(entry["before"]["reason"], "Insults");
    assert_eq!(entry["before"]["banned_until"], "2026-11-15T12:10:00.000Z");
    assert_eq!(entry["after"], Value::Null);
}
