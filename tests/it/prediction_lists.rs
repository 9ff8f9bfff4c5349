//! Lists of predictions: what they show, whole at any length, and never older than what their reader was told before.

use serde_json::{Value, json};
use touchline::features::events::EventId;
use touchline::features::predictions::Outcome;
use touchline::features::room_figures::{self, Shown};
use touchline::features::users::UserId;
use touchline::platform::db::params;

use crate::catalogue::{event, import};
use crate::harness::{Fan, Reply, TestApp, together};
use crate::predictions::{KICK_OFF, get, pick, place, predict, users, with_match};
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

#[tokio::test(flavor = "multi_thread")]
async fn an_events_list_has_the_fields_of_the_interface_and_filters_narrow_data_and_meta_alike() {
    let (app, event) = with_match().await;
    let ana = app.log_in("+447700900123").await;
    let ben = app.log_in("+447700900124").await;
    let cleo = app.log_in("+447700900125").await;
    for (fan, prediction, confidence) in
        [(&ana, "home", 70), (&ben, "home", 65), (&cleo, "away", 65)]
    {
        let body = json!({"event_id": event, "prediction": prediction, "confidence": confidence});
        predict(&app, fan, body).await.expect(201);
    }
    let path = format!("/api/auth/events/{event}/predictions");
    let all = get(&app, &ana, &path).await.expect(200).body;
    assert_eq!(
        all["data"][0],
        json!({"id": all["data"][0]["id"], "user": {"id": ana.id, "username": ana.username, "name": null},
               "prediction": "home", "score_prediction": null, "confidence": 70, "points_earned": null,
               "created_at": "2026-11-15T12:00:00.000Z"})
    );
    assert_eq!(
        all["meta"],
        json!({"total_predictions": 3, "prediction_distribution": {"home": 2, "draw": 0, "away": 1},
               "average_confidence": 66.67})
    );
    let who = |reply: &Value| -> Vec<i64> {
        reply["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["user"]["id"].as_i64().unwrap())
            .collect()
    };
    for (query, expected, meta) in [
        ("?prediction=home", vec![ana.id, ben.id], json!([2, 2, 0, 67.5])),
        ("?prediction=draw", vec![], json!([0, 0, 0, 0.0])),
        (&format!("?user_id={}", cleo.id), vec![cleo.id], json!([1, 0, 1, 65.0])),
        (&format!("?user_id={}&prediction=home", cleo.id), vec![], json!([0, 0, 0, 0.0])),
    ] {
        let reply = get(&app, &ana, &format!("{path}{query}")).await.expect(200).body;
        assert_eq!(who(&reply), expected, "{query}");
        let told = &reply["meta"];
        let told = json!([
            told["total_predictions"],
            told["prediction_distribution"]["home"],
            told["prediction_distribution"]["away"],
            told["average_confidence"]
        ]);
        assert_eq!(told, meta, "{query}");
    }
    get(&app, &ana, &format!("{path}?prediction=HOME")).await.expect_invalid("prediction");
    get(&app, &ana, &format!("{path}?user_id=x")).await.expect_invalid("user_id");
    let event = get(&app, &ana, &format!("/api/auth/events/{event}")).await.expect(200).body;
    assert_eq!(event["data"]["predictions_count"], 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_put_together_are_the_list_and_meta_covers_all_of_it() {
    let (app, event) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    users(&app, 1_000, 45).await;
    for user in 1_000..1_045 {
        let outcome = if user % 3 == 0 { Outcome::Draw } else { Outcome::Home };
        assert!(place(&app, user, event, pick(outcome, None, 50)).await);
    }
    for filter in ["?", "?prediction=home&", "?prediction=draw&"] {
        let path = format!("/api/auth/events/{event}/predictions{filter}");
        let whole = get(&app, &fan, &path).await.expect(200).body;
        let mut pieced = Vec::new();
        for page in 1..=6 {
            let reply =
                get(&app, &fan, &format!("{path}page={page}&per_page=9")).await.expect(200).body;
            for (field, value) in whole["meta"].as_object().unwrap() {
                assert_eq!(&reply["meta"][field], value, "{filter} page {page}");
            }
            assert_eq!(reply["meta"]["current_page"], page);
            pieced.extend(reply["data"].as_array().unwrap().clone());
        }
        assert_eq!(&pieced, whole["data"].as_array().unwrap(), "{filter}");
    }
    let path = format!("/api/auth/events/{event}/predictions?page=0");
    get(&app, &fan, &path).await.expect_invalid("page");
}

#[tokio::test(flavor = "multi_thread")]
async fn my_predictions_come_newest_first_and_can_be_narrowed() {
    let app = TestApp::new().await;
    let ids =
        import(&app, json!([event("m:1", KICK_OFF), event("m:2", "2026-11-21T15:00:00Z")])).await;
    let fan = app.log_in("+447700900123").await;
    let other = app.log_in("+447700900124").await;
    for key in ["m:1", "m:2"] {
        let body = json!({"event_id": ids["events"][key], "prediction": "home"});
        predict(&app, &fan, body.clone()).await.expect(201);
        predict(&app, &other, body).await.expect(201);
    }
    let events = |reply: Reply| -> Vec<Value> {
        reply.body["data"].as_array().unwrap().iter().map(|row| row["event_id"].clone()).collect()
    };
    let (one, two) = (ids["events"]["m:1"].clone(), ids["events"]["m:2"].clone());
    for (query, expected) in [
        (String::new(), vec![two.clone(), one.clone()]),
        (format!("?event_id={one}"), vec![one.clone()]),
        (format!("?tournament_id={}", ids["tournaments"]["cup"]), vec![]),
        ("?prediction=away".to_owned(), vec![]),
        ("?settled=false".to_owned(), vec![two.clone(), one.clone()]),
        ("?settled=true".to_owned(), vec![]),
        ("?page=2&per_page=1".to_owned(), vec![one.clone()]),
        ("?page=3&per_page=1".to_owned(), vec![]),
        (
            format!("?tournament_id={}", ids["tournaments"]["league"]),
            vec![two.clone(), one.clone()],
        ),
    ] {
        let reply = get(&app, &fan, &format!("/api/auth/predictions{query}")).await.expect(200);
        assert_eq!(events(reply), expected, "{query}");
    }
    for (query, total) in [("?per_page=1", 2), ("?page=9", 2), ("?prediction=away", 0)] {
        let reply = get(&app, &fan, &format!("/api/auth/predictions{query}")).await.expect(200);
        for (field, value) in [
            ("total_predictions", total),
            ("total", total),
            ("settled_predictions", 0),
            ("points_earned", 0),
        ] {
            assert_eq!(reply.body["meta"][field], value, "{query} {field}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_list_of_my_predictions_is_sent_whole_with_its_totals() {
    let app = TestApp::new().await;
    let keys: Vec<String> = (0..250).map(|n| format!("m:{n}")).collect();
    import(&app, keys.iter().map(|key| event(key, KICK_OFF)).collect()).await;
    let fan = app.log_in("+447700900123").await;
    let predict_all =
        "INSERT INTO predictions (event_id, user_id, outcome, confidence, revision, created_at, updated_at, is_late,
                settlement_version)
         SELECT e.id, u.id, 'draw', 50, 1, 0, 0, 0, 0 FROM events e, users u";
    app.app.db.write(|tx| tx.exec(predict_all, params![])).await.unwrap();
    let reply = get(&app, &fan, "/api/auth/predictions").await.expect(200);
    let ids: Vec<i64> = reply.body["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["id"].as_i64().unwrap())
        .collect();
    assert_eq!(ids.len(), 250);
    assert!(ids.is_sorted_by(|a, b| a > b));
    assert_eq!(reply.body["meta"]["total_predictions"], 250);
    assert_eq!(
        (&reply.body["meta"]["per_page"], &reply.body["meta"]["last_page"]),
        (&json!(250), &json!(1))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_shows_its_members_and_the_events_own_room_everybody() {
    let (app, event) = with_match().await;
    users(&app, 1_000, 5).await;
    for (user, outcome) in
        (1_000..).zip([Outcome::Home, Outcome::Home, Outcome::Draw, Outcome::Away, Outcome::Away])
    {
        assert!(place(&app, user, event, pick(outcome, None, 50)).await);
    }
    let read = |shown: Shown| {
        app.app.db.read(move |tx| {
            let mut users = Vec::new();
            room_figures::walk(tx, &shown, None, |row| {
                users.push(row.user.id.0);
                Ok(())
            })?;
            let totals = room_figures::totals(tx, &shown)?;
            Ok((users, [totals.all(), totals.home, totals.draw, totals.away]))
        })
    };
    let event = EventId(event);
    let members = Shown::Members(event, vec![UserId(1_003), UserId(1_000), UserId(9)]);
    assert_eq!(read(members).await.unwrap(), (vec![1_000, 1_003], [2, 1, 0, 1]));
    let everybody = read(Shown::Everybody(event)).await.unwrap();
    assert_eq!(everybody, ((1_000..1_005).collect(), [5, 2, 1, 2]));
    assert_eq!(read(Shown::Nothing).await.unwrap(), (vec![], [0, 0, 0, 0]));
}
