//! What counts as unread, and for whom.

use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{TestServer, User, escape};

fn counts(notifications: i64, highlights: i64) -> Value {
    json!({"notification_count": notifications, "highlight_count": highlights})
}

async fn unread(user: &User<'_>, room: &str) -> Value {
    user.sync(None).await["rooms"]["join"][room]["unread_notifications"].clone()
}

/// The counts of the main timeline and of each thread.
async fn by_thread(user: &User<'_>, room: &str) -> (Value, Value) {
    let filter = json!({"room": {"timeline": {"unread_thread_notifications": true}}});
    let answer = user.get(&format!("/sync?filter={}", escape(&filter.to_string()))).await;
    let told = &answer["rooms"]["join"][room];
    (told["unread_notifications"].clone(), told["unread_thread_notifications"].clone())
}

fn mention(body: &str, mentions: Value) -> Value {
    json!({"msgtype": "m.text", "body": body, "m.mentions": mentions})
}

fn in_thread(root: &str, body: &str) -> Value {
    json!({"msgtype": "m.text", "body": body,
           "m.relates_to": {"rel_type": "m.thread", "event_id": root}})
}

async fn ignore(user: &User<'_>, ignored: &[&str]) {
    let path = format!("/user/{}/account_data/m.ignored_user_list", escape(&user.id));
    let list: serde_json::Map<_, _> =
        ignored.iter().map(|id| ((*id).to_owned(), json!({}))).collect();
    user.put(&path, json!({"ignored_users": list})).await;
}

/// Rules that differ from the default, though not in what they say.
async fn own_rules(user: &User<'_>) {
    let rule = format!("/pushrules/global/sender/{}", escape("@nobody:test.local"));
    user.put(&rule, json!({"actions": []})).await;
}

async fn read(user: &User<'_>, room: &str, event: &str, thread: Option<&str>) {
    let path = format!("/rooms/{}/receipt/m.read/{}", escape(room), escape(event));
    user.post(&path, thread.map_or(json!({}), |thread| json!({"thread_id": thread}))).await;
}

#[tokio::test]
async fn somebody_who_is_ignored_raises_no_count() {
    let server = TestServer::new().await;
    let (ann, bob, cat) =
        (server.user("ann").await, server.user("bob").await, server.user("cat").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    cat.join(&room).await;
    let power = format!("/rooms/{}/state/m.room.power_levels", escape(&room));
    ann.put(&power, json!({"users": {&ann.id: 100, &bob.id: 50}})).await;
    for own in [false, true] {
        if own {
            own_rules(&ann).await;
        }
        ignore(&ann, &[]).await;
        bob.say(&room, "hello").await;
        bob.send(&room, "m.room.message", mention("ann", json!({"user_ids": [ann.id]}))).await;
        bob.send(&room, "m.room.message", mention("all", json!({"room": true}))).await;
        let last = cat.say(&room, "hello too").await;
        assert_eq!(unread(&ann, &room).await, counts(4, 2), "own rules: {own}");
        ignore(&ann, &[&bob.id]).await;
        assert_eq!(unread(&ann, &room).await, counts(1, 0), "own rules: {own}");
        bob.say(&room, "still there?").await;
        assert_eq!(unread(&ann, &room).await, counts(1, 0), "own rules: {own}");
        ignore(&ann, &[]).await;
        assert_eq!(unread(&ann, &room).await, counts(5, 2), "own rules: {own}");
        read(&ann, &room, &last, None).await;
        read(&ann, &room, &cat.say(&room, "end").await, None).await;
    }
}

#[tokio::test]
async fn a_call_to_the_room_highlights_under_own_rules_if_its_sender_may_call() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    own_rules(&bob).await;
    own_rules(&ann).await;
    let call = || mention("everybody", json!({"room": true}));
    ann.send(&room, "m.room.message", call()).await;
    assert_eq!(unread(&bob, &room).await, counts(1, 1));
    bob.send(&room, "m.room.message", call()).await;
    assert_eq!(unread(&ann, &room).await, counts(1, 0));
    let power = format!("/rooms/{}/state/m.room.power_levels", escape(&room));
    ann.put(&power, json!({"users": {&ann.id: 100}, "notifications": {"room": 0}})).await;
    assert_eq!(unread(&ann, &room).await, counts(1, 1));
}

