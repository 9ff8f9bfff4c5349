//! What predictions earn: settlement, its corrections, its crashes.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use touchline::clock::Timestamp;
use touchline::db::params;
use touchline::events::{EventId, Score, Scoring};
use touchline::jobs;
use touchline::predictions::{Confidence, Outcome, Pick, Rules, ScorePair, Tier, settle_stretch};

use crate::catalogue::{event, event_with, import};
use crate::harness::{OPERATOR_TOKEN, Program, Reply, TestApp, fresh_database_url, together};
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
        "SELECT s.user_id, s.settled, s.correct, s.exact, s.points, s.brier
         FROM standings s JOIN boards b ON b.id = s.board_id
         WHERE b.tournament_id = 0 AND b.period = 'all' AND s.settled > 0",
        "SELECT user_id, count(*), sum(CASE WHEN tier > 0 THEN 1 ELSE 0 END), sum(CASE WHEN tier = 3 THEN 1 ELSE 0 END),
                sum(points), sum(CASE WHEN tier > 0 THEN (confidence - 100) * (confidence - 100)
                                      ELSE confidence * confidence END)
         FROM predictions WHERE points IS NOT NULL GROUP BY user_id",
    ),
    (
        "the standings of the weeks",
        "SELECT s.user_id, b.starts_at, s.settled, s.points FROM standings s JOIN boards b ON b.id = s.board_id
         WHERE b.tournament_id = 0 AND b.period = 'week' AND s.settled > 0",
        "SELECT p.user_id, (e.start_time + 259200000) / 604800000 * 604800000 - 259200000 AS week, count(*), sum(p.points)
         FROM predictions p JOIN events e ON e.id = p.event_id WHERE p.points IS NOT NULL GROUP BY p.user_id, week",
    ),
    (
        "the standings of the tournaments",
        "SELECT s.user_id, b.tournament_id, s.settled, s.points FROM standings s JOIN boards b ON b.id = s.board_id
         WHERE b.tournament_id > 0 AND b.period = 'all' AND s.settled > 0",
        "SELECT p.user_id, e.tournament_id, count(*), sum(p.points)
         FROM predictions p JOIN events e ON e.id = p.event_id WHERE p.points IS NOT NULL
         GROUP BY p.user_id, e.tournament_id",
    ),
    (
        "the places",
        "SELECT board_id, points, users FROM standing_counts WHERE users <> 0",
        "SELECT board_id, points, count(*) FROM standings WHERE settled > 0 GROUP BY board_id, points",
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
               "final_at": "2026-11-20T18:00:00Z"})
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
    assert_eq!(
        app.count("SELECT count(*) FROM standings WHERE points <> 0 OR settled <> 0").await,
        0
    );
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

/// What may happen to a match after kick-off.
#[derive(Debug, Clone)]
enum Step {
    Result(i64, i64),
    Void,
    Unvoid,
    /// By so many minutes from when it was announced for; some are before all predictions.
    Move(i64),
    /// The work that has come up is done before the next step.
    Work,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0_i64..4, 0_i64..4).prop_map(|(home, away)| Step::Result(home, away)),
        1 => Just(Step::Void),
        1 => Just(Step::Unvoid),
        1 => (-12_000_i64..1).prop_map(Step::Move),
        4 => Just(Step::Work),
    ]
}

