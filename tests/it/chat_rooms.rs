//! Rooms as the app sees them: create, list, join, leave, invite, report, block.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::harness::{Fan, OPERATOR_TOKEN, Reply, TestApp, escape, eventually, together};

const ADA: &str = "+447700900123";
const BEN: &str = "+447700900124";
const EVE: &str = "+447700900125";

pub async fn create(app: &TestApp, fan: &Fan, body: Value) -> Reply {
    app.client.post("/api/auth/chat-room").token(&fan.token).json(body).send().await
}

pub async fn public_room(app: &TestApp, fan: &Fan, name: &str) -> String {
    let reply = create(app, fan, json!({"name": name})).await.expect(201);
    reply.body["data"]["room_id"].as_str().unwrap().to_owned()
}

pub async fn private_room(app: &TestApp, fan: &Fan, name: &str) -> String {
    let reply = create(app, fan, json!({"name": name, "is_private": true})).await.expect(201);
    reply.body["data"]["room_id"].as_str().unwrap().to_owned()
}

pub async fn list(app: &TestApp, fan: &Fan, query: &str) -> Vec<Value> {
    let path = format!("/api/auth/chat-rooms{query}");
    let reply = app.client.get(&path).token(&fan.token).send().await.expect(200);
    reply.body["data"].as_array().unwrap().clone()
}

pub async fn in_room(app: &TestApp, fan: &Fan, room: &str, what: &str) -> Reply {
    let path = format!("/api/auth/chat-rooms/{}/{what}", escape(room));
    app.client.post(&path).token(&fan.token).send().await
}

pub async fn invite(app: &TestApp, fan: &Fan, room: &str, body: Value) -> Reply {
    let path = format!("/api/auth/chat-rooms/{}/invite", escape(room));
    app.client.post(&path).token(&fan.token).json(body).send().await
}

pub async fn show(app: &TestApp, fan: &Fan, room: &str) -> Reply {
    let path = format!("/api/auth/chat-rooms/{}", escape(room));
    app.client.get(&path).token(&fan.token).send().await
}