#[tokio::test]
async fn mentions_highlight_in_a_muted_room() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    bob.put(&format!("/pushrules/global/room/{}", escape(&room)), json!({"actions": []})).await;
    ann.say(&room, "noise").await;
    assert_eq!(unread(&bob, &room).await, counts(0, 0));
    ann.send(&room, "m.room.message", mention("bob", json!({"user_ids": [bob.id]}))).await;
    ann.send(&room, "m.room.message", mention("all", json!({"room": true}))).await;
    assert_eq!(unread(&bob, &room).await, counts(2, 2));
}

#[tokio::test]
async fn an_edit_counts_no_more_than_what_it_edits() {
    let server = TestServer::new().await;
    let (ann, bob, cat) =
        (server.user("ann").await, server.user("bob").await, server.user("cat").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    cat.join(&room).await;
    own_rules(&cat).await;
    let said = ann.say(&room, "one").await;
    let edit = json!({"msgtype": "m.text", "body": "* two",
                      "m.new_content": {"msgtype": "m.text", "body": "two"},
                      "m.relates_to": {"rel_type": "m.replace", "event_id": said}});
    ann.send(&room, "m.room.message", edit).await;
    assert_eq!(unread(&bob, &room).await, counts(1, 0));
    assert_eq!(unread(&cat, &room).await, counts(1, 0));
}

#[tokio::test]
async fn threads_are_counted_apart_for_whoever_asks() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    for own in [false, true] {
        if own {
            own_rules(&bob).await;
        }
        let root = ann.say(&room, "root").await;
        ann.send(&room, "m.room.message", in_thread(&root, "first")).await;
        let mut named = in_thread(&root, "second");
        named["m.mentions"] = json!({"user_ids": [bob.id]});
        let reply = ann.send(&room, "m.room.message", named).await;
        // What relates to a reply belongs to its thread too.
        let reference = json!({"msgtype": "m.text", "body": "see above",
            "m.relates_to": {"rel_type": "m.reference", "event_id": reply}});
        ann.send(&room, "m.room.message", reference).await;
        assert_eq!(unread(&bob, &room).await, counts(4, 1), "own rules: {own}");
        let (main, threads) = by_thread(&bob, &room).await;
        assert_eq!((main, threads), (counts(1, 0), json!({&root: counts(3, 1)})), "own: {own}");
        let last = ann.say(&room, "last").await;
        let (main, threads) = by_thread(&bob, &room).await;
        assert_eq!((main, threads), (counts(2, 0), json!({&root: counts(3, 1)})), "own: {own}");
        read(&bob, &room, &last, None).await;
    }
}

#[tokio::test]
async fn a_receipt_of_a_thread_moves_that_thread_and_one_of_none_moves_all() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    for own in [false, true] {
        if own {
            own_rules(&bob).await;
        }
        let (one, two) = (ann.say(&room, "one").await, ann.say(&room, "two").await);
        let first = ann.send(&room, "m.room.message", in_thread(&one, "in one")).await;
        ann.send(&room, "m.room.message", in_thread(&two, "in two")).await;
        ann.send(&room, "m.room.message", in_thread(&one, "in one again")).await;
        let all = json!({&one: counts(2, 0), &two: counts(1, 0)});
        assert_eq!(by_thread(&bob, &room).await, (counts(2, 0), all), "own rules: {own}");
        read(&bob, &room, &two, Some("main")).await;
        let all = json!({&one: counts(2, 0), &two: counts(1, 0)});
        assert_eq!(by_thread(&bob, &room).await, (counts(0, 0), all), "own rules: {own}");
        read(&bob, &room, &first, Some(&one)).await;
        let rest = json!({&one: counts(1, 0), &two: counts(1, 0)});
        assert_eq!(by_thread(&bob, &room).await, (counts(0, 0), rest), "own rules: {own}");
        assert_eq!(unread(&bob, &room).await, counts(2, 0), "own rules: {own}");
        let last = ann.send(&room, "m.room.message", in_thread(&two, "the end")).await;
        assert_eq!(unread(&bob, &room).await, counts(3, 0), "own rules: {own}");
        read(&bob, &room, &last, None).await;
        assert_eq!(by_thread(&bob, &room).await, (counts(0, 0), Value::Null), "own rules: {own}");
    }
}

