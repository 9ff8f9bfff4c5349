//! Whatever happens to matches, the points are those that the rules give for how it ended.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use touchline::features::events::{Score, Scoring};
use touchline::features::predictions::{Confidence, Outcome, Pick, Rules, ScorePair, Tier};
use touchline::platform::clock::Timestamp;
use touchline::platform::db::params;

use crate::catalogue::{event, event_with, import};
use crate::harness::TestApp;
use crate::predictions::{KICK_OFF, pick, place, users};
use crate::settlement::{assert_adds_up, finish, operate};

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
pub async fn assert_points_are_fresh(app: &TestApp) {
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

/// Two matches of the league that are finished 2-1, predicted by users 1,000 to 1,011.
async fn settled_league(app: &TestApp) -> [i64; 2] {
    let mut runner = TestRunner::deterministic();
    let ids = import(app, json!([event("m:1", KICK_OFF), event("m:2", KICK_OFF)])).await;
    let events = ["m:1", "m:2"].map(|key| ids["events"][key].as_i64().unwrap());
    users(app, 1_000, 12).await;
    for (user, event) in (1_000..1_012).flat_map(|user| events.map(|event| (user, event))) {
        let drawn = any_pick().new_tree(&mut runner).unwrap().current();
        assert!(place(app, user, event, drawn).await);
    }
    for event in events {
        finish(app, event, 2, 1).await;
    }
    events
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_that_an_import_moves_to_another_tournament_is_settled_by_its_rules() {
    let app = TestApp::new().await;
    settled_league(&app).await;
    for tournament in ["cup", "league"] {
        let moved = event_with("m:1", KICK_OFF, json!({"tournament": tournament}));
        import(&app, json!([moved])).await;
        app.run_jobs().await;
        assert_points_are_fresh(&app).await;
        assert_adds_up(&app).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tournaments_new_rules_settle_its_settled_matches_anew() {
    let app = TestApp::new().await;
    let [_, void] = settled_league(&app).await;
    operate(&app, void, "/void", json!({"reason": "Snow"})).await.expect(200);
    for (scoring, weighted) in [("super6", false), ("super6", true), ("classic", false)] {
        let league = json!({"slug": "league", "name": "League", "sport": "football", "scoring": scoring,
                            "confidence_weighted": weighted});
        crate::catalogue::put(&app, json!({"tournaments": [league]})).await.expect(200);
        app.run_jobs().await;
        assert_points_are_fresh(&app).await;
        assert_adds_up(&app).await;
    }
    operate(&app, void, "", json!({"status": "finished"})).await.expect(200);
    app.run_jobs().await;
    assert_points_are_fresh(&app).await;
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
