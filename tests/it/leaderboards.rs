//! Who stands where, and what one's own predictions say.

use serde_json::{Value, json};
use touchline::features::leaderboards::{self, Board, Period, Window};
use touchline::features::predictions::Outcome;
use touchline::features::users::UserId;
use touchline::platform::http::page::Page;

use crate::catalogue::{event, event_with, import};
use crate::chat_rooms::{in_room, public_room};
use crate::harness::{Fan, TestApp, escape};
use crate::predictions::{KICK_OFF, get, pick, place, users, with_match};
use crate::settlement::{assert_adds_up, finish, operate};

async fn board(app: &TestApp, fan: &Fan, query: &str) -> Value {
    get(app, fan, &format!("/api/auth/leaderboard{query}")).await.expect(200).body
}

/// Rank, points and user of each row.
fn rows(board: &Value) -> Vec<(i64, i64, i64)> {
    let number = |value: &Value| value.as_i64().unwrap();
    let row =
        |row: &Value| (number(&row["rank"]), number(&row["points"]), number(&row["user"]["id"]));
    board["data"].as_array().unwrap().iter().map(row).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_points_share_a_rank_in_every_scope() {
    let (app, event) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    users(&app, 1_000, 4).await;
    for (user, pick) in (1_000..).zip([
        pick(Outcome::Home, None, 50),
        pick(Outcome::Home, Some((2, 1)), 50),
        pick(Outcome::Home, Some((4, 0)), 50),
        pick(Outcome::Away, None, 50),
    ]) {
        assert!(place(&app, user, event, pick).await);
    }
    finish(&app, event, 2, 1).await;
    let expected = [(1, 6, 1_001), (2, 3, 1_000), (2, 3, 1_002), (4, 0, 1_003)];
    let tournament = app.count("SELECT tournament_id FROM events").await;
    for query in [
        String::new(),
        "?scope=global&period=all".to_owned(),
        format!("?scope=event&event_id={event}"),
        format!("?scope=tournament&tournament_id={tournament}"),
        format!("?scope=tournament&tournament_id={tournament}&period=season"),
    ] {
        let board = board(&app, &fan, &query).await;
        assert_eq!(rows(&board), expected, "{query}");
        assert_eq!(
            board["meta"],
            json!({"current_page": 1, "last_page": 1, "per_page": 20, "total": 4, "me": null,
                   "period": {"name": "all", "starts_at": null, "ends_at": null}}),
            "{query}"
        );
    }
    let first = &board(&app, &fan, "").await["data"][0];
    assert_eq!(
        *first,
        json!({"rank": 1, "points": 6, "user": {"id": 1_001, "username": "fan1001", "name": null},
               "exact_scores": 1, "correct_predictions": 1, "settled_predictions": 1})
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_is_paged_and_shows_the_page_around_me() {
    let (app, event) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    users(&app, 1_000, 24).await;
    for user in 1_000..1_024 {
        let outcome = if user % 2 == 0 { Outcome::Home } else { Outcome::Away };
        assert!(place(&app, user, event, pick(outcome, None, 50)).await);
    }
    assert!(place(&app, fan.id, event, pick(Outcome::Away, None, 50)).await);
    finish(&app, event, 1, 0).await;
    let tournament = app.count("SELECT tournament_id FROM events").await;
    for scope in [
        "scope=global".to_owned(),
        format!("scope=event&event_id={event}"),
        format!("scope=tournament&tournament_id={tournament}"),
    ] {
        let whole = rows(&board(&app, &fan, &format!("?{scope}&per_page=100")).await);
        assert_eq!(whole.len(), 25);
        let mut pieced = Vec::new();
        for page in 1..=4 {
            let query = format!("?{scope}&per_page=7&page={page}");
            pieced.extend(rows(&board(&app, &fan, &query).await));
        }
        assert_eq!(pieced, whole, "{scope}");
        let around = board(&app, &fan, &format!("?{scope}&per_page=7&around=me")).await;
        assert!(rows(&around).iter().any(|(_, _, user)| *user == fan.id), "{scope}: {around}");
        assert_eq!(around["meta"]["me"], json!({"rank": 13, "points": 0}), "{scope}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_period_counts_the_matches_that_kicked_off_in_it() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    // It is Sunday, 15 November: this week, this month, this season, and the season before.
    let starts = [
        "2026-11-15T15:00:00Z",
        "2026-11-16T15:00:00Z",
        "2026-12-01T15:00:00Z",
        "2027-07-01T15:00:00Z",
    ];
    let events = starts.iter().enumerate().map(|(n, start)| event(&format!("m:{n}"), start));
    let ids = import(&app, json!(events.collect::<Vec<_>>())).await;
    for n in 0..4 {
        let id = ids["events"][format!("m:{n}")].as_i64().unwrap();
        assert!(place(&app, fan.id, id, pick(Outcome::Home, None, 50)).await);
        finish(&app, id, 1, 0).await;
    }
    for (period, points) in [("week", 3), ("month", 6), ("season", 9), ("all", 12)] {
        let board = board(&app, &fan, &format!("?period={period}")).await;
        assert_eq!(board["meta"]["me"], json!({"rank": 1, "points": points}), "{period}");
    }
    assert_adds_up(&app).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_date_asks_for_the_period_that_holds_it() {
    let app = TestApp::new().await;
    let (fan, other) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    let room = public_room(&app, &fan, "Away end").await;
    in_room(&app, &other, &room, "join").await.expect(200);
    // The end of one week and the beginning of the next.
    let starts = ["2026-11-15T23:59:59Z", "2026-11-16T00:00:00Z"];
    let events = (1..).zip(starts).map(|(n, start)| event(&format!("m:{n}"), start));
    let ids = import(&app, json!(events.collect::<Vec<_>>())).await;
    for (key, winner, loser) in [("m:1", &fan, &other), ("m:2", &other, &fan)] {
        let id = ids["events"][key].as_i64().unwrap();
        assert!(place(&app, winner.id, id, pick(Outcome::Home, None, 50)).await);
        assert!(place(&app, loser.id, id, pick(Outcome::Away, None, 50)).await);
        finish(&app, id, 1, 0).await;
    }
    app.set_time("2026-11-18T12:00:00Z");
    let tournament = &ids["tournaments"]["league"];
    let period = |starts_at: &str, ends_at: &str| {
        let midnight = |date: &str| format!("{date}T00:00:00.000Z");
        json!({"name": "week", "starts_at": midnight(starts_at), "ends_at": midnight(ends_at)})
    };
    for scope in [
        "scope=global".to_owned(),
        format!("scope=tournament&tournament_id={tournament}"),
        format!("scope=room&room_id={}", escape(&room)),
        format!("scope=room&room_id={}&tournament_id={tournament}", escape(&room)),
    ] {
        let query = format!("?{scope}&period=week&around=me&per_page=1");
        let now = board(&app, &fan, &query).await;
        assert_eq!(rows(&now), [(2, 0, fan.id)], "{scope}");
        assert_eq!(now["meta"]["period"], period("2026-11-16", "2026-11-23"), "{scope}");
        for day in ["2026-11-09", "2026-11-15"] {
            let last = board(&app, &fan, &format!("{query}&date={day}")).await;
            assert_eq!(rows(&last), [(1, 3, fan.id)], "{scope} {day}");
            assert_eq!(last["meta"]["period"], period("2026-11-09", "2026-11-16"), "{scope} {day}");
        }
        let empty = board(&app, &fan, &format!("{query}&date=2026-11-23")).await;
        assert_eq!((&empty["data"], &empty["meta"]["total"]), (&json!([]), &json!(0)), "{scope}");
    }
    let season = board(&app, &fan, "?period=season&date=2026-06-30").await;
    assert_eq!(season["meta"]["period"]["starts_at"], "2025-07-01T00:00:00.000Z");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_date_that_names_no_period_is_refused() {
    let (app, event) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    for query in [
        "period=week&date=2026-02-30",
        "period=week&date=yesterday",
        "date=2026-11-15",
        "period=all&date=2026-11-15",
        &format!("scope=event&event_id={event}&period=week&date=2026-11-15"),
        "scope=tournament&tournament_id=1&period=season&date=2026-11-15",
    ] {
        get(&app, &fan, &format!("/api/auth/leaderboard?{query}")).await.expect_invalid("date");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_that_does_not_exist_says_why() {
    let (app, _) = with_match().await;
    let fan = app.log_in("+447700900123").await;
    let call = |query: &'static str| get(&app, &fan, query);
    call("/api/auth/leaderboard?scope=event").await.expect_invalid("event_id");
    call("/api/auth/leaderboard?scope=tournament").await.expect_invalid("tournament_id");
    call("/api/auth/leaderboard?scope=event&event_id=999").await.expect_error(404, "not_found");
    call("/api/auth/leaderboard?scope=galaxy").await.expect_invalid("scope");
    call("/api/auth/leaderboard?period=decade").await.expect_invalid("period");
    assert_eq!(board(&app, &fan, "").await["meta"]["total"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_members_of_a_room_are_ranked_among_themselves() {
    let (app, event) = with_match().await;
    users(&app, 1_000, 4).await;
    for (user, outcome) in
        (1_000..).zip([Outcome::Home, Outcome::Away, Outcome::Home, Outcome::Home])
    {
        assert!(place(&app, user, event, pick(outcome, None, 50)).await);
    }
    finish(&app, event, 1, 0).await;
    let places = app
        .app
        .db
        .read(|tx| {
            let now = tx.now();
            let board = leaderboards::find_board(tx, Board::at(None, Period::All, now, 7))?;
            let members = [1_003, 1_001, 1_002, 7].map(UserId);
            let window = Window::Page(Page { number: 1, per_page: 20 });
            leaderboards::places_among(tx, board, &members, window, UserId(1_001))
        })
        .await
        .unwrap();
    let ranks: Vec<(i64, i64)> =
        places.rows.iter().map(|(rank, place)| (*rank, place.user.id.0)).collect();
    assert_eq!(ranks, [(1, 1_002), (1, 1_003), (3, 1_001)]);
    assert_eq!((places.total, places.me), (3, Some((3, 0))));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_board_of_a_room_shows_the_page_around_me_and_one_tournament() {
    let app = TestApp::new().await;
    let cup = event_with("m:2", KICK_OFF, json!({"tournament": "cup"}));
    let ids = import(&app, json!([event("m:1", KICK_OFF), cup])).await;
    let [league_match, cup_match] = ["m:1", "m:2"].map(|key| ids["events"][key].as_i64().unwrap());
    let [ada, ben, eve] = [1, 2, 3].map(TestApp::phone);
    let fans = [app.log_in(&ada).await, app.log_in(&ben).await, app.log_in(&eve).await];
    let room = public_room(&app, &fans[0], "Away end").await;
    for fan in &fans[1..] {
        in_room(&app, fan, &room, "join").await.expect(200);
    }
    // Somebody outside the room has the most points of all.
    users(&app, 1_000, 1).await;
    assert!(place(&app, 1_000, league_match, pick(Outcome::Home, Some((1, 0)), 50)).await);
    let league_picks = [Outcome::Away, Outcome::Home, Outcome::Home];
    for (fan, outcome) in fans.iter().zip(league_picks) {
        assert!(place(&app, fan.id, league_match, pick(outcome, None, 50)).await);
    }
    assert!(place(&app, fans[0].id, cup_match, pick(Outcome::Away, None, 50)).await);
    finish(&app, league_match, 1, 0).await;
    finish(&app, cup_match, 0, 1).await;

    let query = format!("?scope=room&room_id={}", escape(&room));
    let ids_of = |board: &Value| rows(board).iter().map(|row| row.2).collect::<Vec<_>>();
    let whole = board(&app, &fans[0], &query).await;
    assert_eq!(ids_of(&whole), [fans[1].id, fans[2].id, fans[0].id]);
    for (page, fan) in (1..).zip([&fans[1], &fans[2], &fans[0]]) {
        let around = board(&app, fan, &format!("{query}&around=me&per_page=1")).await;
        assert_eq!(ids_of(&around), [fan.id]);
        assert_eq!(around["meta"]["current_page"], page);
    }
    let of_cup = format!("{query}&tournament_id={}", ids["tournaments"]["cup"]);
    let cup = board(&app, &fans[1], &of_cup).await;
    assert_eq!((ids_of(&cup), &cup["meta"]["me"]), (vec![fans[0].id], &Value::Null));
    let path = format!("/api/auth/leaderboard{query}");
    get(&app, &fans[0], &format!("{path}&tournament_id=999")).await.expect_error(404, "not_found");
    get(&app, &fans[0], &format!("{path}&event_id={cup_match}")).await.expect_invalid("event_id");
}

#[tokio::test(flavor = "multi_thread")]
async fn statistics_follow_every_settlement_and_equal_a_recount() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    // Kick-offs in the order of the numbers, settled in another one; two at the same time.
    let starts = ["20T15", "20T15", "21T15", "22T15", "23T15", "24T15"];
    let events = starts.iter().enumerate().map(|(n, start)| {
        event_with(&format!("m:{n}"), &format!("2026-11-{start}:00:00Z"), json!({}))
    });
    let ids = import(&app, json!(events.collect::<Vec<_>>())).await;
    let id = |n: usize| ids["events"][format!("m:{n}")].as_i64().unwrap();
    for (n, confidence) in [90, 80, 100, 0, 55, 50].into_iter().enumerate() {
        assert!(place(&app, fan.id, id(n), pick(Outcome::Home, None, confidence)).await);
    }
    let shown = || async {
        get(&app, &fan, "/api/auth/me/statistics").await.expect(200).body["data"].clone()
    };
    let none = shown().await;
    assert_eq!((&none["predictions"], &none["settled_predictions"]), (&json!(6), &json!(0)));
    assert_eq!((&none["accuracy"], &none["brier_score"]), (&json!(0.0), &Value::Null));

    // Right, right, right, wrong, right: settled as 4, 0, 2, 3, 1.
    for (n, home) in [(4, 1), (0, 1), (2, 1), (3, 0), (1, 1)] {
        finish(&app, id(n), home, 0).await;
    }
    let statistics = shown().await;
    // (0.1)^2 + (0.2)^2 + 0 + 0 + (0.45)^2 over 5.
    assert_eq!(
        statistics,
        json!({"predictions": 6, "settled_predictions": 5, "correct_predictions": 4, "accuracy": 0.8, "points": 12,
               "exact_scores": 0, "current_run": 1, "best_run": 3, "brier_score": 0.0505,
               "calibration": [
                   {"from": 0, "to": 9, "predictions": 1, "correct": 0, "accuracy": 0.0},
                   {"from": 50, "to": 59, "predictions": 1, "correct": 1, "accuracy": 1.0},
                   {"from": 80, "to": 89, "predictions": 1, "correct": 1, "accuracy": 1.0},
                   {"from": 90, "to": 100, "predictions": 2, "correct": 2, "accuracy": 1.0}]})
    );
    // A correction in the middle, then the last match in order.
    finish(&app, id(3), 1, 0).await;
    assert_eq!(
        (shown().await["current_run"].clone(), shown().await["best_run"].clone()),
        (json!(5), json!(5))
    );
    finish(&app, id(5), 1, 0).await;
    assert_eq!(
        app.count("SELECT is_stale FROM prediction_runs").await,
        0,
        "in order, nothing is walked"
    );
    assert_eq!(shown().await["current_run"], 6);
    operate(&app, id(0), "/void", json!({"reason": "Snow"})).await.expect(200);
    app.run_jobs().await;
    let statistics = shown().await;
    assert_eq!((&statistics["current_run"], &statistics["best_run"]), (&json!(5), &json!(5)));
    assert_adds_up(&app).await;
}
