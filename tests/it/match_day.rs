//! The match day that a team develops its app against, and what is away while that is rehearsed.

use std::path::Path;

use serde_json::{Value, json};

use crate::demo::run;
use crate::harness::{OPERATOR_TOKEN, Program, TestApp, fresh_database_url};

const REHEARSAL: &str = "/api/admin/rehearsal";

/// What came of it, and what it said here.
fn play(
    folder: &tempfile::TempDir,
    program: &Program,
    arguments: &[&str],
) -> (bool, String, String) {
    // An hour of the script in three seconds.
    let all: Vec<&str> =
        ["demo", "play", "--speed", "1200"].iter().chain(arguments).copied().collect();
    let output = run(folder, program, &all);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

fn written(file: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_saturday_is_played_and_clients_see_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(&folder, &fresh_database_url().await, &[]);
    let file = folder.path().join("expected.json");
    let arguments = ["--fans", "12", "--expect", file.to_str().unwrap()];
    let (is_good, said, complaint) = play(&folder, &program, &arguments);
    assert!(is_good, "{said}{complaint}");
    for scene in [
        "kick-off: Northgate FC",
        "goal (12\u{2032}): Northgate FC 1-0",
        "VAR, no goal",
        "half time",
        "second half",
        "full time: Northgate FC 2-1",
        "result corrected: Northgate FC 1-1",
        "late kick-off",
        "postponed, without a new date",
        "postponed by 7 days",
        "abandoned",
        "SMS outage",
        "codes are sent again",
        "chat outage",
        "chat is back",
    ] {
        assert!(said.contains(scene), "{scene} is not in {said}");
        assert!(program.log().contains(scene), "{scene} is not in the log");
    }
    assert!(said.ends_with("This is what the service answers.\n"), "{said}");

    let expected = written(&file);
    assert_eq!(expected["fans"].as_array().unwrap().len(), 12);
    let of = |key: &str| {
        let all = expected["matches"].as_array().unwrap();
        all.iter().find(|one| one["key"] == key).unwrap().clone()
    };
    let (derby, fog) = (of("derby"), of("fog"));
    let points = json!({"outcome": 3, "difference": 4, "exact": 6});
    assert_eq!(derby["a_right_prediction"], json!({"outcome": "draw", "points": points}));
    let split = &derby["fans_predicted"];
    let sum: i64 = ["home", "draw", "away"].iter().map(|word| split[word].as_i64().unwrap()).sum();
    assert!((8..=12).contains(&sum), "{split}");
    assert_eq!(fog["start_time_confirmed"], false);
    let path = "/api/admin/audit?per_page=100";
    let audit = program.client.get(path).token(OPERATOR_TOKEN).send().await.expect(200);
    assert!(audit.text.contains("rehearsal.scene"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_team_plays_a_script_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(&folder, &fresh_database_url().await, &[]);
    let script = folder.path().join("day.json");
    let day = json!({
        "name": "A cup final", "scoring": "kicktipp",
        "teams": [{"slug": "reds", "name": "The Reds"}, {"slug": "blues", "name": "The Blues"}],
        "matches": [
            {"key": "final", "home": "reds", "away": "blues", "kick_off": 2},
            {"key": "friendly", "home": "blues", "away": "reds", "kick_off": 3},
            {"key": "tomorrow", "home": "reds", "away": "blues", "kick_off": 1440}],
        "scenes": [
            {"at": 3, "match": "final", "what": "goal", "side": "away"},
            {"at": 5, "match": "final", "what": "full_time"},
            {"at": 5, "match": "friendly", "what": "goal", "side": "home", "minute": 2},
            {"at": 1, "match": "tomorrow", "what": "abandoned", "reason": "No ball"}],
    });
    std::fs::write(&script, day.to_string()).unwrap();
    let expected = folder.path().join("expected.json");
    let (script, file) = (script.to_str().unwrap(), expected.to_str().unwrap());
    let arguments = ["--fans", "3", "--script", script, "--expect", file];
    let (is_good, said, complaint) = play(&folder, &program, &arguments);
    assert!(is_good, "{said}{complaint}");
    let ends: Vec<Value> = written(&expected)["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            json!([one["status"], one["status_detail"], one["home_score"], one["away_score"]])
        })
        .collect();
    assert_eq!(
        json!(ends),
        json!([["finished", null, 0, 1], ["live", null, 1, 0], ["scheduled", "void", null, null]])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_cannot_be_played_is_refused_before_anything_happens() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(&folder, &fresh_database_url().await, &[]);
    let script = folder.path().join("day.json");
    let day = json!({
        "name": "x",
        "matches": [{"key": "a", "home": "northgate_fc", "away": "southbank_fc", "kick_off": 5}],
        "scenes": [{"at": 4, "match": "a", "what": "goal", "side": "home"}],
    });
    let script = script.to_str().unwrap();
    for (text, wanted) in [
        (day.to_string(), "day.json cannot be played: minute 4, a, goal: the match is not live"),
        (r#"{"name": "x", "matches": [], "scoring": "golf"}"#.to_owned(), "Must be classic"),
        ("[]".to_owned(), "day.json cannot be played"),
    ] {
        std::fs::write(script, text).unwrap();
        let (is_good, _, complaint) = play(&folder, &program, &["--script", script]);
        assert!(!is_good && complaint.contains(wanted), "{complaint}");
    }
    let (is_good, _, complaint) = play(&folder, &program, &["--script", "nowhere.json"]);
    assert!(!is_good && complaint.contains("nowhere.json cannot be played"), "{complaint}");
    let overview = program.client.get("/api/admin/overview").token(OPERATOR_TOKEN).send().await;
    assert_eq!(overview.body["data"]["events"], json!({"live": 0, "scheduled": 0, "finished": 0}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_day_is_not_played_on_a_public_server() {
    let folder = tempfile::tempdir().unwrap();
    let settings = [("TOUCHLINE_ENVIRONMENT", "staging")];
    let program = Program::start(&folder, &fresh_database_url().await, &settings);
    let (is_good, _, complaint) = play(&folder, &program, &[]);
    assert!(!is_good && complaint.contains("staging"), "{complaint}");
    let call = program.client.post(REHEARSAL).token(OPERATOR_TOKEN);
    call.json(json!({"scene": "x"})).send().await.expect_error(404, "not_found");
}

async fn rehearse(app: &TestApp, body: Value) {
    app.client.post(REHEARSAL).token(OPERATOR_TOKEN).json(body).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_code_is_sent_while_messages_are_away_and_none_is_counted() {
    let app = TestApp::new().await;
    rehearse(&app, json!({"scene": "SMS outage", "sms_away_ms": 3_600_000})).await;
    let phone = "+447700900123";
    let ask = || app.client.post("/api/code/request").json(json!({"phone": phone})).send();
    // More often than a phone may have codes.
    for _ in 0..7 {
        ask().await.expect_error(503, "sms_unavailable");
    }
    rehearse(&app, json!({"scene": "codes are sent again", "sms_away_ms": 0})).await;
    ask().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_embedded_homeserver_is_away_logins_go_on_and_it_answers_503() {
    let app = TestApp::new().await;
    let (_, chatter) = app.chatter("+447700900124").await;
    rehearse(&app, json!({"scene": "chat outage", "chat_away_ms": 3_600_000})).await;
    let code = app.request_code("+447700900123").await;
    let body = json!({"phone": "+447700900123", "code": code});
    let login = app.client.post("/api/auth/login").json(body).send().await.expect(200);
    assert_eq!(login.body["data"]["matrix_credentials"], Value::Null);
    let away = chatter.get("/_matrix/client/v3/joined_rooms").await;
    assert_eq!((away.status, away.body["errcode"].as_str()), (503, Some("M_UNKNOWN")));
    rehearse(&app, json!({"scene": "chat is back", "chat_away_ms": 0})).await;
    assert_eq!(chatter.joined_rooms().await, Vec::<String>::new());
    let token = login.body["data"]["token"].as_str().unwrap();
    let again =
        app.client.post("/api/auth/matrix-credentials").token(token).send().await.expect(200);
    assert!(again.body["data"]["matrix_credentials"]["access_token"].is_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scene_has_words_and_an_outage_an_end() {
    let app = TestApp::new().await;
    for (body, field) in [
        (json!({}), "scene"),
        (json!({"scene": ""}), "scene"),
        (json!({"scene": "x".repeat(301)}), "scene"),
        (json!({"scene": "x", "sms_away_ms": 3_600_001}), "sms_away_ms"),
        (json!({"scene": "x", "chat_away_ms": -1}), "chat_away_ms"),
        (json!({"scene": "x", "chat_away_ms": "soon"}), "chat_away_ms"),
    ] {
        let call = app.client.post(REHEARSAL).token(OPERATOR_TOKEN).json(body);
        call.send().await.expect_invalid(field);
    }
    app.request_code("+447700900123").await;
    app.client.post(REHEARSAL).json(json!({"scene": "x"})).send().await.expect(401);
}
