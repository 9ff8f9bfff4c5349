//! Rooms and reports as moderators see them and deal with them.

use serde_json::{Value, json};

use crate::catalogue::{event, import};
use crate::chat_rooms::{in_room, private_room, public_room};
use crate::harness::{Chatter, Fan, OPERATOR_TOKEN, Reply, TestApp, escape, eventually, together};

const ADA: &str = "+447700900101";
pub const BEN: &str = "+447700900102";

pub struct Scene {
    pub app: TestApp,
    pub ada: Fan,
    pub owner: Chatter,
    pub ben: Fan,
    pub noisy: Chatter,
    pub room: String,
}

/// A public room of Ada's in which Ben is too.
pub async fn scene() -> Scene {
    let app = TestApp::new().await;
    let (ada, owner) = app.chatter(ADA).await;
    let (ben, noisy) = app.chatter(BEN).await;
    let room = public_room(&app, &ada, "Away end").await;
    in_room(&app, &ben, &room, "join").await.expect(200);
    Scene { app, ada, owner, ben, noisy, room }
}

impl Scene {
    fn path(&self, what: &str) -> String {
        format!("/api/admin/chat/rooms/{}{what}", escape(&self.room))
    }

    pub async fn get(&self, what: &str) -> Reply {
        self.app.client.get(&self.path(what)).token(OPERATOR_TOKEN).send().await
    }

    async fn post(&self, what: &str, body: Value) -> Reply {
        self.app.client.post(&self.path(what)).token(OPERATOR_TOKEN).json(body).send().await
    }

    /// Something done to Ben.
    pub async fn measure(&self, what: &str, more: Value) -> Reply {
        let mut body = json!({"user_id": self.ben.id, "reason": "Insults"});
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        self.post(what, body).await
    }

    async fn report(&self, message: &str) -> i64 {
        let path = format!("/api/auth/chat-rooms/{}/report", escape(&self.room));
        let body = json!({"reason": "Rude", "message_id": message, "user_id": self.ben.id});
        let reply = self.app.client.post(&path).token(&self.ada.token).json(body).send().await;
        reply.expect(201).body["data"]["id"].as_i64().unwrap()
    }

    async fn read(&self, report: i64) -> Value {
        let path = format!("/api/admin/chat/reports/{report}");
        let reply = self.app.client.get(&path).token(OPERATOR_TOKEN).send().await;
        reply.expect(200).body["data"].clone()
    }

    /// How a try of Ben's to write is answered.
    pub async fn try_to_write(&self) -> u16 {
        let name = touchline::platform::keys::hex(&touchline::platform::clock::random_bytes::<8>());
        let path = format!("/rooms/{}/send/m.room.message/{name}", escape(&self.room));
        self.noisy.put(&path, json!({"msgtype": "m.text", "body": "hello"})).await.status
    }

    /// Fans who come into the room.
    async fn crowd(&self, count: u32) -> Vec<Fan> {
        let mut crowd = Vec::new();
        for n in 0..count {
            let (fan, _) = self.app.chatter(&TestApp::phone(n)).await;
            in_room(&self.app, &fan, &self.room, "join").await.expect(200);
            crowd.push(fan);
        }
        crowd
    }

    async fn to_each(&self, what: &str, more: Value, fans: &[Fan]) -> Vec<Reply> {
        let one = |n: usize| {
            let mut body = json!({"user_id": fans[n].id, "reason": "Insults"});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            self.post(what, body)
        };
        together(fans.len(), one).await
    }

