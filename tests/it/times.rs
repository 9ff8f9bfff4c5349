//! Every time that is answered has one form.

use serde_json::{Value, json};

use crate::harness::{OPERATOR_TOKEN, Reply, TestApp};
use crate::stream::{Listening, kick_off, score, two_matches};
use crate::webhooks::Receiver;

/// Whether a text is meant as a moment: it begins with a date and a `T`.
fn looks_like_a_time(text: &str) -> bool {
    let form: String = text.chars().take(11).map(digits_as_nine).collect();
    form == "9999-99-99T"
}

fn digits_as_nine(letter: char) -> char {
    if letter.is_ascii_digit() { '9' } else { letter }
}

/// Checks every text in an answer, wherever it stands, and answers how many times it has.
#[track_caller]
fn checked(value: &Value) -> usize {
    match value {
        Value::String(text) if looks_like_a_time(text) => {
            let form: String = text.chars().map(digits_as_nine).collect();
            assert_eq!(form, "9999-99-99T99:99:99.999Z", "{text}");
            1
        }
        Value::Array(items) => items.iter().map(checked).sum(),
        Value::Object(fields) => fields.values().map(checked).sum(),
        _ => 0,
    }
}

#[track_caller]
fn expect_times(path: &str, reply: Reply) {
    let reply = reply.expect(200);
    assert!(checked(&reply.body) > 0, "{path} has no time to look at: {}", reply.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_time_in_an_answer_has_three_decimals_and_is_in_utc() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let (event, other) = two_matches(&app).await;
    // Given without decimals, with another offset and with more decimals than are kept.
    for (event, start) in
        [(event, "2026-11-15T14:00:00+01:00"), (other, "2026-11-15T13:30:00.123456Z")]
    {
        let call = app.client.patch(&format!("/api/admin/events/{event}")).token(OPERATOR_TOKEN);
        expect_times("patch", call.json(json!({"start_time": start})).send().await);
    }
    let body = json!({"event_id": event, "prediction": "home"});
    let call = app.client.post("/api/auth/predictions").token(&fan.token).json(body);
    assert_eq!(checked(&call.send().await.expect(201).body), 1);
    let claim = app.client.post("/api/auth/daily-coins").token(&fan.token).send().await;
    expect_times("claim", claim);
    let room = json!({"name": "Terrace", "event_id": event});
    app.client.post("/api/auth/chat-room").token(&fan.token).json(room).send().await.expect(201);
    app.run_jobs().await;
    for path in [
        "me",
        "sessions",
        "export",
        "events",
        &format!("events/{event}"),
        &format!("events/{event}/predictions"),
        "predictions",
        "predictions/1",
        "coins",
        "coins/transactions",
        "chat-rooms",
    ] {
        let path = format!("/api/auth/{path}");
        expect_times(&path, app.client.get(&path).token(&fan.token).send().await);
    }
    expect_times("the SMS log", app.client.get("/api/logs/sms").send().await);
    for path in ["audit", "jobs", "overview", "webhooks"] {
        let path = format!("/api/admin/{path}");
        let reply = app.client.get(&path).token(OPERATOR_TOKEN).send().await.expect(200);
        checked(&reply.body);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stream_and_webhooks_write_times_like_answers() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let (event, _) = two_matches(&app).await;
    let mut receiver = Receiver::start().await;
    let hook = json!({"url": receiver.url});
    app.client
        .post("/api/admin/webhooks")
        .token(OPERATOR_TOKEN)
        .json(hook)
        .send()
        .await
        .expect(201);
    let mut listening = Listening::open_at(&app.client, &fan.token, "", None).await;
    kick_off(&app, event).await;
    score(&app, event, 1, 0).await;
    assert!(checked(&listening.next().await.data) > 0);
    checked(&listening.next().await.data);
    app.advance(1);
    app.run_jobs().await;
    let taken = receiver.taken();
    assert!(!taken.is_empty());
    for request in taken {
        let (_, body) = request.split_once("\r\n\r\n").unwrap();
        assert!(checked(&serde_json::from_str(body).unwrap()) > 0, "{body}");
    }
}
