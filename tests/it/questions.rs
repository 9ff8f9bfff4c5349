//! Special tips: answering, what others see, and what becomes of the points.

use serde_json::{Value, json};
use touchline::features::predictions::Outcome;
use touchline::platform::db::params;

use crate::harness::{Fan, OPERATOR_TOKEN, Reply, TestApp};
use crate::leagues::{Season, assert_tables_add_up, join, make, rows, season, table};
use crate::predictions::{get, pick, place, users};
use crate::settlement::{assert_adds_up, finish};

const DEADLINE: &str = "2026-11-20T12:00:00Z";
/// Until the deadline, and a minute.
const UNTIL_CLOSED_S: u64 = 5 * 86_400 + 60;

async fn operate(app: &TestApp, path: &str, body: Value) -> Reply {
    let path = format!("/api/admin/questions{path}");
    app.client.post(&path).token(OPERATOR_TOKEN).json(body).send().await
}

fn who_wins(tournament: i64) -> Value {
    json!({"tournament_id": tournament, "text": "Who wins?", "closes_at": DEADLINE, "points": 20,
        "options": [{"text": "Northgate"}, {"text": "Southbank"}, {"text": "Eastside"}]})
}

async fn open(app: &TestApp, body: Value) -> Value {
    operate(app, "", body).await.expect(201).body["data"].clone()
}

fn option(question: &Value, at: usize) -> i64 {
    question["options"][at]["id"].as_i64().unwrap()
}

async fn tip(app: &TestApp, fan: &Fan, question: &Value, picks: &[usize]) -> Reply {
    let ids: Vec<i64> = picks.iter().map(|at| option(question, *at)).collect();
    let path = format!("/api/auth/questions/{}/tip", question["id"]);
    let body = json!({"option_ids": ids});
    app.client.put(&path).token(&fan.token).json(body).send().await
}

async fn show(app: &TestApp, fan: &Fan, question: &Value) -> Value {
    let path = format!("/api/auth/questions/{}", question["id"]);
    get(app, fan, &path).await.expect(200).body["data"].clone()
}

async fn settle(app: &TestApp, question: &Value, right: &[usize]) {
    let ids: Vec<i64> = right.iter().map(|at| option(question, *at)).collect();
    let path = format!("/{}/settle", question["id"]);
    operate(app, &path, json!({"right_option_ids": ids})).await.expect(200);
    app.run_jobs().await;
}

async fn close(app: &TestApp) {
    app.advance(UNTIL_CLOSED_S);
    app.run_jobs().await;
}

