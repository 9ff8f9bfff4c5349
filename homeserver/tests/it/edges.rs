//! What clients do at the edges of the specification.

use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{AS_TOKEN, TestServer, User, bodies, escape};

fn relation(kind: &str, target: &str) -> Value {
    json!({"rel_type": kind, "event_id": target})
}

fn text(body: &str, relation: Value) -> Value {
    json!({"msgtype": "m.text", "body": body, "m.relates_to": relation})
}

async fn refuse_to_send(user: &User<'_>, room: &str, kind: &str, content: Value) -> (u16, String) {
    let path = format!("/rooms/{}/send/{kind}/refused", escape(room));
    user.refused(Method::PUT, &path, content).await
}

#[tokio::test]
async fn an_empty_place_to_read_from_is_the_usual_one() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let said = ann.say(&room, "hello").await;
    for tail in ["dir=b&from=", "dir=b&from=&to=", "dir=f&limit=50&from="] {
        let page = ann.get(&format!("/rooms/{}/messages?{tail}", escape(&room))).await;
        assert_eq!(bodies(&page["chunk"]), ["hello"], "{tail}");
        assert_ne!(page["start"], "", "{tail}");
    }
    let relations =
        format!("/_matrix/client/v1/rooms/{}/relations/{}?from=", escape(&room), escape(&said));
    let (status, page) = server.call(Method::GET, &relations, Some(&ann.token), None).await;
    assert_eq!((status.as_u16(), page), (200, json!({"chunk": []})));
}

#[tokio::test]
async fn the_fully_read_marker_never_moves_back() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let (first, second) = (ann.say(&room, "1").await, ann.say(&room, "2").await);
    let at = format!("/rooms/{}", escape(&room));
    let marker = format!("/user/{}{at}/account_data/m.fully_read", escape(&ann.id));
    ann.post(&format!("{at}/read_markers"), json!({"m.fully_read": second})).await;
    ann.post(&format!("{at}/read_markers"), json!({"m.fully_read": first})).await;
    assert_eq!(ann.get(&marker).await["event_id"], json!(second));
    ann.post(&format!("{at}/receipt/m.fully_read/{}", escape(&first)), json!({})).await;
    assert_eq!(ann.get(&marker).await["event_id"], json!(second));
}

#[tokio::test]
async fn leaving_again_is_fine_and_leaves_no_trace() {
    let server = TestServer::new().await;
    let (ann, bob, cat) =
        (server.user("ann").await, server.user("bob").await, server.user("cat").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    let leave = format!("/rooms/{}/leave", escape(&room));
    bob.post(&leave, json!({})).await;
    let member =
        format!("/rooms/{}/state/m.room.member/{}?format=event", escape(&room), escape(&bob.id));
    let left = ann.get(&member).await["event_id"].clone();
    bob.post(&leave, json!({"reason": "again"})).await;
    assert_eq!(ann.get(&member).await["event_id"], left);
    assert_eq!(cat.refused(Method::POST, &leave, json!({})).await, (403, "M_FORBIDDEN".into()));
    ann.post(&format!("/rooms/{}/ban", escape(&room)), json!({"user_id": bob.id})).await;
    assert_eq!(bob.refused(Method::POST, &leave, json!({})).await.0, 403, "banned");
}

#[tokio::test]
async fn a_room_that_one_never_was_in_is_forgotten_already() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.public_room().await;
    let forget = format!("/rooms/{}/forget", escape(&room));
    bob.post(&forget, json!({})).await;
    assert_eq!(ann.refused(Method::POST, &forget, json!({})).await, (400, "M_UNKNOWN".into()));
}

#[tokio::test]
async fn typing_needs_no_word_on_how_long() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let since = ann.sync(None).await["next_batch"].as_str().unwrap().to_owned();
    let path = format!("/rooms/{}/typing/{}", escape(&room), escape(&ann.id));
    ann.put(&path, json!({"typing": true})).await;
    let told = ann.sync(Some(&since)).await;
    let typing = &told["rooms"]["join"][&room]["ephemeral"]["events"][0];
    assert_eq!(typing["content"]["user_ids"], json!([ann.id]));
    for wrong in [json!({}), json!({"typing": "yes"}), json!({"typing": true, "timeout": "x"})] {
        assert_eq!(ann.refused(Method::PUT, &path, wrong).await, (400, "M_BAD_JSON".into()));
    }
}

