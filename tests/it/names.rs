//! What users type and others see, and usernames that look like somebody else's.

use serde_json::{Value, json};

use crate::chat_rooms::{create, public_room};
use crate::harness::{Fan, Reply, TestApp, escape};

const PHONE: &str = "+447700900123";

/// Texts that hide something, or read in another order than they are written.
const TRICKS: [&str; 16] = [
    "Ada\u{202e}nimda",
    "Ada\u{2066}x\u{2069}",
    "\u{200f}Ada",
    "Ada\u{61c}",
    "A\u{200b}da",
    "A\u{200d}da",
    "A\u{200c}da",
    "Ada\u{feff}",
    "A\u{ad}da",
    "A\u{2060}da",
    "\u{3164}",
    "\u{2800}\u{2800}",
    "\u{115f}\u{1160}",
    "Ada\u{2028}Admin",
    "Ada\u{e0041}\u{e0042}",
    "Ada\u{fe00}",
];

/// Texts that only look unusual.
const GOOD: [&str; 9] = [
    "Ada Lovelace",
    "علي",
    "علی\u{200c}رضا",
    "שרה",
    "ශ්\u{200d}රී",
    "José ❤\u{fe0f}",
    "👩\u{200d}👩\u{200d}👧 of 4",
    "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 1\u{fe0f}\u{20e3}",
    "🏳\u{fe0f}\u{200d}🌈",
];

async fn update(app: &TestApp, fan: &Fan, body: Value) -> Reply {
    app.client.post("/api/auth/update-user-info").token(&fan.token).json(body).send().await
}

async fn is_available(app: &TestApp, name: &str) -> Value {
    let body = json!({"username": name});
    let reply = app.client.post("/api/auth/username/check").json(body).send().await.expect(200);
    reply.body["available"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_with_hidden_characters_is_refused() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    for trick in TRICKS {
        let reply = update(&app, &fan, json!({"name": trick})).await;
        assert_eq!(reply.status, 422, "{trick:?}");
        reply.expect_invalid("name");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn names_of_every_script_and_joined_emoji_are_taken_as_they_are() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    for name in GOOD {
        let reply = update(&app, &fan, json!({"name": name})).await;
        assert_eq!(reply.body["data"]["name"], name, "{}", reply.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_reports_and_devices_follow_the_same_rule() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    let room = public_room(&app, &fan, "Away end").await;
    let code = app.request_code(PHONE).await;
    for trick in TRICKS {
        create(&app, &fan, json!({"name": trick})).await.expect_invalid("name");
        create(&app, &fan, json!({"name": "x", "topic": trick})).await.expect_invalid("topic");
        let path = format!("/api/auth/chat-rooms/{}/report", escape(&room));
        let report = app.client.post(&path).token(&fan.token).json(json!({"reason": trick}));
        report.send().await.expect_invalid("reason");
        let body = json!({"phone": PHONE, "code": code, "device_name": trick});
        let login = app.client.post("/api/code/verify").json(body);
        login.send().await.expect_invalid("device_name");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_username_that_looks_like_a_reserved_one_counts_as_taken() {
    let app = TestApp::new().await;
    let code = app.request_code(PHONE).await;
    for name in [
        "adm1n",
        "t0uchline",
        "touch_line",
        "touchl1ne",
        "supp0rt",
        "rn0derator",
        "a.d.m.i.n",
        "m0d",
        "touchline_bot",
        "touchline-support",
        "t0uch1ine.news",
        "deleted_7",
        "offic1al",
    ] {
        assert_eq!(is_available(&app, name).await, false, "{name}");
        let body = json!({"phone": PHONE, "code": code, "username": name});
        app.client.post("/api/code/verify").json(body).send().await.expect_invalid("username");
    }
    for name in ["administer", "touch", "tim_the_mod", "support_act", "l1verpool", "test1"] {
        assert_eq!(is_available(&app, name).await, true, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reserved_name_and_its_likenesses_come_with_five_suggestions_too() {
    let app = TestApp::new().await;
    for name in ["touchline", "touchline_bot", "t0uch.line", "deleted", "adm1n"] {
        let body = json!({"username": name});
        let reply = app.client.post("/api/auth/username/check").json(body).send().await.expect(200);
        let names: Vec<String> = serde_json::from_value(reply.body["suggestions"].clone()).unwrap();
        assert_eq!(names.len(), 5, "{name}: {names:?}");
        for suggestion in names {
            assert_eq!(is_available(&app, &suggestion).await, true, "{suggestion}");
        }
    }
}
