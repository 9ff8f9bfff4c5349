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

type Change = fn(&mut SmsConfig);

fn assert_each_is_named(provider: &str, changes: &[(&str, Change)]) {
    for (key, change) in changes {
        let sentence = refusal(&[provider], *change);
        assert!(sentence.contains(key), "{key}: {sentence}");
    }
}

#[test]
fn a_list_without_a_provider_is_refused() {
    let sentence = refusal(&["log"], |config| config.providers.clear());
    assert_eq!(sentence, "sms.providers must name at least one of log, twilio, vonage and http.");
}

#[test]
fn an_unknown_provider_is_refused_by_name() {
    let sentence = refusal(&["log"], |config| config.providers.push("pigeon".to_owned()));
    assert_eq!(
        sentence,
        "sms.providers names \"pigeon\", which is none of log, twilio, vonage and http."
    );
}

#[test]
fn a_provider_named_twice_is_refused() {
    let sentence = refusal(&["log"], |config| config.providers.push("log".to_owned()));
    assert_eq!(sentence, "sms.providers must name log only once.");
}

#[test]
fn a_message_without_the_code_is_refused() {
    assert_eq!(
        refusal(&["log"], |config| config.text = "Hello".to_owned()),
        "sms.text must contain {code}."
    );
}

#[test]
fn limits_of_zero_are_refused_by_name() {
    assert_each_is_named(
        "log",
        &[
            ("sms.attempt_timeout_ms", |config| config.attempt_timeout_ms = 0),
            ("sms.total_timeout_ms", |config| config.total_timeout_ms = 0),
            ("sms.breaker_failures", |config| config.breaker_failures = 0),
        ],
    );
}

#[test]
fn what_twilio_needs_is_refused_by_name() {
    assert_each_is_named(
        "twilio",
        &[
            ("sms.twilio.account_sid", |config| config.twilio.account_sid.clear()),
            ("sms.twilio.account_sid", |config| config.twilio.account_sid = "AC/..".to_owned()),
            ("sms.twilio.auth_token", |config| config.twilio.auth_token = Secret::default()),
            ("sms.twilio.from", |config| config.twilio.from.clear()),
            ("sms.twilio.base_url", |config| config.twilio.base_url = "api.x".to_owned()),
            ("sms.twilio.base_url", |config| config.twilio.base_url = "ftp://api.x".to_owned()),
        ],
    );
}

#[test]
fn what_vonage_needs_is_refused_by_name() {
    assert_each_is_named(
        "vonage",
        &[
            ("sms.vonage.api_key", |config| config.vonage.api_key.clear()),
            ("sms.vonage.api_secret", |config| config.vonage.api_secret = Secret::default()),
            ("sms.vonage.from", |config| config.vonage.from.clear()),
            ("sms.vonage.base_url", |config| config.vonage.base_url.clear()),
        ],
    );
}

#[test]
fn what_the_http_gateway_needs_is_refused_by_name() {
    assert_each_is_named(
        "http",
        &[
            ("sms.http.url", |config| config.http.url.clear()),
            ("sms.http.url", |config| config.http.url = "/send".to_owned()),
            ("sms.http.method", |config| config.http.method = "post".to_owned()),
            ("sms.http.content_type", |config| config.http.content_type = "text/xml".to_owned()),
            ("sms.http.secret", |config| config.http.secret = Secret::default()),
            ("sms.http.secret", |config| {
                config.http.headers.clear();
                config.http.url.push_str("?key={secret}");
                config.http.secret = Secret::default();
            }),
        ],
    );
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
    let sentence = refusal(&["http"], |config| config.http.method = "GET".to_owned());
    assert!(sentence.contains("must contain {phone}"), "{sentence}");
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
fn a_secret_that_no_header_can_carry_is_refused_without_showing_it() {
    let sentence = refusal(&["http"], |config| config.http.secret = Secret::new("hush\n"));
    assert_eq!(
        sentence,
        "sms.http.headers: the value of authorization cannot be sent in a header."
    );
}

#[test]
fn a_provider_that_is_not_named_needs_no_settings() {
    let mut config = settings(&["log"], "http://127.0.0.1:1");
    config.twilio.account_sid.clear();
    config.http.url.clear();
    sms::check(&config).unwrap();
}
