//! One rule for every way to read: what a stranger, a leaver or a late-comer may see.

use reqwest::Method;
use serde_json::json;

use crate::app::{TestServer, User, bodies, escape};

/// Whether `user` can get at the message by any of the read paths.
async fn paths_that_show(
    user: &User<'_>,
    room: &str,
    event: &str,
    text: &str,
) -> Vec<&'static str> {
    let at = format!("/rooms/{}", escape(room));
    let mut shown = Vec::new();
    let mut see = |name: &'static str, answer: serde_json::Value| {
        if answer.to_string().contains(text) {
            shown.push(name);
        }
    };
    let get = async |path: String| user.try_call(Method::GET, &path, None).await.1;
    see("messages", get(format!("{at}/messages?dir=b&limit=100")).await);
    see("messages forward", get(format!("{at}/messages?dir=f&limit=100")).await);
    see("event", get(format!("{at}/event/{}", escape(event))).await);
    see("context", get(format!("{at}/context/{}?limit=50", escape(event))).await);
    see("sync", get("/sync".to_owned()).await);
    let filter = escape(r#"{"room":{"include_leave":true,"timeline":{"limit":100}}}"#);
    see("sync with left rooms", get(format!("/sync?filter={filter}")).await);
    see("state", get(format!("{at}/state")).await);
    let path = format!("/_matrix/client/v1{at}/threads");
    see("threads", user.server.call(Method::GET, &path, Some(&user.token), None).await.1);
    let path = format!("/_matrix/client/v1{at}/relations/{}", escape(event));
    see("relations", user.server.call(Method::GET, &path, Some(&user.token), None).await.1);
    shown
}

async fn room_with_history(ann: &User<'_>, visibility: &str) -> String {
    let history = json!({"type": "m.room.history_visibility", "state_key": "",
                         "content": {"history_visibility": visibility}});
    ann.create_room(json!({"preset": "public_chat", "initial_state": [history]})).await
}

#[tokio::test]
async fn a_stranger_sees_nothing_unless_the_room_is_world_readable() {
    let server = TestServer::new().await;
    let (ann, eve) = (server.user("ann").await, server.user("eve").await);
    for visibility in ["joined", "invited", "shared"] {
        let room = room_with_history(&ann, visibility).await;
        let event = ann.say(&room, "needle").await;
        assert!(paths_that_show(&eve, &room, &event, "needle").await.is_empty(), "{visibility}");
    }
    let room = room_with_history(&ann, "world_readable").await;
    let event = ann.say(&room, "needle").await;
    assert!(paths_that_show(&eve, &room, &event, "needle").await.contains(&"messages"));
}

#[tokio::test]
async fn a_late_comer_sees_earlier_messages_only_where_history_is_shared() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    for (number, (visibility, expected)) in
        [("joined", false), ("invited", false), ("shared", true)].into_iter().enumerate()
    {
        let bob = server.user(&format!("bob{number}")).await;
        let room = room_with_history(&ann, visibility).await;
        let event = ann.say(&room, "needle").await;
        bob.join(&room).await;
        let shown = paths_that_show(&bob, &room, &event, "needle").await;
        assert_eq!(!shown.is_empty(), expected, "{visibility}: {shown:?}");
        let after = ann.say(&room, "later").await;
        let shown = paths_that_show(&bob, &room, &after, "later").await;
        assert!(shown.contains(&"messages") && shown.contains(&"sync"), "{visibility}");
    }
}

#[tokio::test]
async fn whoever_left_sees_nothing_from_afterwards() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    for visibility in ["joined", "shared"] {
        let room = room_with_history(&ann, visibility).await;
        bob.join(&room).await;
        let before = ann.say(&room, "before").await;
        bob.post(&format!("/rooms/{}/leave", escape(&room)), json!({})).await;
        let after = ann.say(&room, "needle").await;
        let name = format!("/rooms/{}/state/m.room.name", escape(&room));
        ann.put(&name, json!({"name": "needle in the state"})).await;
        assert!(paths_that_show(&bob, &room, &after, "needle").await.is_empty(), "{visibility}");
        let shown = paths_that_show(&bob, &room, &before, "before").await;
        assert!(shown.contains(&"messages") && shown.contains(&"event"), "{visibility}");
        for kind in ["m.thread", "m.replace", "m.reference"] {
            let related = json!({"msgtype": "m.text", "body": "needle",
                                 "m.relates_to": {"rel_type": kind, "event_id": before}});
            let related = ann.send(&room, "m.room.message", related).await;
            for hidden in ["needle", &related] {
                let shown = paths_that_show(&bob, &room, &before, hidden).await;
                assert!(shown.is_empty(), "{visibility}, {kind}: {shown:?}");
            }
        }
        let members = format!("/rooms/{}/members", escape(&room));
        assert_eq!(bob.get(&members).await["chunk"].as_array().unwrap().len(), 2);
    }
}

#[tokio::test]
async fn an_invited_user_cannot_read_the_room() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.create_room(json!({"invite": [bob.id]})).await;
    let event = ann.say(&room, "needle").await;
    assert!(paths_that_show(&bob, &room, &event, "needle").await.is_empty());
    let members = format!("/rooms/{}/members", escape(&room));
    assert_eq!(bob.refused(Method::GET, &members, json!({})).await.0, 403);
}

#[tokio::test]
async fn a_forgotten_room_is_gone_and_ignored_users_are_silent() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    let ignore = format!("/user/{}/account_data/m.ignored_user_list", escape(&bob.id));
    ann.say(&room, "first").await;
    bob.put(&ignore, json!({"ignored_users": {&ann.id: {}}})).await;
    ann.say(&room, "unwanted").await;
    assert!(bob.history(&room).await.is_empty());
    let told = bob.sync(None).await;
    assert!(bodies(&told["rooms"]["join"][&room]["timeline"]["events"]).is_empty());
    let at = format!("/rooms/{}", escape(&room));
    assert_eq!(bob.refused(Method::POST, &format!("{at}/forget"), json!({})).await.0, 400);
    bob.post(&format!("{at}/leave"), json!({})).await;
    bob.post(&format!("{at}/forget"), json!({})).await;
    let refusal = bob.refused(Method::GET, &format!("{at}/messages?dir=b"), json!({})).await;
    assert_eq!(refusal.0, 403);
}
