//! The log of messages.

use serde_json::{Value, json};

use crate::harness::TestApp;

const PHONE: &str = "+447700900123";
const FAILING: &str = "+15005550001";

async fn log(app: &TestApp, query: &str) -> Vec<Value> {
    let reply = app.client.get(&format!("/api/logs/sms{query}")).send().await.expect(200);
    reply.body["data"].as_array().unwrap().clone()
}

async fn request(app: &TestApp, phone: &str) -> u16 {
    app.client.post("/api/code/request").json(json!({"phone": phone})).send().await.status
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sent_message_is_shown_with_its_code_and_expiry() {
    let app = TestApp::new().await;
    request(&app, PHONE).await;
    let entry = log(&app, "").await.remove(0);
    let code = entry["code"].as_str().unwrap();
    assert!(code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()));
    assert_eq!(
        entry,
        json!({"id": entry["id"], "phone": PHONE, "code": code, "status": "sent", "provider": "log",
               "created_at": "2026-11-15T12:00:00Z", "expires_at": "2026-11-15T12:05:00Z", "attempts": 1})
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_message_is_503_and_shown_with_its_error() {
    let app = TestApp::new().await;
    let call = app.client.post("/api/code/request").json(json!({"phone": FAILING}));
    let failed = call.send().await.expect_error(503, "sms_unavailable");
    assert!(failed.header("retry-after").is_some());
    let entry = log(&app, "?status=failed").await.remove(0);
    assert_eq!(entry["status"], "failed");
    assert!(entry["error"].is_string());
    assert!(entry.get("expires_at").is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_is_newest_first_and_filtered() {
    let app = TestApp::new().await;
    request(&app, PHONE).await;
    app.set_time("2026-11-16T00:00:00Z");
    request(&app, FAILING).await;
    request(&app, "+447700900999").await;
    let phones = |entries: Vec<Value>| -> Vec<String> {
        entries.iter().map(|entry| entry["phone"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(phones(log(&app, "").await), ["+447700900999", FAILING, PHONE]);
    assert_eq!(phones(log(&app, "?phone=%2B447700900123").await), [PHONE]);
    assert_eq!(phones(log(&app, "?date=2026-11-15").await), [PHONE]);
    assert_eq!(phones(log(&app, "?date=2026-11-16&status=sent").await), ["+447700900999"]);
    assert_eq!(phones(log(&app, "?status=failed").await), [FAILING]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_that_makes_no_sense_is_refused() {
    let app = TestApp::new().await;
    for (query, field) in [
        ("?phone=abc", "phone"),
        ("?date=2026-02-30", "date"),
        ("?date=today", "date"),
        ("?status=lost", "status"),
    ] {
        app.client.get(&format!("/api/logs/sms{query}")).send().await.expect_invalid(field);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn old_codes_and_log_entries_are_forgotten() {
    let app = TestApp::new().await;
    request(&app, PHONE).await;
    app.advance(24 * 3_600);
    app.run_jobs().await;
    assert_eq!(app.count("SELECT count(*) FROM phone_challenges").await, 0);
    assert_eq!(log(&app, "").await.len(), 1);
    app.advance(29 * 24 * 3_600);
    app.run_jobs().await;
    assert_eq!(log(&app, "").await.len(), 0);
}
