//! Matches as operators run them: lists, what needs a person, one match as a whole, new ones, and two operators at once.

use serde_json::{Value, json};

use crate::catalogue::{event, event_with, import};
use crate::feeds::{self, SATURDAY};
use crate::feeds_provider::{full_time, no_score};
use crate::harness::{OPERATOR_TOKEN, Reply, TestApp, together};
use crate::settlement::operate;

const PATH: &str = "/api/admin/events";
/// Before noon, the tests' time.
const MORNING: &str = "2026-11-15T11:00:00Z";
const AFTERNOON: &str = "2026-11-15T15:00:00Z";

async fn get(app: &TestApp, rest: &str) -> Reply {
    app.client.get(&format!("{PATH}{rest}")).token(OPERATOR_TOKEN).send().await
}

async fn data(app: &TestApp, rest: &str) -> Value {
    get(app, rest).await.expect(200).body["data"].clone()
}

fn ids(data: &Value) -> Vec<i64> {
    data.as_array().unwrap().iter().map(|event| event["id"].as_i64().unwrap()).collect()
}

/// What each match that needs a person needs, by its id.
async fn in_need(app: &TestApp) -> Vec<(i64, Vec<String>)> {
    let found = data(app, "/in-need").await;
    let kinds = |event: &Value| {
        let needs = event["needs"].as_array().unwrap();
        needs.iter().map(|need| need["kind"].as_str().unwrap().to_owned()).collect()
    };
    ids(&found).into_iter().zip(found.as_array().unwrap().iter().map(kinds)).collect()
}

/// The ids of one match that is to come, and of one that the clock has made live.
async fn two_matches(app: &TestApp) -> (i64, i64) {
    let live = event_with("live", MORNING, json!({"home": "eastfield", "away": "westbrook"}));
    let imported = import(app, json!([event("to:come", AFTERNOON), live])).await;
    app.run_jobs().await;
    let id = |key: &str| imported["events"][key].as_i64().unwrap();
    (id("to:come"), id("live"))
}

async fn change(app: &TestApp, token: &str, id: i64, seen: &str, body: Value) -> Reply {
    let call = app.client.patch(&format!("{PATH}/{id}")).token(token);
    call.header("if-match", &format!("\"{seen}\"")).json(body).send().await
}

