//! The demo that plays: its matches, its simulated fans, and what others do to it.

use serde_json::{Value, json};

use crate::harness::{
    Fan, OPERATOR_TOKEN, Program, TestApp, escape, eventually, fresh_database_url,
};

const PLAYS: [(&str, &str); 2] =
    [("TOUCHLINE_DEMO_DATA", "true"), ("TOUCHLINE_DEMO__PLAYS", "true")];
const ADA: &str = "+447700900123";
const HALF_AN_HOUR: u64 = 30 * 60;
const LONG_OVER: &str = "SELECT count(*) FROM events WHERE status <> 'finished' AND start_time <=
    (SELECT played_until FROM demo_progress) - 9000000";

async fn get(app: &TestApp, fan: &Fan, path: &str) -> Value {
    app.client.get(path).token(&fan.token).send().await.expect(200).body
}

async fn events(app: &TestApp, fan: &Fan, status: &str) -> Vec<Value> {
    let list = get(app, fan, &format!("/api/auth/events?per_page=100&status={status}")).await;
    list["data"].as_array().unwrap().clone()
}

async fn patch(app: &TestApp, event: &Value, body: Value) -> Value {
    let path = format!("/api/admin/events/{}", event["id"]);
    let call = app.client.patch(&path).token(OPERATOR_TOKEN).json(body);
    call.send().await.expect(200).body["data"].clone()
}

