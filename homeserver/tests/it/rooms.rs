use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{TestServer, escape};

#[tokio::test]
async fn a_room_is_created_joined_and_talked_in() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let body = json!({"preset": "public_chat", "name": "Final", "room_version": "11",
                      "room_alias_name": "final", "topic": "Cup"});
    let room = ann.create_room(body).await;
    assert!(room.starts_with('!') && room.ends_with(":test.local"));
    bob.post(&format!("/join/{}", escape("#final:test.local")), json!({})).await;
    let sent = bob.say(&room, "hello").await;
    assert_eq!(ann.history(&room).await, ["hello"]);
    let event = ann.get(&format!("/rooms/{}/event/{}", escape(&room), escape(&sent))).await;
    assert_eq!(event["sender"], json!(bob.id));
    assert_eq!(event["room_id"], json!(room));
    let name = ann.get(&format!("/rooms/{}/state/m.room.name", escape(&room))).await;
    assert_eq!(name, json!({"name": "Final"}));
    let create = ann.get(&format!("/rooms/{}/state/m.room.create/", escape(&room))).await;
    assert_eq!(create["room_version"], "11");
    let joined = ann.get("/joined_rooms").await;
    assert_eq!(joined["joined_rooms"], json!([room]));
}

#[tokio::test]
async fn a_repeated_transaction_id_sends_once() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let path = format!("/rooms/{}/send/m.room.message/same", escape(&room));
    let body = json!({"msgtype": "m.text", "body": "once"});
    let first = ann.put(&path, body.clone()).await;
    assert_eq!(ann.put(&path, body).await, first);
    assert_eq!(ann.history(&room).await, ["once"]);
}

#[tokio::test]
async fn the_authorisation_rules_are_kept() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let cat = server.user("cat").await;
    let room = ann.create_room(json!({"preset": "private_chat", "invite": [bob.id]})).await;
    let at = format!("/rooms/{}", escape(&room));
    let join = format!("/join/{}", escape(&room));
    assert_eq!(cat.refused(Method::POST, &join, json!({})).await.0, 403, "not invited");
    bob.join(&room).await;
    let name = format!("{at}/state/m.room.name");
    let refusal = bob.refused(Method::PUT, &name, json!({"name": "mine"})).await;
    assert_eq!(refusal, (403, "M_FORBIDDEN".to_owned()));
    let kick = json!({"user_id": ann.id});
    assert_eq!(bob.refused(Method::POST, &format!("{at}/kick"), kick).await.0, 403);
    ann.post(&format!("{at}/ban"), json!({"user_id": bob.id, "reason": "spam"})).await;
    assert_eq!(bob.refused(Method::POST, &join, json!({})).await.0, 403, "banned");
    let send = format!("{at}/send/m.room.message/x");
    let message = json!({"msgtype": "m.text", "body": "x"});
    assert_eq!(bob.refused(Method::PUT, &send, message.clone()).await.0, 403);
    ann.post(&format!("{at}/unban"), json!({"user_id": bob.id})).await;
    ann.post(&format!("{at}/invite"), json!({"user_id": bob.id})).await;
    bob.join(&room).await;
    bob.put(&send, message).await;
    let power = ann.get(&format!("{at}/state/m.room.power_levels")).await;
    let mut raised = power.clone();
    raised["users"][&bob.id] = json!(100);
    let path = format!("{at}/state/m.room.power_levels");
    assert_eq!(bob.refused(Method::PUT, &path, raised).await.0, 403);
}

#[tokio::test]
async fn redaction_empties_an_event_for_everybody() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    let by_ann = ann.say(&room, "secret").await;
    let by_bob = bob.say(&room, "mine").await;
    let at = format!("/rooms/{}", escape(&room));
    let path = format!("{at}/redact/{}/r1", escape(&by_ann));
    assert_eq!(bob.refused(Method::PUT, &path, json!({})).await.0, 403);
    let path = format!("{at}/redact/{}/r2", escape(&by_bob));
    ann.put(&path, json!({"reason": "rude"})).await;
    let event = bob.get(&format!("{at}/event/{}", escape(&by_bob))).await;
    assert_eq!(event["content"], json!({}));
    assert_eq!(event["unsigned"]["redacted_because"]["content"]["reason"], "rude");
}

#[tokio::test]
async fn history_pages_both_ways_without_gap_or_repeat() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    for number in 0..25 {
        ann.say(&room, &number.to_string()).await;
    }
    let all: Vec<String> = (0..25).map(|number: i32| number.to_string()).collect();
    for (direction, expected) in [("b", all.iter().rev().cloned().collect()), ("f", all.clone())] {
        let mut seen: Vec<String> = Vec::new();
        let mut from = String::new();
        loop {
            let path = format!("/rooms/{}/messages?dir={direction}&limit=4{from}", escape(&room));
            let page = ann.get(&path).await;
            seen.extend(crate::app::bodies(&page["chunk"]));
            let Some(end) = page["end"].as_str() else { break };
            from = format!("&from={end}");
        }
        let expected: Vec<String> = expected;
        assert_eq!(seen, expected, "{direction}");
    }
}

