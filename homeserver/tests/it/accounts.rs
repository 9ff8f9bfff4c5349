use reqwest::Method;
use serde_json::json;

use crate::app::{AS_TOKEN, Options, START, TestServer, escape};
use touchline_homeserver::Rate;

#[tokio::test]
async fn only_the_application_service_registers_and_logs_in() {
    let server = TestServer::new().await;
    let register = json!({"type": "m.login.application_service", "username": "ann",
                          "inhibit_login": true});
    let path = "/_matrix/client/v3/register";
    let (status, answer) = server.call(Method::POST, path, None, Some(register.clone())).await;
    assert_eq!((status.as_u16(), &answer["errcode"]), (403, &json!("M_FORBIDDEN")));
    let (status, answer) =
        server.call(Method::POST, path, Some(AS_TOKEN), Some(register.clone())).await;
    assert_eq!((status.as_u16(), &answer["user_id"]), (200, &json!("@ann:test.local")));
    let (status, answer) = server.call(Method::POST, path, Some(AS_TOKEN), Some(register)).await;
    assert_eq!((status.as_u16(), &answer["errcode"]), (400, &json!("M_USER_IN_USE")));
    let login = json!({"type": "m.login.application_service",
                       "identifier": {"type": "m.id.user", "user": "ann"}});
    let path = "/_matrix/client/v3/login";
    let (status, answer) = server.call(Method::POST, path, Some("wrong"), Some(login)).await;
    assert_eq!((status.as_u16(), &answer["errcode"]), (401, &json!("M_UNKNOWN_TOKEN")));
    let ann = server.login("ann").await;
    let who = ann.get("/account/whoami").await;
    assert_eq!(who, json!({"user_id": ann.id, "device_id": ann.device, "is_guest": false}));
}

