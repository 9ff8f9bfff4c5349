//! What operators do besides running matches.

use serde_json::{Value, json};

use crate::catalogue::{event, import};
use crate::harness::{OPERATOR_TOKEN, Reply, TestApp};

async fn post(app: &TestApp, path: &str) -> Reply {
    app.client.post(path).token(OPERATOR_TOKEN).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_banned_user_is_refused_everywhere_until_the_ban_ends() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let path = format!("/api/admin/users/{}", fan.id);
    let banned = post(&app, &format!("{path}/ban")).await.expect(200);
    let since = "2026-11-15T12:00:00.000Z";
    let ban = json!({"id": fan.id, "banned_at": since, "banned_until": null, "reason": null});
    assert_eq!(banned.body["data"], ban);
    app.advance(60);
    let again = post(&app, &format!("{path}/ban")).await.expect(200);
    assert_eq!(again.body["data"]["banned_at"], "2026-11-15T12:00:00.000Z");
    let me = || app.client.get("/api/auth/me").token(&fan.token);
    me().send().await.expect_error(403, "banned");
    let code = app.request_code(&fan.phone).await;
    let log_in = app.client.post("/api/auth/login").json(json!({"phone": fan.phone, "code": code}));
    log_in.send().await.expect_error(403, "banned");
    post(&app, &format!("{path}/unban")).await.expect(200);
    me().send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_user_who_is_there_can_be_banned() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    app.client.delete("/api/auth/me").token(&fan.token).send().await.expect(200);
    for id in [fan.id.to_string(), "999".to_owned(), "x".to_owned()] {
        for what in ["ban", "unban"] {
            post(&app, &format!("/api/admin/users/{id}/{what}"))
                .await
                .expect_error(404, "not_found");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_cannot_ban() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let path = format!("/api/admin/users/{}/ban", fan.id);
    app.client.post(&path).token(&fan.token).send().await.expect_error(403, "operator_only");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_overview_shows_what_an_operator_watches() {
    let app = TestApp::new().await;
    app.log_in("+447700900123").await;
    let call = app.client.post("/api/code/request").json(json!({"phone": "+15005550001"}));
    call.send().await.expect_error(503, "sms_unavailable");
    import(&app, json!([event("m", "2026-11-15T12:00:00Z"), event("n", "2026-11-16T12:00:00Z")]))
        .await;
    app.run_jobs().await;
    let overview =
        app.client.get("/api/admin/overview").token(OPERATOR_TOKEN).send().await.expect(200);
    let data = &overview.body["data"];
    assert_eq!(data["environment"], "testing");
    assert_eq!(data["users"], json!({"registered": 1}));
    assert_eq!(data["sessions"], json!({"active": 1}));
    assert_eq!(data["events"], json!({"live": 1, "scheduled": 1, "finished": 0}));
    assert_eq!(data["sms_last_hour"], json!({"sent": 1, "failed": 1}));
    assert_eq!((&data["jobs"]["failing"], &data["jobs"]["lag_ms"]), (&json!(0), &json!(0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_console_that_asks_all_day_is_noted_once_an_hour() {
    let app = TestApp::new().await;
    let show = || app.client.get("/api/admin/overview").token(OPERATOR_TOKEN).send();
    for _ in 0..3 {
        show().await.expect(200);
    }
    app.advance(3600);
    show().await.expect(200);
    let log = app.client.get("/api/admin/audit").token(OPERATOR_TOKEN).send().await.expect(200);
    let is_reading = |row: &&Value| row["action"] == "overview.read";
    assert_eq!(log.body["data"].as_array().unwrap().iter().filter(is_reading).count(), 2);
}
