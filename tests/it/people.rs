//! Users as operators find them, see them and deal with them.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use touchline::platform::db::{Engine, Tx, params};

use crate::audit::plan;
use crate::catalogue::{event, import};
use crate::harness::{Fan, OPERATOR_TOKEN, Reply, TestApp};

const PATH: &str = "/api/admin/users";

async fn get(app: &TestApp, token: &str, rest: &str) -> Reply {
    app.client.get(&format!("{PATH}{rest}")).token(token).send().await
}

async fn post(app: &TestApp, rest: &str, body: Value) -> Reply {
    app.client.post(&format!("{PATH}{rest}")).token(OPERATOR_TOKEN).json(body).send().await
}

/// The usernames that a search finds.
async fn found(app: &TestApp, query: &str) -> Vec<String> {
    let reply = get(app, OPERATOR_TOKEN, &format!("?{query}")).await.expect(200);
    let rows = reply.body["data"].as_array().unwrap().clone();
    rows.iter().map(|row| row["username"].as_str().unwrap().to_owned()).collect()
}

async fn log_in_as(app: &TestApp, phone: &str, username: &str, name: &str) -> Fan {
    let code = app.request_code(phone).await;
    let body = json!({"phone": phone, "code": code, "username": username});
    let reply = app.client.post("/api/code/verify").json(body).send().await.expect(200);
    let fan = Fan::of(&reply.body["data"]);
    let call = app.client.post("/api/auth/update-user-info").token(&fan.token);
    call.json(json!({"name": name})).send().await.expect(200);
    fan
}

