//! What is said to somebody in a chat room reaches their devices.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Chatter, Fan, PushService, TestApp, escape, eventually};
use crate::push::{plain_device, want, with_service};

struct Table {
    app: TestApp,
    service: PushService,
    ada: Fan,
    ada_chat: Chatter,
    ben: Fan,
    ben_chat: Chatter,
    room: String,
}

/// Ada has a device; Ben has a room and asks her in.
async fn table() -> Table {
    let (app, service) = with_service().await;
    let (ada, ada_chat) = app.chatter(&TestApp::phone(1)).await;
    let (ben, ben_chat) = app.chatter(&TestApp::phone(2)).await;
    plain_device(&app, &ada, &service).await;
    let body = json!({"name": "Corner", "preset": "private_chat", "invite": [ada_chat.id]});
    let made = ben_chat.post("/createRoom", body).await.expect(200);
    let room = made.body["room_id"].as_str().unwrap().to_owned();
    Table { app, service, ada, ada_chat, ben, ben_chat, room }
}

impl Table {
    async fn ada_comes(&self) {
        let path = format!("/rooms/{}/join", escape(&self.room));
        self.ada_chat.post(&path, json!({})).await.expect(200);
    }

    /// Ben says something that names these people.
    async fn name(&self, text: &str, named: &[&str]) -> String {
        let content = json!({"msgtype": "m.text", "body": text, "m.mentions": {"user_ids": named}});
        let path = format!("/rooms/{}/send/m.room.message/{}", escape(&self.room), text.len());
        let said = self.ben_chat.put(&path, content).await.expect(200);
        said.body["event_id"].as_str().unwrap().to_owned()
    }

    /// So many wait to be told.
    async fn addressed(&self, count: i64) {
        eventually(|| async {
            let found = self.app.count("SELECT count(*) FROM chat_addressed").await;
            (found == count).then_some(())
        })
        .await;
    }

    /// What Ada's device is told once what was said may be handed on.
    async fn told(&self) -> Vec<Value> {
        self.app.advance(11);
        self.app.run_jobs().await;
        self.service.taken().iter().map(crate::harness::Delivery::json).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_is_told() {
    let table = table().await;
    table.addressed(1).await;
    let told = table.told().await;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["title"], format!("{} invites you", table.ben.username));
    assert_eq!(
        (&told[0]["body"], &told[0]["data"]["room_id"]),
        (&json!("Corner"), &json!(table.room))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_who_is_named_is_told_once() {
    let table = table().await;
    table.ada_comes().await;
    table.addressed(1).await;
    table.told().await;
    let event = table.name("Ada, look", &[&table.ada_chat.id, &table.ben_chat.id]).await;
    table.addressed(1).await;
    let told = table.told().await;
    assert_eq!(told.len(), 1);
    assert_eq!(
        (&told[0]["title"], &told[0]["body"]),
        (&json!(table.ben.username), &json!("Ada, look"))
    );
    assert_eq!(told[0]["data"]["event_id"], event);
    assert_eq!(table.told().await.len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_taken_back_at_once_is_not_told() {
    let table = table().await;
    table.ada_comes().await;
    table.addressed(1).await;
    table.told().await;
    let event = table.name("Ada, never mind", &[&table.ada_chat.id]).await;
    table.addressed(1).await;
    let path = format!("/rooms/{}/redact/{}/1", escape(&table.room), escape(&event));
    table.ben_chat.call(Method::PUT, &path).json(json!({})).send().await.expect(200);
    table.addressed(0).await;
    assert_eq!(table.told().await.len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_told_what_somebody_says_whom_they_have_blocked() {
    let table = table().await;
    table.ada_comes().await;
    table.addressed(1).await;
    table.told().await;
    let path = format!("/api/auth/users/{}/block", table.ben.id);
    table.app.client.post(&path).token(&table.ada.token).send().await.expect(200);
    table.name("Ada!", &[&table.ada_chat.id]).await;
    // What is said afterwards comes afterwards.
    let sql = "SELECT count(*) FROM chat_seen_events";
    let seen = table.app.count(sql).await;
    table.ben_chat.say(&table.room, "and now?").await;
    eventually(|| async { (table.app.count(sql).await > seen).then_some(()) }).await;
    assert_eq!(table.told().await.len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_want_to_hear_of_mentions_does_not() {
    let table = table().await;
    table.ada_comes().await;
    table.addressed(1).await;
    want(&table.app, &table.ada, json!({"mention": false, "invitation": false})).await;
    table.name("Ada, look", &[&table.ada_chat.id]).await;
    table.addressed(2).await;
    assert_eq!(table.told().await.len(), 0);
}
