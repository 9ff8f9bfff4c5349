//! Small endpoints that clients ask for on their way.

use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{TestServer, User, escape};

async fn summary(user: &User<'_>, room: &str) -> (u16, Value) {
    let path = format!("/_matrix/client/v1/room_summary/{}", escape(room));
    let (status, answer) = user.server.call(Method::GET, &path, Some(&user.token), None).await;
    (status.as_u16(), answer)
}

#[tokio::test]
async fn a_room_that_anybody_may_join_is_summed_up_for_anybody() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let body = json!({"preset": "public_chat", "name": "Final", "topic": "Cup",
                      "room_alias_name": "final"});
    let room = ann.create_room(body).await;
    let expected = json!({
        "room_id": room, "name": "Final", "topic": "Cup", "canonical_alias": "#final:test.local",
        "num_joined_members": 1, "join_rule": "public", "world_readable": false,
        "guest_can_join": false, "room_version": "11", "membership": "leave",
    });
    assert_eq!(summary(&bob, &room).await, (200, expected.clone()));
    assert_eq!(summary(&bob, "#final:test.local").await, (200, expected.clone()));
    assert_eq!(summary(&ann, &room).await.1["membership"], "join");
    let unstable = "/_matrix/client/unstable/im.nheko.summary/rooms";
    let path = format!("{unstable}/{}/summary", escape(&room));
    let (status, answer) = server.call(Method::GET, &path, None, None).await;
    assert_eq!((status.as_u16(), &answer["name"]), (200, &json!("Final")));
    assert!(answer.get("membership").is_none(), "nobody asked");
}

#[tokio::test]
async fn a_private_room_is_summed_up_for_members_and_guests_only() {
    let server = TestServer::new().await;
    let (ann, bob, cat) =
        (server.user("ann").await, server.user("bob").await, server.user("cat").await);
    let encryption = json!({"type": "m.room.encryption",
                            "content": {"algorithm": "m.megolm.v1.aes-sha2"}});
    let body = json!({"name": "Secret", "invite": [bob.id], "initial_state": [encryption]});
    let room = ann.create_room(body).await;
    let (status, told) = summary(&bob, &room).await;
    assert_eq!(
        (status, &told["name"], &told["membership"]),
        (200, &json!("Secret"), &json!("invite"))
    );
    assert_eq!(told["encryption"], "m.megolm.v1.aes-sha2");
    let unknown = |answer: (u16, Value)| (answer.0, answer.1["errcode"].clone());
    let missing = (404, json!("M_NOT_FOUND"));
    assert_eq!(unknown(summary(&cat, &room).await), missing);
    assert_eq!(unknown(summary(&cat, "!none:test.local").await), missing);
    bob.post(&format!("/rooms/{}/leave", escape(&room)), json!({})).await;
    assert_eq!(unknown(summary(&bob, &room).await), missing);
    let open = json!({"type": "m.room.history_visibility",
                      "content": {"history_visibility": "world_readable"}});
    let room = ann.create_room(json!({"initial_state": [open]})).await;
    assert_eq!(summary(&cat, &room).await.0, 200);
}

async fn userinfo(server: &TestServer, token: &str) -> (u16, Value) {
    let path = format!("/_matrix/federation/v1/openid/userinfo?access_token={token}");
    let (status, answer) = server.call(Method::GET, &path, None, None).await;
    (status.as_u16(), answer)
}

async fn openid(user: &User<'_>) -> String {
    let path = format!("/user/{}/openid/request_token", escape(&user.id));
    let answer = user.post(&path, json!({})).await;
    assert_eq!(answer["token_type"], "Bearer");
    assert_eq!(answer["matrix_server_name"], "test.local");
    assert_eq!(answer["expires_in"], 3600);
    answer["access_token"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_openid_token_tells_who_somebody_is_and_nothing_else() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let token = openid(&ann).await;
    assert_eq!(userinfo(&server, &token).await, (200, json!({"sub": ann.id})));
    let who = "/_matrix/client/v3/account/whoami";
    assert_eq!(server.call(Method::GET, who, Some(&token), None).await.0, 401);
    let refused = |answer: (u16, Value)| (answer.0, answer.1["errcode"].clone());
    assert_eq!(refused(userinfo(&server, &ann.token).await), (401, json!("M_UNKNOWN_TOKEN")));
    let bare = "/_matrix/federation/v1/openid/userinfo";
    let (status, answer) = server.call(Method::GET, bare, None, None).await;
    assert_eq!((status.as_u16(), &answer["errcode"]), (401, &json!("M_MISSING_TOKEN")));
    let path = format!("/user/{}/openid/request_token", escape(&ann.id));
    assert_eq!(bob.refused(Method::POST, &path, json!({})).await, (403, "M_FORBIDDEN".into()));
}

#[tokio::test]
async fn an_openid_token_ends_with_its_hour_its_device_and_the_eleventh() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let old = openid(&ann).await;
    server.pass(3_600_000);
    assert_eq!(userinfo(&server, &old).await.0, 401, "an hour is over");
    let first = openid(&ann).await;
    let second = openid(&ann).await;
    for _ in 0..9 {
        openid(&ann).await;
    }
    assert_eq!(userinfo(&server, &first).await.0, 401, "ten came after it");
    assert_eq!(userinfo(&server, &second).await.0, 200);
    ann.post("/logout", json!({})).await;
    assert_eq!(userinfo(&server, &second).await.0, 401, "logged out");
}

#[tokio::test]
async fn there_are_no_bridges_and_no_relays_for_calls() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    assert_eq!(ann.get("/thirdparty/protocols").await, json!({}));
    let refused = ann.refused(Method::GET, "/thirdparty/protocol/irc", json!({})).await;
    assert_eq!(refused, (404, "M_NOT_FOUND".into()));
    assert_eq!(ann.get("/voip/turnServer").await, json!({}));
}

#[tokio::test]
async fn media_is_also_at_the_old_places_for_whoever_has_a_token() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let upload = server.client.post(format!("{}/_matrix/media/v3/upload", server.base));
    let upload = upload.bearer_auth(&ann.token).header("content-type", "image/png").body("image");
    let answer: Value = upload.send().await.unwrap().json().await.unwrap();
    let id = answer["content_uri"].as_str().unwrap().strip_prefix("mxc://").unwrap().to_owned();
    for version in ["v3", "r0"] {
        for path in [
            format!("download/{id}"),
            format!("download/{id}/a.png"),
            format!("thumbnail/{id}?width=1&height=1"),
        ] {
            let url = format!("{}/_matrix/media/{version}/{path}", server.base);
            assert_eq!(server.client.get(&url).send().await.unwrap().status(), 401, "{url}");
            let answer = server.client.get(&url).bearer_auth(&ann.token).send().await.unwrap();
            assert_eq!(answer.bytes().await.unwrap(), "image", "{url}");
        }
    }
}
