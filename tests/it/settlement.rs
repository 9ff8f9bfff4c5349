//! What predictions earn: settlement and its corrections. Random histories and crowds have files of their own.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use touchline::features::predictions::Outcome;
use touchline::platform::db::params;

use crate::catalogue::{event, event_with, import};
use crate::harness::{OPERATOR_TOKEN, Reply, TestApp};
use crate::predictions::{
    KICK_OFF, assert_counters_are_exact, get, pick, place, predict, users, with_match,
};

pub async fn operate(app: &TestApp, event: i64, what: &str, body: Value) -> Reply {
    let path = format!("/api/admin/events/{event}{what}");
    let call = if what.is_empty() { app.client.patch(&path) } else { app.client.post(&path) };
    call.token(OPERATOR_TOKEN).json(body).send().await
}

pub async fn finish(app: &TestApp, event: i64, home: i64, away: i64) {
    let body = json!({"home_score": home, "away_score": away});
    operate(app, event, "/result", body).await.expect(200);
    app.run_jobs().await;
}

/// Points by user, in the order of the users.
async fn points(app: &TestApp) -> Vec<(i64, Option<i64>)> {
    app.app
        .db
        .read(|tx| {
            tx.all("SELECT user_id, points FROM predictions ORDER BY event_id, user_id", params![])
        })
        .await
        .unwrap()
}

/// What was counted as it came, and the recount that it is to equal.
const ADDED_UP: &[(&str, &str, &str)] = &[
    (
        "what was counted",
        "SELECT id, tier, points, CASE WHEN tier IS NOT NULL THEN confidence END FROM predictions",
        "SELECT id, counted_tier, counted_points, counted_confidence FROM predictions",
    ),
    (
        "the event's points",
        "SELECT event_id, points, tier, predictions FROM settlement_points",
        "SELECT event_id, points, tier, count(*) FROM predictions WHERE points IS NOT NULL
         GROUP BY event_id, points, tier",
    ),
    (
        "the standings of everything",
        "SELECT s.user_id, s.settled, s.correct, s.exact, s.points - s.tip_points, s.brier
         FROM standings s JOIN boards b ON b.id = s.board_id
         WHERE b.tournament_id = 0 AND b.period = 'all' AND s.settled > 0",
        "SELECT user_id, count(*), sum(CASE WHEN tier > 0 THEN 1 ELSE 0 END), sum(CASE WHEN tier = 3 THEN 1 ELSE 0 END),
                sum(points), sum(CASE WHEN tier > 0 THEN (confidence - 100) * (confidence - 100)
                                      ELSE confidence * confidence END)
         FROM predictions WHERE points IS NOT NULL GROUP BY user_id",
    ),
    (
        "the standings of the weeks",
        "SELECT s.user_id, b.starts_at, s.settled, s.points - s.tip_points FROM standings s JOIN boards b ON b.id = s.board_id
         WHERE b.tournament_id = 0 AND b.period = 'week' AND s.settled > 0",
        "SELECT p.user_id, (e.start_time + 259200000) / 604800000 * 604800000 - 259200000 AS week, count(*), sum(p.points)
         FROM predictions p JOIN events e ON e.id = p.event_id WHERE p.points IS NOT NULL GROUP BY p.user_id, week",
    ),
    (
        "the standings of the tournaments",
        "SELECT s.user_id, b.tournament_id, s.settled, s.points - s.tip_points FROM standings s JOIN boards b ON b.id = s.board_id
         WHERE b.tournament_id > 0 AND b.period = 'all' AND s.settled > 0",
        "SELECT p.user_id, e.tournament_id, count(*), sum(p.points)
         FROM predictions p JOIN events e ON e.id = p.event_id WHERE p.points IS NOT NULL
         GROUP BY p.user_id, e.tournament_id",
    ),
    (
        "the tips of the standings",
        "SELECT board_id, user_id, tips, tip_points FROM standings WHERE tips <> 0 OR tip_points <> 0",
        "SELECT CAST(b.value AS BIGINT), t.user_id, count(*), sum(t.points)
         FROM questions q CROSS JOIN json_each(q.boards) b JOIN question_tips t ON t.question_id = q.id
         WHERE t.points IS NOT NULL GROUP BY CAST(b.value AS BIGINT), t.user_id",
    ),
    (
        "standings of nothing",
        "SELECT board_id, user_id FROM standings WHERE settled = 0 AND tips = 0",
        "SELECT board_id, user_id FROM standings WHERE settled < 0",
    ),
    (
        "what was counted of tips",
        "SELECT id, points FROM question_tips",
        "SELECT id, counted_points FROM question_tips",
    ),
    (
        "the places",
        "SELECT board_id, points, users FROM standing_counts WHERE users <> 0",
        "SELECT board_id, points, count(*) FROM standings GROUP BY board_id, points",
    ),
    (
        "the calibration",
        "SELECT user_id, decile, settled, correct FROM calibration WHERE settled <> 0 OR correct <> 0",
        "SELECT user_id, CASE WHEN confidence = 100 THEN 9 ELSE confidence / 10 END AS d, count(*),
                sum(CASE WHEN tier > 0 THEN 1 ELSE 0 END)
         FROM predictions WHERE points IS NOT NULL GROUP BY user_id, d",
    ),
];