/// Points of each user on a board.
async fn board(app: &TestApp, fan: &Fan, query: &str) -> Vec<(i64, i64)> {
    let path = format!("/api/auth/leaderboard{query}");
    let body = get(app, fan, &path).await.expect(200).body;
    let row = |row: &Value| (row["user"]["id"].as_i64().unwrap(), row["points"].as_i64().unwrap());
    body["data"].as_array().unwrap().iter().map(row).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_answered_and_answered_otherwise_until_its_deadline() {
    let Season { app, league, .. } = season().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    let question = open(&app, who_wins(league)).await;
    assert_eq!((&question["state"], &question["tip"]), (&json!("open"), &Value::Null));
    tip(&app, &ada, &question, &[0]).await.expect(200);
    let noted = tip(&app, &ada, &question, &[2]).await.expect(200).body["data"].clone();
    assert_eq!(noted["tip"]["option_ids"], json!([option(&question, 2)]));
    let listed = get(&app, &ada, "/api/auth/questions?state=open").await.expect(200).body;
    assert_eq!((&listed["data"][0]["tip"], &listed["meta"]["total"]), (&noted["tip"], &json!(1)));
    close(&app).await;
    tip(&app, &ada, &question, &[0]).await.expect_error(400, "question_closed");
    let path = format!("/api/auth/questions/{}/tip", question["id"]);
    let back = app.client.delete(&path).token(&ada.token).send().await;
    back.expect_error(400, "question_closed");
    assert_eq!(show(&app, &ada, &question).await["state"], "closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_taken_back() {
    let Season { app, league, .. } = season().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    let question = open(&app, who_wins(league)).await;
    tip(&app, &ada, &question, &[0]).await.expect(200);
    let path = format!("/api/auth/questions/{}/tip", question["id"]);
    app.client.delete(&path).token(&ada.token).send().await.expect(200);
    assert_eq!(show(&app, &ada, &question).await["tip"], Value::Null);
    app.client.delete(&path).token(&ada.token).send().await.expect_error(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_others_answered_is_shown_when_nobody_can_copy_it() {
    let Season { app, league, .. } = season().await;
    let (ada, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    let question = open(&app, who_wins(league)).await;
    tip(&app, &ada, &question, &[0]).await.expect(200);
    tip(&app, &ben, &question, &[0]).await.expect(200);
    let path = format!("/api/auth/questions/{}/tips", question["id"]);
    get(&app, &ben, &path).await.expect_error(400, "question_open");
    let seen = show(&app, &ben, &question).await;
    assert_eq!((&seen["tips"], &seen["options"][0]["picks"]), (&Value::Null, &Value::Null));
    close(&app).await;
    let seen = show(&app, &ben, &question).await;
    assert_eq!((&seen["tips"], &seen["options"][0]["picks"]), (&json!(2), &json!(2)));
    let tips = get(&app, &ben, &path).await.expect(200).body;
    let picks = json!([option(&question, 0)]);
    assert_eq!(tips["data"][0]["user"]["id"], json!(ada.id));
    assert_eq!((&tips["data"][1]["option_ids"], &tips["meta"]["total"]), (&picks, &json!(2)));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_on_its_way_at_the_deadline_is_counted() {
    let Season { app, league, .. } = season().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    let question = open(&app, who_wins(league)).await;
    let (id, pick, user) = (question["id"].as_i64().unwrap(), option(&question, 0), ada.id);
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let (go_on, wait) = std::sync::mpsc::channel::<()>();
    let (begun, wait) = (std::sync::Mutex::new(Some(begun)), std::sync::Mutex::new(wait));
    let answer = move |tx: &mut touchline::platform::db::Tx| {
        tx.opt::<i64>("SELECT id FROM questions WHERE id = $1 FOR SHARE", params![id])?;
        let tip: i64 = tx.one(
            "INSERT INTO question_tips (question_id, user_id, created_at, changed_at) VALUES ($1, $2, 0, 0) RETURNING id",
            params![id, user],
        )?;
        tx.exec(
            "INSERT INTO question_picks (tip_id, option_id) VALUES ($1, $2)",
            params![tip, pick],
        )?;
        begun.lock().unwrap().take().unwrap().send(()).unwrap();
        wait.lock().unwrap().recv().unwrap();
        Ok(())
    };
    let db = app.app.db.clone();
    let answering = tokio::spawn(async move { db.write(answer).await });
    has_begun.await.unwrap();
    app.advance(UNTIL_CLOSED_S);
    let counting = tokio::spawn(async move {
        app.run_jobs().await;
        app
    });
    // As long as counting takes if it waits for nobody.
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    go_on.send(()).unwrap();
    answering.await.unwrap().unwrap();
    let app = counting.await.unwrap();
    assert_eq!(show(&app, &ada, &question).await["tips"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_right_answer_pays_and_counts_in_the_tables_that_the_question_says() {
    let Season { app, league, matches, .. } = season().await;
    let (ada, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    let mut body = who_wins(league);
    body["most_picks"] = json!(2);
    let question = open(&app, body).await;
    tip(&app, &ada, &question, &[0, 1]).await.expect(200);
    tip(&app, &ben, &question, &[1, 2]).await.expect(200);
    assert!(place(&app, ben.id, matches[0], pick(Outcome::Home, None, 50)).await);
    close(&app).await;
    finish(&app, matches[0], 1, 0).await;
    settle(&app, &question, &[0, 1]).await;
    let earned = show(&app, &ada, &question).await;
    assert_eq!(earned["tip"]["points_earned"], 40);
    assert_eq!(
        (&earned["state"], &earned["options"][2]["is_right"]),
        (&json!("settled"), &json!(false))
    );
    let both = [(ada.id, 40), (ben.id, 23)];
    assert_eq!(board(&app, &ada, "").await, both);
    assert_eq!(board(&app, &ada, "?period=season").await, both);
    assert_eq!(board(&app, &ada, &format!("?tournament_id={league}")).await, both);
    // By itself it counts in no week.
    assert_eq!(board(&app, &ada, "?period=week").await, [(ben.id, 3)]);
    assert_adds_up(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_correction_a_void_and_its_end_move_the_points() {
    let Season { app, league, .. } = season().await;
    let (ada, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    let question = open(&app, who_wins(league)).await;
    tip(&app, &ada, &question, &[0]).await.expect(200);
    tip(&app, &ben, &question, &[1]).await.expect(200);
    close(&app).await;
    settle(&app, &question, &[0]).await;
    assert_eq!(board(&app, &ada, "").await, [(ada.id, 20), (ben.id, 0)]);
    settle(&app, &question, &[1]).await;
    assert_eq!(board(&app, &ada, "").await, [(ben.id, 20), (ada.id, 0)]);
    let path = format!("/{}/void", question["id"]);
    operate(&app, &path, json!({"reason": "Not played"})).await.expect(200);
    app.run_jobs().await;
    assert_eq!(board(&app, &ada, "").await, []);
    let seen = show(&app, &ada, &question).await;
    assert_eq!((&seen["state"], &seen["void_reason"]), (&json!("void"), &json!("Not played")));
    assert_eq!(seen["tip"]["points_earned"], Value::Null);
    assert_adds_up(&app).await;
    settle(&app, &question, &[1]).await;
    assert_eq!(board(&app, &ada, "").await, [(ben.id, 20), (ada.id, 0)]);
    assert_adds_up(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_that_is_voided_leaves_those_with_tips_on_their_boards() {
    let Season { app, league, matches, .. } = season().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    let question = open(&app, who_wins(league)).await;
    tip(&app, &ada, &question, &[0]).await.expect(200);
    assert!(place(&app, ada.id, matches[0], pick(Outcome::Home, None, 50)).await);
    close(&app).await;
    finish(&app, matches[0], 1, 0).await;
    settle(&app, &question, &[0]).await;
    let void = json!({"reason": "Abandoned"});
    crate::settlement::operate(&app, matches[0], "/void", void).await.expect(200);
    app.run_jobs().await;
    assert_eq!(board(&app, &ada, "").await, [(ada.id, 20)]);
    assert_adds_up(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn special_tips_are_part_of_a_leagues_table_and_of_no_week() {
    let Season { app, league, matches, .. } = season().await;
    let (ada, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    let body = json!({"name": "Two", "tournament_ids": [league], "scoring": "kicktipp"});
    let made = make(&app, &ada, body).await;
    let as_paid = make(&app, &ada, json!({"name": "One", "tournament_ids": [league]})).await;
    let mut body = who_wins(league);
    body["counts_in"] = json!(["leagues", "tournament_week", "week"]);
    let question = open(&app, body).await;
    for fan in [&ada, &ben] {
        tip(&app, fan, &question, &[0]).await.expect(200);
    }
    assert!(place(&app, ada.id, matches[0], pick(Outcome::Home, None, 50)).await);
    close(&app).await;
    settle(&app, &question, &[0]).await;
    finish(&app, matches[0], 1, 0).await;
    join(&app, &ben, &made).await.expect(200);
    assert_eq!(rows(&table(&app, &ada, &made, "").await), [(1, 22, ada.id), (2, 20, ben.id)]);
    let week = table(&app, &ada, &made, "?week=2026-11-20").await;
    assert_eq!(rows(&week), [(1, 2, ada.id)]);
    assert_eq!(rows(&table(&app, &ada, &as_paid, "").await), [(1, 23, ada.id)]);
    assert_eq!(rows(&table(&app, &ada, &as_paid, "?week=2026-11-20").await), [(1, 3, ada.id)]);
    let path = format!("/api/auth/leagues/{}", made["id"]);
    let change = json!({"scoring": "super6"});
    app.client.patch(&path).token(&ada.token).json(change).send().await.expect(200);
    app.run_jobs().await;
    assert_tables_add_up(&app).await;
    let change = json!({"scoring": "kicktipp"});
    app.client.patch(&path).token(&ada.token).json(change).send().await.expect(200);
    app.run_jobs().await;
    settle(&app, &question, &[1]).await;
    assert_eq!(rows(&table(&app, &ada, &made, "").await), [(1, 2, ada.id), (2, 0, ben.id)]);
    assert_tables_add_up(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_tips_are_settled_a_stretch_at_a_time() {
    let Season { app, league, .. } = season().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    let question = open(&app, who_wins(league)).await;
    users(&app, 1_000, 2_500).await;
    let (id, first) = (question["id"].as_i64().unwrap(), option(&question, 0));
    let fill = move |tx: &mut touchline::platform::db::Tx| {
        tx.exec(
            "INSERT INTO question_tips (question_id, user_id, created_at, changed_at) SELECT $1, id, 0, 0 FROM users WHERE id >= 1000",
            params![id],
        )?;
        tx.exec(
            "INSERT INTO question_picks (tip_id, option_id) SELECT id, $1 + user_id % 3 FROM question_tips",
            params![first],
        )
    };
    app.app.db.write(fill).await.unwrap();
    close(&app).await;
    settle(&app, &question, &[1]).await;
    assert_adds_up(&app).await;
    let seen = show(&app, &ada, &question).await;
    assert_eq!(seen["tips"], 2_500);
    settle(&app, &question, &[2]).await;
    assert_adds_up(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deadline_that_is_moved_ahead_opens_a_question_again() {
    let Season { app, league, .. } = season().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    let question = open(&app, who_wins(league)).await;
    tip(&app, &ada, &question, &[0]).await.expect(200);
    close(&app).await;
    let path = format!("/api/admin/questions/{}", question["id"]);
    let change = json!({"closes_at": "2026-12-01T12:00:00Z", "points": 30});
    app.client.patch(&path).token(OPERATOR_TOKEN).json(change.clone()).send().await.expect(200);
    let seen = show(&app, &ada, &question).await;
    assert_eq!(
        (&seen["state"], &seen["tips"], &seen["points"]),
        (&json!("open"), &Value::Null, &json!(30))
    );
    tip(&app, &ada, &question, &[1]).await.expect(200);
    let early = json!({"right_option_ids": [option(&question, 0)]});
    operate(&app, &format!("/{}/settle", question["id"]), early)
        .await
        .expect_error(400, "question_open");
    app.advance(20 * 86_400);
    app.run_jobs().await;
    settle(&app, &question, &[1]).await;
    assert_eq!(show(&app, &ada, &question).await["tip"]["points_earned"], 30);
    let late = app.client.patch(&path).token(OPERATOR_TOKEN).json(change).send().await;
    late.expect_error(400, "question_decided");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_question_or_an_answer_cannot_be_is_said_by_field() {
    let Season { app, league, cup, .. } = season().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    let with = |field: &str, value: Value| {
        let mut body = who_wins(league);
        body[field] = value;
        body
    };
    for (body, field) in [
        (with("tournament_id", json!(99)), "tournament_id"),
        (with("text", json!("")), "text"),
        (with("closes_at", json!("2026-11-15T11:00:00Z")), "closes_at"),
        (with("closes_at", json!("2036-11-15T11:00:00Z")), "closes_at"),
        (with("points", json!(0)), "points"),
        (with("most_picks", json!(3)), "most_picks"),
        (with("options", json!([{"text": "One"}])), "options"),
        (with("options", json!([{"text": "One"}, {"text": "One"}])), "options"),
        (
            with("options", json!([{"text": "One", "team_id": 99}, {"text": "Two"}])),
            "options.0.team_id",
        ),
        (with("counts_in", json!(["everywhere"])), "counts_in.0"),
    ] {
        let reply = operate(&app, "", body.clone()).await;
        let reply = reply.expect_error(422, "validation_failed");
        assert!(reply.body["errors"][field].is_array(), "{body}: {}", reply.body);
    }
    let (one, other) = (open(&app, who_wins(league)).await, open(&app, who_wins(cup)).await);
    let path = format!("/api/auth/questions/{}/tip", one["id"]);
    for picks in [json!([]), json!([option(&other, 0)]), json!([option(&one, 0), option(&one, 1)])]
    {
        let call = app.client.put(&path).token(&ada.token).json(json!({"option_ids": picks}));
        call.send().await.expect_error(422, "validation_failed");
    }
    assert_eq!(app.count("SELECT count(*) FROM question_tips").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_has_ones_tips_and_the_audit_log_what_operators_did() {
    let Season { app, league, .. } = season().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    let question = open(&app, who_wins(league)).await;
    tip(&app, &ada, &question, &[0]).await.expect(200);
    let export = get(&app, &ada, "/api/auth/export").await.expect(200).body;
    let tip = &export["data"]["tips"][0];
    assert_eq!(tip["option_ids"], json!([option(&question, 0)]));
    close(&app).await;
    settle(&app, &question, &[0]).await;
    let audit = app.client.get("/api/admin/audit").token(OPERATOR_TOKEN).send().await.expect(200);
    let actions: Vec<&Value> =
        audit.body["data"].as_array().unwrap().iter().map(|it| &it["action"]).take(2).collect();
    assert_eq!(actions, ["question.settle", "question.open"]);
}