#[tokio::test]
async fn an_account_is_registered_with_its_first_device_or_not_at_all() {
    let server = TestServer::new().await;
    let path = "/_matrix/client/v3/register";
    let register = async |device: &str| {
        let body =
            json!({"type": "m.login.application_service", "username": "ann", "device_id": device});
        server.call(Method::POST, path, Some(AS_TOKEN), Some(body)).await
    };
    assert_eq!(register(&"D".repeat(300)).await.0, 413);
    let (status, answer) = register("PHONE").await;
    assert_eq!((status.as_u16(), &answer["device_id"]), (200, &json!("PHONE")));
    let token = answer["access_token"].as_str();
    let who = "/_matrix/client/v3/account/whoami";
    let (_, me) = server.call(Method::GET, who, token, None).await;
    assert_eq!(me, json!({"user_id": "@ann:test.local", "device_id": "PHONE", "is_guest": false}));
    assert_eq!(register("OTHER").await.1["errcode"], "M_USER_IN_USE");
    let (_, all) = server.call(Method::GET, "/_matrix/client/v3/devices", token, None).await;
    assert_eq!(all["devices"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_wrong_or_missing_token_is_401_and_an_unknown_path_is_unrecognized() {
    let server = TestServer::new().await;
    let who = "/_matrix/client/v3/account/whoami";
    for (method, path, token, expected) in [
        (Method::GET, who, None, (401, "M_MISSING_TOKEN")),
        (Method::GET, who, Some("wrong"), (401, "M_UNKNOWN_TOKEN")),
        (Method::POST, who, Some(AS_TOKEN), (405, "M_UNRECOGNIZED")),
        (Method::GET, "/_matrix/client/v3/nothing/here", None, (404, "M_UNRECOGNIZED")),
        (Method::GET, "/_matrix/federation/v1/version", None, (404, "M_UNRECOGNIZED")),
    ] {
        let (status, answer) = server.call(method, path, token, None).await;
        assert_eq!((status.as_u16(), answer["errcode"].as_str().unwrap()), expected, "{path}");
    }
    let (status, _) = server.call(Method::GET, "/_matrix/client/versions", None, None).await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn logging_out_ends_the_token_and_the_device() {
    let server = TestServer::new().await;
    let one = server.user("ann").await;
    let two = server.login("ann").await;
    assert_eq!(two.get("/devices").await["devices"].as_array().unwrap().len(), 2);
    one.post("/logout", json!({})).await;
    let refusal = one.refused(Method::GET, "/account/whoami", json!({})).await;
    assert_eq!(refusal, (401, "M_UNKNOWN_TOKEN".to_owned()));
    assert_eq!(two.get("/devices").await["devices"].as_array().unwrap().len(), 1);
    two.post("/logout/all", json!({})).await;
    let refusal = two.refused(Method::GET, "/account/whoami", json!({})).await;
    assert_eq!(refusal.0, 401);
}

#[tokio::test]
async fn a_device_is_seen_when_and_where_it_calls() {
    let address = Some("192.0.2.7".parse().unwrap());
    let server = TestServer::with(Options { address, ..Options::default() }).await;
    let (phone, laptop) = (server.user("ann").await, server.login("ann").await);
    let seen = async |device: &str| {
        // What was noted on the way is written before this is.
        phone.put(&format!("/devices/{}", phone.device), json!({"display_name": "Phone"})).await;
        let found = phone.get(&format!("/devices/{device}")).await;
        (found["last_seen_ts"].as_i64(), found["last_seen_ip"].as_str().map(str::to_owned))
    };
    let (at, ip) = seen(&phone.device).await;
    assert_eq!(ip.as_deref(), Some("192.0.2.7"));
    assert!((START..START + 1_000).contains(&at.unwrap()), "{at:?}");
    assert_eq!(seen(&laptop.device).await, (None, None), "it has not called yet");
    server.pass(9 * 60_000);
    phone.get("/joined_rooms").await;
    assert_eq!(seen(&phone.device).await.0, at, "not within ten minutes");
    server.pass(61_000);
    phone.get("/joined_rooms").await;
    assert!(seen(&phone.device).await.0 > at.map(|at| at + 600_000));
}

#[tokio::test]
async fn without_an_address_a_device_is_seen_at_a_time_only_and_forgotten_with_its_end() {
    let server = TestServer::new().await;
    let (phone, laptop) = (server.user("ann").await, server.login("ann").await);
    laptop.put(&format!("/devices/{}", phone.device), json!({"display_name": "Phone"})).await;
    laptop.put(&format!("/devices/{}", phone.device), json!({"display_name": "Phone"})).await;
    let found = laptop.get(&format!("/devices/{}", laptop.device)).await;
    assert!(found["last_seen_ts"].is_i64() && found.get("last_seen_ip").is_none(), "{found}");
    laptop.post("/logout", json!({})).await;
    assert_eq!(phone.get("/devices").await["devices"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_deactivated_account_leaves_its_rooms_and_never_comes_back() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    let refusal = bob.refused(Method::POST, "/account/deactivate", json!({})).await;
    assert_eq!(refusal.0, 403, "users ask the service");
    let path = "/_matrix/client/v3/account/deactivate";
    let (status, _) = server.act(Method::POST, path, &bob.id, json!({"erase": false})).await;
    assert_eq!(status, 200);
    let refusal = bob.refused(Method::GET, "/account/whoami", json!({})).await;
    assert_eq!(refusal, (401, "M_UNKNOWN_TOKEN".to_owned()));
    let members = ann.get(&format!("/rooms/{}/joined_members", escape(&room))).await;
    assert!(members["joined"].get(&bob.id).is_none());
    let login = json!({"type": "m.login.application_service",
                       "identifier": {"type": "m.id.user", "user": "bob"}});
    let path = "/_matrix/client/v3/login";
    let (status, answer) = server.call(Method::POST, path, Some(AS_TOKEN), Some(login)).await;
    assert_eq!((status.as_u16(), &answer["errcode"]), (403, &json!("M_USER_DEACTIVATED")));
}

#[tokio::test]
async fn user_names_follow_the_grammar() {
    let server = TestServer::new().await;
    for name in ["Ann", "a b", "", "a:b", "é"] {
        let body = json!({"type": "m.login.application_service", "username": name,
                          "inhibit_login": true});
        let path = "/_matrix/client/v3/register";
        let (status, answer) = server.call(Method::POST, path, Some(AS_TOKEN), Some(body)).await;
        assert_eq!((status.as_u16(), &answer["errcode"]), (400, &json!("M_INVALID_USERNAME")));
    }
}

#[tokio::test]
async fn a_renamed_user_shows_in_every_room() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let room = ann.public_room().await;
    bob.join(&room).await;
    let name = format!("/profile/{}/displayname", escape(&bob.id));
    bob.put(&name, json!({"displayname": "Bobby"})).await;
    assert_eq!(ann.get(&name).await, json!({"displayname": "Bobby"}));
    let member = format!("/rooms/{}/state/m.room.member/{}", escape(&room), escape(&bob.id));
    assert_eq!(ann.get(&member).await["displayname"], "Bobby");
    let refusal = ann.refused(Method::PUT, &name, json!({"displayname": "x"})).await;
    assert!(refusal.0 == 400 || refusal.0 == 403);
}

#[tokio::test]
async fn account_data_and_push_rules_are_kept_and_synced() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let first = ann.sync(None).await;
    let since = first["next_batch"].as_str().unwrap();
    assert_eq!(first["account_data"]["events"][0]["type"], "m.push_rules");
    let path = format!("/user/{}/account_data/app.theme", escape(&ann.id));
    ann.put(&path, json!({"dark": true})).await;
    assert_eq!(ann.get(&path).await, json!({"dark": true}));
    let rule = "/pushrules/global/room/!r:test.local";
    ann.put(rule, json!({"actions": []})).await;
    assert_eq!(ann.get(rule).await["enabled"], true);
    ann.put(&format!("{rule}/enabled"), json!({"enabled": false})).await;
    assert_eq!(ann.get(rule).await["enabled"], false);
    let news = ann.sync(Some(since)).await;
    let kinds: Vec<_> =
        news["account_data"]["events"].as_array().unwrap().iter().map(|e| &e["type"]).collect();
    assert_eq!(kinds, ["app.theme", "m.push_rules"]);
    ann.server
        .call(Method::DELETE, &format!("/_matrix/client/v3{rule}"), Some(&ann.token), None)
        .await;
    assert_eq!(ann.refused(Method::GET, rule, json!({})).await.0, 404);
}

#[tokio::test]
async fn users_are_limited_and_the_application_service_is_not() {
    let rate = Rate { count: 1, seconds: 1, burst: 2 };
    let server = TestServer::with(Options { message_rate: rate, ..Options::default() }).await;
    let ann = server.user("ann").await;
    let path = "/_matrix/client/v3/createRoom";
    let (_, answer) = server.act(Method::POST, path, &ann.id, json!({})).await;
    let room = answer["room_id"].as_str().unwrap();
    let message = json!({"msgtype": "m.text", "body": "x"});
    for txn in 0..20 {
        let path = format!("/_matrix/client/v3/rooms/{}/send/m.room.message/a{txn}", escape(room));
        let (status, _) = server.act(Method::PUT, &path, &ann.id, message.clone()).await;
        assert_eq!(status, 200);
    }
    let mut statuses = Vec::new();
    for txn in 0..4 {
        let path = format!("/rooms/{}/send/m.room.message/u{txn}", escape(room));
        let (status, answer) = ann.try_call(Method::PUT, &path, Some(message.clone())).await;
        if status == 429 {
            assert_eq!(answer["errcode"], "M_LIMIT_EXCEEDED");
            assert!(answer["retry_after_ms"].as_u64().unwrap() > 0);
        }
        statuses.push(status.as_u16());
    }
    assert_eq!(statuses, [200, 200, 429, 429]);
}

#[tokio::test]
async fn a_limited_user_may_go_on_after_a_while_and_others_all_along() {
    // The clock of these tests goes on by a millisecond whenever it is looked at.
    let rate = Rate { count: 100, seconds: 1, burst: 1 };
    let server = TestServer::with(Options { message_rate: rate, ..Options::default() }).await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let name = |user: &str| format!("/profile/{}/displayname", escape(user));
    let body = || json!({"displayname": "x"});
    ann.put(&name(&ann.id), body()).await;
    assert_eq!(ann.refused(Method::PUT, &name(&ann.id), body()).await.0, 429);
    bob.put(&name(&bob.id), body()).await;
    let mut tries = 0;
    while ann.refused(Method::PUT, &name(&ann.id), body()).await.0 == 429 {
        tries += 1;
        assert!(tries < 20, "a hundred a second is one in ten milliseconds");
    }
}

#[tokio::test]
async fn media_is_kept_within_its_limit_and_needs_a_token() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let upload = |bytes: usize| {
        server
            .client
            .post(format!("{}/_matrix/media/v3/upload?filename=a.png", server.base))
            .bearer_auth(&ann.token)
            .header("content-type", "image/png")
            .body(vec![7_u8; bytes])
            .send()
    };
    assert_eq!(upload(2000).await.unwrap().status(), 413);
    let answer: serde_json::Value = upload(1000).await.unwrap().json().await.unwrap();
    let id = answer["content_uri"].as_str().unwrap().strip_prefix("mxc://").unwrap().to_owned();
    let url = format!("{}/_matrix/client/v1/media/download/{id}", server.base);
    assert_eq!(server.client.get(&url).send().await.unwrap().status(), 401);
    let download = server.client.get(&url).bearer_auth(&ann.token).send().await.unwrap();
    assert_eq!(download.headers()["content-type"], "image/png");
    assert!(download.headers()["content-security-policy"].to_str().unwrap().contains("sandbox"));
    assert_eq!(download.bytes().await.unwrap().len(), 1000);
}

#[tokio::test]
async fn a_body_over_the_limit_and_a_body_that_is_not_json_are_refused() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let huge = json!({"name": "x".repeat(2 * 1024 * 1024)});
    assert_eq!(ann.refused(Method::POST, "/createRoom", huge).await, (413, "M_TOO_LARGE".into()));
    let answer = server
        .client
        .post(format!("{}/_matrix/client/v3/createRoom", server.base))
        .bearer_auth(&ann.token)
        .body("{nonsense")
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 400);
    let answer: serde_json::Value = answer.json().await.unwrap();
    assert_eq!(answer["errcode"], "M_NOT_JSON");
}
