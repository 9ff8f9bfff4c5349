//! Feeds: who is asked when, and what happens when a provider fails or disagrees.

use serde_json::json;

use crate::feeds::{
    BOTH, EARLIER, FOOTBALL_DATA, SATURDAY, app_with, app_with_match, count_events, feed, poll,
    reason, say, state, try_poll,
};
use crate::feeds_provider::{
    API_FOOTBALL_PATH, Answer, FOOTBALL_DATA_PATH, Provider, af, af_page, fd, fd_document,
    full_time, no_score,
};
use crate::harness::{OPERATOR_TOKEN, Program};

#[tokio::test(flavor = "multi_thread")]
async fn a_second_source_is_asked_only_when_the_first_fails_and_finds_the_same_matches() {
    let (provider, app) = {
        let provider = Provider::start().await;
        say(&provider, "IN_PLAY", EARLIER, full_time(1, 0));
        let goals = json!({"home": 2, "away": 1});
        let found = af(700, "Northgate", "Southbank", EARLIER, "FT", goals);
        provider.answer(API_FOOTBALL_PATH, af_page(&[found], 1, 1));
        let app = app_with(&provider, BOTH, &[]).await;
        (provider, app)
    };
    assert_eq!(poll(&app, "").await["provider"], "football_data");
    assert_eq!(provider.asked().len(), 1);
    provider.answer(FOOTBALL_DATA_PATH, Answer::status(503));
    let outcome = poll(&app, "").await;
    assert_eq!(outcome["provider"], "api_football");
    assert_eq!(outcome["failures"], json!(["football_data: answered 503"]));
    assert_eq!((count_events(&app).await, state(&app).await.as_str()), (1, "finished 2:1"));
    assert_eq!(feed(&app).await["last_error"], "football_data: answered 503");
}