/// The room's entry in somebody's list.
pub async fn entry(app: &TestApp, fan: &Fan, room: &str) -> Option<Value> {
    list(app, fan, "").await.into_iter().find(|entry| entry["room_id"] == json!(room))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_public_room_is_created_with_its_creator_inside() {
    let app = TestApp::new().await;
    let (ada, chatter) = app.chatter(ADA).await;
    let reply =
        create(&app, &ada, json!({"name": "Away end", "topic": "Trains"})).await.expect(201);
    assert!(reply.body["message"].is_string());
    let data = &reply.body["data"];
    let room = data["room_id"].as_str().unwrap().to_owned();
    let expected = json!({"room_id": room, "name": "Away end", "topic": "Trains", "event_id": null,
        "creator_id": ada.id, "is_encrypted": false, "join_rule": "public"});
    assert_eq!(*data, expected);
    assert!(room.starts_with('!') && room.ends_with(":localhost"));
    assert_eq!(chatter.joined_rooms().await, std::slice::from_ref(&room));
    let entry = entry(&app, &ada, &room).await.unwrap();
    let last_activity = match app.synapse {
        Some(_) => entry["last_activity"].clone(), // Its clock is not the test's.
        None => json!("2026-11-15T12:00:00.000Z"),
    };
    let expected = json!({"room_id": room, "name": "Away end", "topic": "Trains", "event": null,
        "member_count": 1, "is_joined": true, "is_encrypted": false, "last_activity": last_activity});
    assert_eq!(entry, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_room_is_encrypted_and_by_invitation() {
    let app = TestApp::new().await;
    let (ada, chatter) = app.chatter(ADA).await;
    let reply = create(&app, &ada, json!({"name": "Us", "is_private": true})).await.expect(201);
    let data = &reply.body["data"];
    assert_eq!((&data["is_encrypted"], &data["join_rule"]), (&json!(true), &json!("invite")));
    let path =
        format!("/rooms/{}/state/m.room.encryption/", escape(data["room_id"].as_str().unwrap()));
    assert_eq!(chatter.get(&path).await.expect(200).body["algorithm"], "m.megolm.v1.aes-sha2");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_fields_of_a_room_are_checked() {
    let app = TestApp::new().await;
    let ada = app.log_in(ADA).await;
    create(&app, &ada, json!({})).await.expect_invalid("name");
    create(&app, &ada, json!({"name": ""})).await.expect_invalid("name");
    create(&app, &ada, json!({"name": "x".repeat(101)})).await.expect_invalid("name");
    create(&app, &ada, json!({"name": "x", "topic": "x".repeat(501)}))
        .await
        .expect_invalid("topic");
    create(&app, &ada, json!({"name": "x", "is_private": "no"})).await.expect_invalid("is_private");
    create(&app, &ada, json!({"name": "x", "event_id": 999})).await.expect_error(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_request_twice_makes_one_room() {
    let app = TestApp::new().await;
    let ada = app.log_in(ADA).await;
    let call = |_| {
        let call = app.client.post("/api/auth/chat-room").token(&ada.token);
        call.header("idempotency-key", "k1").json(json!({"name": "Once"})).send()
    };
    let replies = together(4, call).await;
    let ids: Vec<_> = replies.iter().map(|reply| reply.body["data"]["room_id"].clone()).collect();
    assert!(replies.iter().all(|reply| reply.status == 201), "{replies:?}");
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(call(0).await.header("idempotent-replayed"), Some("true"));
    assert_eq!(list(&app, &ada, "").await.len(), 1);
    let other = app.client.post("/api/auth/chat-room").token(&ada.token);
    let other = other.header("idempotency-key", "k1").json(json!({"name": "Other"})).send().await;
    other.expect_error(422, "idempotency_key_reused");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_public_room_is_joined_once() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.log_in(ADA).await, app.log_in(BEN).await);
    let room = public_room(&app, &ada, "Away end").await;
    let reply = in_room(&app, &ben, &room, "join").await.expect(200);
    assert_eq!(reply.body["data"], json!({"room_id": room, "membership": "join"}));
    in_room(&app, &ben, &room, "join").await.expect_error(409, "already_a_member");
    let entry = entry(&app, &ben, &room).await.unwrap();
    assert_eq!((&entry["member_count"], &entry["is_joined"]), (&json!(2), &json!(true)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_may_be_named_raw_in_the_path() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.log_in(ADA).await, app.log_in(BEN).await);
    let room = public_room(&app, &ada, "Away end").await;
    let path = format!("/api/auth/chat-rooms/{room}/join");
    app.client.post(&path).token(&ben.token).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_names_no_room_is_404() {
    let app = TestApp::new().await;
    let ada = app.log_in(ADA).await;
    for room in ["!nothing:localhost", "1", "room", "#match_1:localhost", "!", "!a"] {
        in_room(&app, &ada, room, "join").await.expect_error(404, "not_found");
        let path = format!("/api/auth/chat-rooms/{}/member-stats", escape(room));
        app.client.get(&path).token(&ada.token).send().await.expect_error(404, "not_found");
        show(&app, &ada, room).await.expect_error(404, "not_found");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_room_is_shown_as_it_is_listed_with_who_made_it_and_how_it_is_joined() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.log_in(ADA).await, app.log_in(BEN).await);
    let room = public_room(&app, &ada, "Away end").await;
    let expected = async |fan: &Fan, room: &str, join_rule: &str| {
        let mut expected = entry(&app, fan, room).await.unwrap();
        expected["creator_id"] = json!(ada.id);
        expected["join_rule"] = json!(join_rule);
        expected
    };
    for fan in [&ada, &ben] {
        let shown = show(&app, fan, &room).await.expect(200).body["data"].clone();
        assert_eq!(shown, expected(fan, &room, "public").await);
        assert_eq!(shown["is_joined"], fan.id == ada.id);
    }
    let private = private_room(&app, &ada, "Us").await;
    show(&app, &ben, &private).await.expect_error(403, "not_a_member");
    invite(&app, &ada, &private, json!({"user_id": ben.id})).await.expect(200);
    let shown = show(&app, &ben, &private).await.expect(200).body["data"].clone();
    assert_eq!(shown, expected(&ben, &private, "invite").await);
    in_room(&app, &ben, &private, "leave").await.expect(200);
    show(&app, &ben, &private).await.expect_error(403, "not_a_member");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_room_is_closed_until_an_invitation() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.log_in(ADA).await, app.log_in(BEN).await);
    let room = private_room(&app, &ada, "Us").await;
    in_room(&app, &ben, &room, "join").await.expect_error(403, "not_allowed");
    assert!(entry(&app, &ben, &room).await.is_none());
    let stats = format!("/api/auth/chat-rooms/{}/member-stats", escape(&room));
    app.client.get(&stats).token(&ben.token).send().await.expect_error(403, "not_a_member");
    let predictions = format!("/api/auth/chat-rooms/{}/predictions", escape(&room));
    app.client.get(&predictions).token(&ben.token).send().await.expect_error(403, "not_a_member");
    let reply = invite(&app, &ada, &room, json!({"username": ben.username})).await.expect(200);
    assert_eq!(reply.body["data"]["user_id"], json!(ben.id));
    assert_eq!(entry(&app, &ben, &room).await.unwrap()["is_joined"], false);
    app.client.get(&stats).token(&ben.token).send().await.expect(200);
    in_room(&app, &ben, &room, "join").await.expect(200);
    assert_eq!(entry(&app, &ben, &room).await.unwrap()["member_count"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_members_invite_and_only_whom_there_is() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.log_in(ADA).await, app.log_in(BEN).await);
    let room = public_room(&app, &ada, "Away end").await;
    invite(&app, &ben, &room, json!({"user_id": ada.id})).await.expect_error(403, "not_a_member");
    invite(&app, &ada, &room, json!({"user_id": 999})).await.expect_error(404, "not_found");
    invite(&app, &ada, &room, json!({})).await.expect_invalid("user_id");
    in_room(&app, &ben, &room, "join").await.expect(200);
    invite(&app, &ada, &room, json!({"user_id": ben.id}))
        .await
        .expect_error(409, "already_a_member");
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_who_left_is_no_member() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.log_in(ADA).await, app.log_in(BEN).await);
    let room = public_room(&app, &ada, "Away end").await;
    in_room(&app, &ben, &room, "leave").await.expect_error(409, "not_a_member");
    in_room(&app, &ben, &room, "join").await.expect(200);
    let left = in_room(&app, &ben, &room, "leave").await.expect(200);
    assert_eq!(left.body["data"]["membership"], "leave");
    let entry = entry(&app, &ben, &room).await.unwrap();
    assert_eq!((&entry["member_count"], &entry["is_joined"]), (&json!(1), &json!(false)));
    in_room(&app, &ben, &room, "join").await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_are_found_by_name_whatever_its_case_and_by_membership() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.log_in(ADA).await, app.log_in(BEN).await);
    public_room(&app, &ada, "100% Élan").await;
    public_room(&app, &ben, "Away end").await;
    // Which is livelier is not asked here: Synapse has a clock of its own.
    let names = |rooms: Vec<Value>| -> BTreeSet<String> {
        rooms.iter().map(|room| room["name"].as_str().unwrap().to_owned()).collect()
    };
    let both = BTreeSet::from(["100% Élan", "Away end"].map(str::to_owned));
    let elan = BTreeSet::from(["100% Élan".to_owned()]);
    assert_eq!(names(list(&app, &ada, "").await), both);
    assert_eq!(names(list(&app, &ada, "?joined=true").await), elan);
    assert_eq!(names(list(&app, &ada, "?joined=false").await), both);
    assert_eq!(names(list(&app, &ada, "?search=%C3%A9LAN").await), elan);
    assert_eq!(names(list(&app, &ada, "?search=0%25").await), elan);
    assert!(list(&app, &ada, "?search=%25a").await.is_empty());
    let mut pages = list(&app, &ada, "?page=1&per_page=1").await;
    pages.extend(list(&app, &ada, "?page=2&per_page=1").await);
    assert_eq!(names(pages), both);
    let query =
        |query: &str| app.client.get(&format!("/api/auth/chat-rooms{query}")).token(&ada.token);
    query("?joined=perhaps").send().await.expect_invalid("joined");
    query("?event_id=x").send().await.expect_invalid("event_id");
}

#[tokio::test(flavor = "multi_thread")]
async fn room_calls_are_503_while_the_homeserver_is_away() {
    let app = TestApp::with(&[("TOUCHLINE_MATRIX__HOMESERVER_URL", "http://127.0.0.1:9")]).await;
    let ada = app.log_in(ADA).await;
    let reply = create(&app, &ada, json!({"name": "Away end"})).await;
    let reply = reply.expect_error(503, "chat_unavailable");
    assert!(reply.header("retry-after").is_some());
    assert!(list(&app, &ada, "").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_username_keeps_its_rooms_and_its_power() {
    let app = TestApp::new().await;
    let (ada, _) = app.chatter(ADA).await;
    let (ben, _) = app.chatter(BEN).await;
    let (public, private) =
        (public_room(&app, &ada, "Open").await, private_room(&app, &ada, "Us").await);
    in_room(&app, &ben, &public, "join").await.expect(200);
    let call = app.client.post("/api/auth/update-user-info").token(&ada.token);
    let reply = call.json(json!({"username": "ada_fan"})).send().await.expect(200);
    let new =
        crate::harness::Chatter::of(&reply.body["data"]["matrix_credentials"], app.homeserver());
    app.run_jobs().await;
    let mut rooms = new.joined_rooms().await;
    rooms.sort();
    let mut expected = vec![public.clone(), private.clone()];
    expected.sort();
    assert_eq!(rooms, expected);
    new.set_state(&private, "m.room.name", json!({"name": "Still ours"})).await;
    let entry =
        || async { entry(&app, &ada, &public).await.filter(|entry| entry["member_count"] == 2) };
    assert_eq!(eventually(entry).await["is_joined"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_reaches_the_operators() {
    let app = TestApp::new().await;
    let (ada, _) = app.chatter(ADA).await;
    let (ben, noisy) = app.chatter(BEN).await;
    let room = public_room(&app, &ada, "Away end").await;
    in_room(&app, &ben, &room, "join").await.expect(200);
    let message = noisy.say(&room, "insult").await;
    let path = format!("/api/auth/chat-rooms/{}/report", escape(&room));
    let report = |body| app.client.post(&path).token(&ada.token).json(body).send();
    report(json!({"reason": "Rude"})).await.expect_invalid("message_id");
    let body = json!({"reason": "Rude", "message_id": message, "user_id": ben.id});
    let id = report(body).await.expect(201).body["data"]["id"].clone();
    let reports = || app.client.get("/api/admin/chat/reports").token(OPERATOR_TOKEN).send();
    let listed = reports().await.expect(200).body;
    assert_eq!(listed["meta"]["total"], 1);
    assert_eq!(listed["data"][0]["reported_user_id"], json!(ben.id));
    assert_eq!(listed["data"][0]["message_id"], json!(message));
    let resolve = format!("/api/admin/chat/reports/{id}/resolve");
    let resolve = app.client.post(&resolve).token(OPERATOR_TOKEN);
    resolve.json(json!({"resolution": "Warned"})).send().await.expect(200);
    assert_eq!(reports().await.body["meta"]["total"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_blocked_user_cannot_invite_and_is_hidden_by_chat_apps() {
    let app = TestApp::new().await;
    let (ada, chatter) = app.chatter(ADA).await;
    let (ben, blocked) = app.chatter(BEN).await;
    let room = private_room(&app, &ben, "Come in").await;
    let path = format!("/api/auth/users/{}/block", ben.id);
    app.client.post(&path).token(&ada.token).send().await.expect(200);
    invite(&app, &ben, &room, json!({"user_id": ada.id})).await.expect_error(403, "not_allowed");
    app.run_jobs().await;
    let data = format!("/user/{}/account_data/m.ignored_user_list", escape(&chatter.id));
    let ignored = chatter.get(&data).await.expect(200).body;
    assert!(ignored["ignored_users"].get(&blocked.id).is_some(), "{ignored}");
    let blocks = app.client.get("/api/auth/blocks").token(&ada.token).send().await.expect(200);
    assert_eq!(blocks.body["data"], json!([{"id": ben.id, "username": ben.username}]));
    app.client.delete(&path).token(&ada.token).send().await.expect(200);
    app.client.delete(&path).token(&ada.token).send().await.expect_error(404, "not_found");
    invite(&app, &ben, &room, json!({"user_id": ada.id})).await.expect(200);
    let own = format!("/api/auth/users/{}/block", ada.id);
    app.client.post(&own).token(&ada.token).send().await.expect_error(422, "cannot_block_yourself");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_banned_user_is_taken_out_of_every_room_and_off_the_network() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.log_in(ADA).await, app.chatter(EVE).await);
    let (eve, chatter) = ben;
    let room = public_room(&app, &ada, "Away end").await;
    in_room(&app, &eve, &room, "join").await.expect(200);
    let ban = format!("/api/admin/users/{}/ban", eve.id);
    app.client.post(&ban).token(OPERATOR_TOKEN).send().await.expect(200);
    app.run_jobs().await;
    let alone =
        || async { entry(&app, &ada, &room).await.filter(|entry| entry["member_count"] == 1) };
    eventually(alone).await;
    assert!(!chatter.is_logged_in().await, "a banned user's chat app must not go on");
}
