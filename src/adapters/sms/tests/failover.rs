use std::time::Duration;

use tokio::time::Instant;

use super::server::{Server, Step, answer, nobody};
use super::{PHONE, SECRET, TEXT, errors_of, order_of, send, settings};
use crate::adapters::sms::Sms;
use crate::platform::config::SmsConfig;

/// `first` at one server and `http` behind it at another.
fn pair(first: &str, first_url: &str, http_url: &str) -> SmsConfig {
    let mut config = settings(&[first, "http"], first_url);
    config.http.url = format!("{http_url}/send");
    config
}

#[tokio::test]
async fn the_first_provider_that_takes_a_message_is_the_last_one_tried() {
    let first = Server::start(&[answer(201, r#"{"sid":"SM1","status":"queued"}"#)]).await;
    let second = Server::start(&[answer(200, "")]).await;
    let attempts = send(&pair("twilio", &first.url, &second.url)).await;
    assert_eq!(order_of(&attempts), ["twilio 1"]);
    assert!(second.requests().is_empty());
}

#[tokio::test]
async fn the_next_provider_takes_over_in_the_order_of_the_settings() {
    let server = Server::start(&[answer(400, "")]).await;
    let attempts = send(&settings(&["http", "vonage", "twilio", "log"], &server.url)).await;
    assert_eq!(order_of(&attempts), ["http 1", "vonage 2", "twilio 3", "log 4"]);
    let expected = ["http answered 400", "vonage answered 400", "twilio answered 400", ""];
    assert_eq!(errors_of(&attempts), expected);
}

#[tokio::test]
async fn a_second_try_at_one_provider_has_a_number_of_its_own() {
    let first = Server::start(&[answer(500, "")]).await;
    let second = Server::start(&[answer(200, "")]).await;
    let attempts = send(&pair("twilio", &first.url, &second.url)).await;
    assert_eq!(order_of(&attempts), ["twilio 1", "twilio 2", "http 3"]);
    assert_eq!(errors_of(&attempts), ["twilio answered 500", "twilio answered 500", ""]);
}

#[tokio::test]
async fn the_last_attempt_tells_that_nobody_took_the_message() {
    let nobody = nobody().await;
    let attempts = send(&pair("twilio", &nobody, &nobody)).await;
    assert_eq!(errors_of(&attempts), ["connection refused", "connection refused"]);
}

#[tokio::test]
async fn a_provider_that_hangs_leaves_time_for_the_next() {
    let first = Server::start(&[Step::Hang]).await;
    let second = Server::start(&[answer(200, "")]).await;
    let mut config = pair("twilio", &first.url, &second.url);
    config.attempt_timeout_ms = 500;
    assert_eq!(errors_of(&send(&config).await), ["timed out", ""]);
}

#[tokio::test]
async fn all_attempts_together_end_in_time() {
    let server = Server::start(&[Step::Hang]).await;
    let mut config = settings(&["twilio", "vonage", "http"], &server.url);
    // Much is left for the second, so that a busy machine does not use it up.
    (config.attempt_timeout_ms, config.total_timeout_ms) = (2_000, 3_600);
    let began = Instant::now();
    let attempts = send(&config).await;
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert_eq!(errors_of(&attempts), ["timed out", "timed out"]);
}

#[tokio::test]
async fn no_attempt_begins_when_the_time_is_up() {
    let first = Server::start(&[Step::Hang]).await;
    let second = Server::start(&[answer(200, "")]).await;
    let mut config = pair("twilio", &first.url, &second.url);
    (config.attempt_timeout_ms, config.total_timeout_ms) = (200, 200);
    assert_eq!(errors_of(&send(&config).await), ["timed out"]);
    assert!(second.requests().is_empty());
}

#[tokio::test]
async fn a_provider_that_keeps_failing_is_passed_over() {
    let second = Server::start(&[answer(200, "")]).await;
    let mut config = pair("twilio", &nobody().await, &second.url);
    config.breaker_failures = 2;
    let sms = Sms::open(&config).unwrap();
    for _ in 0..2 {
        assert_eq!(order_of(&sms.send(PHONE, TEXT).await), ["twilio 1", "http 2"]);
    }
    assert_eq!(order_of(&sms.send(PHONE, TEXT).await), ["http 1"]);
}

#[tokio::test]
async fn a_provider_that_works_again_is_used_again_after_the_pause() {
    let broken = answer(401, "");
    let works = answer(201, r#"{"sid":"SM1","status":"queued"}"#);
    let first = Server::start(&[broken, works]).await;
    let second = Server::start(&[answer(200, "")]).await;
    let mut config = pair("twilio", &first.url, &second.url);
    (config.breaker_failures, config.breaker_pause_ms) = (1, 150);
    let sms = Sms::open(&config).unwrap();
    assert_eq!(order_of(&sms.send(PHONE, TEXT).await), ["twilio 1", "http 2"]);
    tokio::time::sleep(Duration::from_millis(200)).await;
    for _ in 0..2 {
        assert_eq!(order_of(&sms.send(PHONE, TEXT).await), ["twilio 1"]);
    }
}

#[tokio::test]
async fn a_failure_that_opens_the_breaker_is_not_tried_again() {
    let server = Server::start(&[answer(500, "")]).await;
    let mut config = settings(&["twilio"], &server.url);
    config.breaker_failures = 1;
    assert_eq!(errors_of(&send(&config).await), ["twilio answered 500"]);
}

#[tokio::test]
async fn wrong_numbers_do_not_open_the_breaker() {
    let refused = answer(400, r#"{"code":21211,"message":"","status":400}"#);
    let first = Server::start(&[refused]).await;
    let second = Server::start(&[answer(200, "")]).await;
    let mut config = pair("twilio", &first.url, &second.url);
    config.breaker_failures = 1;
    let sms = Sms::open(&config).unwrap();
    for _ in 0..3 {
        assert_eq!(order_of(&sms.send(PHONE, TEXT).await), ["twilio 1", "http 2"]);
    }
}

#[tokio::test]
async fn a_provider_that_was_left_too_little_time_is_not_blamed() {
    let server = Server::start(&[Step::Hang]).await;
    let mut config = pair("twilio", &server.url, &server.url);
    // Less than half an attempt is left for the second, and much more than a busy machine uses up.
    (config.attempt_timeout_ms, config.total_timeout_ms) = (4_000, 5_500);
    config.breaker_failures = 1;
    let sms = Sms::open(&config).unwrap();
    assert_eq!(order_of(&sms.send(PHONE, TEXT).await), ["twilio 1", "http 2"]);
    assert_eq!(order_of(&sms.send(PHONE, TEXT).await), ["http 1"]);
}

#[tokio::test]
async fn if_every_provider_is_passed_over_all_are_tried_in_order() {
    let nobody = nobody().await;
    let mut config = pair("twilio", &nobody, &nobody);
    config.breaker_failures = 1;
    let sms = Sms::open(&config).unwrap();
    for _ in 0..3 {
        assert_eq!(order_of(&sms.send(PHONE, TEXT).await), ["twilio 1", "http 2"]);
    }
}

#[tokio::test]
async fn the_log_provider_sends_every_number_but_those_set_to_fail_and_in_front_needs_no_network() {
    let sms = Sms::open(&settings(&["log", "twilio"], "http://127.0.0.1:1")).unwrap();
    for (phone, error) in [(PHONE, ""), ("+15005550001", "the number is set to fail")] {
        let attempt = sms.without_network(phone).unwrap();
        assert_eq!((attempt.provider, attempt.number), ("log", 1));
        assert_eq!(errors_of(&[attempt])[0], error);
        assert_eq!(errors_of(&sms.send(phone, TEXT).await)[0], error);
    }
    let behind = Sms::open(&settings(&["twilio", "log"], "http://127.0.0.1:1")).unwrap();
    assert_eq!(behind.without_network(PHONE), None);
}

#[test]
fn nothing_secret_is_shown_for_debugging() {
    let config = settings(&["twilio", "vonage", "http", "log"], "http://127.0.0.1:1");
    let shown = format!("{config:?} {:?}", Sms::open(&config).unwrap());
    assert!(shown.contains("AC123") && !shown.contains("hush"), "{shown} must not show {SECRET}");
}
