//! The log of messages.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use axum::Router;
use http::StatusCode;
use serde_json::{Value, json};

use crate::harness::TestApp;

const PHONE: &str = "+447700900123";
const FAILING: &str = "+15005550001";

async fn log(app: &TestApp, query: &str) -> Vec<Value> {
    let reply = app.client.get(&format!("/api/logs/sms{query}")).send().await.expect(200);
    reply.body["data"].as_array().unwrap().clone()
}

async fn request(app: &TestApp, phone: &str) -> u16 {
    app.client.post("/api/code/request").json(json!({"phone": phone})).send().await.status
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sent_message_is_shown_with_its_code_and_expiry() {
    let app = TestApp::new().await;
    request(&app, PHONE).await;
    let entry = log(&app, "").await.remove(0);
    let code = entry["code"].as_str().unwrap();
    assert!(code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()));
    assert_eq!(
        entry,
        json!({"id": entry["id"], "phone": PHONE, "code": code, "status": "sent", "provider": "log",
               "created_at": "2026-11-15T12:00:00.000Z", "expires_at": "2026-11-15T12:05:00.000Z", "attempts": 1})
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_message_is_503_and_shown_with_its_error() {
    let app = TestApp::new().await;
    let call = app.client.post("/api/code/request").json(json!({"phone": FAILING}));
    let failed = call.send().await.expect_error(503, "sms_unavailable");
    assert!(failed.header("retry-after").is_some());
    let entry = log(&app, "?status=failed").await.remove(0);
    assert_eq!(entry["status"], "failed");
    assert!(entry["error"].is_string());
    assert!(entry.get("expires_at").is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_is_newest_first_and_filtered() {
    let app = TestApp::new().await;
    request(&app, PHONE).await;
    app.set_time("2026-11-16T00:00:00Z");
    request(&app, FAILING).await;
    request(&app, "+447700900999").await;
    let phones = |entries: Vec<Value>| -> Vec<String> {
        entries.iter().map(|entry| entry["phone"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(phones(log(&app, "").await), ["+447700900999", FAILING, PHONE]);
    assert_eq!(phones(log(&app, "?phone=%2B447700900123").await), [PHONE]);
    assert_eq!(phones(log(&app, "?date=2026-11-15").await), [PHONE]);
    assert_eq!(phones(log(&app, "?date=2026-11-16&status=sent").await), ["+447700900999"]);
    assert_eq!(phones(log(&app, "?status=failed").await), [FAILING]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_that_makes_no_sense_is_refused() {
    let app = TestApp::new().await;
    for (query, field) in [
        ("?phone=abc", "phone"),
        ("?date=2026-02-30", "date"),
        ("?date=today", "date"),
        ("?status=lost", "status"),
    ] {
        app.client.get(&format!("/api/logs/sms{query}")).send().await.expect_invalid(field);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn old_codes_and_log_entries_are_forgotten() {
    let app = TestApp::new().await;
    request(&app, PHONE).await;
    app.advance(24 * 3_600);
    app.run_jobs().await;
    assert_eq!(app.count("SELECT count(*) FROM phone_challenges").await, 0);
    assert_eq!(log(&app, "").await.len(), 1);
    app.advance(29 * 24 * 3_600);
    app.run_jobs().await;
    assert_eq!(log(&app, "").await.len(), 0);
}

mod through_a_gateway {
    //! With a real gateway in place of the log: a local server that speaks its protocol.

    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;
    use crate::harness::Reply;

    /// Accepts every message with this status and keeps what it was sent.
    async fn gateway(
        status: &'static str,
    ) -> (String, tokio::sync::mpsc::UnboundedReceiver<String>) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/send", listener.local_addr().unwrap());
        let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut request = vec![0; 4096];
                let count = stream.read(&mut request).await.unwrap();
                // The test may have ended already.
                let _ = sender.send(String::from_utf8_lossy(&request[..count]).into_owned());
                let answer =
                    format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        (url, receiver)
    }

    async fn production(url: &str) -> TestApp {
        TestApp::with(&[
            ("TOUCHLINE_ENVIRONMENT", "production"),
            ("TOUCHLINE_SECRET_KEY", "0123456789abcdef0123456789abcdef"),
            ("TOUCHLINE_SMS__PROVIDERS", "http"),
            ("TOUCHLINE_SMS__HTTP__URL", url),
        ])
        .await
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn in_production_a_code_reaches_the_phone_and_is_stored_nowhere() {
        let (url, mut sent) = gateway("200 OK").await;
        let app = production(&url).await;
        assert_eq!(request(&app, PHONE).await, 200);
        let message = sent.recv().await.unwrap();
        let code = message.split("Your code is ").nth(1).unwrap().get(..6).unwrap();
        let dump = app.dump().await;
        assert!(dump.contains("sms_log.status: sent"), "{dump}");
        // As a word of its own: six digits are easily found inside a moment or a hash.
        let words = dump.split(|letter: char| !letter.is_ascii_alphanumeric());
        assert!(!words.into_iter().any(|word| word == code), "{code} in {dump}");
        let body = json!({"phone": PHONE, "code": code});
        app.client.post("/api/code/verify").json(body).send().await.expect(200);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn in_production_the_log_is_answered_exactly_like_an_unknown_path() {
        let (url, _sent) = gateway("200 OK").await;
        let app = production(&url).await;
        let shown = |reply: Reply| {
            let id = reply.header("x-request-id").unwrap().to_owned();
            let mut headers: Vec<String> = reply.headers.keys().map(ToString::to_string).collect();
            headers.sort();
            (reply.status, headers, reply.text.replace(&id, ""))
        };
        for query in ["", "?date=nonsense", "?status=sent"] {
            let log = shown(app.client.get(&format!("/api/logs/sms{query}")).send().await);
            assert_eq!(log, shown(app.client.get(&format!("/api/logs/tms{query}")).send().await));
        }
        let log = shown(app.client.post("/api/logs/sms").send().await);
        assert_eq!(log, shown(app.client.post("/api/logs/tms").send().await));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn every_attempt_is_in_the_log() {
        let (broken, _) = gateway("400 Bad Request").await;
        let app = TestApp::with(&[
            ("TOUCHLINE_SMS__PROVIDERS", "http,log"),
            ("TOUCHLINE_SMS__HTTP__URL", &broken),
        ])
        .await;
        assert_eq!(request(&app, PHONE).await, 200);
        let tries: Vec<_> = log(&app, "")
            .await
            .iter()
            .map(|entry| {
                (entry["provider"].clone(), entry["status"].clone(), entry["attempts"].clone())
            })
            .collect();
        assert_eq!(
            tries,
            [(json!("log"), json!("sent"), json!(2)), (json!("http"), json!("failed"), json!(1))]
        );
    }
}

mod undelivered {
    //! What a message that no provider took leaves behind.

    use super::*;

    const STAGING: (&str, &str) = ("TOUCHLINE_ENVIRONMENT", "staging");
    const HANGING: u16 = 0;

    /// A provider of messages that answers with what it is told to, and the settings to use it.
    struct Provider {
        url: String,
        status: Arc<AtomicU16>,
    }

    impl Provider {
        async fn start(status: u16) -> Self {
            let status = Arc::new(AtomicU16::new(status));
            let answers = status.clone();
            let router =
                Router::new().fallback(async move || match answers.load(Ordering::SeqCst) {
                    HANGING => std::future::pending().await,
                    status => StatusCode::from_u16(status).unwrap(),
                });
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let url = format!("http://{}/send", listener.local_addr().unwrap());
            tokio::spawn(async move { axum::serve(listener, router).await });
            Self { url, status }
        }

        async fn app(&self, settings: &[(&str, &str)]) -> TestApp {
            let mut all = vec![
                ("TOUCHLINE_SMS__PROVIDERS", "http"),
                ("TOUCHLINE_SMS__HTTP__URL", self.url.as_str()),
                ("TOUCHLINE_SMS__ATTEMPT_TIMEOUT_MS", "1000"),
            ];
            all.extend_from_slice(settings);
            TestApp::with(&all).await
        }

        fn turn(&self, status: u16) {
            self.status.store(status, Ordering::SeqCst);
        }
    }

    async fn refusal(app: &TestApp, phone: &str) -> String {
        let call = app.client.post("/api/code/request").json(json!({"phone": phone}));
        call.send().await.expect(429).code().to_owned()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn retries_in_an_outage_take_nothing_from_the_phones_allowance() {
        let provider = Provider::start(401).await;
        let app = provider.app(&[]).await;
        for _ in 0..12 {
            assert_eq!(request(&app, PHONE).await, 503);
        }
        provider.turn(200);
        for _ in 0..5 {
            assert_eq!(request(&app, PHONE).await, 200);
        }
        assert_eq!(refusal(&app, PHONE).await, "phone_send_limit");
        // What was sent before an outage stays counted.
        provider.turn(401);
        app.advance(600);
        assert_eq!(request(&app, PHONE).await, 503);
        provider.turn(200);
        for _ in 0..5 {
            assert_eq!(request(&app, PHONE).await, 200);
        }
        app.advance(600);
        assert_eq!(refusal(&app, PHONE).await, "phone_daily_send_limit");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_number_that_the_log_refuses_takes_nothing_from_its_allowance_either() {
        let app = TestApp::new().await;
        for _ in 0..12 {
            assert_eq!(request(&app, FAILING).await, 503);
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn prefix_and_budget_get_back_what_was_not_sent() {
        for limit in ["SENDS_PER_PREFIX_AN_HOUR", "SENDS_A_DAY_IN_ALL"] {
            let provider = Provider::start(401).await;
            let setting = format!("TOUCHLINE_LOGIN__{limit}");
            let app = provider.app(&[STAGING, (&setting, "2")]).await;
            for _ in 0..6 {
                assert_eq!(request(&app, PHONE).await, 503, "{limit}");
            }
            provider.turn(200);
            assert_eq!(request(&app, PHONE).await, 200, "{limit}");
            assert_eq!(request(&app, PHONE).await, 200, "{limit}");
            assert_eq!(request(&app, PHONE).await, 429, "{limit}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn an_address_has_a_number_of_tries_whatever_becomes_of_them() {
        let provider = Provider::start(401).await;
        let limit = ("TOUCHLINE_LOGIN__SENDS_PER_ADDRESS_IN_5_MINUTES", "7");
        let app = provider.app(&[STAGING, limit]).await;
        for _ in 0..7 {
            assert_eq!(request(&app, PHONE).await, 503);
        }
        assert_eq!(refusal(&app, PHONE).await, "address_send_limit");
        provider.turn(200);
        app.advance(300);
        assert_eq!(request(&app, PHONE).await, 200);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_may_have_been_sent_is_spent_but_not_held_against_the_phone() {
        let provider = Provider::start(HANGING).await;
        let app = provider
            .app(&[
                STAGING,
                ("TOUCHLINE_SMS__ATTEMPT_TIMEOUT_MS", "100"),
                ("TOUCHLINE_LOGIN__SENDS_PER_10_MINUTES", "2"),
                ("TOUCHLINE_LOGIN__SENDS_A_DAY_IN_ALL", "3"),
            ])
            .await;
        for _ in 0..3 {
            assert_eq!(request(&app, PHONE).await, 503);
        }
        assert_eq!(refusal(&app, PHONE).await, "sms_budget");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_message_under_way_is_counted_until_it_has_failed() {
        let provider = Provider::start(HANGING).await;
        let app = provider.app(&[("TOUCHLINE_LOGIN__SENDS_PER_10_MINUTES", "1")]).await;
        let (first, second) = tokio::join!(request(&app, PHONE), async {
            while app.count("SELECT count(*) FROM rate_limits").await == 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            request(&app, PHONE).await
        });
        assert_eq!((first, second), (503, 429));
        assert_eq!(request(&app, PHONE).await, 503);
    }
}
