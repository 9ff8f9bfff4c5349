//! Feeds: what providers on local ports say, and what becomes of it.

use serde_json::{Value, json};

use crate::feeds_provider::{FOOTBALL_DATA_PATH, Provider, fd, fd_document, full_time, no_score};
use crate::harness::{OPERATOR_TOKEN, Reply, TestApp};

pub const SATURDAY: &str = "2026-11-21T15:00:00.000Z";
pub const EARLIER: &str = "2026-11-15T10:00:00.000Z";

pub const FOOTBALL_DATA: &str = "league = football_data:PL:2026";
pub const BOTH: &str = "league = football_data:PL:2026, league = api_football:39:2026";

/// A service whose feed `league` asks this provider.
pub async fn app_with(provider: &Provider, sources: &str, more: &[(&str, &str)]) -> TestApp {
    let mut settings = vec![
        ("TOUCHLINE_FEEDS__SOURCES", sources),
        ("TOUCHLINE_FEEDS__FOOTBALL_DATA__TOKEN", "football-data-token"),
        ("TOUCHLINE_FEEDS__FOOTBALL_DATA__BASE_URL", &provider.url),
        ("TOUCHLINE_FEEDS__API_FOOTBALL__KEY", "api-football-key"),
        ("TOUCHLINE_FEEDS__API_FOOTBALL__BASE_URL", &provider.url),
    ];
    settings.extend(more);
    TestApp::with(&settings).await
}

/// The same with one match from football-data.org already imported.
pub async fn app_with_match(status: &str, date: &str, score: Value) -> (Provider, TestApp) {
    let provider = Provider::start().await;
    say(&provider, status, date, score);
    let app = app_with(&provider, FOOTBALL_DATA, &[]).await;
    assert_eq!(poll(&app, "").await["created"], 1);
    (provider, app)
}

/// What football-data.org says about the one match from now on.
pub fn say(provider: &Provider, status: &str, date: &str, score: Value) {
    let found = fd(1, "Northgate FC", "Southbank FC", date, status, score);
    provider.answer(FOOTBALL_DATA_PATH, fd_document(&[found]));
}

pub async fn try_poll(app: &TestApp, query: &str) -> Reply {
    let path = format!("/api/admin/feeds/league/poll{query}");
    app.client.post(&path).token(OPERATOR_TOKEN).send().await
}

pub async fn poll(app: &TestApp, query: &str) -> Value {
    try_poll(app, query).await.expect(200).body["data"].clone()
}

pub async fn feed(app: &TestApp) -> Value {
    let reply = app.client.get("/api/admin/feeds").token(OPERATOR_TOKEN).send().await.expect(200);
    reply.body["data"][0].clone()
}

pub async fn count_events(app: &TestApp) -> i64 {
    app.count("SELECT count(*) FROM events").await
}

/// The only match, as its row has it.
pub async fn state(app: &TestApp) -> String {
    let sql = "SELECT status || ' ' || COALESCE(CAST(home_score AS TEXT), '-') || ':'
                      || COALESCE(CAST(away_score AS TEXT), '-') || CASE WHEN voided_at IS NULL THEN '' ELSE ' void' END
               FROM events";
    app.texts(sql).await.join(", ")
}

async fn start_time(app: &TestApp) -> String {
    let millis = app.count("SELECT start_time FROM events").await;
    touchline::platform::clock::Timestamp::from_millis(millis).to_string()
}

async fn operate(app: &TestApp, what: &str, body: Value) -> Reply {
    let id = app.count("SELECT min(id) FROM events").await;
    let path = format!("/api/admin/events/{id}{what}");
    let call = if what.is_empty() { app.client.patch(&path) } else { app.client.post(&path) };
    call.token(OPERATOR_TOKEN).json(body).send().await
}

