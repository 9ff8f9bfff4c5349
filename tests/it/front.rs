//! What stands at `/`, and what anybody may read there.

use serde_json::json;

use crate::catalogue::{event, event_with, import};
use crate::harness::{OPERATOR_TOKEN, Reply, TestApp};

const TODAY: &str = "/api/matches/today";
const PAGE_ON: (&str, &str) = ("TOUCHLINE_FAN_PAGE", "true");

fn ids(reply: &Reply) -> Vec<i64> {
    let list = reply.body["data"].as_array().unwrap();
    list.iter().map(|event| event["id"].as_i64().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn anybody_reads_what_is_on_today_in_the_order_of_every_list() {
    let app = TestApp::with(&[PAGE_ON]).await;
    let fan = app.log_in("+447700900123").await;
    let finished = |key: &str, start: &str| {
        event_with(key, start, json!({"status": "finished", "home_score": 2, "away_score": 1}))
    };
    let live = |key: &str, start: &str| event_with(key, start, json!({"status": "live"}));
    import(
        &app,
        json!([
            finished("1", "2026-11-15T00:00:00Z"),
            finished("2", "2026-11-15T09:00:00Z"),
            event("3", "2026-11-15T23:59:00Z"),
            event("4", "2026-11-15T13:00:00Z"),
            live("5", "2026-11-15T11:00:00Z"),
            live("6", "2026-11-14T22:30:00Z"),
            finished("7", "2026-11-14T23:59:00Z"),
            event("8", "2026-11-16T00:00:00Z"),
        ]),
    )
    .await;
    let today = app.client.get(TODAY).send().await.expect(200);
    assert_eq!(ids(&today), [6, 5, 4, 3, 2, 1]);
    let listed = app.client.get("/api/auth/events?status=live").token(&fan.token).send().await;
    assert_eq!(today.body["data"][0], listed.body["data"][0]);
    assert_eq!(today.body.as_object().unwrap().len(), 1, "{}", today.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_todays_matches_is_not_sent_them_again_until_something_changes() {
    let app = TestApp::with(&[PAGE_ON]).await;
    let fan = app.log_in("+447700900123").await;
    import(&app, json!([event("m:1", "2026-11-15T15:00:00Z")])).await;
    let first = app.client.get(TODAY).send().await.expect(200);
    assert_eq!(first.header("cache-control"), Some("public, max-age=2"));
    let ask = async |tag: &str| app.client.get(TODAY).header("if-none-match", tag).send().await;
    let tag = first.header("etag").unwrap();
    let again = ask(tag).await.expect(304);
    assert_eq!((again.text.as_str(), again.header("etag")), ("", Some(tag)));

    let pick = json!({"event_id": 1, "prediction": "home"});
    app.client.post("/api/auth/predictions").token(&fan.token).json(pick).send().await.expect(201);
    let picked = ask(tag).await.expect(200);
    assert_eq!(picked.body["data"][0]["predictions_count"], 1);

    let goal = json!({"status": "live", "home_score": 1, "away_score": 0});
    let change = app.client.patch("/api/admin/events/1").token(OPERATOR_TOKEN).json(goal);
    change.send().await.expect(200);
    let scored = ask(picked.header("etag").unwrap()).await.expect(200);
    assert_eq!(scored.body["data"][0]["home_score"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn at_midnight_another_day_is_today() {
    let app = TestApp::with(&[PAGE_ON]).await;
    import(
        &app,
        json!([event("m:1", "2026-11-15T23:59:00Z"), event("m:2", "2026-11-16T00:00:00Z")]),
    )
    .await;
    app.set_time("2026-11-15T23:58:59.999Z");
    assert_eq!(ids(&app.client.get(TODAY).send().await.expect(200)), [1]);
    app.set_time("2026-11-16T00:00:00.000Z");
    assert_eq!(ids(&app.client.get(TODAY).send().await.expect(200)), [2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_are_shown_a_hundred_matches_at_most() {
    let app = TestApp::with(&[PAGE_ON]).await;
    let many: Vec<_> =
        (0..120).map(|at| event(&format!("m:{at}"), "2026-11-15T15:00:00Z")).collect();
    import(&app, json!(many)).await;
    assert_eq!(ids(&app.client.get(TODAY).send().await.expect(200)).len(), 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn todays_matches_are_an_unknown_path_where_they_are_switched_off() {
    let app = TestApp::with(&[PAGE_ON, ("TOUCHLINE_PUBLIC_MATCHES", "false")]).await;
    let unknown = app.client.get("/api/matches/nope").send().await.expect_error(404, "not_found");
    let off = app.client.get(TODAY).send().await.expect_error(404, "not_found");
    assert_eq!(off.body["message"], unknown.body["message"]);
    assert_eq!(off.body.as_object().unwrap().len(), unknown.body.as_object().unwrap().len());
    app.client.post(TODAY).send().await.expect_error(404, "not_found");
    app.client.get("/").send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_fan_page_needs_no_other_site_and_may_do_nothing_inline() {
    let app = TestApp::with(&[PAGE_ON]).await;
    let page = app.client.get("/").send().await.expect(200);
    assert!(page.text.contains("/app/app.js") && !page.text.contains("https://"), "{}", page.text);
    assert!(!page.text.contains("style=") && !page.text.contains("<style"), "{}", page.text);
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'self';") && !policy.contains("unsafe"), "{policy}");
    let files = ["/app/app.js", "/app/touchline.js", "/shared/tokens.css", "/app/icon-192.png"];
    for file in files {
        let first = app.client.get(file).send().await.expect(200);
        let tag = first.header("etag").unwrap();
        app.client.get(file).header("if-none-match", tag).send().await.expect(304);
    }
    let worker = app.client.get("/app/worker.js").send().await.expect(200);
    assert_eq!(worker.header("service-worker-allowed"), Some("/"));
    app.client.get("/app/nope.js").send().await.expect_error(404, "not_found");
    app.client.get("/shared/../app/app.js").send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_fan_page_is_off_the_front_says_what_this_is_and_how_it_is() {
    let app = TestApp::with(&[("TOUCHLINE_FAN_PAGE", "false")]).await;
    let plain = app.client.get("/").send().await.expect(200);
    assert_eq!(plain.body["name"], "Touchline");
    assert_eq!(plain.body["status"], "ready");
    assert_eq!(plain.body["docs"], "/docs");
    let accept = "text/html,application/xhtml+xml,*/*;q=0.8";
    let page = app.client.get("/").header("accept", accept).send().await.expect(200);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(
        page.text.contains("Everything works.") && page.text.contains("/docs/"),
        "{}",
        page.text
    );
    assert!(!page.text.contains('{'), "{}", page.text);
    app.client.get("/front.css").send().await.expect(200);
    for gone in ["/app/app.js", "/shared/tokens.css", TODAY] {
        app.client.get(gone).send().await.expect_error(404, "not_found");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_fan_page_is_on_in_local_and_off_elsewhere() {
    for (environment, is_on) in [("local", true), ("testing", false), ("staging", false)] {
        let demo = ("TOUCHLINE_DEMO_DATA", "false");
        let app = TestApp::with(&[("TOUCHLINE_ENVIRONMENT", environment), demo]).await;
        let front = app.client.get("/").send().await.expect(200);
        assert_eq!(front.text.contains("/app/app.js"), is_on, "{environment}");
        let status = app.client.get(TODAY).send().await.status;
        assert_eq!(status, if is_on { 200 } else { 404 }, "{environment}");
    }
}
