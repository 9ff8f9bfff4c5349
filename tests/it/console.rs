//! Where the console is served, and the way in from the terminal.

use serde_json::{Value, json};

use crate::harness::{Client, Program, Reply, TestApp, fresh_database_url, together};

const ON: (&str, &str) = ("TOUCHLINE_CONSOLE", "true");

async fn status(client: &Client, path: &str) -> u16 {
    client.get(path).send().await.status
}

#[tokio::test(flavor = "multi_thread")]
async fn the_console_speaks_to_its_own_address_alone_and_is_kept_by_its_tags() {
    let app = TestApp::with(&[ON]).await;
    let page = app.client.get("/console").send().await.expect(200);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(page.text.contains("/console/console.js"), "{}", page.text);
    assert!(!page.text.contains("style=") && !page.text.contains("https://"), "{}", page.text);
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
    assert!(policy.contains("connect-src 'self';") && !policy.contains("unsafe"), "{policy}");
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    for file in ["/console", "/console/console.js", "/console/operators.js", "/shared/tokens.css"] {
        let first = app.client.get(file).send().await.expect(200);
        let tag = first.header("etag").unwrap();
        app.client.get(file).header("if-none-match", tag).send().await.expect(304);
    }
    app.client.get("/console/nope.js").send().await.expect_error(404, "not_found");
    // Only what belongs to a page that is on.
    assert_eq!(status(&app.client, "/app/app.js").await, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_console_is_beside_the_api_in_local_and_elsewhere_by_request() {
    let demo = ("TOUCHLINE_DEMO_DATA", "false");
    for (environment, expected) in [("local", 200), ("testing", 404), ("staging", 404)] {
        let app = TestApp::with(&[("TOUCHLINE_ENVIRONMENT", environment), demo]).await;
        for path in ["/console", "/console/console.js"] {
            assert_eq!(status(&app.client, path).await, expected, "{environment}: {path}");
        }
    }
    let off = [("TOUCHLINE_ENVIRONMENT", "local"), demo, ("TOUCHLINE_CONSOLE", "false")];
    assert_eq!(status(&TestApp::with(&off).await.client, "/console").await, 404);
}

#[tokio::test]
async fn a_console_with_an_address_of_its_own_is_there_with_the_api_and_not_beside_it() {
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let own = ("TOUCHLINE_CONSOLE_LISTEN", "127.0.0.1:0");
    let service = Program::start(&folder, &url, &[own]);
    let address = service.ready_line().split(", console at ").nth(1).unwrap();
    let console = Client::new(address.split("/console").next().unwrap());
    for path in ["/console", "/console/console.js", "/shared/tokens.css", "/docs/", "/readyz"] {
        assert_eq!(status(&console, path).await, 200, "{path}");
    }
    assert_eq!(status(&console, "/api/admin/me").await, 401);
    for path in ["/console", "/console/console.js", "/shared/tokens.css"] {
        assert_eq!(status(&service.client, path).await, 404, "{path}");
    }
    // Scripts find the API where it was.
    assert_eq!(status(&service.client, "/api/admin/me").await, 401);
}

#[tokio::test]
async fn in_production_there_is_no_console_unless_it_is_given_an_address() {
    let production = [
        ("TOUCHLINE_ENVIRONMENT", "production"),
        ("TOUCHLINE_SECRET_KEY", "a-secret-key-of-more-than-32-bytes-for-a-test"),
        ("TOUCHLINE_SMS__PROVIDERS", "http"),
        ("TOUCHLINE_SMS__HTTP__URL", "http://127.0.0.1:9/"),
    ];
    let (folder, url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let service = Program::start(&folder, &url, &production);
    assert_eq!(status(&service.client, "/console").await, 404);
    assert!(!service.ready_line().contains("console at"), "{}", service.ready_line());
    service.kill();
    let own = [&production[..], &[("TOUCHLINE_CONSOLE_LISTEN", "127.0.0.1:0")]].concat();
    let service = Program::start(&folder, &url, &own);
    assert!(service.ready_line().contains("console at http://127.0.0.1:"));
    assert_eq!(status(&service.client, "/console").await, 404);
}

async fn sign_in(app: &TestApp, code: &str) -> Reply {
    app.client.post("/api/admin/sign-in").json(json!({"code": code})).send().await
}

async fn audited(app: &TestApp, token: &str) -> Value {
    let log = app.client.get("/api/admin/audit?action=operator.").token(token).send().await;
    log.expect(200).body["data"][0].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_link_on_the_terminal_makes_an_owner_for_twelve_hours_once() {
    let app = TestApp::new().await;
    let code = app.app.sign_in.offer();
    app.advance(3_599);
    let inside = sign_in(&app, &code).await.expect(201);
    let token = inside.body["data"]["token"].as_str().unwrap().to_owned();
    assert_eq!(inside.body["data"]["expires_at"], "2026-11-16T00:59:59.000Z");
    let me = app.client.get("/api/admin/me").token(&token).send().await.expect(200);
    assert_eq!(
        (&me.body["data"]["name"], &me.body["data"]["role"]),
        (&json!("terminal"), &json!("owner"))
    );
    let row = audited(&app, &token).await;
    assert_eq!((&row["operator"], &row["action"]), (&json!("terminal"), &json!("operator.add")));
    assert_eq!(row["after"]["expires_at"], "2026-11-16T00:59:59.000Z");
    let again = sign_in(&app, &code).await.expect_error(401, "sign_in_link_spent");
    assert!(again.body["message"].as_str().unwrap().contains("touchline operator-token NAME"));
    app.advance(12 * 3_600);
    app.client.get("/api/admin/me").token(&token).send().await.expect_error(401, "unauthenticated");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_is_too_old_after_an_hour_and_gives_way_to_a_newer_one() {
    let app = TestApp::new().await;
    let (first, second) = (app.app.sign_in.offer(), app.app.sign_in.offer());
    sign_in(&app, &first).await.expect_error(401, "sign_in_link_spent");
    app.advance(3_600);
    sign_in(&app, &second).await.expect_error(401, "sign_in_link_spent");
    sign_in(&TestApp::new().await, "").await.expect_error(401, "sign_in_link_spent");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_who_show_one_link_at_once_one_comes_in() {
    let app = TestApp::new().await;
    let code = app.app.sign_in.offer();
    let replies = together(4, |_| sign_in(&app, &code)).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_at_a_link_are_counted_with_those_at_tokens_and_do_not_spend_it() {
    let app = TestApp::new().await;
    let code = app.app.sign_in.offer();
    for _ in 0..4 {
        sign_in(&app, "a guess").await.expect_error(401, "sign_in_link_spent");
    }
    let unknown = app.client.get("/api/admin/me").token("a guess of somebody").send().await;
    unknown.expect_error(401, "unauthenticated");
    let refused = sign_in(&app, "a guess").await.expect_error(429, "too_many_unknown_tokens");
    assert!(refused.header("retry-after").is_some());
    sign_in(&app, &code).await.expect(201);
}
