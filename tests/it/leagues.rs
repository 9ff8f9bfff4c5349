//! Leagues: whose predictions count, from when on, by what, and who is ahead.

use serde_json::{Value, json};
use touchline::features::predictions::Outcome;

use crate::catalogue::{event, event_with, import};
use crate::harness::{Fan, Reply, TestApp, together};
use crate::predictions::{get, pick, place};
use crate::settlement::{assert_adds_up, finish, operate};

/// Friday of this week, Friday of the next, and one of the cup between them; it is Sunday, 15 November, when they are made.
const STARTS: [(&str, &str, &str); 3] = [
    ("m:1", "2026-11-20T15:00:00Z", "league"),
    ("m:2", "2026-11-27T15:00:00Z", "league"),
    ("m:3", "2026-11-22T15:00:00Z", "cup"),
];

pub struct Season {
    pub app: TestApp,
    pub league: i64,
    pub cup: i64,
    pub matches: [i64; 3],
}

pub async fn season() -> Season {
    let app = TestApp::new().await;
    let matches = STARTS
        .iter()
        .map(|(key, start, tournament)| event_with(key, start, json!({"tournament": tournament})));
    let ids = import(&app, json!(matches.collect::<Vec<_>>())).await;
    let of = |kind: &str, key: &str| ids[kind][key].as_i64().unwrap();
    Season {
        league: of("tournaments", "league"),
        cup: of("tournaments", "cup"),
        matches: STARTS.map(|(key, ..)| of("events", key)),
        app,
    }
}

pub async fn post(app: &TestApp, fan: &Fan, path: &str, body: Value) -> Reply {
    app.client.post(&format!("/api/auth/leagues{path}")).token(&fan.token).json(body).send().await
}

/// Makes a league that begins this week.
pub async fn make(app: &TestApp, fan: &Fan, body: Value) -> Value {
    post(app, fan, "", body).await.expect(201).body["data"].clone()
}

pub async fn join(app: &TestApp, fan: &Fan, league: &Value) -> Reply {
    post(app, fan, "/join", json!({"code": league["code"]})).await
}

pub async fn table(app: &TestApp, fan: &Fan, league: &Value, query: &str) -> Value {
    let path = format!("/api/auth/leagues/{}/table{query}", league["id"]);
    get(app, fan, &path).await.expect(200).body
}

/// Rank, points and user of each row.
pub fn rows(table: &Value) -> Vec<(i64, i64, i64)> {
    let number = |value: &Value| value.as_i64().unwrap();
    let row =
        |row: &Value| (number(&row["rank"]), number(&row["points"]), number(&row["user"]["id"]));
    table["data"].as_array().unwrap().iter().map(row).collect()
}