/// Everything that adds up from predictions is what a recount gives.
pub async fn assert_adds_up(app: &TestApp) {
    assert_counters_are_exact(app).await;
    for (what, kept, recount) in ADDED_UP {
        for (one, other) in [(kept, recount), (recount, kept)] {
            let sql = format!(
                "SELECT count(*) FROM (SELECT * FROM ({one}) a EXCEPT SELECT * FROM ({other}) b) c"
            );
            let differences = app.count(Box::leak(sql.into_boxed_str())).await;
            assert_eq!(differences, 0, "{what} differ from a recount");
        }
    }
    assert_runs_are_right(app).await;
}

/// Runs that are not to be walked anew are what walking gives.
async fn assert_runs_are_right(app: &TestApp) {
    let (kept, counted) = app
        .app
        .db
        .read(|tx| {
            let kept: Vec<(i64, i64, i64)> = tx.all(
                "SELECT user_id, current_run, best_run FROM prediction_runs WHERE is_stale = 0",
                params![],
            )?;
            let counted: Vec<(i64, i64)> = tx.all(
                "SELECT p.user_id, p.tier FROM predictions p JOIN events e ON e.id = p.event_id
                 WHERE p.tier IS NOT NULL ORDER BY p.user_id, e.start_time, e.id",
                params![],
            )?;
            Ok((kept, counted))
        })
        .await
        .unwrap();
    let mut walked: BTreeMap<i64, (i64, i64)> = BTreeMap::new();
    for (user, tier) in counted {
        let (current, best) = walked.entry(user).or_default();
        *current = if tier > 0 { *current + 1 } else { 0 };
        *best = (*best).max(*current);
    }
    for (user, current, best) in kept {
        assert_eq!((current, best), walked.get(&user).copied().unwrap_or_default(), "user {user}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_gives_points_by_the_tournaments_preset() {
    let app = TestApp::new().await;
    let cup = event_with("m:2", KICK_OFF, json!({"tournament": "cup"}));
    let ids = import(&app, json!([event("m:1", KICK_OFF), cup])).await;
    users(&app, 1_000, 5).await;
    let events = ["m:1", "m:2"].map(|key| ids["events"][key].as_i64().unwrap());
    let picks = [
        pick(Outcome::Home, Some((2, 1)), 50),
        pick(Outcome::Home, Some((3, 2)), 50),
        pick(Outcome::Home, Some((3, 0)), 50),
        pick(Outcome::Home, None, 100),
        pick(Outcome::Draw, Some((1, 1)), 50),
    ];
    for event in events {
        for (user, pick) in (1_000..).zip(picks) {
            assert!(place(&app, user, event, pick).await);
        }
        finish(&app, event, 2, 1).await;
    }
    let earned: Vec<i64> = points(&app).await.iter().map(|(_, points)| points.unwrap()).collect();
    assert_eq!(earned, [6, 4, 3, 3, 0, 4, 3, 2, 2, 0]);
    assert_adds_up(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prediction_says_why_it_earned_what_it_earned_and_when_that_is_final() {
    let (app, event) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    let body = json!({"event_id": event, "prediction": "home", "score_prediction": {"home": 3, "away": 2}});
    let id = predict(&app, &fan, body).await.expect(201).body["data"]["id"].clone();
    let path = format!("/api/auth/predictions/{id}");
    let explanation =
        || async { get(&app, &fan, &path).await.expect(200).body["data"]["explanation"].clone() };
    assert_eq!(explanation().await["settlement"], "open");
    app.set_time("2026-11-20T17:00:00Z");
    finish(&app, event, 2, 1).await;
    assert_eq!(
        explanation().await,
        json!({"sentence": "Right goal difference: 4 points by the classic rules.", "rule": "difference",
               "scoring": "classic", "settlement_version": 1, "settlement": "provisional",
               "final_at": "2026-11-20T18:00:00.000Z"})
    );
    // A correction begins the hour anew.
    app.set_time("2026-11-20T17:30:00Z");
    finish(&app, event, 3, 2).await;
    app.set_time("2026-11-20T18:00:00Z");
    app.run_jobs().await;
    assert_eq!(explanation().await["settlement"], "provisional");
    app.set_time("2026-11-20T18:30:00Z");
    app.run_jobs().await;
    let last = explanation().await;
    assert_eq!((&last["settlement"], &last["rule"]), (&json!("final"), &json!("exact")));
    let told = app.texts("SELECT data FROM event_feed WHERE kind = 'settlement' ORDER BY id").await;
    let states: Vec<Value> = told
        .iter()
        .map(|text| serde_json::from_str::<Value>(text).unwrap()["settlement"].clone())
        .collect();
    assert_eq!(states, ["provisional", "provisional", "final"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_void_takes_points_back_to_null_and_its_end_gives_them_again() {
    let (app, event) = with_match().await;
    users(&app, 1_000, 3).await;
    for (user, outcome) in (1_000..).zip([Outcome::Home, Outcome::Draw, Outcome::Away]) {
        assert!(place(&app, user, event, pick(outcome, None, 80)).await);
    }
    finish(&app, event, 1, 0).await;
    let settled = points(&app).await;
    operate(&app, event, "/void", json!({"reason": "Ineligible player"})).await.expect(200);
    app.run_jobs().await;
    assert_eq!(points(&app).await, [(1_000, None), (1_001, None), (1_002, None)]);
    assert_adds_up(&app).await;
    assert_eq!(app.count("SELECT count(*) FROM standings").await, 0);
    operate(&app, event, "", json!({"status": "finished"})).await.expect(200);
    app.run_jobs().await;
    assert_eq!(points(&app).await, settled);
    assert_adds_up(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kick_off_moved_earlier_voids_what_was_predicted_after_it_and_moved_back_restores_it() {
    let (app, event) = with_match().await;
    let early = app.log_in("+447700900123").await;
    let late = app.log_in("+447700900124").await;
    app.set_time("2026-11-20T12:00:00Z");
    predict(&app, &early, json!({"event_id": event, "prediction": "home"})).await.expect(201);
    app.set_time("2026-11-20T13:00:00Z");
    predict(&app, &late, json!({"event_id": event, "prediction": "home"})).await.expect(201);
    let path = format!("/api/auth/events/{event}/predictions");
    let shown = || async {
        let rows = get(&app, &early, &path).await.expect(200).body["data"].clone();
        [0, 1].map(|at: usize| {
            (rows[at]["points_earned"].clone(), rows[at]["void_reason"].is_string())
        })
    };
    app.set_time("2026-11-20T13:30:00Z");
    let moved = json!({"start_time": "2026-11-20T13:00:00Z"});
    operate(&app, event, "", moved).await.expect(200);
    app.run_jobs().await;
    assert_eq!(shown().await, [(Value::Null, false), (Value::Null, true)]);
    finish(&app, event, 1, 0).await;
    assert_eq!(shown().await, [(json!(3), false), (Value::Null, true)]);
    assert_adds_up(&app).await;
    // The operator had the day right and the hour wrong.
    operate(&app, event, "", json!({"start_time": "2026-11-20T13:15:00Z"})).await.expect(200);
    app.run_jobs().await;
    assert_eq!(shown().await, [(json!(3), false), (json!(3), false)]);
    assert_adds_up(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_that_turns_out_to_have_been_played_in_another_week_moves_between_the_boards() {
    let (app, event) = with_match().await;
    users(&app, 1_000, 2).await;
    for user in 1_000..1_002 {
        assert!(place(&app, user, event, pick(Outcome::Home, None, 50)).await);
    }
    app.set_time("2026-11-30T12:00:00Z");
    finish(&app, event, 1, 0).await;
    operate(&app, event, "", json!({"start_time": "2026-11-25T15:00:00Z"})).await.expect(200);
    app.run_jobs().await;
    assert_adds_up(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_tells_what_a_result_would_do_and_changes_nothing() {
    let (app, event) = with_match().await;
    users(&app, 1_000, 4).await;
    for (user, pick) in (1_000..).zip([
        pick(Outcome::Home, Some((2, 1)), 50),
        pick(Outcome::Home, None, 50),
        pick(Outcome::Home, None, 50),
        pick(Outcome::Away, None, 50),
    ]) {
        assert!(place(&app, user, event, pick).await);
    }
    let path = format!("/api/admin/events/{event}/settlement");
    let call = |query: &str| app.client.get(&format!("{path}{query}")).token(OPERATOR_TOKEN).send();
    let preview =
        call("?home_score=2&away_score=1&per_page=3").await.expect(200).body["data"].clone();
    assert_eq!(
        preview["totals"],
        json!([{"rule": "exact", "points": 6, "predictions": 1}, {"rule": "outcome", "points": 3, "predictions": 2},
               {"rule": "nothing", "points": 0, "predictions": 1}])
    );
    assert_eq!(
        (&preview["total_points"], &preview["settled_predictions"]),
        (&json!(12), &json!(4))
    );
    assert_eq!(preview["predictions"].as_array().unwrap().len(), 3);
    let next = format!("?home_score=2&away_score=1&per_page=3&after={}", preview["next_after"]);
    let rest = call(&next).await.expect(200).body["data"].clone();
    assert_eq!(
        (rest["predictions"][0]["points"].clone(), &rest["next_after"]),
        (json!(0), &Value::Null)
    );
    assert!(points(&app).await.iter().all(|(_, points)| points.is_none()));
    assert_eq!(
        app.count("SELECT count(*) FROM audit_log WHERE action = 'event.preview_settlement'").await,
        2
    );
    call("?home_score=2").await.expect_invalid("away_score");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_of_a_correction_tells_who_gains_who_loses_and_who_would_lead() {
    let (app, event) = with_match().await;
    users(&app, 1_000, 14).await;
    let outcomes = [(Outcome::Home, (2, 1)), (Outcome::Draw, (1, 1)), (Outcome::Away, (0, 1))];
    for (user, (outcome, score)) in (1_000..1_012).zip(outcomes.into_iter().cycle()) {
        assert!(place(&app, user, event, pick(outcome, Some(score), 50)).await);
    }
    let path = format!("/api/admin/events/{event}/settlement?home_score=1&away_score=1");
    let call = || app.client.get(&path).token(OPERATOR_TOKEN).send();
    let first = call().await.expect(200).body["data"].clone();
    // Nothing is settled: what would be nought is new as well.
    let expected =
        json!({"predictions": 12, "up": 4, "down": 0, "points_up": 24, "points_down": 0});
    assert_eq!(first["changes"], expected);
    assert_eq!(first["first_ten"]["before"], json!([]));

    app.set_time("2026-11-20T17:00:00Z");
    finish(&app, event, 2, 1).await;
    app.run_jobs().await;
    let told = call().await.expect(200).body["data"].clone();
    let expected =
        json!({"predictions": 8, "up": 4, "down": 4, "points_up": 24, "points_down": 24});
    assert_eq!(told["changes"], expected);
    finish(&app, event, 1, 1).await;
    app.run_jobs().await;
    let done = call().await.expect(200).body["data"].clone();
    let expected = json!({"predictions": 0, "up": 0, "down": 0, "points_up": 0, "points_down": 0});
    assert_eq!(done["changes"], expected);
    assert_eq!(done["first_ten"]["before"], told["first_ten"]["after"], "as it was told");
    assert_eq!(done["first_ten"]["before"], done["first_ten"]["after"]);
    let leaders = told["first_ten"]["after"].as_array().unwrap();
    let ranks: Vec<_> = leaders.iter().map(|leader| leader["rank"].as_i64().unwrap()).collect();
    assert_eq!(ranks, [1, 1, 1, 1, 5, 5, 5, 5, 5, 5]);
    let leader = json!({"rank": 1, "user_id": 1_001, "username": leaders[0]["username"], "points": 6, "exact": 1});
    assert_eq!(leaders[0], leader);
}
