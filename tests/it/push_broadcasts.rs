//! What operators tell users' devices.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::harness::{OPERATOR_TOKEN, PushService, TestApp};
use crate::leagues::{join, make};
use crate::push::{follow, get_team, hello, plain_device, tell, titles, want, with_service};
use crate::stream::two_matches;

/// Where a message with this title went.
fn reached(service: &PushService, title: &str) -> Vec<String> {
    let calls = service.taken();
    let told = calls.iter().filter(|call| call.json()["title"] == title);
    let mut paths: Vec<String> = told.map(|call| call.path.clone()).collect();
    paths.sort();
    paths
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_to_a_league_reaches_its_members_alone() {
    let (app, service) = with_service().await;
    two_matches(&app).await;
    let mut fans = Vec::new();
    for number in 1..=3 {
        let fan = app.log_in(&TestApp::phone(number)).await;
        plain_device(&app, &fan, &service).await;
        fans.push(fan);
    }
    let tournament = app.count("SELECT max(id) FROM tournaments").await;
    let league =
        make(&app, &fans[0], json!({"name": "Office", "tournament_ids": [tournament]})).await;
    join(&app, &fans[2], &league).await.expect(200);
    tell(&app, json!({"title": "Office", "body": "Cake.", "league_id": league["id"]})).await;
    assert_eq!(
        reached(&service, "Office"),
        [format!("/{}", fans[0].id), format!("/{}", fans[2].id)]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_to_a_team_reaches_its_followers_alone() {
    let (app, service) = with_service().await;
    two_matches(&app).await;
    let (ada, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    let north = get_team(&app, "north").await;
    follow(&app, &ada, north).await;
    follow(&app, &ben, get_team(&app, "south").await).await;
    plain_device(&app, &ada, &service).await;
    plain_device(&app, &ben, &service).await;
    tell(&app, json!({"title": "North", "body": "The bus leaves at ten.", "team_id": north})).await;
    assert_eq!(reached(&service, "North"), [format!("/{}", ada.id)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_for_nobody_there_is_refused() {
    let app = TestApp::new().await;
    for (body, field) in [
        (json!({"title": "A", "body": "B", "team_id": 99}), "team_id"),
        (json!({"title": "A", "body": "B", "league_id": 99}), "league_id"),
        (json!({"title": "A", "body": "B", "team_id": 1, "league_id": 1}), "league_id"),
        (json!({"title": "", "body": "B"}), "title"),
        (json!({"title": "A", "body": "b".repeat(301)}), "body"),
    ] {
        let call = app.client.post("/api/admin/push/messages").token(OPERATOR_TOKEN);
        let reply = call.json(body.clone()).send().await.expect_error(422, "validation_failed");
        assert!(reply.body["errors"][field].is_array(), "{body}: {}", reply.body);
    }
    assert_eq!(app.count("SELECT count(*) FROM push_broadcasts").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_sent_twice_with_one_key_is_told_once() {
    let (app, service) = with_service().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    plain_device(&app, &ada, &service).await;
    let send = |body: Value| {
        let call = app.client.post("/api/admin/push/messages").token(OPERATOR_TOKEN);
        call.header("idempotency-key", "saturday").json(body).send()
    };
    let twins = futures_util::future::join_all((0..8).map(|_| send(hello()))).await;
    let ids: BTreeSet<i64> =
        twins.iter().map(|twin| twin.body["data"]["id"].as_i64().unwrap()).collect();
    assert_eq!(ids.len(), 1);
    let replayed = twins.iter().filter(|twin| twin.header("idempotent-replayed").is_some()).count();
    assert_eq!(replayed, 7);
    send(json!({"title": "Other", "body": "words"}))
        .await
        .expect_error(422, "idempotency_key_reused");
    app.run_jobs().await;
    assert_eq!(titles(&service.taken()), ["Hello"]);
    app.advance(24 * 3_600);
    let later = send(hello()).await.expect(201).body["data"]["id"].as_i64().unwrap();
    assert!(!ids.contains(&later), "a key is kept for a day");
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_see_what_became_of_messages_by_kind() {
    let (app, service) = with_service().await;
    let (ada, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    plain_device(&app, &ada, &service).await;
    plain_device(&app, &ben, &service).await;
    want(&app, &ben, json!({"quiet_from": "10:00", "quiet_until": "09:59"})).await;
    tell(&app, hello()).await;
    let call = app.client.get("/api/admin/push").token(OPERATOR_TOKEN);
    let seen = call.send().await.expect(200).body["data"].clone();
    let sum = json!({"day": "2026-11-15", "kind": "message", "outcome": "sent", "messages": 1});
    assert_eq!(seen["days"], json!([sum]));
    assert_eq!(seen["waiting"], 1);
    let call = app.client.get("/api/admin/push/messages").token(OPERATOR_TOKEN);
    let listed = call.send().await.expect(200).body["data"][0].clone();
    assert_eq!((&listed["title"], &listed["recipients"]), (&json!("Hello"), &json!(2)));
    assert!(listed["planned_at"].is_string());
}
