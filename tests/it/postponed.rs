//! Matches that are postponed without a new date.

use serde_json::{Value, json};

use crate::catalogue::{assert_counts_are_right, event, event_with, import};
use crate::harness::{Fan, OPERATOR_TOKEN, Reply, TestApp};
use crate::predictions::{KICK_OFF, get, predict, with_match};
use crate::stream::Listening;

const AFTER: &str = "2026-11-20T15:00:01.000Z";
const LATER: &str = "2026-11-25T18:00:00.000Z";

async fn change(app: &TestApp, event: i64, body: Value) -> Reply {
    let call = app.client.patch(&format!("/api/admin/events/{event}")).token(OPERATOR_TOKEN);
    call.json(body).send().await
}

/// Status, start and whether that is confirmed.
async fn shown(app: &TestApp, fan: &Fan, event: i64) -> (String, String, bool) {
    let data = get(app, fan, &format!("/api/auth/events/{event}")).await.expect(200).body;
    let text = |field: &str| data["data"][field].as_str().unwrap().to_owned();
    (text("status"), text("start_time"), data["data"]["start_time_confirmed"].as_bool().unwrap())
}

fn expected(status: &str, start: &str, is_confirmed: bool) -> (String, String, bool) {
    (status.to_owned(), start.to_owned(), is_confirmed)
}

