//! What is kept for somebody has a size and a count.

use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::app::{TestServer, User, escape};

const KIB: usize = 1024;

fn too_large() -> (u16, String) {
    (413, "M_TOO_LARGE".to_owned())
}

fn text(bytes: usize) -> String {
    "x".repeat(bytes)
}

async fn put_is_too_large(user: &User<'_>, path: &str, body: Value) {
    assert_eq!(user.refused(Method::PUT, path, body).await, too_large(), "{path}");
}

#[tokio::test]
async fn account_data_has_a_size_for_each_and_for_all_and_what_is_refused_changes_nothing() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let path = |kind: &str| format!("/user/{}/account_data/{kind}", escape(&ann.id));
    ann.put(&path("small"), json!({"a": 1})).await;
    put_is_too_large(&ann, &path("small"), json!({"a": text(64 * KIB)})).await;
    assert_eq!(ann.get(&path("small")).await, json!({"a": 1}));
    put_is_too_large(&ann, &path(&text(300)), json!({})).await;
    for n in 0..16 {
        ann.put(&path(&format!("large{n}")), json!({"a": text(63 * KIB)})).await;
    }
    put_is_too_large(&ann, &path("one-more"), json!({"a": text(63 * KIB)})).await;
    assert_eq!(ann.refused(Method::GET, &path("one-more"), json!({})).await.0, 404);
    ann.put(&path("large0"), json!({})).await;
    ann.put(&path("one-more"), json!({"a": text(63 * KIB)})).await;
    // The service does what it has to, such as hiding whom the user blocked.
    let full = format!("/_matrix/client/v3{}", path("m.ignored_user_list"));
    let users: Map<String, Value> =
        (0..4_000).map(|n| (format!("@somebody_{n}:test.local"), json!({}))).collect();
    let (status, answer) =
        server.act(Method::PUT, &full, &ann.id, json!({"ignored_users": users})).await;
    assert_eq!(status, 200, "{answer}");
}

#[tokio::test]
async fn a_thousand_items_of_account_data_are_enough_and_tags_are_among_them() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let id = ann.public_room().await;
    let (room, user) = (escape(&id), escape(&ann.id));
    let sql = "WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 999)
               INSERT INTO account_data SELECT user, 0, 'kind' || n, '{}', 0 FROM users, n";
    database(&server).execute(sql, []).unwrap();
    put_is_too_large(&ann, &format!("/user/{user}/account_data/one-more"), json!({})).await;
    put_is_too_large(&ann, &format!("/user/{user}/rooms/{room}/tags/u.one"), json!({})).await;
    ann.put(&format!("/user/{user}/account_data/kind0"), json!({})).await;
    let event = ann.say(&id, "read me").await;
    let marker = json!({"m.fully_read": event});
    ann.post(&format!("/rooms/{room}/read_markers"), marker).await;
}

#[tokio::test]
async fn filters_and_push_rules_have_a_size_and_a_count() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let filter = format!("/user/{}/filter", escape(&ann.id));
    let of_types = |kind: String| json!({"room": {"timeline": {"types": [kind]}}});
    let refused = ann.refused(Method::POST, &filter, of_types(text(16 * KIB))).await;
    assert_eq!(refused, too_large());
    for n in 0..100 {
        ann.post(&filter, of_types(n.to_string())).await;
    }
    ann.post(&filter, of_types("7".to_owned())).await;
    assert_eq!(ann.refused(Method::POST, &filter, of_types("new".to_owned())).await, too_large());
    let rule = |n: usize| format!("/pushrules/global/content/rule{n}");
    let body = |pattern: String| json!({"pattern": pattern, "actions": []});
    put_is_too_large(&ann, &rule(0), body(text(64 * KIB))).await;
    let mut rules = ann.get("/pushrules/").await;
    let count = |rules: &Value| {
        let kinds = rules["global"].as_object().unwrap().values();
        kinds.map(|kind| kind.as_array().unwrap().len()).sum::<usize>()
    };
    rules["global"]["content"] = json!([]);
    while count(&rules) < 499 {
        let rule = json!({"rule_id": format!("r{}", count(&rules)), "pattern": "goal", "actions": [],
                          "default": false, "enabled": true});
        rules["global"]["content"].as_array_mut().unwrap().push(rule);
    }
    let sql = "INSERT INTO account_data SELECT user, 0, 'm.push_rules', ?1, 0 FROM users";
    database(&server).execute(sql, [rules.to_string()]).unwrap();
    ann.put(&rule(0), body("goal".into())).await;
    put_is_too_large(&ann, &rule(1), body("goal".into())).await;
}

