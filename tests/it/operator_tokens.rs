//! Operator tokens and the audit log.

use touchline::features::operators;

use crate::harness::{OPERATOR_TOKEN, TestApp};

const PATH: &str = "/api/admin/audit";

async fn issue(app: &TestApp, name: &'static str) -> String {
    let token = app.app.db.write(move |tx| operators::issue_token(tx, name)).await.unwrap();
    token.expose().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_issued_token_and_the_configured_one_open_the_operator_api() {
    let app = TestApp::new().await;
    let token = issue(&app, "ana").await;
    assert!(token.starts_with("tlop_"));
    app.client.get(PATH).token(&token).send().await.expect(200);
    app.client.get(PATH).token(OPERATOR_TOKEN).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_token_on_the_operator_api_is_403() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let reply = app.client.get(PATH).token(&fan.token).send().await;
    reply.expect_error(403, "operator_only");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_token_is_no_user_token() {
    let app = TestApp::new().await;
    let token = issue(&app, "ana").await;
    for token in [token.as_str(), OPERATOR_TOKEN] {
        let reply = app.client.get("/api/auth/me").token(token).send().await;
        reply.expect_error(401, "unauthenticated");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_operator_token_opens_nothing() {
    let app = TestApp::new().await;
    let (ana, ben) = (issue(&app, "ana").await, issue(&app, "ben").await);
    app.app.db.write(|tx| operators::revoke_tokens(tx, "ana")).await.unwrap();
    app.client.get(PATH).token(&ana).send().await.expect_error(401, "unauthenticated");
    app.client.get(PATH).token(&ben).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_below_one_or_that_is_no_number_is_refused() {
    let app = TestApp::new().await;
    for (query, field) in [("page=0", "page"), ("page=x", "page"), ("per_page=-1", "per_page")] {
        let call = app.client.get(&format!("{PATH}?{query}")).token(OPERATOR_TOKEN);
        call.send().await.expect_invalid(field);
    }
    let far = app.client.get(&format!("{PATH}?page=9223372036854775808&per_page=1000"));
    let far = far.token(OPERATOR_TOKEN).send().await.expect(200);
    assert_eq!(far.body["data"], serde_json::json!([]));
    assert_eq!(far.body["meta"]["per_page"], 100);
}