#[tokio::test]
async fn an_alias_that_is_deleted_is_no_longer_what_the_room_is_called() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.create_room(json!({"preset": "public_chat", "room_alias_name": "one"})).await;
    bob.join(&room).await;
    let alias = |name: &str| format!("/directory/room/{}", escape(&format!("#{name}:test.local")));
    for name in ["two", "three"] {
        ann.put(&alias(name), json!({"room_id": room})).await;
    }
    bob.put(&alias("bobs"), json!({"room_id": room})).await;
    let canonical = format!("/rooms/{}/state/m.room.canonical_alias", escape(&room));
    let content = json!({"alias": "#one:test.local",
        "alt_aliases": ["#two:test.local", "#three:test.local", "#bobs:test.local"]});
    ann.put(&canonical, content).await;
    let delete = async |user: &User<'_>, name: &str| {
        assert_eq!(user.try_call(Method::DELETE, &alias(name), None).await.0, 200);
    };
    delete(&ann, "two").await;
    let rest = json!(["#three:test.local", "#bobs:test.local"]);
    assert_eq!(ann.get(&canonical).await, json!({"alias": "#one:test.local", "alt_aliases": rest}));
    delete(&ann, "one").await;
    assert_eq!(ann.get(&canonical).await, json!({"alt_aliases": rest}));
    // He may take back his own alias but has no say in what the room is called.
    delete(&bob, "bobs").await;
    assert_eq!(ann.get(&canonical).await, json!({"alt_aliases": rest}));
    delete(&ann, "three").await;
    assert_eq!(ann.get(&canonical).await, json!({"alt_aliases": ["#bobs:test.local"]}));
}

#[tokio::test]
async fn the_same_reaction_twice_is_refused_until_the_first_is_taken_back() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    let said = ann.say(&room, "goal").await;
    let react = |key: &str| json!({"m.relates_to": {"rel_type": "m.annotation", "event_id": said, "key": key}});
    let first = ann.send(&room, "m.reaction", react("👍")).await;
    let refused = refuse_to_send(&ann, &room, "m.reaction", react("👍")).await;
    assert_eq!(refused, (400, "M_DUPLICATE_ANNOTATION".into()));
    ann.send(&room, "m.reaction", react("👎")).await;
    bob.send(&room, "m.reaction", react("👍")).await;
    ann.put(&format!("/rooms/{}/redact/{}/r", escape(&room), escape(&first)), json!({})).await;
    ann.send(&room, "m.reaction", react("👍")).await;
}

#[tokio::test]
async fn relations_that_make_no_sense_are_refused() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let (room, other) = (ann.public_room().await, ann.public_room().await);
    let (root, elsewhere) = (ann.say(&room, "root").await, ann.say(&other, "elsewhere").await);
    let reply = ann.send(&room, "m.room.message", text("reply", relation("m.thread", &root))).await;
    let long = json!({"rel_type": "m.annotation", "event_id": root, "key": "x".repeat(501)});
    for (kind, content) in [
        ("m.room.message", text("thread in a thread", relation("m.thread", &reply))),
        ("m.room.message", text("another room", relation("m.thread", &elsewhere))),
        ("m.room.message", text("nothing", relation("m.reference", "$nothing"))),
        ("m.reaction", json!({"m.relates_to": relation("m.annotation", &root)})),
        ("m.reaction", json!({"m.relates_to": long})),
    ] {
        let refused = refuse_to_send(&ann, &room, kind, content.clone()).await;
        assert_eq!(refused.0, 400, "{content}");
    }
}

#[tokio::test]
async fn an_edit_of_an_edit_changes_nothing() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let said = ann.say(&room, "one").await;
    let edit = |target: &str, body: &str| {
        json!({"msgtype": "m.text", "body": body, "m.relates_to": relation("m.replace", target),
               "m.new_content": {"msgtype": "m.text", "body": body}})
    };
    let first = ann.send(&room, "m.room.message", edit(&said, "two")).await;
    ann.send(&room, "m.room.message", edit(&first, "three")).await;
    let mut empty = edit(&said, "four");
    empty.as_object_mut().unwrap().remove("m.new_content");
    ann.send(&room, "m.room.message", empty).await;
    let event =
        async |id: &str| ann.get(&format!("/rooms/{}/event/{}", escape(&room), escape(id))).await;
    assert_eq!(
        event(&said).await["unsigned"]["m.relations"]["m.replace"]["event_id"],
        json!(first)
    );
    assert!(event(&first).await["unsigned"].get("m.relations").is_none());
}

