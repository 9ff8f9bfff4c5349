//! The chat network follows what is so here, whatever was missed on the way.

use serde_json::{Value, json};

use crate::catalogue;
use crate::chat_outages::log_in;
use crate::chat_rooms::{entry, in_room, public_room};
use crate::harness::{
    Chatter, Client, Fan, Network, OPERATOR_TOKEN, Program, Switch, TestApp, escape, eventually,
    fresh_database_url,
};

const ADA: &str = "+447700900123";
const BEN: &str = "+447700900124";

async fn change(client: &Client, fan: &Fan, body: Value) -> Value {
    let call = client.post("/api/auth/update-user-info").token(&fan.token).json(body);
    call.send().await.expect(200).body["data"].clone()
}

async fn block(app: &TestApp, by: &Fan, whom: &Fan) {
    let path = format!("/api/auth/users/{}/block", whom.id);
    app.client.post(&path).token(&by.token).send().await.expect(200);
}

async fn ignored_by(chatter: &Chatter) -> Value {
    let path = format!("/user/{}/account_data/m.ignored_user_list", escape(&chatter.id));
    chatter.get(&path).await.body["ignored_users"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_given_together_with_a_username_is_the_display_name() {
    let app = TestApp::new().await;
    let (fan, _) = app.chatter(ADA).await;
    let body = json!({"username": "ada_fan", "name": "Ada Lovelace"});
    let data = change(&app.client, &fan, body).await;
    let new = Chatter::of(&data["matrix_credentials"], app.homeserver());
    app.run_jobs().await;
    assert_eq!(new.display_name_of(&new.id).await, "Ada Lovelace");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renamed_user_stays_hidden_from_whoever_blocked_them() {
    let app = TestApp::new().await;
    let (ada, chatter) = app.chatter(ADA).await;
    let (ben, former) = app.chatter(BEN).await;
    block(&app, &ada, &ben).await;
    app.run_jobs().await;
    assert!(ignored_by(&chatter).await.get(&former.id).is_some());
    change(&app.client, &ben, json!({"username": "ben_again"})).await;
    app.advance(60);
    app.run_jobs().await;
    let ignored = ignored_by(&chatter).await;
    assert!(ignored.get("@ben_again:localhost").is_some(), "{ignored}");
}

#[tokio::test(flavor = "multi_thread")]
async fn blocks_go_with_their_user_to_a_new_username() {
    let app = TestApp::new().await;
    let (ada, _) = app.chatter(ADA).await;
    let (ben, hidden) = app.chatter(BEN).await;
    block(&app, &ada, &ben).await;
    app.run_jobs().await;
    let data = change(&app.client, &ada, json!({"username": "ada_again"})).await;
    let new = Chatter::of(&data["matrix_credentials"], app.homeserver());
    app.run_jobs().await;
    assert!(ignored_by(&new).await.get(&hidden.id).is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_banned_user_who_got_in_by_another_door_is_taken_out_again() {
    let app = TestApp::new().await;
    let (ada, _) = app.chatter(ADA).await;
    let (ben, chatter) = app.chatter(BEN).await;
    let room = public_room(&app, &ada, "Away end").await;
    let ban = format!("/api/admin/users/{}/ban", ben.id);
    app.client.post(&ban).token(OPERATOR_TOKEN).send().await.expect(200);
    app.run_jobs().await;
    let (id, room_id) =
        (ruma::UserId::parse(&chatter.id).unwrap(), ruma::RoomId::parse(&room).unwrap());
    app.app.chat.matrix.join(&id, &room_id).await.unwrap();
    let told = || async {
        let sql = "SELECT count(*) FROM jobs WHERE kind = 'chat_account'";
        (app.count(sql).await == 1).then_some(())
    };
    eventually(told).await;
    app.run_jobs().await;
    let alone =
        || async { entry(&app, &ada, &room).await.filter(|entry| entry["member_count"] == 1) };
    eventually(alone).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_no_session_has_is_ended_when_chat_is_rebuilt() {
    let app = TestApp::new().await;
    let (_, chatter) = app.chatter(ADA).await;
    let id = ruma::UserId::parse(&chatter.id).unwrap();
    // As of a login after the backup that was brought back.
    let lost = app.app.chat.matrix.log_in(&id, "TLLOST", None).await.unwrap();
    let lost = Chatter::of(&json!(lost), app.homeserver());
    assert!(lost.is_logged_in().await);
    let call = app.client.post("/api/admin/chat/rebuild").token(OPERATOR_TOKEN);
    call.send().await.expect(200);
    app.run_jobs().await;
    app.advance(60);
    app.run_jobs().await;
    assert!(!lost.is_logged_in().await);
    assert!(chatter.is_logged_in().await, "a device of a session stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_overview_tells_how_far_the_network_is_behind() {
    let app = TestApp::new().await;
    let (ada, _) = app.chatter(ADA).await;
    let behind = async || {
        let reply = app.client.get("/api/admin/overview").token(OPERATOR_TOKEN).send().await;
        let chat = &reply.expect(200).body["data"]["chat"];
        json!([chat["accounts_behind"], chat["lag_ms"]])
    };
    assert_eq!(behind().await, json!([0, 0]));
    change(&app.client, &ada, json!({"name": "Ada"})).await;
    app.advance(7);
    assert_eq!(behind().await, json!([1, 7000]));
    app.run_jobs().await;
    assert_eq!(behind().await, json!([0, 0]));
}

async fn match_of(app: &TestApp) -> i64 {
    let document = catalogue::document(json!([catalogue::event("m:1", "2026-11-20T15:00:00Z")]));
    let call = app.client.put("/api/admin/catalogue").token(OPERATOR_TOKEN).json(document);
    call.send().await.expect(200).body["data"]["events"]["m:1"].as_i64().unwrap()
}

async fn change_match(app: &TestApp, id: i64, body: Value) {
    let call = app.client.patch(&format!("/api/admin/events/{id}")).token(OPERATOR_TOKEN);
    call.json(body).send().await.expect(200);
}

async fn room_of(app: &TestApp, fan: &Fan, id: i64) -> String {
    let call = app.client.get(&format!("/api/auth/events/{id}")).token(&fan.token).send().await;
    call.expect(200).body["data"]["chat_room_id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_topic_of_a_matchs_room_follows_a_postponement() {
    let app = TestApp::new().await;
    let ada = app.log_in(ADA).await;
    let id = match_of(&app).await;
    app.run_jobs().await;
    let room = room_of(&app, &ada, id).await;
    change_match(&app, id, json!({"start_time": "2026-11-29T18:30:00Z"})).await;
    app.run_jobs().await;
    let says = |words: &'static str| {
        let (app, ada, room) = (&app, &ada, &room);
        move || async move {
            let topic = entry(app, ada, room).await.unwrap()["topic"].clone();
            topic.as_str().unwrap().contains(words).then_some(())
        }
    };
    eventually(says("2026-11-29 18:30 UTC")).await;
    change_match(&app, id, json!({"start_time_confirmed": false})).await;
    app.run_jobs().await;
    eventually(says("time to be confirmed")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_name_of_a_matchs_room_follows_a_renamed_team() {
    let app = TestApp::new().await;
    let ada = app.log_in(ADA).await;
    let mut document =
        catalogue::document(json!([catalogue::event("m:1", "2026-11-20T15:00:00Z")]));
    let put = async |document: &Value| {
        let call = app.client.put("/api/admin/catalogue").token(OPERATOR_TOKEN);
        call.json(document.clone()).send().await.expect(200).body["data"]["events"]["m:1"].clone()
    };
    let id = put(&document).await.as_i64().unwrap();
    app.run_jobs().await;
    let room = room_of(&app, &ada, id).await;
    for team in document["teams"].as_array_mut().unwrap() {
        team["name"] = json!(format!("New {}", team["name"].as_str().unwrap()));
    }
    put(&document).await;
    app.advance(5 * 60);
    app.run_jobs().await;
    let renamed = || async {
        let name = entry(&app, &ada, &room).await.unwrap()["name"].clone();
        name.as_str().unwrap().starts_with("New ").then_some(())
    };
    eventually(renamed).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_that_is_played_after_all_has_its_room_back() {
    let app = TestApp::new().await;
    let (ada, chatter) = app.chatter(ADA).await;
    let ben = app.log_in(BEN).await;
    let id = match_of(&app).await;
    app.run_jobs().await;
    let room = room_of(&app, &ada, id).await;
    in_room(&app, &ada, &room, "join").await.expect(200);
    let void = format!("/api/admin/events/{id}/void");
    let call = app.client.post(&void).token(OPERATOR_TOKEN).json(json!({"reason": "abandoned"}));
    call.send().await.expect(200);
    app.set_time("2026-11-29T12:00:00Z");
    app.run_jobs().await;
    let say = format!("/rooms/{}/send/m.room.message/t1", escape(&room));
    chatter.put(&say, json!({"msgtype": "m.text", "body": "Anybody?"})).await.expect(403);
    let replayed = json!({"status": "scheduled", "start_time": "2026-12-03T15:00:00Z"});
    change_match(&app, id, replayed).await;
    app.run_jobs().await;
    chatter.say(&room, "It is on again").await;
    assert!(entry(&app, &ben, &room).await.is_some(), "it is listed again");
}

/// A service of its own beside a homeserver that can be switched off.
struct Apart {
    network: Network,
    program: Program,
    _folder: tempfile::TempDir,
}

impl Apart {
    async fn start() -> Self {
        let (folder, database) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
        let network = Network::start().await;
        let program = Program::start(&folder, &database, &network.settings());
        network.push_to(&[program.client.base()]);
        Self { network, program, _folder: folder }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bans_deletions_and_new_names_reach_a_homeserver_that_was_away() {
    let apart = Apart::start().await;
    let (client, url) = (&apart.program.client, &apart.network.url);
    let (_, witness) = log_in(client, &TestApp::phone(9), url).await;
    let (banned, banned_chatter) = log_in(client, &TestApp::phone(1), url).await;
    let (deleted, deleted_chatter) = log_in(client, &TestApp::phone(2), url).await;
    let (named, named_chatter) = log_in(client, &TestApp::phone(3), url).await;
    apart.network.set("/_matrix/client/", Switch::Down);
    let ban = format!("/api/admin/users/{}/ban", banned.id);
    client.post(&ban).token(OPERATOR_TOKEN).send().await.expect(200);
    client.delete("/api/auth/me").token(&deleted.token).send().await.expect(200);
    change(client, &named, json!({"name": "First name"})).await;
    change(client, &named, json!({"name": "Second name"})).await;
    apart.network.set("/_matrix/client/", Switch::Through);
    let done = || async {
        let is_out = !banned_chatter.is_logged_in().await && !deleted_chatter.is_logged_in().await;
        let name = witness.display_name_of(&named_chatter.id).await;
        (is_out && name == "Second name").then_some(())
    };
    eventually(done).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_name_changes_in_a_row_the_last_is_the_display_name() {
    let apart = Apart::start().await;
    let (client, url) = (&apart.program.client, &apart.network.url);
    let rename = async |n: u32| {
        let (fan, chatter) = log_in(client, &TestApp::phone(n), url).await;
        for name in ["One", "Two", "Three"] {
            change(client, &fan, json!({"name": name})).await;
        }
        let last =
            || async { (chatter.display_name_of(&chatter.id).await == "Three").then_some(()) };
        eventually(last).await;
    };
    futures_util::future::join_all((0..12).map(rename)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_that_could_not_be_moved_to_is_moved_to_later() {
    let apart = Apart::start().await;
    let (client, url) = (&apart.program.client, &apart.network.url);
    let (ada, _) = log_in(client, ADA, url).await;
    let call = client.post("/api/auth/chat-room").token(&ada.token);
    let room = call.json(json!({"name": "Us", "is_private": true})).send().await.expect(201);
    let room = room.body["data"]["room_id"].as_str().unwrap().to_owned();
    // The new name has to be asked in.
    apart.network.set("/invite", Switch::Down);
    let data = change(client, &ada, json!({"username": "ada_fan"})).await;
    let new = Chatter::of(&data["matrix_credentials"], url);
    let tried = || async {
        let reply = client.get("/api/admin/jobs?lane=chat").token(OPERATOR_TOKEN).send().await;
        let jobs = reply.expect(200).body["data"].as_array().unwrap().clone();
        let is_failing = |job: &Value| job["kind"] == "chat_account" && job["attempts"] != 0;
        jobs.iter().any(is_failing).then_some(())
    };
    eventually(tried).await;
    assert!(new.joined_rooms().await.is_empty());
    apart.network.set("/invite", Switch::Through);
    let moved = || async { (new.joined_rooms().await == [room.clone()]).then_some(()) };
    eventually(moved).await;
}

mod needs_embedded {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_deleted_users_name_and_picture_are_in_no_member_event() {
        let app = TestApp::new().await;
        let (ada, chatter) = app.chatter(ADA).await;
        let (ben, witness) = app.chatter(BEN).await;
        let room = public_room(&app, &ben, "Away end").await;
        change(&app.client, &ada, json!({"name": "Augusta Byron"})).await;
        app.run_jobs().await;
        in_room(&app, &ada, &room, "join").await.expect(200);
        let upload = app.client.post("/_matrix/media/v3/upload").token(&chatter.token);
        let upload =
            upload.header("content-type", "image/png").raw("a face").send().await.expect(200);
        let picture = upload.body["content_uri"].as_str().unwrap().to_owned();
        let avatar = format!("/profile/{}/avatar_url", escape(&chatter.id));
        chatter.put(&avatar, json!({"avatar_url": picture})).await.expect(200);
        app.client.delete("/api/auth/me").token(&ada.token).send().await.expect(200);
        app.run_jobs().await;
        let path = format!("/rooms/{}/messages?dir=b&limit=100", escape(&room));
        let history = witness.get(&path).await.expect(200);
        assert!(history.text.contains("m.room.member"));
        assert!(!history.text.contains("Augusta"), "{}", history.text);
        assert!(!history.text.contains(&picture), "{}", history.text);
        let path = picture.replace("mxc://", "/_matrix/client/v1/media/download/");
        app.client.get(&path).token(&witness.token).send().await.expect(404);
    }
}