fn points(board: &Value) -> Vec<i64> {
    board["data"].as_array().unwrap().iter().map(|row| row["points"].as_i64().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_run_shows_a_league_that_is_on_with_results_and_a_table() {
    let app = TestApp::with(&PLAYS).await;
    app.run_jobs().await;
    let log = app.client.get("/api/logs/sms").send().await.expect(200);
    assert_eq!(log.body["data"], json!([]), "no code is sent for a simulated fan");
    let ada = app.log_in(ADA).await;
    let live = events(&app, &ada, "live").await;
    assert!((5..=9).contains(&live.len()), "{} are live", live.len());
    let in_play = live.iter().filter(|event| event["period"].is_string()).count();
    assert!(in_play >= 4, "football has a clock: {in_play}");
    assert!(live.iter().all(|event| event["home_score"].is_i64()));
    assert!(events(&app, &ada, "finished").await.len() >= 8);
    let next = &events(&app, &ada, "scheduled").await[0];
    let list = get(&app, &ada, &format!("/api/auth/events/{}/predictions", next["id"])).await;
    let picks = list["data"].as_array().unwrap();
    assert!(picks.len() >= 8, "{} predict the next match", picks.len());
    assert_eq!(next["predictions_count"], json!(picks.len()));
    for row in picks {
        let (name, username) = (&row["user"]["name"], &row["user"]["username"]);
        assert!(name.as_str().unwrap().ends_with(" (demo)"), "{name}");
        assert!(username.as_str().unwrap().starts_with("demo."), "{username}");
    }
    let board = get(&app, &ada, "/api/auth/leaderboard?per_page=100").await;
    assert!(points(&board).len() >= 30 && points(&board)[0] > 0, "{board}");
}

#[tokio::test(flavor = "multi_thread")]
async fn about_each_tournament_a_question_is_open_that_simulated_fans_have_answered() {
    let app = TestApp::with(&PLAYS).await;
    app.run_jobs().await;
    let ada = app.log_in(ADA).await;
    let open = get(&app, &ada, "/api/auth/questions?state=open").await;
    let options = |question: &Value| question["options"].as_array().unwrap().len();
    let counts: Vec<usize> = open["data"].as_array().unwrap().iter().map(options).collect();
    assert_eq!(counts, [16, 8]);
    assert_eq!(app.count("SELECT count(*) FROM question_tips").await, 80);
    app.advance(3 * 3_600);
    app.run_jobs().await;
    assert_eq!(app.count("SELECT count(*) FROM questions").await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_passes_with_results_rounds_talk_and_a_table_that_moves() {
    let app = TestApp::with(&PLAYS).await;
    app.run_jobs().await;
    let (ada, chatter) = app.chatter(ADA).await;
    let before = get(&app, &ada, "/api/auth/leaderboard?per_page=100").await;
    for _ in 0..24 {
        app.advance(2 * HALF_AN_HOUR);
        app.run_jobs().await;
    }
    assert_eq!(app.count(LONG_OVER).await, 0);
    assert!(app.count("SELECT count(*) FROM events WHERE status = 'finished'").await >= 90);
    let unsettled = "SELECT count(*) FROM predictions p JOIN events e ON e.id = p.event_id
                     WHERE e.status = 'finished' AND p.points IS NULL";
    assert_eq!(app.count(unsettled).await, 0);
    assert!((5..=9).contains(&events(&app, &ada, "live").await.len()));
    assert!(events(&app, &ada, "scheduled").await.len() >= 40);
    let after = get(&app, &ada, "/api/auth/leaderboard?per_page=100").await;
    assert!(points(&after).iter().sum::<i64>() > 2 * points(&before).iter().sum::<i64>());
    // Nobody but the simulated fans and the one who looks.
    assert_eq!(app.count("SELECT count(*) FROM users").await, 41);
    assert_eq!(app.count("SELECT count(*) FROM users WHERE phone IS NOT NULL").await, 1);
    let talking = eventually(|| async {
        let rooms = app.texts("SELECT room_id FROM chat_rooms WHERE member_count > 0").await;
        (rooms.len() >= 10).then_some(rooms)
    })
    .await;
    let path = format!("/rooms/{}/messages?dir=b&limit=100", escape(&talking[0]));
    chatter.post(&format!("/join/{}", escape(&talking[0])), json!({})).await.expect(200);
    let page = chatter.get(&path).await.expect(200).body;
    let said = page["chunk"].as_array().unwrap().iter();
    let said: Vec<&Value> = said.filter(|event| event["type"] == "m.room.message").collect();
    assert!(!said.is_empty());
    for message in said {
        assert!(message["sender"].as_str().unwrap().starts_with("@demo."), "{message}");
        assert!(message["content"]["body"].as_str().unwrap().len() > 5, "{message}");
        let sender = message["sender"].as_str().unwrap();
        let shown = chatter.display_name_of(sender).await;
        assert!(shown.as_str().unwrap().ends_with(" (demo)"), "{shown}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_is_followed_from_kick_off_to_the_points_it_gives() {
    let app = TestApp::with(&PLAYS).await;
    app.run_jobs().await;
    let ada = app.log_in(ADA).await;
    let next = events(&app, &ada, "scheduled")
        .await
        .into_iter()
        .find(|event| event["tournament"]["name"] == "Harbour League");
    let next = next.unwrap();
    let path = format!("/api/auth/events/{}", next["id"]);
    let body = json!({"event_id": next["id"], "prediction": "home"});
    app.client.post("/api/auth/predictions").token(&ada.token).json(body).send().await.expect(201);
    app.set_time(next["start_time"].as_str().unwrap());
    let (mut periods, mut scores) = (Vec::new(), Vec::new());
    for _ in 0..60 {
        app.run_jobs().await;
        let now = get(&app, &ada, &path).await["data"].clone();
        if now["status"] == "finished" {
            break;
        }
        assert_eq!(now["status"], "live");
        let score = (now["home_score"].as_i64().unwrap(), now["away_score"].as_i64().unwrap());
        if periods.last() != Some(&now["period"]) {
            periods.push(now["period"].clone());
        }
        if scores.last() != Some(&score) {
            scores.push(score);
        }
        app.advance(120);
    }
    assert_eq!(periods, [json!("first_half"), json!("half_time"), json!("second_half")]);
    assert!(scores.is_sorted() && scores[0] == (0, 0), "{scores:?}");
    app.run_jobs().await;
    let mine = get(&app, &ada, "/api/auth/predictions").await["data"][0].clone();
    assert!(mine["points_earned"].is_i64(), "{mine}");
}

#[tokio::test(flavor = "multi_thread")]
async fn three_days_asleep_are_made_up_for_in_one_step() {
    let app = TestApp::with(&PLAYS).await;
    app.run_jobs().await;
    let ada = app.log_in(ADA).await;
    let before = app.count("SELECT count(*) FROM events").await;
    let told = app.count("SELECT last_id FROM event_feed_head").await;
    app.advance(3 * 24 * 60 * 60);
    app.run_jobs().await;
    assert_eq!(app.count(LONG_OVER).await, 0);
    let added = app.count("SELECT count(*) FROM events").await - before;
    assert!((45..=65).contains(&added), "{added} matches of a night and a morning");
    let told = app.count("SELECT last_id FROM event_feed_head").await - told;
    assert!(told < 300, "{told} announcements");
    assert!((5..=9).contains(&events(&app, &ada, "live").await.len()));
    app.advance(HALF_AN_HOUR);
    app.run_jobs().await;
    assert!((5..=9).contains(&events(&app, &ada, "live").await.len()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_in_an_operators_hands_is_left_to_them() {
    let app = TestApp::with(&PLAYS).await;
    app.run_jobs().await;
    let ada = app.log_in(ADA).await;
    let live = events(&app, &ada, "live").await;
    let (scored, voided) = (&live[0], &live[1]);
    patch(&app, scored, json!({"home_score": 42, "away_score": 0})).await;
    let reason = json!({"reason": "Fog"});
    let path = format!("/api/admin/events/{}/void", voided["id"]);
    app.client.post(&path).token(OPERATOR_TOKEN).json(reason).send().await.expect(200);
    let later = &events(&app, &ada, "scheduled").await[0];
    let far = patch(&app, later, json!({"start_time": "2026-12-24T18:00:00Z"})).await;
    let how = async |event: &Value| {
        let now = get(&app, &ada, &format!("/api/auth/events/{}", event["id"])).await;
        (now["data"]["status"].clone(), now["data"]["home_score"].clone())
    };
    app.advance(60);
    app.run_jobs().await;
    assert_eq!(how(scored).await, (json!("live"), json!(42)));
    for _ in 0..8 {
        app.advance(HALF_AN_HOUR);
        app.run_jobs().await;
    }
    assert_eq!(how(scored).await, (json!("finished"), json!(42)), "it is not on for ever");
    let now = get(&app, &ada, &format!("/api/auth/events/{}", voided["id"])).await;
    assert_eq!(now["data"]["status_detail"], "void");
    let now = get(&app, &ada, &format!("/api/auth/events/{}", far["id"])).await;
    assert_eq!(now["data"]["status"], "scheduled");
    for other in &live[2..] {
        let now = get(&app, &ada, &format!("/api/auth/events/{}", other["id"])).await;
        assert_eq!(now["data"]["status"], "finished", "the others are played to their end");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_can_be_taken_for_a_simulated_fan_nor_log_in_as_one() {
    let app = TestApp::with(&PLAYS).await;
    for name in ["demo.wren", "Demo.somebody"] {
        let body = json!({"username": name});
        let reply = app.client.post("/api/auth/username/check").json(body).send().await.expect(200);
        assert_eq!(reply.body["available"], false, "{name}");
        assert_eq!(reply.body["suggestions"].as_array().unwrap().len(), 5);
    }
    let body = json!({"phone": ADA, "code": app.request_code(ADA).await, "username": "demo.ada"});
    app.client.post("/api/code/verify").json(body).send().await.expect(422);
    assert_eq!(app.count("SELECT count(*) FROM sessions").await, 0);
    assert_eq!(app.count("SELECT count(*) FROM users WHERE phone IS NOT NULL").await, 0);
    let coins = "SELECT count(*) FROM coin_accounts WHERE balance = 500";
    assert_eq!(app.count(coins).await, 40, "they are welcomed like everybody");
    assert_eq!(app.count("SELECT count(*) FROM favourite_teams").await, 80);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_banned_simulated_fan_is_silent() {
    let app = TestApp::with(&PLAYS).await;
    app.run_jobs().await;
    let one = app.count("SELECT min(id) FROM users").await;
    let path = format!("/api/admin/users/{one}/ban");
    let body = json!({"reason": "Enough"});
    app.client.post(&path).token(OPERATOR_TOKEN).json(body).send().await.expect(200);
    let theirs = "SELECT count(*) FROM predictions WHERE user_id = (SELECT min(id) FROM users)";
    let before = app.count(theirs).await;
    let all = app.count("SELECT count(*) FROM predictions").await;
    for _ in 0..6 {
        app.advance(HALF_AN_HOUR);
        app.run_jobs().await;
    }
    assert_eq!(app.count(theirs).await, before);
    assert!(app.count("SELECT count(*) FROM predictions").await > all);
}

#[tokio::test(flavor = "multi_thread")]
async fn switched_off_nothing_moves_by_itself() {
    for settings in
        [vec![PLAYS[0], ("TOUCHLINE_DEMO__PLAYS", "false")], vec![PLAYS[0]], vec![PLAYS[1]], vec![]]
    {
        let app = TestApp::with(&settings).await;
        app.run_jobs().await;
        let standing = "SELECT count(*) FROM events WHERE status = 'live'";
        let before = app.count(standing).await;
        app.advance(3 * 60 * 60);
        app.run_jobs().await;
        let ended = "SELECT count(*) FROM events WHERE result_at > created_at";
        assert_eq!(app.count(ended).await, 0, "{settings:?}");
        assert!(app.count(standing).await >= before);
        assert_eq!(app.count("SELECT count(*) FROM users").await, 0, "{settings:?}");
        assert_eq!(app.count("SELECT count(*) FROM jobs WHERE kind LIKE 'demo%'").await, 0);
    }
}

async fn overview(program: &Program) -> Value {
    let reply = program.client.get("/api/admin/overview").token(OPERATOR_TOKEN).send().await;
    reply.expect(200).body["data"]["events"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_goes_on_where_it_was() {
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let program = Program::start(&folder, &url, &PLAYS);
    let before = overview(&program).await;
    program.kill();
    let program = Program::start(&folder, &url, &PLAYS);
    let after = overview(&program).await;
    let number = |events: &Value, status: &str| events[status].as_i64().unwrap();
    assert!(number(&after, "live") >= 5, "{after}");
    let all = |events: &Value| ["live", "scheduled", "finished"].map(|it| number(events, it));
    let (before, after) = (all(&before).iter().sum::<i64>(), all(&after).iter().sum::<i64>());
    assert!((before..=before + 5).contains(&after), "{before} matches, then {after}");
    drop(program);
    let app = TestApp::beside(&folder, &url).await;
    assert_eq!(app.count("SELECT count(*) FROM users").await, 40);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_seed_is_another_league_at_once() {
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    Program::start(&folder, &url, &PLAYS).kill();
    let other = [PLAYS[0], PLAYS[1], ("TOUCHLINE_DEMO__SEED", "7")];
    let program = Program::start(&folder, &url, &other);
    // Those of the first seed are still on beside them.
    eventually(|| async { (overview(&program).await["live"].as_i64() >= Some(10)).then_some(()) })
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_that_an_earlier_demo_left_standing_are_ended() {
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let still = [PLAYS[0], ("TOUCHLINE_DEMO__PLAYS", "false")];
    Program::start(&folder, &url, &still).kill();
    let app = TestApp::beside(&folder, &url).await;
    let age = |tx: &mut touchline::platform::db::Tx| {
        tx.exec("UPDATE events SET start_time = start_time - 10800000 WHERE status = 'live'", &[])
    };
    assert_eq!(app.app.db.write(age).await.unwrap(), 4);
    drop(app);
    let program = Program::start(&folder, &url, &PLAYS);
    eventually(|| async {
        let events = overview(&program).await;
        // Two rounds of twelve were played from the beginning, and four matches stood still.
        (events["finished"].as_i64() >= Some(28)).then_some(())
    })
    .await;
}
