//! What the service forbids at its own door is forbidden at this one.

use reqwest::Method;
use serde_json::{Value, json};
use touchline_homeserver::Config;

use crate::app::{Options, TestServer, User, escape};

/// With the limits that everybody has who sets no others.
async fn limited() -> TestServer {
    let Config { room_rate, membership_rate, .. } = Config::default();
    TestServer::with(Options { room_rate, membership_rate, ..Options::default() }).await
}

/// Calls until it is refused, and answers how often it was not.
async fn count_until_refused(user: &User<'_>, calls: &[(Method, String, Value)]) -> usize {
    for (count, (method, path, body)) in calls.iter().cycle().enumerate() {
        let (status, answer) = user.try_call(method.clone(), path, Some(body.clone())).await;
        if status == 429 {
            assert_eq!(answer["errcode"], "M_LIMIT_EXCEEDED");
            assert!(answer["retry_after_ms"].as_u64().unwrap() > 100, "{answer}");
            return count;
        }
        assert_eq!(status, 200, "{path}: {answer}");
        assert!(count < 100, "nothing is refused");
    }
    0
}

#[tokio::test]
async fn a_user_makes_twenty_rooms_at_once_and_the_application_service_as_many_as_it_likes() {
    let server = limited().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let create = (Method::POST, "/createRoom".to_owned(), json!({}));
    assert_eq!(count_until_refused(&ann, std::slice::from_ref(&create)).await, 20);
    assert_eq!(count_until_refused(&bob, &[create]).await, 20);
    for _ in 0..25 {
        let path = "/_matrix/client/v3/createRoom";
        assert_eq!(server.act(Method::POST, path, &ann.id, json!({})).await.0, 200);
    }
}

#[tokio::test]
async fn joins_leaves_and_invitations_are_thirty_at_once_by_whichever_path() {
    let server = limited().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = escape(&ann.public_room().await);
    let me = escape(&bob.id);
    let path = |tail: &str| format!("/rooms/{room}/{tail}");
    let member = |membership: &str| json!({"membership": membership});
    let calls = [
        (Method::POST, format!("/join/{room}"), json!({})),
        (Method::POST, path("leave"), json!({})),
        (Method::POST, path("join"), json!({})),
        (Method::PUT, path(&format!("state/m.room.member/{me}")), member("leave")),
        (Method::PUT, path(&format!("state/m.room.member/{me}")), member("join")),
        (Method::POST, path("leave"), json!({})),
    ];
    assert_eq!(count_until_refused(&bob, &calls).await, 30);
    // Each invitation of a new room counts as well.
    let guests: Vec<String> = (0..12).map(|n| format!("@guest{n}:test.local")).collect();
    let create = (Method::POST, "/createRoom".to_owned(), json!({"invite": guests}));
    assert_eq!(count_until_refused(&ann, &[create]).await, 2);
    for _ in 0..20 {
        for what in ["join", "leave"] {
            let path = format!("/_matrix/client/v3/rooms/{room}/{what}");
            assert_eq!(server.act(Method::POST, &path, &bob.id, json!({})).await.0, 200);
        }
    }
}

#[tokio::test]
async fn more_invitations_than_anybody_may_send_are_refused_whole() {
    let server = limited().await;
    let ann = server.user("ann").await;
    let guests: Vec<String> = (0..31).map(|n| format!("@guest{n}:test.local")).collect();
    let body = json!({"invite": guests});
    assert_eq!(
        ann.refused(Method::POST, "/createRoom", body).await,
        (400, "M_INVALID_PARAM".into())
    );
}

#[tokio::test]
async fn an_invitation_by_somebody_who_is_ignored_is_refused() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = escape(&bob.create_room(json!({})).await);
    let data = format!("/user/{}/account_data/m.ignored_user_list", escape(&ann.id));
    ann.put(&data, json!({"ignored_users": {&bob.id: {}}})).await;
    let forbidden = (403, "M_FORBIDDEN".to_owned());
    let state = format!("/rooms/{room}/state/m.room.member/{}", escape(&ann.id));
    for (method, path, body) in [
        (Method::POST, format!("/rooms/{room}/invite"), json!({"user_id": ann.id})),
        (Method::PUT, state, json!({"membership": "invite"})),
        (Method::POST, "/createRoom".to_owned(), json!({"invite": [ann.id]})),
    ] {
        assert_eq!(bob.refused(method, &path, body).await, forbidden, "{path}");
    }
    let sync = ann.sync(None).await;
    assert!(sync["rooms"]["invite"].as_object().is_none_or(serde_json::Map::is_empty), "{sync}");
    ann.put(&data, json!({"ignored_users": {}})).await;
    bob.post(&format!("/rooms/{room}/invite"), json!({"user_id": ann.id})).await;
}

#[tokio::test]
async fn names_of_people_are_told_to_nobody_without_a_token() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let profile = format!("/profile/{}", escape(&ann.id));
    ann.put(&format!("{profile}/displayname"), json!({"displayname": "Ann Example"})).await;
    let room =
        escape(&ann.create_room(json!({"preset": "public_chat", "visibility": "public"})).await);
    for path in [
        profile.clone(),
        format!("{profile}/displayname"),
        format!("{profile}/avatar_url"),
        format!("/rooms/{room}/joined_members"),
        format!("/rooms/{room}/members"),
        format!("/rooms/{room}/state"),
    ] {
        let path = format!("/_matrix/client/v3{path}");
        let (status, answer) = server.call(Method::GET, &path, None, None).await;
        assert_eq!(
            (status.as_u16(), &answer["errcode"]),
            (401, &json!("M_MISSING_TOKEN")),
            "{path}"
        );
    }
    let path = "/_matrix/client/v3/user_directory/search";
    let body = json!({"search_term": "ann"});
    assert_eq!(server.call(Method::POST, path, None, Some(body)).await.0, 401);
    let path = "/_matrix/client/v3/publicRooms";
    let (_, rooms) = server.call(Method::GET, path, None, None).await;
    assert!(!rooms.to_string().contains("Ann"), "{rooms}");
    assert_eq!(ann.get(&profile).await["displayname"], "Ann Example");
}

#[tokio::test]
async fn aliases_of_matches_are_made_and_taken_away_by_the_service_alone() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let room = ann.public_room().await;
    let alias = format!("/directory/room/{}", escape("#match_7:test.local"));
    let exclusive = (400, "M_EXCLUSIVE".to_owned());
    assert_eq!(ann.refused(Method::PUT, &alias, json!({"room_id": room})).await, exclusive);
    let named = json!({"room_alias_name": "match_7"});
    assert_eq!(ann.refused(Method::POST, "/createRoom", named).await, exclusive);
    let path = format!("/_matrix/client/v3{alias}");
    assert_eq!(server.act(Method::PUT, &path, &ann.id, json!({"room_id": room})).await.0, 200);
    assert_eq!(ann.refused(Method::DELETE, &alias, json!({})).await, exclusive);
    assert_eq!(server.act(Method::DELETE, &path, &ann.id, json!({})).await.0, 200);
}
