//! Lists of predictions: whole at any length, and never older than what their reader was told before.

use serde_json::{Value, json};
use touchline::features::predictions::Outcome;

use crate::harness::{Fan, TestApp, together};
use crate::predictions::{get, pick, place, predict, users, with_match};
use crate::settlement::operate;

/// An app with a match, and a fan who says that its home team wins.
async fn with_prediction() -> (TestApp, i64, Fan) {
    let (app, event) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    predict(&app, &fan, json!({"event_id": event, "prediction": "home"})).await.expect(201);
    (app, event, fan)
}

async fn list(app: &TestApp, fan: &Fan, event: i64, query: &str) -> Value {
    let path = format!("/api/auth/events/{event}/predictions{query}");
    get(app, fan, &path).await.expect(200).body
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_whole_and_in_order_however_long_it_is() {
    let (app, event) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    users(&app, 1_000, 405).await;
    let mut made = 0;
    // Around the length up to which a list is held in memory, and beyond.
    for length in [0, 1, 199, 200, 201, 202, 405] {
        while made < length {
            assert!(place(&app, 1_000 + made, event, pick(Outcome::Home, None, 50)).await);
            made += 1;
        }
        let reply = list(&app, &fan, event, "").await;
        assert_eq!(reply["meta"]["total_predictions"], length);
        let rows = reply["data"].as_array().unwrap().iter();
        let who: Vec<i64> = rows.map(|row| row["user"]["id"].as_i64().unwrap()).collect();
        assert_eq!(who, (1_000..1_000 + length).collect::<Vec<_>>());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn more_readers_at_once_than_there_are_threads_for_long_lists_all_get_a_short_one() {
    let (app, _, fan) = with_prediction().await;
    let path = "/api/auth/predictions";
    let replies = together(200, |_| get(&app, &fan, path)).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prediction_is_listed_as_soon_as_it_is_made_and_as_it_was_last_replaced() {
    let (app, event) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    assert_eq!(list(&app, &fan, event, "").await["data"], json!([]));
    for outcome in ["home", "away", "draw", "home"] {
        let body = json!({"event_id": event, "prediction": outcome});
        assert!(predict(&app, &fan, body).await.status < 300);
        let reply = list(&app, &fan, event, "").await;
        assert_eq!(reply["data"][0]["prediction"], outcome);
        assert_eq!(reply["meta"]["prediction_distribution"][outcome], 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_name_is_listed_at_once() {
    let (app, event, fan) = with_prediction().await;
    for name in ["Sam Carter", "Alex Carter"] {
        let call = app.client.post("/api/auth/update-user-info").token(&fan.token);
        call.json(json!({"name": name})).send().await.expect(200);
        assert_eq!(list(&app, &fan, event, "").await["data"][0]["user"]["name"], name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn points_are_listed_as_soon_as_they_are_earned_and_taken_back() {
    let (app, event, fan) = with_prediction().await;
    app.set_time("2026-11-20T17:00:00Z");
    for (home, points) in [(1, 3), (0, 0)] {
        assert_ne!(list(&app, &fan, event, "").await["data"][0]["points_earned"], points);
        let body = json!({"home_score": home, "away_score": 0});
        operate(&app, event, "/result", body).await.expect(200);
        app.run_jobs().await;
        assert_eq!(list(&app, &fan, event, "").await["data"][0]["points_earned"], points);
    }
}