#[tokio::test]
async fn devices_and_their_keys_have_sizes_and_counts() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let device = format!("/devices/{}", ann.device);
    put_is_too_large(&ann, &device, json!({"display_name": "ü".repeat(257)})).await;
    ann.put(&device, json!({"display_name": "ü".repeat(256)})).await;
    let login = json!({"type": "m.login.application_service", "device_id": text(300),
                       "identifier": {"type": "m.id.user", "user": "ann"}});
    let path = "/_matrix/client/v3/login";
    let token = Some(crate::app::AS_TOKEN);
    assert_eq!(server.call(Method::POST, path, token, Some(login)).await.0, 413);
    let keys = |padding: String| {
        json!({"user_id": ann.id, "device_id": ann.device, "algorithms": [padding],
               "keys": {}, "signatures": {}})
    };
    let upload = async |body: Value| ann.refused(Method::POST, "/keys/upload", body).await;
    assert_eq!(upload(json!({"device_keys": keys(text(16 * KIB))})).await, too_large());
    let key =
        |id: &str, bytes: usize| json!({format!("signed_curve25519:{id}"): {"key": text(bytes)}});
    for sort in ["one_time_keys", "fallback_keys"] {
        assert_eq!(upload(json!({sort: key("A", 4 * KIB)})).await, too_large(), "{sort}");
        assert_eq!(upload(json!({sort: key(&text(256), 1)})).await, too_large(), "{sort}");
    }
    let many: Map<String, Value> =
        (0..11).map(|n| (format!("algorithm{n}:A"), json!({"key": "k"}))).collect();
    assert_eq!(upload(json!({"fallback_keys": many})).await, too_large());
    let master = json!({"user_id": ann.id, "usage": ["master"], "keys": {"ed25519:M": "M"},
                        "padding": text(16 * KIB)});
    let path = "/keys/device_signing/upload";
    let refused = ann.refused(Method::POST, path, json!({"master_key": master})).await;
    assert_eq!(refused, too_large());
    let counts = ann.sync(None).await["device_one_time_keys_count"].clone();
    assert_eq!(counts, json!({"signed_curve25519": 0}), "what was refused left nothing");
}

#[tokio::test]
async fn a_signature_has_a_size() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let keys = |signatures: Value| {
        json!({"user_id": ann.id, "device_id": ann.device, "algorithms": [], "keys": {},
               "signatures": signatures})
    };
    ann.post("/keys/upload", json!({"device_keys": keys(json!({}))})).await;
    let signed = |bytes: usize| {
        let signature = json!({&ann.id: {"ed25519:A": text(bytes)}});
        json!({&ann.id: {&ann.device: keys(signature)}})
    };
    let path = "/keys/signatures/upload";
    assert_eq!(ann.refused(Method::POST, path, signed(4 * KIB)).await, too_large());
    assert_eq!(ann.post(path, signed(10)).await["failures"], json!({}));
}

