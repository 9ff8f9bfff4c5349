//! Two doors, one rule: what the API limits or forbids is so on the chat network too.

use reqwest::Method;
use serde_json::{Value, json};

use crate::chat_rooms::{in_room, public_room};
use crate::harness::{Chatter, Fan, OPERATOR_TOKEN, TestApp, escape, eventually};

const ADA: &str = "+447700900101";
const BEN: &str = "+447700900102";

/// Posts until it is refused for being too much; how often it was not, and how it was refused.
async fn post_until_limited(app: &TestApp, fan: &Fan, path: &str, body: Value) -> (usize, String) {
    for count in 0..100 {
        let call = app.client.post(path).token(&fan.token).json(body.clone());
        let reply = call.send().await;
        if reply.status == 429 {
            assert!(reply.header("retry-after").is_some());
            return (count, reply.code().to_owned());
        }
    }
    panic!("nothing is refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_api_takes_thirty_joins_leaves_and_invitations_a_minute_of_a_user() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.log_in(ADA).await, app.log_in(BEN).await);
    let room = format!("/api/auth/chat-rooms/{}", escape("!none:localhost"));
    for (what, code) in [
        ("join", "too_many_joins"),
        ("leave", "too_many_leaves"),
        ("invite", "too_many_invitations"),
    ] {
        let path = format!("{room}/{what}");
        let limited = post_until_limited(&app, &ada, &path, json!({"user_id": 999})).await;
        assert_eq!(limited, (30, code.to_owned()));
        let other = app.client.post(&path).token(&ben.token).json(json!({"user_id": 999}));
        other.send().await.expect(404);
        app.advance(61);
        let again = app.client.post(&path).token(&ada.token).json(json!({"user_id": 999}));
        again.send().await.expect(404);
    }
}

mod needs_embedded {
    use super::*;

    /// Calls until it is too much; how often it was not.
    async fn call_until_limited(chatter: &Chatter, path: &str, body: Value) -> usize {
        for count in 0..100 {
            let reply = chatter.call(Method::POST, path).json(body.clone()).send().await;
            if reply.status == 429 {
                assert_eq!(reply.body["errcode"], "M_LIMIT_EXCEEDED");
                assert!(reply.header("retry-after").is_some());
                assert!(reply.body["retry_after_ms"].as_i64().unwrap() > 0);
                return count;
            }
            assert_eq!(reply.status, 200, "{}", reply.body);
        }
        panic!("nothing is refused");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_chat_network_makes_no_more_rooms_for_a_user_than_the_api() {
        let app = TestApp::new().await;
        let (ada, chatter) = app.chatter(ADA).await;
        assert_eq!(call_until_limited(&chatter, "/createRoom", json!({})).await, 20);
        // The service itself is not held up by what a user has done there.
        let room = json!({"name": "Fans", "topic": "", "is_private": false});
        app.client
            .post("/api/auth/chat-room")
            .token(&ada.token)
            .json(room)
            .send()
            .await
            .expect(201);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn somebody_who_is_blocked_cannot_invite_on_the_chat_network_either() {
        let app = TestApp::new().await;
        let ((ada, one), (ben, other)) = (app.chatter(ADA).await, app.chatter(BEN).await);
        let made = other.post("/createRoom", json!({})).await.expect(200);
        let room = escape(made.body["room_id"].as_str().unwrap());
        let path = format!("/api/auth/users/{}/block", ben.id);
        app.client.post(&path).token(&ada.token).send().await.expect(200);
        app.run_jobs().await;
        let invited =
            other.post(&format!("/rooms/{room}/invite"), json!({"user_id": one.id})).await;
        assert_eq!((invited.status, &invited.body["errcode"]), (403, &json!("M_FORBIDDEN")));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn nobody_learns_a_name_on_the_chat_network_without_a_token() {
        let app = TestApp::new().await;
        let (_, chatter) = app.chatter(ADA).await;
        let path = format!("/_matrix/client/v3/profile/{}", escape(&chatter.id));
        let reply = app.client.get(&path).send().await;
        assert_eq!((reply.status, &reply.body["errcode"]), (401, &json!("M_MISSING_TOKEN")));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_is_reported_on_the_chat_network_reaches_the_operators() {
        let app = TestApp::new().await;
        let ((ada, one), (ben, noisy)) = (app.chatter(ADA).await, app.chatter(BEN).await);
        let room = public_room(&app, &ada, "Away end").await;
        in_room(&app, &ben, &room, "join").await.expect(200);
        let message = noisy.say(&room, "insult").await;
        let at = format!("/rooms/{}/report", escape(&room));
        one.post(&format!("{at}/{}", escape(&message)), json!({"reason": "Rude"}))
            .await
            .expect(200);
        one.post(&at, json!({"reason": "All of it"})).await.expect(200);
        let user = format!("/users/{}/report", escape(&noisy.id));
        one.post(&user, json!({"reason": ""})).await.expect(200);
        let reports = app.client.get("/api/admin/chat/reports").token(OPERATOR_TOKEN).send().await;
        let listed: Vec<_> = reports.body["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|report| {
                assert_eq!(report["reporter_id"], json!(ada.id));
                let part = |name: &str| report[name].clone();
                json!([
                    part("reason"),
                    part("room_id"),
                    part("message_id"),
                    part("reported_user_id")
                ])
            })
            .collect();
        assert_eq!(
            listed,
            [
                json!(["No reason was given.", null, null, ben.id]),
                json!(["All of it", room, null, null]),
                json!(["Rude", room, message, ben.id]),
            ]
        );
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn reports_of_both_doors_count_together() {
        let app = TestApp::new().await;
        let (ada, chatter) = app.chatter(ADA).await;
        let room = public_room(&app, &ada, "Away end").await;
        let at = format!("/rooms/{}/report", escape(&room));
        let long = chatter.post(&at, json!({"reason": "x".repeat(501)})).await;
        assert_eq!((long.status, &long.body["errcode"]), (400, &json!("M_INVALID_PARAM")));
        let path = format!("/api/auth/chat-rooms/{}/report", escape(&room));
        for _ in 0..10 {
            let body = json!({"reason": "Rude", "user_id": ada.id});
            app.client.post(&path).token(&ada.token).json(body).send().await.expect(201);
        }
        assert_eq!(call_until_limited(&chatter, &at, json!({"reason": "Rude"})).await, 10);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_user_sees_where_their_device_called_from() {
        let app = TestApp::new().await;
        let (_, chatter) = app.chatter(ADA).await;
        let seen = || async {
            let devices = chatter.get("/devices").await.expect(200).body;
            devices["devices"][0]["last_seen_ip"].as_str().map(str::to_owned)
        };
        assert_eq!(eventually(seen).await, "127.0.0.1");
    }
}
