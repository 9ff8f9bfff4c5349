//! Feeds: which match and which team a provider means.

use serde_json::{Value, json};

use crate::catalogue::{event, import};
use crate::feeds::{FOOTBALL_DATA, app_with, poll};
use crate::feeds_provider::{FOOTBALL_DATA_PATH, Provider, fd, fd_document, full_time, no_score};
use crate::harness::{OPERATOR_TOKEN, Reply, TestApp};

const AUGUST: &str = "2026-08-22T14:00:00Z";
const DECEMBER: &str = "2026-12-12T15:00:00Z";

/// A match of the one pairing that these tests are about.
fn northgate(id: i64, date: &str, status: &str, score: Value) -> Value {
    fd(id, "Northgate FC", "Southbank FC", date, status, score)
}

/// Every match by its start: how it stands, and which of the provider's ids stand for it.
async fn matches(app: &TestApp) -> Vec<String> {
    let sql = "SELECT events.status || ' ' || COALESCE(CAST(home_score AS TEXT), '-') || ' as '
                      || COALESCE((SELECT string_agg(external_id, '+') FROM feed_matches WHERE event_id = events.id), 'none')
               FROM events ORDER BY start_time";
    app.texts(sql).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_is_over_is_never_taken_for_a_fixture_that_is_to_come() {
    for status in ["FINISHED", "AWARDED", "IN_PLAY", "CANCELLED", "TIMED"] {
        let provider = Provider::start().await;
        let app = app_with(&provider, FOOTBALL_DATA, &[]).await;
        import(&app, json!([event("m:1", DECEMBER)])).await;
        let over = northgate(1, AUGUST, status, full_time(2, 1));
        let to_come = northgate(2, DECEMBER, "TIMED", no_score());
        provider.answer(FOOTBALL_DATA_PATH, fd_document(std::slice::from_ref(&over)));
        poll(&app, "").await;
        let december = app.texts("SELECT status FROM events ORDER BY start_time DESC LIMIT 1");
        assert_eq!(december.await, ["scheduled"], "{status}");
        provider.answer(FOOTBALL_DATA_PATH, fd_document(&[over, to_come]));
        poll(&app, "").await;
        let mut expected = vec!["scheduled - as 2"];
        match status {
            "FINISHED" => expected.insert(0, "finished 2 as 1"),
            "IN_PLAY" => expected.insert(0, "live 2 as 1"),
            // The others do not count, or should have been over long ago, and are held.
            _ => {}
        }
        assert_eq!(matches(&app).await, expected, "{status}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn games_of_one_pairing_are_told_apart_by_the_smallest_distance_whatever_their_order() {
    let reports = [
        northgate(1, "2026-12-09T15:00:00Z", "TIMED", no_score()),
        northgate(2, "2026-12-11T15:00:00Z", "TIMED", no_score()),
    ];
    for order in [[0, 1], [1, 0]] {
        let provider = Provider::start().await;
        let app = app_with(&provider, FOOTBALL_DATA, &[]).await;
        import(&app, json!([event("m:1", "2026-11-28T15:00:00Z"), event("m:2", DECEMBER)])).await;
        let told = order.map(|place| reports[place].clone());
        provider.answer(FOOTBALL_DATA_PATH, fd_document(&told));
        assert_eq!(poll(&app, "").await["changed"], 2);
        assert_eq!(matches(&app).await, ["scheduled - as 1", "scheduled - as 2"], "{order:?}");
        let second = "SELECT count(*) FROM events e JOIN feed_matches f ON f.event_id = e.id
                      WHERE f.external_id = '2' AND e.id = (SELECT max(id) FROM events)";
        assert_eq!(app.count(second).await, 1, "{order:?}");
    }
}

async fn teams(app: &TestApp) -> Vec<String> {
    app.texts("SELECT slug FROM teams ORDER BY slug").await
}

fn game(id: i64, home: &str, away: &str) -> Value {
    fd(id, home, away, DECEMBER, "TIMED", no_score())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_never_binds_a_team_that_has_another_id_of_the_same_provider() {
    let provider = Provider::start().await;
    let spain = game(1, "FC Barcelona", "Real Madrid CF");
    provider.answer(FOOTBALL_DATA_PATH, fd_document(std::slice::from_ref(&spain)));
    let app = app_with(&provider, FOOTBALL_DATA, &[]).await;
    poll(&app, "").await;
    for (id, name) in [(2, "Barcelona"), (3, "Barcelona SC")] {
        let other = game(id, name, "Emelec");
        provider.answer(FOOTBALL_DATA_PATH, fd_document(&[spain.clone(), other]));
        assert_eq!(poll(&app, "").await["created"], 1, "{name}");
        assert_eq!(poll(&app, "").await["unchanged"], 2, "{name}");
    }
    let expected = ["barcelona", "barcelona_sc", "emelec", "fc_barcelona", "real_madrid_cf"];
    assert_eq!(teams(&app).await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_club_of_another_kind_is_not_taken_for_its_namesake() {
    let provider = Provider::start().await;
    provider.answer(FOOTBALL_DATA_PATH, fd_document(&[game(1, "Northgate SC", "Emelec")]));
    let app = app_with(&provider, FOOTBALL_DATA, &[]).await;
    import(&app, json!([event("m:1", DECEMBER)])).await;
    assert_eq!(poll(&app, "").await["created"], 1);
    assert!(teams(&app).await.contains(&"northgate_sc".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_new_ids_that_are_called_alike_the_surer_is_the_team_and_otherwise_neither() {
    let (sure, unsure) =
        (game(1, "Northgate FC", "Southbank FC"), game(2, "Northgate", "Southbank"));
    let other = game(3, "FC Northgate", "Eastfield");
    for (told, created, held) in [
        (vec![unsure.clone(), sure.clone()], 1, 0),
        (vec![sure, unsure.clone()], 1, 0),
        (vec![unsure.clone(), other.clone()], 0, 2),
        (vec![other, unsure], 0, 2),
    ] {
        let provider = Provider::start().await;
        let app = app_with(&provider, FOOTBALL_DATA, &[]).await;
        import(&app, json!([event("m:1", DECEMBER)])).await;
        provider.answer(FOOTBALL_DATA_PATH, fd_document(&told));
        let outcome = poll(&app, "").await;
        assert_eq!((&outcome["created"], &outcome["held"]), (&json!(created), &json!(held)));
        assert_eq!(outcome["unchanged"], json!(created), "{outcome}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spelling_that_may_be_a_new_one_of_a_known_club_waits_for_an_operator() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("league.json");
    let write = |home: &str| {
        let found = json!({"round": "Matchday 1", "date": "2026-12-12", "time": "15:00",
                           "team1": home, "team2": "Southbank FC"});
        let document = json!({"name": "League 2026/27", "matches": [found]});
        std::fs::write(&path, document.to_string()).unwrap();
    };
    write("Northgate");
    let sources = format!("league = openfootball:{}", path.display());
    let app = app_with(&Provider::start().await, &sources, &[]).await;
    poll(&app, "").await;
    write("Northgate FC");
    assert_eq!(poll(&app, "").await["held"], 1);
    let northgate = app.count("SELECT id FROM teams WHERE slug = 'northgate'").await;
    let body =
        json!({"provider": "openfootball", "external_id": "northgate-fc", "team_id": northgate});
    operate(&app, "PUT", "feed-teams", &body).await.expect(200);
    assert_eq!(poll(&app, "").await["unchanged"], 1);
    assert_eq!(app.count("SELECT count(*) FROM events").await, 1);
    assert_eq!(teams(&app).await, ["northgate", "southbank_fc"]);
}

/// An operator's call for bindings; a PUT has its fields in its body, the others in the address.
async fn operate(app: &TestApp, method: &str, what: &str, fields: &Value) -> Reply {
    let path = format!("/api/admin/{what}");
    let query: Vec<String> = fields
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| match value {
            Value::String(text) => format!("{name}={text}"),
            other => format!("{name}={other}"),
        })
        .collect();
    let with_query = format!("{path}?{}", query.join("&"));
    let call = match method {
        "PUT" => app.client.put(&path).json(fields.clone()),
        "DELETE" => app.client.delete(&with_query),
        _ => app.client.get(&with_query),
    };
    call.token(OPERATOR_TOKEN).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_sees_moves_and_undoes_what_a_teams_id_stands_for() {
    let provider = Provider::start().await;
    provider.answer(FOOTBALL_DATA_PATH, fd_document(&[game(1, "Northgate", "Southbank")]));
    let app = app_with(&provider, FOOTBALL_DATA, &[]).await;
    let ids = import(&app, json!([event("m:1", DECEMBER)])).await;
    poll(&app, "").await;
    let northgate = ids["teams"]["northgate_fc"].as_i64().unwrap();
    let filter = json!({"provider": "football_data", "team_id": northgate});
    let list = operate(&app, "GET", "feed-teams", &filter).await.expect(200);
    assert_eq!(list.body["meta"]["total"], 1);
    let bound = &list.body["data"][0];
    assert_eq!(
        (&bound["name"], &bound["team"]["name"]),
        (&json!("Northgate"), &json!("Northgate FC"))
    );
    let mut binding = json!({"provider": "football_data", "external_id": bound["external_id"],
                             "team_id": northgate});
    // Undone: the same name finds the same team, and the same match.
    let undone = operate(&app, "DELETE", "feed-teams", &binding).await.expect(200);
    assert_eq!(undone.body["data"]["released_events"], json!([ids["events"]["m:1"]]));
    operate(&app, "DELETE", "feed-teams", &binding).await.expect_error(404, "not_found");
    assert_eq!(poll(&app, "").await["unchanged"], 1);
    assert_eq!(matches(&app).await, ["scheduled - as 1"]);
    // Moved: the match that was there is left alone, and the team's own is added.
    binding["team_id"] = ids["teams"]["eastfield"].clone();
    let moved = operate(&app, "PUT", "feed-teams", &binding).await.expect(200);
    assert_eq!(moved.body["data"]["released_events"], json!([ids["events"]["m:1"]]));
    assert_eq!(poll(&app, "").await["created"], 1);
    let mut all = matches(&app).await;
    all.sort();
    assert_eq!(all, ["scheduled - as 1", "scheduled - as none"]);
    let log = app.client.get("/api/admin/audit").token(OPERATOR_TOKEN).send().await.expect(200);
    let actions: Vec<&Value> =
        log.body["data"].as_array().unwrap().iter().map(|entry| &entry["action"]).collect();
    assert!(actions.contains(&&json!("feed.bind_team")), "{actions:?}");
    assert!(actions.contains(&&json!("feed.unbind_team")), "{actions:?}");
    binding["team_id"] = json!(999_999);
    operate(&app, "PUT", "feed-teams", &binding).await.expect_error(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_sees_moves_and_undoes_what_a_matchs_id_stands_for() {
    let provider = Provider::start().await;
    let told = northgate(1, "2026-12-11T15:00:00Z", "TIMED", no_score());
    provider.answer(FOOTBALL_DATA_PATH, fd_document(&[told]));
    let app = app_with(&provider, FOOTBALL_DATA, &[]).await;
    let events = json!([event("m:1", "2026-11-28T15:00:00Z"), event("m:2", DECEMBER)]);
    let ids = import(&app, events).await;
    poll(&app, "").await;
    let filter = json!({"tournament": "league", "event_id": ids["events"]["m:2"]});
    let list = operate(&app, "GET", "feed-matches", &filter).await.expect(200);
    assert_eq!(list.body["data"][0]["external_id"], "1");
    let mut binding = json!({"provider": "football_data", "external_id": "1",
                             "event_id": ids["events"]["m:1"]});
    operate(&app, "PUT", "feed-matches", &binding).await.expect(200);
    assert_eq!(poll(&app, "").await["changed"], 1);
    let first = ids["events"]["m:1"].as_i64().unwrap();
    let bound = "SELECT event_id FROM feed_matches";
    assert_eq!(app.count(bound).await, first);
    // Undone: what is nearest in time is found anew.
    let id = json!({"provider": "football_data", "external_id": "1"});
    operate(&app, "DELETE", "feed-matches", &id).await.expect(200);
    operate(&app, "DELETE", "feed-matches", &id).await.expect_error(404, "not_found");
    operate(&app, "PUT", "feed-matches", &binding).await.expect_error(404, "not_found");
    poll(&app, "").await;
    assert_eq!(app.count(bound).await, first);
    binding["event_id"] = import(
        &app,
        json!([{"key": "c:1", "tournament": "cup", "home": "northgate_fc",
        "away": "southbank_fc", "start_time": DECEMBER}]),
    )
    .await["events"]["c:1"]
        .clone();
    operate(&app, "PUT", "feed-matches", &binding).await.expect_invalid("event_id");
}