#[tokio::test]
async fn a_receipt_names_a_thread_of_its_room_and_the_oldest_threads_are_forgotten() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let id = ann.public_room().await;
    let room = escape(&id);
    let elsewhere = ann.say(&ann.public_room().await, "elsewhere").await;
    let mut events = Vec::new();
    for n in 0..103 {
        events.push(ann.say(&id, &n.to_string()).await);
    }
    let path = format!("/rooms/{room}/receipt/m.read/{}", escape(&events[102]));
    for thread in ["free text".to_owned(), elsewhere, text(5_000)] {
        let refused = ann.refused(Method::POST, &path, json!({"thread_id": thread})).await;
        assert_eq!(refused, (400, "M_INVALID_PARAM".to_owned()));
    }
    ann.post(&path, json!({})).await;
    ann.post(&path, json!({"thread_id": "main"})).await;
    for root in &events[..102] {
        let path = format!("/rooms/{room}/receipt/m.read/{}", escape(root));
        ann.post(&path, json!({"thread_id": root})).await;
    }
    let sync = ann.sync(None).await;
    let told = sync["rooms"]["join"].as_object().unwrap().values();
    let receipts = told.flat_map(|room| room["ephemeral"]["events"].as_array().unwrap());
    assert!(receipts.count() > 0);
    let database = count_rows(&server, "SELECT COUNT(*) FROM receipts");
    assert_eq!(database, 102, "unthreaded, main and a hundred threads");
}

/// Where filling something up over HTTP would take long.
fn database(server: &TestServer) -> rusqlite::Connection {
    let conn = rusqlite::Connection::open(&server.path).unwrap();
    conn.busy_timeout(std::time::Duration::from_secs(30)).unwrap();
    conn
}