/// As many users as a large service has, in batches that a busy server takes in time.
async fn fill(app: &TestApp, users: i64) {
    for from in (0..users).step_by(20_000) {
        let to = users.min(from + 20_000);
        let fill = move |tx: &mut Tx| {
            tx.exec(
                "WITH RECURSIVE numbers (n) AS (SELECT CAST($1 AS BIGINT) + 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $2)
                 INSERT INTO users (phone, username, username_generated, name, name_folded, created_at)
                 SELECT '+4470' || CAST(10000000 + n AS TEXT), 'fan.' || CAST(n AS TEXT), 0,
                        'Fan ' || CAST(n AS TEXT), 'fan ' || CAST(n AS TEXT), n FROM numbers",
                params![from, to],
            )
        };
        app.app.db.write(fill).await.unwrap();
    }
    if app.app.db.engine() == Engine::Postgres {
        // As the server does by itself in quiet hours; before that it looks at every row to see whether it is still there.
        let url = app.app.config.database_url();
        let (client, connection) =
            tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        client.batch_execute("VACUUM ANALYZE users").await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_is_found_by_the_beginning_of_a_name_by_id_and_by_phone() {
    let app = TestApp::new().await;
    let ada = log_in_as(&app, "+447700900101", "ada_one", "Ada Lovelace").await;
    log_in_as(&app, "+447700900102", "ada_two", "Åsa Öberg").await;
    log_in_as(&app, "+447700900103", "ben_three", "Ben Adams").await;
    for (query, usernames) in [
        ("username=ada_", &["ada_one", "ada_two"][..]),
        ("username=ADA_T", &["ada_two"]),
        ("username=da", &[]),
        ("name=ada", &["ada_one"]),
        ("name=%C3%A5SA%20%C3%B6", &["ada_two"]),
        ("name=lovelace", &[]),
        ("phone=%2B44%20(0)7700%20900103", &["ben_three"]),
        ("phone=%2B447700900109", &[]),
        ("id=999", &[]),
        ("", &["ben_three", "ada_two", "ada_one"]),
    ] {
        assert_eq!(found(&app, query).await, usernames, "{query}");
    }
    assert_eq!(found(&app, &format!("id={}", ada.id)).await, ["ada_one"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_is_searched_for_is_a_wildcard() {
    let app = TestApp::new().await;
    log_in_as(&app, "+447700900101", "ada_one", "100% Ada_").await;
    for query in ["username=%25", "username=_da", "username=ada%25", "name=%25", "name=100_"] {
        assert_eq!(found(&app, query).await, Vec::<String>::new(), "{query}");
    }
    assert_eq!(found(&app, "name=100%25%20ada_").await, ["ada_one"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_that_makes_no_sense_is_refused() {
    let app = TestApp::new().await;
    let long = format!("username={}", "a".repeat(31));
    for (query, field) in [
        ("id=0", "id"),
        ("id=9223372036854775808", "id"),
        ("username=", "username"),
        ("username=a%00", "username"),
        (long.as_str(), "username"),
        ("name=%20", "name"),
        ("phone=12", "phone"),
        ("page=0", "page"),
        ("per_page=x", "per_page"),
        ("id=1&username=a", "query"),
    ] {
        get(&app, OPERATOR_TOKEN, &format!("?{query}")).await.expect_invalid(field);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn users_are_paged_like_everything_else() {
    let app = TestApp::new().await;
    fill(&app, 45).await;
    let page = get(&app, OPERATOR_TOKEN, "?username=fan.&page=3").await.expect(200);
    assert_eq!(page.body["data"].as_array().unwrap().len(), 5);
    let meta = json!({"current_page": 3, "last_page": 3, "per_page": 20, "total": 45});
    assert_eq!(page.body["meta"], meta);
    for far in ["?page=9223372036854775808&per_page=1000", "?id=1&page=2"] {
        let far = get(&app, OPERATOR_TOKEN, far).await.expect(200);
        assert_eq!(far.body["data"], json!([]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_shows_and_counts_no_more_than_ten_thousand() {
    let app = TestApp::new().await;
    fill(&app, 10_050).await;
    for query in ["username=fan.", "name=fan", "page=1"] {
        let first = get(&app, OPERATOR_TOKEN, &format!("?{query}")).await.expect(200);
        assert_eq!(first.body["meta"]["total"], 10_000, "{query}");
    }
    let last = get(&app, OPERATOR_TOKEN, "?username=fan.&per_page=100&page=100").await.expect(200);
    assert_eq!(last.body["data"].as_array().unwrap().len(), 100);
    let beyond =
        get(&app, OPERATOR_TOKEN, "?username=fan.&per_page=100&page=101").await.expect(200);
    assert_eq!(beyond.body["data"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_among_many_reads_only_what_it_shows() {
    let app = TestApp::new().await;
    fill(&app, 100_000).await;
    let explain = match app.app.db.engine() {
        Engine::Sqlite => "EXPLAIN QUERY PLAN",
        Engine::Postgres => "EXPLAIN",
    };
    let columns = "u.id, u.phone, u.username, u.name, u.created_at, u.banned_at, u.banned_until";
    for (search, order, shown_order, index) in [
        (
            "username >= 'fan.7' AND username < 'fan.8'",
            "username, id",
            "u.username",
            "users_by_username",
        ),
        (
            "name_folded >= 'fan 7' AND name_folded < 'fan 8'",
            "name_folded, id",
            "u.name_folded, u.id",
            "users_by_name",
        ),
    ] {
        let found = format!(
            "SELECT id FROM users WHERE {search} AND deleted_at IS NULL ORDER BY {order} LIMIT"
        );
        for sql in [
            format!(
                "SELECT {columns} FROM ({found} 20 OFFSET 9980) found CROSS JOIN users u WHERE u.id = found.id ORDER BY {shown_order}"
            ),
            format!("SELECT count(*) FROM ({found} 10000 OFFSET 0) found"),
        ] {
            let plan = plan(&app, &format!("{explain} {sql}")).await;
            // Of all that is passed over and counted, the index says enough.
            assert!(plan.contains(index), "{sql}: {plan}");
            let scans = ["SCAN users", "SCAN u", "Seq Scan", "Hash", "AUTOMATIC"];
            assert!(!scans.iter().any(|scan| plan.contains(scan)), "{sql}: {plan}");
        }
    }
    // The newest come in the order of the table, and nobody is sorted.
    let newest = columns.replace("u.", "");
    let sql = format!(
        "SELECT {newest} FROM users WHERE deleted_at IS NULL ORDER BY id DESC LIMIT 20 OFFSET 9980"
    );
    let plan = plan(&app, &format!("{explain} {sql}")).await;
    assert!(!plan.contains("TEMP B-TREE") && !plan.contains("Sort"), "{plan}");
    for query in [
        "username=fan.",
        "name=fan",
        "name=fan%20777",
        "phone=%2B447010000777",
        "page=1",
        "page=500",
    ] {
        let mut best = Duration::MAX;
        for _ in 0..5 {
            let began = Instant::now();
            get(&app, OPERATOR_TOKEN, &format!("?{query}")).await.expect(200);
            best = best.min(began.elapsed());
        }
        // Fifty milliseconds are the promise for a release build; this is a debug build on a machine with other work.
        assert!(best < Duration::from_millis(250), "{query} took {best:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_of_a_search_are_everybody_once_in_order_and_nobody_who_left() {
    let app = TestApp::new().await;
    fill(&app, 260).await;
    let mix = |tx: &mut Tx| {
        // Many share a name, and every seventh has left.
        tx.exec("UPDATE users SET name = 'Fan', name_folded = 'fan' WHERE id % 3 = 0", params![])?;
        tx.exec(
            "UPDATE users SET deleted_at = 1, phone = NULL, username = 'deleted.' || CAST(id AS TEXT), name = NULL,
                    name_folded = NULL WHERE id % 7 = 0",
            params![],
        )
    };
    app.app.db.write(mix).await.unwrap();
    for (query, order) in [
        ("username=fan.", "username"),
        ("name=fan", "name_folded, id"),
        ("name=FAN%202", "name_folded, id"),
        ("", "id DESC"),
    ] {
        let narrow = if query.ends_with('2') { "AND name_folded LIKE 'fan 2%'" } else { "" };
        let sql = format!(
            "SELECT username FROM users WHERE deleted_at IS NULL {narrow} ORDER BY {order}"
        );
        let expected = app.texts(&sql).await;
        let mut shown = Vec::new();
        for page in 1..=6 {
            shown.extend(found(&app, &format!("{query}&per_page=50&page={page}")).await);
        }
        assert_eq!(shown, expected, "{query}");
        let reply = get(&app, OPERATOR_TOKEN, &format!("?{query}&per_page=1")).await.expect(200);
        assert_eq!(reply.body["meta"]["total"], expected.len(), "{query}");
    }
    assert_eq!(found(&app, "username=deleted.").await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn names_from_before_they_were_folded_are_found_after_the_chores() {
    let app = TestApp::new().await;
    log_in_as(&app, "+447700900101", "asa_one", "ÅSA").await;
    app.app.db.write(|tx| tx.exec("UPDATE users SET name_folded = NULL", params![])).await.unwrap();
    assert_eq!(found(&app, "name=%C3%A5").await, Vec::<String>::new());
    app.advance(3600);
    app.run_jobs().await;
    assert_eq!(found(&app, "name=%C3%A5").await, ["asa_one"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_operators_and_owners_see_a_phone_whole() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let body = json!({"name": "Ada", "email": "ada@example.org", "date_of_birth": "1990-12-10"});
    let call = app.client.post("/api/auth/update-user-info").token(&fan.token).json(body);
    call.send().await.expect(200);
    for (role, sees) in
        [("viewer", false), ("moderator", false), ("operator", true), ("owner", true)]
    {
        let (_, token) = app.operator(role, role).await;
        let one = get(&app, &token, &format!("/{}", fan.id)).await.expect(200);
        let list = get(&app, &token, "").await.expect(200);
        for secret in ["+447700900123", "ada@example.org", "1990-12-10"] {
            assert_eq!(one.text.contains(secret), sees, "{role} {secret}");
        }
        assert_eq!(list.text.contains("+447700900123"), sees, "{role}");
        assert_eq!(one.body["data"]["shows_personal"], sees);
        assert_eq!(one.body["data"]["phone_end"], "123");
        assert_eq!(list.body["data"][0]["phone_end"], "123");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_viewer_cannot_ask_whose_a_phone_is() {
    let app = TestApp::new().await;
    app.log_in("+447700900123").await;
    let query = "?phone=%2B447700900123";
    let (_, viewer) = app.operator("vera", "viewer").await;
    get(&app, &viewer, query).await.expect_error(403, "role_too_low");
    let (_, moderator) = app.operator("mia", "moderator").await;
    assert_eq!(get(&app, &moderator, query).await.expect(200).body["meta"]["total"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_is_shown_with_everything_that_is_known_of_them() {
    let app = TestApp::new().await;
    let fan = log_in_as(&app, "+447700900123", "ada_one", "Ada").await;
    let ids = import(&app, json!([event("m", "2026-11-16T11:00:00Z")])).await;
    let body = json!({"event_id": ids["events"]["m"], "prediction": "home"});
    app.client.post("/api/auth/predictions").token(&fan.token).json(body).send().await.expect(201);
    post(&app, &format!("/{}/notes", fan.id), json!({"text": "Kind"})).await.expect(201);
    let shown = get(&app, OPERATOR_TOKEN, &format!("/{}", fan.id)).await.expect(200);
    insta::assert_json_snapshot!(shown.body["data"], @r#"
    {
      "balance": 500,
      "ban": null,
      "counts": {
        "notes": 1,
        "points": 0,
        "predictions": 1,
        "reports_about": 0,
        "reports_by": 0,
        "rooms": 0,
        "settled_predictions": 0
      },
      "created_at": "2026-11-15T12:00:00.000Z",
      "date_of_birth": null,
      "email": null,
      "frozen_at": null,
      "id": 1,
      "name": "Ada",
      "phone": "+447700900123",
      "phone_end": "123",
      "shows_personal": true,
      "username": "ada_one"
    }
    "#);
    let list = get(&app, OPERATOR_TOKEN, &format!("/{}/predictions", fan.id)).await.expect(200);
    assert_eq!(
        (&list.body["meta"]["total"], &list.body["data"][0]["prediction"]),
        (&json!(1), &json!("home"))
    );
    let path = format!("/{}/coins/transactions", fan.id);
    let list = get(&app, OPERATOR_TOKEN, &path).await.expect(200);
    assert_eq!(
        (&list.body["meta"]["total"], &list.body["data"][0]["reason"]),
        (&json!(1), &json!("welcome"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_about_a_user_and_by_them_are_counted_and_found() {
    let app = TestApp::new().await;
    let (one, other) = (app.log_in("+447700900101").await, app.log_in("+447700900102").await);
    let body = json!({"name": "Away end", "is_private": false});
    let room = app.client.post("/api/auth/chat-room").token(&one.token).json(body);
    let room = room.send().await.expect(201).body["data"]["room_id"].as_str().unwrap().to_owned();
    let path = format!("/api/auth/chat-rooms/{}/report", crate::harness::escape(&room));
    let body = json!({"reason": "Insults", "user_id": other.id});
    app.client.post(&path).token(&one.token).json(body).send().await.expect(201);
    app.run_jobs().await;
    let counts = async |fan: &Fan| {
        let shown = get(&app, OPERATOR_TOKEN, &format!("/{}", fan.id)).await.expect(200);
        let counts = shown.body["data"]["counts"].clone();
        (counts["reports_about"].clone(), counts["reports_by"].clone(), counts["rooms"].clone())
    };
    assert_eq!(counts(&one).await, (json!(0), json!(1), json!(1)));
    assert_eq!(counts(&other).await, (json!(1), json!(0), json!(0)));
    let listed = async |filter: &str, fan: &Fan| {
        let path = format!("/api/admin/chat/reports?{filter}={}", fan.id);
        let reply = app.client.get(&path).token(OPERATOR_TOKEN).send().await.expect(200);
        (reply.body["data"].as_array().unwrap().len(), reply.body["meta"]["total"].clone())
    };
    assert_eq!(listed("about", &other).await, (1, json!(1)));
    assert_eq!(listed("by", &one).await, (1, json!(1)));
    assert_eq!(listed("about", &one).await, (0, json!(0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_session_of_a_user_can_be_ended_or_all() {
    let app = TestApp::new().await;
    let first = app.log_in("+447700900123").await;
    let second = app.log_in("+447700900123").await;
    let third = app.log_in("+447700900123").await;
    let path = format!("/{}/sessions", first.id);
    let list = get(&app, OPERATOR_TOKEN, &path).await.expect(200);
    let sessions = list.body["data"].as_array().unwrap().clone();
    assert_eq!(sessions.len(), 3);
    assert_eq!(sessions[0]["chat_devices"].as_array().unwrap().len(), 1);
    let me = async |fan: &Fan| app.client.get("/api/auth/me").token(&fan.token).send().await.status;
    let body = json!({"session_id": sessions[2]["id"]});
    let ended = post(&app, &format!("{path}/end"), body).await.expect(200);
    assert_eq!(ended.body["data"], json!({"ended": 1}));
    assert_eq!((me(&first).await, me(&second).await), (401, 200));
    let call = app.client.post(&format!("{PATH}{path}/end")).token(OPERATOR_TOKEN);
    assert_eq!(call.send().await.expect(200).body["data"], json!({"ended": 2}));
    assert_eq!((me(&second).await, me(&third).await), (401, 401));
    let ended = "SELECT count(*) FROM audit_log WHERE action = 'user.end_sessions'";
    assert_eq!(app.count(ended).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_of_somebody_else_is_not_ended() {
    let app = TestApp::new().await;
    let (one, other) = (app.log_in("+447700900101").await, app.log_in("+447700900102").await);
    let list = get(&app, OPERATOR_TOKEN, &format!("/{}/sessions", other.id)).await.expect(200);
    let body = json!({"session_id": list.body["data"][0]["id"]});
    let path = format!("/{}/sessions/end", one.id);
    post(&app, &path, body).await.expect_error(404, "not_found");
    post(&app, &path, json!({"session_id": 0})).await.expect_invalid("session_id");
    app.client.get("/api/auth/me").token(&other.token).send().await.expect(200);
    assert_eq!(
        app.count("SELECT count(*) FROM audit_log WHERE action = 'user.end_sessions'").await,
        0
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn notes_are_listed_newest_first_with_who_wrote_them() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let (id, token) = app.operator("mia", "moderator").await;
    let path = format!("/{}/notes", fan.id);
    post(&app, &path, json!({"text": "Was warned"})).await.expect(201);
    let call = app.client.post(&format!("{PATH}{path}")).token(&token);
    call.json(json!({"text": "Was warned again"})).send().await.expect(201);
    let list = get(&app, &token, &path).await.expect(200);
    let note = |at: usize| list.body["data"][at].clone();
    assert_eq!((&note(0)["operator"], &note(0)["operator_id"]), (&json!("mia"), &json!(id)));
    assert_eq!(
        (&note(1)["operator"], &note(1)["text"]),
        (&json!("configured"), &json!("Was warned"))
    );
    assert_eq!(list.body["meta"]["total"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_note_says_is_not_in_the_audit_log() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    post(&app, &format!("/{}/notes", fan.id), json!({"text": "Was warned"})).await.expect(201);
    let audit = app.client.get("/api/admin/audit").token(OPERATOR_TOKEN).send().await.expect(200);
    assert_eq!(audit.body["data"][0]["action"], "user.note");
    assert!(!audit.text.contains("Was warned"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_note_can_be_is_refused() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    for text in ["", " ", "a\u{0}b", "a\nb", "a\u{202e}b", &"x".repeat(2001)] {
        let reply = post(&app, &format!("/{}/notes", fan.id), json!({"text": text})).await;
        reply.expect_invalid("text");
    }
    assert_eq!(app.count("SELECT count(*) FROM user_notes").await, 0);
    post(&app, &format!("/{}/notes", fan.id), json!({"text": "x".repeat(2000)})).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_takes_away_what_the_user_could() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    post(&app, &format!("/{}/notes", fan.id), json!({"text": "Was warned"})).await.expect(201);
    let own = app.client.get("/api/auth/export").token(&fan.token).send().await.expect(200);
    let taken = get(&app, OPERATOR_TOKEN, &format!("/{}/export", fan.id)).await.expect(200);
    assert_eq!(own.body["data"], taken.body["data"]);
    assert_eq!(own.body["data"]["notes"][0]["text"], "Was warned");
    assert_eq!(app.count("SELECT count(*) FROM audit_log WHERE action = 'user.export'").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_whom_an_owner_deletes_is_gone_with_all_their_data() {
    let app = TestApp::new().await;
    let fan = log_in_as(&app, "+447700900123", "ada_one", "Ada Lovelace").await;
    post(&app, &format!("/{}/notes", fan.id), json!({"text": "Was warned"})).await.expect(201);
    let path = format!("{PATH}/{}", fan.id);
    app.client.delete(&path).token(OPERATOR_TOKEN).send().await.expect(200);
    app.client.get("/api/auth/me").token(&fan.token).send().await.expect(401);
    app.client.delete(&path).token(OPERATOR_TOKEN).send().await.expect_error(404, "not_found");
    assert_eq!(found(&app, "username=ada").await, Vec::<String>::new());
    assert_eq!(found(&app, "name=ada").await, Vec::<String>::new());
    let dump = app.dump().await.to_lowercase();
    for secret in ["ada lovelace", "was warned"] {
        assert!(!dump.contains(secret), "{secret}");
    }
    let audit = app.client.get("/api/admin/audit?action=user.delete").token(OPERATOR_TOKEN);
    assert_eq!(audit.send().await.expect(200).body["meta"]["total"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_known_of_a_user_who_is_not_there() {
    let app = TestApp::new().await;
    for id in ["999", "0", "x", "9223372036854775808"] {
        for rest in ["", "/sessions", "/notes", "/predictions", "/coins/transactions", "/export"] {
            let reply = get(&app, OPERATOR_TOKEN, &format!("/{id}{rest}")).await;
            reply.expect_error(404, "not_found");
        }
        post(&app, &format!("/{id}/notes"), json!({"text": "x"}))
            .await
            .expect_error(404, "not_found");
        post(&app, &format!("/{id}/sessions/end"), json!({})).await.expect_error(404, "not_found");
    }
    assert_eq!(app.count("SELECT count(*) FROM audit_log WHERE action LIKE 'user.%'").await, 0);
}
