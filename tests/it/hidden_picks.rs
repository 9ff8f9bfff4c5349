//! Where the operator hides predictions until kick-off, everybody sees the counts and their own.

use serde_json::{Value, json};

use crate::catalogue::{event, import};
use crate::chat_rooms::{create, in_room};
use crate::harness::{Fan, OPERATOR_TOKEN, TestApp, escape};
use crate::predictions::{KICK_OFF, get, predict};

/// A match that Ana says is won at home and Ben says is drawn.
struct Picks {
    app: TestApp,
    event: i64,
    ana: Fan,
    ben: Fan,
    bens_id: i64,
}

async fn hidden() -> Picks {
    let app = TestApp::with(&[("TOUCHLINE_PREDICTIONS__VISIBILITY", "after_kick_off")]).await;
    let ids = import(&app, json!([event("m:1", KICK_OFF)])).await;
    let event = ids["events"]["m:1"].as_i64().unwrap();
    let (ana, ben) = (app.log_in("+447700900123").await, app.log_in("+447700900124").await);
    predict(&app, &ana, json!({"event_id": event, "prediction": "home"})).await.expect(201);
    let bens = predict(&app, &ben, json!({"event_id": event, "prediction": "draw"})).await;
    let bens_id = bens.expect(201).body["data"]["id"].as_i64().unwrap();
    Picks { app, event, ana, ben, bens_id }
}

impl Picks {
    async fn list(&self, query: &str) -> Value {
        let path = format!("/api/auth/events/{}/predictions{query}", self.event);
        get(&self.app, &self.ana, &path).await.expect(200).body
    }

    async fn status_of_bens(&self) -> u16 {
        get(&self.app, &self.ana, &format!("/api/auth/predictions/{}", self.bens_id)).await.status
    }
}

fn picks(list: &Value) -> Vec<&str> {
    let rows = list["data"].as_array().unwrap().iter();
    rows.map(|row| row["prediction"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn before_kick_off_a_list_has_the_callers_own_and_counts_everybodys() {
    let match_day = hidden().await;
    let list = match_day.list("").await;
    assert_eq!(picks(&list), ["home"]);
    assert_eq!(list["meta"]["total_predictions"], 2);
    let distribution = json!({"home": 1, "draw": 1, "away": 0});
    assert_eq!(list["meta"]["prediction_distribution"], distribution);
    let page = match_day.list("?page=1&per_page=1").await;
    assert_eq!(picks(&page), ["home"]);
    assert_eq!((&page["meta"]["total"], &page["meta"]["last_page"]), (&json!(1), &json!(1)));
    assert_eq!(picks(&match_day.list("?page=2&per_page=1").await), Vec::<&str>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_filter_tells_what_somebody_else_predicted() {
    let match_day = hidden().await;
    let bens = match_day.list(&format!("?user_id={}", match_day.ben.id)).await;
    let nobodys = match_day.list("?user_id=999999").await;
    assert_eq!(bens, nobodys);
    assert_eq!(bens["meta"]["total_predictions"], 0);
    assert_eq!(picks(&match_day.list("?prediction=draw").await), Vec::<&str>::new());
    let own = match_day.list(&format!("?user_id={}&prediction=home", match_day.ana.id)).await;
    assert_eq!((picks(&own), &own["meta"]["total_predictions"]), (vec!["home"], &json!(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_elses_prediction_is_not_there_until_kick_off() {
    let match_day = hidden().await;
    assert_eq!(match_day.status_of_bens().await, 404);
    match_day.app.set_time(KICK_OFF);
    assert_eq!(match_day.status_of_bens().await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn from_kick_off_on_everybody_sees_all() {
    let match_day = hidden().await;
    assert_eq!(picks(&match_day.list("").await), ["home"]);
    // The clock alone decides, before any job has made the match live.
    match_day.app.set_time(KICK_OFF);
    assert_eq!(picks(&match_day.list("").await), ["home", "draw"]);
    let bens = match_day.list(&format!("?user_id={}", match_day.ben.id)).await;
    assert_eq!(picks(&bens), ["draw"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_without_a_confirmed_time_hides_them_although_the_old_time_has_passed() {
    let match_day = hidden().await;
    let path = format!("/api/admin/events/{}", match_day.event);
    let call = match_day.app.client.patch(&path).token(OPERATOR_TOKEN);
    call.json(json!({"start_time_confirmed": false})).send().await.expect(200);
    match_day.app.set_time("2026-11-21T15:00:00.000Z");
    assert_eq!(picks(&match_day.list("").await), ["home"]);
    assert_eq!(match_day.status_of_bens().await, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_hide_them_too() {
    let Picks { app, event, ana, ben, .. } = hidden().await;
    let made = create(&app, &ana, json!({"name": "Away end", "event_id": event})).await.expect(201);
    let room = made.body["data"]["room_id"].as_str().unwrap().to_owned();
    in_room(&app, &ben, &room, "join").await.expect(200);
    app.run_jobs().await;
    let shown = get(&app, &ana, &format!("/api/auth/events/{event}")).await.expect(200).body;
    let own_room = shown["data"]["chat_room_id"].as_str().unwrap().to_owned();
    for room in [room, own_room] {
        let path = format!("/api/auth/chat-rooms/{}/predictions", escape(&room));
        let before = get(&app, &ana, &path).await.expect(200).body;
        assert_eq!(
            (picks(&before), &before["meta"]["total_predictions"]),
            (vec!["home"], &json!(2))
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn as_the_service_comes_everybody_sees_all() {
    let app = TestApp::new().await;
    let ids = import(&app, json!([event("m:1", KICK_OFF)])).await;
    let event = ids["events"]["m:1"].as_i64().unwrap();
    let (ana, ben) = (app.log_in("+447700900123").await, app.log_in("+447700900124").await);
    predict(&app, &ana, json!({"event_id": event, "prediction": "home"})).await.expect(201);
    let list = get(&app, &ben, &format!("/api/auth/events/{event}/predictions")).await;
    assert_eq!(picks(&list.expect(200).body), ["home"]);
}
