//! What a stranger with a socket cannot do.

use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::harness::{Chatter, TestApp, eventually};

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

/// A connection from an address of this machine.
async fn connect_from(app: &TestApp, address: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(format!("{address}:0").parse().unwrap()).unwrap();
    socket.connect(app.client.address().parse().unwrap()).await.unwrap()
}

/// Asks for the health on a connection; gives what comes back.
async fn ask(stream: &mut TcpStream, headers: &str) -> String {
    let head = format!("GET /healthz HTTP/1.1\r\nhost: x\r\n{headers}\r\n");
    // One that is not let in may be closed already.
    let _ = stream.write_all(head.as_bytes()).await;
    let mut answer = vec![0; 4096];
    let count = stream.read(&mut answer).await.unwrap_or(0);
    String::from_utf8_lossy(&answer[..count]).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_its_share_of_the_connections_and_leaves_the_rest_to_others() {
    let app = TestApp::with(&[("TOUCHLINE_HTTP__MAX_CONNECTIONS_PER_ADDRESS", "3")]).await;
    let mut held = Vec::new();
    for _ in 0..3 {
        let mut stream = connect_from(&app, "127.0.0.7").await;
        assert!(ask(&mut stream, "").await.starts_with("HTTP/1.1 200 "));
        held.push(stream);
    }
    let mut refused = String::new();
    connect_from(&app, "127.0.0.7").await.read_to_string(&mut refused).await.unwrap();
    assert!(
        refused.starts_with("HTTP/1.1 429 ") && refused.contains("retry-after: 1"),
        "{refused}"
    );
    assert_eq!(error_code(&refused), "address_connection_limit");
    let other = ask(&mut connect_from(&app, "127.0.0.8").await, "").await;
    assert!(other.starts_with("HTTP/1.1 200 "), "{other}");
    drop(held);
    eventually(|| async {
        let answer = ask(&mut connect_from(&app, "127.0.0.7").await, "").await;
        answer.starts_with("HTTP/1.1 200 ").then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_connections_of_a_trusted_proxy_are_not_one_callers() {
    let app = TestApp::with(&[
        ("TOUCHLINE_HTTP__MAX_CONNECTIONS_PER_ADDRESS", "2"),
        ("TOUCHLINE_HTTP__TRUSTED_PROXIES", "127.0.0.9"),
    ])
    .await;
    let mut held = Vec::new();
    for _ in 0..5 {
        let mut stream = connect_from(&app, "127.0.0.9").await;
        assert!(ask(&mut stream, "").await.starts_with("HTTP/1.1 200 "));
        held.push(stream);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_do_not_come_hold_their_addresss_share_of_the_requests_only() {
    let app = TestApp::with(&[
        ("TOUCHLINE_HTTP__MAX_IN_FLIGHT", "6"),
        ("TOUCHLINE_HTTP__MAX_IN_FLIGHT_PER_ADDRESS", "2"),
        ("TOUCHLINE_HTTP__TRUSTED_PROXIES", "127.0.0.9"),
    ])
    .await;
    // The same caller behind the proxy, once by IPv4 and once within an IPv6 /64.
    for (hog, same, other) in [
        ("198.51.100.1", "198.51.100.1", "198.51.100.2"),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"),
    ] {
        let mut held = Vec::new();
        for _ in 0..2 {
            let mut stream = connect_from(&app, "127.0.0.9").await;
            let head = format!(
                "POST /api/code/request HTTP/1.1\r\nhost: x\r\nx-forwarded-for: {hog}\r\n\
                 expect: 100-continue\r\ncontent-length: 9\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).await.unwrap();
            // The handler waits for the body.
            let mut answer = [0; 4096];
            let count = stream.read(&mut answer).await.unwrap();
            assert!(answer[..count].starts_with(b"HTTP/1.1 100 "));
            held.push(stream);
        }
        let from = async |address: &str| {
            let mut stream = connect_from(&app, "127.0.0.9").await;
            ask(&mut stream, &format!("x-forwarded-for: {address}\r\nconnection: close\r\n")).await
        };
        let refused = from(same).await;
        assert!(refused.starts_with("HTTP/1.1 429 "), "{refused}");
        assert!(refused.contains("retry-after: 1"), "{refused}");
        assert_eq!(error_code(&refused), "address_request_limit");
        assert!(from(other).await.starts_with("HTTP/1.1 200 "), "{other}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn matrix_clients_that_wait_hold_their_addresss_share_and_are_told_so_in_matrixs_words() {
    let limit = ("TOUCHLINE_HTTP__MATRIX_MAX_IN_FLIGHT_PER_ADDRESS", "3");
    let app = TestApp::with(&[limit, ("TOUCHLINE_HTTP__TRUSTED_PROXIES", "127.0.0.9")]).await;
    if app.synapse.is_some() {
        return;
    }
    let (_, chatter) = app.chatter("+447700900123").await;
    let (held, refused) = wait_until_refused(&app, &chatter).await;
    assert!(held.len() >= 3 && refused.starts_with("HTTP/1.1 429 "), "{refused}");
    assert!(refused.contains("retry-after: 1"), "{refused}");
    let body: Value = serde_json::from_str(refused.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!(body["errcode"], "M_LIMIT_EXCEEDED");
    assert_eq!(body["retry_after_ms"], 1000);
    let mut other = connect_from(&app, "127.0.0.9").await;
    ask_matrix(&mut other, "versions", &chatter.token, "198.51.100.2").await;
    let mut answer = [0; 12];
    other.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");
}

/// Lets clients wait for news until one is refused, and answers those who wait and the refusal.
async fn wait_until_refused(app: &TestApp, chatter: &Chatter) -> (Vec<TcpStream>, String) {
    let since = chatter.get("/sync?timeout=0").await.expect(200).body["next_batch"].clone();
    let wait = format!("v3/sync?timeout=30000&since={}", since.as_str().unwrap());
    let mut held = Vec::new();
    loop {
        let mut stream = connect_from(app, "127.0.0.9").await;
        ask_matrix(&mut stream, &wait, &chatter.token, "198.51.100.1").await;
        let mut answer = vec![0; 4096];
        let read = tokio::time::timeout(Duration::from_millis(500), stream.read(&mut answer)).await;
        // Whoever has no answer waits for news.
        match read {
            Ok(count) => {
                return (held, String::from_utf8_lossy(&answer[..count.unwrap()]).into_owned());
            }
            Err(_) => held.push(stream),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_has_chat_credentials_while_clients_that_wait_hold_every_place() {
    let app = TestApp::with(&[
        ("TOUCHLINE_HTTP__MATRIX_MAX_IN_FLIGHT", "2"),
        ("TOUCHLINE_HTTP__TRUSTED_PROXIES", "127.0.0.9"),
    ])
    .await;
    if app.synapse.is_some() {
        return;
    }
    let (_, chatter) = app.chatter("+447700900123").await;
    let (_held, refused) = wait_until_refused(&app, &chatter).await;
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    app.chatter("+447700900124").await;
}

async fn ask_matrix(stream: &mut TcpStream, path: &str, token: &str, address: &str) {
    let head = format!(
        "GET /_matrix/client/{path} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: {address}\r\n\
         authorization: Bearer {token}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
}
