//! Settling for a crowd: by many workers, with changes in the middle, and cut off by crashes.

use std::time::{Duration, Instant};

use serde_json::json;
use touchline::features::events::EventId;
use touchline::features::predictions::Outcome;
use touchline::features::settlement::settle_stretch;
use touchline::platform::db::{Tx, params};

use crate::catalogue::{event, import};
use crate::harness::{OPERATOR_TOKEN, Program, TestApp, fresh_database_url, together};
use crate::predictions::{KICK_OFF, get, pick, place, users, with_match};
use crate::settlement::{assert_adds_up, finish, operate};
use crate::settlement_histories::assert_points_are_fresh;

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
            // A second job for the same match, as there is when another node has taken the first one for dead.
            let again = move |tx: &mut Tx| {
                let sql = "INSERT INTO jobs (kind, payload, run_at, created_at) VALUES ('settle', $1, 0, 0)";
                tx.exec(sql, params![json!({"event": event}).to_string()])
            };
            app.app.db.write(again).await.unwrap();
        }
        together(4, |_| app.app.jobs.run_due()).await;
        app.run_jobs().await;
        assert_points_are_fresh(&app).await;
        assert_adds_up(&app).await;
    }
    assert_eq!(app.count("SELECT count(*) FROM jobs WHERE last_error IS NOT NULL").await, 0);
}

/// The work of so many transactions.
async fn stretches(app: &TestApp, event: i64, count: usize) {
    for _ in 0..count {
        let settle = move |tx: &mut Tx| settle_stretch(tx, EventId(event), 7);
        app.app.db.write(settle).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_match_that_is_moved_to_another_week_leaves_no_places_in_the_old_one() {
    let app = TestApp::new().await;
    let ids = import(&app, json!([event("m:1", KICK_OFF), event("m:2", KICK_OFF)])).await;
    let [large, small] = ["m:1", "m:2"].map(|key| ids["events"][key].as_i64().unwrap());
    let fan = app.log_in("+447700900123").await;
    assert!(place(&app, fan.id, small, pick(Outcome::Home, None, 50)).await);
    users(&app, 10_000, 1_100).await;
    crowd(&app, large).await;
    app.set_time("2026-12-10T12:00:00Z");
    finish(&app, large, 2, 2).await;
    finish(&app, small, 1, 0).await;
    operate(&app, large, "", json!({"start_time": "2026-12-01T15:00:00Z"})).await.expect(200);
    app.run_jobs().await;
    assert_adds_up(&app).await;
    for (day, total, shown) in [("2026-11-21", 1, 1), ("2026-12-02", 1_100, 20)] {
        app.set_time(&format!("{day}T12:00:00Z"));
        let board = get(&app, &fan, "/api/auth/leaderboard?period=week").await.expect(200).body;
        assert_eq!(board["meta"]["total"], total, "{day}");
        assert_eq!(board["data"].as_array().unwrap().len(), shown, "{day}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_match_that_is_moved_and_void_before_the_move_is_through_leaves_no_places() {
    let (app, event) = with_match().await;
    users(&app, 10_000, 1_100).await;
    crowd(&app, event).await;
    app.set_time("2026-12-20T12:00:00Z");
    for count in 1..14 {
        operate(&app, event, "", json!({"status": "finished", "home_score": 1, "away_score": 0}))
            .await
            .expect(200);
        app.run_jobs().await;
        let start = format!("2026-12-{:02}T15:00:00Z", count + 1);
        operate(&app, event, "", json!({"start_time": start})).await.expect(200);
        stretches(&app, event, count).await;
        operate(&app, event, "/void", json!({"reason": "Snow"})).await.expect(200);
        app.run_jobs().await;
        assert_adds_up(&app).await;
        assert_eq!(app.count("SELECT count(*) FROM standing_counts WHERE users <> 0").await, 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_in_the_middle_of_a_large_settlement_begins_anew_and_adds_up() {
    let (app, event) = with_match().await;
    users(&app, 10_000, 4_500).await;
    crowd(&app, event).await;
    app.set_time("2026-12-10T12:00:00Z");
    let stretches = |count: usize| stretches(&app, event, count);
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
    assert_eq!(app.count("SELECT count(*) FROM standings").await, 0);
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

/// Two nodes at one match. On SQLite a script never waits for a row in the middle.
mod needs_postgres {
    use std::sync::mpsc;

    use touchline::platform::db::Engine;

    use super::*;
    use crate::harness::{eventually, no_postgres};

    /// The scripts of this database that wait for a row that another one holds.
    const WAITING: &str = "SELECT count(*) FROM pg_stat_activity
                           WHERE datname = current_database() AND wait_event_type = 'Lock'";

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs PostgreSQL"]
    async fn a_worker_that_stalled_before_a_correction_does_not_bring_the_old_result_back() {
        let (app, event) = with_match().await;
        if app.app.db.engine() == Engine::Sqlite {
            no_postgres();
        }
        users(&app, 10_000, 300).await;
        crowd(&app, event).await;
        operate(&app, event, "/result", json!({"home_score": 1, "away_score": 0}))
            .await
            .expect(200);
        app.run_jobs().await;

        // Another worker has the settlement in hand; it goes on only when it is told to.
        let (told, hears) = (mpsc::channel::<()>(), mpsc::channel::<()>());
        let (go_on, is_held) = (told.0, hears.1);
        let (on_hold, holds) = (std::sync::Mutex::new(told.1), hears.0);
        let other = move |tx: &mut Tx| {
            let sql = "SELECT version FROM settlements WHERE event_id = $1 FOR UPDATE";
            tx.one::<i64>(sql, params![event])?;
            holds.send(()).unwrap();
            on_hold.lock().unwrap().recv().unwrap();
            // All of its work, the end of the job included.
            settle_stretch(tx, EventId(event), 7)?;
            tx.exec("DELETE FROM jobs WHERE kind = 'settle'", params![])
        };
        let (db, stalled_db) = (app.app.db.clone(), app.app.db.clone());
        let other = tokio::spawn(async move { db.write(other).await.unwrap() });
        tokio::task::block_in_place(|| is_held.recv().unwrap());
        let stalls = move |tx: &mut Tx| settle_stretch(tx, EventId(event), 7);
        let stalled = tokio::spawn(async move { stalled_db.write(stalls).await.unwrap() });
        eventually(async || (app.count(WAITING).await == 1).then_some(())).await;
        operate(&app, event, "/result", json!({"home_score": 0, "away_score": 2}))
            .await
            .expect(200);
        go_on.send(()).unwrap();
        other.await.unwrap();
        stalled.await.unwrap();

        app.run_jobs().await;
        assert_points_are_fresh(&app).await;
        assert_adds_up(&app).await;
    }
}