#[tokio::test]
async fn redacted_replies_leave_the_thread_and_a_redacted_root_keeps_it() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let root = ann.say(&room, "root").await;
    let reply = |body: &str| text(body, relation("m.thread", &root));
    let first = ann.send(&room, "m.room.message", reply("first")).await;
    let second = ann.send(&room, "m.room.message", reply("second")).await;
    let at = format!("/rooms/{}", escape(&room));
    let redact = async |id: &str, txn: &str| {
        ann.put(&format!("{at}/redact/{}/{txn}", escape(id)), json!({})).await;
    };
    let get = async |path: &str| {
        let path = format!("/_matrix/client/v1{at}{path}");
        server.call(Method::GET, &path, Some(&ann.token), None).await.1
    };
    redact(&second, "r1").await;
    let threads = get("/threads").await;
    let thread = &threads["chunk"][0]["unsigned"]["m.relations"]["m.thread"];
    assert_eq!((&thread["count"], &thread["latest_event"]["event_id"]), (&json!(1), &json!(first)));
    redact(&root, "r2").await;
    let relations = get(&format!("/relations/{}/m.thread", escape(&root))).await;
    assert_eq!(relations["chunk"][0]["event_id"], json!(first));
    let threads = get("/threads").await;
    assert_eq!(threads["chunk"][0]["event_id"], json!(root));
    let thread = &threads["chunk"][0]["unsigned"]["m.relations"]["m.thread"];
    assert_eq!(thread["latest_event"]["event_id"], json!(first));
    redact(&first, "r3").await;
    assert_eq!(get("/threads").await["chunk"], json!([]));
}

#[tokio::test]
async fn content_is_an_object_and_a_type_is_not_empty() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let at = format!("/rooms/{}", escape(&room));
    for wrong in [json!([]), json!("x"), json!(1), json!(null)] {
        for path in [format!("{at}/send/m.room.message/x"), format!("{at}/state/app.x/k")] {
            let refused = ann.refused(Method::PUT, &path, wrong.clone()).await;
            assert_eq!(refused, (400, "M_BAD_JSON".into()), "{path} {wrong}");
        }
        let state = json!([{"type": "app.x", "state_key": "", "content": wrong}]);
        let refused =
            ann.refused(Method::POST, "/createRoom", json!({"initial_state": state})).await;
        assert_eq!(refused, (400, "M_BAD_JSON".into()), "{wrong}");
    }
    for wrong in [
        json!({"type": "", "content": {}}),
        json!({"content": {}}),
        json!({"type": 1, "content": {}}),
        json!({"type": "app.x"}),
        json!({"type": "app.x", "state_key": 1, "content": {}}),
    ] {
        let body = json!({"initial_state": [wrong]});
        let refused = ann.refused(Method::POST, "/createRoom", body.clone()).await;
        assert_eq!(refused, (400, "M_BAD_JSON".into()), "{body}");
    }
}

#[tokio::test]
async fn presets_visibilities_and_aliases_that_say_nothing_are_refused() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let list = format!("/directory/list/room/{}", escape(&room));
    for (method, path, body) in [
        (Method::POST, "/createRoom", json!({"preset": "nonsense"})),
        (Method::POST, "/createRoom", json!({"visibility": "nonsense"})),
        (Method::PUT, list.as_str(), json!({"visibility": "nonsense"})),
        (Method::POST, "/createRoom", json!({"room_alias_name": ""})),
    ] {
        let refused = ann.refused(method, path, body.clone()).await;
        assert_eq!(refused.0, 400, "{body}");
    }
}

#[tokio::test]
async fn an_event_has_at_most_65536_bytes() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let path = |txn: usize| format!("/rooms/{}/send/app.large/t{txn}", escape(&room));
    let taken = async |length: usize| {
        let body = json!({"text": "x".repeat(length)});
        let (status, _) = ann.try_call(Method::PUT, &path(length), Some(body)).await;
        assert!(status == 200 || status == 413, "{status}");
        status == 200
    };
    let (mut low, mut high) = (64_000, 65_536);
    while high - low > 1 {
        let middle = usize::midpoint(low, high);
        if taken(middle).await { low = middle } else { high = middle }
    }
    // What is there besides the text: ids, hashes, the sender, times.
    let event = ann.send(&room, "app.large", json!({"text": ""})).await;
    assert_eq!(event.len(), 44);
    let rest = 65_536 - low;
    assert!((300..700).contains(&rest), "{rest} bytes besides the text");
}

