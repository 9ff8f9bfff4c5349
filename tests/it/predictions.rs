//! Predictions before kick-off: making and replacing them.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use serde_json::{Value, json};
use touchline::features::events::{EventId, Score};
use touchline::features::predictions::{self, Confidence, Outcome, Pick, ScorePair};
use touchline::features::users::UserId;
use touchline::platform::clock::Timestamp;
use touchline::platform::db::params;

use crate::catalogue::{event, import};
use crate::harness::{Fan, OPERATOR_TOKEN, Reply, TestApp, eventually, together};

pub const KICK_OFF: &str = "2026-11-20T15:00:00.000Z";

/// An app with one match, and its id.
pub async fn with_match() -> (TestApp, i64) {
    let app = TestApp::new().await;
    let ids = import(&app, json!([event("m:1", KICK_OFF)])).await;
    let id = ids["events"]["m:1"].as_i64().unwrap();
    (app, id)
}

pub async fn predict(app: &TestApp, fan: &Fan, body: Value) -> Reply {
    app.client.post("/api/auth/predictions").token(&fan.token).json(body).send().await
}

pub async fn get(app: &TestApp, fan: &Fan, path: &str) -> Reply {
    app.client.get(path).token(&fan.token).send().await
}

/// Users who exist and have never logged in: `count` of them, the first with this id.
pub async fn users(app: &TestApp, first: i64, count: i64) {
    app.app
        .db
        .write(move |tx| {
            tx.exec(
                "INSERT INTO users (id, username, username_generated, created_at)
                 WITH RECURSIVE n(i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $1 + $2)
                 SELECT i, 'fan' || CAST(i AS TEXT), 0, 0 FROM n",
                params![first, count],
            )
        })
        .await
        .unwrap();
}

pub fn pick(outcome: Outcome, score: Option<(i64, i64)>, confidence: i64) -> Pick {
    let goals = |number| Score::try_from(number).unwrap();
    let score = score.map(|(home, away)| ScorePair { home: goals(home), away: goals(away) });
    Pick::new(outcome, score, Confidence::try_from(confidence).unwrap()).unwrap()
}

/// Predicts without a token; whether it was taken.
pub async fn place(app: &TestApp, user: i64, event: i64, pick: Pick) -> bool {
    let place = move |tx: &mut touchline::platform::db::Tx| {
        predictions::place_each(tx, &[(UserId(user), EventId(event), pick)])?.remove(0)
    };
    app.app.db.write(place).await.is_ok()
}

