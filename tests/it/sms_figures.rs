//! What became of messages, as operators see it: in production too, and nothing of whom they were for.

use serde_json::{Value, json};

use crate::harness::{OPERATOR_TOKEN, Reply, TestApp};

impl TestApp {
    async fn sms_figures(&self, query: &str) -> Reply {
        self.client.get(&format!("/api/admin/sms{query}")).token(OPERATOR_TOKEN).send().await
    }

    async fn ask_for_code(&self, phone: &str) -> u16 {
        let call = self.client.post("/api/code/request").json(json!({"phone": phone}));
        call.send().await.status
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_are_counted_by_provider_and_country_with_why_they_failed() {
    let app = TestApp::new().await;
    for _ in 0..5 {
        assert_eq!(app.ask_for_code("+447700900123").await, 200);
    }
    assert_eq!(app.ask_for_code("+447700900123").await, 429);
    assert_eq!(app.ask_for_code("+353861234567").await, 200);
    assert_eq!(app.ask_for_code("+15005550001").await, 503);
    let figures = app.sms_figures("").await.expect(200);
    let data = &figures.body["data"];
    assert_eq!(data["from"], "2026-11-14T13:00:00.000Z");
    assert_eq!(
        data["providers"],
        json!([{"name": "log", "is_passed_over": false, "sent": 6, "failed": 1,
                "failures": [{"reason": "refused", "messages": 1}]}])
    );
    let country = |code: &str, sent: i64, failed: i64, refused: i64| {
        json!({"calling_code": code, "sent": sent, "failed": failed, "refused": refused,
               "providers": [{"name": "log", "sent": sent, "failed": failed}]})
    };
    assert_eq!(
        data["countries"],
        json!([country("44", 5, 0, 1), country("1", 0, 1, 0), country("353", 1, 0, 0)])
    );
    assert_eq!(data["refusals"], json!([{"reason": "phone_send_limit", "messages": 1}]));
    assert_eq!(data["budget"], Value::Null);
    assert!(!figures.text.contains("7700900"), "{}", figures.text);
    // What is asked for twice is counted once.
    let again = app.sms_figures("?hours=1").await.expect(200);
    assert_eq!(again.body["data"]["providers"][0]["sent"], 6);
    app.advance(3600);
    let later = app.sms_figures("?hours=1").await.expect(200);
    assert_eq!(later.body["data"]["providers"][0]["sent"], 0);
    assert_eq!(later.body["data"]["from"], "2026-11-15T13:00:00.000Z");
    for wrong in ["0", "169", "-1", "a", ""] {
        let reply = app.sms_figures(&format!("?hours={wrong}")).await;
        assert_eq!(reply.status, 422, "{wrong}: {}", reply.text);
    }
    app.sms_figures("?hours=168").await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn production_shows_failures_the_budget_and_a_provider_that_is_passed_over() {
    let app = TestApp::with(&[
        ("TOUCHLINE_ENVIRONMENT", "production"),
        ("TOUCHLINE_SECRET_KEY", "0123456789abcdef0123456789abcdef"),
        ("TOUCHLINE_SMS__PROVIDERS", "http"),
        // Nobody listens there.
        ("TOUCHLINE_SMS__HTTP__URL", "http://127.0.0.1:9/"),
        ("TOUCHLINE_SMS__BREAKER_FAILURES", "2"),
        ("TOUCHLINE_LOGIN__SENDS_A_DAY_IN_ALL", "100"),
        ("TOUCHLINE_LOGIN__ALLOWED_COUNTRY_PREFIXES", "+44,+49"),
    ])
    .await;
    for number in 0..3 {
        assert_eq!(app.ask_for_code(&TestApp::phone(number * 10_000)).await, 503);
    }
    assert_eq!(app.ask_for_code("+33612345678").await, 422);
    let figures = app.sms_figures("").await.expect(200);
    let data = &figures.body["data"];
    assert_eq!(
        data["providers"],
        json!([{"name": "http", "is_passed_over": true, "sent": 0, "failed": 3,
                "failures": [{"reason": "broken", "messages": 3}]}])
    );
    assert_eq!(data["refusals"], json!([{"reason": "country_not_served", "messages": 1}]));
    assert_eq!(
        data["budget"],
        json!({"a_day": 100, "reserve": 20, "used": 0, "resets_at": "2026-11-16T00:00:00.000Z"})
    );
    assert_eq!(data["countries"][0]["calling_code"], "44");
    assert_eq!(data["countries"][1]["refused"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_used_of_the_budget_and_refused_by_it_is_shown() {
    let app = TestApp::with(&[
        ("TOUCHLINE_ENVIRONMENT", "staging"),
        ("TOUCHLINE_LOGIN__SENDS_A_DAY_IN_ALL", "3"),
    ])
    .await;
    let mut answers = Vec::new();
    for number in 0..5 {
        answers.push(app.ask_for_code(&TestApp::phone(number * 10_000)).await);
    }
    assert_eq!(answers, [200, 200, 200, 429, 429]);
    let figures = app.sms_figures("").await.expect(200);
    let data = &figures.body["data"];
    assert_eq!((&data["budget"]["a_day"], &data["budget"]["used"]), (&json!(3), &json!(3)));
    assert_eq!(data["refusals"], json!([{"reason": "sms_budget", "messages": 2}]));
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_of_messages_are_forgotten_after_two_weeks() {
    let app = TestApp::new().await;
    assert_eq!(app.ask_for_code("+447700900123").await, 200);
    app.sms_figures("").await.expect(200);
    let count = "SELECT count(*) FROM sms_counts";
    app.advance(14 * 24 * 3600 - 60);
    app.run_jobs().await;
    assert_eq!(app.count(count).await, 1);
    app.advance(2 * 3600);
    app.run_jobs().await;
    assert_eq!(app.count(count).await, 0);
}
