//! A client that applies what it is told has the server's state: by examples, and by rooms in which anything happens.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{TestServer, User, escape};

const MEMBER: &str = "m.room.member";

type State = BTreeMap<(String, String), String>;

fn key(event: &Value) -> Option<(String, String)> {
    let key = event.get("state_key")?.as_str()?;
    Some((event["type"].as_str()?.to_owned(), key.to_owned()))
}

fn put(state: &mut State, events: &Value) {
    for event in events.as_array().into_iter().flatten() {
        if let Some(key) = key(event) {
            state.insert(key, event["event_id"].as_str().unwrap().to_owned());
        }
    }
}

/// A client: it has a filter, and remembers what it was told of each room.
struct Phone {
    who: usize,
    filter: Value,
    since: Option<String>,
    rooms: BTreeMap<String, State>,
    /// The rooms it takes its user to be in.
    inside: BTreeSet<String>,
}

impl Phone {
    fn new(who: usize, filter: &Value) -> Self {
        let (rooms, inside) = (BTreeMap::new(), BTreeSet::new());
        Self { who, filter: filter.clone(), since: None, rooms, inside }
    }

    fn is_lazy(&self) -> bool {
        self.filter["room"]["state"]["lazy_load_members"] == true
    }

    async fn sync(&mut self, user: &User<'_>) -> Value {
        let since = self.since.as_ref().map(|since| format!("&since={since}")).unwrap_or_default();
        let filter = escape(&self.filter.to_string());
        let answer = user.get(&format!("/sync?timeout=0&filter={filter}{since}")).await;
        self.since = Some(answer["next_batch"].as_str().unwrap().to_owned());
        for section in ["join", "leave"] {
            for (room, told) in answer["rooms"][section].as_object().into_iter().flatten() {
                let state = self.rooms.entry(room.clone()).or_default();
                put(state, &told["state"]["events"]);
                put(state, &told["timeline"]["events"]);
            }
        }
        answer
    }

    /// Compares what it knows of a room that its user is in with what the server says.
    fn check(&self, me: &str, room: &str, server: &State, told: &Value, story: &str) {
        let knows = self.rooms.get(room).cloned().unwrap_or_default();
        let types = self.filter["room"]["state"]["types"].as_array();
        let matters = |kind: &str| types.is_none_or(|types| types.contains(&json!(kind)));
        let senders: BTreeSet<_> = told["timeline"]["events"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|event| event["sender"].as_str())
            .collect();
        for ((kind, key), event) in server.iter().filter(|((kind, _), _)| matters(kind)) {
            let known = knows.get(&(kind.clone(), key.clone()));
            let needed = kind != MEMBER
                || !self.is_lazy()
                || key == me
                || senders.contains(key.as_str())
                || known.is_some();
            let at = format!("{kind} {key:?} of {room} as {me} by {}\n{story}", self.filter);
            assert!(!needed || known == Some(event), "{at}\nknows {known:?}, is {event}");
        }
    }
}

async fn server_state(user: &User<'_>, room: &str) -> State {
    let mut state = State::new();
    put(&mut state, &user.get(&format!("/rooms/{}/state", escape(room))).await);
    state
}

/// Numbers that look random and are the same every time.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(sides).unwrap()).unwrap()
    }

    pub fn pick<'t, T: ?Sized>(&mut self, from: &[&'t T]) -> &'t T {
        from[self.roll(from.len())]
    }
}

fn filters() -> Vec<Value> {
    let lazy = json!({"lazy_load_members": true});
    vec![
        json!({}),
        json!({"room": {"timeline": {"limit": 0}}}),
        json!({"room": {"timeline": {"limit": 1}}}),
        json!({"room": {"timeline": {"types": ["m.room.message"]}}}),
        json!({"room": {"timeline": {"senders": ["@ann:test.local"], "limit": 3}}}),
        json!({"room": {"timeline": {"not_types": ["m.room.name", MEMBER]}}}),
        json!({"room": {"state": {"types": ["m.room.name", MEMBER]}, "timeline": {"limit": 2}}}),
        json!({"room": {"state": lazy}}),
        json!({"room": {"state": lazy, "timeline": {"limit": 0}}}),
        json!({"room": {"state": lazy, "timeline": {"limit": 1}}}),
        json!({"room": {"state": lazy, "timeline": {"types": ["m.room.message"]}}}),
    ]
}