async fn predicts(app: &TestApp, fan: &Fan, event: i64) -> u16 {
    predict(app, fan, json!({"event_id": event, "prediction": "home"})).await.status
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_without_a_time_takes_predictions_until_it_is_given_one_and_that_passes() {
    let (app, event) = with_match().await;
    let (ana, ben) = (app.log_in("+447700900123").await, app.log_in("+447700900124").await);
    change(&app, event, json!({"start_time_confirmed": false})).await.expect(200);
    assert_eq!(shown(&app, &ana, event).await, expected("scheduled", KICK_OFF, false));
    app.set_time(AFTER);
    app.run_jobs().await;
    assert_eq!(shown(&app, &ana, event).await, expected("scheduled", KICK_OFF, false));
    assert_eq!(predicts(&app, &ana, event).await, 201);
    assert_eq!(predicts(&app, &ana, event).await, 200);
    change(&app, event, json!({"start_time": LATER})).await.expect(200);
    assert_eq!(shown(&app, &ana, event).await, expected("scheduled", LATER, true));
    assert_eq!(predicts(&app, &ben, event).await, 201);
    app.set_time(LATER);
    assert_eq!(predicts(&app, &ben, event).await, 400);
    app.run_jobs().await;
    assert_eq!(shown(&app, &ana, event).await, expected("live", LATER, true));
    assert_counts_are_right(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_match_is_postponed_without_a_time_and_loses_its_score() {
    let (app, event) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    app.set_time(AFTER);
    app.run_jobs().await;
    change(&app, event, json!({"home_score": 1, "away_score": 0})).await.expect(200);
    assert_eq!(predicts(&app, &fan, event).await, 400);
    let mut listening = Listening::open_at(&app.client, &fan.token, "", None).await;
    change(&app, event, json!({"start_time_confirmed": false})).await.expect(200);
    assert_eq!(listening.next().await.name, "score");
    let told = listening.next().await;
    assert_eq!(
        (told.name.as_str(), &told.data),
        (
            "status",
            &json!({"event_id": event, "status": "scheduled", "status_detail": null,
                    "start_time": KICK_OFF, "start_time_confirmed": false,
                    "period": null, "minute": null, "minute_at": null})
        )
    );
    assert_eq!(shown(&app, &fan, event).await, expected("scheduled", KICK_OFF, false));
    assert_eq!(predicts(&app, &fan, event).await, 201);
    assert_counts_are_right(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn predictions_made_after_the_old_time_count_when_the_match_is_played() {
    let (app, event) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    change(&app, event, json!({"start_time_confirmed": false})).await.expect(200);
    app.set_time(AFTER);
    assert_eq!(predicts(&app, &fan, event).await, 201);
    app.advance(3600);
    // Nobody gave a time: it began when it was said to be live.
    change(&app, event, json!({"status": "live"})).await.expect(200);
    let began = "2026-11-20T16:00:01.000Z";
    assert_eq!(shown(&app, &fan, event).await, expected("live", began, true));
    assert_eq!(predicts(&app, &fan, event).await, 400);
    let path = format!("/api/admin/events/{event}/result");
    let result = json!({"home_score": 2, "away_score": 1});
    app.client.post(&path).token(OPERATOR_TOKEN).json(result).send().await.expect(200);
    app.run_jobs().await;
    let points = || async {
        let list = get(&app, &fan, "/api/auth/predictions").await.expect(200);
        list.body["data"][0]["points_earned"].clone()
    };
    assert_eq!(points().await, 3);
    // An operator who knows better says so afterwards, and what was predicted during the match does not count.
    change(&app, event, json!({"start_time": KICK_OFF})).await.expect(200);
    app.run_jobs().await;
    assert_eq!(points().await, json!(null));
}

#[tokio::test(flavor = "multi_thread")]
async fn late_predictions_count_again_while_no_time_is_known() {
    let (app, event) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    app.set_time("2026-11-20T14:00:00Z");
    assert_eq!(predicts(&app, &fan, event).await, 201);
    let reason = || async {
        app.run_jobs().await;
        let list = get(&app, &fan, "/api/auth/predictions").await.expect(200);
        list.body["data"][0]["void_reason"].is_string()
    };
    change(&app, event, json!({"start_time": "2026-11-20T13:00:00Z"})).await.expect(200);
    assert!(reason().await);
    change(&app, event, json!({"start_time_confirmed": false})).await.expect(200);
    assert!(!reason().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_makes_no_sense_without_a_time_is_refused_by_name() {
    let (app, event) = with_match().await;
    for status in ["live", "finished"] {
        let body = json!({"status": status, "start_time_confirmed": false, "home_score": 1, "away_score": 0});
        change(&app, event, body).await.expect_invalid("start_time_confirmed");
    }
    change(&app, event, json!({"start_time_confirmed": "no"}))
        .await
        .expect_invalid("start_time_confirmed");
    let path = format!("/api/admin/events/{event}/void");
    let void = json!({"reason": "Flood"});
    app.client.post(&path).token(OPERATOR_TOKEN).json(void).send().await.expect(200);
    change(&app, event, json!({"start_time_confirmed": false})).await.expect_invalid("status");
    app.set_time(AFTER);
    let body = json!({"status": "scheduled"});
    change(&app, event, body).await.expect_invalid("start_time");
    let body = json!({"status": "scheduled", "start_time_confirmed": false});
    change(&app, event, body).await.expect(200);
    let fan = app.log_in("+447700900123").await;
    assert_eq!(predicts(&app, &fan, event).await, 201);
    change(&app, event, json!({"status": "live"})).await.expect(200);
    let path = format!("/api/admin/events/{event}/result");
    let result = json!({"home_score": 2, "away_score": 1});
    app.client.post(&path).token(OPERATOR_TOKEN).json(result).send().await.expect(200);
    change(&app, event, json!({"start_time_confirmed": false})).await.expect_invalid("status");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_takes_the_time_away_and_gives_another_and_undoes_nothing_by_repetition() {
    let (app, id) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    app.set_time(AFTER);
    app.run_jobs().await;
    let without = json!([event_with("m:1", KICK_OFF, json!({"start_time_confirmed": false}))]);
    for unchanged in [7, 8] {
        assert_eq!(import(&app, without.clone()).await["unchanged"], unchanged);
        assert_eq!(shown(&app, &fan, id).await, expected("scheduled", KICK_OFF, false));
    }
    change(&app, id, json!({"start_time": LATER})).await.expect(200);
    import(&app, without).await;
    assert_eq!(shown(&app, &fan, id).await, expected("scheduled", LATER, true));
    import(&app, json!([event("m:1", "2026-11-28T15:00:00.000Z")])).await;
    assert_eq!(
        shown(&app, &fan, id).await,
        expected("scheduled", "2026-11-28T15:00:00.000Z", true)
    );
    let wrong =
        event_with("m:2", KICK_OFF, json!({"status": "live", "start_time_confirmed": false}));
    let document = crate::catalogue::document(json!([wrong]));
    crate::catalogue::put(&app, document).await.expect_invalid("events.0.start_time_confirmed");
}
