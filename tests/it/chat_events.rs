//! The rooms of matches, and what is counted in rooms.

use serde_json::{Value, json};

use crate::catalogue::{event, import};
use crate::chat_rooms::{create, entry, in_room, list, public_room, show};
use crate::harness::{Fan, OPERATOR_TOKEN, TestApp, escape, eventually, together};

const ADA: &str = "+447700900123";
const BEN: &str = "+447700900124";
const KICK_OFF: &str = "2026-11-20T15:00:00.000Z";

async fn match_of(app: &TestApp, key: &str) -> i64 {
    import(app, json!([event(key, KICK_OFF)])).await["events"][key].as_i64().unwrap()
}

async fn room_of(app: &TestApp, fan: &Fan, id: i64) -> Value {
    let path = format!("/api/auth/events/{id}");
    let reply = app.client.get(&path).token(&fan.token).send().await.expect(200);
    reply.body["data"]["chat_room_id"].clone()
}

async fn predict(app: &TestApp, fan: &Fan, id: i64, outcome: &str) {
    let body = json!({"event_id": id, "prediction": outcome});
    app.client.post("/api/auth/predictions").token(&fan.token).json(body).send().await.expect(201);
}

async fn stats(app: &TestApp, fan: &Fan, room: &str) -> Value {
    let path = format!("/api/auth/chat-rooms/{}/member-stats", escape(room));
    app.client.get(&path).token(&fan.token).send().await.expect(200).body["data"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_match_gets_one_public_room() {
    let app = TestApp::new().await;
    let (ada, chatter) = app.chatter(ADA).await;
    let id = match_of(&app, "m:1").await;
    app.run_jobs().await;
    let room = room_of(&app, &ada, id).await;
    let room = room.as_str().unwrap();
    let listed = list(&app, &ada, &format!("?event_id={id}")).await;
    assert_eq!(listed.len(), 1);
    assert_eq!(
        listed[0]["event"],
        json!({"id": id, "home_team": "Northgate FC",
        "away_team": "Southbank FC", "start_time": KICK_OFF})
    );
    assert_eq!(listed[0]["member_count"], 0, "the bot is not counted");
    let shown = show(&app, &ada, room).await.expect(200).body["data"].clone();
    assert_eq!(shown["event"], listed[0]["event"]);
    assert_eq!((&shown["creator_id"], &shown["join_rule"]), (&Value::Null, &json!("public")));
    let alias = format!("/directory/room/{}", escape(&format!("#match_{id}:localhost")));
    assert_eq!(chatter.get(&alias).await.expect(200).body["room_id"], json!(room));
    in_room(&app, &ada, room, "join").await.expect(200);
    assert_eq!(entry(&app, &ada, room).await.unwrap()["member_count"], 1);
    app.advance(301);
    app.run_jobs().await;
    assert_eq!(app.count("SELECT count(*) FROM chat_rooms").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_that_was_made_but_not_written_down_is_found_again() {
    let app = TestApp::new().await;
    let ada = app.log_in(ADA).await;
    let id = match_of(&app, "m:1").await;
    app.run_jobs().await;
    let room = room_of(&app, &ada, id).await;
    let forget = |tx: &mut touchline::platform::db::Tx| {
        tx.exec("UPDATE events SET chat_room_id = NULL", &[])?;
        tx.exec("DELETE FROM chat_members", &[])?;
        tx.exec("DELETE FROM chat_rooms", &[])
    };
    app.app.db.write(forget).await.unwrap();
    app.advance(301);
    app.run_jobs().await;
    assert_eq!(room_of(&app, &ada, id).await, room);
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_who_asks_for_a_matchs_alias_gets_the_room_made() {
    let app = TestApp::new().await;
    let (ada, chatter) = app.chatter(ADA).await;
    let id = match_of(&app, "m:1").await;
    let alias = escape(&format!("#match_{id}:localhost"));
    let reply = chatter.post(&format!("/join/{alias}"), json!({})).await.expect(200);
    assert_eq!(room_of(&app, &ada, id).await, reply.body["room_id"]);
    let unknown = escape("#match_999:localhost");
    chatter.post(&format!("/join/{unknown}"), json!({})).await.expect(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_can_pass_their_room_off_as_a_matchs() {
    let app = TestApp::new().await;
    let (ada, chatter) = app.chatter(ADA).await;
    let id = match_of(&app, "m:1").await;
    let content = json!({"event_id": id, "is_event_room": true, "creator_id": null, "seal": "x"});
    let state = json!([{"type": "app.touchline.room", "state_key": "", "content": content}]);
    let body = json!({"preset": "public_chat", "name": "Fake", "initial_state": state});
    let room = chatter.post("/createRoom", body).await.expect(200).body["room_id"].clone();
    let listed = || async {
        entry(&app, &ada, room.as_str().unwrap()).await.filter(|entry| entry["name"] == "Fake")
    };
    assert_eq!(eventually(listed).await["event"], Value::Null);
    assert_eq!(room_of(&app, &ada, id).await, Value::Null);
    let alias = json!({"preset": "public_chat", "room_alias_name": format!("match_{id}")});
    chatter.post("/createRoom", alias).await.expect(400);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_room_of_a_match_long_over_is_archived() {
    let app = TestApp::new().await;
    let (ada, chatter) = app.chatter(ADA).await;
    let ben = app.log_in(BEN).await;
    let id = match_of(&app, "m:1").await;
    app.run_jobs().await;
    let room = room_of(&app, &ada, id).await.as_str().unwrap().to_owned();
    in_room(&app, &ada, &room, "join").await.expect(200);
    chatter.say(&room, "Before").await;
    app.set_time("2026-11-20T17:00:00Z");
    app.run_jobs().await;
    let path = format!("/api/admin/events/{id}/result");
    let body = json!({"home_score": 2, "away_score": 1});
    app.client.post(&path).token(OPERATOR_TOKEN).json(body).send().await.expect(200);
    app.set_time("2026-11-27T16:00:00Z");
    app.run_jobs().await;
    let say = format!("/rooms/{}/send/m.room.message/t1", escape(&room));
    chatter.put(&say, json!({"msgtype": "m.text", "body": "After"})).await.expect(403);
    assert!(entry(&app, &ben, &room).await.is_none());
    assert!(entry(&app, &ada, &room).await.is_some(), "members still see it");
    assert_eq!(list(&app, &ben, &format!("?event_id={id}")).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn member_statistics_count_members_teams_activity_and_predictions() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.log_in(ADA).await, app.log_in(BEN).await);
    let first = match_of(&app, "m:1").await;
    let teams = app.texts("SELECT CAST(id AS TEXT) FROM teams WHERE slug = 'northgate_fc'").await;
    let team = json!({"team_id": teams[0].parse::<i64>().unwrap()});
    app.client
        .post("/api/auth/teams/primary")
        .token(&ada.token)
        .json(team)
        .send()
        .await
        .expect(200);
    let reply =
        create(&app, &ada, json!({"name": "Away end", "event_id": first})).await.expect(201);
    assert_eq!(reply.body["data"]["event_id"], json!(first));
    let room = reply.body["data"]["room_id"].as_str().unwrap().to_owned();
    in_room(&app, &ben, &room, "join").await.expect(200);
    predict(&app, &ada, first, "home").await;
    predict(&app, &ben, first, "away").await;
    let outsider = app.log_in("+447700900126").await;
    predict(&app, &outsider, first, "home").await;
    let before = stats(&app, &ada, &room).await;
    assert_eq!(
        before,
        json!({"total_members": 2, "active_members": 2, "predictions_made": 2,
        "team_distribution": {"northgate_fc": 1, "neutral": 1}, "top_predictors": []})
    );
    app.set_time("2026-11-20T17:00:00Z");
    app.run_jobs().await;
    let path = format!("/api/admin/events/{first}/result");
    let body = json!({"home_score": 2, "away_score": 1});
    app.client.post(&path).token(OPERATOR_TOKEN).json(body).send().await.expect(200);
    app.run_jobs().await;
    app.set_time("2026-11-23T12:00:00Z");
    let after = stats(&app, &ada, &room).await;
    assert_eq!(after["active_members"], 0, "eight days later nobody is active");
    assert_eq!(
        after["top_predictors"],
        json!([
            {"user_id": ada.id, "username": ada.username, "correct_predictions": 1, "accuracy": 1.0},
            {"user_id": ben.id, "username": ben.username, "correct_predictions": 0, "accuracy": 0.0},
        ])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_shows_its_members_predictions_and_a_matchs_own_room_all() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.log_in(ADA).await, app.log_in(BEN).await);
    let id = match_of(&app, "m:1").await;
    app.run_jobs().await;
    let reply = create(&app, &ada, json!({"name": "Away end", "event_id": id})).await.expect(201);
    let own = reply.body["data"]["room_id"].as_str().unwrap().to_owned();
    predict(&app, &ada, id, "home").await;
    predict(&app, &ben, id, "draw").await;
    let shown = |room: String| {
        let path = format!("/api/auth/chat-rooms/{}/predictions", escape(&room));
        app.client.get(&path).token(&ben.token).send()
    };
    let of_members = shown(own).await.expect(200).body;
    assert_eq!(
        of_members["meta"],
        json!({"total_predictions": 1, "home_predictions": 1,
        "draw_predictions": 0, "away_predictions": 0})
    );
    assert_eq!(of_members["data"][0]["user"]["id"], json!(ada.id));
    let of_match = room_of(&app, &ada, id).await.as_str().unwrap().to_owned();
    assert_eq!(shown(of_match.clone()).await.expect(200).body["meta"]["total_predictions"], 2);
    assert_eq!(stats(&app, &ada, &of_match).await["predictions_made"], 2);
    let none = public_room(&app, &ada, "No match").await;
    assert_eq!(shown(none).await.expect(200).body["data"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_asked_for_by_many_at_once_still_gets_one_room() {
    let app = TestApp::new().await;
    let (ada, _) = app.chatter(ADA).await;
    let id = match_of(&app, "m:1").await;
    let alias = format!("#match_{id}:localhost");
    let opened =
        together(8, |_| touchline::features::chat::open_room_of_alias(&app.app.chat, &alias)).await;
    assert!(opened.into_iter().all(|opened| opened.is_ok_and(|there| there)));
    let bots = app.app.chat.matrix.list_joined_rooms(app.app.chat.matrix.bot()).await.unwrap();
    assert_eq!(json!(bots), json!([room_of(&app, &ada, id).await]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_members_of_a_room_have_a_leaderboard() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.log_in(ADA).await, app.log_in(BEN).await);
    let outsider = app.log_in("+447700900126").await;
    let id = match_of(&app, "m:1").await;
    let room = public_room(&app, &ada, "Away end").await;
    in_room(&app, &ben, &room, "join").await.expect(200);
    for (fan, outcome) in [(&ada, "away"), (&ben, "home"), (&outsider, "home")] {
        predict(&app, fan, id, outcome).await;
    }
    app.set_time("2026-11-20T17:00:00Z");
    app.run_jobs().await;
    let path = format!("/api/admin/events/{id}/result");
    let body = json!({"home_score": 2, "away_score": 1});
    app.client.post(&path).token(OPERATOR_TOKEN).json(body).send().await.expect(200);
    app.run_jobs().await;
    let board = |query: String| {
        app.client.get(&format!("/api/auth/leaderboard?scope=room{query}")).token(&ada.token).send()
    };
    let places = board(format!("&room_id={}", escape(&room))).await.expect(200).body;
    let ids: Vec<_> =
        places["data"].as_array().unwrap().iter().map(|row| row["user"]["id"].clone()).collect();
    assert_eq!(ids, [json!(ben.id), json!(ada.id)]);
    board(String::new()).await.expect_invalid("room_id");
    board("&room_id=!nothing:localhost".to_owned()).await.expect_error(404, "not_found");
}
