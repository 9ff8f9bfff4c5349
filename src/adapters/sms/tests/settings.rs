use super::settings;
use crate::adapters::sms::{self, Sms};
use crate::platform::config::{Secret, SmsConfig};

/// The one sentence that stops the start, after a change to settings that are complete.
fn refusal(providers: &[&str], change: impl FnOnce(&mut SmsConfig)) -> String {
    let mut config = settings(providers, "http://127.0.0.1:1");
    sms::check(&config).unwrap();
    change(&mut config);
    let error = sms::check(&config).unwrap_err();
    assert_eq!(Sms::open(&config).unwrap_err(), error);
    let sentence = error.to_string();
    assert!(sentence.ends_with('.') && !sentence.contains("hush"), "{sentence}");
    sentence
}

#[test]
fn what_cannot_work_is_refused_in_a_sentence_that_names_the_key() {
    type Change = fn(&mut SmsConfig);
    let table: [(&str, &str, Change); 25] = [
        ("log", "sms.providers must name at least one of log, twilio, vonage and http.", |it| {
            it.providers.clear();
        }),
        (
            "log",
            "sms.providers names \"pigeon\", which is none of log, twilio, vonage and http.",
            |it| it.providers.push("pigeon".to_owned()),
        ),
        ("log", "sms.providers must name log only once.", |it| it.providers.push("log".to_owned())),
        ("log", "sms.text must contain {code}.", |it| it.text = "Hello".to_owned()),
        ("log", "sms.attempt_timeout_ms ", |it| it.attempt_timeout_ms = 0),
        ("log", "sms.total_timeout_ms ", |it| it.total_timeout_ms = 0),
        ("log", "sms.breaker_failures ", |it| it.breaker_failures = 0),
        ("twilio", "sms.twilio.account_sid ", |it| it.twilio.account_sid.clear()),
        ("twilio", "sms.twilio.account_sid ", |it| it.twilio.account_sid = "AC/..".to_owned()),
        ("twilio", "sms.twilio.auth_token ", |it| it.twilio.auth_token = Secret::default()),
        ("twilio", "sms.twilio.from ", |it| it.twilio.from.clear()),
        ("twilio", "sms.twilio.base_url ", |it| it.twilio.base_url = "api.x".to_owned()),
        ("twilio", "sms.twilio.base_url ", |it| it.twilio.base_url = "ftp://api.x".to_owned()),
        ("vonage", "sms.vonage.api_key ", |it| it.vonage.api_key.clear()),
        ("vonage", "sms.vonage.api_secret ", |it| it.vonage.api_secret = Secret::default()),
        ("vonage", "sms.vonage.from ", |it| it.vonage.from.clear()),
        ("vonage", "sms.vonage.base_url ", |it| it.vonage.base_url.clear()),
        ("http", "sms.http.url ", |it| it.http.url.clear()),
        ("http", "sms.http.url ", |it| it.http.url = "/send".to_owned()),
        ("http", "sms.http.url or sms.http.body must contain {phone}", |it| {
            it.http.method = "GET".to_owned();
        }),
        ("http", "sms.http.method ", |it| it.http.method = "post".to_owned()),
        ("http", "sms.http.content_type ", |it| it.http.content_type = "text/xml".to_owned()),
        ("http", "sms.http.secret ", |it| it.http.secret = Secret::default()),
        ("http", "sms.http.secret ", |it| {
            it.http.headers.clear();
            it.http.url.push_str("?key={secret}");
            it.http.secret = Secret::default();
        }),
        (
            "http",
            "sms.http.headers: the value of authorization cannot be sent in a header.",
            |it| it.http.secret = Secret::new("hush\n"),
        ),
    ];
    for (provider, expected, change) in table {
        let sentence = refusal(&[provider], change);
        assert!(sentence.starts_with(expected), "{sentence}");
    }
}

#[test]
fn a_json_body_that_could_be_broken_by_a_value_is_refused() {
    for body in [
        "{\"to\":{phone},\"text\":\"{text}\"}",
        "{\"to\":\"{phone}\",\"text\":{text}}",
        "to={phone}",
    ] {
        let sentence = refusal(&["http"], |config| config.http.body = body.to_owned());
        assert!(sentence.starts_with("sms.http.body must be JSON"), "{body}: {sentence}");
    }
}

#[test]
fn a_request_that_would_leave_out_the_number_or_the_text_is_refused() {
    for body in ["", "{\"to\":\"{phone}\"}", "{\"text\":\"{text}\"}"] {
        let sentence = refusal(&["http"], |config| config.http.body = body.to_owned());
        assert!(sentence.contains("must contain {phone} or {digits}, and {text}"), "{sentence}");
    }
}

#[test]
fn headers_that_cannot_be_sent_are_refused() {
    for header in
        ["Authorization", "Bad Name: x", "X-A: a\nb", "X-To: {phone}", "content-TYPE: text/xml"]
    {
        let sentence = refusal(&["http"], |config| config.http.headers = vec![header.to_owned()]);
        assert!(sentence.starts_with("sms.http.headers"), "{header}: {sentence}");
    }
}

#[test]
fn a_provider_that_is_not_named_needs_no_settings() {
    let mut config = settings(&["log"], "http://127.0.0.1:1");
    config.twilio.account_sid.clear();
    config.http.url.clear();
    sms::check(&config).unwrap();
}