/// Something happens in the room; what is not allowed just does not happen.
async fn happen(dice: &mut Dice, users: &[User<'_>], room: &str, number: usize) -> String {
    let at = format!("/rooms/{}", escape(room));
    let (actor, target) = (dice.roll(users.len()), dice.roll(users.len()));
    let whom = json!({"user_id": users[target].id});
    let (method, path, body) = match dice.roll(16) {
        0..=2 => (Method::POST, format!("/join/{}", escape(room)), json!({})),
        3 | 4 => (Method::POST, format!("{at}/leave"), json!({})),
        5 => (Method::POST, format!("{at}/invite"), whom),
        6 => (Method::POST, format!("{at}/kick"), whom),
        7 => (Method::POST, format!("{at}/ban"), whom),
        8 => (Method::POST, format!("{at}/unban"), whom),
        9 => {
            let now = dice.pick(&["shared", "joined", "invited", "world_readable"]);
            let path = format!("{at}/state/m.room.history_visibility");
            (Method::PUT, path, json!({"history_visibility": now}))
        }
        10 | 11 => {
            let kind = dice.pick(&["m.room.name", "m.room.topic", "test.kind/a", "test.kind/b"]);
            (Method::PUT, format!("{at}/state/{kind}"), json!({"name": number.to_string()}))
        }
        12 => {
            let path = format!("/profile/{}/displayname", escape(&users[actor].id));
            (Method::PUT, path, json!({"displayname": number.to_string()}))
        }
        _ => {
            let path = format!("{at}/send/m.room.message/n{number}");
            (Method::PUT, path, json!({"msgtype": "m.text", "body": number.to_string()}))
        }
    };
    let status = users[actor].try_call(method, &path, Some(body.clone())).await.0;
    format!("{} {} {body} {status}", users[actor].id, path.replace(&at, ""))
}

/// A phone syncs; afterwards it knows what the server knows of every room its user is in, and of one it was in and left.
async fn sync_and_check(phone: &mut Phone, users: &[User<'_>], rooms: &[String], story: &str) {
    let user = &users[phone.who];
    let before = phone.inside.clone();
    let answer = phone.sync(user).await;
    let joined = user.get("/joined_rooms").await;
    let joined: BTreeSet<_> =
        joined["joined_rooms"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    for room in rooms {
        if joined.contains(room.as_str()) {
            let (server, told) = (server_state(user, room).await, &answer["rooms"]["join"][room]);
            phone.check(&user.id, room, &server, told, story);
            phone.inside.insert(room.clone());
        } else if before.contains(room) {
            phone.inside.remove(room);
            // Whoever was invited again in the meantime is told of that alone.
            let Some(told) = answer["rooms"]["leave"].get(room) else { continue };
            let visibility = format!("/rooms/{}/state/m.room.history_visibility", escape(room));
            if user.get(&visibility).await["history_visibility"] == "world_readable" {
                continue; // they may read on, though they are told no more
            }
            let mut server = server_state(user, room).await;
            // What happened to oneself after leaving is told too.
            server.remove(&(MEMBER.to_owned(), user.id.clone()));
            phone.check(&user.id, room, &server, told, story);
        }
    }
}

#[tokio::test]
async fn a_client_that_applies_the_answers_has_the_servers_state_whatever_happens() {
    for seed in 1..=6_u64 {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15 ^ (seed << 40));
        let server = TestServer::new().await;
        let mut users = Vec::new();
        for name in ["ann", "bob", "cat", "dan"] {
            users.push(server.user(name).await);
        }
        let mut phones: Vec<_> = filters()
            .iter()
            .flat_map(|filter| (0..users.len()).map(|who| Phone::new(who, filter)))
            .collect();
        let power = json!({"state_default": 0, "events": {}, "kick": 0, "ban": 0, "invite": 0,
                           "users_default": 0});
        let mut rooms = Vec::new();
        for preset in ["public_chat", "private_chat"] {
            let body = json!({"preset": preset, "power_level_content_override": power});
            rooms.push(users[0].create_room(body).await);
        }
        let mut story = format!("seed {seed}");
        for number in 0..120 {
            let room = rooms[dice.roll(rooms.len())].clone();
            story.push_str(&format!("\n{number}: {room} "));
            story.push_str(&happen(&mut dice, &users, &room, number).await);
            for _ in 0..2 {
                let phone = dice.roll(phones.len());
                story.push_str(&format!("\n   sync {phone}"));
                sync_and_check(&mut phones[phone], &users, &rooms, &story).await;
            }
        }
        for phone in &mut phones {
            sync_and_check(phone, &users, &rooms, &story).await;
        }
    }
}

fn kinds(events: &Value) -> BTreeSet<String> {
    let kinds = events.as_array().into_iter().flatten().filter_map(|event| event["type"].as_str());
    kinds.map(str::to_owned).collect()
}

#[tokio::test]
async fn a_new_member_learns_that_the_room_is_encrypted_whatever_its_history_shows() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    for visibility in ["joined", "invited", "shared", "world_readable"] {
        let state = json!([
            {"type": "m.room.encryption", "content": {"algorithm": "m.megolm.v1.aes-sha2"}},
            {"type": "m.room.history_visibility", "content": {"history_visibility": visibility}}]);
        let body = json!({"preset": "public_chat", "name": "Final", "initial_state": state});
        let room = ann.create_room(body).await;
        let since = bob.sync(None).await["next_batch"].as_str().unwrap().to_owned();
        bob.join(&room).await;
        for answer in [bob.sync(Some(&since)).await, bob.sync(None).await] {
            let told = &answer["rooms"]["join"][&room];
            let mut known = kinds(&told["state"]["events"]);
            known.extend(kinds(&told["timeline"]["events"]));
            assert!(known.contains("m.room.encryption"), "{visibility}: {known:?}");
            assert!(known.contains("m.room.name"), "{visibility}: {known:?}");
        }
    }
}

#[tokio::test]
async fn whoever_left_and_came_back_between_two_syncs_learns_what_changed() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let history = json!([{"type": "m.room.history_visibility",
                          "content": {"history_visibility": "joined"}}]);
    let body = json!({"preset": "public_chat", "name": "Before", "initial_state": history});
    let room = ann.create_room(body).await;
    bob.join(&room).await;
    let since = bob.sync(None).await["next_batch"].as_str().unwrap().to_owned();
    bob.post(&format!("/rooms/{}/leave", escape(&room)), json!({})).await;
    let name = format!("/rooms/{}/state/m.room.name", escape(&room));
    ann.put(&name, json!({"name": "Meanwhile"})).await;
    bob.join(&room).await;
    let told = &bob.sync(Some(&since)).await["rooms"]["join"][&room];
    assert_eq!(told["timeline"]["limited"], true);
    let state = told["state"]["events"].as_array().unwrap();
    let told_name = state.iter().find(|event| event["type"] == "m.room.name").unwrap();
    assert_eq!(told_name["content"]["name"], "Meanwhile");
}

