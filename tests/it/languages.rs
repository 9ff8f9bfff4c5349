//! In which language people are told things.

use serde_json::{Value, json};

use crate::harness::{Fan, PushService, Reply, TestApp};

const PHONE: &str = "+447700900123";

pub async fn choose(app: &TestApp, fan: &Fan, language: &str) {
    let call = app.client.post("/api/auth/update-user-info").token(&fan.token);
    call.json(json!({"language": language})).send().await.expect(200);
}

/// Asks for somebody who does not exist.
async fn look_for_nothing(app: &TestApp, fan: &Fan, asked: Option<&str>) -> Reply {
    let mut call = app.client.get("/api/auth/users/999999").token(&fan.token);
    if let Some(asked) = asked {
        call = call.header("accept-language", asked);
    }
    call.send().await.expect_error(404, "not_found")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_in_the_language_that_is_asked_for() {
    let app = TestApp::new().await;
    let call = app.client.post("/api/code/request").header("accept-language", "de-AT,en;q=0.5");
    let reply = call.json(json!({"phone": "12"})).send().await.expect_invalid("phone");
    assert_eq!(reply.body["message"], "Die Angaben sind nicht gültig.");
    assert_eq!(
        reply.body["errors"]["phone"],
        json!(["Muss eine Telefonnummer im internationalen Format sein, etwa +447700900123."])
    );
    assert_eq!(reply.header("content-language"), Some("de"));
    let call = app.client.post("/api/code/request").header("accept-language", "fr");
    let reply = call.json(json!({"phone": "12"})).send().await.expect_invalid("phone");
    assert_eq!(reply.body["message"], "The given data is not valid.");
    assert_eq!(reply.header("content-language"), Some("en"));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_for_no_language_is_told_in_the_one_they_have_chosen() {
    let app = TestApp::new().await;
    let (ada, bob) = (app.log_in(PHONE).await, app.log_in("+447700900124").await);
    let me = |fan: &Fan| app.client.get("/api/auth/me").token(&fan.token).send();
    assert_eq!(me(&ada).await.expect(200).body["data"]["language"], Value::Null);
    choose(&app, &ada, "de").await;
    assert_eq!(me(&ada).await.expect(200).body["data"]["language"], "de");
    let message = async |fan, asked| {
        look_for_nothing(&app, fan, asked).await.body["message"].as_str().unwrap().to_owned()
    };
    assert_eq!(message(&ada, None).await, "Diesen Benutzer gibt es nicht.");
    assert_eq!(message(&ada, Some("en")).await, "There is no such user.");
    assert_eq!(message(&bob, None).await, "There is no such user.");
    assert_eq!(message(&bob, Some("de")).await, "Diesen Benutzer gibt es nicht.");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_language_that_nobody_here_speaks_is_refused_and_changes_nothing() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    choose(&app, &fan, "de").await;
    for wrong in [json!("fr"), json!("DE"), json!(""), json!(1)] {
        let call = app.client.post("/api/auth/update-user-info").token(&fan.token);
        let body = json!({"name": "Ada", "language": wrong});
        call.json(body).send().await.expect_invalid("language");
    }
    let me = app.client.get("/api/auth/me").token(&fan.token).send().await.expect(200);
    assert_eq!(
        (&me.body["data"]["language"], &me.body["data"]["name"]),
        (&json!("de"), &Value::Null)
    );
    let export = app.client.get("/api/auth/export").token(&fan.token).send().await.expect(200);
    assert_eq!(export.body["data"]["user"]["language"], "de");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_done_is_said_in_the_language_too_and_again_in_the_same_words() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    let deduct = async |asked: &str| {
        let call = app.client.post("/api/auth/coins/deduct").token(&fan.token);
        let call = call.header("idempotency-key", "one").header("accept-language", asked);
        call.json(json!({"amount": 5, "reason": "poll_entry"})).send().await
    };
    let first = deduct("de").await;
    assert_eq!(first.body["message"], "Die Münzen sind abgebucht.", "{}", first.text);
    let again = deduct("en").await;
    assert_eq!((again.status, again.text), (first.status, first.text));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_is_texted_in_the_language_of_whom_it_is_for() {
    let gateway = PushService::start().await;
    let settings =
        [("TOUCHLINE_SMS__PROVIDERS", "http"), ("TOUCHLINE_SMS__HTTP__URL", gateway.url.as_str())];
    let app = TestApp::with(&settings).await;
    let texted = async |path: &str, asked: Option<&str>| {
        let mut call = app.client.post(path);
        if let Some(asked) = asked {
            call = call.header("accept-language", asked);
        }
        call.json(json!({"phone": PHONE})).send().await.expect(200);
        gateway.taken().last().unwrap().json()["text"].as_str().unwrap().to_owned()
    };
    let is_german =
        |text: &str| text.starts_with("Dein Code ist ") && text.ends_with(" 5 Minuten.");
    assert!(texted("/api/code/request", Some("en")).await.starts_with("Your code is "));
    assert!(texted("/api/code/request", None).await.starts_with("Your code is "));
    let text = texted("/api/auth/resend-code", Some("de")).await;
    assert!(is_german(&text), "{text}");
    let code: String = text.chars().filter(char::is_ascii_digit).take(6).collect();
    let call = app.client.post("/api/code/verify");
    let reply = call.json(json!({"phone": PHONE, "code": code})).send().await.expect(200);
    choose(&app, &Fan::of(&reply.body["data"]), "de").await;
    let text = texted("/api/code/request", None).await;
    assert!(is_german(&text), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_writes_the_texted_message_in_each_language() {
    let gateway = PushService::start().await;
    let app = TestApp::with(&[
        ("TOUCHLINE_SMS__PROVIDERS", "http"),
        ("TOUCHLINE_SMS__HTTP__URL", gateway.url.as_str()),
        ("TOUCHLINE_SMS__TEXTS__DE", "Hallo: {code}"),
    ])
    .await;
    let call = app.client.post("/api/code/request").header("accept-language", "de");
    call.json(json!({"phone": PHONE})).send().await.expect(200);
    let text = gateway.taken().last().unwrap().json()["text"].clone();
    assert!(text.as_str().unwrap().starts_with("Hallo: "), "{text}");
}