/// Every table is what the predictions themselves come to.
pub async fn assert_tables_add_up(app: &TestApp) {
    assert_adds_up(app).await;
    let wrong = app
        .count(
            "SELECT count(*) FROM league_standings s JOIN leagues l ON l.id = s.league_id
             WHERE s.week = 0 AND l.closed_at IS NULL AND s.points <>
               (SELECT COALESCE(sum(CASE WHEN l.pays_outcome IS NULL THEN p.points WHEN p.tier = 0 THEN 0
                                         WHEN p.tier = 3 THEN l.pays_exact WHEN p.outcome = 'draw' THEN l.pays_draw
                                         WHEN p.home_score - p.away_score = e.home_score - e.away_score THEN l.pays_difference
                                         ELSE l.pays_outcome END), 0)
                FROM predictions p JOIN events e ON e.id = p.event_id
                JOIN league_tournaments t ON t.league_id = l.id AND t.tournament_id = e.tournament_id
                WHERE p.user_id = s.user_id AND p.points IS NOT NULL AND e.start_time >= l.starts_at)
               + (SELECT COALESCE(sum(t.points), 0) FROM question_tips t JOIN questions q ON q.id = t.question_id AND q.in_leagues = 1
                  JOIN league_tournaments own ON own.league_id = l.id AND own.tournament_id = q.tournament_id
                  WHERE t.user_id = s.user_id AND q.closes_at >= l.starts_at)",
        )
        .await;
    assert_eq!(wrong, 0, "members whose points are not those of their predictions");
    let uneven = app
        .count(
            "SELECT count(*) FROM league_standings s WHERE s.week = 0 AND (s.settled, s.correct, s.exact) <>
               (SELECT COALESCE(sum(w.settled), 0), COALESCE(sum(w.correct), 0), COALESCE(sum(w.exact), 0) FROM league_standings w
                WHERE w.league_id = s.league_id AND w.user_id = s.user_id AND w.week > 0)",
        )
        .await;
    assert_eq!(uneven, 0, "members whose weeks are not what they have in all");
    let unlisted = app
        .count(
            "SELECT count(*) FROM league_members m LEFT JOIN league_standings s
               ON s.league_id = m.league_id AND s.user_id = m.user_id AND s.week = 0 WHERE s.user_id IS NULL",
        )
        .await;
    assert_eq!(unlisted, 0, "members without a place");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_league_is_made_and_joined_by_its_code() {
    let Season { app, league, cup, .. } = season().await;
    let (ada, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    let body = json!({"name": "Office league", "tournament_ids": [cup, league]});
    let made = make(&app, &ada, body).await;
    let code = made["code"].as_str().unwrap();
    assert_eq!(code.len(), 10);
    assert!(made["link"].as_str().unwrap().ends_with(&format!("/?league={code}")), "{made}");
    assert_eq!(
        (
            &made["name"],
            &made["scoring"],
            &made["starts_on"],
            &made["is_public"],
            &made["role"],
            &made["member_count"]
        ),
        (
            &json!("Office league"),
            &json!("tournament"),
            &json!("2026-11-09"),
            &json!(false),
            &json!("owner"),
            &json!(1)
        )
    );
    assert_eq!(
        made["tournaments"],
        json!([{"id": cup, "name": "Cup"}, {"id": league, "name": "League"}])
    );
    // Typed from paper.
    let typed = format!("{}-{}", code[..5].to_lowercase(), &code[5..]);
    let shown = get(&app, &ben, &format!("/api/auth/leagues/codes/{typed}")).await.expect(200).body;
    assert_eq!(
        (&shown["data"]["name"], &shown["data"]["is_member"]),
        (&json!("Office league"), &json!(false))
    );
    let joined = post(&app, &ben, "/join", json!({"code": typed})).await.expect(200).body;
    assert_eq!(
        (&joined["data"]["role"], &joined["data"]["member_count"]),
        (&json!("member"), &json!(2))
    );
    // A second time changes nothing.
    assert_eq!(join(&app, &ben, &made).await.expect(200).body["data"], joined["data"]);
    let mine = get(&app, &ben, "/api/auth/leagues").await.expect(200).body;
    assert_eq!((&mine["data"], &mine["meta"]["total"]), (&json!([joined["data"]]), &json!(1)));
    let table = table(&app, &ada, &made, "").await;
    assert_eq!(rows(&table), [(1, 0, ada.id), (1, 0, ben.id)]);
    assert_eq!(table["meta"]["me"], json!({"rank": 1, "points": 0}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_league_that_is_not_for_everybody_is_none_to_strangers() {
    let Season { app, league, .. } = season().await;
    let (ada, eve) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    let private = make(&app, &ada, json!({"name": "Ours", "tournament_ids": [league]})).await;
    let public =
        make(&app, &ada, json!({"name": "All", "tournament_ids": [league], "is_public": true}))
            .await;
    for below in ["", "/table", "/weeks", "/members"] {
        let path = |of: &Value| format!("/api/auth/leagues/{}{below}", of["id"]);
        get(&app, &eve, &path(&private)).await.expect_error(404, "not_found");
        get(&app, &eve, &path(&public)).await.expect(200);
    }
    post(&app, &eve, &format!("/{}/join", private["id"]), json!({}))
        .await
        .expect_error(404, "not_found");
    let found = get(&app, &eve, "/api/auth/leagues?public=true&search=AL").await.expect(200).body;
    let ids = |list: &Value| {
        list["data"].as_array().unwrap().iter().map(|it| it["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&found), [public["id"].clone()]);
    assert_eq!(
        (&found["data"][0]["role"], &found["data"][0]["code"]),
        (&json!(null), &json!(null))
    );
    let joined =
        post(&app, &eve, &format!("/{}/join", public["id"]), json!({})).await.expect(200).body;
    assert_eq!(joined["data"]["code"], public["code"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_counts_is_what_was_predicted_on_its_tournaments_since_its_first_week() {
    let Season { app, league, cup, matches } = season().await;
    let (ada, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    let both = make(&app, &ada, json!({"name": "Both", "tournament_ids": [league, cup]})).await;
    let cups = make(&app, &ada, json!({"name": "Cup", "tournament_ids": [cup]})).await;
    let later = make(
        &app,
        &ada,
        json!({"name": "Later", "tournament_ids": [league], "starts_on": "2026-11-26"}),
    )
    .await;
    for made in [&both, &cups, &later] {
        join(&app, &ben, made).await.expect(200);
    }
    for id in matches {
        assert!(place(&app, ada.id, id, pick(Outcome::Home, Some((2, 1)), 50)).await);
        assert!(place(&app, ben.id, id, pick(Outcome::Home, None, 50)).await);
        finish(&app, id, 2, 1).await;
    }
    // 6 and 3 for each match of the league, 4 and 2 for the cup's.
    assert_eq!(rows(&table(&app, &ada, &both, "").await), [(1, 16, ada.id), (2, 8, ben.id)]);
    assert_eq!(rows(&table(&app, &ada, &cups, "").await), [(1, 4, ada.id), (2, 2, ben.id)]);
    assert_eq!(rows(&table(&app, &ada, &later, "").await), [(1, 6, ada.id), (2, 3, ben.id)]);
    let week = table(&app, &ben, &both, "?week=2026-11-18").await;
    assert_eq!(rows(&week), [(1, 10, ada.id), (2, 5, ben.id)]);
    assert_eq!(week["meta"]["week"], json!("2026-11-16"));
    assert_eq!(rows(&table(&app, &ben, &both, "?week=2026-11-11").await), []);
    assert_tables_add_up(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preset_pays_for_what_was_right_whatever_the_tournament_pays() {
    let Season { app, league, cup, matches } = season().await;
    let fans = [1, 2, 3, 4].map(TestApp::phone);
    let mut players = Vec::new();
    for phone in &fans {
        players.push(app.log_in(phone).await);
    }
    let mut leagues = Vec::new();
    for scoring in ["classic", "kicktipp", "super6", "premier_league"] {
        let body = json!({"name": scoring, "tournament_ids": [league, cup], "scoring": scoring});
        let made = make(&app, &players[0], body).await;
        for fan in &players[1..] {
            join(&app, fan, &made).await.expect(200);
        }
        leagues.push(made);
    }
    // Exact, by the difference, by the outcome alone, and wrong; then a draw.
    let guesses = [Some((3, 1)), Some((2, 0)), Some((4, 0))];
    for (fan, guess) in players.iter().zip(guesses) {
        assert!(place(&app, fan.id, matches[0], pick(Outcome::Home, guess, 90)).await);
    }
    assert!(place(&app, players[3].id, matches[0], pick(Outcome::Away, None, 90)).await);
    finish(&app, matches[0], 3, 1).await;
    for (fan, guess) in players.iter().zip([Some((1, 1)), Some((2, 2)), None]) {
        assert!(place(&app, fan.id, matches[2], pick(Outcome::Draw, guess, 10)).await);
    }
    finish(&app, matches[2], 1, 1).await;
    let expected = [[12, 8, 7, 0], [8, 5, 4, 0], [10, 4, 4, 0], [20, 10, 10, 0]];
    for (made, expected) in leagues.iter().zip(expected) {
        let points: Vec<i64> =
            rows(&table(&app, &players[0], made, "").await).iter().map(|row| row.1).collect();
        assert_eq!(points, expected, "{}", made["scoring"]);
    }
    assert_tables_add_up(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_that_is_corrected_voided_or_moved_moves_the_table() {
    let Season { app, league, matches, .. } = season().await;
    let (ada, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    let body = json!({"name": "Two", "tournament_ids": [league], "scoring": "super6"});
    let made = make(&app, &ada, body).await;
    join(&app, &ben, &made).await.expect(200);
    assert!(place(&app, ada.id, matches[0], pick(Outcome::Home, Some((2, 1)), 50)).await);
    assert!(place(&app, ben.id, matches[0], pick(Outcome::Away, Some((0, 1)), 50)).await);
    finish(&app, matches[0], 2, 1).await;
    assert_eq!(rows(&table(&app, &ada, &made, "").await), [(1, 5, ada.id), (2, 0, ben.id)]);
    // The same tier of the tournament's preset in other words: only what was right about it differs.
    finish(&app, matches[0], 3, 2).await;
    assert_tables_add_up(&app).await;
    finish(&app, matches[0], 0, 1).await;
    assert_eq!(rows(&table(&app, &ada, &made, "").await), [(1, 5, ben.id), (2, 0, ada.id)]);
    operate(&app, matches[0], "/void", json!({"reason": "Abandoned"})).await.expect(200);
    app.run_jobs().await;
    assert_eq!(rows(&table(&app, &ada, &made, "").await), [(1, 0, ada.id), (1, 0, ben.id)]);
    assert_eq!(rows(&table(&app, &ada, &made, "?week=2026-11-20").await), []);
    assert_tables_add_up(&app).await;
    // A match that is played a week later belongs to that week.
    assert!(place(&app, ada.id, matches[1], pick(Outcome::Home, None, 50)).await);
    finish(&app, matches[1], 1, 0).await;
    let new = [event("m:2", "2026-12-04T15:00:00Z")];
    import(&app, json!(new)).await;
    app.run_jobs().await;
    assert_tables_add_up(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_week_has_its_winner_and_ties_share_it() {
    let Season { app, league, cup, matches } = season().await;
    let (ada, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    let made = make(&app, &ada, json!({"name": "Two", "tournament_ids": [league, cup]})).await;
    join(&app, &ben, &made).await.expect(200);
    for (fan, id) in [(&ada, matches[0]), (&ada, matches[1]), (&ben, matches[1])] {
        assert!(place(&app, fan.id, id, pick(Outcome::Home, None, 50)).await);
    }
    finish(&app, matches[0], 1, 0).await;
    finish(&app, matches[1], 1, 0).await;
    app.set_time("2026-11-25T12:00:00Z");
    let path = format!("/api/auth/leagues/{}/weeks", made["id"]);
    let weeks = get(&app, &ada, &path).await.expect(200).body;
    let told: Vec<_> = weeks["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|week| {
            let winners = week["winners"].as_array().unwrap().iter();
            let winners: Vec<i64> = winners.map(|it| it["user"]["id"].as_i64().unwrap()).collect();
            (week["week"].as_str().unwrap(), week["is_over"].as_bool().unwrap(), winners)
        })
        .collect();
    assert_eq!(
        told,
        [("2026-11-23", false, vec![ada.id, ben.id]), ("2026-11-16", true, vec![ada.id])]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_joins_late_has_what_they_predicted_before() {
    let Season { app, league, matches, .. } = season().await;
    let (ada, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    assert!(place(&app, ben.id, matches[0], pick(Outcome::Home, None, 50)).await);
    finish(&app, matches[0], 1, 0).await;
    let made = make(&app, &ada, json!({"name": "Two", "tournament_ids": [league]})).await;
    join(&app, &ben, &made).await.expect(200);
    assert_eq!(rows(&table(&app, &ada, &made, "").await), [(1, 3, ben.id), (2, 0, ada.id)]);
    assert_tables_add_up(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_league_that_counts_otherwise_is_reckoned_anew() {
    let Season { app, league, cup, matches } = season().await;
    let (ada, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    let made = make(&app, &ada, json!({"name": "Two", "tournament_ids": [league]})).await;
    join(&app, &ben, &made).await.expect(200);
    for id in matches {
        assert!(place(&app, ben.id, id, pick(Outcome::Home, None, 50)).await);
        finish(&app, id, 1, 0).await;
    }
    let path = format!("/api/auth/leagues/{}", made["id"]);
    for (change, points) in [
        (json!({"tournament_ids": [cup]}), 2),
        (json!({"scoring": "premier_league"}), 5),
        (json!({"tournament_ids": [cup, league]}), 15),
        (json!({"starts_on": "2026-11-23"}), 5),
        (json!({"name": "Three"}), 5),
    ] {
        app.client.patch(&path).token(&ada.token).json(change.clone()).send().await.expect(200);
        app.run_jobs().await;
        let first = rows(&table(&app, &ada, &made, "").await)[0];
        assert_eq!(first, (1, points, ben.id), "{change}");
        assert_tables_add_up(&app).await;
    }
    app.client
        .patch(&path)
        .token(&ben.token)
        .json(json!({}))
        .send()
        .await
        .expect_error(403, "league_role");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_league_keeps_its_table_and_counts_no_more() {
    let Season { app, league, matches, .. } = season().await;
    let (ada, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    let made = make(&app, &ada, json!({"name": "One", "tournament_ids": [league]})).await;
    for id in [matches[0], matches[1]] {
        assert!(place(&app, ada.id, id, pick(Outcome::Home, None, 50)).await);
    }
    finish(&app, matches[0], 1, 0).await;
    let path = format!("/api/auth/leagues/{}", made["id"]);
    let close = || app.client.delete(&path).token(&ada.token).send();
    close().await.expect(200);
    finish(&app, matches[1], 1, 0).await;
    assert_eq!(rows(&table(&app, &ada, &made, "").await), [(1, 3, ada.id)]);
    close().await.expect_error(400, "league_closed");
    join(&app, &ben, &made).await.expect_error(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_request_twice_makes_one_league() {
    let Season { app, league, .. } = season().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    let body = json!({"name": "One", "tournament_ids": [league]});
    let send = || {
        let call = app.client.post("/api/auth/leagues").token(&ada.token);
        call.header("idempotency-key", "one").json(body.clone()).send()
    };
    let first = send().await.expect(201);
    let second = send().await.expect(201);
    assert_eq!(first.body, second.body);
    assert_eq!(app.count("SELECT count(*) FROM leagues").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_league_cannot_be_is_said_by_field() {
    let Season { app, league, .. } = season().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    let good = json!({"name": "One", "tournament_ids": [league]});
    for (field, value) in [
        ("name", json!("")),
        ("name", json!("x".repeat(61))),
        ("name", json!("a\u{202e}b")),
        ("tournament_ids", json!([])),
        ("tournament_ids", json!([0])),
        ("tournament_ids", json!([league, 999_999])),
        ("tournament_ids", json!((1..=21).collect::<Vec<_>>())),
        ("tournament_ids", json!("all")),
        ("scoring", json!("generous")),
        ("starts_on", json!("yesterday")),
        ("starts_on", json!("2020-01-01")),
        ("starts_on", json!("2030-01-01")),
        ("is_public", json!("yes")),
    ] {
        let mut body = good.clone();
        body[field] = value;
        post(&app, &ada, "", body).await.expect_invalid(field);
    }
    assert_eq!(app.count("SELECT count(*) FROM leagues").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn those_who_join_while_a_match_is_settled_are_counted() {
    let Season { app, league, matches, .. } = season().await;
    let mut fans = Vec::new();
    for number in 0..12 {
        fans.push(app.log_in(&TestApp::phone(number)).await);
    }
    for fan in &fans {
        assert!(place(&app, fan.id, matches[0], pick(Outcome::Home, None, 50)).await);
    }
    let made = make(&app, &fans[0], json!({"name": "All", "tournament_ids": [league]})).await;
    let result = json!({"home_score": 1, "away_score": 0});
    operate(&app, matches[0], "/result", result).await.expect(200);
    let joining = together(11, |n| join(&app, &fans[n + 1], &made));
    let (joined, _) = tokio::join!(joining, app.run_jobs());
    for reply in joined {
        reply.expect(200);
    }
    app.run_jobs().await;
    assert_tables_add_up(&app).await;
    let expected: Vec<_> = fans.iter().map(|fan| (1, 3, fan.id)).collect();
    assert_eq!(rows(&table(&app, &fans[0], &made, "").await), expected);
}
