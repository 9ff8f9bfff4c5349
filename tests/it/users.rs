//! Usernames and profiles.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::harness::{Fan, Reply, TestApp, together};

async fn check(app: &TestApp, name: &str) -> Reply {
    app.client.post("/api/auth/username/check").json(json!({"username": name})).send().await
}

async fn update(app: &TestApp, fan: &Fan, body: Value) -> Reply {
    app.client.post("/api/auth/update-user-info").token(&fan.token).json(body).send().await
}

async fn me(app: &TestApp, fan: &Fan) -> Value {
    let reply = app.client.get("/api/auth/me").token(&fan.token).send().await.expect(200);
    reply.body["data"].clone()
}

/// Five different names that are free and pass the check themselves.
async fn assert_good_suggestions(app: &TestApp, suggestions: &Value) -> Vec<String> {
    let names: Vec<String> = serde_json::from_value(suggestions.clone()).unwrap();
    assert_eq!(names.iter().collect::<HashSet<_>>().len(), 5, "{names:?}");
    for name in &names {
        assert_eq!(check(app, name).await.expect(200).body["available"], true, "{name}");
    }
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn a_free_username_is_available() {
    let app = TestApp::new().await;
    let reply = check(&app, "Ada_Fan").await.expect(200);
    assert_eq!(reply.body, json!({"available": true, "message": "This username is available."}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_taken_username_comes_with_five_free_suggestions() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    update(&app, &fan, json!({"username": "ada"})).await.expect(200);
    let reply = check(&app, "ADA").await.expect(200);
    assert_eq!(reply.body["available"], false);
    let names = assert_good_suggestions(&app, &reply.body["suggestions"]).await;
    assert!(names.iter().all(|name| name.starts_with("ada")), "{names:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reserved_username_counts_as_taken() {
    let app = TestApp::new().await;
    assert_eq!(check(&app, "touchline").await.expect(200).body["available"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_malformed_username_is_refused() {
    let app = TestApp::new().await;
    for name in ["ab", "1ada", "ada fan", "ada\u{0}", &"a".repeat(31)] {
        check(&app, name).await.expect_invalid("username");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn suggestions_end_in_digits_only_if_asked() {
    let app = TestApp::new().await;
    let generate = async |body: Value| {
        let call = app.client.post("/api/auth/username/generate").json(body);
        let reply = call.send().await.expect(200);
        assert_good_suggestions(&app, &reply.body["suggestions"]).await
    };
    for body in [json!({"base": "Ada"}), json!({"base": "Ada", "include_numbers": true})] {
        let names = generate(body).await;
        let ends_in_digit = |name: &String| name.ends_with(|c: char| c.is_ascii_digit());
        assert!(names.iter().all(ends_in_digit), "{names:?}");
    }
    let names = generate(json!({"base": "Ada", "include_numbers": false})).await;
    assert!(!names.iter().any(|name| name.contains(|c: char| c.is_ascii_digit())), "{names:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_base_with_nothing_usable_is_refused() {
    let app = TestApp::new().await;
    for body in [json!({"base": "123 !?"}), json!({"base": ""}), json!({}), json!({"base": 7})] {
        let call = app.client.post("/api/auth/username/generate").json(body);
        call.send().await.expect_invalid("base");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_is_updated_field_by_field() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let reply =
        update(&app, &fan, json!({"name": "Ada Lovelace", "email": "ada@example.org"})).await;
    let expected = json!({"id": fan.id, "name": "Ada Lovelace", "email": "ada@example.org"});
    assert_eq!(reply.expect(200).body["data"], expected);
    update(&app, &fan, json!({"date_of_birth": "1990-12-10"})).await.expect(200);
    let me = me(&app, &fan).await;
    assert_eq!(me["name"], "Ada Lovelace");
    assert_eq!(me["date_of_birth"], "1990-12-10");
    assert_eq!(me["phone"], fan.phone.as_str());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_profile_is_refused_by_field_and_changes_nothing() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let before = me(&app, &fan).await;
    for (field, value) in [
        ("name", json!("")),
        ("name", json!("a".repeat(101))),
        ("name", json!("Ada\u{0}")),
        ("name", json!("Ada\u{7}")),
        ("name", json!(7)),
        ("email", json!("ada")),
        ("date_of_birth", json!("2026-02-30")),
        ("date_of_birth", json!("2030-01-01")),
        ("date_of_birth", json!("2013-11-16")),
        ("username", json!("1x")),
    ] {
        let body = json!({field: value, "email": if field == "email" { value.clone() } else { json!("x@example.org") }});
        update(&app, &fan, body).await.expect_invalid(field);
    }
    update(&app, &fan, json!({})).await.expect_invalid("body");
    assert_eq!(me(&app, &fan).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_who_turns_thirteen_today_is_old_enough() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    update(&app, &fan, json!({"date_of_birth": "2013-11-15"})).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_generated_username_is_replaced_once() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    assert_eq!(me(&app, &fan).await["can_choose_username"], true);
    let reply = update(&app, &fan, json!({"username": "ada"})).await.expect(200);
    assert_eq!(reply.body["data"]["username"], "ada");
    update(&app, &fan, json!({"username": "ada2"})).await.expect_invalid("username");
    update(&app, &fan, json!({"username": "ada", "name": "Ada"})).await.expect(200);
    assert_eq!(me(&app, &fan).await["username"], "ada");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_parallel_replacements_one_wins() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    let replies =
        together(16, |n| update(&app, &fan, json!({"username": format!("ada{n}")}))).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_users_who_want_one_name_one_gets_it() {
    let app = TestApp::new().await;
    let mut fans = Vec::new();
    for number in 0..8 {
        fans.push(app.log_in(&TestApp::phone(number)).await);
    }
    let replies = together(8, |n| update(&app, &fans[n], json!({"username": "ada"}))).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 1, "{replies:?}");
    assert!(replies.iter().all(|reply| [200, 422].contains(&reply.status)), "{replies:?}");
}
