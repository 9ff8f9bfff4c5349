//! Codes and logging in with them.

use serde_json::json;

use crate::harness::{Fan, Reply, TestApp, together};

const PHONE: &str = "+447700900123";

async fn verify(app: &TestApp, phone: &str, code: &str) -> Reply {
    app.client.post("/api/code/verify").json(json!({"phone": phone, "code": code})).send().await
}

async fn request(app: &TestApp, phone: &str) -> Reply {
    app.client.post("/api/code/request").json(json!({"phone": phone})).send().await
}

async fn resend(app: &TestApp, phone: &str) -> Reply {
    app.client.post("/api/auth/resend-code").json(json!({"phone": phone})).send().await
}

/// A code that is not this one.
fn other_than(code: &str) -> String {
    let number: u32 = code.parse().unwrap();
    format!("{:06}", (number + 1) % 1_000_000)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_and_its_code_are_exchanged_for_a_user_and_a_token() {
    let app = TestApp::new().await;
    let sent = request(&app, "+44 7700 900123").await.expect(200);
    assert_eq!(sent.body["data"], json!({"expires_in": 300}));
    assert!(sent.body["message"].is_string());

    let code = app.last_code(PHONE).await;
    let reply = verify(&app, PHONE, &code).await.expect(200);
    let fan = Fan::of(&reply.body["data"]);
    assert_eq!(
        reply.body["data"]["user"],
        json!({"id": fan.id, "phone": PHONE, "username": fan.username, "created_at": "2026-11-15T12:00:00.000Z"})
    );
    assert!(fan.token.starts_with("tl_"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_login_path_does_the_same_as_verify() {
    let app = TestApp::new().await;
    let first = app.log_in(PHONE).await;
    let code = app.request_code(PHONE).await;
    let body = json!({"phone": PHONE, "code": code});
    let reply = app.client.post("/api/auth/login").json(body).send().await.expect(200);
    let second = Fan::of(&reply.body["data"]);
    assert_eq!(first.id, second.id);
    assert_ne!(first.token, second.token);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_login_that_makes_a_user_says_that_they_are_new() {
    let app = TestApp::new().await;
    let log_in = async |path: &str| {
        let code = app.request_code(PHONE).await;
        let body = json!({"phone": PHONE, "code": code});
        app.client.post(path).json(body).send().await.expect(200).body["data"].clone()
    };
    let first = log_in("/api/code/verify").await;
    assert_eq!(first["is_new"], true);
    for path in ["/api/code/verify", "/api/auth/login"] {
        assert_eq!(log_in(path).await["is_new"], false, "{path}");
    }
    // The account is gone, so whoever comes back is somebody else to the service.
    let fan = Fan::of(&first);
    app.client.delete("/api/auth/me").token(&fan.token).send().await.expect(200);
    assert_eq!(log_in("/api/auth/login").await["is_new"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_is_good_once() {
    let app = TestApp::new().await;
    let code = app.request_code(PHONE).await;
    verify(&app, PHONE, &code).await.expect(200);
    verify(&app, PHONE, &code).await.expect_error(401, "invalid_code");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_is_good_for_five_minutes() {
    let app = TestApp::new().await;
    let code = app.request_code(PHONE).await;
    app.advance(300);
    verify(&app, PHONE, &code).await.expect_error(401, "invalid_code");

    let code = app.request_code(PHONE).await;
    app.advance(299);
    verify(&app, PHONE, &code).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_64_parallel_right_codes_one_succeeds() {
    let app = TestApp::new().await;
    let code = app.request_code(PHONE).await;
    let replies = together(64, |_| verify(&app, PHONE, &code)).await;
    let won = replies.iter().filter(|reply| reply.status == 200).count();
    assert_eq!(won, 1);
    assert!(replies.iter().all(|reply| [200, 401, 429].contains(&reply.status)));
}

#[tokio::test(flavor = "multi_thread")]
async fn five_wrong_tries_burn_a_code_however_parallel_they_are() {
    let app = TestApp::new().await;
    let code = app.request_code(PHONE).await;
    let wrong = other_than(&code);
    let replies = together(64, |_| verify(&app, PHONE, &wrong)).await;
    assert!(replies.iter().all(|reply| [401, 429].contains(&reply.status)));
    // Past the lock that so many wrong codes bring, but within the code's life, the right one is dead.
    let tries: i64 = app.count("SELECT tries FROM phone_challenges").await;
    assert_eq!(tries, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_burned_code_is_answered_like_a_wrong_one_and_the_next_send_makes_a_new_one() {
    let app = TestApp::new().await;
    let code = app.request_code(PHONE).await;
    for _ in 0..5 {
        verify(&app, PHONE, &other_than(&code)).await.expect_error(401, "invalid_code");
    }
    verify(&app, PHONE, &code).await.expect_error(401, "invalid_code");
    let fresh = app.request_code(PHONE).await;
    assert_ne!(fresh, code);
    verify(&app, PHONE, &fresh).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resend_sends_the_same_code_renews_it_and_refills_no_tries() {
    let app = TestApp::new().await;
    let code = app.request_code(PHONE).await;
    for _ in 0..4 {
        verify(&app, PHONE, &other_than(&code)).await.expect(401);
    }
    app.advance(200);
    let reply = resend(&app, PHONE).await.expect(200);
    assert_eq!(reply.body["data"], json!({"expires_in": 300}));
    assert_eq!(app.last_code(PHONE).await, code);
    app.advance(200);
    verify(&app, PHONE, &other_than(&code)).await.expect(401);
    verify(&app, PHONE, &code).await.expect_error(401, "invalid_code");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renewed_code_lives_ten_minutes_at_most() {
    let app = TestApp::new().await;
    let code = app.request_code(PHONE).await;
    app.advance(299);
    assert_eq!(app.request_code(PHONE).await, code);
    app.advance(200);
    assert_ne!(app.request_code(PHONE).await, code);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resend_with_nothing_pending_is_refused() {
    let app = TestApp::new().await;
    resend(&app, PHONE).await.expect_error(422, "no_pending_verification");
    let code = app.request_code(PHONE).await;
    verify(&app, PHONE, &code).await.expect(200);
    resend(&app, PHONE).await.expect_error(422, "no_pending_verification");
}

/// So many wrong tries at a code of its own.
async fn try_wrong_codes(app: &TestApp, times: usize) {
    let wrong = other_than(&app.request_code(PHONE).await);
    for _ in 0..times {
        verify(app, PHONE, &wrong).await.expect_error(401, "invalid_code");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_wrong_codes_in_an_hour_lock_a_phone_for_fifteen_minutes() {
    let app = TestApp::new().await;
    try_wrong_codes(&app, 5).await;
    try_wrong_codes(&app, 5).await;
    let locked = verify(&app, PHONE, "1").await.expect_error(429, "too_many_wrong_codes");
    assert_eq!(locked.header("retry-after"), Some("900"));
    let code = app.request_code(PHONE).await;
    verify(&app, PHONE, &code).await.expect_error(429, "too_many_wrong_codes");
    app.advance(900);
    let code = app.request_code(PHONE).await;
    verify(&app, PHONE, &code).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_codes_more_than_an_hour_apart_lock_nothing() {
    let app = TestApp::new().await;
    try_wrong_codes(&app, 5).await;
    try_wrong_codes(&app, 4).await;
    app.advance(3_600);
    try_wrong_codes(&app, 1).await;
    let code = app.request_code(PHONE).await;
    verify(&app, PHONE, &code).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_cannot_lock_a_phone_that_asked_for_nothing() {
    let app = TestApp::new().await;
    for _ in 0..20 {
        verify(&app, PHONE, "123456").await.expect_error(401, "invalid_code");
    }
    // Nor one whose code has expired or is burned.
    try_wrong_codes(&app, 5).await;
    for _ in 0..10 {
        verify(&app, PHONE, "1").await.expect_error(401, "invalid_code");
    }
    app.advance(300);
    for _ in 0..10 {
        verify(&app, PHONE, "1").await.expect_error(401, "invalid_code");
    }
    let code = app.request_code(PHONE).await;
    verify(&app, PHONE, &code).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_code_is_answered_alike_and_costs_a_commit_whether_or_not_one_is_pending() {
    let app = TestApp::new().await;
    let wrong = other_than(&app.request_code(PHONE).await);
    let with = verify(&app, PHONE, &wrong).await.expect_error(401, "invalid_code");
    let without = verify(&app, "+447700900999", &wrong).await.expect_error(401, "invalid_code");
    let body = |reply: &Reply| reply.body_without(&[reply.body["request_id"].as_str().unwrap()]);
    assert_eq!(body(&with), body(&without));
    // Both are written down, so that the time does not tell them apart either.
    assert_eq!(app.count("SELECT count(*) FROM wrong_codes").await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn known_and_unknown_phones_get_the_same_answers() {
    let app = TestApp::new().await;
    app.log_in(PHONE).await;
    let unknown = "+447700900999";
    let without_id = |reply: Reply| {
        let id = reply.body["request_id"].as_str().unwrap_or("none").to_owned();
        (reply.status, reply.text.replace(&id, ""))
    };
    assert_eq!(
        without_id(verify(&app, PHONE, "123456").await),
        without_id(verify(&app, unknown, "123456").await)
    );
    assert_eq!(without_id(request(&app, PHONE).await), without_id(request(&app, unknown).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_gets_five_codes_in_ten_minutes() {
    let app = TestApp::new().await;
    for _ in 0..5 {
        request(&app, PHONE).await.expect(200);
        app.advance(60);
    }
    let refused = request(&app, PHONE).await.expect_error(429, "phone_send_limit");
    assert_eq!(refused.header("retry-after"), Some("300"));
    resend(&app, PHONE).await.expect_error(429, "phone_send_limit");
    app.advance(300);
    request(&app, PHONE).await.expect(200);
    request(&app, PHONE).await.expect_error(429, "phone_send_limit");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_gets_ten_codes_in_a_day() {
    let app = TestApp::new().await;
    for _ in 0..10 {
        request(&app, PHONE).await.expect(200);
        app.advance(600);
    }
    request(&app, PHONE).await.expect_error(429, "phone_daily_send_limit");
    app.advance(24 * 3_600 - 10 * 600);
    request(&app, PHONE).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn parallel_requests_send_no_more_than_the_limit() {
    let app = TestApp::new().await;
    let replies = together(32, |_| request(&app, PHONE)).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chosen_username_is_kept_at_the_first_login() {
    let app = TestApp::new().await;
    let code = app.request_code(PHONE).await;
    let body = json!({"phone": PHONE, "code": code, "username": "Ada.Fan"});
    let reply = app.client.post("/api/code/verify").json(body).send().await.expect(200);
    assert_eq!(reply.body["data"]["user"]["username"], "ada.fan");

    let code = app.request_code(PHONE).await;
    let body = json!({"phone": PHONE, "code": code, "username": "another"});
    let reply = app.client.post("/api/code/verify").json(body).send().await.expect(200);
    assert_eq!(reply.body["data"]["user"]["username"], "ada.fan");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_taken_or_malformed_username_is_refused_and_the_code_stays_good() {
    let app = TestApp::new().await;
    let first = app.log_in("+447700900001").await;
    let code = app.request_code(PHONE).await;
    for name in [first.username.as_str(), "touchline", "1x", "a b c"] {
        let body = json!({"phone": PHONE, "code": code, "username": name});
        let reply = app.client.post("/api/code/verify").json(body).send().await;
        reply.expect_invalid("username");
    }
    verify(&app, PHONE, &code).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_input_is_refused_by_field_and_sends_nothing() {
    let app = TestApp::new().await;
    for phone in [
        json!("0770"),
        json!(""),
        json!(447_700_900_123_i64),
        json!(null),
        json!("+44\u{0}7700900123"),
    ] {
        let body = json!({"phone": phone});
        app.client.post("/api/code/request").json(body).send().await.expect_invalid("phone");
    }
    app.client.post("/api/code/request").json(json!({})).send().await.expect_invalid("phone");
    for code in [json!("12a456"), json!(""), json!(123_456), json!("-12345")] {
        let body = json!({"phone": PHONE, "code": code});
        app.client.post("/api/code/verify").json(body).send().await.expect_invalid("code");
    }
    let both = app.client.post("/api/code/verify").json(json!({"phone": 1})).send().await;
    both.expect_invalid("phone").expect_invalid("code");
    assert_eq!(app.count("SELECT count(*) FROM sms_log").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_number_has_its_fixed_code() {
    let app = TestApp::with(&[("TOUCHLINE_LOGIN__TEST_NUMBERS", "+447700900123=424242")]).await;
    verify(&app, PHONE, "424242").await.expect_error(401, "invalid_code");
    request(&app, PHONE).await.expect(200);
    verify(&app, PHONE, "424242").await.expect(200);
}

mod in_public {
    //! Limits that apply where strangers come in: staging and production.

    use super::*;

    const STAGING: (&str, &str) = ("TOUCHLINE_ENVIRONMENT", "staging");

    #[tokio::test(flavor = "multi_thread")]
    async fn numbers_that_share_a_prefix_share_an_allowance() {
        let app = TestApp::with(&[
            STAGING,
            ("TOUCHLINE_LOGIN__SENDS_PER_ADDRESS_IN_5_MINUTES", "100000"),
        ])
        .await;
        let (mut sent, mut refused) = (0, 0);
        // From the whole range of numbers under one prefix.
        for number in (0..10_000).step_by(250) {
            let phone = format!("+44770090{number:04}");
            for reply in together(10, |_| request(&app, &phone)).await {
                match (reply.status, reply.code()) {
                    (200, _) => sent += 1,
                    (429, "prefix_send_limit" | "phone_send_limit") => refused += 1,
                    _ => panic!("{}", reply.text),
                }
            }
        }
        assert_eq!(sent + refused, 400);
        assert_eq!(sent, 30);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_caller_is_counted_by_address_whatever_its_headers_say() {
        let app = TestApp::with(&[STAGING]).await;
        let mut sent = 0;
        for number in (0_u32..1_000).step_by(10) {
            let call = app.client.post("/api/code/request");
            let call = call.json(json!({"phone": format!("+4477{:08}", number * 10_000)}));
            let forged = format!("203.0.{}.{}", number / 250, number % 250);
            let reply = call.header("x-forwarded-for", &forged).send().await;
            if reply.status == 200 {
                sent += 1;
            } else {
                reply.expect_error(429, "address_send_limit");
            }
        }
        assert_eq!(sent, 30);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn behind_a_trusted_proxy_one_ipv6_64_is_one_caller() {
        let app = TestApp::with(&[
            STAGING,
            ("TOUCHLINE_HTTP__TRUSTED_PROXIES", "127.0.0.1"),
            ("TOUCHLINE_LOGIN__SENDS_PER_ADDRESS_IN_5_MINUTES", "2"),
        ])
        .await;
        let from = async |address: &str, number: u32| {
            let call = app.client.post("/api/code/request");
            let call = call.json(json!({"phone": format!("+4477{:08}", number * 10_000)}));
            call.header("x-forwarded-for", address).send().await.status
        };
        assert_eq!(from("2001:db8:1:2::1", 1).await, 200);
        assert_eq!(from("2001:db8:1:2::2", 2).await, 200);
        assert_eq!(from("2001:db8:1:2:9::", 3).await, 429);
        assert_eq!(from("2001:db8:1:3::1", 4).await, 200);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_country_that_is_not_served_is_refused() {
        let app =
            TestApp::with(&[STAGING, ("TOUCHLINE_LOGIN__ALLOWED_COUNTRY_PREFIXES", "+44,+353")])
                .await;
        request(&app, PHONE).await.expect(200);
        request(&app, "+33612345678").await.expect_invalid("phone");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_days_budget_pauses_sending_until_midnight() {
        let app = TestApp::with(&[STAGING, ("TOUCHLINE_LOGIN__SENDS_A_DAY_IN_ALL", "2")]).await;
        request(&app, "+447700100001").await.expect(200);
        request(&app, "+447700200001").await.expect(200);
        let paused = request(&app, "+447700300001").await.expect_error(429, "sms_budget");
        assert_eq!(paused.header("retry-after"), Some("43200"));
        app.advance(43_200);
        request(&app, "+447700300001").await.expect(200);
    }
    /// The status and code of a try from an address behind the proxy.
    async fn try_from(app: &TestApp, address: &str, phone: &str, code: &str) -> (u16, String) {
        let call = app.client.post("/api/code/verify").header("x-forwarded-for", address);
        let reply = call.json(json!({"phone": phone, "code": code})).send().await;
        (reply.status, reply.code().to_owned())
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn thirty_wrong_codes_in_five_minutes_are_the_most_from_one_address() {
        let app = TestApp::with(&[STAGING, ("TOUCHLINE_HTTP__TRUSTED_PROXIES", "127.0.0.1")]).await;
        let code = app.request_code(PHONE).await;
        let (here, elsewhere) = ("198.51.100.1", "198.51.100.2");
        let limit = (429, "address_wrong_code_limit".to_owned());
        let tries = together(64, async |number| {
            let phone = TestApp::phone(u32::try_from(number).unwrap());
            try_from(&app, here, &phone, "123456").await
        })
        .await;
        assert_eq!(tries.iter().filter(|(status, _)| *status == 401).count(), 30);
        assert_eq!(tries.iter().filter(|refused| **refused == limit).count(), 34);
        // A right one is not even looked at, or the next guess would be free.
        assert_eq!(try_from(&app, here, PHONE, &code).await, limit);
        app.advance(299);
        assert_eq!(try_from(&app, here, PHONE, &code).await, limit);
        assert_eq!(try_from(&app, elsewhere, PHONE, &code).await.0, 200);
        app.advance(1);
        assert_eq!(try_from(&app, here, PHONE, &code).await.0, 401);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn right_codes_do_not_count_against_their_address() {
        let limit = ("TOUCHLINE_LOGIN__WRONG_CODES_PER_ADDRESS_IN_5_MINUTES", "1");
        let app = TestApp::with(&[STAGING, limit]).await;
        for number in 0..3 {
            app.log_in(&TestApp::phone(number * 10_000)).await;
        }
        verify(&app, PHONE, "123456").await.expect(401);
        verify(&app, PHONE, "123456").await.expect_error(429, "address_wrong_code_limit");
    }
}
