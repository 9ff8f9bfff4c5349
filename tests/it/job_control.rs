//! What operators see of the work outside requests, and what they can do about it.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::harness::{OPERATOR_TOKEN, Reply, TestApp};
use crate::stream::{kick_off, two_matches};
use crate::webhooks::nowhere;

async fn jobs(app: &TestApp, query: &str) -> Reply {
    app.client.get(&format!("/api/admin/jobs{query}")).token(OPERATOR_TOKEN).send().await
}

/// A service with one job that fails; and its entry in the list.
pub async fn with_failing_job() -> (TestApp, Value) {
    let (url, _) = nowhere().await;
    with_job_failing_at(&url).await
}

/// The same, with the receiver of what the job sends: it hung up on the first try.
pub async fn with_failing_job_and_receiver() -> (TestApp, Value, TcpListener) {
    let receiver = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", receiver.local_addr().unwrap());
    let hang_up = async { drop(receiver.accept().await.unwrap()) };
    let ((app, job), ()) = tokio::join!(with_job_failing_at(&url), hang_up);
    (app, job, receiver)
}

async fn with_job_failing_at(url: &str) -> (TestApp, Value) {
    let app = TestApp::new().await;
    let (event, _) = two_matches(&app).await;
    app.run_jobs().await;
    let add = app.client.post("/api/admin/webhooks").token(OPERATOR_TOKEN);
    add.json(json!({"url": url})).send().await.expect(201);
    kick_off(&app, event).await;
    app.advance(1);
    app.run_failing_jobs().await;
    let listed = jobs(&app, "?state=failing").await.expect(200).body;
    assert_eq!(listed["meta"]["total"], 1, "{listed}");
    let job = listed["data"][0].clone();
    (app, job)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_job_is_listed_with_its_lane_its_error_and_its_next_try() {
    let (app, job) = with_failing_job().await;
    assert_eq!(job["kind"], "webhook_deliver");
    assert_eq!(job["lane"], "webhooks");
    assert_eq!(job["state"], "failing");
    assert_eq!(job["payload"], json!({"webhook_id": 1}));
    assert_eq!((&job["attempts"], &job["lag_ms"]), (&json!(1), &json!(0)));
    assert!(job["last_error"].as_str().unwrap().contains("error sending request"), "{job}");
    app.advance(10);
    let late = jobs(&app, "?state=failing").await.expect(200).body;
    assert!(late["data"][0]["lag_ms"].as_i64().unwrap() > 8_000, "{late}");
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_are_listed_by_lane() {
    let (app, _) = with_failing_job().await;
    let listed = jobs(&app, "?lane=webhooks&per_page=100").await.expect(200).body;
    let kinds: Vec<&str> = listed["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|job| job["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds.len(), 2, "{kinds:?}");
    assert!(kinds.contains(&"webhook_dispatch") && kinds.contains(&"webhook_deliver"), "{kinds:?}");
    let all = jobs(&app, "?page=2&per_page=3").await.expect(200).body;
    assert_eq!(all["data"].as_array().unwrap().len(), 3);
    jobs(&app, "?lane=fast").await.expect_invalid("lane");
    jobs(&app, "?state=dead").await.expect_invalid("state");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_overview_shows_each_lane() {
    let (app, _) = with_failing_job().await;
    let overview = app.client.get("/api/admin/overview").token(OPERATOR_TOKEN).send().await;
    let jobs = overview.expect(200).body["data"]["jobs"].clone();
    assert_eq!(jobs["failing"], 1);
    let lanes: Vec<(&str, i64)> = jobs["lanes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|lane| (lane["lane"].as_str().unwrap(), lane["failing"].as_i64().unwrap()))
        .collect();
    let expected = [
        ("match_clock", 0),
        ("settlement", 0),
        ("local", 0),
        ("chat", 0),
        ("webhooks", 1),
        ("feeds", 0),
        ("push", 0),
    ];
    assert_eq!(lanes, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retried_job_is_tried_before_its_pause_is_over() {
    let (app, job) = with_failing_job().await;
    app.run_failing_jobs().await;
    let path = format!("/api/admin/jobs/{}/retry", job["id"]);
    app.client.post(&path).token(OPERATOR_TOKEN).send().await.expect(200);
    app.run_failing_jobs().await;
    let deliveries = app.client.get("/api/admin/webhooks/1/deliveries").token(OPERATOR_TOKEN);
    assert_eq!(deliveries.send().await.expect(200).body["data"][0]["attempts"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retry_that_is_asked_for_while_the_job_fails_once_more_is_not_lost() {
    let (app, job, receiver) = with_failing_job_and_receiver().await;
    app.advance(60);
    let retry = async {
        let (caller, _) = receiver.accept().await.unwrap();
        let path = format!("/api/admin/jobs/{}/retry", job["id"]);
        app.client.post(&path).token(OPERATOR_TOKEN).send().await.expect(200);
        drop(caller);
        // The clock stands: only what was asked for is due.
        timeout(Duration::from_secs(10), receiver.accept()).await.expect("tried anew").unwrap();
    };
    tokio::join!(app.run_failing_jobs(), retry);
    let deliveries = app.client.get("/api/admin/webhooks/1/deliveries").token(OPERATOR_TOKEN);
    assert_eq!(deliveries.send().await.expect(200).body["data"][0]["attempts"], 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_job_is_gone_and_the_audit_log_says_who_dropped_it() {
    let (app, job) = with_failing_job().await;
    let path = format!("/api/admin/jobs/{}", job["id"]);
    app.client.delete(&path).token(OPERATOR_TOKEN).send().await.expect(200);
    app.client.delete(&path).token(OPERATOR_TOKEN).send().await.expect_error(404, "not_found");
    let retry = app.client.post(&format!("{path}/retry")).token(OPERATOR_TOKEN);
    retry.send().await.expect_error(404, "not_found");
    assert_eq!(jobs(&app, "?state=failing").await.body["meta"]["total"], 0);
    let log = app.client.get("/api/admin/audit").token(OPERATOR_TOKEN).send().await.expect(200);
    let newest = &log.body["data"][0];
    assert_eq!(
        (&newest["action"], &newest["subject"]),
        (&json!("job.drop"), &json!(format!("job {}", job["id"])))
    );
    assert_eq!(newest["detail"], json!({"kind": "webhook_deliver"}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chore_cannot_be_dropped() {
    let app = TestApp::new().await;
    let chore = jobs(&app, "?lane=match_clock").await.expect(200).body["data"][0].clone();
    let path = format!("/api/admin/jobs/{}", chore["id"]);
    app.client.delete(&path).token(OPERATOR_TOKEN).send().await.expect_error(409, "job_is_a_chore");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_operators_see_and_touch_jobs() {
    let app = TestApp::new().await;
    let fan = app.log_in(&TestApp::phone(1)).await;
    for call in [
        app.client.get("/api/admin/jobs"),
        app.client.delete("/api/admin/jobs/1"),
        app.client.post("/api/admin/jobs/1/retry"),
    ] {
        call.token(&fan.token).send().await.expect_error(403, "operator_only");
    }
}
