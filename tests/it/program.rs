//! The program as a process: its command line, its signals, its logs, what survives a crash.

use std::process::Output;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::harness::{Client, Program, free_address, fresh_database_url, line_with};

const PHONE: &str = "+447700900123";

fn run(arguments: &[&str], settings: &[(&str, &str)]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    Program::command(&folder, "", settings).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

async fn request_code(client: &Client, phone: &str) -> u16 {
    client.post("/api/code/request").json(json!({"phone": phone})).send().await.status
}

pub async fn log_in(client: &Client) -> String {
    assert_eq!(request_code(client, PHONE).await, 200);
    let log = client.get("/api/logs/sms").send().await;
    let body = json!({"phone": PHONE, "code": log.body["data"][0]["code"]});
    let reply = client.post("/api/code/verify").json(body).send().await.expect(200);
    reply.body["data"]["token"].as_str().unwrap().to_owned()
}

#[test]
fn a_start_that_cannot_succeed_ends_with_one_sentence_naming_the_key() {
    for (setting, named) in [
        (("TOUCHLINE_LISTEM", "x"), "TOUCHLINE_LISTEM"),
        (("TOUCHLINE_HTTP__MAX_IN_FLIGHT", "many"), "TOUCHLINE_HTTP__MAX_IN_FLIGHT"),
        (("TOUCHLINE_LISTEN", "256.0.0.1:1"), "listen"),
        (("TOUCHLINE_ENVIRONMENT", "production"), "secret_key"),
        (("TOUCHLINE_LOG__LEVEL", "touchline=loud"), "log.level"),
        (("TOUCHLINE_LOG__LEVEL", "loud"), "log.level"),
        (("TOUCHLINE_SESSIONS__IDLE_DAYS", "0"), "sessions.idle_days"),
        (("TOUCHLINE_LOGIN__TEST_NUMBERS", "123"), "login.test_numbers"),
        (("TOUCHLINE_DATABASE_URL", "sqlite:/nonexistent/folder/x.db"), "/nonexistent"),
        (("TOUCHLINE_DATABASE_URL", "postgres://fan:hunter2@127.0.0.1:1/x"), "database"),
    ] {
        let output = run(&[], &[("TOUCHLINE_SECRET_KEY", ""), setting]);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(named), "{setting:?}: {error}");
        let said = error.lines().filter(|line| line.starts_with("touchline: ")).count();
        assert_eq!(said, 1, "{error}");
        assert!(!error.contains("hunter2"), "{error}");
    }
}

#[test]
fn config_prints_the_settings_in_force_with_secrets_hidden() {
    let key = "0123456789abcdef0123456789abcdef";
    let output =
        run(&["config"], &[("TOUCHLINE_SECRET_KEY", key), ("TOUCHLINE_HTTP__MAX_IN_FLIGHT", "7")]);
    let printed = text(&output.stdout);
    assert!(printed.contains("max_in_flight = 7"), "{printed}");
    assert!(printed.contains("secret_key = \"(hidden)\"") && !printed.contains(key), "{printed}");
}

#[test]
fn migrate_brings_an_empty_database_up_to_date_once() {
    let folder = tempfile::tempdir().unwrap();
    let migrate = || {
        let output = Program::command(&folder, "", &[]).arg("migrate").output().unwrap();
        assert!(output.status.success());
        text(&output.stdout)
    };
    assert!(migrate().contains("applied 0001_foundation"));
    assert_eq!(migrate().trim(), "The schema is up to date.");
}

