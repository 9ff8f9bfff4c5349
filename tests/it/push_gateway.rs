//! The gateway through which homeservers reach devices.

use serde_json::{Value, json};

use crate::harness::{Delivery, Fan, PushService, Reply, TestApp};
use crate::languages::choose;
use crate::push::{devices, hello, plain_device, tell, titles, want, with_service};

const NOTIFY: &str = "/_matrix/push/v1/notify";

/// What a homeserver says of a message.
fn said(event: &str, text: &str, pushkey: &str) -> Value {
    json!({"notification": {
        "event_id": event, "room_id": "!corner:localhost", "type": "m.room.message", "sender": "@ben:localhost",
        "sender_display_name": "ben", "room_name": "Corner", "prio": "high", "counts": {"unread": 2},
        "content": {"msgtype": "m.text", "body": text},
        "devices": [{"app_id": "org.example.app", "pushkey": pushkey, "pushkey_ts": 1, "data": {}, "tweaks": {"sound": "bing"}}],
    }})
}

async fn notify(app: &TestApp, body: Value) -> Reply {
    app.client.post(NOTIFY).json(body).send().await
}

/// Tells Ada's device, which is there.
async fn told(app: &TestApp, event: &str, text: &str, pushkey: &str) {
    let reply = notify(app, said(event, text, pushkey)).await.expect(200);
    assert_eq!(reply.body, json!({"rejected": []}));
    app.run_jobs().await;
}

struct Table {
    app: TestApp,
    service: PushService,
    ada: Fan,
    pushkey: String,
}

/// Ada has a device.
async fn table() -> Table {
    let (app, service) = with_service().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    let device = plain_device(&app, &ada, &service).await;
    let pushkey = device["pushkey"].as_str().unwrap().to_owned();
    Table { app, service, ada, pushkey }
}

