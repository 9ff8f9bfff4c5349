//! The period and the minute of a live match.

use serde_json::{Value, json};

use crate::feeds::{FOOTBALL_DATA, app_with, poll};
use crate::feeds_provider::{
    API_FOOTBALL_PATH, FOOTBALL_DATA_PATH, Provider, af, af_page, fd, fd_document, full_time,
};
use crate::harness::{Fan, NOW, OPERATOR_TOKEN, Reply, TestApp};
use crate::stream::{Listening, kick_off, two_matches};
use crate::webhooks::Receiver;

const EARLIER: &str = "2026-11-15T11:40:00.000Z";

async fn change(app: &TestApp, event: i64, body: Value) -> Reply {
    let call = app.client.patch(&format!("/api/admin/events/{event}")).token(OPERATOR_TOKEN);
    call.json(body).send().await
}

fn playing(event: &Value) -> Value {
    json!([event["period"], event["minute"], event["minute_at"]])
}

/// Period, minute and when that was, by itself; the list says the same.
async fn shown(app: &TestApp, fan: &Fan, event: i64) -> Value {
    let get = async |path: String| app.client.get(&path).token(&fan.token).send().await.expect(200);
    let one = playing(&get(format!("/api/auth/events/{event}")).await.body["data"]);
    let list = get("/api/auth/events".to_owned()).await.body;
    let listed = list["data"].as_array().unwrap().iter().find(|row| row["id"] == event).unwrap();
    assert_eq!(playing(listed), one);
    one
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_tells_how_far_a_live_match_is_and_its_end_takes_that_away() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let (event, other) = two_matches(&app).await;
    assert_eq!(shown(&app, &fan, event).await, json!([null, null, null]));
    let body = json!({"status": "live", "period": "first_half", "minute": 1});
    change(&app, event, body).await.expect(200);
    assert_eq!(shown(&app, &fan, event).await, json!(["first_half", 1, NOW]));
    app.advance(60);
    // Nobody told anything since: that is for whoever shows it to add up.
    assert_eq!(shown(&app, &fan, event).await, json!(["first_half", 1, NOW]));
    change(&app, event, json!({"minute": 2})).await.expect(200);
    let later = "2026-11-15T12:01:00.000Z";
    assert_eq!(shown(&app, &fan, event).await, json!(["first_half", 2, later]));
    change(&app, event, json!({"home_score": 1, "away_score": 0})).await.expect(200);
    assert_eq!(shown(&app, &fan, event).await, json!(["first_half", 2, later]));
    change(&app, event, json!({"period": "half_time"})).await.expect(200);
    assert_eq!(shown(&app, &fan, event).await, json!(["half_time", null, null]));
    let path = format!("/api/admin/events/{event}/result");
    let result = json!({"home_score": 1, "away_score": 0});
    app.client.post(&path).token(OPERATOR_TOKEN).json(result).send().await.expect(200);
    assert_eq!(shown(&app, &fan, event).await, json!([null, null, null]));
    for (event, body, field) in [
        (event, json!({"period": "penalties"}), "period"),
        (other, json!({"minute": 3}), "minute"),
        (other, json!({"status": "live", "period": "third_half"}), "period"),
        (other, json!({"status": "live", "minute": 301}), "minute"),
    ] {
        change(&app, event, body).await.expect_invalid(field);
    }
    kick_off(&app, other).await;
    change(&app, other, json!({"period": "second_half", "minute": 46})).await.expect(200);
    change(&app, other, json!({"start_time_confirmed": false})).await.expect(200);
    assert_eq!(shown(&app, &fan, other).await, json!([null, null, null]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stream_and_webhooks_tell_another_period_and_a_clock_that_jumps_but_not_every_minute() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let (event, _) = two_matches(&app).await;
    let mut receiver = Receiver::start().await;
    let hook = json!({"url": receiver.url, "kinds": ["status"]});
    app.client
        .post("/api/admin/webhooks")
        .token(OPERATOR_TOKEN)
        .json(hook)
        .send()
        .await
        .expect(201);
    kick_off(&app, event).await;
    let mut listening = Listening::open_at(&app.client, &fan.token, "", None).await;
    change(&app, event, json!({"period": "first_half", "minute": 1})).await.expect(200);
    let told = listening.next().await;
    assert_eq!(
        (told.name.as_str(), playing(&told.data)),
        ("status", json!(["first_half", 1, NOW]))
    );
    for minute in 2..5 {
        app.advance(60);
        change(&app, event, json!({"minute": minute})).await.expect(200);
    }
    change(&app, event, json!({"home_score": 1, "away_score": 0})).await.expect(200);
    let told = listening.next().await;
    let at = "2026-11-15T12:03:00.000Z";
    assert_eq!((told.name.as_str(), playing(&told.data)), ("score", json!(["first_half", 4, at])));
    change(&app, event, json!({"minute": 9})).await.expect(200);
    let told = listening.next().await;
    assert_eq!((told.name.as_str(), playing(&told.data)), ("status", json!(["first_half", 9, at])));
    app.advance(1);
    app.run_jobs().await;
    assert_eq!(receiver.taken().len(), 3, "the kick-off, the first half and the jump");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_tells_the_minute_where_its_provider_does_and_writes_it_once() {
    let provider = Provider::start().await;
    let say = |status: &str, minute: Value| {
        let mut found = fd(1, "Northgate FC", "Southbank FC", EARLIER, status, full_time(0, 0));
        found["minute"] = minute;
        provider.answer(FOOTBALL_DATA_PATH, fd_document(&[found]));
    };
    say("IN_PLAY", json!(19));
    let app = app_with(&provider, FOOTBALL_DATA, &[]).await;
    let fan = app.log_in("+447700900123").await;
    assert_eq!(poll(&app, "").await["created"], 1);
    // A new match is first there, and then followed.
    let told = poll(&app, "").await;
    assert_eq!(
        told["differences"][0]["fields"],
        json!([{"field": "period", "from": "", "to": "first_half"},
               {"field": "minute", "from": "", "to": "19"}])
    );
    assert_eq!(shown(&app, &fan, 1).await, json!(["first_half", 19, NOW]));
    app.advance(30);
    assert_eq!(poll(&app, "").await["unchanged"], 1);
    say("PAUSED", json!(null));
    poll(&app, "").await;
    assert_eq!(shown(&app, &fan, 1).await, json!(["half_time", null, null]));
    say("IN_PLAY", json!(47));
    poll(&app, "").await;
    let at = "2026-11-15T12:00:30.000Z";
    assert_eq!(shown(&app, &fan, 1).await, json!(["second_half", 47, at]));
    say("FINISHED", json!(90));
    poll(&app, "").await;
    assert_eq!(shown(&app, &fan, 1).await, json!([null, null, null]));
}

#[tokio::test(flavor = "multi_thread")]
async fn added_time_counts_on() {
    let provider = Provider::start().await;
    let goals = json!({"home": 0, "away": 0});
    let mut found = af(1, "Northgate", "Southbank", EARLIER, "1H", goals);
    found["fixture"]["status"]["elapsed"] = json!(45);
    found["fixture"]["status"]["extra"] = json!(2);
    provider.answer(API_FOOTBALL_PATH, af_page(&[found], 1, 1));
    let app = app_with(&provider, "league = api_football:39:2026", &[]).await;
    let fan = app.log_in("+447700900123").await;
    poll(&app, "").await;
    poll(&app, "").await;
    assert_eq!(shown(&app, &fan, 1).await, json!(["first_half", 47, NOW]));
    assert_eq!(poll(&app, "").await["unchanged"], 1);
}
