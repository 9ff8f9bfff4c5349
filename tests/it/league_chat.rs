//! A league's chat room, and what operators do about leagues.

use serde_json::{Value, json};

use crate::chat_rooms::{entry, in_room, invite, show};
use crate::harness::{Fan, OPERATOR_TOKEN, Reply, TestApp, escape, eventually};
use crate::leagues::{Season, join, make, post, season};
use crate::predictions::get;

const ADA: &str = "+447700900101";
const BEN: &str = "+447700900102";
const EVE: &str = "+447700900103";

/// The league's room, as one of its members sees it.
async fn room_of(app: &TestApp, fan: &Fan, league: &Value) -> String {
    app.run_jobs().await;
    let path = format!("/api/auth/leagues/{}", league["id"]);
    let shown = get(app, fan, &path).await.expect(200).body;
    shown["data"]["chat_room_id"].as_str().unwrap().to_owned()
}

/// Waits until somebody is in the room, or is not.
async fn wait_until(app: &TestApp, fan: &Fan, room: &str, is_in: bool) {
    app.run_jobs().await;
    eventually(async || {
        let is_joined = entry(app, fan, room).await.is_some_and(|it| it["is_joined"] == true);
        (is_joined == is_in).then_some(())
    })
    .await;
}

async fn change(app: &TestApp, fan: &Fan, league: &Value, body: Value) -> Reply {
    let path = format!("/api/auth/leagues/{}", league["id"]);
    app.client.patch(&path).token(&fan.token).json(body).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_chat_room_of_a_league_is_for_its_members_and_not_encrypted() {
    let Season { app, league, .. } = season().await;
    let (ada, chatter) = app.chatter(ADA).await;
    let (ben, ben_chatter) = app.chatter(BEN).await;
    let eve = app.log_in(EVE).await;
    let body = json!({"name": "Talkers", "tournament_ids": [league], "has_chat": true});
    let made = make(&app, &ada, body).await;
    let room = room_of(&app, &ada, &made).await;
    wait_until(&app, &ada, &room, true).await;
    let seen = entry(&app, &ada, &room).await.unwrap();
    assert_eq!((&seen["name"], &seen["is_encrypted"]), (&json!("Talkers"), &json!(false)));
    show(&app, &eve, &room).await.expect_error(403, "not_a_member");
    in_room(&app, &eve, &room, "join").await.expect_error(403, "not_allowed");
    invite(&app, &ada, &room, json!({"user_id": eve.id})).await.expect_error(403, "not_allowed");

    join(&app, &ben, &made).await.expect(200);
    wait_until(&app, &ben, &room, true).await;
    chatter.say(&room, "Welcome").await;
    assert!(ben_chatter.joined_rooms().await.contains(&room));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_leaves_a_league_leaves_its_chat_room() {
    let Season { app, league, .. } = season().await;
    let (ada, _) = app.chatter(ADA).await;
    let (ben, ben_chatter) = app.chatter(BEN).await;
    let (eve, eve_chatter) = app.chatter(EVE).await;
    let body = json!({"name": "Talkers", "tournament_ids": [league], "has_chat": true});
    let made = make(&app, &ada, body).await;
    for fan in [&ben, &eve] {
        join(&app, fan, &made).await.expect(200);
    }
    let room = room_of(&app, &ada, &made).await;
    for fan in [&ben, &eve] {
        wait_until(&app, fan, &room, true).await;
    }
    post(&app, &ben, &format!("/{}/leave", made["id"]), json!({})).await.expect(200);
    let out = json!({"user_id": eve.id, "for_good": true});
    post(&app, &ada, &format!("/{}/remove", made["id"]), out).await.expect(200);
    for (fan, chatter) in [(&ben, &ben_chatter), (&eve, &eve_chatter)] {
        wait_until(&app, fan, &room, false).await;
        assert!(!chatter.joined_rooms().await.contains(&room));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_left_the_chat_room_of_their_league_comes_back_when_they_wish() {
    let Season { app, league, .. } = season().await;
    let (ada, _) = app.chatter(ADA).await;
    let (ben, _) = app.chatter(BEN).await;
    let body = json!({"name": "Talkers", "tournament_ids": [league], "has_chat": true});
    let made = make(&app, &ada, body).await;
    join(&app, &ben, &made).await.expect(200);
    let room = room_of(&app, &ada, &made).await;
    wait_until(&app, &ben, &room, true).await;
    in_room(&app, &ben, &room, "leave").await.expect(200);
    wait_until(&app, &ben, &room, false).await;
    post(&app, &ben, &format!("/{}/chat", made["id"]), json!({})).await.expect(200);
    wait_until(&app, &ben, &room, true).await;
    let eve = app.log_in(EVE).await;
    let enter = post(&app, &eve, &format!("/{}/chat", made["id"]), json!({})).await;
    enter.expect_error(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_who_is_banned_is_brought_into_no_chat_room() {
    let Season { app, league, .. } = season().await;
    let (ada, chatter) = app.chatter(ADA).await;
    let (ben, ben_chatter) = app.chatter(BEN).await;
    let made = make(&app, &ada, json!({"name": "Talkers", "tournament_ids": [league]})).await;
    join(&app, &ben, &made).await.expect(200);
    let ban = format!("/api/admin/users/{}/ban", ben.id);
    app.client.post(&ban).token(OPERATOR_TOKEN).json(json!({})).send().await.expect(200);
    change(&app, &ada, &made, json!({"has_chat": true})).await.expect(200);
    let room = room_of(&app, &ada, &made).await;
    wait_until(&app, &ada, &room, true).await;
    let members = chatter.get(&format!("/rooms/{}/joined_members", escape(&room))).await;
    assert_eq!(members.expect(200).body["joined"].get(&ben_chatter.id), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_league_gives_its_chat_room_up_and_takes_it_again_under_another_name() {
    let Season { app, league, .. } = season().await;
    let (ada, _) = app.chatter(ADA).await;
    let made = make(&app, &ada, json!({"name": "Quiet", "tournament_ids": [league]})).await;
    let enter = format!("/{}/chat", made["id"]);
    post(&app, &ada, &enter, json!({})).await.expect_error(400, "league_without_chat");
    change(&app, &ada, &made, json!({"has_chat": true})).await.expect(200);
    let room = room_of(&app, &ada, &made).await;
    wait_until(&app, &ada, &room, true).await;
    change(&app, &ada, &made, json!({"has_chat": false})).await.expect(200);
    wait_until(&app, &ada, &room, false).await;
    let shown = get(&app, &ada, &format!("/api/auth/leagues/{}", made["id"])).await.expect(200);
    assert_eq!(shown.body["data"]["chat_room_id"], Value::Null);
    change(&app, &ada, &made, json!({"has_chat": true, "name": "Loud"})).await.expect(200);
    assert_eq!(room_of(&app, &ada, &made).await, room);
    wait_until(&app, &ada, &room, true).await;
    eventually(async || {
        let entry = entry(&app, &ada, &room).await;
        entry.filter(|entry| entry["name"] == "Loud")
    })
    .await;
}

async fn operate(app: &TestApp, path: &str, body: Value) -> Reply {
    app.client.post(path).token(OPERATOR_TOKEN).json(body).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_finds_leagues_gives_one_another_name_and_closes_it() {
    let Season { app, league, .. } = season().await;
    let ada = app.log_in(ADA).await;
    let of = |name: &str| json!({"name": name, "tournament_ids": [league]});
    let made = make(&app, &ada, of("Tickets cheap")).await;
    make(&app, &ada, of("Office")).await;
    let find = async |query: &str| {
        let path = format!("/api/admin/leagues{query}");
        let found = app.client.get(&path).token(OPERATOR_TOKEN).send().await.expect(200).body;
        let name = |it: &Value| it["name"].as_str().unwrap().to_owned();
        found["data"].as_array().unwrap().iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(find("").await, ["Tickets cheap", "Office"]);
    assert_eq!(find("?search=OFF").await, ["Office"]);
    let path = format!("/api/admin/leagues/{}", made["id"]);
    operate(&app, &format!("{path}/rename"), json!({"name": "League 1"})).await.expect(200);
    operate(&app, &format!("{path}/close"), json!({"reason": "Sells"})).await.expect(200);
    let again = operate(&app, &format!("{path}/close"), json!({"reason": "Sells"})).await;
    again.expect_error(400, "league_closed");
    assert_eq!(find("").await, ["Office"]);
    assert_eq!(find("?open=false").await, ["League 1", "Office"]);
    let audit = app.client.get("/api/admin/audit").token(OPERATOR_TOKEN).send().await.expect(200);
    let actions: Vec<&Value> =
        audit.body["data"].as_array().unwrap().iter().map(|it| &it["action"]).take(2).collect();
    assert_eq!(actions, ["league.close", "league.rename"]);
}