fn any_pick() -> impl Strategy<Value = Pick> {
    let outcome = prop::sample::select(vec![Outcome::Home, Outcome::Draw, Outcome::Away]);
    (prop::option::of((0_i64..4, 0_i64..4)), outcome, 0_i64..101).prop_map(
        |(score, outcome, confidence)| match score {
            Some((home, away)) => {
                let goals = |number| Score::try_from(number).unwrap();
                pick(Outcome::of(goals(home), goals(away)), Some((home, away)), confidence)
            }
            None => pick(outcome, None, confidence),
        },
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_happened_to_matches_the_end_is_what_a_fresh_settlement_gives() {
    let app = TestApp::new().await;
    let mut runner = TestRunner::deterministic();
    let events: Vec<Value> = (0..4)
        .map(|n| {
            let fields = if n % 2 == 0 { json!({"tournament": "cup"}) } else { json!({}) };
            event_with(&format!("m:{n}"), &format!("2026-11-2{n}T15:00:00Z"), fields)
        })
        .collect();
    let ids = import(&app, json!(events)).await;
    let events: Vec<i64> =
        (0..4).map(|n| ids["events"][format!("m:{n}")].as_i64().unwrap()).collect();
    users(&app, 1_000, 12).await;
    for user in 1_000..1_012 {
        for event in &events {
            let drawn = any_pick().new_tree(&mut runner).unwrap().current();
            assert!(place(&app, user, *event, drawn).await);
        }
    }
    app.set_time("2026-11-30T12:00:00Z");
    let histories = prop::collection::vec((0_usize..4, step()), 30);
    for _ in 0..4 {
        let history = histories.new_tree(&mut runner).unwrap().current();
        for (at, step) in &history {
            happen(&app, events[*at], *at, step).await;
        }
        app.run_jobs().await;
        assert_points_are_fresh(&app).await;
        assert_adds_up(&app).await;
    }
}

/// Some steps make no sense for the match as it is; the service says so, and that is fine.
async fn happen(app: &TestApp, event: i64, at: usize, step: &Step) {
    match step {
        Step::Result(home, away) => {
            let body = json!({"home_score": home, "away_score": away});
            operate(app, event, "/result", body).await;
        }
        Step::Void => {
            operate(app, event, "/void", json!({"reason": "Snow"})).await;
        }
        Step::Unvoid => {
            operate(app, event, "", json!({"status": "finished"})).await;
        }
        Step::Move(minutes) => {
            let announced = Timestamp::parse(&format!("2026-11-2{at}T15:00:00Z")).unwrap();
            let start = announced.plus_ms(minutes * 60_000).to_string();
            operate(app, event, "", json!({"start_time": start})).await;
        }
        Step::Work => {
            app.run_jobs().await;
        }
    }
}

/// Every prediction has the points that the rules, applied to it alone, give for the event as it is.
async fn assert_points_are_fresh(app: &TestApp) {
    type Picked = (Outcome, Option<Score>, Option<Score>, Confidence);
    type Played = (Option<Score>, Option<Score>, bool, Scoring, bool);
    let rows: Vec<(Picked, Played, Option<Tier>, Option<i64>)> = app
        .app
        .db
        .read(|tx| {
            tx.all(
                "SELECT p.outcome, p.home_score, p.away_score, p.confidence, e.home_score, e.away_score,
                        CASE WHEN e.status = 'finished' AND e.voided_at IS NULL AND p.updated_at < e.start_time
                             THEN 1 ELSE 0 END,
                        t.scoring, t.confidence_weighted, p.tier, p.points
                 FROM predictions p JOIN events e ON e.id = p.event_id JOIN tournaments t ON t.id = e.tournament_id",
                params![],
            )
        })
        .await
        .unwrap();
    for (
        (outcome, home, away, confidence),
        (home_score, away_score, counts, scoring, weighted),
        tier,
        points,
    ) in rows
    {
        let score = home.zip(away).map(|(home, away)| ScorePair { home, away });
        let pick = Pick::new(outcome, score, confidence).unwrap();
        let rules = Rules { scoring, confidence_weighted: weighted };
        let result = home_score.zip(away_score).filter(|_| counts);
        let fresh = result.map(|(home, away)| rules.score(&pick, home, away));
        assert_eq!(tier.zip(points), fresh, "{pick:?} {result:?} {scoring:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rules_in_sql_are_the_rules_in_rust() {
    let app = TestApp::new().await;
    let mut runner = TestRunner::deterministic();
    let presets = ["classic", "kicktipp", "super6", "premier_league"];
    let mut document = crate::catalogue::document(json!([]));
    for preset in presets {
        for weighted in [false, true] {
            let slug = format!("{preset}_{weighted}");
            let tournament = json!({"slug": slug, "name": slug, "sport": "football", "scoring": preset,
                                    "confidence_weighted": weighted});
            document["tournaments"].as_array_mut().unwrap().push(tournament);
            let fields = json!({"tournament": slug});
            document["events"].as_array_mut().unwrap().push(event_with(&slug, KICK_OFF, fields));
        }
    }
    let ids =
        crate::catalogue::put(&app, document).await.expect(200).body["data"]["events"].clone();
    let events: Vec<i64> =
        ids.as_object().unwrap().values().map(|id| id.as_i64().unwrap()).collect();
    users(&app, 1_000, 60).await;
    for user in 1_000..1_060 {
        for event in &events {
            let drawn = any_pick().new_tree(&mut runner).unwrap().current();
            assert!(place(&app, user, *event, drawn).await);
        }
    }
    for (home, away) in [(2, 1), (1, 1), (0, 3)] {
        for event in &events {
            finish(&app, *event, home, away).await;
        }
        assert_points_are_fresh(&app).await;
    }
    assert_adds_up(&app).await;
}

/// A prediction on the match by every user from 10,000 on.
async fn crowd(app: &TestApp, event: i64) {
    app.app
        .db
        .write(move |tx| {
            tx.exec(
                "INSERT INTO predictions (event_id, user_id, outcome, confidence, revision, created_at, updated_at, is_late,
                        settlement_version)
                 SELECT $1, id, CASE id % 3 WHEN 0 THEN 'home' WHEN 1 THEN 'draw' ELSE 'away' END, id % 101, 1, 0, 0, 0, 0
                 FROM users WHERE id >= 10000",
                params![event],
            )?;
            tx.exec(
                "INSERT INTO event_counters (event_id, shard, predictions, home, draw, away, home_confidence,
                        draw_confidence, away_confidence)
                 SELECT $1, 0, count(*), count(*) FILTER (WHERE outcome = 'home'),
                        count(*) FILTER (WHERE outcome = 'draw'), count(*) FILTER (WHERE outcome = 'away'),
                        CAST(sum(confidence) FILTER (WHERE outcome = 'home') AS BIGINT),
                        CAST(sum(confidence) FILTER (WHERE outcome = 'draw') AS BIGINT),
                        CAST(sum(confidence) FILTER (WHERE outcome = 'away') AS BIGINT)
                 FROM predictions WHERE event_id = $1",
                params![event],
            )
        })
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_that_settle_the_same_matches_at_once_share_the_work_and_nothing_counts_twice() {
    let app = TestApp::new().await;
    let ids = import(&app, json!([event("m:1", KICK_OFF), event("m:2", KICK_OFF)])).await;
    let events = ["m:1", "m:2"].map(|key| ids["events"][key].as_i64().unwrap());
    users(&app, 10_000, 3_000).await;
    for event in events {
        crowd(&app, event).await;
    }
    for (home, away) in [(1, 0), (0, 0)] {
        for event in events {
            let body = json!({"home_score": home, "away_score": away});
            operate(&app, event, "/result", body).await.expect(200);
            let again = move |tx: &mut touchline::db::Tx| {
                jobs::enqueue(tx, "settle", &json!({"event": event}), tx.now())
            };
            app.app.db.write(again).await.unwrap();
        }
        together(4, |_| jobs::run_due(&app.app)).await;
        app.run_jobs().await;
        assert_points_are_fresh(&app).await;
        assert_adds_up(&app).await;
    }
    assert_eq!(app.count("SELECT count(*) FROM jobs WHERE last_error IS NOT NULL").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_in_the_middle_of_a_large_settlement_begins_anew_and_adds_up() {
    let (app, event) = with_match().await;
    users(&app, 10_000, 4_500).await;
    crowd(&app, event).await;
    app.set_time("2026-12-10T12:00:00Z");
    let stretches = |count: usize| {
        let app = &app;
        async move {
            for _ in 0..count {
                let settle =
                    move |tx: &mut touchline::db::Tx| settle_stretch(tx, EventId(event), 7);
                app.app.db.write(settle).await.unwrap();
            }
        }
    };
    let result = |home, away| {
        operate(&app, event, "/result", json!({"home_score": home, "away_score": away}))
    };
    let moved = |start: &str| operate(&app, event, "", json!({"start_time": start}));
    result(1, 0).await.expect(200);
    stretches(4).await;
    result(0, 0).await.expect(200);
    stretches(3).await;
    moved("2026-12-01T15:00:00Z").await.expect(200);
    stretches(2).await;
    result(0, 2).await.expect(200);
    stretches(5).await;
    operate(&app, event, "/void", json!({"reason": "Snow"})).await.expect(200);
    stretches(3).await;
    operate(&app, event, "", json!({"status": "finished"})).await.expect(200);
    stretches(4).await;
    moved(KICK_OFF).await.expect(200);
    app.run_jobs().await;
    assert_points_are_fresh(&app).await;
    assert_adds_up(&app).await;
    operate(&app, event, "/void", json!({"reason": "Snow"})).await.expect(200);
    app.run_jobs().await;
    assert_adds_up(&app).await;
    assert_eq!(app.count("SELECT count(*) FROM standings WHERE settled <> 0").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_settlement_cut_off_by_kill_9_is_carried_on_and_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let url = fresh_database_url().await;
    let settings = [("TOUCHLINE_JOBS__LEASE_MS", "300"), ("TOUCHLINE_JOBS__POLL_MS", "50")];
    // The same database, seen without the program: to prepare it and to look at it.
    let app = TestApp::beside(&folder, &url).await;
    let ids = import(&app, json!([event("m:1", "2030-11-20T15:00:00Z")])).await;
    let event = ids["events"]["m:1"].as_i64().unwrap();
    users(&app, 10_000, 12_000).await;
    crowd(&app, event).await;
    let mut program = Program::start(&folder, &url, &settings);
    let path = format!("/api/admin/events/{event}/result");
    let body = json!({"home_score": 1, "away_score": 0});
    program.client.post(&path).token(OPERATOR_TOKEN).json(body).send().await.expect(200);
    // How far it is: nothing, half the points, the points, some of the standings, all of them.
    let progress = "SELECT COALESCE(max(CASE phase WHEN 'points' THEN 0 WHEN 'done' THEN 1000000 ELSE 100000 END + cursor_id), 0)
                    FROM settlements WHERE version > 0";
    let deadline = Instant::now() + Duration::from_secs(40);
    let (mut kills, mut seen) = (0, 0);
    loop {
        assert!(Instant::now() < deadline, "the settlement does not end");
        match app.count(progress).await {
            1_000_000.. => break,
            further if further > seen && kills < 3 => {
                program.kill();
                kills += 1;
                seen = app.count(progress).await;
                program = Program::start(&folder, &url, &settings);
            }
            _ => tokio::time::sleep(Duration::from_millis(2)).await,
        }
    }
    assert!(kills > 0, "it was never caught in the middle");
    assert_points_are_fresh(&app).await;
    assert_adds_up(&app).await;
}
