//! What happens on the chat network shows in the app, once, whatever is repeated or lost.

use serde_json::{Value, json};

use crate::chat_rooms::{entry, in_room, invite, private_room, public_room};
use crate::harness::{Fan, OPERATOR_TOKEN, TestApp, escape, eventually};

const ADA: &str = "+447700900123";
const BEN: &str = "+447700900124";
/// So long without a push: the homeserver has told everything.
const QUIET: std::time::Duration = std::time::Duration::from_millis(200);

/// What the homeserver would push, sent with its token.
async fn push(app: &TestApp, id: &str, events: &Value) -> crate::harness::Reply {
    let token = app.app.chat.matrix.settings().hs_token.expose().to_owned();
    let call = app.client.put(&format!("/_matrix/app/v1/transactions/{id}")).token(&token);
    call.json(json!({"events": events})).send().await
}

fn event(
    id: &str,
    room: &str,
    kind: &str,
    sender: &str,
    key: Option<&str>,
    content: Value,
) -> Value {
    let mut event = json!({"event_id": id, "room_id": room, "type": kind, "sender": sender,
        "origin_server_ts": 1_794_744_000_000_i64, "content": content});
    if let Some(key) = key {
        event["state_key"] = json!(key);
    }
    event
}

#[tokio::test(flavor = "multi_thread")]
async fn joins_and_leaves_made_with_any_client_show() {
    let app = TestApp::new().await;
    let (ada, _) = app.chatter(ADA).await;
    let (ben, chatter) = app.chatter(BEN).await;
    let room = public_room(&app, &ada, "Away end").await;
    chatter.post(&format!("/join/{}", escape(&room)), json!({})).await.expect(200);
    let joined =
        || async { entry(&app, &ben, &room).await.filter(|entry| entry["member_count"] == 2) };
    assert_eq!(eventually(joined).await["is_joined"], true);
    chatter.post(&format!("/rooms/{}/leave", escape(&room)), json!({})).await.expect(200);
    let left =
        || async { entry(&app, &ben, &room).await.filter(|entry| entry["member_count"] == 1) };
    assert_eq!(eventually(left).await["is_joined"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_that_the_network_tells_of_after_it_was_taken_up_is_no_second_one() {
    let app = TestApp::new().await;
    let (ada, owner) = app.chatter(ADA).await;
    let (ben, guest) = app.chatter(BEN).await;
    let room = private_room(&app, &ada, "Us").await;
    invite(&app, &ada, &room, json!({"user_id": ben.id})).await.expect(200);
    in_room(&app, &ben, &room, "join").await.expect(200);
    let told = json!({"membership": "invite"});
    let late = event("$late", &room, "m.room.member", &owner.id, Some(&guest.id), told);
    push(&app, "late", &json!([late])).await.expect(200);
    assert_eq!(room_news(&app, &ben).await, ["invited"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_refuses_an_invitation_and_is_invited_again_is_told_again() {
    let app = TestApp::new().await;
    let (ada, owner) = app.chatter(ADA).await;
    let (ben, _) = app.chatter(BEN).await;
    let room = private_room(&app, &ada, "Us").await;
    let before = invitations_told(&app, &ada, &ben, &room).await;
    in_room(&app, &ben, &room, "leave").await.expect(200);
    app.advance(1);
    owner.say(&room, "He is gone").await;
    let now = app.clock.now().as_millis();
    let sql = format!("SELECT matrix_id FROM chat_members WHERE last_active_at = {now}");
    // The network tells in order: whoever has heard of this has heard of all before it.
    eventually(|| async { (!app.texts(&sql).await.is_empty()).then_some(()) }).await;
    assert!(invitations_told(&app, &ada, &ben, &room).await > before);
}

/// After one more.
async fn invitations_told(app: &TestApp, by: &Fan, guest: &Fan, room: &str) -> usize {
    invite(app, by, room, json!({"user_id": guest.id})).await.expect(200);
    room_news(app, guest).await.iter().filter(|change| *change == "invited").count()
}

async fn room_news(app: &TestApp, fan: &Fan) -> Vec<Value> {
    let exported = app.client.get("/api/auth/export").token(&fan.token).send().await.expect(200);
    let news = exported.body.pointer("/data/chat/room_news").unwrap().as_array().unwrap();
    news.iter().map(|news| news["change"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn kicks_bans_and_new_names_show() {
    let app = TestApp::new().await;
    let (ada, owner) = app.chatter(ADA).await;
    let (ben, chatter) = app.chatter(BEN).await;
    let room = public_room(&app, &ada, "Away end").await;
    in_room(&app, &ben, &room, "join").await.expect(200);
    let kick = format!("/rooms/{}/kick", escape(&room));
    owner.post(&kick, json!({"user_id": chatter.id})).await.expect(200);
    let kicked =
        || async { entry(&app, &ben, &room).await.filter(|entry| entry["member_count"] == 1) };
    assert_eq!(eventually(kicked).await["is_joined"], false);
    let ban = format!("/rooms/{}/ban", escape(&room));
    owner.post(&ban, json!({"user_id": chatter.id})).await.expect(200);
    in_room(&app, &ben, &room, "join").await.expect_error(403, "not_allowed");
    owner.set_state(&room, "m.room.name", json!({"name": "Home end"})).await;
    owner.set_state(&room, "m.room.topic", json!({"topic": "Songs"})).await;
    let named =
        || async { entry(&app, &ada, &room).await.filter(|entry| entry["topic"] == "Songs") };
    assert_eq!(eventually(named).await["name"], "Home end");
}

/// Synapse has a clock of its own.
mod needs_embedded {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_message_is_activity_and_a_new_display_name_is_no_second_join() {
        let app = TestApp::new().await;
        assert!(app.synapse.is_none(), "this test needs a homeserver whose clock it can set");
        let (ada, chatter) = app.chatter(ADA).await;
        let room = public_room(&app, &ada, "Away end").await;
        app.advance(3600);
        chatter.say(&room, "Evening all").await;
        let later = || async {
            entry(&app, &ada, &room)
                .await
                .filter(|entry| entry["last_activity"] == "2026-11-15T13:00:00.000Z")
        };
        eventually(later).await;
        let body = json!({"name": "Ada Lovelace"});
        app.client
            .post("/api/auth/update-user-info")
            .token(&ada.token)
            .json(body)
            .send()
            .await
            .expect(200);
        app.advance(60);
        app.run_jobs().await;
        let renamed = || async {
            entry(&app, &ada, &room)
                .await
                .filter(|entry| entry["last_activity"] == "2026-11-15T13:01:00.000Z")
        };
        assert_eq!(eventually(renamed).await["member_count"], 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_made_with_another_client_is_listed() {
    let app = TestApp::new().await;
    let (ada, chatter) = app.chatter(ADA).await;
    let (ben, _) = app.chatter(BEN).await;
    let body = json!({"preset": "public_chat", "name": "From elsewhere"});
    let room = chatter.post("/createRoom", body).await.expect(200).body["room_id"].clone();
    let room = room.as_str().unwrap();
    let listed = || async {
        entry(&app, &ben, room).await.filter(|entry| entry["name"] == "From elsewhere")
    };
    assert_eq!(eventually(listed).await["member_count"], 1);
    assert_eq!(
        app.texts("SELECT CAST(creator_id AS TEXT) FROM chat_rooms").await,
        [ada.id.to_string()]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_is_pushed_again_counts_once() {
    let app = TestApp::new().await;
    let ada = app.log_in(ADA).await;
    let room = "!pushed:localhost";
    let member = |id: &str, who: &str| {
        event(id, room, "m.room.member", who, Some(who), json!({"membership": "join"}))
    };
    let rules = event(
        "$r",
        room,
        "m.room.join_rules",
        "@x:localhost",
        Some(""),
        json!({"join_rule": "public"}),
    );
    let events = json!([
        rules,
        member("$1", "@x:localhost"),
        member("$2", "@y:localhost"),
        member("$2", "@y:localhost")
    ]);
    push(&app, "1", &events).await.expect(200);
    push(&app, "1", &events).await.expect(200);
    // The homeserver restarted and counts its transactions from 1 again.
    let leave = event(
        "$3",
        room,
        "m.room.member",
        "@y:localhost",
        Some("@y:localhost"),
        json!({"membership": "leave"}),
    );
    push(&app, "1", &json!([leave])).await.expect(200);
    push(&app, "2", &events).await.expect(200);
    assert_eq!(entry(&app, &ada, room).await.unwrap()["member_count"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_told_late_of_the_time_before_a_request_does_not_overtake_it() {
    let app = TestApp::new().await;
    let (room, ben) = ("!pushed:localhost", "@ben:localhost");
    let leaving = "INSERT INTO chat_turns (room_id, matrix_id, wanted, leased_until, is_overtaken)
         VALUES ('!pushed:localhost', '@ben:localhost', 'leave', 1900000000000, 0)";
    app.app.db.write(|tx| tx.exec(leaving, &[])).await.unwrap();
    let overtaken = "SELECT count(*) FROM chat_turns WHERE is_overtaken = 1";
    let member = |id: &str, membership: &str| {
        event(id, room, "m.room.member", ben, Some(ben), json!({"membership": membership}))
    };
    push(&app, "1", &json!([member("$1", "join")])).await.expect(200);
    assert_eq!(app.count(overtaken).await, 0, "this was before the request");
    push(&app, "2", &json!([member("$2", "leave")])).await.expect(200);
    assert_eq!(app.count(overtaken).await, 1, "this is what the request did");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_from_a_clock_that_is_ahead_happened_now() {
    let app = TestApp::new().await;
    let (ada, chatter) = app.chatter(ADA).await;
    let room = public_room(&app, &ada, "Away end").await;
    let mut message =
        event("$ahead", &room, "m.room.message", &chatter.id, None, json!({"body": "Soon"}));
    message["origin_server_ts"] = json!(1_900_000_000_000_i64);
    push(&app, "ahead", &json!([message])).await.expect(200);
    let rooms = "SELECT count(*) FROM chat_rooms WHERE last_activity > 1794744000000";
    assert_eq!(app.count(rooms).await, 0, "it would be the liveliest room for years");
    let members = "SELECT count(*) FROM chat_members WHERE last_active_at > 1794744000000";
    assert_eq!(app.count(members).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn unreadable_events_hold_up_nothing() {
    let app = TestApp::new().await;
    let ada = app.log_in(ADA).await;
    let room = "!odd:localhost";
    let events = json!([
        7, {"type": "m.room.name"}, {"event_id": "$0", "type": "x", "sender": "s", "room_id": "nowhere"},
        event("$n", room, "m.room.name", "@x:localhost", Some(""), json!({"name": "A\u{0}B"})),
        event("$m", room, "m.room.member", "@x:localhost", Some("@x:localhost"), json!({"membership": 5})),
        event("$j", room, "m.room.join_rules", "@x:localhost", Some(""), json!({"join_rule": "public"})),
    ]);
    push(&app, "1", &events).await.expect(200);
    assert_eq!(entry(&app, &ada, room).await.unwrap()["name"], "AB");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_cannot_push() {
    let app = TestApp::new().await;
    for token in ["", "wrong", app.app.chat.matrix.settings().as_token.expose()] {
        for (method, path) in [
            (reqwest::Method::PUT, "/_matrix/app/v1/transactions/1"),
            (reqwest::Method::GET, "/_matrix/app/v1/users/@a:localhost"),
            (reqwest::Method::GET, "/_matrix/app/v1/rooms/x"),
            (reqwest::Method::POST, "/_matrix/app/v1/ping"),
        ] {
            let call = app.client.request(method, path).token(token).json(json!({"events": []}));
            let reply = call.send().await.expect(403);
            assert_eq!(reply.body["errcode"], "M_FORBIDDEN");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_of_10_mb_is_refused_in_an_answer_that_arrives() {
    let app = TestApp::new().await;
    let body = format!("{{\"events\": [\"{}\"]}}", "x".repeat(10 * 1024 * 1024));
    let parts = body.as_bytes().chunks(64 * 1024).map(<[u8]>::to_vec).collect::<Vec<_>>();
    let chunked = futures_util::stream::iter(parts.into_iter().map(Ok::<_, std::io::Error>));
    // Its length announced and not, by a client that goes on sending in either case.
    for body in [reqwest::Body::from(body), reqwest::Body::wrap_stream(chunked)] {
        let token = app.app.chat.matrix.settings().hs_token.expose();
        let call = app.client.put("/_matrix/app/v1/transactions/1").token(token).raw(body);
        let reply = call.send().await.expect(413);
        assert_eq!(reply.body["errcode"], "M_TOO_LARGE");
    }
    push(&app, "2", &json!([])).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn as_much_as_a_homeserver_sends_at_once_is_taken() {
    let app = TestApp::new().await;
    let largest = "x".repeat(65_535 - 300);
    let message = |n: usize| {
        let content = json!({"body": largest, "msgtype": "m.text"});
        event(&format!("$m{n}"), "!full:localhost", "m.room.message", "@x:localhost", None, content)
    };
    let events: Vec<Value> = (0..100).map(message).collect();
    push(&app, "1", &events.into()).await.expect(200);
    let seen = app.count("SELECT count(*) FROM chat_seen_events WHERE event_id LIKE '$m%'").await;
    assert_eq!(seen, 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_homeserver_may_ask_who_there_is() {
    let app = TestApp::new().await;
    let (_, chatter) = app.chatter(ADA).await;
    let token = app.app.chat.matrix.settings().hs_token.expose().to_owned();
    let ask = |user: String| {
        app.client.get(&format!("/_matrix/app/v1/users/{}", escape(&user))).token(&token).send()
    };
    ask(chatter.id.clone()).await.expect(200);
    ask("@nobody:localhost".to_owned()).await.expect(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_comparison_with_the_homeserver_repairs_what_drifted() {
    let app = TestApp::new().await;
    let (ada, _) = app.chatter(ADA).await;
    let (ben, _) = app.chatter(BEN).await;
    let room = public_room(&app, &ada, "Away end").await;
    in_room(&app, &ben, &room, "join").await.expect(200);
    app.app
        .db
        .write(|tx| {
            tx.exec(
                "UPDATE chat_rooms SET name = 'Wrong', name_folded = 'wrong', member_count = 9",
                &[],
            )?;
            tx.exec(
                "DELETE FROM chat_members WHERE last_active_at > 0 AND matrix_id LIKE '@fan%'
                     AND room_id IN (SELECT room_id FROM chat_rooms) AND matrix_id IN
                     (SELECT matrix_id FROM chat_accounts WHERE user_id = 2)",
                &[],
            )
        })
        .await
        .unwrap();
    app.advance(3601);
    app.run_jobs().await;
    let entry = entry(&app, &ben, &room).await.unwrap();
    assert_eq!((&entry["name"], &entry["member_count"]), (&json!("Away end"), &json!(2)));
    assert_eq!(entry["is_joined"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_rebuilt_from_nothing_are_the_same() {
    let app = TestApp::new().await;
    let (ada, _) = app.chatter(ADA).await;
    let (ben, chatter) = app.chatter(BEN).await;
    let public = public_room(&app, &ada, "Away end").await;
    let private = private_room(&app, &ada, "Us").await;
    in_room(&app, &ben, &public, "join").await.expect(200);
    crate::chat_rooms::invite(&app, &ada, &private, json!({"user_id": ben.id})).await.expect(200);
    app.advance(60);
    chatter.say(&public, "Hello").await;
    let is_told = || async {
        let sql = "SELECT count(*) FROM chat_seen_events";
        let (before, ()) = (app.count(sql).await, tokio::time::sleep(QUIET).await);
        (app.count(sql).await == before && before > 0).then_some(())
    };
    eventually(is_told).await;
    // Synapse's clock is not the test's, so that its times are other ones than the service wrote down.
    let (room_times, member_times) = match app.synapse {
        Some(_) => ("''", "''"),
        None => (
            "CAST(last_activity AS TEXT) || CAST(created_at AS TEXT)",
            "CAST(last_active_at AS TEXT)",
        ),
    };
    let rooms = format!(
        "SELECT room_id || name || topic || COALESCE(CAST(creator_id AS TEXT), '-') || join_rule ||
         CAST(is_encrypted AS TEXT) || CAST(member_count AS TEXT) || {room_times} FROM chat_rooms ORDER BY room_id"
    );
    let members = format!(
        "SELECT room_id || matrix_id || membership || {member_times} FROM chat_members ORDER BY 1"
    );
    let before = (app.texts(&rooms).await, app.texts(&members).await);
    let forget = |tx: &mut touchline::platform::db::Tx| {
        tx.exec("DELETE FROM chat_members", &[])?;
        tx.exec("DELETE FROM chat_rooms", &[])
    };
    app.app.db.write(forget).await.unwrap();
    app.client.post("/api/admin/chat/rebuild").token(OPERATOR_TOKEN).send().await.expect(200);
    app.run_jobs().await;
    assert_eq!((app.texts(&rooms).await, app.texts(&members).await), before);
}