#[tokio::test(flavor = "multi_thread")]
async fn sources_that_tell_different_results_are_held() {
    let (provider, app) = {
        let provider = Provider::start().await;
        say(&provider, "FINISHED", EARLIER, full_time(2, 1));
        let app = app_with(&provider, BOTH, &[]).await;
        (provider, app)
    };
    poll(&app, "").await;
    let found = af(700, "Northgate", "Southbank", EARLIER, "FT", json!({"home": 2, "away": 2}));
    provider.answer(API_FOOTBALL_PATH, af_page(&[found], 1, 1));
    for query in ["?dry_run=true&provider=api_football", "?provider=api_football"] {
        let outcome = poll(&app, query).await;
        assert_eq!(outcome["differences"][0]["is_disagreement"], true);
        assert!(reason(&outcome).contains("football_data says finished 2-1"), "{outcome}");
    }
    assert_eq!(state(&app).await, "finished 2:1");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_source_adds_no_team_under_another_name_unless_an_alias_says_which() {
    let provider = Provider::start().await;
    say(&provider, "TIMED", EARLIER, no_score());
    let found = af(700, "The Gate", "Southbank", EARLIER, "FT", json!({"home": 2, "away": 1}));
    provider.answer(API_FOOTBALL_PATH, af_page(&[found], 1, 1));
    let app = app_with(&provider, BOTH, &[]).await;
    poll(&app, "").await;
    let outcome = poll(&app, "?provider=api_football").await;
    assert!(reason(&outcome).contains("The Gate"), "{outcome}");
    assert_eq!(app.count("SELECT count(*) FROM teams").await, 2);
    let alias = ("TOUCHLINE_FEEDS__TEAM_ALIASES", "The Gate = northgate_fc");
    let app = app_with(&provider, BOTH, &[alias]).await;
    poll(&app, "").await;
    poll(&app, "?provider=api_football").await;
    assert_eq!((count_events(&app).await, state(&app).await.as_str()), (1, "finished 2:1"));
}

#[tokio::test(flavor = "multi_thread")]
async fn all_pages_are_read_and_an_error_with_status_200_is_a_failure() {
    let provider = Provider::start().await;
    let found = |id, home| af(id, home, "Southbank", SATURDAY, "NS", json!(null));
    provider.answer(API_FOOTBALL_PATH, af_page(&[found(1, "A"), found(2, "B")], 1, 2));
    let second = format!("{API_FOOTBALL_PATH}&page=2");
    provider.answer(&second, af_page(&[found(3, "C")], 2, 2));
    let app = app_with(&provider, "league = api_football:39:2026", &[]).await;
    assert_eq!(poll(&app, "").await["created"], 3);
    let wrong = json!({"errors": {"token": "The key api-football-key is wrong."}, "response": []});
    provider.answer(API_FOOTBALL_PATH, Answer::json(&wrong));
    let outcome = poll(&app, "").await;
    assert_eq!(outcome["failures"], json!(["api_football: answered the error token"]));
    assert_eq!(count_events(&app).await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn polls_at_once_add_each_match_once() {
    let provider = Provider::start().await;
    let found = |id, home| fd(id, home, "Southbank FC", SATURDAY, "TIMED", no_score());
    provider.answer(FOOTBALL_DATA_PATH, fd_document(&[found(1, "A"), found(2, "B")]));
    let app = app_with(&provider, FOOTBALL_DATA, &[]).await;
    let outcomes = crate::harness::together(6, |_| poll(&app, "")).await;
    let created: i64 = outcomes.iter().map(|outcome| outcome["created"].as_i64().unwrap()).sum();
    assert_eq!((created, count_events(&app).await), (2, 2));
    assert_eq!(app.count("SELECT count(*) FROM teams").await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quota_is_kept_by_all_nodes_together_and_frees_with_time() {
    let provider = Provider::start().await;
    say(&provider, "TIMED", SATURDAY, no_score());
    let few = ("TOUCHLINE_FEEDS__FOOTBALL_DATA__REQUESTS_A_MINUTE", "3");
    let app = app_with(&provider, FOOTBALL_DATA, &[few]).await;
    let outcomes = crate::harness::together(8, |_| poll(&app, "?dry_run=true")).await;
    let answered = outcomes.iter().filter(|outcome| outcome["provider"].is_string()).count();
    assert_eq!((answered, provider.asked().len()), (3, 3));
    assert_eq!(feed(&app).await["sources"][0]["left_this_minute"], 0);
    app.advance(61);
    assert_eq!(poll(&app, "?dry_run=true").await["provider"], "football_data");
}

#[tokio::test(flavor = "multi_thread")]
async fn feeds_of_one_provider_show_the_quota_that_they_share() {
    let provider = Provider::start().await;
    say(&provider, "TIMED", SATURDAY, no_score());
    let sources = "league = football_data:PL:2026, league = api_football:39:2026, cup = football_data:CL:2026";
    let app = app_with(&provider, sources, &[]).await;
    poll(&app, "?dry_run=true").await;
    let reply = app.client.get("/api/admin/feeds").token(OPERATOR_TOKEN).send().await.expect(200);
    let shown = |feed: usize, source: usize| {
        let source = &reply.body["data"][feed]["sources"][source];
        json!([source["provider"], source["left_this_minute"], source["left_today"]])
    };
    assert_eq!(shown(0, 0), json!(["football_data", 9, null]));
    assert_eq!(shown(0, 1), json!(["api_football", 10, 100]));
    assert_eq!(shown(1, 0), shown(0, 0));
    assert_eq!(reply.body["data"][1]["sources"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_answers_429_is_left_alone_for_as_long_as_it_asks() {
    let (provider, app) = app_with_match("TIMED", SATURDAY, no_score()).await;
    let busy = Answer::status(429).header("X-RequestCounter-Reset", "47");
    provider.answer(FOOTBALL_DATA_PATH, busy);
    poll(&app, "").await;
    let asked = provider.asked().len();
    say(&provider, "TIMED", SATURDAY, no_score());
    app.advance(46);
    assert_eq!(poll(&app, "").await["provider"], json!(null));
    assert_eq!(provider.asked().len(), asked);
    app.advance(2);
    assert_eq!(poll(&app, "").await["provider"], "football_data");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_headers_of_a_used_up_quota_are_heeded_before_it_is_exceeded() {
    let (provider, app) = app_with_match("TIMED", SATURDAY, no_score()).await;
    let found = fd(1, "Northgate FC", "Southbank FC", SATURDAY, "TIMED", no_score());
    let last = fd_document(&[found])
        .header("X-Requests-Available-Minute", "0")
        .header("X-RequestCounter-Reset", "30");
    provider.answer(FOOTBALL_DATA_PATH, last);
    assert_eq!(poll(&app, "").await["unchanged"], 1);
    let asked = provider.asked().len();
    poll(&app, "").await;
    assert_eq!(provider.asked().len(), asked);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_polls_rarely_and_often_while_a_match_is_on() {
    let provider = Provider::start().await;
    say(&provider, "TIMED", "2026-11-15T13:30:00Z", no_score());
    let app = app_with(&provider, FOOTBALL_DATA, &[]).await;
    app.run_jobs().await;
    assert_eq!(provider.asked().len(), 1);
    for (now, expected) in [
        ("2026-11-15T12:59:00Z", 1),
        ("2026-11-15T13:00:01Z", 2),
        ("2026-11-15T13:19:30Z", 2),
        // Ten minutes before the start, and then every minute.
        ("2026-11-15T13:20:05Z", 3),
        ("2026-11-15T13:21:20Z", 4),
    ] {
        app.set_time(now);
        app.run_jobs().await;
        assert_eq!(provider.asked().len(), expected, "{now}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_goes_to_its_provider_and_nowhere_else() {
    let (provider, app) = app_with_match("TIMED", SATURDAY, no_score()).await;
    let asked = provider.asked();
    assert!(asked[0].contains("x-auth-token: football-data-token"), "{}", asked[0]);
    assert!(!app.dump().await.contains("football-data-token"));
    assert!(!feed(&app).await.to_string().contains("football-data-token"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_prints_the_difference_and_then_imports_it() {
    let folder = tempfile::tempdir().unwrap();
    let sources = ("TOUCHLINE_FEEDS__SOURCES", "league = openfootball:league.json");
    let program = Program::start(&folder, "", &[sources]);
    let feed = |more: &[&str]| {
        let mut command = Program::command(&folder, "", &[]);
        command.args(["feed", "league", "--url", program.client.base()]).args(more);
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    // The clock polls as the program starts; after that it waits two minutes.
    let shown = || program.client.get("/api/admin/feeds").token(OPERATOR_TOKEN).send();
    while shown().await.expect(200).body["data"][0]["last_error"].is_null() {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let (code, text) = feed(&[]);
    assert_eq!(code, Some(1));
    assert!(text.contains("no answer from openfootball: the file cannot be read"), "{text}");
    let found = json!({"round": "Matchday 1", "date": "2126-11-21", "time": "15:00",
                       "team1": "Northgate FC", "team2": "Southbank FC (ENG)"});
    let document = json!({"name": "League 2126/27", "matches": [found]}).to_string();
    std::fs::write(folder.path().join("league.json"), document).unwrap();
    let (code, text) = feed(&["--dry-run"]);
    assert_eq!(code, Some(0));
    assert!(text.starts_with("+ Northgate FC - Southbank FC ["), "{text}");
    assert!(text.contains("1 created, 0 changed, 0 held, 0 unchanged (dry run"), "{text}");
    assert!(feed(&[]).1.contains("1 created"));
    assert!(feed(&[]).1.contains("1 unchanged"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_poll_is_in_the_audit_log_and_an_unknown_feed_is_404() {
    let (_provider, app) = app_with_match("TIMED", SATURDAY, no_score()).await;
    let log = app.client.get("/api/admin/audit").token(OPERATOR_TOKEN).send().await.expect(200);
    assert_eq!(log.body["data"][0]["action"], "feed.poll");
    assert_eq!(log.body["data"][0]["subject"], "feed league");
    let path = "/api/admin/feeds/other/poll";
    app.client.post(path).token(OPERATOR_TOKEN).send().await.expect_error(404, "not_found");
    try_poll(&app, "?provider=api_football").await.expect_invalid("provider");
}
