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
async fn what_the_body_says_is_told_and_only_a_busy_provider_is_tried_once_more() {
    let one_part_refused =
        r#"{"messages":[{"status":"0"},{"status":"9","error-text":"Quota exceeded"}]}"#;
    let throttled = answer(200, &failed("1", "Throughput Rate Exceeded"));
    let unreadable = "unreadable answer";
    for (script, expected) in [
        (vec![answer(200, TAKEN)], &[""][..]),
        (
            vec![answer(200, &failed("4", "Bad Credentials"))],
            &["vonage answered 4: Bad Credentials"],
        ),
        (vec![answer(200, one_part_refused)], &["vonage answered 9: Quota exceeded"]),
        (vec![throttled, answer(200, TAKEN)], &["vonage answered 1: Throughput Rate Exceeded", ""]),
        (vec![answer(502, "bad gateway"), answer(200, TAKEN)], &["vonage answered 502", ""]),
        (vec![answer(200, "")], &[unreadable]),
        (vec![answer(200, "ok")], &[unreadable]),
        (vec![answer(200, "{}")], &[unreadable]),
        (vec![answer(200, r#"{"messages":[]}"#)], &[unreadable]),
        (vec![answer(200, &failed("447700900123", ""))], &[unreadable]),
    ] {
        let server = Server::start(&script).await;
        assert_eq!(errors("vonage", &server).await, expected);
    }
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