pub fn bodies(calls: &[Delivery]) -> Vec<String> {
    calls.iter().map(|call| call.json()["body"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_homeserver_says_reaches_the_device() {
    let Table { app, service, ada, pushkey } = table().await;
    told(&app, "$one", "Hello", &pushkey).await;
    let message = service.taken()[0].json();
    assert_eq!((&message["title"], &message["body"]), (&json!("ben · Corner"), &json!("Hello")));
    assert_eq!(
        message["data"],
        json!({"kind": "chat", "room_id": "!corner:localhost", "event_id": "$one"})
    );
    assert_eq!(devices(&app, &ada).await[0]["pushkey"], json!(pushkey), "the list shows it too");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_message_is_told_once_however_often_the_homeserver_says_it() {
    let Table { app, service, pushkey, .. } = table().await;
    for _ in 0..3 {
        told(&app, "$one", "Hello", &pushkey).await;
    }
    assert_eq!(service.taken().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_was_given_to_nobody_is_rejected() {
    let Table { app, service, pushkey, .. } = table().await;
    let mut parts: Vec<&str> = pushkey.split('.').collect();
    parts[0] = "99";
    let other_device = parts.join(".");
    for forged in [other_device.as_str(), "", "x", "1.1.00000000000000000000000000000000"] {
        let reply = notify(&app, said("$one", "Hello", forged)).await.expect(200);
        assert_eq!(reply.body, json!({"rejected": [forged]}));
    }
    app.run_jobs().await;
    assert_eq!(service.taken().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_dies_with_its_device_and_with_its_login() {
    let Table { app, service, ada, pushkey } = table().await;
    let id = devices(&app, &ada).await[0]["id"].clone();
    let path = format!("/api/auth/devices/{id}");
    app.client.delete(&path).token(&ada.token).send().await.expect(200);
    let reply = notify(&app, said("$one", "Hello", &pushkey)).await.expect(200);
    assert_eq!(reply.body["rejected"], json!([pushkey]));
    let again = plain_device(&app, &ada, &service).await["pushkey"].clone();
    app.client.post("/api/auth/logout").token(&ada.token).send().await.expect(200);
    let reply = notify(&app, said("$one", "Hello", again.as_str().unwrap())).await.expect(200);
    assert_eq!(reply.body["rejected"], json!([again]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_of_no_use_to_whoever_had_the_device_before() {
    let Table { app, service, ada, pushkey } = table().await;
    let ben = app.log_in(&TestApp::phone(2)).await;
    let address = format!("{}/{}", service.url, ada.id);
    let body = json!({"kind": "http", "address": address});
    let device = crate::push::register(&app, &ben, body).await.expect(201).body["data"].clone();
    let reply = notify(&app, said("$one", "For Ada", &pushkey)).await.expect(200);
    assert_eq!(reply.body["rejected"], json!([pushkey]));
    told(&app, "$two", "For Ben", device["pushkey"].as_str().unwrap()).await;
    assert_eq!(bodies(&service.taken()), ["For Ben"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_talk_comes_together_a_room_at_a_time() {
    let Table { app, service, pushkey, .. } = table().await;
    told(&app, "$1", "first", &pushkey).await;
    told(&app, "$2", "second", &pushkey).await;
    told(&app, "$3", "third", &pushkey).await;
    let mut elsewhere = said("$4", "elsewhere", &pushkey);
    elsewhere["notification"]["room_id"] = "!kop:localhost".into();
    elsewhere["notification"]["room_name"] = "Kop".into();
    notify(&app, elsewhere).await.expect(200);
    app.run_jobs().await;
    let first = service.taken();
    assert_eq!(bodies(&first), ["first"]);
    app.advance(31);
    app.run_jobs().await;
    let taken = service.taken();
    let mut later: Vec<(String, String)> = titles(&taken).into_iter().zip(bodies(&taken)).collect();
    later.sort();
    let pair = |title: &str, body: &str| (title.to_owned(), body.to_owned());
    assert_eq!(
        later,
        [pair("ben · Corner, and 1 more message", "third"), pair("ben · Kop", "elsewhere")]
    );
    let tag = |call: &Delivery| call.json()["tag"].clone();
    let of_corner = taken.iter().find(|call| call.json()["body"] == "third").unwrap();
    assert_eq!(tag(of_corner), tag(&first[0]), "a device shows one message of a room");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_talk_uses_up_none_of_the_messages_of_a_day() {
    let Table { app, service, ada, pushkey } = table().await;
    want(&app, &ada, json!({"most_a_day": 1})).await;
    for number in 0..3 {
        told(&app, &format!("${number}"), "Hello", &pushkey).await;
        app.advance(31);
    }
    tell(&app, hello()).await;
    tell(&app, json!({"title": "Too much", "body": "..."})).await;
    told(&app, "$last", "Still told", &pushkey).await;
    let titles = titles(&service.taken());
    assert_eq!(titles.iter().filter(|title| title.starts_with("ben")).count(), 4, "{titles:?}");
    assert!(titles.contains(&"Hello".to_owned()) && !titles.contains(&"Too much".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_wants_no_talk_hears_none_of_it_and_of_mentions_still() {
    let Table { app, service, ada, pushkey } = table().await;
    assert_eq!(want(&app, &ada, json!({"chat": false})).await["chat"], false);
    told(&app, "$one", "Hello", &pushkey).await;
    assert_eq!(service.taken().len(), 0);
    // So that it can still be told as what it is.
    assert_eq!(app.count("SELECT count(*) FROM push_messages").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_without_measure_is_heard_no_further() {
    let Table { app, pushkey, .. } = table().await;
    for number in 0..130 {
        notify(&app, said(&format!("${number}"), "Hello", &pushkey)).await.expect(200);
    }
    assert_eq!(app.count("SELECT count(*) FROM push_messages").await, 120);
    app.advance(601);
    notify(&app, said("$later", "Hello", &pushkey)).await.expect(200);
    assert_eq!(app.count("SELECT count(*) FROM push_messages").await, 121);
}

#[tokio::test(flavor = "multi_thread")]
async fn in_quiet_hours_nothing_is_told() {
    let Table { app, service, pushkey, .. } = table().await;
    app.set_time("2026-11-15T23:00:00Z");
    told(&app, "$one", "Hello", &pushkey).await;
    assert_eq!(service.taken().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_on_the_way_is_told_without_its_words() {
    let Table { app, service, ada, pushkey } = table().await;
    let mut secret = said("$one", "", &pushkey);
    secret["notification"]["type"] = "m.room.encrypted".into();
    secret["notification"]["content"] = json!({"ciphertext": "...", "body": "no words"});
    notify(&app, secret).await.expect(200);
    app.run_jobs().await;
    app.advance(31);
    choose(&app, &ada, "de").await;
    let device = json!({"app_id": "a", "pushkey": pushkey});
    let short = json!({"event_id": "$two", "room_id": "!corner:localhost", "devices": [device]});
    notify(&app, json!({"notification": short})).await.expect(200);
    app.run_jobs().await;
    let taken = service.taken();
    assert_eq!(titles(&taken), ["ben · Corner", "Neue Nachricht"]);
    assert_eq!(bodies(&taken), ["New message", ""]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notification_that_only_counts_or_invites_tells_nothing() {
    let Table { app, service, pushkey, .. } = table().await;
    let device = json!({"app_id": "a", "pushkey": pushkey});
    let counts = json!({"notification": {"counts": {"unread": 0}, "devices": [device]}});
    let mut invitation = said("$one", "", &pushkey);
    // Which the service tells of by itself.
    invitation["notification"]["type"] = "m.room.member".into();
    for body in [counts, invitation] {
        let reply = notify(&app, body).await.expect(200);
        assert_eq!(reply.body, json!({"rejected": []}));
    }
    app.run_jobs().await;
    assert_eq!(service.taken().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_notification_is_refused_in_matrix_own_form() {
    let Table { app, pushkey, .. } = table().await;
    let refused = async |raw: String| {
        let reply = app.client.post(NOTIFY).raw(raw).send().await;
        (reply.status, reply.body["errcode"].as_str().unwrap().to_owned())
    };
    let bad = |code: &str| (400, code.to_owned());
    assert_eq!(refused("{".to_owned()).await, bad("M_NOT_JSON"));
    assert_eq!(refused("[]".to_owned()).await, bad("M_BAD_JSON"));
    assert_eq!(refused("{}".to_owned()).await, bad("M_BAD_JSON"));
    assert_eq!(
        refused(json!({"notification": {"devices": "x"}}).to_string()).await,
        bad("M_BAD_JSON")
    );
    let large = said("$one", &"x".repeat(70_000), &pushkey).to_string();
    assert_eq!(refused(large).await, (413, "M_TOO_LARGE".to_owned()));
    let reply = app.client.get(NOTIFY).send().await;
    assert_eq!(reply.status, 405);
}