#[tokio::test]
async fn a_lazy_client_learns_in_a_gap_who_came_and_who_went() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let (cat, dan) = (server.user("cat").await, server.user("dan").await);
    let room = ann.create_room(json!({"preset": "public_chat", "name": "Final"})).await;
    bob.join(&room).await;
    cat.join(&room).await;
    let lazy = json!({"room": {"state": {"lazy_load_members": true}, "timeline": {"limit": 2}}});
    let mut phone = Phone::new(0, &lazy);
    phone.sync(&bob).await;
    cat.post(&format!("/rooms/{}/leave", escape(&room)), json!({})).await;
    dan.join(&room).await;
    for number in 0..3 {
        ann.say(&room, &number.to_string()).await;
    }
    let told = &phone.sync(&bob).await["rooms"]["join"][&room];
    let members: BTreeMap<_, _> = told["state"]["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["type"] == MEMBER)
        .map(|event| (event["state_key"].as_str().unwrap(), &event["content"]["membership"]))
        .collect();
    assert_eq!(
        (members[cat.id.as_str()], members[dan.id.as_str()]),
        (&json!("leave"), &json!("join"))
    );
}

#[tokio::test]
async fn a_client_that_wants_no_timeline_still_learns_that_a_room_has_news() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    let mut phone = Phone::new(0, &json!({"room": {"timeline": {"limit": 0}}}));
    phone.sync(&bob).await;
    ann.say(&room, "unseen").await;
    let told = &phone.sync(&bob).await["rooms"]["join"][&room];
    assert_eq!(told["timeline"]["events"], json!([]));
    assert_eq!(told["timeline"]["limited"], true);
    assert_eq!(told["unread_notifications"]["notification_count"], 1);
}

#[tokio::test]
async fn rooms_that_are_too_much_for_one_answer_are_told_in_several_and_nothing_is_lost_or_told_twice()
 {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let large: Vec<_> = (0..15)
        .map(|key| {
            json!({"type": "test.large", "state_key": key.to_string(),
                          "content": {"text": "x".repeat(60_000)}})
        })
        .collect();
    let mut rooms = Vec::new();
    for _ in 0..7 {
        let body = json!({"preset": "public_chat", "initial_state": large});
        rooms.push(ann.create_room(body).await);
    }
    for room in &rooms {
        bob.join(room).await;
    }
    let (mut phone, mut told, mut answers) = (Phone::new(0, &json!({})), Vec::new(), 0);
    // Something happens where it was told, where it was not yet, and in a room that is left before it is told.
    let mut said = Vec::new();
    while answers == 0 || told.len() < rooms.len() {
        let answer = phone.sync(&bob).await;
        assert!(answer.to_string().len() < 6_000_000);
        let joined = answer["rooms"]["join"].as_object().unwrap();
        assert!(joined.values().all(|room| !room.to_string().contains("meanwhile")));
        told.extend(joined.keys().cloned());
        answers += 1;
        if answers == 1 {
            for room in [&rooms[0], &rooms[5]] {
                ann.say(room, "meanwhile").await;
                said.push(room.clone());
            }
            bob.post(&format!("/rooms/{}/leave", escape(&rooms[6])), json!({})).await;
        }
    }
    assert_eq!(answers, 2);
    assert_eq!(told.len(), rooms.len());
    assert_eq!(BTreeSet::from_iter(&told), BTreeSet::from_iter(&rooms));
    let news = phone.sync(&bob).await;
    let joined = news["rooms"]["join"].as_object().unwrap();
    assert_eq!(joined.keys().cloned().collect::<BTreeSet<_>>(), BTreeSet::from_iter(said));
    assert!(joined.values().all(|room| room["state"]["events"] == json!([])));
    assert!(news["rooms"]["leave"].get(&rooms[6]).is_some());
    for room in &rooms[..6] {
        assert_eq!(phone.rooms[room], server_state(&bob, room).await);
    }
}
