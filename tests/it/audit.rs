//! The audit log: who did what, what it changed, found again and taken away.

use serde_json::{Value, json};
use touchline::platform::db::{Engine, params};

use crate::catalogue::{event, import};
use crate::harness::{OPERATOR_TOKEN, Reply, TestApp};

const PATH: &str = "/api/admin/audit";

async fn read(app: &TestApp, query: &str) -> Reply {
    app.client.get(&format!("{PATH}?{query}")).token(OPERATOR_TOKEN).send().await
}

/// The actions that a query finds, newest first.
async fn actions(app: &TestApp, query: &str) -> Vec<String> {
    let reply = read(app, query).await.expect(200);
    let rows = reply.body["data"].as_array().unwrap().clone();
    rows.iter().map(|row| row["action"].as_str().unwrap().to_owned()).collect()
}

async fn newest(app: &TestApp) -> Value {
    read(app, "per_page=1").await.expect(200).body["data"][0].clone()
}

async fn ban(app: &TestApp, token: &str, user: i64, what: &str) -> Reply {
    app.client.post(&format!("/api/admin/users/{user}/{what}")).token(token).send().await
}

/// Many rows at once, as years of work leave them.
async fn fill(app: &TestApp, rows: i64) {
    let fill = move |tx: &mut touchline::platform::db::Tx| {
        let now = tx.now();
        tx.exec(
            "WITH RECURSIVE numbers (n) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
             INSERT INTO audit_log (operator, action, subject, detail, created_at)
             SELECT 'ana', 'event.update', 'event ' || CAST(n AS TEXT), '{\"venue\":\"Northgate, \\\"the Park\\\"\"}', $2 + n
             FROM numbers",
            params![rows, now],
        )
    };
    app.app.db.write(fill).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_says_who_with_which_role_and_what_changed() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let (_, token) = app.operator("mia", "moderator").await;
    ban(&app, &token, fan.id, "ban").await.expect(200);
    insta::assert_json_snapshot!(newest(&app).await, @r#"
    {
      "action": "user.ban",
      "after": {
        "banned_at": "2026-11-15T12:00:00.000Z",
        "banned_by": "mia",
        "banned_until": null,
        "reason": null
      },
      "before": null,
      "created_at": "2026-11-15T12:00:00.000Z",
      "detail": {},
      "id": 2,
      "operator": "mia",
      "operator_id": 1,
      "operator_role": "moderator",
      "subject": "user 1"
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_corrected_result_shows_the_match_before_and_after() {
    let app = TestApp::new().await;
    let ids = import(&app, json!([event("m", "2026-11-15T11:00:00Z")])).await;
    let event = ids["events"]["m"].as_i64().unwrap();
    for score in [1, 2] {
        let call =
            app.client.post(&format!("/api/admin/events/{event}/result")).token(OPERATOR_TOKEN);
        call.json(json!({"home_score": score, "away_score": 0})).send().await.expect(200);
    }
    let entry = newest(&app).await;
    let score = |state: &str| (entry[state]["status"].clone(), entry[state]["home_score"].clone());
    assert_eq!(score("before"), (json!("finished"), json!(1)));
    assert_eq!(score("after"), (json!("finished"), json!(2)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_correction_of_coins_shows_both_balances() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let call = app.client.post(&format!("/api/admin/users/{}/coins", fan.id)).token(OPERATOR_TOKEN);
    call.json(json!({"amount": -20, "reason": "goodwill"})).send().await.expect(200);
    let entry = newest(&app).await;
    assert_eq!(
        (&entry["before"], &entry["after"]),
        (&json!({"balance": 500}), &json!({"balance": 480}))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_was_removed_can_be_read_in_the_log() {
    let app = TestApp::new().await;
    let call = app.client.post("/api/admin/webhooks").token(OPERATOR_TOKEN);
    let made = call
        .json(json!({"url": "https://example.org/a", "kinds": ["score"]}))
        .send()
        .await
        .expect(201);
    let path = format!("/api/admin/webhooks/{}", made.body["data"]["id"]);
    app.client.delete(&path).token(OPERATOR_TOKEN).send().await.expect(200);
    let entry = newest(&app).await;
    assert_eq!(entry["before"], json!({"url": "https://example.org/a", "kinds": ["score"]}));
    assert_eq!(entry["after"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_fails_leaves_no_entry() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let path = format!("/api/admin/users/{}/coins", fan.id);
    let call = app.client.post(&path).token(OPERATOR_TOKEN);
    let call = call.json(json!({"amount": -501, "reason": "goodwill"}));
    call.send().await.expect_error(400, "insufficient_balance");
    ban(&app, OPERATOR_TOKEN, 999, "ban").await.expect(404);
    assert_eq!(read(&app, "").await.body["meta"]["total"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_is_narrowed_by_operator_action_subject_and_time() {
    let app = TestApp::new().await;
    let (one, other) = (app.log_in("+447700900123").await, app.log_in("+447700900124").await);
    let (mia, token) = app.operator("mia", "moderator").await;
    ban(&app, &token, one.id, "ban").await.expect(200);
    app.advance(60);
    ban(&app, &token, one.id, "unban").await.expect(200);
    app.advance(60);
    ban(&app, OPERATOR_TOKEN, other.id, "ban").await.expect(200);
    for (query, found) in [
        ("operator=mia".to_owned(), &["user.unban", "user.ban"][..]),
        (format!("operator_id={mia}"), &["user.unban", "user.ban"]),
        ("operator=configured&action=user.".to_owned(), &["user.ban"]),
        ("action=user.".to_owned(), &["user.ban", "user.unban", "user.ban"]),
        ("action=user.ban".to_owned(), &["user.ban", "user.ban"]),
        (format!("subject=user%20{}", one.id), &["user.unban", "user.ban"]),
        (format!("subject=user%20{}&action=user.u", one.id), &["user.unban"]),
        ("from=2026-11-15T12:01:00Z".to_owned(), &["user.ban", "user.unban"]),
        ("to=2026-11-15T12:01:00Z&action=user".to_owned(), &["user.ban"]),
        ("from=2026-11-15T12:01:00Z&to=2026-11-15T12:02:00Z".to_owned(), &["user.unban"]),
        ("from=2026-11-15T12:02:00Z&to=2026-11-15T12:01:00Z".to_owned(), &[]),
        ("operator=nobody".to_owned(), &[]),
    ] {
        assert_eq!(actions(&app, &query).await, found, "{query}");
        let total = &read(&app, &query).await.body["meta"]["total"];
        assert_eq!(total, found.len(), "{query}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_in_a_filter_is_a_wildcard() {
    let app = TestApp::new().await;
    fill(&app, 1).await;
    for query in ["action=event%25", "action=_vent", "subject=event%20%25", "operator=an_"] {
        assert_eq!(actions(&app, query).await, Vec::<String>::new(), "{query}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_that_makes_no_sense_is_refused() {
    let app = TestApp::new().await;
    for (query, field) in [
        ("from=yesterday", "from"),
        ("to=2026-11-15", "to"),
        ("to=2300-01-01T00:00:00Z", "to"),
        ("operator_id=0", "operator_id"),
        ("operator_id=9223372036854775808", "operator_id"),
        ("subject=a%00b", "subject"),
        ("action=a%0ab", "action"),
    ] {
        read(&app, query).await.expect_invalid(field);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_filter_has_an_index() {
    let app = TestApp::new().await;
    fill(&app, 5_000).await;
    let explain = match app.app.db.engine() {
        Engine::Sqlite => "EXPLAIN QUERY PLAN",
        Engine::Postgres => "EXPLAIN",
    };
    if app.app.db.engine() == Engine::Postgres {
        let analyse =
            |tx: &mut touchline::platform::db::Tx| tx.exec("ANALYZE audit_log", params![]);
        app.app.db.write(analyse).await.unwrap();
    }
    for (filter, index) in [
        ("subject = 'event 7'", "audit_log_by_subject"),
        ("operator_id = 7", "audit_log_by_operator_id"),
        ("operator = 'ben'", "audit_log_by_operator"),
        ("action >= 'user.' AND action < 'user.z'", "audit_log_by_action"),
        ("created_at < 7", "audit_log_by_time"),
    ] {
        let order = if filter.starts_with("created_at") { "created_at DESC, id" } else { "id" };
        let sql = format!("SELECT id FROM audit_log WHERE {filter} ORDER BY {order} DESC LIMIT 20");
        let plan = plan(&app, &format!("{explain} {sql}")).await;
        assert!(plan.contains(index), "{filter}: {plan}");
    }
}

/// SQLite has its words in the fourth column of a row.
pub async fn plan(app: &TestApp, sql: &str) -> String {
    match app.app.db.engine() {
        Engine::Postgres => app.texts(sql).await.join("\n"),
        Engine::Sqlite => {
            let sql: &'static str = Box::leak(sql.to_owned().into_boxed_str());
            let read = move |tx: &mut touchline::platform::db::Tx| {
                tx.all::<(i64, i64, i64, String)>(sql, params![])
            };
            let rows = app.app.db.read(read).await.unwrap();
            rows.into_iter().map(|row| row.3).collect::<Vec<_>>().join("\n")
        }
    }
}

async fn export(app: &TestApp, query: &str) -> Reply {
    app.client.get(&format!("{PATH}/export?{query}")).token(OPERATOR_TOKEN).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_log_is_taken_away_whole_and_oldest_first() {
    let app = TestApp::new().await;
    fill(&app, 2_345).await;
    let whole = export(&app, "action=event.").await.expect(200);
    assert_eq!(whole.header("content-type"), Some("application/x-ndjson"));
    let lines: Vec<Value> =
        whole.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2_345);
    assert_eq!(
        (&lines[0]["subject"], &lines[2_344]["subject"]),
        (&json!("event 1"), &json!("event 2345"))
    );
    assert_eq!(lines[0]["detail"]["venue"], "Northgate, \"the Park\"");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_as_csv_has_every_row_in_its_cells() {
    let app = TestApp::new().await;
    fill(&app, 2).await;
    let csv = export(&app, "format=csv&action=event.").await.expect(200);
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8"));
    insta::assert_snapshot!(csv.text.replace("\r\n", "\n"), @r#"
    id,created_at,operator,operator_id,operator_role,action,subject,detail,before,after
    1,2026-11-15T12:00:00.001Z,ana,,,event.update,event 1,"{""venue"":""Northgate, \""the Park\""""}",,
    2,2026-11-15T12:00:00.002Z,ana,,,event.update,event 2,"{""venue"":""Northgate, \""the Park\""""}",,
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_cell_of_an_export_is_a_formula() {
    let app = TestApp::new().await;
    let (_, token) = app.operator("=HYPERLINK(1)", "operator").await;
    app.client.get("/api/admin/overview").token(&token).send().await.expect(200);
    let csv = export(&app, "format=csv&action=overview").await.expect(200);
    assert!(csv.text.contains(",\"'=HYPERLINK(1)\","), "{}", csv.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_takes_the_log_away_is_in_it() {
    let app = TestApp::new().await;
    export(&app, "format=csv&subject=user%201").await.expect(200);
    let entry = newest(&app).await;
    assert_eq!(
        (&entry["action"], &entry["detail"]["subject"]),
        (&json!("audit.export"), &json!("user 1"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_in_no_known_format_is_refused() {
    let app = TestApp::new().await;
    export(&app, "format=xlsx").await.expect_invalid("format");
}
