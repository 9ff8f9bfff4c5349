//! The service's own certificate: HTTP/2 and HTTP/1.1 inside TLS, files that change, and callers who hold a connection for nothing.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use http::{Request, StatusCode, Version};
use http_body_util::BodyExt;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::harness::{Program, TestApp, eventually, fresh_database_url};

const NAME: &str = "fans.example.org";

/// A certificate that speaks for itself, with its key, in the files that the settings name.
pub struct Files(TempDir);

impl Files {
    fn new() -> Self {
        Self::named(NAME)
    }

    pub fn named(name: &str) -> Self {
        let files = Self(tempfile::tempdir().unwrap());
        make_pair(name, &files.certificate(), &files.key());
        files
    }

    pub fn certificate(&self) -> PathBuf {
        self.0.path().join("certificate.pem")
    }

    pub fn key(&self) -> PathBuf {
        self.0.path().join("key.pem")
    }

    fn settings(&self) -> [(&'static str, String); 2] {
        let text = |path: PathBuf| path.to_str().unwrap().to_owned();
        [
            ("TOUCHLINE_TLS__CERTIFICATE_FILE", text(self.certificate())),
            ("TOUCHLINE_TLS__KEY_FILE", text(self.key())),
        ]
    }

    async fn app(&self, more: &[(&str, &str)]) -> TestApp {
        let own = self.settings();
        let mut all: Vec<(&str, &str)> = own.iter().map(|(key, it)| (*key, it.as_str())).collect();
        all.extend_from_slice(more);
        TestApp::with(&all).await
    }
}

fn make_pair(name: &str, certificate: &Path, key: &Path) {
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"])
        .args(["-days", "2", "-subj", &format!("/CN={name}")])
        .args(["-addext", &format!("subjectAltName=DNS:{name}")])
        .args(["-addext", "basicConstraints=critical,CA:FALSE", "-keyout"])
        .arg(key)
        .arg("-out")
        .arg(certificate)
        .output()
        .expect("openssl is not there");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

/// A connection that trusts this certificate alone and offers these protocols.
async fn connect(
    app: &TestApp,
    certificate: &Path,
    protocols: &[&[u8]],
) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(certificate).unwrap()).unwrap();
    let mut config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    let stream = TcpStream::connect(app.client.address()).await.unwrap();
    let connector = TlsConnector::from(Arc::new(config));
    connector.connect(ServerName::try_from(NAME).unwrap(), stream).await
}

async fn connect_http2(app: &TestApp, files: &Files) -> http2::SendRequest<Body> {
    let stream = connect(app, &files.certificate(), &[b"h2", b"http/1.1"]).await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    let (sender, connection) =
        http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    sender
}

fn get(path: &str) -> Request<Body> {
    Request::get(format!("https://{NAME}{path}")).body(Body::empty()).unwrap()
}

