//! Pushers: what devices are told through their gateways while their app is closed.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use http::StatusCode;
use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{AS_TOKEN, Options, TestServer, User, escape};

/// What apps call the gateway; where it is called is another address.
const URL: &str = "https://push.example/_matrix/push/v1/notify";

/// A push gateway that takes everything, unless a test says otherwise.
#[derive(Clone, Default)]
struct Gateway(Arc<Mutex<Desk>>);

#[derive(Default)]
struct Desk {
    taken: Vec<Value>,
    answers: VecDeque<(u16, Value)>,
}

impl Gateway {
    async fn start(&self) -> Options {
        let router = Router::new().route("/here", post(take)).with_state(self.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = format!("http://{}/here", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Options { push_gateways: vec![(URL.to_owned(), at)], ..Options::default() }
    }

    fn answer_next(&self, status: u16, body: Value) {
        self.0.lock().unwrap().answers.push_back((status, body));
    }

    fn taken(&self) -> Vec<Value> {
        self.0.lock().unwrap().taken.clone()
    }

    /// What was said, once so much has come.
    async fn wait_for(&self, count: usize) -> Vec<Value> {
        for _ in 0..800 {
            let taken = self.taken();
            if taken.len() >= count {
                return taken;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("of {count} only these came: {:?}", self.taken());
    }

    /// The texts of what came, once there are so many.
    async fn texts(&self, count: usize) -> Vec<String> {
        let text = |told: &Value| told["content"]["body"].as_str().unwrap_or("-").to_owned();
        self.wait_for(count).await.iter().map(text).collect()
    }
}

async fn take(
    State(gateway): State<Gateway>,
    Json(body): Json<Value>,
) -> (StatusCode, Json<Value>) {
    let mut desk = gateway.0.lock().unwrap();
    let (status, answer) = desk.answers.pop_front().unwrap_or((200, json!({"rejected": []})));
    if status == 200 {
        desk.taken.push(body["notification"].clone());
    }
    (StatusCode::from_u16(status).unwrap(), Json(answer))
}

async fn started() -> (TestServer, Gateway) {
    let gateway = Gateway::default();
    let server = TestServer::with(gateway.start().await).await;
    server.homeserver.start_push();
    (server, gateway)
}

fn pusher(key: &str) -> Value {
    json!({"kind": "http", "app_id": "org.example.app", "pushkey": key, "app_display_name": "App",
           "device_display_name": "Phone", "lang": "en", "data": {"url": URL, "brand": "blue"}})
}

async fn set(user: &User<'_>, key: &str) {
    user.post("/pushers/set", pusher(key)).await;
}

async fn keys_of(user: &User<'_>) -> Vec<String> {
    let all = user.get("/pushers").await["pushers"].clone();
    let key = |pusher: &Value| pusher["pushkey"].as_str().unwrap().to_owned();
    all.as_array().unwrap().iter().map(key).collect()
}

/// A room of two, of whom the second has a pusher.
async fn pair(server: &TestServer) -> (User<'_>, User<'_>, String) {
    let (ada, bob) = (server.user("ada").await, server.user("bob").await);
    let room = ada.create_room(json!({"preset": "public_chat", "name": "Kop"})).await;
    bob.join(&room).await;
    set(&bob, "key of bob").await;
    (ada, bob, room)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_told_to_the_gateway_with_all_that_it_needs() {
    let (server, gateway) = started().await;
    let (ada, _, room) = pair(&server).await;
    let event = ada.say(&room, "Hello").await;
    let told = gateway.wait_for(1).await.remove(0);
    assert_eq!(
        told,
        json!({
            "event_id": event, "room_id": room, "type": "m.room.message", "sender": ada.id,
            "sender_display_name": "ada", "room_name": "Kop", "prio": "high",
            "content": {"msgtype": "m.text", "body": "Hello"},
            "devices": [{
                "app_id": "org.example.app", "pushkey": "key of bob", "data": {"brand": "blue"},
                "pushkey_ts": told["devices"][0]["pushkey_ts"], "tweaks": {"sound": "default"},
            }],
        })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_asks_for_ids_alone_is_told_no_words() {
    let (server, gateway) = started().await;
    let (ada, bob, room) = pair(&server).await;
    let mut short = pusher("key of bob");
    short["data"]["format"] = "event_id_only".into();
    bob.post("/pushers/set", short).await;
    let event = ada.say(&room, "Hello").await;
    let mut told = gateway.wait_for(1).await.remove(0);
    told.as_object_mut().unwrap().remove("devices");
    assert_eq!(told, json!({"event_id": event, "room_id": room, "prio": "high"}));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_said_in_quick_succession_is_told_by_its_newest() {
    let (server, gateway) = started().await;
    let (ada, _, room) = pair(&server).await;
    ada.say(&room, "first").await;
    gateway.wait_for(1).await;
    for text in ["second", "third", "fourth"] {
        ada.say(&room, text).await;
    }
    assert_eq!(gateway.texts(2).await, ["first", "fourth"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_told_what_their_rules_or_their_reading_make_silent() {
    let (server, gateway) = started().await;
    let (ada, bob, room) = pair(&server).await;
    let cleo = server.user("cleo").await;
    let (muted, read, of_ignored) =
        (ada.public_room().await, ada.public_room().await, cleo.public_room().await);
    for room in [&muted, &read, &of_ignored] {
        bob.join(room).await;
    }
    bob.put(&format!("/pushrules/global/room/{}", escape(&muted)), json!({"actions": []})).await;
    let ignored = format!("/user/{}/account_data/m.ignored_user_list", escape(&bob.id));
    bob.put(&ignored, json!({"ignored_users": {&cleo.id: {}}})).await;
    // While nothing is delivered, so that all of it is looked at together.
    gateway.answer_next(503, json!({}));
    ada.say(&room, "begin").await;
    ada.say(&muted, "muted").await;
    cleo.say(&of_ignored, "ignored").await;
    bob.say(&room, "own").await;
    ada.send(&room, "m.room.message", json!({"msgtype": "m.notice", "body": "notice"})).await;
    let event = ada.say(&read, "read").await;
    let receipt = format!("/rooms/{}/receipt/m.read/{}", escape(&read), escape(&event));
    bob.post(&receipt, json!({})).await;
    gateway.texts(1).await;
    ada.say(&room, "end").await;
    let texts = gateway.texts(2).await;
    assert_eq!(texts.last().unwrap(), "end");
    let loud: Vec<_> =
        texts.iter().filter(|text| !["begin", "end", "read"].contains(&text.as_str())).collect();
    assert!(loud.is_empty(), "{texts:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_is_told_to_whom_it_is_for() {
    let (server, gateway) = started().await;
    let (ada, bob, _) = pair(&server).await;
    let room = ada.create_room(json!({"preset": "private_chat", "invite": [bob.id]})).await;
    let told = gateway.wait_for(1).await.remove(0);
    assert_eq!((&told["room_id"], &told["type"]), (&json!(room), &json!("m.room.member")));
    assert_eq!(
        (&told["user_is_target"], &told["content"]["membership"]),
        (&json!(true), &json!("invite"))
    );
    assert_eq!(told["devices"][0]["tweaks"]["sound"], "default");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_only_invited_is_told_nothing_of_what_is_said() {
    let (server, gateway) = started().await;
    let (ada, bob, room) = pair(&server).await;
    let secret = ada.create_room(json!({"preset": "private_chat", "invite": [bob.id]})).await;
    gateway.wait_for(1).await;
    let mention =
        json!({"msgtype": "m.text", "body": "secret", "m.mentions": {"user_ids": [bob.id]}});
    ada.send(&secret, "m.room.message", mention).await;
    ada.say(&room, "open").await;
    assert_eq!(gateway.texts(2).await, ["-", "open"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_that_was_away_is_told_afterwards_what_still_counts() {
    let (server, gateway) = started().await;
    let (ada, _, room) = pair(&server).await;
    gateway.answer_next(500, json!({}));
    gateway.answer_next(200, json!("no answer of a gateway"));
    ada.say(&room, "first").await;
    ada.say(&room, "second").await;
    let texts = gateway.texts(2).await;
    assert_eq!(texts.last().unwrap(), "second");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_loses_nothing_and_tells_nothing_twice() {
    let gateway = Gateway::default();
    let options = gateway.start().await;
    let gateways = options.push_gateways.clone();
    let again = move || Options { push_gateways: gateways.clone(), ..Options::default() };
    let server = TestServer::with(options).await;
    server.homeserver.start_push();
    let (ada, _, room) = pair(&server).await;
    ada.say(&room, "before").await;
    gateway.wait_for(1).await;
    // Told before the restart, or not at all by then; it is not running, so nothing is told meanwhile.
    let (token, room) = (ada.token.clone(), room.clone());
    let server = server.restart_with(again()).await;
    let path = format!("/_matrix/client/v3/rooms/{}/send/m.room.message/t", escape(&room));
    let say = async |server: &TestServer, text: &str| {
        let body = json!({"msgtype": "m.text", "body": text});
        server.call(Method::PUT, &format!("{path}{text}"), Some(&token), Some(body)).await
    };
    say(&server, "meanwhile").await;
    let server = server.restart_with(again()).await;
    server.homeserver.start_push();
    assert_eq!(gateway.texts(2).await, ["before", "meanwhile"]);
    say(&server, "after").await;
    assert_eq!(gateway.texts(3).await, ["before", "meanwhile", "after"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_its_gateway_knows_no_more_is_forgotten() {
    let (server, gateway) = started().await;
    let (ada, bob, room) = pair(&server).await;
    gateway.answer_next(200, json!({"rejected": ["key of bob"]}));
    ada.say(&room, "Hello").await;
    gateway.wait_for(1).await;
    for _ in 0..200 {
        if keys_of(&bob).await.is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("the pusher is still there");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pusher_is_shown_changed_and_removed() {
    let (server, _) = started().await;
    let bob = server.user("bob").await;
    set(&bob, "one").await;
    assert_eq!(bob.get("/pushers").await["pushers"], json!([pusher("one")]));
    let mut changed = pusher("one");
    changed["device_display_name"] = "Tablet".into();
    bob.post("/pushers/set", changed.clone()).await;
    assert_eq!(bob.get("/pushers").await["pushers"], json!([changed]));
    let gone = json!({"kind": null, "app_id": "org.example.app", "pushkey": "one"});
    bob.post("/pushers/set", gone.clone()).await;
    assert!(keys_of(&bob).await.is_empty());
    bob.post("/pushers/set", gone).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pusher_goes_with_its_device() {
    let (server, _) = started().await;
    let (phone, tablet) = (server.user("bob").await, server.login_on("bob", "TABLET").await);
    set(&phone, "phone").await;
    set(&tablet, "tablet").await;
    phone.post("/logout", json!({})).await;
    assert_eq!(keys_of(&tablet).await, ["tablet"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pusher_goes_with_its_account() {
    let (server, gateway) = started().await;
    let (ada, bob, room) = pair(&server).await;
    let (status, answer) =
        server.act(Method::POST, "/_matrix/client/v3/account/deactivate", &bob.id, json!({})).await;
    assert_eq!(status, 200, "{answer}");
    let cleo = server.user("cleo").await;
    cleo.join(&room).await;
    set(&cleo, "key of cleo").await;
    ada.say(&room, "Hello").await;
    let told = gateway.wait_for(1).await;
    assert_eq!(told[0]["devices"][0]["pushkey"], "key of cleo");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_changes_hands_tells_only_its_new_owner() {
    let (server, _) = started().await;
    let (ada, bob, cleo) =
        (server.user("ada").await, server.user("bob").await, server.user("cleo").await);
    set(&ada, "phone").await;
    set(&bob, "phone").await;
    assert!(keys_of(&ada).await.is_empty());
    let mut shared = pusher("phone");
    shared["append"] = true.into();
    cleo.post("/pushers/set", shared).await;
    assert_eq!((keys_of(&bob).await.len(), keys_of(&cleo).await.len()), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_oldest_pusher_goes_when_there_are_too_many() {
    let (server, _) = started().await;
    let bob = server.user("bob").await;
    for number in 0..22 {
        set(&bob, &format!("key {number}")).await;
    }
    let keys = keys_of(&bob).await;
    assert_eq!((keys.len(), keys[0].as_str()), (20, "key 2"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pusher_that_cannot_be_is_refused_and_changes_nothing() {
    let (server, _) = started().await;
    let bob = server.user("bob").await;
    set(&bob, "one").await;
    let with = |change: &dyn Fn(&mut Value)| {
        let mut wrong = pusher("two");
        change(&mut wrong);
        wrong
    };
    let wrong = [
        with(&|p| p["data"]["url"] = "http://169.254.169.254/_matrix/push/v1/notify".into()),
        with(&|p| p["data"]["url"] = "https://elsewhere.example/_matrix/push/v1/notify".into()),
        with(&|p| p["kind"] = "email".into()),
        with(&|p| p["kind"] = "carrier pigeon".into()),
        with(&|p| p["pushkey"] = "x".repeat(513).into()),
        with(&|p| p["pushkey"] = "".into()),
        with(&|p| p["app_id"] = "x".repeat(65).into()),
        with(&|p| p["data"]["more"] = "x".repeat(5_000).into()),
        with(&|p| drop(p.as_object_mut().unwrap().remove("data"))),
        json!({}),
    ];
    for wrong in wrong {
        let (status, _) = bob.refused(Method::POST, "/pushers/set", wrong.clone()).await;
        assert!([400, 413].contains(&status), "{status}: {wrong}");
    }
    assert_eq!(keys_of(&bob).await, ["one"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_large_room_only_those_are_told_who_are_spoken_to_or_have_asked_for_all_of_it() {
    let (server, gateway) = started().await;
    let ada = server.user("ada").await;
    let room = ada.public_room().await;
    let join = format!("/_matrix/client/v3/join/{}", escape(&room));
    for number in 0..100 {
        let name = format!("crowd{number}");
        let body =
            json!({"type": "m.login.application_service", "username": name, "inhibit_login": true});
        let path = "/_matrix/client/v3/register";
        assert_eq!(server.call(Method::POST, path, Some(AS_TOKEN), Some(body)).await.0, 200);
        let user = format!("@{name}:test.local");
        assert_eq!(server.act(Method::POST, &join, &user, json!({})).await.0, 200);
    }
    let (bob, cleo) = (server.user("bob").await, server.user("cleo").await);
    for (user, key) in [(&bob, "key of bob"), (&cleo, "key of cleo")] {
        user.join(&room).await;
        set(user, key).await;
    }
    let all = format!("/pushrules/global/room/{}", escape(&room));
    cleo.put(&all, json!({"actions": ["notify"]})).await;
    ada.say(&room, "to everybody").await;
    gateway.wait_for(1).await;
    let mention =
        json!({"msgtype": "m.text", "body": "to bob", "m.mentions": {"user_ids": [bob.id]}});
    ada.send(&room, "m.room.message", mention).await;
    let told = gateway.wait_for(3).await;
    let of = |key: &str| -> Vec<String> {
        let told = told.iter().filter(|told| told["devices"][0]["pushkey"] == key);
        told.map(|told| told["content"]["body"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(of("key of bob"), ["to bob"]);
    assert_eq!(of("key of cleo"), ["to everybody", "to bob"]);
}