#[test]
fn openapi_prints_the_document() {
    let document: serde_json::Value =
        serde_json::from_slice(&run(&["openapi"], &[]).stdout).unwrap();
    assert_eq!(document["info"]["title"], "Touchline");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_from_the_command_line_opens_the_operator_api_of_the_running_service() {
    let folder = tempfile::tempdir().unwrap();
    let database_url = fresh_database_url().await;
    let program = Program::start(&folder, &database_url, &[]);
    let output =
        Program::command(&folder, &database_url, &[]).args(["operator-token", "ana"]).output();
    let token = text(&output.unwrap().stdout);
    program.client.get("/api/admin/audit").token(token.trim()).send().await.expect(200);
    let revoke = Program::command(&folder, &database_url, &[])
        .args(["operator-token", "ana", "--revoke"])
        .output();
    assert_eq!(text(&revoke.unwrap().stdout).trim(), "1 revoked");
    program.client.get("/api/admin/audit").token(token.trim()).send().await.expect(401);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_makes_lists_and_revokes_tokens_of_any_role() {
    let folder = tempfile::tempdir().unwrap();
    let database_url = fresh_database_url().await;
    let program = Program::start(&folder, &database_url, &[]);
    let run = |more: &[&str]| {
        let mut command = Program::command(&folder, &database_url, &[]);
        let output = command.arg("operator-token").args(more).output().unwrap();
        (text(&output.stdout).trim().to_owned(), text(&output.stderr))
    };
    let (token, _) = run(&["ben", "--role", "moderator", "--expires", "30d"]);
    let me = program.client.get("/api/admin/me").token(&token).send().await.expect(200);
    assert_eq!(
        (&me.body["data"]["name"], &me.body["data"]["role"]),
        (&"ben".into(), &"moderator".into())
    );
    assert!(me.body["data"]["expires_at"].is_string(), "{}", me.text);
    let (list, _) = run(&["--list"]);
    assert!(list.contains("1\tben\tmoderator\t") && !list.contains(&token), "{list}");
    assert_eq!(run(&["--revoke-id", "1"]).0, "revoked: ben (moderator)");
    program.client.get("/api/admin/me").token(&token).send().await.expect(401);
    assert!(run(&["--list"]).0.contains("revoked 20"));
    assert!(run(&["--revoke-id", "9"]).1.contains("there is no token with the id 9"));
    for wrong in [["ben", "--role", "god"], ["ben", "--expires", "soon"], ["", "--role", "viewer"]]
    {
        let (made, said) = run(&wrong);
        assert!(made.is_empty() && !said.is_empty(), "{wrong:?}: {made} {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_sessions_and_revocations_survive_kill_9() {
    let folder = tempfile::tempdir().unwrap();
    let database_url = fresh_database_url().await;
    let program = Program::start(&folder, &database_url, &[]);
    let (kept, revoked) = (log_in(&program.client).await, log_in(&program.client).await);
    program.client.post("/api/auth/logout").token(&revoked).send().await.expect(200);
    for _ in 0..3 {
        assert_eq!(request_code(&program.client, PHONE).await, 200);
    }
    program.kill();
    let program = Program::start(&folder, &database_url, &[]);
    program.client.get("/api/auth/me").token(&kept).send().await.expect(200);
    program.client.get("/api/auth/me").token(&revoked).send().await.expect(401);
    assert_eq!(request_code(&program.client, PHONE).await, 429);
}

#[tokio::test(flavor = "multi_thread")]
async fn on_sigterm_a_running_request_is_answered_and_the_program_ends_well() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(&folder, &fresh_database_url().await, &[]);
    let mut slow = tokio::net::TcpStream::connect(program.client.address()).await.unwrap();
    let body = format!("{{\"phone\":\"{PHONE}\"}}");
    let head = format!(
        "POST /api/code/request HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\nexpect: 100-continue\r\n\r\n",
        body.len()
    );
    slow.write_all(head.as_bytes()).await.unwrap();
    // The handler asks for the body: the request is running.
    let mut go_on = [0; 25];
    slow.read_exact(&mut go_on).await.unwrap();
    assert_eq!(text(&go_on), "HTTP/1.1 100 Continue\r\n\r\n");
    program.terminate();
    tokio::time::sleep(Duration::from_millis(200)).await;
    slow.write_all(body.as_bytes()).await.unwrap();
    let mut answer = String::new();
    slow.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert_eq!(program.exit_code(Duration::from_secs(10)), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_leaves_says_so_and_still_takes_requests_for_a_while() {
    let folder = tempfile::tempdir().unwrap();
    let leave = ("TOUCHLINE_HTTP__LEAVE_MS", "1500");
    let mut program = Program::start(&folder, &fresh_database_url().await, &[leave]);
    // A connection from before, as a balancer keeps them in its pool.
    let mut kept = tokio::net::TcpStream::connect(program.client.address()).await.unwrap();
    let mut ask = async |connection: &str| {
        let head = format!("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: {connection}\r\n\r\n");
        kept.write_all(head.as_bytes()).await.unwrap();
        let mut answer = vec![0; 2048];
        let count = kept.read(&mut answer).await.unwrap();
        text(&answer[..count])
    };
    let before = ask("keep-alive").await;
    assert!(before.starts_with("HTTP/1.1 200 ") && !before.contains("connection: close"));
    program.terminate();
    tokio::time::sleep(Duration::from_millis(300)).await;
    let after = ask("keep-alive").await;
    assert!(after.starts_with("HTTP/1.1 200 ") && after.contains("connection: close"), "{after}");
    // A new connection is let in too, and hears that it should go elsewhere.
    let newcomer = Client::new(program.client.base());
    newcomer.get("/readyz").send().await.expect(503);
    assert_eq!(request_code(&newcomer, PHONE).await, 200);
    assert_eq!(program.exit_code(Duration::from_secs(10)), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_arrived_before_the_signal_are_answered_even_if_nobody_had_accepted_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(&folder, &fresh_database_url().await, &[]);
    let signal = |name: &str| {
        let status =
            std::process::Command::new("kill").args([name, &program.id().to_string()]).status();
        assert!(status.unwrap().success());
    };
    // While it stands still, the kernel makes the connections and takes the requests.
    signal("-STOP");
    let mut waiting = Vec::new();
    for _ in 0..40 {
        let mut stream = tokio::net::TcpStream::connect(program.client.address()).await.unwrap();
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
        waiting.push(stream);
    }
    signal("-TERM");
    signal("-CONT");
    for mut stream in waiting {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer:?}");
    }
    assert_eq!(program.exit_code(Duration::from_secs(10)), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_right_after_the_ready_line_drains_too() {
    for _ in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        let mut program = Program::start(&folder, "", &[]);
        program.terminate();
        assert_eq!(program.exit_code(Duration::from_secs(10)), Some(0));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn with_open_connections_it_still_ends_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(&folder, &fresh_database_url().await, &[]);
    let _idle = tokio::net::TcpStream::connect(program.client.address()).await.unwrap();
    program.client.get("/healthz").send().await.expect(200);
    let started = Instant::now();
    program.terminate();
    assert_eq!(program.exit_code(Duration::from_secs(10)), Some(0));
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_room_is_not_told_in_the_log_rule_by_rule() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(&folder, "", &[("TOUCHLINE_LOG__LEVEL", "info")]);
    let token = log_in(&program.client).await;
    let call = program.client.post("/api/auth/chat-room").token(&token);
    call.json(json!({"name": "Away fans"})).send().await.expect(201);
    let log = program.log();
    assert!(!log.contains("ruma"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_secret_reaches_the_log_even_at_its_loudest() {
    let folder = tempfile::tempdir().unwrap();
    let program =
        Program::start(&folder, &fresh_database_url().await, &[("TOUCHLINE_LOG__LEVEL", "trace")]);
    let client = &program.client;
    let token = log_in(client).await;
    let wrong = json!({"phone": PHONE, "code": "987654"});
    client.post("/api/code/verify").json(wrong).send().await.expect(401);
    client.get("/api/logs/sms?phone=%2B447700900123").send().await.expect(200);
    client.get("/api/auth/me").token(&token).send().await.expect(200);
    client
        .post("/api/auth/update-user-info")
        .token(&token)
        .json(json!({"email": PHONE}))
        .send()
        .await
        .expect(422);
    client
        .post("/api/code/verify")
        .raw(format!("{{\"phone\":\"{PHONE}\""))
        .send()
        .await
        .expect(400);
    let codes = client.get("/api/logs/sms").send().await.body["data"].clone();
    let log = program.log();
    assert!(log.lines().count() > 10, "{log}");
    for secret in ["7700900123", &token] {
        let line = log.lines().find(|line| line.contains(secret));
        assert!(line.is_none(), "{secret} in {line:?}");
    }
    let mut secret_codes = vec!["987654"];
    secret_codes
        .extend(codes.as_array().unwrap().iter().map(|sent| sent["code"].as_str().unwrap()));
    assert_eq!(line_with(&log, &secret_codes), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_are_on_a_listener_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let address = free_address();
    let program = Program::start(
        &folder,
        &fresh_database_url().await,
        &[("TOUCHLINE_METRICS_LISTEN", &address)],
    );
    program.client.get("/healthz").send().await.expect(200);
    program.client.get("/metrics").send().await.expect(404);
    let shown = Client::new(&format!("http://{address}")).get("/metrics").send().await.expect(200);
    for name in ["touchline_http_requests_total", "touchline_http_request_seconds", "touchline_db_"]
    {
        assert!(shown.text.contains(name), "{name} in {}", shown.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn traces_are_sent_to_the_collector_that_the_settings_name() {
    let folder = tempfile::tempdir().unwrap();
    let collector = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1/traces", collector.local_addr().unwrap());
    // Nobody else calls: the embedded homeserver would, and may be told at the end that the service is stopping.
    let settings = [
        ("TOUCHLINE_LOG__OTLP_URL", url.as_str()),
        ("TOUCHLINE_MATRIX__HOMESERVER_URL", "http://127.0.0.1:1"),
    ];
    let mut program = Program::start(&folder, &fresh_database_url().await, &settings);
    let (sender, mut requests) = tokio::sync::mpsc::unbounded_channel();
    // What is sent while the service runs, and the rest when it ends, on one connection or more.
    let collecting = tokio::spawn(async move {
        while let Ok((stream, _)) = collector.accept().await {
            tokio::spawn(collect(stream, sender.clone()));
        }
    });
    program.client.get("/healthz").send().await.expect(200);
    program.terminate();
    let code = tokio::task::block_in_place(|| program.exit_code(Duration::from_secs(10)));
    assert_eq!(code, Some(0));
    collecting.abort();
    let sent: String = std::iter::from_fn(|| requests.try_recv().ok()).collect();
    assert!(sent.starts_with("POST /v1/traces ") && sent.contains("/healthz"), "{sent}");
    // What the log's level leaves out is not sent either: that the request was answered is told at debug.
    assert!(!sent.contains("answered"), "{sent}");
}

/// Takes every request of a connection, and notes it before it is answered.
async fn collect(
    mut stream: tokio::net::TcpStream,
    sender: tokio::sync::mpsc::UnboundedSender<String>,
) {
    loop {
        let mut request = Vec::new();
        while !is_whole(&request) {
            if stream.read_buf(&mut request).await.unwrap_or(0) == 0 {
                return;
            }
        }
        sender.send(String::from_utf8_lossy(&request).into_owned()).unwrap();
        let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
        stream.write_all(answer).await.unwrap();
    }
}

/// Whether a request has arrived with all of its body.
fn is_whole(request: &[u8]) -> bool {
    let Some(end) = request.windows(4).position(|four| four == b"\r\n\r\n") else {
        return false;
    };
    let head = String::from_utf8(request[..end].to_ascii_lowercase()).unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    request.len() >= end + 4 + length.parse::<usize>().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_are_told_at_debug() {
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let program = Program::start(&folder, &url, &[]);
    program.client.get("/nowhere").send().await.expect(404);
    program.client.get("/api/auth/me").send().await.expect(401);
    let log = program.log();
    assert!(!log.contains("\"answered\""), "{log}");
    program.kill();
    let settings = [("TOUCHLINE_LOG__LEVEL", "debug")];
    let program = Program::start(&folder, &url, &settings);
    program.client.get("/nowhere").send().await.expect(404);
    let log = program.log();
    assert!(log.contains("\"answered\""), "{log}");
}