fn count_rows(server: &TestServer, sql: &str) -> i64 {
    database(server).query_row(sql, [], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn state_of_a_room_has_a_count_and_a_size_and_member_events_are_small() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = escape(&ann.public_room().await);
    let state = |kind: &str, key: &str| format!("/rooms/{room}/state/{kind}/{key}");
    let member = json!({"membership": "join", "padding": text(8 * KIB)});
    put_is_too_large(&ann, &state("m.room.member", &escape(&ann.id)), member).await;
    let reason = json!({"reason": text(8 * KIB)});
    let leave = format!("/rooms/{room}/leave");
    assert_eq!(ann.refused(Method::POST, &leave, reason).await, too_large());
    for n in 0..16 {
        ann.put(&state("large", &n.to_string()), json!({"a": text(62 * KIB)})).await;
    }
    put_is_too_large(&ann, &state("large", "more"), json!({"a": text(62 * KIB)})).await;
    assert_eq!(ann.refused(Method::GET, &state("large", "more"), json!({})).await.0, 404);
    let initial: Vec<Value> = (0..1_001)
        .map(|n| json!({"type": "t", "state_key": n.to_string(), "content": {}}))
        .collect();
    let create = json!({"initial_state": initial});
    assert_eq!(ann.refused(Method::POST, "/createRoom", create).await, too_large());
    assert_eq!(ann.get("/joined_rooms").await["joined_rooms"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn aliases_are_a_hundred_of_a_user_and_of_a_room() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    let put = async |user: &User<'_>, name: String| {
        let path = format!("/directory/room/{}", escape(&format!("#{name}:test.local")));
        user.refused(Method::PUT, &path, json!({"room_id": room})).await
    };
    for n in 0..100 {
        assert_eq!(put(&ann, format!("a{n}")).await.0, 200);
    }
    assert_eq!(put(&ann, "more".to_owned()).await, too_large());
    assert_eq!(put(&bob, "more".to_owned()).await, too_large(), "the room has enough");
    let named = json!({"room_alias_name": "more"});
    assert_eq!(ann.refused(Method::POST, "/createRoom", named).await, too_large());
    bob.create_room(json!({"room_alias_name": "more"})).await;
}

#[tokio::test]
async fn transaction_ids_and_messages_to_devices_have_their_sizes() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let id = ann.public_room().await;
    let room = escape(&id);
    let body = json!({"msgtype": "m.text", "body": "hi"});
    let send = format!("/rooms/{room}/send/m.room.message/{}", text(256));
    put_is_too_large(&ann, &send, body.clone()).await;
    let event = escape(&ann.say(&id, "hi").await);
    put_is_too_large(&ann, &format!("/rooms/{room}/redact/{event}/{}", text(256)), json!({})).await;
    let send = format!("/sendToDevice/m.test/{}", text(256));
    put_is_too_large(&ann, &send, json!({"messages": {}})).await;
    let to_self = |bytes: usize| json!({"messages": {&ann.id: {&ann.device: {"a": text(bytes)}}}});
    put_is_too_large(&ann, "/sendToDevice/m.test/1", to_self(64 * KIB)).await;
    put_is_too_large(&ann, &format!("/sendToDevice/{}/2", text(256)), to_self(1)).await;
    ann.put("/sendToDevice/m.test/1", to_self(1)).await;
    assert_eq!(ann.sync(None).await["to_device"]["events"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_box_has_a_size_and_a_stranger_pushes_out_only_their_own() {
    let server = TestServer::new().await;
    let (ann, bob, eve) =
        (server.user("ann").await, server.user("bob").await, server.user("eve").await);
    let other = server.login("bob").await;
    let send = async |user: &User<'_>, n: usize, bytes: usize| {
        let content = json!({"n": n, "a": text(bytes)});
        let body = json!({"messages": {&bob.id: {&bob.device: content}}});
        user.put(&format!("/sendToDevice/m.test/{n}"), body).await;
    };
    let waiting = |sender: &User<'_>| {
        let sql = format!(
            "SELECT COALESCE(SUM(octet_length(message)), 0) FROM inbox WHERE sender = '{}'",
            sender.id
        );
        usize::try_from(count_rows(&server, &sql)).unwrap()
    };
    send(&ann, 0, 10).await;
    for n in 0..40 {
        send(&eve, n, 60 * KIB).await;
    }
    assert!(((2 * 1024 - 64) * KIB..=2 * 1024 * KIB).contains(&waiting(&eve)), "{}", waiting(&eve));
    let told = bob.sync(None).await["to_device"]["events"].clone();
    assert_eq!((&told[0]["sender"], &told[1]["content"]["n"]), (&json!(ann.id), &json!(6)));
    // What is one's own may take all of it.
    for n in 0..140 {
        send(&other, n, 60 * KIB).await;
    }
    assert_eq!((waiting(&ann), waiting(&eve)), (0, 0));
    assert!(((8 * 1024 - 64) * KIB..=8 * 1024 * KIB).contains(&waiting(&bob)), "{}", waiting(&bob));
}

#[tokio::test]
async fn an_answer_tells_a_part_of_a_full_box() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let body = |bytes: usize| json!({"messages": {&bob.id: {&bob.device: {"a": text(bytes)}}}});
    for n in 0..120 {
        ann.put(&format!("/sendToDevice/m.test/small{n}"), body(1)).await;
    }
    assert_eq!(bob.sync(None).await["to_device"]["events"].as_array().unwrap().len(), 100);
}

/// A room with forty large messages, and the position of the token after them.
async fn large_room(ann: &User<'_>) -> (String, Vec<String>) {
    let room = ann.public_room().await;
    let mut events = Vec::new();
    for n in 0..40 {
        events.push(ann.say(&room, &format!("{n} {}", text(60 * KIB))).await);
    }
    (room, events)
}

fn ids(events: &Value) -> Vec<String> {
    let events = events.as_array().unwrap();
    events.iter().map(|event| event["event_id"].as_str().unwrap().to_owned()).collect()
}

fn is_a_page(answer: &Value) {
    let size = answer.to_string().len();
    assert!(size < 1_300 * KIB, "{size}");
}

/// Everything that the pages tell, one after the other, each of a bounded size.
async fn walk(user: &User<'_>, path: &str, token: &str) -> Vec<String> {
    let (mut told, mut from) = (Vec::new(), String::new());
    loop {
        let path = format!("/_matrix/client/{path}{from}");
        let (status, page) = user.server.call(Method::GET, &path, Some(&user.token), None).await;
        assert_eq!(status, 200, "{page}");
        is_a_page(&page);
        told.extend(ids(&page["chunk"]));
        let Some(next) = page[token].as_str() else { return told };
        assert!(!page["chunk"].as_array().unwrap().is_empty());
        from = format!("&from={next}");
    }
}

#[tokio::test]
async fn pages_of_large_messages_are_short_and_nothing_is_skipped_or_told_twice() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let (room, events) = large_room(&ann).await;
    let room = escape(&room);
    let only = escape(&json!({"types": ["m.room.message"]}).to_string());
    let path = |dir: &str| format!("v3/rooms/{room}/messages?dir={dir}&limit=1000&filter={only}");
    assert_eq!(walk(&ann, &path("f"), "end").await, events);
    let mut back = walk(&ann, &path("b"), "end").await;
    back.reverse();
    assert_eq!(back, events);
    let context = format!("/rooms/{room}/context/{}?limit=100", escape(&events[20]));
    let context = ann.get(&context).await;
    assert!(context.to_string().len() < 2_600 * KIB);
    assert!(ids(&context["events_after"]).starts_with(&events[21..30]));
    let token = context["end"].as_str().unwrap();
    let next = format!("{}&from={token}", path("f"));
    let rest = ids(&ann.get(&next[2..]).await["chunk"]);
    let told = ids(&context["events_after"]);
    assert_eq!(rest[0], events[21 + told.len()], "it goes on where the context ends");
}

