//! Rooms that many follow: what is read once for all of them, and waking them in turn.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{TestServer, User, bodies, escape};
use crate::sync_state::Dice;

/// Enough that what happens in their room is read once for all.
const FOLLOWERS: usize = 10;
/// Enough that they are woken in turn.
const CROWD: usize = 100;

async fn raw(server: &TestServer, token: &str, path: &str) -> String {
    let url = format!("{}/_matrix/client/v3{path}", server.base);
    let answer = server.client.get(url).bearer_auth(token).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{path}");
    answer.text().await.unwrap()
}

/// Waits for news until the server says that it is over.
fn follow(user: &User<'_>) -> tokio::task::JoinHandle<()> {
    let client = user.server.client.clone();
    let (base, token) = (user.server.base.clone(), user.token.clone());
    tokio::spawn(async move {
        let mut since = String::new();
        loop {
            let url = format!("{base}/_matrix/client/v3/sync?timeout=60000{since}");
            let Ok(answer) = client.get(url).bearer_auth(&token).send().await else { return };
            let Ok(answer) = answer.json::<Value>().await else { return };
            let Some(next) = answer["next_batch"].as_str() else { return };
            since = format!("&since={next}");
        }
    })
}

/// Without how old the events are, since answers are asked for one after the other.
fn ageless(text: &str) -> String {
    let mut parts = text.split("\"age\":");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| {
        text + "\"age\":_" + part.trim_start_matches(|c: char| c.is_ascii_digit())
    })
}

fn filters(room: &str) -> Vec<Value> {
    let lazy = json!({"lazy_load_members": true});
    vec![
        json!({}),
        json!({"room": {"state": lazy, "timeline": {"limit": 2}}}),
        json!({"room": {"state": lazy, "timeline": {"limit": 50, "types": ["m.room.message"]},
                        "ephemeral": {"types": []}}}),
        json!({"room": {"timeline": {"limit": 50, "unread_thread_notifications": true}}}),
        json!({"room": {"timeline": {"senders": ["@ann:test.local"]}, "state": lazy}}),
        json!({"room": {"timeline": {"contains_url": true}, "ephemeral": {"types": ["m.typing"]}}}),
        json!({"room": {"rooms": [room], "timeline": {"limit": 0}}}),
    ]
}

/// Somebody who follows by a filter of their own.
struct Reader<'s> {
    user: User<'s>,
    filter: String,
    since: String,
}

impl<'s> Reader<'s> {
    async fn new(user: User<'s>, filter: &Value, is_stored: bool) -> Self {
        let mut asked = escape(&filter.to_string());
        if is_stored {
            let path = format!("/user/{}/filter", escape(&user.id));
            asked = user.post(&path, filter.clone()).await["filter_id"].as_str().unwrap().into();
        }
        let path = format!("/sync?timeout=0&filter={asked}");
        let since = user.get(&path).await["next_batch"].as_str().unwrap().to_owned();
        Self { user, filter: asked, since }
    }

    /// Asks as somebody who waits, and then as somebody who does not, who is always answered by the database.
    async fn compare(&mut self, story: &str) {
        let path =
            |wait: u32| format!("/sync?timeout={wait}&filter={}&since={}", self.filter, self.since);
        let server = self.user.server;
        let quick = raw(server, &self.user.token, &path(1)).await;
        let general = raw(server, &self.user.token, &path(0)).await;
        let at = format!("{} by {}\n{story}", self.user.id, self.filter);
        assert_eq!(ageless(&quick), ageless(&general), "{at}");
        let answer: Value = serde_json::from_str(&quick).unwrap();
        answer["next_batch"].as_str().unwrap().clone_into(&mut self.since);
    }
}

