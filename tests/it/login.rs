//! Codes and logging in with them.

use serde_json::json;

use crate::harness::{Fan, TestApp};

const PHONE: &str = "+447700900123";

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_and_its_code_are_exchanged_for_a_user_and_a_token() {
    let app = TestApp::new().await;
    let sent = app.client.post("/api/code/request").json(json!({"phone": "+44 7700 900123"}));
    let sent = sent.send().await.expect(200);
    assert_eq!(sent.body["data"], json!({"expires_in": 300}));
    assert!(sent.body["message"].is_string());

    let body = json!({"phone": PHONE, "code": app.last_code(PHONE).await});
    let reply = app.client.post("/api/code/verify").json(body).send().await.expect(200);
    let fan = Fan::of(&reply.body["data"]);
    assert_eq!(
        reply.body["data"]["user"],
        json!({"id": fan.id, "phone": PHONE, "username": fan.username, "created_at": "2026-11-15T12:00:00Z"})
    );
    assert!(fan.token.starts_with("tl_"));
}
