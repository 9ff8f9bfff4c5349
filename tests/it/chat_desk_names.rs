//! What was decided about somebody in a room holds for them, under whichever username.

use serde_json::{Value, json};

use crate::chat_desk::{Scene, scene};
use crate::chat_rooms::in_room;
use crate::harness::{Chatter, OPERATOR_TOKEN, escape};

impl Scene {
    /// Ben takes another username, and the network follows.
    async fn rename_ben(&mut self) {
        let call = self.app.client.post("/api/auth/update-user-info").token(&self.ben.token);
        let data =
            call.json(json!({"username": "ben_again"})).send().await.expect(200).body["data"]
                .clone();
        self.noisy = Chatter::of(&data["matrix_credentials"], self.app.homeserver());
        self.app.run_jobs().await;
    }

    /// How it is answered that Ben comes in through an app of his own.
    async fn try_to_join(&self) -> u16 {
        let path = format!("/rooms/{}/join", escape(&self.room));
        self.noisy.post(&path, json!({})).await.status
    }

    async fn set_level_of_ben(&self, level: i64) {
        let path = format!("/rooms/{}/state/m.room.power_levels", escape(&self.room));
        let mut levels = self.owner.get(&path).await.expect(200).body;
        levels["users"][self.noisy.id.as_str()] = json!(level);
        self.owner.set_state(&self.room, "m.room.power_levels", levels).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_muted_is_silent_under_a_new_username_until_they_are_let() {
    let mut scene = scene().await;
    scene.measure("/mute", json!({})).await.expect(200);
    scene.rename_ben().await;
    assert!(scene.is_ben_in().await);
    assert_eq!(scene.try_to_write().await, 403);
    scene.measure("/unmute", json!({})).await.expect(200);
    assert_eq!(scene.try_to_write().await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mute_for_a_time_ends_for_the_new_username_too() {
    let mut scene = scene().await;
    scene.measure("/mute", json!({"minutes": 10})).await.expect(200);
    scene.rename_ben().await;
    assert_eq!(scene.try_to_write().await, 403);
    scene.app.advance(11 * 60);
    scene.app.run_jobs().await;
    assert_eq!(scene.try_to_write().await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_leaves_a_room_while_muted_comes_back_silent_under_a_new_username() {
    let mut scene = scene().await;
    scene.measure("/mute", json!({})).await.expect(200);
    in_room(&scene.app, &scene.ben, &scene.room, "leave").await.expect(200);
    scene.rename_ben().await;
    assert_eq!(scene.try_to_join().await, 200);
    assert_eq!(scene.try_to_write().await, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn whomever_a_rooms_owner_made_silent_is_silent_under_a_new_username() {
    let mut scene = scene().await;
    scene.set_level_of_ben(-1).await;
    scene.rename_ben().await;
    assert!(scene.is_ben_in().await);
    assert_eq!(scene.try_to_write().await, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_some_power_in_a_room_has_it_under_a_new_username() {
    let mut scene = scene().await;
    scene.set_level_of_ben(10).await;
    scene.rename_ben().await;
    let path = format!("/rooms/{}/state/m.room.power_levels", escape(&scene.room));
    let levels = scene.owner.get(&path).await.expect(200).body["users"].clone();
    assert_eq!(levels[scene.noisy.id.as_str()], 10, "{levels}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_banned_from_a_room_stays_out_under_a_new_username_until_they_are_let() {
    let mut scene = scene().await;
    scene.measure("/ban", json!({})).await.expect(200);
    scene.rename_ben().await;
    assert_eq!(scene.try_to_join().await, 403);
    in_room(&scene.app, &scene.ben, &scene.room, "join").await.expect_error(403, "not_allowed");
    scene.measure("/unban", json!({})).await.expect(200);
    assert_eq!(scene.try_to_join().await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ban_from_a_room_outlives_a_ban_from_the_service() {
    let mut scene = scene().await;
    scene.measure("/ban", json!({})).await.expect(200);
    let path = format!("/api/admin/users/{}", scene.ben.id);
    let operate = async |scene: &Scene, what: &str, body: Value| {
        let call = scene.app.client.post(&format!("{path}/{what}")).token(OPERATOR_TOKEN);
        call.json(body).send().await.expect(200);
    };
    // The new username and the ban come at once, before the network hears of either.
    let call = scene.app.client.post("/api/auth/update-user-info").token(&scene.ben.token);
    call.json(json!({"username": "ben_again"})).send().await.expect(200);
    operate(&scene, "ban", json!({"reason": "Insults"})).await;
    scene.app.run_jobs().await;
    operate(&scene, "unban", json!({"reason": "Enough"})).await;
    let (_, noisy) = scene.app.chatter(crate::chat_desk::BEN).await;
    scene.noisy = noisy;
    scene.app.run_jobs().await;
    assert_eq!(scene.noisy.id, "@ben_again:localhost");
    assert_eq!(scene.try_to_join().await, 403);
}
