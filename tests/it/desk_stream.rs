//! What operators are told live.

use serde_json::json;
use tokio::io::AsyncWriteExt;

use crate::chat_rooms::{in_room, public_room};
use crate::harness::{OPERATOR_TOKEN, TestApp, escape};
use crate::job_control::{with_failing_job, with_failing_job_and_receiver};
use crate::stream::{Listening, Told, kick_off, score, two_matches};

const PATH: &str = "/api/admin/stream";

async fn listen(app: &TestApp, token: &str, last_id: Option<&str>) -> Listening {
    Listening::open_path(&app.client, token, PATH, last_id).await
}

/// The next thing of this name; others are passed over.
async fn next(listening: &mut Listening, name: &str) -> Told {
    for _ in 0..20 {
        let told = listening.next().await;
        if told.name == name {
            return told;
        }
    }
    panic!("{name} was not told");
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_hear_what_happens_to_matches_and_who_did_it() {
    let app = TestApp::new().await;
    let (event, _) = two_matches(&app).await;
    let mut listening = listen(&app, OPERATOR_TOKEN, None).await;
    kick_off(&app, event).await;
    let told = next(&mut listening, "match").await;
    assert_eq!((&told.data["event_id"], &told.data["kind"]), (&json!(event), &json!("status")));
    assert_eq!(told.data["data"]["status"], "live");
    let told = next(&mut listening, "audit").await;
    assert_eq!(
        (&told.data["action"], &told.data["subject"]),
        (&json!("event.update"), &json!(format!("event {event}")))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_who_comes_back_misses_nothing_and_hears_nothing_twice() {
    let app = TestApp::new().await;
    let (event, _) = two_matches(&app).await;
    kick_off(&app, event).await;
    let mut listening = listen(&app, OPERATOR_TOKEN, None).await;
    score(&app, event, 1, 0).await;
    let last = next(&mut listening, "audit").await;
    drop(listening);
    score(&app, event, 2, 0).await;
    let mut listening = listen(&app, OPERATOR_TOKEN, Some(&last.id)).await;
    score(&app, event, 3, 0).await;
    let mut goals = Vec::new();
    while goals.last() != Some(&3) {
        let told = next(&mut listening, "match").await;
        goals.extend(told.data["data"]["home_score"].as_i64());
    }
    assert!(goals == [2, 3] || goals == [1, 2, 3], "{goals:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_hear_of_reports_failing_jobs_and_figures() {
    let app = TestApp::new().await;
    let ada = app.log_in("+447700900101").await;
    let ben = app.log_in("+447700900102").await;
    let room = public_room(&app, &ada, "Away end").await;
    in_room(&app, &ben, &room, "join").await.expect(200);
    let mut listening = listen(&app, OPERATOR_TOKEN, None).await;
    assert_eq!(next(&mut listening, "report").await.data["open"], 0);
    assert_eq!(next(&mut listening, "job").await.data["failing"], 0);
    assert_eq!(next(&mut listening, "figures").await.data["codes_sent_last_hour"], 2);
    let path = format!("/api/auth/chat-rooms/{}/report", escape(&room));
    let body = json!({"reason": "Rude", "user_id": ben.id});
    app.client.post(&path).token(&ada.token).json(body).send().await.expect(201);
    assert_eq!(next(&mut listening, "report").await.data["open"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_hear_of_every_try_that_fails() {
    let (app, _) = with_failing_job().await;
    let mut listening = listen(&app, OPERATOR_TOKEN, None).await;
    assert_eq!(next(&mut listening, "job").await.data["failing"], 1);
    app.advance(60);
    app.run_failing_jobs().await;
    assert_eq!(next(&mut listening, "job").await.data["failing"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_who_looked_amid_the_next_try_hear_that_it_succeeded() {
    let (app, _, receiver) = with_failing_job_and_receiver().await;
    let mut listening = listen(&app, OPERATOR_TOKEN, None).await;
    assert_eq!(next(&mut listening, "job").await.data["failing"], 1);
    app.advance(60);
    let succeed = async {
        let (mut caller, _) = receiver.accept().await.unwrap();
        assert_eq!(next(&mut listening, "job").await.data["failing"], 0);
        caller.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await.unwrap();
    };
    tokio::join!(app.run_failing_jobs(), succeed);
    assert_eq!(next(&mut listening, "job").await.data["failing"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_revoked_ends_its_stream() {
    let app = TestApp::new().await;
    let (id, token) = app.operator("mia", "viewer").await;
    let mut listening = listen(&app, &token, None).await;
    let path = format!("/api/admin/operators/{id}");
    app.client.delete(&path).token(OPERATOR_TOKEN).send().await.expect(200);
    listening.until_end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_missed_too_much_is_told_to_read_anew() {
    let app = TestApp::new().await;
    let (event, _) = two_matches(&app).await;
    kick_off(&app, event).await;
    app.advance(2 * 24 * 3_600);
    app.run_jobs().await;
    let mut listening = listen(&app, OPERATOR_TOKEN, Some("0.0")).await;
    assert_eq!(listening.next().await.name, "reset");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_that_the_stream_did_not_give_is_refused() {
    let app = TestApp::new().await;
    for wrong in ["1", "a.b", "1.2.3"] {
        let call = app.client.get(PATH).token(OPERATOR_TOKEN).header("last-event-id", wrong);
        call.send().await.expect_invalid("last-event-id");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_has_room_for_so_many_consoles_and_a_place_comes_back() {
    let app = TestApp::new().await;
    let mut all = Vec::new();
    for _ in 0..50 {
        all.push(listen(&app, OPERATOR_TOKEN, None).await);
    }
    let call = || app.client.get(PATH).token(OPERATOR_TOKEN).send();
    let refused = call().await.expect_error(503, "too_many_consoles");
    assert_eq!(refused.header("retry-after"), Some("30"));
    drop(all);
    crate::harness::eventually(async || {
        let path = app.client.address();
        let mut stream = tokio::net::TcpStream::connect(path).await.ok()?;
        let head = format!(
            "GET {PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {OPERATOR_TOKEN}\r\n\r\n"
        );
        tokio::io::AsyncWriteExt::write_all(&mut stream, head.as_bytes()).await.ok()?;
        let mut start = [0; 12];
        tokio::io::AsyncReadExt::read_exact(&mut stream, &mut start).await.ok()?;
        (&start == b"HTTP/1.1 200").then_some(())
    })
    .await;
}