#[tokio::test]
async fn a_receipt_names_a_thread_that_its_event_is_in() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let (root, other) = (ann.say(&room, "root").await, ann.say(&room, "other").await);
    let reply = ann.send(&room, "m.room.message", in_thread(&root, "reply")).await;
    let refused = (400, "M_INVALID_PARAM".to_owned());
    for (kind, event, thread) in [
        ("m.read", &other, root.as_str()),
        ("m.read", &reply, "main"),
        ("m.read", &reply, other.as_str()),
        ("m.fully_read", &reply, root.as_str()),
        ("m.read", &reply, ""),
        ("m.read", &reply, "nonsense"),
    ] {
        let path = format!("/rooms/{}/receipt/{kind}/{}", escape(&room), escape(event));
        let body = json!({"thread_id": thread});
        assert_eq!(ann.refused(Method::POST, &path, body).await, refused, "{kind} {thread}");
    }
    read(&ann, &room, &root, Some(&root)).await;
    read(&ann, &room, &root, Some("main")).await;
    read(&ann, &room, &reply, Some(&root)).await;
}

#[tokio::test]
async fn what_is_redacted_counts_no_more() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    let named =
        ann.send(&room, "m.room.message", mention("bob", json!({"user_ids": [bob.id]}))).await;
    ann.say(&room, "else").await;
    assert_eq!(unread(&bob, &room).await, counts(2, 1));
    ann.put(&format!("/rooms/{}/redact/{}/r", escape(&room), escape(&named)), json!({})).await;
    assert_eq!(unread(&bob, &room).await, counts(1, 0));
}

#[tokio::test]
async fn a_thread_is_told_without_the_replies_of_the_ignored() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let eve = server.user("eve").await;
    let room = ann.public_room().await;
    bob.join(&room).await;
    eve.join(&room).await;
    let root = ann.say(&room, "root").await;
    let only_eves = ann.say(&room, "another root").await;
    bob.send(&room, "m.room.message", in_thread(&root, "first")).await;
    eve.send(&room, "m.room.message", in_thread(&only_eves, "look at me")).await;
    for number in 0..101 {
        eve.send(&room, "m.room.message", in_thread(&root, &number.to_string())).await;
    }
    let list = json!({"ignored_users": {&eve.id: {}}});
    let path = format!("/user/{}/account_data/m.ignored_user_list", escape(&ann.id));
    ann.put(&path, list).await;
    let event = ann.get(&format!("/rooms/{}/event/{}", escape(&room), escape(&root))).await;
    let thread = &event["unsigned"]["m.relations"]["m.thread"];
    assert_eq!(
        (&thread["count"], &thread["latest_event"]["content"]["body"]),
        (&json!(1), &json!("first"))
    );
    let path = format!("/_matrix/client/v1/rooms/{}/threads", escape(&room));
    let (_, threads) = server.call(Method::GET, &path, Some(&ann.token), None).await;
    let roots: Vec<_> =
        threads["chunk"].as_array().unwrap().iter().map(|root| &root["event_id"]).collect();
    assert_eq!(roots, [&json!(root)]);
}
