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
}

#[tokio::test]
async fn the_account_logs_in_with_its_sid_and_token() {
    let server = Server::start(&[answer(201, TAKEN)]).await;
    errors("twilio", &server).await;
    // AC123:hush+hush/42=
    assert_eq!(server.only_request().header("authorization"), "Basic QUMxMjM6aHVzaCtodXNoLzQyPQ==");
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
async fn a_refusal_is_final_and_told_by_its_number_alone() {
    let server = Server::start(&[answer(400, WRONG_NUMBER)]).await;
    assert_eq!(errors("twilio", &server).await, ["twilio answered 400: 21211"]);
}

#[tokio::test]
async fn a_number_too_long_for_an_error_is_not_told() {
    let body = format!(r#"{{"code":{CODE},"message":"","status":400}}"#);
    let server = Server::start(&[answer(400, &body)]).await;
    assert_eq!(errors("twilio", &server).await, ["twilio answered 400"]);
}

#[tokio::test]
async fn an_error_that_is_no_json_is_told_by_its_status() {
    let server = Server::start(&[answer(403, "<html>+447700900123</html>")]).await;
    assert_eq!(errors("twilio", &server).await, ["twilio answered 403"]);
}

#[tokio::test]
async fn a_message_taken_but_failed_at_once_is_not_sent() {
    let server = Server::start(&[answer(201, r#"{"sid":"SM1","status":"failed"}"#)]).await;
    assert_eq!(errors("twilio", &server).await, ["twilio answered failed"]);
}

#[tokio::test]
async fn too_many_requests_are_tried_once_more() {
    let busy = answer(429, r#"{"code":20429,"message":"Too Many Requests","status":429}"#);
    let server = Server::start(&[busy, answer(201, TAKEN)]).await;
    assert_eq!(errors("twilio", &server).await, ["twilio answered 429: 20429", ""]);
}

#[tokio::test]
async fn a_server_error_is_tried_once_more_and_not_twice() {
    let server = Server::start(&[answer(500, "")]).await;
    assert_eq!(errors("twilio", &server).await, ["twilio answered 500", "twilio answered 500"]);
    assert_eq!(server.requests().len(), 2);
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
async fn a_long_retry_after_is_not_waited_for() {
    let busy = answer_with(429, "retry-after: 3\r\n", "");
    let server = Server::start(&[busy, answer(201, TAKEN)]).await;
    assert_eq!(errors("twilio", &server).await, ["twilio answered 429"]);
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
async fn a_garbled_success_is_an_unreadable_answer() {
    for body in ["", "ok", "{\"sid\":", "{\"status\":\"queued\"}", r#"{"sid":"","status":""}"#] {
        let server = Server::start(&[answer(201, body)]).await;
        assert_eq!(errors("twilio", &server).await, ["unreadable answer"], "{body}");
    }
}

#[tokio::test]
async fn an_answer_over_the_bound_is_unreadable() {
    let body = format!(r#"{{"sid":"SM1","status":"queued","pad":"{}"}}"#, "x".repeat(16 * 1024));
    let server = Server::start(&[answer(201, &body)]).await;
    assert_eq!(errors("twilio", &server).await, ["unreadable answer"]);
}

#[tokio::test]
async fn an_endless_answer_is_read_up_to_the_bound_only() {
    let head =
        format!("HTTP/1.1 201 X\r\ncontent-length: 1000000000\r\n\r\n{}", "x".repeat(20_000));
    let server = Server::start(&[Step::HangAfter(head)]).await;
    assert_eq!(errors("twilio", &server).await, ["unreadable answer"]);
}

#[tokio::test]
async fn an_answer_cut_short_is_a_broken_connection() {
    let text = "HTTP/1.1 201 X\r\ncontent-length: 900\r\n\r\n{\"sid\":";
    let server = Server::start(&[Step::Answer(text.to_owned())]).await;
    assert_eq!(errors("twilio", &server).await, ["connection broken"]);
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
async fn a_reset_connection_is_told() {
    let server = Server::start(&[Step::Reset]).await;
    assert_eq!(errors("twilio", &server).await, ["connection reset"]);
}

#[tokio::test]
async fn a_connection_closed_without_an_answer_is_told() {
    let server = Server::start(&[Step::Close]).await;
    assert_eq!(errors("twilio", &server).await, ["connection broken"]);
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
async fn a_slow_answer_times_out() {
    let server = Server::start(&[Step::Hang]).await;
    let mut config = settings(&["twilio"], &server.url);
    config.attempt_timeout_ms = 100;
    assert_eq!(errors_of(&send(&config).await), ["timed out"]);
}

#[tokio::test]
async fn an_answer_that_stops_halfway_times_out() {
    let head = "HTTP/1.1 201 X\r\ncontent-length: 900\r\n\r\n{".to_owned();
    let server = Server::start(&[Step::HangAfter(head)]).await;
    let mut config = settings(&["twilio"], &server.url);
    config.attempt_timeout_ms = 100;
    assert_eq!(errors_of(&send(&config).await), ["timed out"]);
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