pub fn reason(outcome: &Value) -> &str {
    outcome["differences"][0]["reason"].as_str().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_fills_an_empty_catalogue_and_again_changes_nothing() {
    let (_provider, app) = app_with_match("TIMED", SATURDAY, no_score()).await;
    let fan = app.log_in("+447700900123").await;
    let list = app.client.get("/api/auth/events").token(&fan.token).send().await.expect(200);
    let event = &list.body["data"][0];
    assert_eq!(event["tournament"]["name"], "Premier League");
    assert_eq!(event["home_team"]["name"], "Northgate FC");
    assert_eq!(event["start_time"], SATURDAY);
    let before = app.dump().await;
    let again = poll(&app, "").await;
    assert_eq!((&again["unchanged"], &again["differences"]), (&json!(1), &json!([])));
    assert_eq!(without_bookkeeping(&before), without_bookkeeping(&app.dump().await));
}

/// The dump without what every poll, every operator's call and the passing of time write.
fn without_bookkeeping(dump: &str) -> String {
    const BOOKS: [&str; 7] =
        ["feed_requests", "audit_log", "catalogue_lock", "jobs", "sessions", "nodes", "sms_counts"];
    let is_kept = |line: &&str| !BOOKS.iter().any(|table| line.starts_with(table));
    dump.lines().filter(is_kept).collect::<Vec<_>>().join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_tells_the_difference_and_writes_nothing() {
    let (provider, app) = app_with_match("TIMED", SATURDAY, no_score()).await;
    let kept =
        fd(1, "Northgate FC", "Southbank FC", "2026-11-22T16:30:00.000Z", "TIMED", no_score());
    let new = fd(2, "Eastfield", "Westbrook", SATURDAY, "TIMED", no_score());
    provider.answer(FOOTBALL_DATA_PATH, fd_document(&[kept, new]));
    let before = app.dump().await;
    let outcome = poll(&app, "?dry_run=true").await;
    assert_eq!(
        outcome["differences"][0]["fields"],
        json!([{"field": "start_time", "from": SATURDAY, "to": "2026-11-22T16:30:00.000Z"}])
    );
    assert_eq!(outcome["differences"][1]["effect"], "created");
    assert_eq!(without_bookkeeping(&before), without_bookkeeping(&app.dump().await));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_is_followed_from_kick_off_to_a_corrected_result() {
    let (provider, app) = app_with_match("TIMED", EARLIER, no_score()).await;
    for (status, score, expected) in [
        ("IN_PLAY", full_time(0, 0), "live 0:0"),
        ("PAUSED", full_time(1, 0), "live 1:0"),
        ("FINISHED", full_time(2, 1), "finished 2:1"),
        ("FINISHED", full_time(2, 2), "finished 2:2"),
    ] {
        say(&provider, status, EARLIER, score);
        assert_eq!(poll(&app, "").await["changed"], 1, "{expected}");
        assert_eq!(state(&app).await, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn regular_time_counts_unless_the_tournament_says_otherwise() {
    let score = json!({"winner": "HOME_TEAM", "duration": "PENALTY_SHOOTOUT",
        "fullTime": {"home": 7, "away": 5}, "regularTime": {"home": 2, "away": 2},
        "extraTime": {"home": 1, "away": 1}, "penalties": {"home": 4, "away": 2}});
    let (provider, app) = app_with_match("FINISHED", EARLIER, score).await;
    assert_eq!(state(&app).await, "finished 2:2");
    let sources = "league = football_data:PL:2026 score=extra_time";
    let app = app_with(&provider, sources, &[]).await;
    poll(&app, "").await;
    assert_eq!(state(&app).await, "finished 3:3");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finish_without_a_sane_score_is_held_and_not_settled() {
    let (provider, app) = app_with_match("IN_PLAY", EARLIER, full_time(1, 0)).await;
    for (score, words) in [
        (no_score(), "without a score"),
        (json!({"winner": "AWAY_TEAM", "fullTime": {"home": 2, "away": 1}}), "winner"),
        (json!({"duration": "PENALTY_SHOOTOUT", "fullTime": {"home": 7, "away": 5}}), "without"),
        (json!({"fullTime": {"home": 120, "away": 1}}), "outside"),
    ] {
        say(&provider, "FINISHED", EARLIER, score);
        let outcome = poll(&app, "").await;
        assert!(reason(&outcome).contains(words), "{outcome}");
        assert_eq!(state(&app).await, "live 1:0");
    }
    assert_eq!(feed(&app).await["held"][0]["title"], "Northgate FC - Southbank FC");
    say(&provider, "FINISHED", EARLIER, full_time(2, 1));
    poll(&app, "").await;
    assert_eq!(state(&app).await, "finished 2:1");
    assert_eq!(feed(&app).await["held"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finish_before_the_start_is_held() {
    let (provider, app) = app_with_match("TIMED", SATURDAY, no_score()).await;
    say(&provider, "FINISHED", SATURDAY, full_time(2, 1));
    assert!(reason(&poll(&app, "").await).contains("before its start"));
    assert_eq!(state(&app).await, "scheduled -:-");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_time_that_was_held_is_carried_over_once_it_can_be_believed() {
    let (provider, app) = app_with_match("TIMED", SATURDAY, no_score()).await;
    let moved = "2026-11-22T15:00:00.000Z";
    say(&provider, "RESCHEDULING", moved, no_score());
    assert!(reason(&poll(&app, "").await).contains("RESCHEDULING is not known"));
    assert_eq!(start_time(&app).await, SATURDAY);
    say(&provider, "TIMED", moved, no_score());
    poll(&app, "").await;
    assert_eq!(start_time(&app).await, moved);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_of_long_ago_without_a_result_is_held_rather_than_live_for_ever() {
    let provider = Provider::start().await;
    say(&provider, "TIMED", "2026-11-13T15:00:00.000Z", no_score());
    let app = app_with(&provider, FOOTBALL_DATA, &[]).await;
    assert!(reason(&poll(&app, "").await).contains("more than a day ago"));
    assert_eq!(count_events(&app).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postponed_match_that_had_gone_live_reopens_at_its_new_time() {
    let (provider, app) = app_with_match("TIMED", "2026-11-15T12:10:00.000Z", no_score()).await;
    app.advance(660);
    app.run_jobs().await;
    assert_eq!(state(&app).await, "live -:-");
    // No new time yet: the old one stays and counts for nothing.
    say(&provider, "POSTPONED", "2026-11-15T12:10:00.000Z", no_score());
    let told = poll(&app, "").await;
    assert_eq!(
        told["differences"][0]["fields"],
        json!([{"field": "start_time_confirmed", "from": "yes", "to": "no"},
               {"field": "status", "from": "live", "to": "scheduled"}])
    );
    app.advance(660);
    app.run_jobs().await;
    assert_eq!(state(&app).await, "scheduled -:-");
    assert_eq!(start_time(&app).await, "2026-11-15T12:10:00.000Z");
    assert_eq!(open_times(&app).await, 1);
    assert_eq!(poll(&app, "").await["unchanged"], 1);
    // A provider that is behind gives no time by repeating the old one.
    say(&provider, "TIMED", "2026-11-15T12:10:00.000Z", no_score());
    poll(&app, "").await;
    assert_eq!(open_times(&app).await, 1);
    say(&provider, "TIMED", "2026-12-02T19:45:00.000Z", no_score());
    poll(&app, "").await;
    assert_eq!(start_time(&app).await, "2026-12-02T19:45:00.000Z");
    assert_eq!(open_times(&app).await, 0);
}

async fn open_times(app: &TestApp) -> i64 {
    app.count("SELECT count(*) FROM events WHERE start_time_confirmed = 0").await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_that_is_first_told_of_as_postponed_has_no_time() {
    let (provider, app) = app_with_match("POSTPONED", EARLIER, no_score()).await;
    assert_eq!((state(&app).await.as_str(), open_times(&app).await), ("scheduled -:-", 1));
    assert_eq!(poll(&app, "").await["unchanged"], 1);
    // It is played after all: it began when the provider says.
    say(&provider, "IN_PLAY", EARLIER, full_time(1, 0));
    poll(&app, "").await;
    assert_eq!((state(&app).await.as_str(), open_times(&app).await), ("live 1:0", 0));
    assert_eq!(start_time(&app).await, EARLIER);
    assert_eq!(poll(&app, "").await["unchanged"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_gives_the_time_of_a_match_that_an_operator_postponed_but_not_the_old_one() {
    let (provider, app) = app_with_match("TIMED", SATURDAY, no_score()).await;
    operate(&app, "", json!({"start_time_confirmed": false})).await.expect(200);
    poll(&app, "").await;
    assert_eq!(open_times(&app).await, 1);
    say(&provider, "IN_PLAY", EARLIER, full_time(1, 0));
    assert!(reason(&poll(&app, "").await).contains("operator"));
    say(&provider, "TIMED", "2026-12-02T19:45:00.000Z", no_score());
    poll(&app, "").await;
    assert_eq!(open_times(&app).await, 0);
    assert_eq!(start_time(&app).await, "2026-12-02T19:45:00.000Z");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_time_that_an_operator_gives_a_postponed_match_stays() {
    let (_provider, app) = app_with_match("POSTPONED", SATURDAY, no_score()).await;
    operate(&app, "", json!({"start_time_confirmed": true})).await.expect(200);
    assert_eq!(poll(&app, "").await["unchanged"], 1);
    assert_eq!((open_times(&app).await, start_time(&app).await.as_str()), (0, SATURDAY));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_match_is_void_until_the_provider_takes_it_back() {
    let (provider, app) = app_with_match("TIMED", SATURDAY, no_score()).await;
    say(&provider, "CANCELLED", SATURDAY, no_score());
    poll(&app, "").await;
    assert_eq!(state(&app).await, "scheduled -:- void");
    assert_eq!(poll(&app, "").await["unchanged"], 1);
    say(&provider, "TIMED", SATURDAY, no_score());
    poll(&app, "").await;
    assert_eq!(state(&app).await, "scheduled -:-");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_awarded_match_is_held_finished_or_void_as_set() {
    for (setting, expected) in
        [("hold", "live 0:0"), ("finish", "finished 3:0"), ("void", "live 0:0 void")]
    {
        let provider = Provider::start().await;
        say(&provider, "IN_PLAY", EARLIER, full_time(0, 0));
        let sources = format!("{FOOTBALL_DATA} awarded={setting}");
        let app = app_with(&provider, &sources, &[]).await;
        poll(&app, "").await;
        say(&provider, "AWARDED", EARLIER, full_time(3, 0));
        poll(&app, "").await;
        assert_eq!(state(&app).await, expected, "{setting}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operators_result_is_never_overwritten() {
    let (provider, app) = app_with_match("IN_PLAY", EARLIER, full_time(1, 0)).await;
    operate(&app, "/result", json!({"home_score": 3, "away_score": 0})).await.expect(200);
    for (status, score) in [
        ("FINISHED", full_time(2, 1)),
        ("IN_PLAY", full_time(2, 1)),
        ("FINISHED", full_time(3, 0)),
        ("FINISHED", full_time(4, 4)),
        ("CANCELLED", no_score()),
        ("POSTPONED", no_score()),
    ] {
        say(&provider, status, EARLIER, score);
        poll(&app, "").await;
        assert_eq!(state(&app).await, "finished 3:0", "{status}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operators_correction_of_a_feeds_result_is_never_overwritten() {
    let (provider, app) = app_with_match("FINISHED", EARLIER, full_time(2, 1)).await;
    operate(&app, "/result", json!({"home_score": 2, "away_score": 2})).await.expect(200);
    poll(&app, "").await;
    say(&provider, "FINISHED", EARLIER, full_time(3, 1));
    assert!(reason(&poll(&app, "").await).contains("operator"));
    assert_eq!(state(&app).await, "finished 2:2");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operators_time_stays_until_the_feed_agrees_with_it() {
    let (provider, app) = app_with_match("TIMED", SATURDAY, no_score()).await;
    let moved = "2026-11-23T20:00:00.000Z";
    operate(&app, "", json!({"start_time": moved})).await.expect(200);
    for date in [SATURDAY, "2026-11-22T15:00:00.000Z"] {
        say(&provider, "TIMED", date, no_score());
        poll(&app, "").await;
        assert_eq!(start_time(&app).await, moved);
    }
    say(&provider, "TIMED", moved, no_score());
    poll(&app, "").await;
    say(&provider, "TIMED", "2026-11-24T20:00:00.000Z", no_score());
    poll(&app, "").await;
    assert_eq!(start_time(&app).await, "2026-11-24T20:00:00.000Z");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operators_void_is_never_undone() {
    let (provider, app) = app_with_match("IN_PLAY", EARLIER, full_time(1, 0)).await;
    operate(&app, "/void", json!({"reason": "Waterlogged pitch"})).await.expect(200);
    say(&provider, "FINISHED", EARLIER, full_time(2, 1));
    poll(&app, "").await;
    assert_eq!(state(&app).await, "live 1:0 void");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_re_issued_id_finds_its_match() {
    let (provider, app) = app_with_match("TIMED", SATURDAY, no_score()).await;
    let again =
        fd(99, "Northgate FC", "Southbank FC", "2026-12-05T15:00:00.000Z", "TIMED", no_score());
    provider.answer(FOOTBALL_DATA_PATH, fd_document(&[again]));
    poll(&app, "").await;
    assert_eq!(count_events(&app).await, 1);
    assert_eq!(start_time(&app).await, "2026-12-05T15:00:00.000Z");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_that_is_given_to_another_pairing_changes_no_match() {
    let (provider, app) = app_with_match("TIMED", SATURDAY, no_score()).await;
    let other = fd(1, "Eastfield", "Westbrook", SATURDAY, "TIMED", no_score());
    provider.answer(FOOTBALL_DATA_PATH, fd_document(std::slice::from_ref(&other)));
    assert!(reason(&poll(&app, "").await).contains("another pairing"));
    assert_eq!(count_events(&app).await, 1);
    // Once the old match is listed under a new id, it is clear what happened.
    let first = fd(2, "Northgate FC", "Southbank FC", SATURDAY, "TIMED", no_score());
    provider.answer(FOOTBALL_DATA_PATH, fd_document(&[other, first]));
    assert_eq!(poll(&app, "").await["created"], 1);
    assert_eq!(count_events(&app).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_that_swaps_the_sides_of_a_match_is_held_and_changes_nothing() {
    let (provider, app) = app_with_match("TIMED", SATURDAY, no_score()).await;
    let before = app.texts("SELECT home_team_id || '-' || away_team_id FROM events").await;
    let swapped = fd(1, "Southbank FC", "Northgate FC", SATURDAY, "TIMED", no_score());
    provider.answer(FOOTBALL_DATA_PATH, fd_document(&[swapped]));
    assert!(reason(&poll(&app, "").await).contains("another pairing"));
    let after = app.texts("SELECT home_team_id || '-' || away_team_id FROM events").await;
    assert_eq!(before, after);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_listed_under_two_ids_is_there_once() {
    let provider = Provider::start().await;
    let found = |id| fd(id, "Northgate FC", "Southbank FC", SATURDAY, "TIMED", no_score());
    provider.answer(FOOTBALL_DATA_PATH, fd_document(&[found(1), found(2)]));
    let app = app_with(&provider, FOOTBALL_DATA, &[]).await;
    let outcome = poll(&app, "").await;
    assert_eq!((&outcome["created"], &outcome["held"]), (&json!(1), &json!(1)));
    assert_eq!(count_events(&app).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_takes_over_what_an_operator_imported_before() {
    let provider = Provider::start().await;
    say(&provider, "TIMED", SATURDAY, no_score());
    let app = app_with(&provider, FOOTBALL_DATA, &[]).await;
    crate::catalogue::import(&app, json!([crate::catalogue::event("m:1", "2026-11-20T15:00:00Z")]))
        .await;
    let outcome = poll(&app, "").await;
    assert_eq!((&outcome["created"], &outcome["changed"]), (&json!(0), &json!(1)));
    assert_eq!(start_time(&app).await, SATURDAY);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_openfootball_file_is_read_in_its_zone_and_a_moved_date_moves_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("league.json");
    let write = |date: &str, score: Value| {
        let found = json!({"round": "Matchday 1", "date": date, "time": "16:00",
                           "team1": "Northgate FC", "team2": "Southbank FC", "score": score});
        let document = json!({"name": "League 2026/27", "matches": [found]});
        std::fs::write(&path, document.to_string()).unwrap();
    };
    write("2026-11-21", json!({}));
    let sources = format!("league = openfootball:{} time_zone=Europe/Madrid", path.display());
    let provider = Provider::start().await;
    let app = app_with(&provider, &sources, &[]).await;
    poll(&app, "").await;
    assert_eq!(start_time(&app).await, SATURDAY);
    write("2026-11-14", json!({"ht": [1, 0], "ft": [2, 1]}));
    poll(&app, "").await;
    assert_eq!((count_events(&app).await, state(&app).await.as_str()), (1, "finished 2:1"));
    assert_eq!(start_time(&app).await, "2026-11-14T15:00:00.000Z");
}