/// Something that somebody says, and its type.
fn talk(dice: &mut Dice, target: &str, other: &str) -> (&'static str, Value) {
    let relates = |kind: &str| json!({"rel_type": kind, "event_id": target, "key": "+"});
    let mut body = json!({"msgtype": "m.text", "body": "What a \"goal\"!"});
    let mut kind = "m.room.message";
    match dice.roll(20) {
        0 => body["m.relates_to"] = relates("m.thread"),
        1 => {
            body["m.new_content"] = body.clone();
            body["m.relates_to"] = relates("m.replace");
        }
        2 => {
            kind = "m.reaction";
            body = json!({"m.relates_to": relates("m.annotation")});
        }
        3 => body["m.mentions"] = json!({"user_ids": [other]}),
        4 => body["url"] = "mxc://test.local/x".into(),
        _ => {}
    }
    (kind, body)
}

/// Something that somebody does in a room beside talking.
fn act(
    dice: &mut Dice,
    at: &str,
    target: &str,
    actor: &User<'_>,
    number: usize,
) -> (Method, String, Value) {
    match dice.roll(9) {
        0 => (Method::PUT, format!("{at}/redact/{}/c{number}", escape(target)), json!({})),
        1..=3 => {
            let kind = dice.pick(&["m.read", "m.read", "m.read.private", "m.fully_read"]);
            let in_main = dice.roll(3) == 0 && *kind != *"m.fully_read";
            let body = if in_main { json!({"thread_id": "main"}) } else { json!({}) };
            (Method::POST, format!("{at}/receipt/{kind}/{}", escape(target)), body)
        }
        4 => {
            let body = json!({"typing": dice.roll(2) == 0, "timeout": 60_000});
            (Method::PUT, format!("{at}/typing/{}", escape(&actor.id)), body)
        }
        5 => {
            let kind = dice.pick(&["m.room.name", "m.room.topic", "m.room.history_visibility"]);
            let shown = dice.pick(&["shared", "joined", "world_readable"]);
            let body = json!({"name": "N", "topic": number.to_string(),
                              "history_visibility": shown});
            (Method::PUT, format!("{at}/state/{kind}"), body)
        }
        6 => (Method::POST, format!("{at}/leave"), json!({})),
        _ => (Method::POST, format!("{at}/join"), json!({})),
    }
}

/// Something that changes what is a user's own.
fn keep(
    dice: &mut Dice,
    at: &str,
    actor: &User<'_>,
    other: &User<'_>,
    number: usize,
) -> (Method, String, Value) {
    let me = escape(&actor.id);
    match dice.roll(6) {
        0 => {
            let body = json!({"displayname": number.to_string()});
            (Method::PUT, format!("/profile/{me}/displayname"), body)
        }
        1 => {
            let list = json!({"ignored_users": {other.id.clone(): {}}});
            let list = if dice.roll(2) == 0 { list } else { json!({}) };
            (Method::PUT, format!("/user/{me}/account_data/m.ignored_user_list"), list)
        }
        2 => {
            let path = format!("/user/{me}{at}/account_data/test.note");
            (Method::PUT, path, json!({"number": number}))
        }
        3 => {
            let body = json!({"messages": {other.id.clone(): {"*": {"number": number}}}});
            (Method::PUT, format!("/sendToDevice/test.note/c{number}"), body)
        }
        4 => {
            let keys = json!({format!("signed_curve25519:K{number}"): {"key": "k"}});
            (Method::POST, "/keys/upload".to_owned(), json!({"one_time_keys": keys}))
        }
        _ => {
            let wanted = json!({other.id.clone(): {other.device.clone(): "signed_curve25519"}});
            (Method::POST, "/keys/claim".to_owned(), json!({"one_time_keys": wanted}))
        }
    }
}

