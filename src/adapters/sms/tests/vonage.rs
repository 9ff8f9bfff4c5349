use super::server::{Server, answer};
use super::{PHONE, SECRET, TEXT, errors, settings};
use crate::adapters::sms::Sms;

const TAKEN: &str = r#"{"message-count":"1","messages":[{"to":"447700900123","message-id":"0A",
    "status":"0","remaining-balance":"3.14","message-price":"0.03","network":"23410"}]}"#;

fn failed(status: &str, reason: &str) -> String {
    format!(
        r#"{{"message-count":"1","messages":[{{"status":"{status}","error-text":"{reason}"}}]}}"#
    )
}

async fn form_of(text: &str) -> Vec<(String, String)> {
    let server = Server::start(&[answer(200, TAKEN)]).await;
    let sms = Sms::open(&settings(&["vonage"], &server.url)).unwrap();
    assert_eq!(sms.send(PHONE, text).await.len(), 1);
    let request = server.only_request();
    assert_eq!(request.line, "POST /sms/json HTTP/1.1");
    request.form()
}

#[tokio::test]
async fn a_message_is_posted_as_a_form_with_the_number_without_its_plus() {
    let expected = [
        ("api_key", "key1"),
        ("api_secret", SECRET),
        ("from", "Touchline"),
        ("to", "447700900123"),
        ("text", TEXT),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(form_of(TEXT).await, expected);
}

#[tokio::test]
async fn a_text_beyond_ascii_is_sent_as_unicode() {
    let form = form_of("Κωδικός 482913").await;
    assert_eq!(form.last().unwrap(), &("type".to_owned(), "unicode".to_owned()));
}

#[tokio::test]
async fn status_zero_is_sent() {
    let server = Server::start(&[answer(200, TAKEN)]).await;
    assert_eq!(errors("vonage", &server).await, [""]);
}

#[tokio::test]
async fn another_status_is_told_with_its_reason_and_is_final() {
    let server = Server::start(&[answer(200, &failed("4", "Bad Credentials"))]).await;
    assert_eq!(errors("vonage", &server).await, ["vonage answered 4: Bad Credentials"]);
}

#[tokio::test]
async fn a_throttled_message_is_tried_once_more() {
    let throttled = failed("1", "Throughput Rate Exceeded");
    let server = Server::start(&[answer(200, &throttled), answer(200, TAKEN)]).await;
    let expected = ["vonage answered 1: Throughput Rate Exceeded", ""];
    assert_eq!(errors("vonage", &server).await, expected);
}

#[tokio::test]
async fn a_long_text_with_one_part_refused_is_not_sent() {
    let body = r#"{"messages":[{"status":"0"},{"status":"9","error-text":"Quota exceeded"}]}"#;
    let server = Server::start(&[answer(200, body)]).await;
    assert_eq!(errors("vonage", &server).await, ["vonage answered 9: Quota exceeded"]);
}

#[tokio::test]
async fn a_reason_that_could_hold_something_private_is_left_out() {
    let long = "x".repeat(101);
    for reason in ["Number 447700900123 is barred", "code 482913", "key1", "٤٨٢٩١٣", &long] {
        let server = Server::start(&[answer(200, &failed("7", reason))]).await;
        assert_eq!(errors("vonage", &server).await, ["vonage answered 7"], "{reason}");
    }
}

#[tokio::test]
async fn a_reason_that_quotes_the_secret_is_left_out() {
    let server = Server::start(&[answer(200, &failed("4", "not hushhush"))]).await;
    let mut config = settings(&["vonage"], &server.url);
    config.vonage.api_secret = crate::platform::config::Secret::new("hushhush");
    assert_eq!(super::errors_of(&super::send(&config).await), ["vonage answered 4"]);
}

#[tokio::test]
async fn an_answer_without_a_known_form_is_unreadable() {
    for body in ["", "ok", "{}", r#"{"messages":[]}"#, &failed("447700900123", "")] {
        let server = Server::start(&[answer(200, body)]).await;
        assert_eq!(errors("vonage", &server).await, ["unreadable answer"], "{body}");
    }
}

#[tokio::test]
async fn a_server_error_is_tried_once_more() {
    let server = Server::start(&[answer(502, "bad gateway"), answer(200, TAKEN)]).await;
    assert_eq!(errors("vonage", &server).await, ["vonage answered 502", ""]);
}
