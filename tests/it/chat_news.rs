//! What the live stream tells somebody of rooms: who invited them, and who took them out.

use serde_json::json;

use crate::chat_rooms::{in_room, invite, private_room, public_room};
use crate::harness::{TestApp, escape};
use crate::stream::Listening;

const ADA: &str = "+447700900123";
const BEN: &str = "+447700900124";
const EVE: &str = "+447700900125";

#[tokio::test(flavor = "multi_thread")]
async fn who_is_invited_hears_by_whom_and_nobody_else_does() {
    let app = TestApp::new().await;
    let (ada, _) = app.chatter(ADA).await;
    let (ben, _) = app.chatter(BEN).await;
    let (eve, _) = app.chatter(EVE).await;
    let room = private_room(&app, &ada, "Us").await;
    let other = private_room(&app, &ada, "Them").await;
    let mut of_ben = Listening::open(&app, &ben, "", None).await;
    let mut of_eve = Listening::open(&app, &eve, "", None).await;
    invite(&app, &ada, &room, json!({"user_id": ben.id})).await.expect(200);
    invite(&app, &ada, &other, json!({"user_id": eve.id})).await.expect(200);
    let mut told = of_ben.next().await;
    assert!(told.data["created_at"].take().is_string());
    let by = json!({"id": ada.id, "username": ada.username, "name": null});
    let expected =
        json!({"room_id": room, "name": "Us", "change": "invited", "by": by, "created_at": null});
    assert_eq!((told.name.as_str(), told.data), ("room", expected));
    assert_eq!(of_eve.next().await.data["room_id"], json!(other));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_taken_out_of_a_room_hears_it_and_who_leaves_does_not() {
    let app = TestApp::new().await;
    let (ada, owner) = app.chatter(ADA).await;
    let (ben, guest) = app.chatter(BEN).await;
    let (left, taken) =
        (public_room(&app, &ada, "Left").await, public_room(&app, &ada, "Taken").await);
    let mut listening = Listening::open(&app, &ben, "", None).await;
    for room in [&left, &taken] {
        in_room(&app, &ben, room, "join").await.expect(200);
    }
    in_room(&app, &ben, &left, "leave").await.expect(200);
    let kick = format!("/rooms/{}/kick", escape(&taken));
    owner.post(&kick, json!({"user_id": guest.id})).await.expect(200);
    let told = listening.next().await;
    let data = json!([told.data["room_id"], told.data["change"], told.data["by"]["id"]]);
    assert_eq!((told.name.as_str(), data), ("room", json!([taken, "removed", ada.id])));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_of_a_day_ago_is_said_to_be_missed_and_a_later_one_is_told() {
    let app = TestApp::new().await;
    let (ada, _) = app.chatter(ADA).await;
    let (ben, _) = app.chatter(BEN).await;
    let (old, new) = (private_room(&app, &ada, "Old").await, private_room(&app, &ada, "New").await);
    invite(&app, &ada, &old, json!({"user_id": ben.id})).await.expect(200);
    app.advance(25 * 3_600);
    app.run_jobs().await;
    invite(&app, &ada, &new, json!({"user_id": ben.id})).await.expect(200);
    let mut listening = Listening::open(&app, &ben, "", Some("0.1.0")).await;
    let told = [listening.next().await, listening.next().await];
    assert_eq!(
        json!(told.map(|told| json!([told.name, told.data["name"]]))),
        json!([["reset", null], ["room", "New"]])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_username_is_no_invitation_to_the_rooms_one_is_in() {
    let app = TestApp::new().await;
    let (ada, _) = app.chatter(ADA).await;
    let (ben, _) = app.chatter(BEN).await;
    let room = private_room(&app, &ada, "Us").await;
    invite(&app, &ada, &room, json!({"user_id": ben.id})).await.expect(200);
    in_room(&app, &ben, &room, "join").await.expect(200);
    let call = app.client.post("/api/auth/update-user-info").token(&ben.token);
    call.json(json!({"username": "benjamin"})).send().await.expect(200);
    app.run_jobs().await;
    let exported = app.client.get("/api/auth/export").token(&ben.token).send().await.expect(200);
    let news = exported.body.pointer("/data/chat/room_news").unwrap().as_array().unwrap().clone();
    let news: Vec<_> = news.iter().map(|news| (&news["room_id"], &news["change"])).collect();
    assert_eq!(news, [(&json!(room), &json!("invited"))]);
}
