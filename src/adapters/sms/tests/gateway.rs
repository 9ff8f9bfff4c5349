use serde_json::{Value, json};

use super::server::{Request, Server, Step, answer, answer_with};
use super::{PHONE, SECRET, TEXT, errors, send, settings};
use crate::platform::config::SmsConfig;

/// The request that a gateway gets with these settings.
async fn request_with(change: impl FnOnce(&mut SmsConfig, &str)) -> Request {
    let server = Server::start(&[answer(204, "")]).await;
    let mut config = settings(&["http"], &server.url);
    change(&mut config, &server.url);
    assert_eq!(super::errors_of(&send(&config).await), [""]);
    server.only_request()
}

#[tokio::test]
async fn the_default_body_is_json_with_the_number_and_the_text() {
    let request = request_with(|_, _| {}).await;
    assert_eq!(request.line, "POST /send HTTP/1.1");
    assert_eq!(request.header("content-type"), "application/json");
    let body: Value = serde_json::from_str(&request.body).unwrap();
    assert_eq!(body, json!({ "to": PHONE, "text": TEXT }));
}

#[tokio::test]
async fn the_secret_is_filled_into_headers_as_it_is() {
    let request = request_with(|config, _| {
        config.http.headers.push("X-Key:{secret}".to_owned());
    })
    .await;
    assert_eq!(request.header("authorization"), format!("Bearer {SECRET}"));
    assert_eq!(request.header("x-key"), SECRET);
}

#[tokio::test]
async fn a_form_body_is_escaped_as_a_form() {
    let request = request_with(|config, _| {
        config.http.content_type = "application/x-www-form-urlencoded; charset=utf-8".to_owned();
        config.http.body = "to={digits}&msg={text}&key={secret}".to_owned();
    })
    .await;
    assert_eq!(request.header("content-type"), "application/x-www-form-urlencoded; charset=utf-8");
    let expected = [("to", "447700900123"), ("msg", TEXT), ("key", SECRET)]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(request.form(), expected);
}

#[tokio::test]
async fn a_get_carries_everything_in_the_address() {
    let request = request_with(|config, url| {
        config.http.method = "GET".to_owned();
        config.http.url = format!("{url}/sms?to={{phone}}&text={{text}}&key={{secret}}");
    })
    .await;
    assert_eq!(
        request.line,
        "GET /sms?to=%2B447700900123&text=Your%20code%20is%20482913%20%26%20%22only%22%20yours.\
         &key=hush%2Bhush%2F42%3D HTTP/1.1"
    );
    assert_eq!((request.body.as_str(), request.header("content-type")), ("", ""));
}

#[tokio::test]
async fn any_two_hundred_is_sent_whatever_the_body_and_another_status_is_told_by_its_number() {
    let endless = "HTTP/1.1 200 X\r\ncontent-length: 1000000000\r\n\r\nx".to_owned();
    let private = format!("{PHONE} {SECRET}");
    let busy = answer_with(429, "retry-after: 0\r\n", "");
    for (script, expected) in [
        (vec![answer(200, "<ok/>")], &[""][..]),
        (vec![answer(202, "")], &[""]),
        (vec![answer(204, "")], &[""]),
        (vec![Step::HangAfter(endless)], &[""]),
        (vec![answer(302, &private)], &["http answered 302"]),
        (vec![answer(400, &private)], &["http answered 400"]),
        (vec![answer(401, &private)], &["http answered 401"]),
        (vec![answer(404, &private)], &["http answered 404"]),
        (vec![busy, answer(200, "")], &["http answered 429", ""]),
    ] {
        let server = Server::start(&script).await;
        assert_eq!(errors("http", &server).await, expected);
    }
}