#[tokio::test]
async fn nobody_from_another_server_is_invited() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = escape(&ann.public_room().await);
    let far = "@far:elsewhere.org";
    let member = format!("/rooms/{room}/state/m.room.member/{}", escape(far));
    let invite = json!({"membership": "invite"});
    let state = json!([{"type": "m.room.member", "state_key": far, "content": invite}]);
    for (method, path, body) in [
        (Method::POST, format!("/rooms/{room}/invite"), json!({"user_id": far})),
        (Method::PUT, member, invite),
        (Method::POST, "/createRoom".to_owned(), json!({"invite": [far]})),
        (Method::POST, "/createRoom".to_owned(), json!({"initial_state": state})),
    ] {
        let refused = ann.refused(method, &path, body.clone()).await;
        assert_eq!(refused, (403, "M_FORBIDDEN".into()), "{path} {body}");
    }
    assert_eq!(
        ann.refused(Method::POST, &format!("/rooms/{room}/kick"), json!({"user_id": far})).await.0,
        403
    );
    // A ban in advance is allowed, and harms nobody.
    ann.post(&format!("/rooms/{room}/ban"), json!({"user_id": far})).await;
}

#[tokio::test]
async fn a_member_event_among_the_first_state_is_checked_like_any_other() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let data = format!("/user/{}/account_data/m.ignored_user_list", escape(&ann.id));
    ann.put(&data, json!({"ignored_users": {&bob.id: {}}})).await;
    let invite = json!({"type": "m.room.member", "state_key": ann.id,
                        "content": {"membership": "invite"}});
    let body = json!({"initial_state": [invite]});
    assert_eq!(bob.refused(Method::POST, "/createRoom", body).await, (403, "M_FORBIDDEN".into()));
    let alias = json!({"type": "m.room.canonical_alias", "content": {"alias": "#none:test.local"}});
    let refused = bob.refused(Method::POST, "/createRoom", json!({"initial_state": [alias]})).await;
    assert_eq!(refused, (400, "M_BAD_ALIAS".into()));
}

#[tokio::test]
async fn a_login_that_says_nothing_is_told_what_is_missing() {
    let server = TestServer::new().await;
    for (body, code) in [
        (json!({}), "M_MISSING_PARAM"),
        (json!({"type": 1}), "M_BAD_JSON"),
        (json!([]), "M_BAD_JSON"),
        (json!({"type": "m.login.application_service"}), "M_INVALID_PARAM"),
        (json!({"type": "m.login.nonsense"}), "M_UNKNOWN"),
    ] {
        let path = "/_matrix/client/v3/login";
        let (status, answer) =
            server.call(Method::POST, path, Some(AS_TOKEN), Some(body.clone())).await;
        assert_eq!((status.as_u16(), answer["errcode"].as_str().unwrap()), (400, code), "{body}");
    }
}

#[tokio::test]
async fn what_is_not_there_is_unrecognized_and_not_promised() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = escape(&ann.public_room().await);
    for (method, path) in [
        (Method::POST, "/_matrix/client/v3/search".to_owned()),
        (Method::GET, "/_matrix/client/v3/account/3pid".to_owned()),
        (Method::POST, "/_matrix/client/v3/account/password".to_owned()),
        (Method::POST, format!("/_matrix/client/v3/knock/{room}")),
        (Method::POST, format!("/_matrix/client/v3/rooms/{room}/upgrade")),
        (Method::GET, "/_matrix/client/v3/notifications".to_owned()),
        (Method::GET, format!("/_matrix/client/v1/rooms/{room}/hierarchy")),
        (Method::GET, "/_matrix/client/v1/media/preview_url?url=x".to_owned()),
        (Method::POST, "/_matrix/client/v1/login/get_token".to_owned()),
        (Method::POST, "/_matrix/client/v3/refresh".to_owned()),
    ] {
        let body = (method != Method::GET).then(|| json!({}));
        let (status, answer) = server.call(method, &path, Some(&ann.token), body).await;
        let code = answer["errcode"].as_str().unwrap();
        assert!(status == 404 || status == 405, "{path}: {status}");
        assert_eq!(code, "M_UNRECOGNIZED", "{path}");
    }
    let capabilities = ann.get("/capabilities").await["capabilities"].clone();
    for absent in ["m.change_password", "m.3pid_changes", "m.get_login_token"] {
        assert_eq!(capabilities[absent]["enabled"], false, "{absent}");
    }
}

#[tokio::test]
async fn nobody_knocks() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let rule = json!({"type": "m.room.join_rules", "content": {"join_rule": "knock"}});
    let room = escape(&ann.create_room(json!({"initial_state": [rule]})).await);
    let member = format!("/rooms/{room}/state/m.room.member/{}", escape(&bob.id));
    let refused = bob.refused(Method::PUT, &member, json!({"membership": "knock"})).await;
    assert_eq!(refused, (403, "M_FORBIDDEN".into()));
}
