//! Operator tokens and the audit log.

use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::harness::{Call, OPERATOR_TOKEN, TestApp, eventually, together};

const PATH: &str = "/api/admin/audit";

const OPERATORS: &str = "/api/admin/operators";

async fn issue(app: &TestApp, name: &str) -> String {
    app.operator(name, "owner").await.1
}

fn revoke(app: &TestApp, by: &str, id: i64) -> Call {
    app.client.request(Method::DELETE, &format!("{OPERATORS}/{id}")).token(by)
}

async fn listed(app: &TestApp) -> Vec<Value> {
    let list = app.client.get(OPERATORS).token(OPERATOR_TOKEN).send().await.expect(200);
    list.body["data"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_issued_token_and_the_configured_one_open_the_operator_api() {
    let app = TestApp::new().await;
    let token = issue(&app, "ana").await;
    assert!(token.starts_with("tlop_"));
    app.client.get(PATH).token(&token).send().await.expect(200);
    app.client.get(PATH).token(OPERATOR_TOKEN).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_token_on_the_operator_api_is_403() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let reply = app.client.get(PATH).token(&fan.token).send().await;
    reply.expect_error(403, "operator_only");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_token_is_no_user_token() {
    let app = TestApp::new().await;
    let token = issue(&app, "ana").await;
    for token in [token.as_str(), OPERATOR_TOKEN] {
        let reply = app.client.get("/api/auth/me").token(token).send().await;
        reply.expect_error(401, "unauthenticated");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_operator_token_opens_nothing() {
    let app = TestApp::new().await;
    let (id, ana) = app.operator("ana", "owner").await;
    let ben = issue(&app, "ben").await;
    let revoked = revoke(&app, OPERATOR_TOKEN, id).send().await.expect(200);
    assert_eq!(revoked.body["data"]["state"], "revoked");
    app.client.get(PATH).token(&ana).send().await.expect_error(401, "unauthenticated");
    app.client.get(PATH).token(&ben).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_revoked_twice_stays_revoked_since_the_first_time() {
    let app = TestApp::new().await;
    let (id, _) = app.operator("ana", "viewer").await;
    let first = revoke(&app, OPERATOR_TOKEN, id).send().await.expect(200);
    app.advance(60);
    let second = revoke(&app, OPERATOR_TOKEN, id).send().await.expect(200);
    assert_eq!(first.body["data"]["revoked_at"], "2026-11-15T12:00:00.000Z");
    assert_eq!(second.body["data"]["revoked_at"], "2026-11-15T12:00:00.000Z");
    let audited = "SELECT count(*) FROM audit_log WHERE action = 'operator.revoke'";
    assert_eq!(app.count(audited).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_was_never_made_cannot_be_revoked() {
    let app = TestApp::new().await;
    for id in ["999", "0", "-1", "x", "9223372036854775808"] {
        let path = format!("{OPERATORS}/{id}");
        let reply = app.client.delete(&path).token(OPERATOR_TOKEN).send().await;
        reply.expect_error(404, "not_found");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_refused_from_the_moment_it_expires() {
    let app = TestApp::new().await;
    let body = json!({"name": "ana", "role": "viewer", "expires_at": "2026-11-15T12:01:00Z"});
    let made = app.client.post(OPERATORS).token(OPERATOR_TOKEN).json(body).send().await.expect(201);
    let token = made.body["data"]["token"].as_str().unwrap();
    app.advance(59);
    app.client.get(PATH).token(token).send().await.expect(200);
    app.advance(1);
    app.client.get(PATH).token(token).send().await.expect_error(401, "unauthenticated");
    assert_eq!(listed(&app).await[0]["state"], "expired");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_token_is_refused_on_a_connection_that_is_already_open() {
    let app = TestApp::new().await;
    let (id, token) = app.operator("ana", "viewer").await;
    let mut connection = tokio::net::TcpStream::connect(app.client.address()).await.unwrap();
    let request =
        format!("GET /api/admin/me HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\r\n");
    let mut statuses = Vec::new();
    for _ in 0..2 {
        connection.write_all(request.as_bytes()).await.unwrap();
        let mut answer = vec![0; 16 * 1024];
        let length = connection.read(&mut answer).await.unwrap();
        let text = String::from_utf8_lossy(&answer[..length]).into_owned();
        statuses.push(text.split(' ').nth(1).unwrap().to_owned());
        revoke(&app, OPERATOR_TOKEN, id).send().await.expect(200);
    }
    assert_eq!(statuses, ["200", "401"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_text_of_a_token_is_in_the_answer_that_made_it_and_nowhere_else() {
    let app = TestApp::new().await;
    let (_, token) = app.operator("ana", "moderator").await;
    let list = app.client.get(OPERATORS).token(OPERATOR_TOKEN).send().await.expect(200);
    assert!(!list.text.contains(&token));
    assert!(!app.dump().await.contains(&token));
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_are_listed_newest_first_with_who_made_them() {
    let app = TestApp::new().await;
    let (_, ana) = app.operator("ana", "owner").await;
    let body = json!({"name": "ben", "role": "moderator", "expires_at": "2026-12-15T12:00:00Z"});
    app.client.post(OPERATORS).token(&ana).json(body).send().await.expect(201);
    let list = app.client.get(&format!("{OPERATORS}?per_page=1")).token(OPERATOR_TOKEN);
    let list = list.send().await.expect(200);
    insta::assert_json_snapshot!(list.body, @r#"
    {
      "data": [
        {
          "created_at": "2026-11-15T12:00:00.000Z",
          "created_by": "ana",
          "expires_at": "2026-12-15T12:00:00.000Z",
          "id": 2,
          "last_used_at": null,
          "name": "ben",
          "revoked_at": null,
          "role": "moderator",
          "state": "active"
        }
      ],
      "meta": {
        "current_page": 1,
        "last_page": 2,
        "per_page": 1,
        "total": 2
      }
    }
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_tokens_that_open_something_are_listed_where_those_are_wanted() {
    let app = TestApp::new().await;
    let (gone, _) = app.operator("ana", "viewer").await;
    app.operator("ben", "viewer").await;
    revoke(&app, OPERATOR_TOKEN, gone).send().await.expect(200);
    let list = app.client.get(&format!("{OPERATORS}?active=true")).token(OPERATOR_TOKEN);
    let list = list.send().await.expect(200);
    assert_eq!(
        (&list.body["meta"]["total"], &list.body["data"][0]["name"]),
        (&json!(1), &json!("ben"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_is_told_who_they_are() {
    let app = TestApp::new().await;
    let (id, token) = app.operator("ana", "viewer").await;
    let me = app.client.get("/api/admin/me").token(&token).send().await.expect(200);
    assert_eq!(
        me.body["data"],
        json!({"id": id, "name": "ana", "role": "viewer", "expires_at": null})
    );
    let me = app.client.get("/api/admin/me").token(OPERATOR_TOKEN).send().await.expect(200);
    assert_eq!(
        me.body["data"],
        json!({"id": null, "name": "configured", "role": "owner", "expires_at": null})
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_operator_can_be_is_refused() {
    let app = TestApp::new().await;
    let good = json!({"name": "ana", "role": "viewer"});
    for (field, value) in [
        ("name", json!("")),
        ("name", json!("  ")),
        ("name", json!("a\u{0}b")),
        ("name", json!("a\nb")),
        ("name", json!("a\u{202e}b")),
        ("name", json!("x".repeat(65))),
        ("name", Value::Null),
        ("role", json!("god")),
        ("role", json!("Owner")),
        ("role", Value::Null),
        ("expires_at", json!("2026-11-15T12:00:00Z")),
        ("expires_at", json!("2201-01-01T00:00:00Z")),
        ("expires_at", json!("tomorrow")),
    ] {
        let mut body = good.clone();
        body[field] = value;
        let call = app.client.post(OPERATORS).token(OPERATOR_TOKEN).json(body);
        call.send().await.expect_invalid(field);
    }
    assert_eq!(app.count("SELECT count(*) FROM operator_tokens").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_use_of_a_token_is_written_down_at_most_once_a_minute() {
    let app = TestApp::new().await;
    let (_, token) = app.operator("ana", "viewer").await;
    let use_it = async |expected: &str| {
        app.client.get("/api/admin/me").token(&token).send().await.expect(200);
        let is_written = async || (listed(&app).await[0]["last_used_at"] == expected).then_some(());
        eventually(is_written).await;
    };
    use_it("2026-11-15T12:00:00.000Z").await;
    app.advance(59);
    use_it("2026-11-15T12:00:00.000Z").await;
    app.advance(1);
    use_it("2026-11-15T12:01:00.000Z").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_with_a_role_that_this_version_does_not_know_opens_nothing() {
    let app = TestApp::new().await;
    let (_, token) = app.operator("ana", "owner").await;
    let forget = match app.app.db.engine() {
        touchline::platform::db::Engine::Sqlite => "PRAGMA ignore_check_constraints = 1",
        touchline::platform::db::Engine::Postgres => {
            "ALTER TABLE operator_tokens DROP CONSTRAINT operator_tokens_role_check"
        }
    };
    let change = move |tx: &mut touchline::platform::db::Tx| {
        tx.exec(forget, touchline::platform::db::params![])?;
        let sql = "UPDATE operator_tokens SET role = 'archangel'";
        tx.exec(sql, touchline::platform::db::params![])
    };
    app.app.db.write(change).await.unwrap();
    app.client.get(PATH).token(&token).send().await.expect_error(401, "unauthenticated");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_owner_stays_where_the_configuration_has_no_token() {
    let app = TestApp::with(&[("TOUCHLINE_OPERATOR_TOKEN", "")]).await;
    let first = first_owner(&app).await;
    let body = json!({"name": "ben", "role": "operator"});
    app.client.post(OPERATORS).token(&first).json(body).send().await.expect(201);
    revoke(&app, &first, 1).send().await.expect_error(409, "last_owner");
    let body = json!({"name": "eva", "role": "owner", "expires_at": "2026-11-15T12:01:00Z"});
    let eva = app.client.post(OPERATORS).token(&first).json(body).send().await.expect(201);
    app.advance(60);
    // One that has expired is no way in.
    revoke(&app, &first, 1).send().await.expect_error(409, "last_owner");
    assert_eq!(eva.body["data"]["id"], 3);
}

/// Made at the command line, as where nothing is configured.
async fn first_owner(app: &TestApp) -> String {
    use touchline::features::operators::{self, NewOperator, Operator, OperatorName, Role};
    let name = OperatorName::try_from("ana").unwrap();
    let new = NewOperator { name, role: Role::Owner, expires_at: None };
    let by = Operator::at_the_command_line();
    let made = app.app.db.write(move |tx| operators::issue(tx, &by, &new)).await.unwrap();
    made.1.expose().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_owners_who_revoke_each_other_at_once_one_stays() {
    let app = TestApp::with(&[("TOUCHLINE_OPERATOR_TOKEN", "")]).await;
    for _ in 0..5 {
        let first = first_owner(&app).await;
        let body = json!({"name": "ben", "role": "owner"});
        let ben = app.client.post(OPERATORS).token(&first).json(body).send().await.expect(201);
        let (second, id) =
            (ben.body["data"]["token"].as_str().unwrap(), ben.body["data"]["id"].as_i64().unwrap());
        let calls = [(first.as_str(), id), (second, id - 1)];
        let replies = together(2, |at| revoke(&app, calls[at].0, calls[at].1).send()).await;
        let mut statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 401]);
        let living = "SELECT count(*) FROM operator_tokens WHERE revoked_at IS NULL";
        assert_eq!(app.count(living).await, 1);
        app.app
            .db
            .write(|tx| {
                tx.exec(
                    "UPDATE operator_tokens SET revoked_at = 0",
                    touchline::platform::db::params![],
                )
            })
            .await
            .unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_below_one_or_that_is_no_number_is_refused() {
    let app = TestApp::new().await;
    for (query, field) in [("page=0", "page"), ("page=x", "page"), ("per_page=-1", "per_page")] {
        let call = app.client.get(&format!("{PATH}?{query}")).token(OPERATOR_TOKEN);
        call.send().await.expect_invalid(field);
    }
    let far = app.client.get(&format!("{PATH}?page=9223372036854775808&per_page=1000"));
    let far = far.token(OPERATOR_TOKEN).send().await.expect(200);
    assert_eq!(far.body["data"], serde_json::json!([]));
    assert_eq!(far.body["meta"]["per_page"], 100);
}