    /// Who of these is silent on the network, and who is by the list of the room.
    async fn silent(&self, fans: &[Fan]) -> (Vec<i64>, Vec<i64>) {
        let path = format!("/rooms/{}/state/m.room.power_levels", escape(&self.room));
        let levels = self.noisy.get(&path).await.expect(200).body["users"].clone();
        let is_silent = |fan: &&Fan| {
            let level = &levels[format!("@{}:localhost", fan.username)];
            level.as_i64().is_some_and(|level| level < 0)
        };
        let silent = fans.iter().filter(is_silent).map(|fan| fan.id).collect();
        let muted = self.get("").await.expect(200).body["data"]["muted"].clone();
        let muted = muted.as_array().unwrap().iter();
        let mut listed: Vec<i64> = muted.map(|mute| mute["user_id"].as_i64().unwrap()).collect();
        listed.sort_unstable();
        (silent, listed)
    }

    pub async fn is_ben_in(&self) -> bool {
        self.noisy.joined_rooms().await.contains(&self.room)
    }

    /// What the log says of the last thing that was done.
    async fn last_audit(&self) -> Value {
        let call =
            self.app.client.get("/api/admin/audit?per_page=1&action=chat.").token(OPERATOR_TOKEN);
        call.send().await.expect(200).body["data"][0].clone()
    }
}

