use std::task::Poll;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{TestServer, bodies, escape};

fn next(answer: &Value) -> String {
    answer["next_batch"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_initial_sync_tells_the_room_and_the_next_tells_only_news() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.create_room(json!({"preset": "public_chat", "name": "Final"})).await;
    bob.join(&room).await;
    bob.say(&room, "one").await;
    let first = ann.sync(None).await;
    let told = &first["rooms"]["join"][&room];
    assert_eq!(bodies(&told["timeline"]["events"]), ["one"]);
    assert_eq!(told["unread_notifications"]["notification_count"], 1);
    let quiet = ann.sync(Some(&next(&first))).await;
    assert!(quiet.get("rooms").is_none(), "{quiet}");
    bob.say(&room, "two").await;
    let second = ann.sync(Some(&next(&quiet))).await;
    let told = &second["rooms"]["join"][&room];
    assert_eq!(bodies(&told["timeline"]["events"]), ["two"]);
    assert_eq!(told["timeline"]["limited"], false);
    assert_eq!(told["state"]["events"], json!([]));
}

#[tokio::test]
async fn a_waiting_sync_wakes_at_once() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    let since = next(&ann.sync(None).await);
    let started = Instant::now();
    let (answer, ()) = tokio::join!(
        async { ann.get(&format!("/sync?timeout=20000&since={since}")).await },
        async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            bob.say(&room, "wake up").await;
        }
    );
    assert_eq!(bodies(&answer["rooms"]["join"][&room]["timeline"]["events"]), ["wake up"]);
    assert!(started.elapsed() < Duration::from_secs(5));
    let started = Instant::now();
    let quiet = ann.get(&format!("/sync?timeout=300&since={}", next(&answer))).await;
    assert!(quiet.get("rooms").is_none());
    assert!(started.elapsed() >= Duration::from_millis(300));
}

#[tokio::test]
async fn a_gap_is_limited_and_its_state_is_told() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    let since = next(&bob.sync(None).await);
    let name = format!("/rooms/{}/state/m.room.name", escape(&room));
    ann.put(&name, json!({"name": "New name"})).await;
    for number in 0..30 {
        ann.say(&room, &number.to_string()).await;
    }
    let answer = bob.sync(Some(&since)).await;
    let told = &answer["rooms"]["join"][&room];
    assert_eq!(told["timeline"]["limited"], true);
    assert_eq!(bodies(&told["timeline"]["events"]).len(), 10);
    assert_eq!(told["state"]["events"][0]["content"]["name"], "New name");
    let from = told["timeline"]["prev_batch"].as_str().unwrap();
    let path = format!("/rooms/{}/messages?dir=b&limit=3&from={from}", escape(&room));
    assert_eq!(bodies(&bob.get(&path).await["chunk"]), ["19", "18", "17"]);
}

#[tokio::test]
async fn invitations_and_departures_are_told() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let since = next(&bob.sync(None).await);
    let room = ann.create_room(json!({"name": "Secret", "invite": [bob.id]})).await;
    let invited = bob.sync(Some(&since)).await;
    let stripped = invited["rooms"]["invite"][&room]["invite_state"]["events"].as_array().unwrap();
    assert!(stripped.iter().any(|event| event["content"]["name"] == "Secret"));
    bob.join(&room).await;
    let joined = bob.sync(Some(&next(&invited))).await;
    assert!(joined["rooms"]["join"].get(&room).is_some());
    ann.post(&format!("/rooms/{}/kick", escape(&room)), json!({"user_id": bob.id})).await;
    ann.say(&room, "behind your back").await;
    let left = bob.sync(Some(&next(&joined))).await;
    let told = &left["rooms"]["leave"][&room]["timeline"]["events"];
    assert_eq!(told.as_array().unwrap().last().unwrap()["content"]["membership"], "leave");
    assert!(bodies(told).is_empty());
}

#[tokio::test]
async fn typing_and_receipts_are_ephemeral_and_counts_follow_the_receipt() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    let at = format!("/rooms/{}", escape(&room));
    ann.say(&room, "hi").await;
    let mention = |user: &str| {
        json!({"msgtype": "m.text", "body": "look",
                                      "m.mentions": {"user_ids": [user]}})
    };
    let last = ann.send(&room, "m.room.message", mention(&bob.id)).await;
    let first = bob.sync(None).await;
    let unread = &first["rooms"]["join"][&room]["unread_notifications"];
    assert_eq!(unread, &json!({"notification_count": 2, "highlight_count": 1}));
    bob.post(&format!("{at}/receipt/m.read/{}", escape(&last)), json!({})).await;
    bob.put(&format!("{at}/typing/{}", escape(&bob.id)), json!({"typing": true, "timeout": 300}))
        .await;
    let answer = bob.sync(Some(&next(&first))).await;
    let told = &answer["rooms"]["join"][&room];
    assert_eq!(told["unread_notifications"]["notification_count"], 0);
    let kinds: Vec<_> =
        told["ephemeral"]["events"].as_array().unwrap().iter().map(|e| &e["type"]).collect();
    assert_eq!(kinds, ["m.typing", "m.receipt"]);
    let since = next(&answer);
    let over = bob.get(&format!("/sync?timeout=5000&since={since}")).await;
    let typing = &over["rooms"]["join"][&room]["ephemeral"]["events"][0];
    assert_eq!(typing["content"]["user_ids"], json!([]));
}

#[tokio::test]
async fn a_muted_room_has_no_unread_count() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    bob.put(&format!("/pushrules/global/room/{}", escape(&room)), json!({"actions": []})).await;
    ann.say(&room, "noise").await;
    let muted = bob.sync(None).await;
    assert_eq!(muted["rooms"]["join"][&room]["unread_notifications"]["notification_count"], 0);
    let mention =
        json!({"msgtype": "m.text", "body": "Bob!", "m.mentions": {"user_ids": [bob.id]}});
    ann.send(&room, "m.room.message", mention).await;
    let named = bob.sync(None).await;
    assert_eq!(named["rooms"]["join"][&room]["unread_notifications"]["highlight_count"], 1);
}

