//! What has a time to live is gone after it, and not before.

use serde_json::json;
use touchline::platform::clock::Timestamp;
use touchline::platform::db::params;

use crate::harness::{Fan, TestApp};

const LONG_AGO: Timestamp = Timestamp::from_millis(1);

/// A table, the column with its rows' age, and how to make a row of an age; `{}` is what tells two rows apart.
const KEPT_FOR_A_WHILE: [(&str, &str, &str); 11] = [
    (
        "idempotency_keys",
        "created_at",
        "(user_id, key, request_hash, status, body, created_at) SELECT id, '{}', nonce, 200, '{}', $1",
    ),
    ("rate_limits", "expires_at", "(bucket, hits, expires_at) SELECT '{}', '', $1"),
    (
        "phone_challenges",
        "created_at",
        "(owner, phone, nonce, tries, created_at, expires_at) SELECT id, '{}', nonce, 0, $1, $1",
    ),
    ("wrong_codes", "last_at", "(phone_key, hits, locked_until, last_at) SELECT '{}', '', 0, $1"),
    (
        "sms_log",
        "created_at",
        "(phone, status, provider, attempts, created_at) SELECT '{}', 'sent', 'log', 1, $1",
    ),
    (
        "event_feed",
        "created_at",
        "(id, event_id, kind, data, created_at) SELECT 0 - $1, (SELECT min(id) FROM events), 'score', '{}', $1",
    ),
    (
        "webhook_deliveries",
        "created_at",
        "(webhook_id, feed_id, kind, data, state, attempts, created_at, updated_at) SELECT 1, $1, 'score', '{}', 'delivered', 1, $1, $1",
    ),
    (
        "prediction_revisions",
        "created_at",
        "(prediction_id, outcome, confidence, created_at) SELECT (SELECT min(id) FROM predictions), 'home', 50, $1",
    ),
    ("coin_leavers", "left_at", "(phone_key, left_at) SELECT '{}', $1"),
    ("chat_seen_events", "seen_at", "(event_id, seen_at) SELECT '{}', $1"),
    (
        "chat_room_requests",
        "created_at",
        "(user_id, key, request_hash, leased_until, created_at) SELECT id, '{}', nonce, 0, $1",
    ),
];

async fn exec(app: &TestApp, sql: String, time: Timestamp) {
    let sql: &'static str = sql.leak();
    app.app.db.write(move |tx| tx.exec(sql, params![time])).await.unwrap();
}

async fn predict(app: &TestApp, fan: &Fan) {
    let matches = app.client.get("/api/auth/events?status=scheduled").token(&fan.token);
    let matches = matches.send().await.expect(200);
    let body = json!({"event_id": matches.body["data"][0]["id"], "prediction": "home"});
    app.client.post("/api/auth/predictions").token(&fan.token).json(body).send().await.expect(201);
}

#[tokio::test]
async fn what_is_kept_for_a_while_is_forgotten_after_it_and_not_before() {
    let app = TestApp::with(&[("TOUCHLINE_DEMO_DATA", "true")]).await;
    let fan = app.log_in(&TestApp::phone(1)).await;
    predict(&app, &fan).await;
    app.run_jobs().await;
    // Beyond the whole time any of it is kept, all chores are due again.
    app.advance(400 * 24 * 60 * 60);
    let now = app.clock.now();
    exec(
        &app,
        "INSERT INTO webhooks (id, url, kinds, nonce, created_at, gone_at)
        SELECT 1, 'https://gone.example', '[]', token_hash, $1, $1 FROM sessions"
            .to_owned(),
        now,
    )
    .await;
    for (table, _, row) in KEPT_FOR_A_WHILE {
        for (name, time) in [("old", LONG_AGO), ("new", now.plus_ms(1_000))] {
            let row = row.replace("{}", name).replace("$1", "CAST($1 AS BIGINT)");
            let from = "FROM (SELECT user_id AS id, token_hash AS nonce FROM sessions) AS fan";
            exec(&app, format!("INSERT INTO {table} {row} {from}"), time).await;
        }
    }
    app.run_jobs().await;
    for (table, age, _) in KEPT_FOR_A_WHILE {
        let left = format!("SELECT CAST(count(*) AS TEXT) FROM {table} WHERE {age}");
        assert_eq!(app.texts(&format!("{left} = 1")).await, ["0"], "old rows of {table}");
        let new = format!("{left} = {}", now.plus_ms(1_000).as_millis());
        assert_eq!(app.texts(&new).await, ["1"], "new rows of {table}");
    }
}
