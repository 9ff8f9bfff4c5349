//! How many codes are sent where strangers come in: the day's budget and its reserve, and addresses that many people share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::json;

use crate::harness::{Reply, TestApp, together};

const STAGING: (&str, &str) = ("TOUCHLINE_ENVIRONMENT", "staging");
const BUDGET: &str = "TOUCHLINE_LOGIN__SENDS_A_DAY_IN_ALL";
const OF_ADDRESS: &str = "TOUCHLINE_LOGIN__SENDS_PER_ADDRESS_IN_5_MINUTES";

/// A phone with a prefix of its own, so that only the limit under test can refuse it.
fn phone(number: u32) -> String {
    TestApp::phone(number * 10_000)
}

async fn request(app: &TestApp, phone: &str) -> Reply {
    app.client.post("/api/code/request").json(json!({"phone": phone})).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_used_up_budget_still_serves_phones_that_have_an_account() {
    let app = TestApp::with(&[STAGING, (BUDGET, "5")]).await;
    app.log_in(&phone(1)).await;
    for number in 2..6 {
        request(&app, &phone(number)).await.expect(200);
    }
    request(&app, &phone(6)).await.expect_error(429, "sms_budget");
    app.log_in(&phone(1)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reserve_is_as_large_as_the_settings_say() {
    let reserve = "TOUCHLINE_LOGIN__BUDGET_RESERVE_PERCENT";
    for (percent, sent) in [("0", 0), ("20", 1), ("100", 3)] {
        let app = TestApp::with(&[STAGING, (BUDGET, "3"), (reserve, percent)]).await;
        app.log_in(&phone(1)).await;
        request(&app, &phone(2)).await.expect(200);
        request(&app, &phone(3)).await.expect(200);
        for _ in 0..sent {
            request(&app, &phone(1)).await.expect(200);
        }
        request(&app, &phone(1)).await.expect_error(429, "sms_budget");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn however_many_ask_at_once_the_budget_is_used_up_and_never_passed() {
    let app = TestApp::with(&[STAGING, (BUDGET, "37"), (OF_ADDRESS, "1000")]).await;
    let replies =
        together(64, async |number| request(&app, &phone(u32::try_from(number).unwrap())).await)
            .await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 37);
    for refused in replies.into_iter().filter(|reply| reply.status != 200) {
        refused.expect_error(429, "sms_budget");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_that_is_verified_gives_its_place_at_the_address_back() {
    let app = TestApp::with(&[STAGING, (OF_ADDRESS, "3")]).await;
    // A stadium's worth, as far as a limit of three goes.
    for number in 0..10 {
        app.log_in(&phone(number)).await;
    }
    for number in 10..13 {
        request(&app, &phone(number)).await.expect(200);
    }
    request(&app, &phone(13)).await.expect_error(429, "address_send_limit");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_that_was_sent_twice_gives_both_places_back() {
    let app = TestApp::with(&[STAGING, (OF_ADDRESS, "3")]).await;
    for number in 0..4 {
        request(&app, &phone(number)).await.expect(200);
        app.advance(1);
        app.log_in(&phone(number)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_verified_new_phone_gives_its_place_back_too() {
    let app = TestApp::with(&[STAGING, (OF_ADDRESS, "1")]).await;
    let fan = app.log_in(&phone(1)).await;
    for number in 2..5 {
        let body = json!({"phone": phone(number)});
        let path = "/api/auth/verify-phone/initiate";
        app.client.post(path).token(&fan.token).json(body).send().await.expect(200);
        let body = json!({"phone": phone(number), "code": app.last_code(&phone(number)).await});
        let path = "/api/auth/verify-phone";
        app.client.post(path).token(&fan.token).json(body).send().await.expect(200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_code_gives_no_place_back() {
    let app = TestApp::with(&[STAGING, (OF_ADDRESS, "1")]).await;
    request(&app, &phone(1)).await.expect(200);
    let body = json!({"phone": phone(1), "code": "1"});
    app.client.post("/api/code/verify").json(body).send().await.expect(401);
    request(&app, &phone(2)).await.expect_error(429, "address_send_limit");
}

#[tokio::test(flavor = "multi_thread")]
async fn crowds_that_log_in_at_once_leave_no_place_taken() {
    let app = TestApp::with(&[STAGING, (OF_ADDRESS, "12")]).await;
    for round in 0..4 {
        let log_in = async |number| {
            app.log_in(&phone(round * 12 + u32::try_from(number).unwrap())).await;
        };
        together(12, log_in).await;
    }
    let taken =
        "SELECT count(*) FROM rate_limits WHERE bucket LIKE 'address_send_limit:%' AND hits <> ''";
    assert_eq!(app.count(taken).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_gives_its_place_back_also_if_time_goes_by_while_it_is_counted() {
    let app = TestApp::with(&[STAGING]).await;
    let (clock, done) = (app.clock.clone(), Arc::new(AtomicBool::new(false)));
    let is_done = done.clone();
    // Twenty times as fast as it should, so that no two looks at it within a transaction agree.
    let ticking = std::thread::spawn(move || {
        while !is_done.load(Ordering::Relaxed) {
            clock.advance(Duration::from_millis(1));
            std::thread::sleep(Duration::from_micros(50));
        }
    });
    for number in 0..10 {
        app.log_in(&phone(number)).await;
    }
    done.store(true, Ordering::Relaxed);
    ticking.join().unwrap();
    let taken =
        "SELECT count(*) FROM rate_limits WHERE bucket LIKE 'address_send_limit:%' AND hits <> ''";
    assert_eq!(app.count(taken).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn codes_asked_for_at_once_for_one_phone_are_one_code() {
    let app = TestApp::with(&[STAGING]).await;
    for number in 0..6 {
        let replies = together(5, async |_| request(&app, &phone(number)).await).await;
        assert!(replies.iter().all(|reply| reply.status == 200), "{replies:?}");
        let codes = format!("SELECT DISTINCT code FROM sms_log WHERE phone = '{}'", phone(number));
        assert_eq!(app.texts(&codes).await.len(), 1);
    }
}