#[tokio::test]
async fn filters_choose_types_senders_and_members() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.create_room(json!({"preset": "public_chat", "name": "Final"})).await;
    bob.join(&room).await;
    for name in ["cat", "dan", "eve"] {
        server.user(name).await.join(&room).await;
    }
    ann.say(&room, "from ann").await;
    bob.say(&room, "from bob").await;
    let definition = json!({"room": {
        "timeline": {"types": ["m.room.mess*"], "not_senders": [bob.id]},
        "state": {"lazy_load_members": true}}});
    let path = format!("/user/{}/filter", escape(&bob.id));
    let id = bob.post(&path, definition.clone()).await["filter_id"].as_str().unwrap().to_owned();
    assert_eq!(
        bob.get(&format!("{path}/{id}")).await["room"]["timeline"]["types"][0],
        "m.room.mess*"
    );
    let answer = bob.get(&format!("/sync?filter={id}")).await;
    let told = &answer["rooms"]["join"][&room];
    assert_eq!(bodies(&told["timeline"]["events"]), ["from ann"]);
    let members: Vec<_> = told["state"]["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["type"] == "m.room.member")
        .map(|event| event["state_key"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(members.len(), 2, "the sender and oneself: {members:?}");
    assert_eq!(told["summary"]["m.joined_member_count"], 5);
    assert_eq!(bob.refused(Method::GET, "/sync?filter=99", json!({})).await.0, 400);
}

#[tokio::test]
async fn a_star_in_a_filter_stands_for_any_characters() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    ann.say(&room, "hello").await;
    for (pattern, matches) in [
        ("m.room.message", true),
        ("m.room.mess*", true),
        ("m.*.message", true),
        ("*", true),
        ("m.room.messag", false),
        ("m.call.*", false),
        ("*.messages", false),
    ] {
        let filter = escape(&json!({"types": [pattern]}).to_string());
        let path = format!("/rooms/{}/messages?dir=b&limit=50&filter={filter}", escape(&room));
        assert_eq!(!bodies(&ann.get(&path).await["chunk"]).is_empty(), matches, "{pattern}");
    }
}

#[tokio::test]
async fn a_token_that_is_none_of_ours_is_refused() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    for bad in ["42", "s", "sx", "s-1_0", "t42"] {
        let refused = ann.refused(Method::GET, &format!("/sync?since={bad}"), json!({})).await;
        assert_eq!(refused, (400, "M_INVALID_PARAM".to_owned()), "{bad}");
    }
}

#[tokio::test]
async fn tokens_and_events_survive_a_restart() {
    let server = TestServer::new().await;
    let (token, room, since);
    {
        let ann = server.user("ann").await;
        room = ann.public_room().await;
        since = next(&ann.sync(None).await);
        ann.say(&room, "before").await;
        token = ann.token.clone();
    }
    let server = server.restart().await;
    let path = format!("/_matrix/client/v3/sync?since={since}");
    let (status, answer) = server.call(Method::GET, &path, Some(&token), None).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(bodies(&answer["rooms"]["join"][&room]["timeline"]["events"]), ["before"]);
}

#[tokio::test]
async fn of_eleven_syncs_of_a_user_at_once_one_is_asked_to_come_back_later() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let mut devices = Vec::new();
    for _ in 0..11 {
        devices.push(server.login("ann").await);
    }
    let path = format!("/sync?timeout=20000&since={}", next(&ann.sync(None).await));
    let mut waits: Vec<_> =
        devices.iter().map(|ann| Box::pin(ann.try_call(Method::GET, &path, None))).collect();
    let first = std::future::poll_fn(|cx| {
        let answered = waits.iter_mut().map(|wait| wait.as_mut().poll(cx)).find(Poll::is_ready);
        answered.unwrap_or(Poll::Pending)
    });
    let (status, body) = first.await;
    assert_eq!((status.as_u16(), &body["errcode"]), (429, &json!("M_LIMIT_EXCEEDED")), "{body}");
    bob.sync(None).await;
}

#[tokio::test]
async fn a_fourth_sync_of_a_device_ends_the_oldest_with_an_empty_answer_and_no_other() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let other = server.login("ann").await;
    let path = format!("/sync?timeout=20000&since={}", next(&ann.sync(None).await));
    let mut waits: Vec<_> =
        (0..5).map(|_| Box::pin(ann.try_call(Method::GET, &path, None))).collect();
    waits.push(Box::pin(other.try_call(Method::GET, &path, None)));
    // Two of five are one too many each time; which came first is for the network to say.
    for _ in 0..2 {
        let first = std::future::poll_fn(|cx| {
            let over =
                waits.iter_mut().enumerate().find_map(|(nth, wait)| match wait.as_mut().poll(cx) {
                    Poll::Ready(answer) => Some((nth, answer)),
                    Poll::Pending => None,
                });
            over.map_or(Poll::Pending, Poll::Ready)
        });
        let (nth, (status, answer)) = first.await;
        assert!(nth < waits.len() - 1, "another device's");
        assert_eq!(status, 200);
        assert!(answer.get("rooms").is_none(), "{answer}");
        assert!(answer["next_batch"].is_string());
        drop(waits.remove(nth));
    }
    let room = ann.public_room().await;
    for wait in waits {
        let (status, answer) = wait.await;
        assert_eq!(status, 200);
        assert!(answer["rooms"]["join"].get(&room).is_some(), "the others still wait: {answer}");
    }
}