#[tokio::test]
async fn context_shows_both_sides_of_an_event() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let mut ids = Vec::new();
    for number in 0..9 {
        ids.push(ann.say(&room, &number.to_string()).await);
    }
    let path = format!("/rooms/{}/context/{}?limit=4", escape(&room), escape(&ids[4]));
    let context = ann.get(&path).await;
    assert_eq!(crate::app::bodies(&context["events_before"]), ["3", "2"]);
    assert_eq!(context["event"]["content"]["body"], "4");
    assert_eq!(crate::app::bodies(&context["events_after"]), ["5", "6"]);
    let start = context["start"].as_str().unwrap();
    let path = format!("/rooms/{}/messages?dir=b&limit=2&from={start}", escape(&room));
    assert_eq!(crate::app::bodies(&ann.get(&path).await["chunk"]), ["1", "0"]);
}

#[tokio::test]
async fn reactions_edits_and_threads_are_related() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let root = ann.say(&room, "root").await;
    let relate = |kind: &str| json!({"rel_type": kind, "event_id": root});
    let reaction = json!({"m.relates_to":
        {"rel_type": "m.annotation", "event_id": root, "key": "👍"}});
    ann.send(&room, "m.reaction", reaction).await;
    let edit = json!({"msgtype": "m.text", "body": "* new", "m.relates_to": relate("m.replace"),
                      "m.new_content": {"msgtype": "m.text", "body": "new"}});
    let edit = ann.send(&room, "m.room.message", edit).await;
    let reply = json!({"msgtype": "m.text", "body": "reply", "m.relates_to": relate("m.thread")});
    let reply = ann.send(&room, "m.room.message", reply).await;
    let at = format!("/rooms/{}", escape(&room));
    let event = ann.get(&format!("{at}/event/{}", escape(&root))).await;
    let bundled = &event["unsigned"]["m.relations"];
    assert_eq!(bundled["m.replace"]["event_id"], json!(edit));
    assert_eq!(bundled["m.thread"]["latest_event"]["event_id"], json!(reply));
    assert_eq!(bundled["m.thread"]["count"], 1);
    let list = |tail: &'static str| {
        let path = format!("/_matrix/client/v1{at}/relations/{}{tail}", escape(&root));
        let token = ann.token.clone();
        let server = &server;
        async move { server.call(Method::GET, &path, Some(&token), None).await.1 }
    };
    assert_eq!(list("").await["chunk"].as_array().unwrap().len(), 3);
    assert_eq!(list("/m.annotation").await["chunk"].as_array().unwrap().len(), 1);
    assert_eq!(list("/m.thread/m.room.message").await["chunk"].as_array().unwrap().len(), 1);
    let path = format!("/_matrix/client/v1{at}/threads");
    let (_, threads) = server.call(Method::GET, &path, Some(&ann.token), None).await;
    assert_eq!(threads["chunk"][0]["event_id"], json!(root));
}

#[tokio::test]
async fn aliases_are_unique_and_the_services_own_are_reserved() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.create_room(json!({"room_alias_name": "derby"})).await;
    let taken = json!({"room_alias_name": "derby"});
    assert_eq!(
        ann.refused(Method::POST, "/createRoom", taken).await,
        (400, "M_ROOM_IN_USE".into())
    );
    assert_eq!(
        ann.get("/joined_rooms").await["joined_rooms"].as_array().unwrap().len(),
        1,
        "a refused room leaves nothing behind"
    );
    let reserved = json!({"room_alias_name": "match_1"});
    assert_eq!(ann.refused(Method::POST, "/createRoom", reserved.clone()).await.1, "M_EXCLUSIVE");
    let path = "/_matrix/client/v3/createRoom";
    let (status, _) = server.act(Method::POST, path, &ann.id, reserved).await;
    assert_eq!(status, 200);
    let alias = format!("/directory/room/{}", escape("#derby:test.local"));
    assert_eq!(ann.get(&alias).await["room_id"], json!(room));
    let missing = format!("/directory/room/{}", escape("#none:test.local"));
    assert_eq!(ann.refused(Method::GET, &missing, json!({})).await.0, 404);
}

#[tokio::test]
async fn public_rooms_are_listed_searched_and_paged() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    for name in ["North stand", "South stand", "Bar"] {
        ann.create_room(json!({"visibility": "public", "name": name})).await;
    }
    ann.create_room(json!({"name": "Hidden stand"})).await;
    let names = |answer: &Value| -> Vec<String> {
        let rooms = answer["chunk"].as_array().unwrap();
        rooms.iter().map(|room| room["name"].as_str().unwrap().to_owned()).collect()
    };
    let first = ann.get("/publicRooms?limit=2").await;
    assert_eq!(names(&first).len(), 2);
    let next = first["next_batch"].as_str().unwrap();
    let second = ann.get(&format!("/publicRooms?limit=2&since={next}")).await;
    assert_eq!(names(&second), ["Bar"]);
    let body = json!({"filter": {"generic_search_term": "STAND"}});
    let mut found = names(&ann.post("/publicRooms", body).await);
    found.sort();
    assert_eq!(found, ["North stand", "South stand"]);
}

#[tokio::test]
async fn an_event_over_64_kib_is_too_large() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let path = format!("/rooms/{}/send/m.room.message/big", escape(&room));
    let body = json!({"msgtype": "m.text", "body": "x".repeat(66_000)});
    assert_eq!(ann.refused(Method::PUT, &path, body).await, (413, "M_TOO_LARGE".into()));
}
