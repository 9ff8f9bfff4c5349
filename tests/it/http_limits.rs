//! What a stranger with a socket cannot do.

use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::harness::TestApp;

/// Sends bytes as they are and reads until the service closes the connection.
async fn speak(app: &TestApp, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(app.client.address()).await.unwrap();
    // The service may answer and close before everything is written.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer);
    let _ = tokio::time::timeout(Duration::from_secs(10), read).await.expect("the service hangs");
    String::from_utf8(answer).unwrap()
}

fn error_code(answer: &str) -> String {
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    assert!(body["request_id"].is_string() && body["message"].is_string(), "{answer}");
    body["code"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_300_kb_header_is_431_in_the_one_shape() {
    let app = TestApp::new().await;
    let head =
        format!("GET /healthz HTTP/1.1\r\nhost: x\r\nx-pad: {}\r\n\r\n", "x".repeat(300_000));
    let answer = speak(&app, head.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    assert_eq!(error_code(&answer), "headers_too_large");
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_headers_are_431() {
    let app = TestApp::new().await;
    let many = "h: 1\r\n".repeat(65);
    let answer =
        speak(&app, format!("GET /healthz HTTP/1.1\r\nhost: x\r\n{many}\r\n").as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    assert_eq!(error_code(&answer), "headers_too_large");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_http_is_400_in_the_one_shape() {
    let app = TestApp::new().await;
    for bytes in
        ["garbage\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\x16\x03\x01\x02\x00\r\n\r\n"]
    {
        let answer = speak(&app, bytes.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 400 "), "{bytes:?}: {answer}");
        assert_eq!(error_code(&answer), "malformed_request");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_request_after_a_good_one_on_the_same_connection_has_the_one_shape_too() {
    let app = TestApp::new().await;
    let mut stream = TcpStream::connect(app.client.address()).await.unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let mut first = vec![0; 4096];
    let count = stream.read(&mut first).await.unwrap();
    assert!(String::from_utf8_lossy(&first[..count]).starts_with("HTTP/1.1 200 "));
    stream.write_all(b"garbage\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert_eq!(error_code(&answer), "malformed_request");
}

#[tokio::test(flavor = "multi_thread")]
async fn half_open_connections_are_closed_after_the_header_time() {
    let app = TestApp::with(&[("TOUCHLINE_HTTP__HEADER_TIMEOUT_MS", "300")]).await;
    let mut silent = Vec::new();
    for part in ["", "GET /healthz HT", "GET /healthz HTTP/1.1\r\nhost: x\r\n"] {
        for _ in 0..30 {
            let mut stream = TcpStream::connect(app.client.address()).await.unwrap();
            stream.write_all(part.as_bytes()).await.unwrap();
            silent.push(stream);
        }
    }
    let started = Instant::now();
    for mut stream in silent {
        let mut rest = Vec::new();
        let closed = tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut rest));
        let _ = closed.await.expect("a half-open connection stays open");
    }
    assert!(started.elapsed() < Duration::from_secs(4));
    app.client.get("/healthz").send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_trickles_its_head_is_closed_all_the_same() {
    let app = TestApp::with(&[("TOUCHLINE_HTTP__HEADER_TIMEOUT_MS", "400")]).await;
    let mut stream = TcpStream::connect(app.client.address()).await.unwrap();
    let started = Instant::now();
    while stream.write_all(b"x").await.is_ok() {
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(started.elapsed() < Duration::from_secs(5), "a byte now and then keeps it open");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_never_comes_is_answered_after_the_body_time() {
    let app = TestApp::with(&[("TOUCHLINE_HTTP__BODY_TIMEOUT_MS", "200")]).await;
    let head = "POST /api/code/request HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{";
    let answer = speak(&app, head.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_connection_outlives_the_header_time_and_ends_with_the_idle_time() {
    let app = TestApp::with(&[
        ("TOUCHLINE_HTTP__HEADER_TIMEOUT_MS", "200"),
        ("TOUCHLINE_HTTP__IDLE_TIMEOUT_MS", "1500"),
    ])
    .await;
    let mut stream = TcpStream::connect(app.client.address()).await.unwrap();
    let mut buffer = vec![0; 4096];
    for _ in 0..2 {
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
        assert!(stream.read(&mut buffer).await.unwrap() > 0);
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let closed = tokio::time::timeout(Duration::from_secs(5), stream.read(&mut buffer)).await;
    assert_eq!(closed.expect("an idle connection stays open").unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_connection_too_many_is_told_so_at_once() {
    let app = TestApp::with(&[("TOUCHLINE_HTTP__MAX_CONNECTIONS", "2")]).await;
    let _first = TcpStream::connect(app.client.address()).await.unwrap();
    let _second = TcpStream::connect(app.client.address()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    let answer = speak(&app, b"").await;
    assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("retry-after: 1"), "{answer}");
    assert_eq!(error_code(&answer), "too_many_connections");
}
