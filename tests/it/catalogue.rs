//! The operators' import.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use touchline::platform::db::params;

use crate::harness::{OPERATOR_TOKEN, Reply, TestApp};

/// One sport, four teams, two tournaments and these events.
pub fn document(events: Value) -> Value {
    let team = |slug: &str, name: &str| {
        json!({"slug": slug, "name": name, "sport": "football", "country": "England", "founded": 1893,
               "logo": format!("https://cdn.example.org/{slug}.png")})
    };
    json!({
        "sports": [{"slug": "football", "name": "Football"}],
        "teams": [team("northgate_fc", "Northgate FC"), team("southbank_fc", "Southbank FC"),
                  team("eastfield", "Eastfield"), {"slug": "westbrook", "name": "Westbrook", "sport": "football"}],
        "tournaments": [
            {"slug": "league", "name": "League", "sport": "football", "logo": "https://cdn.example.org/league.png"},
            {"slug": "cup", "name": "Cup", "sport": "football", "scoring": "kicktipp"},
        ],
        "events": events,
    })
}

pub fn event(key: &str, start_time: &str) -> Value {
    json!({"key": key, "tournament": "league", "home": "northgate_fc", "away": "southbank_fc",
           "start_time": start_time, "venue": "Northgate Park"})
}

/// An event with some of its fields replaced.
pub fn event_with(key: &str, start_time: &str, fields: Value) -> Value {
    let mut event = event(key, start_time);
    for (name, value) in fields.as_object().unwrap() {
        event[name] = value.clone();
    }
    event
}

pub async fn put(app: &TestApp, document: Value) -> Reply {
    app.client.put("/api/admin/catalogue").token(OPERATOR_TOKEN).json(document).send().await
}

