//! Events as users see them and operators run them.

use serde_json::{Value, json};

use crate::catalogue::{event, event_with, import};
use crate::harness::{Fan, OPERATOR_TOKEN, Reply, TestApp};

async fn get(app: &TestApp, fan: &Fan, path: &str) -> Reply {
    app.client.get(path).token(&fan.token).send().await
}

async fn operate(app: &TestApp, event: &Value, what: &str, body: Value) -> Reply {
    let path = format!("/api/admin/events/{event}{what}");
    let call = if what.is_empty() { app.client.patch(&path) } else { app.client.post(&path) };
    call.token(OPERATOR_TOKEN).json(body).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listed_event_has_exactly_the_fields_of_the_interface() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let ids = import(&app, json!([event("m:1", "2026-11-20T15:00:00Z")])).await;
    let list = get(&app, &fan, "/api/auth/events").await.expect(200);
    assert_eq!(
        list.body,
        json!({
            "data": [{
                "id": ids["events"]["m:1"],
                "tournament_id": ids["tournaments"]["league"],
                "tournament": {"id": ids["tournaments"]["league"], "name": "League",
                               "logo": "https://cdn.example.org/league.png"},
                "home_team": {"id": ids["teams"]["northgate_fc"], "name": "Northgate FC",
                              "logo": "https://cdn.example.org/northgate_fc.png"},
                "away_team": {"id": ids["teams"]["southbank_fc"], "name": "Southbank FC",
                              "logo": "https://cdn.example.org/southbank_fc.png"},
                "start_time": "2026-11-20T15:00:00Z",
                "status": "scheduled",
                "venue": "Northgate Park",
                "home_score": null,
                "away_score": null,
                "chat_room_id": null,
                "predictions_count": 0,
            }],
            "meta": {"current_page": 1, "last_page": 1, "per_page": 20, "total": 1},
        })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_finishes_a_match_and_a_second_one_corrects_it() {
    let app = TestApp::new().await;
    let ids = import(&app, json!([event("m:1", "2026-11-20T15:00:00Z")])).await;
    let id = &ids["events"]["m:1"];
    let first =
        operate(&app, id, "/result", json!({"home_score": 2, "away_score": 1})).await.expect(200);
    assert_eq!(first.body["data"]["status"], "finished");
    let second =
        operate(&app, id, "/result", json!({"home_score": 2, "away_score": 2})).await.expect(200);
    assert_eq!(second.body["data"]["away_score"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_goes_live_by_itself_when_its_start_passes() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let ids = import(&app, json!([event("m:1", "2026-11-15T12:10:00Z")])).await;
    let path = format!("/api/auth/events/{}", ids["events"]["m:1"]);
    app.advance(599);
    app.run_jobs().await;
    assert_eq!(get(&app, &fan, &path).await.expect(200).body["data"]["status"], "scheduled");
    app.advance(1);
    app.run_jobs().await;
    assert_eq!(get(&app, &fan, &path).await.expect(200).body["data"]["status"], "live");
}

#[tokio::test(flavor = "multi_thread")]
async fn live_comes_first_then_scheduled_by_start_then_finished_latest_first() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let live = |key, start| event_with(key, start, json!({"status": "live"}));
    let done = |key, start| {
        event_with(key, start, json!({"status": "finished", "home_score": 1, "away_score": 0}))
    };
    import(
        &app,
        json!([
            event("f", "2026-11-22T15:00:00Z"),
            done("h", "2026-11-01T15:00:00Z"),
            live("b", "2026-11-15T11:30:00Z"),
            event("d", "2026-11-16T15:00:00Z"),
            live("a", "2026-11-15T11:00:00Z"),
            done("g", "2026-11-02T15:00:00Z"),
        ]),
    )
    .await;
    let list = get(&app, &fan, "/api/auth/events").await.expect(200);
    let starts: Vec<&str> = list.body["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["start_time"].as_str().unwrap().get(8..13).unwrap())
        .collect();
    assert_eq!(starts, ["15T11", "15T11", "16T15", "22T15", "02T15", "01T15"]);
}
