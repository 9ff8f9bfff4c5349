use super::server::{Server, Step, answer, answer_with, nobody};
use super::{CODE, PHONE, SECRET, TEXT, errors, errors_of, send, settings};

const TAKEN: &str =
    r#"{"sid":"SM0a1b2c","status":"queued","to":"+447700900123","error_code":null}"#;
const WRONG_NUMBER: &str = r#"{"code":21211,"message":"The 'To' number +447700900123 is not a valid phone number.",
    "more_info":"https://www.twilio.com/docs/errors/21211","status":400}"#;

#[tokio::test]
async fn a_message_is_posted_as_a_form_to_the_accounts_messages() {
    let server = Server::start(&[answer(201, TAKEN)]).await;
    assert_eq!(errors("twilio", &server).await, [""]);
    let request = server.only_request();
    assert_eq!(request.line, "POST /2010-04-01/Accounts/AC123/Messages.json HTTP/1.1");
    assert_eq!(request.header("content-type"), "application/x-www-form-urlencoded");
    let expected = [("To", PHONE), ("From", "+15005550006"), ("Body", TEXT)]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(request.form(), expected);
    // AC123:hush+hush/42=
    assert_eq!(request.header("authorization"), "Basic QUMxMjM6aHVzaCtodXNoLzQyPQ==");
}

#[tokio::test]
async fn an_api_key_logs_in_for_the_account() {
    let server = Server::start(&[answer(201, TAKEN)]).await;
    let mut config = settings(&["twilio"], &server.url);
    config.twilio.api_key_sid = "SK9".to_owned();
    send(&config).await;
    let request = server.only_request();
    // SK9:hush+hush/42=
    assert_eq!(request.header("authorization"), "Basic U0s5Omh1c2graHVzaC80Mj0=");
    assert!(request.line.contains("/Accounts/AC123/"), "{}", request.line);
}

#[tokio::test]
async fn a_messaging_service_takes_the_place_of_the_sender() {
    let server = Server::start(&[answer(201, TAKEN)]).await;
    let mut config = settings(&["twilio"], &server.url);
    config.twilio.messaging_service_sid = "MG7".to_owned();
    send(&config).await;
    let names = server.only_request().form().into_iter().map(|(name, _)| name);
    assert_eq!(names.collect::<Vec<_>>(), ["To", "MessagingServiceSid", "Body"]);
}

#[tokio::test]
async fn each_answer_is_told_in_words_that_hold_nothing_of_it() {
    let busy = answer(429, r#"{"code":20429,"message":"Too Many Requests","status":429}"#);
    let long_number = format!(r#"{{"code":{CODE},"message":"","status":400}}"#);
    let long = format!(r#"{{"sid":"SM1","status":"queued","pad":"{}"}}"#, "x".repeat(16 * 1024));
    let endless = format!("{}{}", head_of(1_000_000_000), "x".repeat(20_000));
    let cut_short = Step::Answer(head_of(900) + "{\"sid\":");
    let unreadable = "unreadable answer";
    for (script, expected) in [
        (vec![answer(400, WRONG_NUMBER)], &["twilio answered 400: 21211"][..]),
        (vec![answer(400, &long_number)], &["twilio answered 400"]),
        (vec![answer(403, "<html>+447700900123</html>")], &["twilio answered 403"]),
        (vec![answer(201, r#"{"sid":"SM1","status":"failed"}"#)], &["twilio answered failed"]),
        // Busy for a moment: tried once more, and not twice.
        (vec![busy, answer(201, TAKEN)], &["twilio answered 429: 20429", ""]),
        (vec![answer(500, "")], &["twilio answered 500", "twilio answered 500"]),
        // Too long to wait for.
        (vec![answer_with(429, "retry-after: 3\r\n", "")], &["twilio answered 429"]),
        // A success that cannot be read, or not within the bound.
        (vec![answer(201, "")], &[unreadable]),
        (vec![answer(201, "ok")], &[unreadable]),
        (vec![answer(201, "{\"sid\":")], &[unreadable]),
        (vec![answer(201, "{\"status\":\"queued\"}")], &[unreadable]),
        (vec![answer(201, r#"{"sid":"","status":""}"#)], &[unreadable]),
        (vec![answer(201, &long)], &[unreadable]),
        (vec![Step::HangAfter(endless)], &[unreadable]),
        (vec![cut_short], &["connection broken"]),
        (vec![Step::Close], &["connection broken"]),
        (vec![Step::Reset], &["connection reset"]),
    ] {
        let server = Server::start(&script).await;
        assert_eq!(errors("twilio", &server).await, expected);
    }
}

/// Of a success with so many bytes, which may never come.
fn head_of(length: usize) -> String {
    format!("HTTP/1.1 201 X\r\ncontent-length: {length}\r\n\r\n")
}

#[tokio::test]
async fn a_short_retry_after_is_waited_for() {
    let busy = answer_with(503, "retry-after: 1\r\n", "");
    let server = Server::start(&[busy, answer(201, TAKEN)]).await;
    let began = tokio::time::Instant::now();
    assert_eq!(errors("twilio", &server).await, ["twilio answered 503", ""]);
    assert!(began.elapsed().as_millis() >= 1000, "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_retry_that_would_end_too_late_is_not_made() {
    let busy = answer_with(429, "retry-after: 2\r\n", "");
    let server = Server::start(&[busy, answer(201, TAKEN)]).await;
    let mut config = settings(&["twilio"], &server.url);
    config.total_timeout_ms = 1500;
    assert_eq!(errors_of(&send(&config).await), ["twilio answered 429"]);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = Server::start(&[answer(201, TAKEN)]).await;
    let location = format!("location: {}/x\r\n", elsewhere.url);
    let server = Server::start(&[answer_with(307, &location, "")]).await;
    assert_eq!(errors("twilio", &server).await, ["twilio answered 307"]);
    assert!(elsewhere.requests().is_empty());
}

#[tokio::test]
async fn a_refused_connection_is_told() {
    let config = settings(&["twilio"], &nobody().await);
    assert_eq!(errors_of(&send(&config).await), ["connection refused"]);
}

#[tokio::test]
async fn a_server_that_speaks_no_tls_is_told() {
    let server = Server::start(&[Step::Blurt]).await;
    let config = settings(&["twilio"], &server.url.replace("http:", "https:"));
    assert_eq!(errors_of(&send(&config).await), ["no connection"]);
}

#[tokio::test]
async fn an_answer_that_is_slow_or_stops_halfway_times_out() {
    for step in [Step::Hang, Step::HangAfter(head_of(900) + "{")] {
        let server = Server::start(&[step]).await;
        let mut config = settings(&["twilio"], &server.url);
        config.attempt_timeout_ms = 100;
        assert_eq!(errors_of(&send(&config).await), ["timed out"]);
    }
}

#[tokio::test]
async fn what_an_error_says_contains_nothing_private() {
    let echo = format!(r#"{{"code":1,"message":"{PHONE} {CODE} {SECRET}","sid":"{SECRET}"}}"#);
    for step in [answer(400, &echo), answer(201, &echo), answer(500, &echo), Step::Reset] {
        let server = Server::start(&[step]).await;
        for error in errors("twilio", &server).await {
            assert!(!error.contains("7700900123") && !error.contains(CODE), "{error}");
            assert!(!error.contains("hush") && error.len() <= 200, "{error}");
        }
    }
}