/// Imports these events and answers the data of the import.
pub async fn import(app: &TestApp, events: Value) -> Value {
    put(app, document(events)).await.expect(200).body["data"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_answers_the_ids_of_everything_it_names() {
    let app = TestApp::new().await;
    let data = import(&app, json!([event("m:1", "2026-11-20T15:00:00Z")])).await;
    assert_eq!(
        (&data["created"], &data["updated"], &data["unchanged"]),
        (&json!(8), &json!(0), &json!(0))
    );
    assert_eq!(data["teams"].as_object().unwrap().len(), 4);
    assert!(data["events"]["m:1"].as_i64().unwrap() > 0);
    assert!(data["sports"]["football"].as_i64().unwrap() > 0);
    assert!(data["tournaments"]["cup"].as_i64().unwrap() > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_document_again_changes_nothing() {
    let app = TestApp::new().await;
    let events = json!([event("m:1", "2026-11-20T15:00:00Z")]);
    let first = import(&app, events.clone()).await;
    let second = import(&app, events).await;
    assert_eq!(
        (&second["created"], &second["updated"], &second["unchanged"]),
        (&json!(0), &json!(0), &json!(8))
    );
    assert_eq!(first["events"], second["events"]);
}

fn counts(data: &Value) -> (i64, i64, i64) {
    let count = |name: &str| data[name].as_i64().unwrap();
    (count("created"), count("updated"), count("unchanged"))
}

async fn show(app: &TestApp, id: &Value) -> Value {
    let fan = app.log_in(&TestApp::phone(1)).await;
    let path = format!("/api/auth/events/{id}");
    app.client.get(&path).token(&fan.token).send().await.expect(200).body["data"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_may_refer_to_what_was_imported_before() {
    let app = TestApp::new().await;
    import(&app, json!([])).await;
    let data =
        put(&app, json!({"events": [event("m:1", "2026-11-20T15:00:00Z")]})).await.expect(200);
    assert_eq!(counts(&data.body["data"]), (1, 0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_changed_in_the_document_is_moved() {
    let app = TestApp::new().await;
    let ids = import(&app, json!([event("m:1", "2026-11-20T15:00:00Z")])).await;
    let path = format!("/api/admin/events/{}", ids["events"]["m:1"]);
    let postponed = json!({"start_time": "2026-12-01T18:00:00Z"});
    app.client.patch(&path).token(OPERATOR_TOKEN).json(postponed).send().await.expect(200);

    let moved = event_with("m:1", "2026-11-20T15:00:00Z", json!({"venue": "Elsewhere"}));
    let data = import(&app, json!([moved])).await;
    assert_eq!(counts(&data), (0, 1, 7));
    let shown = show(&app, &ids["events"]["m:1"]).await;
    assert_eq!(
        (&shown["venue"], &shown["start_time"]),
        (&json!("Elsewhere"), &json!("2026-12-01T18:00:00.000Z"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_from_before_the_match_does_not_undo_its_result() {
    let app = TestApp::new().await;
    let ids = import(&app, json!([event("m:1", "2026-11-20T15:00:00Z")])).await;
    let path = format!("/api/admin/events/{}/result", ids["events"]["m:1"]);
    let result = json!({"home_score": 3, "away_score": 1});
    app.client.post(&path).token(OPERATOR_TOKEN).json(result).send().await.expect(200);
    import(&app, json!([event_with("m:1", "2026-11-20T15:00:00Z", json!({"venue": "Elsewhere"}))]))
        .await;
    let shown = show(&app, &ids["events"]["m:1"]).await;
    assert_eq!((&shown["status"], &shown["home_score"]), (&json!("finished"), &json!(3)));
}

#[tokio::test(flavor = "multi_thread")]
async fn sides_change_by_a_document_only_while_nobody_has_predicted_the_match() {
    let app = TestApp::new().await;
    let start = "2026-11-20T15:00:00.000Z";
    let ids = import(&app, json!([event("m:1", start), event("m:2", start)])).await;
    let fan = app.log_in(&TestApp::phone(2)).await;
    let body = json!({"event_id": ids["events"]["m:2"], "prediction": "home"});
    let predict = app.client.post("/api/auth/predictions").token(&fan.token).json(body);
    predict.send().await.expect(201);

    let swapped =
        |key: &str| event_with(key, start, json!({"home": "southbank_fc", "away": "northgate_fc"}));
    let both = document(json!([swapped("m:1"), swapped("m:2")]));
    let refused = put(&app, both).await.expect_invalid("events.1.home");
    assert!(refused.body["errors"]["events.0.home"].is_null(), "{}", refused.text);
    // All or nothing, and the next import is compared with what was taken.
    assert_eq!(counts(&import(&app, json!([event("m:1", start), event("m:2", start)])).await).1, 0);
    let home = |shown: Value| shown["home_team"]["name"].clone();
    assert_eq!(home(show(&app, &ids["events"]["m:2"]).await), "Northgate FC");
    import(&app, json!([swapped("m:1")])).await;
    assert_eq!(home(show(&app, &ids["events"]["m:1"]).await), "Southbank FC");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_in_a_document_finishes_the_match() {
    let app = TestApp::new().await;
    let ids = import(&app, json!([event("m:1", "2026-11-20T15:00:00Z")])).await;
    let result = json!({"status": "finished", "home_score": 0, "away_score": 2});
    import(&app, json!([event_with("m:1", "2026-11-20T15:00:00Z", result)])).await;
    let shown = show(&app, &ids["events"]["m:1"]).await;
    assert_eq!((&shown["status"], &shown["away_score"]), (&json!("finished"), &json!(2)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_time_in_a_document_postpones_a_match_that_had_gone_live() {
    let app = TestApp::new().await;
    let ids = import(&app, json!([event("m:1", "2026-11-15T12:00:00Z")])).await;
    app.run_jobs().await;
    assert_eq!(show(&app, &ids["events"]["m:1"]).await["status"], "live");
    import(&app, json!([event("m:1", "2026-11-15T19:00:00Z")])).await;
    assert_eq!(show(&app, &ids["events"]["m:1"]).await["status"], "scheduled");
}

/// A document in which one item is wrong, and the field that is to be named.
fn wrong_documents() -> Vec<(Value, &'static str)> {
    let start = "2026-11-20T15:00:00.000Z";
    let with =
        |fields: Value| document(json!([event("ok", start), event_with("m", start, fields)]));
    let edited = |pointer: &str, value: Value| {
        let mut document = document(json!([event("m", start)]));
        *document.pointer_mut(pointer).unwrap() = value;
        document
    };
    vec![
        (with(json!({"home": "nobody"})), "events.1.home"),
        (with(json!({"away": "nobody"})), "events.1.away"),
        (with(json!({"tournament": "nothing"})), "events.1.tournament"),
        (with(json!({"away": "northgate_fc"})), "events.1.away"),
        (with(json!({"key": "ok"})), "events.1.key"),
        (with(json!({"key": "with space"})), "events.1.key"),
        (with(json!({"start_time": "2026-11-20T15:00:00"})), "events.1.start_time"),
        (with(json!({"start_time": "2026-02-30T15:00:00.000Z"})), "events.1.start_time"),
        (with(json!({"start_time": 5})), "events.1.start_time"),
        (with(json!({"status": "postponed"})), "events.1.status"),
        (with(json!({"status": "finished"})), "events.1.home_score"),
        (with(json!({"status": "finished", "home_score": 1})), "events.1.away_score"),
        (with(json!({"home_score": 1, "away_score": 1})), "events.1.home_score"),
        (
            with(json!({"status": "live", "home_score": 100, "away_score": 1})),
            "events.1.home_score",
        ),
        (
            with(json!({"status": "live", "home_score": 1.5, "away_score": 1})),
            "events.1.home_score",
        ),
        (with(json!({"venue": "a\u{0}b"})), "events.1.venue"),
        (edited("/teams/0/sport", json!("chess")), "teams.0.sport"),
        (edited("/tournaments/1/sport", json!("chess")), "tournaments.1.sport"),
        (edited("/tournaments/1/scoring", json!("golden")), "tournaments.1.scoring"),
        (edited("/teams/2/slug", json!("northgate_fc")), "teams.2.slug"),
        (edited("/teams/2/slug", json!("neutral")), "teams.2.slug"),
        (edited("/teams/2/slug", json!("East Field")), "teams.2.slug"),
        (edited("/teams/2/founded", json!(93)), "teams.2.founded"),
        (edited("/teams/2/logo", json!("javascript:alert(1)")), "teams.2.logo"),
        (edited("/teams/2/name", json!("")), "teams.2.name"),
        (edited("/teams", json!({"slug": "x"})), "teams"),
        (edited("/sports/0", json!("football")), "sports.0"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_with_one_wrong_item_is_refused_by_name_and_changes_nothing() {
    let app = TestApp::new().await;
    for (document, field) in wrong_documents() {
        put(&app, document).await.expect_invalid(field);
    }
    let fan = app.log_in("+447700900123").await;
    let teams = app.client.get("/api/auth/teams").token(&fan.token).send().await.expect(200);
    assert_eq!(teams.body["meta"]["total"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_is_between_teams_of_the_tournaments_sport() {
    let app = TestApp::new().await;
    let mut document = document(json!([event("m", "2026-11-20T15:00:00Z")]));
    document["sports"] =
        json!([{"slug": "football", "name": "Football"}, {"slug": "rugby", "name": "Rugby"}]);
    document["teams"][1]["sport"] = json!("rugby");
    put(&app, document).await.expect_invalid("events.0.away");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_may_be_larger_than_other_bodies_but_not_without_end() {
    let app = TestApp::new().await;
    let events: Vec<Value> =
        (0..1000).map(|n| event(&format!("m:{n}"), "2026-11-20T15:00:00Z")).collect();
    assert!(json!(events).to_string().len() > 65_536);
    assert_eq!(import(&app, events.into()).await["created"], 1007);
    // The head alone: a client that goes on writing may see its connection closed before it sees the answer.
    let mut socket = tokio::net::TcpStream::connect(app.client.address()).await.unwrap();
    let head = format!(
        "PUT /api/admin/catalogue HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {OPERATOR_TOKEN}\r\ncontent-length: {}\r\n\r\n",
        4 * 1024 * 1024 + 1
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 413 ") && answer.contains("body_too_large"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_an_operator_imports() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let call = || app.client.put("/api/admin/catalogue").json(json!({}));
    call().send().await.expect_error(401, "unauthenticated");
    call().token(&fan.token).send().await.expect_error(403, "operator_only");
    call().token(OPERATOR_TOKEN).send().await.expect(200);
}

/// Any document: a few items out of a small world, so that documents overlap and change each other's items.
fn any_document() -> impl Strategy<Value = Value> {
    let score = || 0..=99_i64;
    let state = prop_oneof![
        Just(json!({})),
        Just(json!({"status": "live"})),
        (score(), score())
            .prop_map(|(h, a)| json!({"status": "live", "home_score": h, "away_score": a})),
        (score(), score())
            .prop_map(|(h, a)| json!({"status": "finished", "home_score": h, "away_score": a})),
    ];
    let teams = ["northgate_fc", "southbank_fc", "eastfield", "westbrook"];
    let one = (0..6_usize, 0..4_usize, 1..4_usize, 10..20_u8, any::<bool>(), state);
    let one = one.prop_map(move |(key, home, away, day, is_cup, state)| {
        let mut event = event_with(&format!("m:{key}"), &format!("2026-11-{day}T15:00:00Z"), state);
        event["home"] = json!(teams[home]);
        event["away"] = json!(teams[(home + away) % 4]);
        event["tournament"] = json!(if is_cup { "cup" } else { "league" });
        (key, event)
    });
    (proptest::collection::vec(one, 0..8), "\\PC{1,30}").prop_map(|(events, name)| {
        let by_key: std::collections::BTreeMap<usize, Value> = events.into_iter().collect();
        let mut document = document(by_key.into_values().collect());
        if !name.trim().is_empty() {
            document["teams"][3]["name"] = json!(name);
        }
        document
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn any_document_imported_twice_changes_nothing_the_second_time() {
    let app = TestApp::new().await;
    let mut runner = TestRunner::deterministic();
    for _ in 0..40 {
        let document = any_document().new_tree(&mut runner).unwrap().current();
        let first = put(&app, document.clone()).await.expect(200);
        let second = put(&app, document.clone()).await.expect(200);
        let items = 7 + i64::try_from(document["events"].as_array().unwrap().len()).unwrap();
        assert_eq!(counts(&second.body["data"]), (0, 0, items), "{document}");
        assert_eq!(first.body["data"]["events"], second.body["data"]["events"]);
        assert_counts_are_right(&app).await;
    }
}

/// The counts behind the list are those of the events themselves.
pub async fn assert_counts_are_right(app: &TestApp) {
    type Counts = Vec<(i64, i64, String, i64)>;
    let (kept, counted): (Counts, Counts) = app
        .app
        .db
        .read(|tx| {
            let kept = tx.all(
                "SELECT tournament_id, team_id, status, n FROM event_counts WHERE n <> 0
                 ORDER BY tournament_id, team_id, status",
                params![],
            )?;
            let counted = tx.all(
                "SELECT t, m, status, count(*) FROM (
                     SELECT x.t, y.m, e.status FROM events e
                     JOIN (SELECT id, 0 AS t FROM events UNION ALL SELECT id, tournament_id FROM events) x ON x.id = e.id
                     JOIN (SELECT id, 0 AS m FROM events UNION ALL SELECT id, home_team_id FROM events
                           UNION ALL SELECT id, away_team_id FROM events) y ON y.id = e.id
                     WHERE e.voided_at IS NULL) listed
                 GROUP BY t, m, status ORDER BY t, m, status",
                params![],
            )?;
            Ok((kept, counted))
        })
        .await
        .unwrap();
    assert_eq!(kept, counted);
}