fn texts(messages: &Value) -> Vec<&str> {
    messages.as_array().unwrap().iter().map(|message| message["text"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_read_with_the_message_and_what_was_said_around_it() {
    let scene = scene().await;
    for text in ["one", "two"] {
        scene.noisy.say(&scene.room, text).await;
    }
    let message = scene.noisy.say(&scene.room, "insult").await;
    scene.noisy.say(&scene.room, "three").await;
    let report = scene.report(&message).await;
    let whole = scene.read(report).await;
    assert_eq!(whole["message"]["text"], "insult");
    assert_eq!(whole["message"]["username"], json!(scene.ben.username));
    assert_eq!(
        (texts(&whole["before"]), texts(&whole["after"])),
        (vec!["one", "two"], vec!["three"])
    );
    assert_eq!(whole["reporter_username"], json!(scene.ada.username));
    assert_eq!((&whole["room_name"], &whole["reason"]), (&json!("Away end"), &json!("Rude")));
    assert_eq!(scene.last_audit().await["action"], "chat.read_report");
    let unknown = scene.app.client.get("/api/admin/chat/reports/999999").token(OPERATOR_TOKEN);
    unknown.send().await.expect_error(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_of_a_message_alone_is_one_about_whoever_wrote_it() {
    let scene = scene().await;
    let message = scene.noisy.say(&scene.room, "Something rude").await;
    let path = format!("/api/auth/chat-rooms/{}/report", escape(&scene.room));
    let body = json!({"reason": "Rude", "message_id": message});
    scene.app.client.post(&path).token(&scene.ada.token).json(body).send().await.expect(201);
    scene.app.run_jobs().await;
    let path = format!("/api/admin/chat/reports?about={}", scene.ben.id);
    let about = scene.app.client.get(&path).token(OPERATOR_TOKEN).send().await.expect(200);
    assert_eq!(about.body["data"][0]["reported_username"], json!(scene.ben.username));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_taken_away_for_everybody() {
    let scene = scene().await;
    let message = scene.noisy.say(&scene.room, "insult").await;
    let report = scene.report(&message).await;
    let body = json!({"message_id": message, "reason": "Insults"});
    scene.post("/redact", body).await.expect(200);
    let whole = scene.read(report).await;
    assert_eq!(
        (&whole["message"]["text"], &whole["message"]["is_redacted"]),
        (&json!(null), &json!(true))
    );
    for unknown in ["$unknown", "$\u{1f600}", "$a:b", "$../..", "$ "] {
        let body = json!({"message_id": unknown, "reason": "Insults"});
        scene.post("/redact", body).await.expect_error(404, "not_found");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_muted_reads_and_does_not_write_until_they_are_let() {
    let scene = scene().await;
    assert_eq!(scene.try_to_write().await, 200);
    scene.measure("/mute", json!({})).await.expect(200);
    assert_eq!(scene.try_to_write().await, 403);
    assert!(scene.is_ben_in().await);
    let audit = scene.last_audit().await;
    assert_eq!(audit["subject"], format!("user {}", scene.ben.id));
    assert_eq!(
        (&audit["before"]["is_muted"], &audit["after"]["is_muted"]),
        (&json!(false), &json!(true))
    );
    let shown = scene.get("").await.expect(200).body["data"].clone();
    assert_eq!(
        (&shown["muted"][0]["user_id"], &shown["muted"][0]["muted_until"]),
        (&json!(scene.ben.id), &json!(null))
    );
    scene.measure("/unmute", json!({})).await.expect(200);
    assert_eq!(scene.try_to_write().await, 200);
    assert_eq!(scene.get("").await.body["data"]["muted"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mute_for_a_time_ends_by_itself() {
    let scene = scene().await;
    scene.measure("/mute", json!({"minutes": 10})).await.expect(200);
    scene.app.advance(9 * 60);
    scene.app.run_jobs().await;
    assert_eq!(scene.try_to_write().await, 403);
    scene.app.advance(61);
    scene.app.run_jobs().await;
    assert_eq!(scene.try_to_write().await, 200);
    assert_eq!(scene.get("").await.body["data"]["muted"], json!([]));
    for minutes in [0, -1, 525_601] {
        scene.measure("/mute", json!({"minutes": minutes})).await.expect_invalid("minutes");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mute_for_good_is_not_ended_by_the_end_of_one_before() {
    let scene = scene().await;
    scene.measure("/mute", json!({"minutes": 10})).await.expect(200);
    scene.measure("/mute", json!({})).await.expect(200);
    scene.app.advance(11 * 60);
    scene.app.run_jobs().await;
    assert_eq!(scene.try_to_write().await, 403);
}

fn ids(fans: &[Fan]) -> Vec<i64> {
    fans.iter().map(|fan| fan.id).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn those_who_are_muted_in_a_room_at_once_are_all_silent() {
    let scene = scene().await;
    let crowd = scene.crowd(12).await;
    for reply in scene.to_each("/mute", json!({}), &crowd).await {
        reply.expect(200);
    }
    assert_eq!(scene.silent(&crowd).await, (ids(&crowd), ids(&crowd)));
    let (first, rest) = crowd.split_at(6);
    for reply in scene.to_each("/unmute", json!({}), first).await {
        reply.expect(200);
    }
    assert_eq!(scene.silent(&crowd).await, (ids(rest), ids(rest)));
}

#[tokio::test(flavor = "multi_thread")]
async fn mutes_that_end_by_their_clock_undo_none_that_begin_meanwhile() {
    let scene = scene().await;
    let crowd = scene.crowd(10).await;
    let (first, rest) = crowd.split_at(5);
    for reply in scene.to_each("/mute", json!({"minutes": 10}), first).await {
        reply.expect(200);
    }
    scene.app.advance(11 * 60);
    let (_, replies) = tokio::join!(scene.app.run_jobs(), scene.to_each("/mute", json!({}), rest));
    for reply in replies {
        reply.expect(200);
    }
    assert_eq!(scene.silent(&crowd).await, (ids(rest), ids(rest)));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_removed_may_come_back_and_whoever_is_banned_from_a_room_may_not() {
    let scene = scene().await;
    scene.measure("/remove", json!({})).await.expect(200);
    assert!(!scene.is_ben_in().await);
    eventually(async || {
        (in_room(&scene.app, &scene.ben, &scene.room, "join").await.status == 200).then_some(())
    })
    .await;
    scene.measure("/ban", json!({})).await.expect(200);
    assert!(!scene.is_ben_in().await);
    let join = format!("/rooms/{}/join", escape(&scene.room));
    assert_eq!(scene.noisy.post(&join, json!({})).await.status, 403);
    scene.measure("/unban", json!({})).await.expect(200);
    assert_eq!(scene.noisy.post(&join, json!({})).await.status, 200);
    assert_eq!(scene.last_audit().await["action"], "chat.unban");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_not_in_a_room_can_be_removed_from_it_and_banned_from_it() {
    let scene = scene().await;
    for what in ["/remove", "/remove", "/ban", "/ban", "/remove", "/unban", "/unban"] {
        scene.measure(what, json!({})).await.expect(200);
    }
    assert!(!scene.is_ben_in().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_made_a_room_is_walked_out_of_it_and_cannot_be_muted_in_it() {
    let scene = scene().await;
    let body = json!({"user_id": scene.ada.id, "reason": "Insults"});
    scene.post("/mute", body.clone()).await.expect_error(409, "nobody_has_the_power");
    scene.post("/ban", body.clone()).await.expect_error(409, "nobody_has_the_power");
    scene.post("/remove", body).await.expect(200);
    let members = async || {
        let data = scene.get("/members").await.expect(200).body["data"].clone();
        let names: Vec<Value> =
            data.as_array().unwrap().iter().map(|member| member["user_id"].clone()).collect();
        (names == [json!(scene.ben.id)]).then_some(())
    };
    eventually(members).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bot_acts_in_the_room_of_a_match() {
    let mut scene = scene().await;
    let imported = import(&scene.app, json!([event("m:1", "2026-11-20T15:00:00Z")])).await;
    let id = imported["events"]["m:1"].as_i64().unwrap();
    scene.app.run_jobs().await;
    let path = format!("/api/auth/events/{id}");
    let shown = scene.app.client.get(&path).token(&scene.ben.token).send().await.expect(200);
    scene.room = shown.body["data"]["chat_room_id"].as_str().unwrap().to_owned();
    in_room(&scene.app, &scene.ben, &scene.room, "join").await.expect(200);
    scene.measure("/mute", json!({})).await.expect(200);
    assert_eq!(scene.try_to_write().await, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_taken_out_of_every_room_is_in_none() {
    let scene = scene().await;
    let other = public_room(&scene.app, &scene.ben, "Home end").await;
    let path = format!("/api/admin/users/{}/leave-rooms", scene.ben.id);
    let call =
        scene.app.client.post(&path).token(OPERATOR_TOKEN).json(json!({"reason": "Insults"}));
    assert_eq!(call.send().await.expect(200).body["data"]["rooms"], 2);
    scene.app.run_jobs().await;
    let rooms = scene.noisy.joined_rooms().await;
    assert!(!rooms.contains(&scene.room) && !rooms.contains(&other), "{rooms:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_are_found_by_the_beginning_of_their_name_private_ones_too() {
    let scene = scene().await;
    private_room(&scene.app, &scene.ada, "Away coach").await;
    public_room(&scene.app, &scene.ada, "Home end").await;
    let find = async |query: &str| {
        let path = format!("/api/admin/chat/rooms{query}");
        let reply = scene.app.client.get(&path).token(OPERATOR_TOKEN).send().await.expect(200);
        let rooms = reply.body["data"].as_array().unwrap().clone();
        rooms.iter().map(|room| room["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(find("?name=aWAY").await, ["Away coach", "Away end"]);
    assert_eq!(find("?name=end").await, Vec::<String>::new());
    assert_eq!(find("").await.len(), 3);
    let private = format!("/api/admin/chat/rooms/{}", escape("!none:localhost"));
    scene
        .app
        .client
        .get(&private)
        .token(OPERATOR_TOKEN)
        .send()
        .await
        .expect_error(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_dealt_with_in_a_room_that_is_not_there() {
    let scene = scene().await;
    let path = format!("/api/admin/chat/rooms/{}/mute", escape("!none:localhost"));
    let body = json!({"user_id": scene.ben.id, "reason": "Insults"});
    let call = scene.app.client.post(&path).token(OPERATOR_TOKEN).json(body);
    call.send().await.expect_error(404, "not_found");
    let nobody = json!({"user_id": 999_999, "reason": "Insults"});
    scene.post("/mute", nobody).await.expect_error(404, "not_found");
    scene.post("/mute", json!({"user_id": scene.ben.id})).await.expect_invalid("reason");
}
