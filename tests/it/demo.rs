//! The first run, and the commands that talk to a running server.

use std::process::Output;

use serde_json::json;
use tempfile::TempDir;

use crate::catalogue::{document, event};
use crate::harness::{OPERATOR_TOKEN, Program, TestApp, fresh_database_url};

#[tokio::test(flavor = "multi_thread")]
async fn the_first_run_shows_live_upcoming_and_finished_matches_with_crests() {
    let settings =
        [("TOUCHLINE_DEMO_DATA", "true"), ("TOUCHLINE_PUBLIC_URL", "https://app.example.org/")];
    let app = TestApp::with(&settings).await;
    let fan = app.log_in("+447700900123").await;
    let list =
        app.client.get("/api/auth/events?per_page=100").token(&fan.token).send().await.expect(200);
    let events = list.body["data"].as_array().unwrap();
    for status in ["live", "scheduled", "finished"] {
        assert!(events.iter().any(|event| event["status"] == status), "{status}");
    }
    let logo = events[0]["home_team"]["logo"].as_str().unwrap();
    let path = logo.strip_prefix("https://app.example.org").unwrap();
    app.client.get(path).send().await.expect(200);
    app.run_jobs().await;
    let mut again = app.client.get("/api/auth/events?per_page=100").token(&fan.token).send().await;
    for event in again.body["data"].as_array_mut().unwrap() {
        assert!(event["chat_room_id"].take().is_string(), "every match has its room");
    }
    assert_eq!(list.body, again.body, "the clock finds nothing to correct");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_is_loaded_into_an_empty_catalogue_only() {
    let app = TestApp::new().await;
    let load = || app.app.db.write(touchline::features::catalogue::demo::load);
    assert!(load().await.unwrap());
    assert!(!load().await.unwrap());
}

pub fn run(folder: &TempDir, program: &Program, arguments: &[&str]) -> Output {
    let mut command = Program::command(folder, "", &[]);
    command.args(arguments).args(["--url", program.client.base()]).output().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_imported_and_a_result_entered_from_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(&folder, &fresh_database_url().await, &[]);
    let file = folder.path().join("catalogue.json");
    std::fs::write(&file, document(json!([event("m", "2026-11-20T15:00:00Z")])).to_string())
        .unwrap();
    let file = file.to_str().unwrap();

    let imported = run(&folder, &program, &["import", file]);
    assert_eq!(String::from_utf8_lossy(&imported.stdout), "8 created, 0 updated, 0 unchanged\n");
    let entered = run(&folder, &program, &["result", "1", "2", "1"]);
    let said = String::from_utf8_lossy(&entered.stdout).into_owned();
    assert_eq!(said, "event 1: Northgate FC 2-1 Southbank FC, finished\n");

    std::fs::write(file, r#"{"teams": [{"slug": "x", "name": "X", "sport": "chess"}]}"#).unwrap();
    for (arguments, complaint) in [
        (vec!["import", file], "teams.0.sport: There is no sport chess."),
        (vec!["import", "nowhere.json"], "nowhere.json cannot be imported"),
        (vec!["result", "999", "1", "0"], "404"),
        (vec!["result", "1", "1", "0", "--token", "wrong"], "401"),
        (vec!["result", "1", "100", "0"], "100 is not in 0..100"),
    ] {
        let refused = run(&folder, &program, &arguments);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && said.contains(complaint), "{arguments:?}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn health_is_an_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(&folder, &fresh_database_url().await, &[]);
    let healthy = run(&folder, &program, &["health"]);
    assert_eq!(String::from_utf8_lossy(&healthy.stdout), "ready\n");
    assert!(healthy.status.success());

    let mut command = Program::command(&folder, "", &[]);
    let away = command.args(["health", "--url", "http://127.0.0.1:9"]).output().unwrap();
    let said = String::from_utf8_lossy(&away.stderr).into_owned();
    assert!(!away.status.success() && said.contains("no server answers"), "{said}");
}

#[test]
fn without_a_server_or_a_token_a_command_says_so() {
    let folder = tempfile::tempdir().unwrap();
    for (token, url, complaint) in [
        (OPERATOR_TOKEN, "http://127.0.0.1:9", "no server answers there at http://127.0.0.1:9"),
        ("", "http://127.0.0.1:9", "an operator token is needed"),
    ] {
        let mut command = Program::command(&folder, "", &[("TOUCHLINE_OPERATOR_TOKEN", token)]);
        let output = command.args(["result", "1", "1", "0", "--url", url]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(complaint), "{said}");
    }
}
