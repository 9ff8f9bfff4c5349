//! What every call has in common: the one error body, ids, headers, parsing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use axum::Router;
use http::{StatusCode, Uri};
use reqwest::Method;
use serde_json::json;

use crate::harness::{TestApp, eventually, plain_client, together};

const PATH: &str = "/api/code/request";

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_path_is_404_in_the_one_shape() {
    let app = TestApp::new().await;
    for path in ["/nope", "/api/nope", "/api/auth/nope", "/api/admin/nope"] {
        app.client.get(path).send().await.expect_error(404, "not_found");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_method_is_405_with_allow() {
    let app = TestApp::new().await;
    let reply = app.client.get(PATH).send().await.expect_error(405, "method_not_allowed");
    assert_eq!(reply.header("allow"), Some("POST"));
    let reply =
        app.client.post("/api/auth/me").send().await.expect_error(405, "method_not_allowed");
    let allow = reply.header("allow").unwrap_or_default();
    assert!(allow.contains("GET") && allow.contains("DELETE"), "{allow}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_not_json_is_400() {
    let app = TestApp::new().await;
    let deep = format!("{{\"phone\":{}{}}}", "[".repeat(200), "]".repeat(200));
    for body in ["", "{", "{\"phone\":}", "nonsense", "{\"phone\":\"\\ud800\"}", deep.as_str()] {
        let reply = app.client.post(PATH).raw(body.to_owned()).send().await;
        reply.expect_error(400, "malformed_request");
    }
    let not_utf8 = app.client.post(PATH).raw(vec![b'"', 0xff, b'"']).send().await;
    not_utf8.expect_error(400, "malformed_request");
}

#[tokio::test(flavor = "multi_thread")]
async fn json_that_is_not_an_object_is_422() {
    let app = TestApp::new().await;
    for body in ["[]", "\"text\"", "7", "null"] {
        app.client.post(PATH).raw(body).send().await.expect_invalid("body");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_content_type_is_415_and_none_at_all_is_read_as_json() {
    let app = TestApp::new().await;
    let body = r#"{"phone":"+447700900123"}"#;
    let client = plain_client();
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx"] {
        let call = client.post(format!("{}{PATH}", app.client.base()));
        let reply = call.header("content-type", kind).body(body).send().await.unwrap();
        assert_eq!(reply.status(), 415, "{kind}");
    }
    for kind in [None, Some("application/json; charset=utf-8"), Some("application/problem+json")] {
        let mut call = client.post(format!("{}{PATH}", app.client.base()));
        if let Some(kind) = kind {
            call = call.header("content-type", kind);
        }
        assert_eq!(call.body(body).send().await.unwrap().status(), 200, "{kind:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_fields_are_ignored() {
    let app = TestApp::new().await;
    let body = json!({"phone": "+447700900123", "colour": "blue"});
    app.client.post(PATH).json(body).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_over_64_kib_is_413_and_changes_nothing() {
    let app = TestApp::new().await;
    let large = format!("{{\"phone\":\"+447700900123\",\"pad\":\"{}\"}}", "x".repeat(70_000));
    let reply = app.client.post(PATH).raw(large.clone()).send().await;
    reply.expect_error(413, "body_too_large");
    let parts = large.into_bytes().chunks(1_000).map(<[u8]>::to_vec).collect::<Vec<_>>();
    let chunked = futures_util::stream::iter(parts.into_iter().map(Ok::<_, std::io::Error>));
    let reply = app.client.post(PATH).raw(reqwest::Body::wrap_stream(chunked)).send().await;
    reply.expect_error(413, "body_too_large");
    assert_eq!(app.count("SELECT count(*) FROM sms_log").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_has_a_request_id_and_a_decent_one_of_the_callers_is_kept() {
    let app = TestApp::new().await;
    let own = app.client.get("/healthz").header("x-request-id", "app-42").send().await;
    assert_eq!(own.header("x-request-id"), Some("app-42"));
    for bad in ["has space", "<script>", &"x".repeat(65)] {
        let reply = app.client.get("/nope").header("x-request-id", bad).send().await;
        let reply = reply.expect_error(404, "not_found");
        assert!(reply.header("x-request-id").unwrap().starts_with("req_"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_has_the_security_headers() {
    let app = TestApp::new().await;
    for path in ["/healthz", "/nope", "/docs/"] {
        let reply = app.client.get(path).send().await;
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(reply.header("x-frame-options"), Some("DENY"), "{path}");
        assert!(reply.header("content-security-policy").is_some(), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_answer_is_compressed_and_a_small_one_is_not() {
    let app = TestApp::new().await;
    let get = async |path: &str, encoding: &str| {
        let reply = app.client.get(path).header("accept-encoding", encoding).send().await;
        reply.header("content-encoding").map(str::to_owned)
    };
    assert_eq!(get("/api/openapi.json", "gzip").await.as_deref(), Some("gzip"));
    assert_eq!(get("/api/openapi.json", "br").await.as_deref(), Some("br"));
    assert_eq!(get("/healthz", "gzip, br").await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn docs_and_description_are_compressed_beforehand_for_whoever_takes_it() {
    let app = TestApp::new().await;
    for path in ["/api/openapi.json", "/docs/docs.js"] {
        let plain = app.client.get(path).send().await.expect(200).text.len();
        for (accepted, encoding) in [
            ("gzip", Some("gzip")),
            ("gzip;q=0.5, br;q=1.0", Some("br")),
            ("br;q=0, gzip", Some("gzip")),
            ("deflate, x-gzip, *", None),
        ] {
            let call = plain_client().get(format!("{}{path}", app.client.base()));
            let reply = call.header("accept-encoding", accepted).send().await.unwrap();
            let header =
                |name: &str| reply.headers().get(name).map(|value| value.to_str().unwrap());
            assert_eq!(header("content-encoding"), encoding, "{path} {accepted}");
            assert_eq!(header("vary"), Some("accept-encoding"), "{path} {accepted}");
            // Only what is known before it is sent has a length.
            let length: usize = header("content-length").unwrap().parse().unwrap();
            assert_eq!(
                encoding.is_some(),
                length < plain / 2,
                "{path} {accepted}: {length} of {plain}"
            );
            assert_eq!(reply.bytes().await.unwrap().len(), length);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn browsers_of_other_origins_get_in_only_where_the_settings_name_them() {
    let origin = "https://app.example.org";
    let preflight = async |app: &TestApp, origin: &str| {
        let call = app.client.request(Method::OPTIONS, "/api/auth/me").header("origin", origin);
        let reply = call.header("access-control-request-method", "GET").send().await;
        reply.header("access-control-allow-origin").map(str::to_owned)
    };
    assert_eq!(preflight(&TestApp::new().await, origin).await, None);
    let app = TestApp::with(&[("TOUCHLINE_HTTP__CORS_ORIGINS", origin)]).await;
    assert_eq!(preflight(&app, origin).await.as_deref(), Some(origin));
    assert_eq!(preflight(&app, "https://evil.example").await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_another_origin_may_send_every_header_that_the_api_reads() {
    let origin = "https://app.example.org";
    let app = TestApp::with(&[("TOUCHLINE_HTTP__CORS_ORIGINS", origin)]).await;
    let call = app.client.request(Method::OPTIONS, "/api/auth/me").header("origin", origin);
    let reply = call.header("access-control-request-method", "GET").send().await;
    let allowed = reply.header("access-control-allow-headers").unwrap();
    for name in
        ["authorization", "content-type", "idempotency-key", "last-event-id", "x-request-id"]
    {
        assert!(allowed.split(',').any(|one| one.trim() == name), "{name} is not in {allowed}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn health_and_readiness_are_public() {
    let app = TestApp::new().await;
    assert_eq!(app.client.get("/healthz").send().await.expect(200).body, json!({"status": "ok"}));
    let ready = app.client.get("/readyz").send().await.expect(200);
    assert_eq!(ready.body["checks"]["database"], "ok");
}

/// A homeserver of which only is known whether it is there; gives its address, and how often it was asked.
async fn homeserver(is_there: Arc<AtomicBool>) -> (String, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let router = Router::new().fallback(async move |uri: Uri| {
        if uri.path().ends_with("/whoami") {
            count.fetch_add(1, Ordering::SeqCst);
        }
        if is_there.load(Ordering::SeqCst) {
            (StatusCode::OK, r#"{"user_id":"@touchline:localhost"}"#)
        } else {
            (StatusCode::SERVICE_UNAVAILABLE, "{}")
        }
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    (url, asked)
}

#[tokio::test(flavor = "multi_thread")]
async fn however_many_ask_whether_it_is_ready_the_parts_are_asked_once_a_second() {
    let (url, asked) = homeserver(Arc::new(AtomicBool::new(true))).await;
    let app = TestApp::with(&[("TOUCHLINE_MATRIX__HOMESERVER_URL", &url)]).await;
    app.client.get("/readyz").send().await.expect(200);
    let (before, started) = (asked.load(Ordering::SeqCst), Instant::now());
    for reply in together(100, |_| app.client.get("/readyz").send()).await {
        assert_eq!(reply.expect(200).body["status"], "ready");
    }
    let checks = asked.load(Ordering::SeqCst) - before;
    let seconds = usize::try_from(started.elapsed().as_secs()).unwrap();
    assert!(checks <= seconds + 1, "{checks} checks in {seconds} s");
}

#[tokio::test(flavor = "multi_thread")]
async fn readiness_tells_of_what_changes_within_a_moment() {
    let is_there = Arc::new(AtomicBool::new(true));
    let (url, _) = homeserver(is_there.clone()).await;
    let pause = ("TOUCHLINE_MATRIX__BREAKER_PAUSE_MS", "10");
    let app = TestApp::with(&[("TOUCHLINE_MATRIX__HOMESERVER_URL", &url), pause]).await;
    for (there, status) in [(true, "ready"), (false, "degraded"), (true, "ready")] {
        is_there.store(there, Ordering::SeqCst);
        eventually(|| async {
            let reply = app.client.get("/readyz").send().await.expect(200);
            (reply.body["status"] == status).then_some(())
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_a_page_of_the_docs_is_not_sent_it_again() {
    let app = TestApp::new().await;
    for path in ["/docs/docs.js", "/api/openapi.json"] {
        let first = app.client.get(path).send().await.expect(200);
        let tag = first.header("etag").unwrap();
        let again = app.client.get(path).header("if-none-match", tag).send().await.expect(304);
        assert_eq!((again.text.as_str(), again.header("etag")), ("", Some(tag)));
        app.client.get(path).header("if-none-match", "\"other\"").send().await.expect(200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_docs_work_without_another_site() {
    let app = TestApp::new().await;
    let page = app.client.get("/docs/").send().await.expect(200);
    assert!(!page.text.contains("https://"), "{}", page.text);
    for file in ["docs.js", "docs.css", "icon.svg", "touchline.js"] {
        app.client.get(&format!("/docs/{file}")).send().await.expect(200);
    }
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'self';") && !policy.contains("unsafe"), "{policy}");
    app.client.get("/docs/nope.js").send().await.expect_error(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn more_requests_at_once_than_the_settings_allow_are_turned_away_at_once() {
    let app = TestApp::with(&[("TOUCHLINE_HTTP__MAX_IN_FLIGHT", "1")]).await;
    let replies =
        together(64, |_| app.client.post(PATH).json(json!({"phone": "+447700900123"})).send())
            .await;
    let refused: Vec<_> = replies.into_iter().filter(|reply| reply.status == 503).collect();
    assert!(!refused.is_empty());
    for reply in refused {
        let reply = reply.expect_error(503, "overloaded");
        assert!(reply.header("retry-after").is_some());
    }
}