#[tokio::test]
async fn what_is_bundled_counts_and_relations_and_threads_come_in_pages() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let (mut roots, mut replies) = (Vec::new(), Vec::new());
    for n in 0..30 {
        let root = ann.say(&room, &n.to_string()).await;
        let edit = json!({"msgtype": "m.text", "body": text(60 * KIB), "m.new_content": {},
                          "m.relates_to": {"rel_type": "m.replace", "event_id": root}});
        ann.send(&room, "m.room.message", edit).await;
        let first = roots.first().unwrap_or(&root).clone();
        for of in [&root, &first] {
            let reply = json!({"msgtype": "m.text", "body": text(30 * KIB),
                               "m.relates_to": {"rel_type": "m.thread", "event_id": of}});
            let reply = ann.send(&room, "m.room.message", reply).await;
            if *of == first {
                replies.push(reply);
            }
        }
        roots.push(root);
    }
    let room = escape(&room);
    let path = format!("v1/rooms/{room}/relations/{}/m.thread?limit=1000", escape(&roots[0]));
    let mut told = walk(&ann, &path, "next_batch").await;
    told.reverse();
    assert_eq!(told, replies);
    let mut told = walk(&ann, &format!("v1/rooms/{room}/threads?limit=1000"), "next_batch").await;
    told.sort_unstable();
    roots.sort_unstable();
    assert_eq!(told, roots);
    let only = escape(&json!({"types": ["m.room.message"]}).to_string());
    let path = format!("v3/rooms/{room}/messages?dir=f&limit=1000&filter={only}");
    assert_eq!(walk(&ann, &path, "end").await.len(), 120);
}

#[tokio::test]
async fn lists_of_public_rooms_with_long_topics_come_in_pages() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    for n in 0..30 {
        let body = json!({"visibility": "public", "name": format!("room {n}"),
                          "initial_state": [{"type": "m.room.topic", "content": {"topic": text(60 * KIB)}}]});
        ann.create_room(body).await;
    }
    for search in [json!({}), json!({"generic_search_term": "ROOM"})] {
        let (mut names, mut since) = (Vec::new(), Value::Null);
        loop {
            let mut body = json!({"limit": 1000, "filter": search});
            if !since.is_null() {
                body["since"] = since;
            }
            let page = ann.post("/publicRooms", body).await;
            is_a_page(&page);
            let chunk = page["chunk"].as_array().unwrap();
            names.extend(chunk.iter().map(|room| room["name"].as_str().unwrap().to_owned()));
            since = page["next_batch"].clone();
            if since.is_null() {
                break;
            }
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 30);
    }
}

#[tokio::test]
async fn keys_of_very_many_devices_are_asked_for_in_parts() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let keys = json!({"algorithms": [text(15 * KIB)], "keys": {}, "signatures": {}}).to_string();
    let sql = "WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 299)
               INSERT INTO devices (user, device, created_at, keys)
               SELECT user, 'D' || n, 0, ?1 FROM users, n";
    database(&server).execute(sql, [keys]).unwrap();
    let all = json!({"device_keys": {&ann.id: []}});
    assert_eq!(ann.refused(Method::POST, "/keys/query", all).await, too_large());
    ann.post("/keys/query", json!({"device_keys": {&ann.id: ["D7", "D8"]}})).await;
}