async fn version(app: &TestApp, id: i64) -> String {
    data(app, &format!("/{id}")).await["version"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_are_listed_by_their_start_voided_ones_too() {
    let app = TestApp::new().await;
    let (to_come, live) = two_matches(&app).await;
    let other = event_with("cup", "2026-11-16T15:00:00Z", json!({"tournament": "cup"}));
    let imported = import(&app, json!([other])).await;
    let cup = imported["events"]["cup"].as_i64().unwrap();
    operate(&app, live, "/void", json!({"reason": "Fog"})).await.expect(200);
    let tournament = data(&app, &format!("/{cup}")).await["tournament_id"].clone();
    for (query, expected) in [
        (String::new(), vec![live, to_come]),
        ("?from=2026-11-15T12:00:00Z".to_owned(), vec![to_come]),
        ("?to=2026-11-15T12:00:00Z".to_owned(), vec![live]),
        ("?from=2026-11-15T00:00:00Z&to=2026-11-17T00:00:00Z".to_owned(), vec![live, to_come, cup]),
        ("?is_void=true".to_owned(), vec![live]),
        ("?is_void=false".to_owned(), vec![to_come]),
        ("?status=live".to_owned(), vec![live]),
        (
            format!(
                "?from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z&tournament_id={tournament}"
            ),
            vec![cup],
        ),
        ("?per_page=1&page=2".to_owned(), vec![to_come]),
    ] {
        assert_eq!(ids(&data(&app, &query).await), expected, "{query}");
    }
    assert_eq!(get(&app, "?per_page=1").await.body["meta"]["total"], 2);
    get(&app, "?from=2026-11-15T12:00:00Z&to=2026-11-15T12:00:00Z").await.expect_invalid("to");
    get(&app, "?from=yesterday").await.expect_invalid("from");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_that_did_not_begin_needs_a_person() {
    let app = TestApp::new().await;
    let imported = import(&app, json!([event("m", AFTERNOON)])).await;
    let id = imported["events"]["m"].as_i64().unwrap();
    app.set_time("2026-11-15T15:00:59Z");
    assert!(in_need(&app).await.is_empty());
    app.set_time("2026-11-15T15:01:00Z");
    assert_eq!(in_need(&app).await, [(id, vec!["kick_off_overdue".to_owned()])]);
    assert_eq!(data(&app, "/in-need").await[0]["needs"][0]["since"], "2026-11-15T15:01:00.000Z");
    app.run_jobs().await;
    assert!(in_need(&app).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_without_a_time_is_not_late() {
    let app = TestApp::new().await;
    let imported = import(&app, json!([event("m", AFTERNOON)])).await;
    let id = imported["events"]["m"].as_i64().unwrap();
    operate(&app, id, "", json!({"start_time_confirmed": false})).await.expect(200);
    app.set_time("2026-11-17T15:00:00Z");
    assert!(in_need(&app).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_match_without_a_score_or_an_end_needs_a_person_whichever_day_it_is_of() {
    let app = TestApp::new().await;
    let (to_come, live) = two_matches(&app).await;
    assert_eq!(in_need(&app).await, [(live, vec!["silent".to_owned()])]);
    operate(&app, live, "", json!({"home_score": 0, "away_score": 0})).await.expect(200);
    assert!(in_need(&app).await.is_empty());
    app.set_time("2026-11-15T13:30:00Z");
    assert_eq!(in_need(&app).await, [(live, vec!["result_overdue".to_owned()])]);
    operate(&app, to_come, "/void", json!({"reason": "Fog"})).await.expect(200);
    app.set_time("2026-11-25T13:30:00Z");
    assert_eq!(in_need(&app).await, [(live, vec!["result_overdue".to_owned()])]);
    operate(&app, live, "/result", json!({"home_score": 0, "away_score": 0})).await.expect(200);
    app.run_jobs().await;
    assert!(in_need(&app).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_that_is_not_settled_needs_a_person_until_it_is() {
    let app = TestApp::new().await;
    let (_, live) = two_matches(&app).await;
    operate(&app, live, "/result", json!({"home_score": 2, "away_score": 1})).await.expect(200);
    assert!(in_need(&app).await.is_empty());
    app.advance(5 * 60 + 1);
    assert_eq!(in_need(&app).await, [(live, vec!["not_settled".to_owned()])]);
    app.run_jobs().await;
    assert!(in_need(&app).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_provider_says_stands_with_the_match_carried_out_or_not() {
    let (provider, app) = feeds::app_with_match("TIMED", SATURDAY, no_score()).await;
    let id = app.count("SELECT min(id) FROM events").await;
    app.set_time("2026-11-21T15:30:00Z");
    feeds::say(&provider, "IN_PLAY", SATURDAY, full_time(2, 1));
    feeds::poll(&app, "").await;
    let source = data(&app, &format!("/{id}")).await["sources"][0].clone();
    assert_eq!(
        (&source["provider"], &source["told"], &source["told_at"], &source["held"]),
        (
            &json!("football_data"),
            &json!("live, 2-1"),
            &json!("2026-11-21T15:30:00.000Z"),
            &json!(null)
        )
    );
    app.advance(60);
    feeds::poll(&app, "").await;
    assert_eq!(data(&app, &format!("/{id}")).await["sources"][0]["told_at"], source["told_at"]);
    feeds::say(&provider, "AWARDED", SATURDAY, full_time(3, 0));
    feeds::poll(&app, "").await;
    assert_eq!(in_need(&app).await, [(id, vec!["held".to_owned()])]);
    let held = data(&app, "/in-need").await[0].clone();
    assert_eq!(held["needs"][0]["reason"], "football_data: it was awarded, not played");
    assert_eq!(
        (&held["sources"][0]["told"], &held["home_score"]),
        (&json!("awarded, 3-0"), &json!(2))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn one_match_is_shown_with_its_settlement_and_what_operators_did() {
    let app = TestApp::new().await;
    let (_, live) = two_matches(&app).await;
    let (_, mia) = app.operator("mia", "operator").await;
    let body = json!({"home_score": 2, "away_score": 1});
    app.client
        .post(&format!("{PATH}/{live}/result"))
        .token(&mia)
        .json(body)
        .send()
        .await
        .expect(200);
    app.run_jobs().await;
    let reply = get(&app, &format!("/{live}")).await.expect(200);
    let whole = &reply.body["data"];
    assert_eq!(
        (&whole["settlement"], &whole["status"]),
        (&json!("provisional"), &json!("finished"))
    );
    assert_eq!(whole["changes"][0]["operator"], "mia");
    assert_eq!(whole["changes"][0]["after"]["home_score"], 2);
    let version = whole["version"].as_str().unwrap();
    assert_eq!(reply.header("etag"), Some(format!("\"{version}\"").as_str()));
    get(&app, "/999999").await.expect_error(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_decided_by_an_older_state_changes_nothing_and_says_what_changed_and_who_did_it() {
    let app = TestApp::new().await;
    let (_, live) = two_matches(&app).await;
    let (_, mia) = app.operator("mia", "operator").await;
    let seen = version(&app, live).await;
    change(&app, &mia, live, &seen, json!({"home_score": 1, "away_score": 0})).await.expect(200);
    let rows = app.count("SELECT count(*) FROM audit_log").await;
    for (what, body) in [
        ("", json!({"home_score": 0, "away_score": 1})),
        ("result", json!({"home_score": 0, "away_score": 1})),
        ("void", json!({"reason": "Fog"})),
    ] {
        let path = format!("{PATH}/{live}/{what}");
        let path = path.trim_end_matches('/');
        let call = if what.is_empty() { app.client.patch(path) } else { app.client.post(path) };
        let call = call.token(OPERATOR_TOKEN).header("if-match", &format!("\"{seen}\""));
        let reply = call.json(body).send().await.expect_error(409, "changed_meanwhile");
        let details = &reply.body["details"];
        assert_eq!(details["changed"], json!(["home_score", "away_score"]), "{what}");
        assert_eq!(
            (&details["by"], &details["at"]),
            (&json!("mia"), &json!("2026-11-15T12:00:00.000Z"))
        );
        assert_eq!(details["event"]["home_score"], 1);
        assert_eq!(details["version"], version(&app, live).await.as_str());
    }
    assert_eq!(app.count("SELECT count(*) FROM audit_log").await, rows);
    let shown = data(&app, &format!("/{live}")).await;
    assert_eq!((&shown["home_score"], &shown["status_detail"]), (&json!(1), &json!(null)));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_feed_changed_meanwhile_was_nobodys_doing() {
    let (provider, app) = feeds::app_with_match("TIMED", SATURDAY, no_score()).await;
    let id = app.count("SELECT min(id) FROM events").await;
    app.set_time("2026-11-21T15:30:00Z");
    operate(&app, id, "", json!({"venue": "Elsewhere"})).await.expect(200);
    let seen = version(&app, id).await;
    feeds::say(&provider, "IN_PLAY", SATURDAY, full_time(2, 1));
    feeds::poll(&app, "").await;
    let body = json!({"home_score": 1, "away_score": 1});
    let reply = change(&app, OPERATOR_TOKEN, id, &seen, body).await;
    let details = reply.expect_error(409, "changed_meanwhile").body["details"].clone();
    assert_eq!(details["changed"], json!(["status", "home_score", "away_score"]));
    assert_eq!((&details["by"], &details["at"]), (&json!(null), &json!(null)));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_operators_who_saw_the_same_one_is_refused() {
    let app = TestApp::new().await;
    let (_, live) = two_matches(&app).await;
    let seen = version(&app, live).await;
    let both = together(2, |home| {
        change(&app, OPERATOR_TOKEN, live, &seen, json!({"home_score": home, "away_score": 3}))
    });
    let mut statuses: Vec<u16> = both.await.into_iter().map(|reply| reply.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_minute_goes_on_under_whoever_decides() {
    let app = TestApp::new().await;
    let (_, live) = two_matches(&app).await;
    let seen = version(&app, live).await;
    operate(&app, live, "", json!({"minute": 61, "period": "second_half"})).await.expect(200);
    assert_eq!(version(&app, live).await, seen);
    let reply =
        change(&app, OPERATOR_TOKEN, live, &seen, json!({"home_score": 1, "away_score": 0})).await;
    let now = version(&app, live).await;
    assert_eq!(reply.expect(200).header("etag"), Some(format!("\"{now}\"").as_str()));
    assert_ne!(now, seen);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_says_nothing_of_a_version_stays_as_it_was() {
    let app = TestApp::new().await;
    let (_, live) = two_matches(&app).await;
    let patch = || app.client.patch(&format!("{PATH}/{live}")).token(OPERATOR_TOKEN);
    patch().json(json!({"venue": "Here"})).send().await.expect(200);
    patch().header("if-match", "*").json(json!({"venue": "There"})).send().await.expect(200);
    let wrong = patch().header("if-match", "there").json(json!({"venue": "Nowhere"})).send().await;
    wrong.expect_invalid("if-match");
    let strange =
        patch().header("if-match", "\"1\"").json(json!({"venue": "Nowhere"})).send().await;
    assert_eq!(
        strange.expect_error(409, "changed_meanwhile").body["details"]["changed"],
        json!([])
    );
    assert_eq!(data(&app, &format!("/{live}")).await["venue"], "There");
}

/// A body for a new match, with some of its fields replaced.
async fn new_match(app: &TestApp, fields: Value) -> Value {
    let imported = import(app, json!([])).await;
    let mut body = json!({
        "tournament_id": imported["tournaments"]["league"], "home_team_id": imported["teams"]["eastfield"],
        "away_team_id": imported["teams"]["westbrook"], "start_time": AFTERNOON, "venue": "The Field",
    });
    for (name, value) in fields.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

async fn add(app: &TestApp, body: Value) -> Reply {
    app.client.post(PATH).token(OPERATOR_TOKEN).json(body).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_that_an_operator_adds_is_there_for_everybody_and_goes_live_by_itself() {
    let app = TestApp::new().await;
    let body = new_match(&app, json!({})).await;
    let added = add(&app, body).await.expect(201).body["data"].clone();
    assert_eq!((&added["status"], &added["venue"]), (&json!("scheduled"), &json!("The Field")));
    assert_eq!(
        (&added["changes"][0]["action"], &added["changes"][0]["before"]),
        (&json!("event.add"), &json!(null))
    );
    let fan = app.log_in("+447700900123").await;
    let listed = app.client.get("/api/auth/events").token(&fan.token).send().await.expect(200);
    assert_eq!(listed.body["data"][0]["id"], added["id"]);
    app.set_time(AFTERNOON);
    app.run_jobs().await;
    assert_eq!(data(&app, &format!("/{}", added["id"])).await["status"], "live");
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_find_the_tournaments_and_teams_that_a_match_is_made_of() {
    let app = TestApp::new().await;
    let body = new_match(&app, json!({})).await;
    let list = async |path: &str| {
        let call = app.client.get(&format!("/api/admin/{path}")).token(OPERATOR_TOKEN);
        call.send().await.expect(200).body["data"].clone()
    };
    let tournaments = list("tournaments?search=LEAGUE").await;
    assert_eq!(tournaments[0]["id"], body["tournament_id"]);
    let sport = &tournaments[0]["sport"]["id"];
    assert_eq!(
        list(&format!("teams?sport_id={sport}&search=EASTF")).await[0]["id"],
        body["home_team_id"]
    );
    for nobody in ["teams?search=zzz", "tournaments?search=zzz", "teams?sport_id=999999"] {
        assert_eq!(list(nobody).await, json!([]), "{nobody}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_that_cannot_be_is_not_added() {
    let app = TestApp::new().await;
    let body = new_match(&app, json!({})).await;
    let home = body["home_team_id"].clone();
    for (field, value) in [
        ("tournament_id", json!(999_999)),
        ("home_team_id", json!(999_999)),
        ("away_team_id", home),
        ("start_time", json!("soon")),
    ] {
        let body = new_match(&app, json!({ field: value })).await;
        add(&app, body).await.expect_invalid(field);
    }
    assert_eq!(app.count("SELECT count(*) FROM events").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_too_many_adds_one_match() {
    let app = TestApp::new().await;
    let body = new_match(&app, json!({})).await;
    let mut statuses: Vec<u16> = together(3, |_| add(&app, body.clone()))
        .await
        .into_iter()
        .map(|reply| reply.status)
        .collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409]);
    add(&app, body).await.expect_error(409, "event_exists");
}
