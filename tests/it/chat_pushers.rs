//! What is said in chat rooms reaches devices whose app is closed, by way of the homeserver's pushers.

use serde_json::json;

use crate::harness::{Chatter, Fan, PushService, TestApp, escape, eventually};
use crate::push::{plain_device, with_service};
use crate::push_gateway::bodies;

/// Asks the homeserver to tell Ada's device of what is said.
async fn set_pusher(app: &TestApp, fan: &Fan, chat: &Chatter, pushkey: &str) {
    let key = app.client.get("/api/auth/push/key").token(&fan.token).send().await.expect(200);
    let pusher = json!({
        "kind": "http", "app_id": "org.example.app", "pushkey": pushkey, "app_display_name": "App",
        "device_display_name": "Phone", "lang": "en", "data": {"url": key.body["data"]["gateway_url"]},
    });
    chat.post("/pushers/set", pusher).await.expect(200);
}

/// Ada has a device with a pusher, and is in a room of Ben's.
async fn room_of_two() -> (TestApp, PushService, Fan, Chatter, Chatter, String) {
    let (app, service) = with_service().await;
    let (ada, ada_chat) = app.chatter(&TestApp::phone(1)).await;
    let (_, ben_chat) = app.chatter(&TestApp::phone(2)).await;
    let device = plain_device(&app, &ada, &service).await;
    set_pusher(&app, &ada, &ada_chat, device["pushkey"].as_str().unwrap()).await;
    let body = json!({"name": "Corner", "preset": "public_chat"});
    let made = ben_chat.post("/createRoom", body).await.expect(200);
    let room = made.body["room_id"].as_str().unwrap().to_owned();
    ada_chat.post(&format!("/rooms/{}/join", escape(&room)), json!({})).await.expect(200);
    (app, service, ada, ada_chat, ben_chat, room)
}

async fn noted(app: &TestApp, count: i64) {
    eventually(|| async {
        let found = app.count("SELECT count(*) FROM push_messages WHERE kind = 'chat'").await;
        (found == count).then_some(())
    })
    .await;
    app.run_jobs().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_in_a_room_reaches_the_device_of_whoever_has_set_a_pusher() {
    let (app, service, _, _, ben_chat, room) = room_of_two().await;
    ben_chat.say(&room, "Are you there?").await;
    noted(&app, 1).await;
    let message = service.taken()[0].json();
    assert_eq!(message["body"], "Are you there?");
    assert!(message["title"].as_str().unwrap().ends_with(" · Corner"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mention_that_was_told_as_talk_is_not_told_again() {
    let (app, service, _, ada_chat, ben_chat, room) = room_of_two().await;
    let content =
        json!({"msgtype": "m.text", "body": "Look", "m.mentions": {"user_ids": [ada_chat.id]}});
    let path = format!("/rooms/{}/send/m.room.message/1", escape(&room));
    ben_chat.put(&path, content).await.expect(200);
    noted(&app, 1).await;
    eventually(|| async {
        let found = app.count("SELECT count(*) FROM chat_addressed").await;
        (found == 1).then_some(())
    })
    .await;
    app.advance(60);
    app.run_jobs().await;
    assert_eq!(bodies(&service.taken()), ["Look"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_told_what_whoever_they_block_says() {
    let (app, service, ada, _, ben_chat, room) = room_of_two().await;
    let ben = app.count("SELECT max(id) FROM users").await;
    app.client
        .post(&format!("/api/auth/users/{ben}/block"))
        .token(&ada.token)
        .send()
        .await
        .expect(200);
    ben_chat.say(&room, "Can you hear me?").await;
    let (_, cleo_chat) = app.chatter(&TestApp::phone(3)).await;
    cleo_chat.post(&format!("/rooms/{}/join", escape(&room)), json!({})).await.expect(200);
    cleo_chat.say(&room, "I can").await;
    noted(&app, 1).await;
    assert_eq!(bodies(&service.taken()), ["I can"]);
}