async fn json_of(answer: http::Response<hyper::body::Incoming>) -> Value {
    serde_json::from_slice(&answer.into_body().collect().await.unwrap().to_bytes()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_speaks_http_2_and_asks_many_things_at_once_on_one_connection() {
    let files = Files::new();
    let app = files.app(&[]).await;
    let sender = connect_http2(&app, &files).await;
    let calls = (0..50).map(|_| {
        let mut sender = sender.clone();
        async move { sender.send_request(get("/readyz")).await.unwrap() }
    });
    for answer in futures_util::future::join_all(calls).await {
        assert_eq!((answer.version(), answer.status()), (Version::HTTP_2, StatusCode::OK));
        assert!(answer.headers().contains_key("x-request-id"));
        assert!(json_of(answer).await.is_object());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_that_knows_no_http_2_speaks_http_1_1() {
    let files = Files::new();
    let app = files.app(&[]).await;
    for protocols in [&[][..], &[&b"http/1.1"[..]]] {
        let stream = connect(&app, &files.certificate(), protocols).await.unwrap();
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let request = Request::get("/readyz").header("host", NAME).body(Body::empty()).unwrap();
        let answer = sender.send_request(request).await.unwrap();
        assert_eq!((answer.version(), answer.status()), (Version::HTTP_11, StatusCode::OK));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fan_logs_in_over_http_2_and_is_sent_to_https_for_chat() {
    let files = Files::new();
    let app = files.app(&[]).await;
    let phone = TestApp::phone(1);
    let code = app.request_code(&phone).await;
    let mut sender = connect_http2(&app, &files).await;
    let request = Request::post(format!("https://{NAME}/api/code/verify"))
        .header("content-type", "application/json")
        .body(Body::from(json!({"phone": phone, "code": code}).to_string()))
        .unwrap();
    let answer = sender.send_request(request).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    assert!(json_of(answer).await["data"]["matrix_credentials"].is_object());
    let chat = sender.send_request(get("/.well-known/matrix/client")).await.unwrap();
    let chat = json_of(chat).await;
    let base = chat["m.homeserver"]["base_url"].as_str().unwrap();
    assert!(base.starts_with("https://"), "{base}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_body_is_refused_and_the_connection_goes_on() {
    let files = Files::new();
    let app = files.app(&[]).await;
    let mut sender = connect_http2(&app, &files).await;
    let request = Request::post(format!("https://{NAME}/api/code/request"))
        .header("content-type", "application/json")
        .body(Body::from(vec![b' '; 1_000_000]))
        .unwrap();
    let answer = sender.send_request(request).await.unwrap();
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(sender.send_request(get("/healthz")).await.unwrap().status(), StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_was_renewed_is_used_without_a_restart_and_open_connections_go_on() {
    let files = Files::new();
    let app = files.app(&[]).await;
    let mut before = connect_http2(&app, &files).await;
    let old = files.0.path().join("old.pem");
    std::fs::copy(files.certificate(), &old).unwrap();
    make_pair(NAME, &files.certificate(), &files.key());
    eventually(|| async { connect(&app, &files.certificate(), &[]).await.ok() }).await;
    assert!(connect(&app, &old, &[]).await.is_err());
    assert_eq!(before.send_request(get("/healthz")).await.unwrap().status(), StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pair_that_does_not_work_leaves_the_one_before_in_use_until_it_does() {
    let folder = tempfile::tempdir().unwrap();
    let url = fresh_database_url().await;
    let files = Files::new();
    let own = files.settings();
    let settings: Vec<(&str, &str)> = own.iter().map(|(key, it)| (*key, it.as_str())).collect();
    let program = Program::start(&folder, &url, &settings);
    let log = || program.log();
    std::fs::write(files.key(), "not a key").unwrap();
    eventually(|| async { log().contains("the one from before stays").then_some(()) }).await;
    assert_eq!(program.client.get("/readyz").send().await.status, 200);
    make_pair(NAME, &files.certificate(), &files.key());
    eventually(|| async { log().contains("read anew").then_some(()) }).await;
    let line = log().lines().find(|line| line.contains("stays")).unwrap().to_owned();
    assert!(line.contains("tls.key_file") && !line.contains("not a key"), "{line}");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_cannot_be_used_stop_the_start_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let url = fresh_database_url().await;
    let (files, others) = (Files::new(), Files::new());
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let missing = text(&folder.path().join("missing.pem"));
    let (certificate, key) = (text(&files.certificate()), text(&files.key()));
    for (certificate, key, sentence) in [
        (&missing, &key, "tls.certificate_file "),
        (&certificate, &missing, "tls.key_file "),
        (&key, &key, "it has no certificate"),
        (&certificate, &text(&others.key()), "it is not the key of tls.certificate_file"),
        (&certificate, &String::new(), "tls.key_file must be set"),
    ] {
        let settings = [
            ("TOUCHLINE_TLS__CERTIFICATE_FILE", certificate.as_str()),
            ("TOUCHLINE_TLS__KEY_FILE", key.as_str()),
        ];
        let output = Program::command(&folder, &url, &settings).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(sentence), "{sentence}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_on_the_machine_itself_reach_a_service_that_has_a_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let url = fresh_database_url().await;
    let files = Files::new();
    let own = files.settings();
    let mut settings: Vec<(&str, &str)> = own.iter().map(|(key, it)| (*key, it.as_str())).collect();
    let program = Program::start(&folder, &url, &settings);
    settings.push(("TOUCHLINE_LISTEN", program.client.address()));
    let health = Program::command(&folder, &url, &settings).arg("health").output().unwrap();
    assert!(health.status.success(), "{}", String::from_utf8_lossy(&health.stderr));
}

/// How long until the service ends this connection, which sends no more.
async fn time_to_the_end(stream: &mut (impl AsyncReadExt + Unpin)) -> Duration {
    let began = Instant::now();
    let mut bytes = Vec::new();
    // Reset is an end too.
    let _ = timeout(Duration::from_secs(20), stream.read_to_end(&mut bytes)).await.expect("open");
    began.elapsed()
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_does_not_finish_the_handshake_or_asks_nothing_is_gone_after_the_header_time() {
    let files = Files::new();
    let app = files.app(&[("TOUCHLINE_HTTP__HEADER_TIMEOUT_MS", "600")]).await;
    for first in [&b""[..], b"\x16", b"\x16\x03\x01\x02\x00\x01\x00"] {
        let mut stream = TcpStream::connect(app.client.address()).await.unwrap();
        stream.write_all(first).await.unwrap();
        time_to_the_end(&mut stream).await;
    }
    let mut stream = connect(&app, &files.certificate(), &[b"h2"]).await.unwrap();
    stream.write_all(PREFACE).await.unwrap();
    time_to_the_end(&mut stream).await;
    let mut stream = connect(&app, &files.certificate(), &[b"http/1.1"]).await.unwrap();
    stream.write_all(b"GET /healthz HT").await.unwrap();
    time_to_the_end(&mut stream).await;
}

/// The first bytes of HTTP/2, and settings that leave everything as it is.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

#[tokio::test(flavor = "multi_thread")]
async fn an_http_2_connection_that_asks_no_more_ends_after_the_idle_time() {
    let files = Files::new();
    let app = files.app(&[("TOUCHLINE_HTTP__IDLE_TIMEOUT_MS", "700")]).await;
    let mut sender = connect_http2(&app, &files).await;
    assert_eq!(sender.send_request(get("/healthz")).await.unwrap().status(), StatusCode::OK);
    eventually(|| async { sender.is_closed().then_some(()) }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_never_takes_an_answer_is_gone_after_the_write_time() {
    let files = Files::new();
    let app = files.app(&[("TOUCHLINE_HTTP__WRITE_TIMEOUT_MS", "700")]).await;
    let stream = connect(&app, &files.certificate(), &[b"h2"]).await.unwrap();
    let mut builder = http2::Builder::new(TokioExecutor::new());
    // It reads what is sent and lets no answer be sent beyond a few bytes.
    builder.initial_stream_window_size(16);
    let (mut sender, connection) = builder.handshake(TokioIo::new(stream)).await.unwrap();
    let connection = tokio::spawn(connection);
    let answer = sender.send_request(get("/api/openapi.json")).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    timeout(Duration::from_secs(20), connection).await.expect("it is still open").unwrap().ok();
    drop(answer);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_stream_over_http_2_outlives_the_times_for_idle_and_slow_callers() {
    let files = Files::new();
    let short = [
        ("TOUCHLINE_HTTP__WRITE_TIMEOUT_MS", "500"),
        ("TOUCHLINE_HTTP__IDLE_TIMEOUT_MS", "500"),
        ("TOUCHLINE_STREAM__HEARTBEAT_S", "1"),
    ];
    let app = files.app(&short).await;
    let fan = app.log_in(&TestApp::phone(1)).await;
    let mut sender = connect_http2(&app, &files).await;
    let request = Request::get(format!("https://{NAME}/api/auth/stream"))
        .header("authorization", format!("Bearer {}", fan.token))
        .header("accept", "text/event-stream")
        .body(Body::empty())
        .unwrap();
    let answer = sender.send_request(request).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let mut body = answer.into_body();
    for _ in 0..4 {
        let frame = timeout(Duration::from_secs(20), body.frame()).await.expect("no heartbeat");
        frame.expect("the stream ended").unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_leaves_answers_what_was_asked_and_says_goodbye() {
    let files = Files::new();
    let app = files.app(&[("TOUCHLINE_HTTP__LEAVE_MS", "300")]).await;
    let mut sender = connect_http2(&app, &files).await;
    assert_eq!(sender.send_request(get("/healthz")).await.unwrap().status(), StatusCode::OK);
    app.app.stop.cancel();
    eventually(|| async { sender.is_closed().then_some(()) }).await;
}