pub async fn assert_counters_are_exact(app: &TestApp) {
    let wrong = app
        .count(
            "SELECT count(*) FROM
               (SELECT event_id, sum(predictions) AS n, sum(home) AS h, sum(draw) AS d, sum(away) AS a,
                       sum(home_confidence) AS hc, sum(draw_confidence) AS dc, sum(away_confidence) AS ac
                FROM event_counters GROUP BY event_id) c
             FULL JOIN
               (SELECT event_id, count(*) AS n, count(*) FILTER (WHERE outcome = 'home') AS h,
                       count(*) FILTER (WHERE outcome = 'draw') AS d, count(*) FILTER (WHERE outcome = 'away') AS a,
                       COALESCE(sum(confidence) FILTER (WHERE outcome = 'home'), 0) AS hc,
                       COALESCE(sum(confidence) FILTER (WHERE outcome = 'draw'), 0) AS dc,
                       COALESCE(sum(confidence) FILTER (WHERE outcome = 'away'), 0) AS ac
                FROM predictions GROUP BY event_id) p ON p.event_id = c.event_id
             WHERE c.event_id IS NULL OR p.event_id IS NULL
                OR (c.n, c.h, c.d, c.a, c.hc, c.dc, c.ac) <> (p.n, p.h, p.d, p.a, p.hc, p.dc, p.ac)",
        )
        .await;
    assert_eq!(wrong, 0, "the counters differ from a recount");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_prediction_is_created_with_the_fields_of_the_interface() {
    let (app, event) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    let body = json!({"event_id": event, "prediction": "home", "confidence": 75,
                      "score_prediction": {"home": 2, "away": 1}});
    let reply = predict(&app, &fan, body).await.expect(201);
    let id = reply.body["data"]["id"].clone();
    assert!(reply.body["message"].is_string());
    assert_eq!(
        reply.body["data"],
        json!({"id": id, "user_id": fan.id, "event_id": event, "prediction": "home",
               "score_prediction": {"home": 2, "away": 1}, "confidence": 75, "points_earned": null,
               "created_at": "2026-11-15T12:00:00.000Z"})
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replacement_replaces_all_of_it_and_every_revision_is_kept() {
    let (app, event) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    let body = json!({"event_id": event, "prediction": "home", "confidence": 75,
                      "score_prediction": {"home": 2, "away": 1}});
    let first = predict(&app, &fan, body).await.expect(201).body["data"].clone();
    app.advance(60);
    let second = predict(&app, &fan, json!({"event_id": event, "prediction": "draw"})).await;
    let second = second.expect(200).body["data"].clone();
    assert_eq!((&second["id"], &second["created_at"]), (&first["id"], &first["created_at"]));
    assert_eq!(second["score_prediction"], Value::Null);
    assert_eq!(second["confidence"], 50);

    let shown =
        get(&app, &fan, &format!("/api/auth/predictions/{}", first["id"])).await.expect(200);
    insta::assert_json_snapshot!(shown.body["data"], @r#"
    {
      "confidence": 50,
      "created_at": "2026-11-15T12:00:00.000Z",
      "event_id": 1,
      "explanation": {
        "final_at": null,
        "rule": null,
        "scoring": null,
        "sentence": "No points yet: the match is not settled.",
        "settlement": "open",
        "settlement_version": null
      },
      "id": 1,
      "points_earned": null,
      "prediction": "draw",
      "revisions": [
        {
          "confidence": 75,
          "created_at": "2026-11-15T12:00:00.000Z",
          "prediction": "home",
          "score_prediction": {
            "away": 1,
            "home": 2
          }
        },
        {
          "confidence": 50,
          "created_at": "2026-11-15T12:01:00.000Z",
          "prediction": "draw",
          "score_prediction": null
        }
      ],
      "score_prediction": null,
      "updated_at": "2026-11-15T12:01:00.000Z",
      "user_id": 1
    }
    "#);
    let other = app.log_in("+447700900124").await;
    let shown =
        get(&app, &other, &format!("/api/auth/predictions/{}", first["id"])).await.expect(200);
    assert_eq!(shown.body["data"].get("revisions"), None);
    assert_counters_are_exact(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prediction_that_makes_no_sense_names_its_field() {
    let (app, event) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    for (field, body) in [
        ("event_id", json!({"prediction": "home"})),
        ("event_id", json!({"event_id": "one", "prediction": "home"})),
        ("prediction", json!({"event_id": event})),
        ("prediction", json!({"event_id": event, "prediction": "HOME"})),
        ("confidence", json!({"event_id": event, "prediction": "home", "confidence": 101})),
        ("confidence", json!({"event_id": event, "prediction": "home", "confidence": 50.5})),
        (
            "score_prediction",
            json!({"event_id": event, "prediction": "home", "score_prediction": "2-1"}),
        ),
        (
            "score_prediction",
            json!({"event_id": event, "prediction": "home",
                                    "score_prediction": {"home": 1, "away": 1}}),
        ),
        (
            "score_prediction.away",
            json!({"event_id": event, "prediction": "home", "score_prediction": {"home": 1}}),
        ),
        (
            "score_prediction.home",
            json!({"event_id": event, "prediction": "home",
                                         "score_prediction": {"home": 100, "away": 1}}),
        ),
    ] {
        predict(&app, &fan, body).await.expect_invalid(field);
    }
    assert_eq!(app.count("SELECT count(*) FROM predictions").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_match_is_not_found() {
    let (app, event) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    let body = json!({"event_id": event + 1, "prediction": "home"});
    predict(&app, &fan, body).await.expect_error(404, "not_found");
    get(&app, &fan, &format!("/api/auth/events/{}/predictions", event + 1)).await.expect(404);
    get(&app, &fan, "/api/auth/predictions/1").await.expect(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn from_kick_off_on_nothing_is_taken_whatever_the_status_says() {
    let (app, event) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    let body = json!({"event_id": event, "prediction": "home"});
    app.set_time("2026-11-20T14:59:59.999Z");
    predict(&app, &fan, body.clone()).await.expect(201);
    app.set_time(KICK_OFF);
    predict(&app, &fan, body).await.expect_error(400, "event_started");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_that_is_live_early_or_void_takes_nothing() {
    let app = TestApp::new().await;
    let ids =
        import(&app, json!([event("m:1", KICK_OFF), event("m:2", "2026-11-21T15:00:00Z")])).await;
    let fan = app.log_in("+447700900123").await;
    let live = format!("/api/admin/events/{}", ids["events"]["m:1"]);
    app.client
        .patch(&live)
        .token(OPERATOR_TOKEN)
        .json(json!({"status": "live"}))
        .send()
        .await
        .expect(200);
    let void = format!("/api/admin/events/{}/void", ids["events"]["m:2"]);
    app.client
        .post(&void)
        .token(OPERATOR_TOKEN)
        .json(json!({"reason": "Snow"}))
        .send()
        .await
        .expect(200);
    for key in ["m:1", "m:2"] {
        let body = json!({"event_id": ids["events"][key], "prediction": "home"});
        predict(&app, &fan, body).await.expect_error(400, "event_started");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_predicts_once() {
    let (app, event) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    let post = || {
        app.client
            .post("/api/auth/predictions")
            .token(&fan.token)
            .header("Idempotency-Key", "k-1")
            .json(json!({"event_id": event, "prediction": "home"}))
            .send()
    };
    let first = post().await.expect(201);
    let again = post().await.expect(201);
    assert_eq!(
        (first.text, again.header("idempotent-replayed")),
        (again.text.clone(), Some("true"))
    );
    assert_eq!(app.count("SELECT count(*) FROM prediction_revisions").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prediction_that_is_answered_is_in_the_next_list_of_matches() {
    let (app, event) = with_match().await;
    let reader = app.log_in(&TestApp::phone(1)).await;
    for number in 1..=40 {
        let fan = app.log_in(&TestApp::phone(100 + number)).await;
        let body = json!({"event_id": event, "prediction": "home"});
        let call = app.client.post("/api/auth/predictions").token(&fan.token).json(body);
        call.send().await.expect(201);
        let list = app.client.get("/api/auth/events").token(&reader.token).send().await.expect(200);
        assert_eq!(list.body["data"][0]["predictions_count"], number);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn writers_that_hammer_across_kick_off_store_nothing_at_or_after_it() {
    let (app, event) = with_match().await;
    users(&app, 1_000, 8).await;
    app.set_time("2026-11-20T14:59:59.900Z");
    let is_over = AtomicBool::new(false);
    let (taken, refused) = ([const { AtomicI64::new(0) }; 8], [const { AtomicI64::new(0) }; 8]);
    let (app, is_over, taken, refused) = (&app, &is_over, &taken, &refused);
    let hammer = |writer: usize| async move {
        while !is_over.load(Ordering::SeqCst) {
            let user = 1_000 + i64::try_from(writer).unwrap();
            let is_taken = place(app, user, event, pick(Outcome::Home, None, 50)).await;
            let count = if is_taken { &taken[writer] } else { &refused[writer] };
            count.fetch_add(1, Ordering::SeqCst);
        }
    };
    // However busy the machine is, everybody writes before kick-off and after it.
    let clock = async {
        for counts in [taken, refused] {
            let all_wrote = || counts.iter().all(|count| count.load(Ordering::SeqCst) > 0);
            eventually(|| async { all_wrote().then_some(()) }).await;
            for _ in 0..200 {
                app.clock.advance(std::time::Duration::from_millis(1));
                tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            }
        }
        is_over.store(true, Ordering::SeqCst);
    };
    tokio::join!(together(8, hammer), clock);
    let kick_off = Timestamp::parse(KICK_OFF).unwrap().as_millis();
    let stamps = app
        .app
        .db
        .read(move |tx| {
            tx.one::<(i64, i64)>(
                "SELECT count(*) FILTER (WHERE created_at >= $1), count(*) FROM prediction_revisions",
                params![kick_off],
            )
        })
        .await
        .unwrap();
    assert_eq!(stamps, (0, taken.iter().map(|count| count.load(Ordering::SeqCst)).sum()));
    assert_counters_are_exact(app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn counters_are_exact_after_sixty_four_writers_replace_on_one_match_at_once() {
    let (app, event) = with_match().await;
    users(&app, 1_000, 16).await;
    // Four writers for each user, so that replacements of one prediction meet too.
    together(64, |writer| {
        let app = &app;
        async move {
            let writer = i64::try_from(writer).unwrap();
            for round in 0..8 {
                let outcomes = [Outcome::Home, Outcome::Draw, Outcome::Away];
                let outcome = outcomes[usize::try_from((writer * 7 + round) % 3).unwrap()];
                let pick = pick(outcome, None, (writer * 13 + round * 5) % 101);
                assert!(place(app, 1_000 + writer % 16, event, pick).await);
            }
        }
    })
    .await;
    assert_eq!(app.count("SELECT count(*) FROM prediction_revisions").await, 512);
    assert_eq!(app.count("SELECT CAST(sum(predictions) AS BIGINT) FROM event_counters").await, 16);
    assert_counters_are_exact(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_live_stream_is_told_the_count_at_most_once_a_second() {
    let (app, event) = with_match().await;
    app.run_jobs().await;
    users(&app, 1_000, 3).await;
    let told = "SELECT data FROM event_feed WHERE kind = 'predictions' ORDER BY id";
    for user in 1_000..1_003 {
        place(&app, user, event, pick(Outcome::Home, None, 50)).await;
        app.run_jobs().await;
    }
    assert_eq!(app.texts(told).await.len(), 0);
    app.advance(1);
    app.run_jobs().await;
    place(&app, 1_000, event, pick(Outcome::Home, None, 90)).await;
    app.advance(1);
    app.run_jobs().await;
    let told: Vec<Value> =
        app.texts(told).await.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
    assert_eq!(
        told,
        [json!({"event_id": event, "predictions_count": 3,
                "prediction_distribution": {"home": 3, "draw": 0, "away": 0}})]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn predictions_are_exported_and_stay_under_the_pseudonym_of_whoever_left() {
    let (app, event) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    let other = app.log_in("+447700900124").await;
    predict(&app, &fan, json!({"event_id": event, "prediction": "home"})).await.expect(201);
    let export = get(&app, &fan, "/api/auth/export").await.expect(200);
    assert_eq!(export.body["data"]["predictions"][0]["event_id"], event);
    app.client.delete("/api/auth/me").token(&fan.token).send().await.expect(200);
    let list =
        get(&app, &other, &format!("/api/auth/events/{event}/predictions")).await.expect(200);
    assert_eq!(list.body["meta"]["total_predictions"], 1);
    assert_ne!(list.body["data"][0]["user"]["username"], fan.username.as_str());
}