/// Something that happens; most of it is talk.
async fn happen(dice: &mut Dice, actors: &[&User<'_>], room: &str, said: &mut Vec<String>) {
    let actor = actors[dice.roll(actors.len())];
    let other = actors[dice.roll(actors.len())];
    let at = format!("/rooms/{}", escape(room));
    let target = said.get(said.len().saturating_sub(1 + dice.roll(6))).cloned();
    let target = target.unwrap_or_else(|| "$none".to_owned());
    let number = dice.roll(1_000_000);
    let (method, path, body) = match dice.roll(30) {
        0..=8 => act(dice, &at, &target, actor, number),
        9..=14 => keep(dice, &at, actor, other, number),
        _ => {
            let (kind, body) = talk(dice, &target, &other.id);
            (Method::PUT, format!("{at}/send/{kind}/c{number}"), body)
        }
    };
    let (status, answer) = actor.try_call(method, &path, Some(body)).await;
    let is_room_event = path.contains("/send/") || path.contains("/state/");
    if let (200, true, Some(id)) = (status.as_u16(), is_room_event, answer["event_id"].as_str()) {
        said.push(id.to_owned());
    }
}

async fn open_rooms(ann: &User<'_>) -> Vec<String> {
    let power = json!({"state_default": 0, "redact": 0, "events": {}, "users_default": 0});
    let encrypted = json!([{"type": "m.room.encryption",
                            "content": {"algorithm": "m.megolm.v1.aes-sha2"}}]);
    let bodies = [
        json!({"preset": "public_chat", "name": "Final", "power_level_content_override": power}),
        json!({"preset": "public_chat", "power_level_content_override": power}),
        json!({"preset": "public_chat", "initial_state": encrypted,
               "power_level_content_override": power}),
    ];
    let mut rooms = Vec::new();
    for body in bodies {
        rooms.push(ann.create_room(body).await);
    }
    rooms
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_told_to_many_at_once_is_to_the_byte_what_each_would_be_told_alone() {
    let mut shared = 0;
    for seed in 1..=2_u64 {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15 ^ (seed << 40));
        let server = TestServer::new().await;
        let ann = server.user("ann").await;
        let rooms = open_rooms(&ann).await;
        let mut listeners = Vec::new();
        for number in 0..FOLLOWERS {
            let follower = server.user(&format!("follower{number}")).await;
            for room in &rooms {
                follower.join(room).await;
            }
            listeners.push(follow(&follower));
        }
        let mut readers = Vec::new();
        for name in ["ann", "bob", "cat", "dan"] {
            if name != "ann" {
                let user = server.user(name).await;
                for room in rooms.iter().take(if name == "dan" { 1 } else { 3 }) {
                    user.join(room).await;
                }
                if name == "cat" {
                    let rule = json!({"actions": ["notify"], "pattern": "goal"});
                    user.put("/pushrules/global/content/goal", rule).await;
                }
            }
            for (nth, filter) in filters(&rooms[0]).iter().enumerate() {
                let device = server.login_on(name, &format!("{name}{nth}")).await;
                readers.push(Reader::new(device, filter, nth % 2 == 1).await);
            }
        }
        let mut said = vec![Vec::new(); rooms.len()];
        let mut story = format!("seed {seed}");
        for round in 0..25 {
            for _ in 0..=dice.roll(4) {
                // Most happens where most of the others are told of it by what is shared.
                let room = [0, 0, 0, 1, 1, 2][dice.roll(6)];
                let actors: Vec<_> = readers.iter().map(|reader| &reader.user).collect();
                happen(&mut dice, &actors, &rooms[room], &mut said[room]).await;
            }
            story.push_str(&format!("\nround {round}: {said:?}"));
            // Until the followers wait again.
            tokio::time::sleep(Duration::from_millis(30)).await;
            for reader in &mut readers {
                if dice.roll(3) > 0 {
                    let before = server.homeserver.shared_answers();
                    reader.compare(&story).await;
                    shared += usize::from(server.homeserver.shared_answers() > before);
                }
            }
        }
        listeners.iter().for_each(tokio::task::JoinHandle::abort);
    }
    assert!(shared > 60, "only {shared} answers were made of what is shared");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_of_a_hundred_who_wait_hears_every_message_once_and_in_order() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let mut phones = tokio::task::JoinSet::new();
    for number in 0..CROWD {
        let user = server.user(&format!("fan{number}")).await;
        user.join(&room).await;
        let (client, base, token) = (server.client.clone(), server.base.clone(), user.token);
        let room = room.clone();
        let filter = escape(&json!({"room": {"timeline": {"limit": 200}}}).to_string());
        phones.spawn(async move {
            let (mut since, mut heard) = (String::new(), Vec::new());
            while heard.last().is_none_or(|last| last != "the end") {
                let url =
                    format!("{base}/_matrix/client/v3/sync?timeout=30000&filter={filter}{since}");
                let answer = client.get(url).bearer_auth(&token).send().await.unwrap();
                assert_eq!(answer.status(), 200);
                let answer: Value = answer.json().await.unwrap();
                if !since.is_empty() {
                    let timeline = &answer["rooms"]["join"][&room]["timeline"];
                    assert_ne!(timeline["limited"], true);
                    heard.extend(bodies(&timeline["events"]));
                }
                since = format!("&since={}", answer["next_batch"].as_str().unwrap());
            }
            heard
        });
    }
    // Until all of them wait.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let mut said = Vec::new();
    for number in 0..60 {
        said.push(number.to_string());
        ann.say(&room, &number.to_string()).await;
    }
    said.push("the end".to_owned());
    ann.say(&room, "the end").await;
    while let Some(heard) = phones.join_next().await {
        let heard = heard.unwrap();
        let from = said.iter().position(|text| Some(text) == heard.first());
        assert_eq!(from.map(|from| &said[from..]), Some(heard.as_slice()));
        assert_eq!(from, Some(0));
    }
    assert!(server.homeserver.shared_answers() > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_is_ended_while_it_waits_in_a_crowd_is_refused_at_once() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let mut listeners = Vec::new();
    for number in 0..40 {
        let user = server.user(&format!("fan{number}")).await;
        user.join(&room).await;
        listeners.push(follow(&user));
    }
    let bob = server.user("bob").await;
    bob.join(&room).await;
    let mut since = bob.sync(None).await["next_batch"].as_str().unwrap().to_owned();
    for text in ["one", "two"] {
        ann.say(&room, text).await;
        let answer = bob.get(&format!("/sync?timeout=30000&since={since}")).await;
        assert_eq!(bodies(&answer["rooms"]["join"][&room]["timeline"]["events"]), [text]);
        answer["next_batch"].as_str().unwrap().clone_into(&mut since);
    }
    let other = server.login("bob").await;
    let path = format!("/sync?timeout=30000&since={since}");
    let waits = bob.try_call(Method::GET, &path, None);
    let ends = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        other.post("/logout/all", json!({})).await;
        ann.say(&room, "three").await;
    };
    let ((status, answer), ()) = tokio::join!(waits, ends);
    assert_eq!((status.as_u16(), &answer["errcode"]), (401, &json!("M_UNKNOWN_TOKEN")));
    let again = bob.try_call(Method::GET, &path, None).await;
    assert_eq!(again.0, 401);
    listeners.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_lost_on_its_way_is_told_again() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let mut listeners = Vec::new();
    for number in 0..FOLLOWERS {
        let user = server.user(&format!("fan{number}")).await;
        user.join(&room).await;
        listeners.push(follow(&user));
    }
    let bob = server.user("bob").await;
    bob.join(&room).await;
    let mut since = bob.sync(None).await["next_batch"].as_str().unwrap().to_owned();
    let mut unread = BTreeMap::new();
    for number in 0..5 {
        ann.say(&room, &number.to_string()).await;
        let path = format!("/sync?timeout=30000&since={since}");
        let (lost, told) = (bob.get(&path).await, bob.get(&path).await);
        for answer in [&lost, &told] {
            let room = &answer["rooms"]["join"][&room];
            assert_eq!(bodies(&room["timeline"]["events"]), [number.to_string()]);
            unread.insert(number, room["unread_notifications"]["notification_count"].clone());
            assert_eq!(unread[&number], number + 1);
        }
        told["next_batch"].as_str().unwrap().clone_into(&mut since);
    }
    listeners.iter().for_each(tokio::task::JoinHandle::abort);
}
