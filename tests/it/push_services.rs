//! The services that reach devices: what each is told, and what its answers do to a device.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use web_push_native::{Auth, decrypt};

use crate::harness::{Delivery, Fan, OPERATOR_TOKEN, Program, PushService, TestApp, eventually};
use crate::predictions::get;
use crate::push::{
    AUTH, browser, browser_key, devices, hello, plain_device, register, tell, with_service,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_gets_a_message_that_only_it_can_read() {
    let (app, service) = with_service().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    browser(&app, &ada, &service).await;
    tell(&app, hello()).await;
    let call = service.taken().remove(0);
    assert_eq!((call.path.as_str(), call.header("content-encoding")), ("/browser", "aes128gcm"));
    assert!(!String::from_utf8_lossy(&call.body).contains("cup"));
    let auth = Auth::clone_from_slice(&AUTH);
    let read = decrypt(call.body.to_vec(), &browser_key(), &auth).unwrap();
    let message: Value = serde_json::from_slice(&read).unwrap();
    assert_eq!((&message["title"], &message["body"]), (&json!("Hello"), &json!("The cup begins.")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_push_service_can_check_who_sent_a_message() {
    use web_push_native::p256::ecdsa::signature::Verifier as _;
    use web_push_native::p256::ecdsa::{Signature, VerifyingKey};
    let (app, service) = with_service().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    browser(&app, &ada, &service).await;
    tell(&app, hello()).await;
    let call = service.taken().remove(0);
    let (token, key) =
        call.header("authorization").strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
    let known =
        get(&app, &ada, "/api/auth/push/key").await.expect(200).body["data"]["public_key"].clone();
    assert_eq!(known, key);
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).unwrap();
    let key = VerifyingKey::from_sec1_bytes(&decode(key)).unwrap();
    key.verify(signed.as_bytes(), &Signature::from_slice(&decode(signature)).unwrap()).unwrap();
    let claims: Value = serde_json::from_slice(&decode(signed.split_once('.').unwrap().1)).unwrap();
    assert_eq!(claims["aud"], service.url);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_registration_goes_by_itself() {
    for status in [404, 410] {
        let (app, service) = with_service().await;
        let ada = app.log_in(&TestApp::phone(1)).await;
        browser(&app, &ada, &service).await;
        service.answer_next(status, Value::Null);
        tell(&app, hello()).await;
        assert_eq!(devices(&app, &ada).await, Vec::<Value>::new(), "{status}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_throttles_is_asked_again_when_it_said() {
    let (app, service) = with_service().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    plain_device(&app, &ada, &service).await;
    service.answer_next_with(429, ("retry-after", "120"), Value::Null);
    tell(&app, hello()).await;
    assert_eq!(service.taken().len(), 1);
    assert_eq!(devices(&app, &ada).await[0]["failure"], "later");
    app.advance(119);
    app.run_jobs().await;
    assert_eq!(service.taken().len(), 0);
    app.advance(2);
    app.run_jobs().await;
    assert_eq!(service.taken().len(), 1);
    assert_eq!(devices(&app, &ada).await[0]["failure"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_does_not_answer_keeps_no_other_from_its_message_and_is_asked_less_and_less()
{
    let (app, service) = with_service().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    let silent = PushService::start().await;
    plain_device(&app, &ada, &service).await;
    plain_device(&app, &ada, &silent).await;
    silent.answer_at("", 503, Value::Null);
    let mut asked = Vec::new();
    for _ in 0..8 {
        tell(&app, hello()).await;
        asked.push(silent.taken().len());
        app.advance(16);
    }
    assert_eq!(service.taken().len(), 8);
    // After 15 seconds, 30 more, 60 more.
    assert_eq!(asked, [1, 1, 0, 1, 0, 0, 0, 1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_nothing_reaches_for_a_month_is_forgotten() {
    let (app, service) = with_service().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    plain_device(&app, &ada, &service).await;
    service.answer_at("", 503, Value::Null);
    tell(&app, hello()).await;
    app.advance(30 * 86_400);
    app.run_jobs().await;
    assert_eq!(app.count("SELECT count(*) FROM push_devices").await, 1);
    app.advance(3_601);
    app.run_jobs().await;
    assert_eq!(app.count("SELECT count(*) FROM push_devices").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_the_apps_own_that_refuses_is_not_the_operators_wrong_key() {
    let (app, service) = with_service().await;
    let ada = app.log_in(&TestApp::phone(1)).await;
    plain_device(&app, &ada, &service).await;
    service.answer_next(403, Value::Null);
    tell(&app, hello()).await;
    assert_eq!(devices(&app, &ada).await[0]["failure"], "refused");
}

mod fcm {
    use super::*;

    fn account(service: &PushService) -> String {
        json!({
            "type": "service_account", "project_id": "touchline-test", "client_email": "sender@touchline-test.example",
            "private_key": include_str!("push_rsa.pem"), "token_uri": format!("{}/token", service.url),
        })
        .to_string()
    }

    async fn with_fcm() -> (TestApp, PushService, Fan) {
        let service = PushService::start().await;
        let account = account(&service);
        let settings = [
            ("TOUCHLINE_PUSH__FCM__SERVICE_ACCOUNT", account.as_str()),
            ("TOUCHLINE_PUSH__FCM__BASE_URL", service.url.as_str()),
        ];
        let app = TestApp::with(&settings).await;
        let ada = app.log_in(&TestApp::phone(1)).await;
        let body = json!({"kind": "fcm", "address": "d".repeat(140)});
        register(&app, &ada, body).await.expect(201);
        (app, service, ada)
    }

    fn takes_tokens(service: &PushService) {
        service.answer_at(
            "/token",
            200,
            json!({"access_token": "ya29.secret", "expires_in": 3599, "token_type": "Bearer"}),
        );
    }

    /// As Google tells an error.
    fn error(status: u16, name: &str, code: &str) -> Value {
        json!({"error": {"code": status, "status": name, "message": "x",
            "details": [{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": code}]}})
    }

    fn sent(calls: Vec<Delivery>) -> Vec<Delivery> {
        calls.into_iter().filter(|call| call.path.ends_with("messages:send")).collect()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_phone_is_reached_with_a_token_that_is_kept() {
        let (app, service, _) = with_fcm().await;
        takes_tokens(&service);
        tell(&app, hello()).await;
        tell(&app, hello()).await;
        let calls = service.taken();
        assert_eq!(calls.iter().filter(|call| call.path == "/token").count(), 1);
        let sent = sent(calls);
        assert_eq!(sent.len(), 2);
        assert_eq!(sent[0].path, "/v1/projects/touchline-test/messages:send");
        assert_eq!(sent[0].header("authorization"), "Bearer ya29.secret");
        let message = &sent[0].json()["message"];
        assert_eq!(
            (&message["token"], &message["notification"]["title"]),
            (&json!("d".repeat(140)), &json!("Hello"))
        );
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_token_that_expired_early_is_renewed_once() {
        let (app, service, ada) = with_fcm().await;
        takes_tokens(&service);
        service.answer_next(401, error(401, "UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR"));
        tell(&app, hello()).await;
        let calls = service.taken();
        assert_eq!(calls.iter().filter(|call| call.path == "/token").count(), 2);
        assert_eq!(sent(calls).len(), 2);
        assert_eq!(devices(&app, &ada).await[0]["failure"], Value::Null);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_device_that_is_gone_is_forgotten() {
        let (app, service, ada) = with_fcm().await;
        takes_tokens(&service);
        service.answer_next(404, error(404, "NOT_FOUND", "UNREGISTERED"));
        tell(&app, hello()).await;
        assert_eq!(devices(&app, &ada).await.len(), 0);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_key_that_google_does_not_know_keeps_the_device_and_the_message() {
        let (app, service, ada) = with_fcm().await;
        service.answer_at("/token", 400, json!({"error": "invalid_grant"}));
        tell(&app, hello()).await;
        assert_eq!(devices(&app, &ada).await[0]["failure"], "bad_key");
        assert_eq!(app.count("SELECT count(*) FROM push_messages WHERE outcome IS NULL").await, 1);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_quota_that_is_used_up_is_waited_for() {
        let (app, service, ada) = with_fcm().await;
        takes_tokens(&service);
        service.answer_next_with(
            429,
            ("retry-after", "60"),
            error(429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"),
        );
        tell(&app, hello()).await;
        assert_eq!(devices(&app, &ada).await[0]["failure"], "later");
        app.advance(61);
        app.run_jobs().await;
        assert_eq!(sent(service.taken()).len(), 2);
    }
}

mod apns {
    use super::*;

    fn settings(service: &PushService) -> [(&'static str, &str); 5] {
        [
            ("TOUCHLINE_PUSH__APNS__KEY", include_str!("push_ec.pem")),
            ("TOUCHLINE_PUSH__APNS__KEY_ID", "ABC123DEFG"),
            ("TOUCHLINE_PUSH__APNS__TEAM_ID", "DEF123GHIJ"),
            ("TOUCHLINE_PUSH__APNS__TOPIC", "org.example.app"),
            ("TOUCHLINE_PUSH__APNS__BASE_URL", service.url.as_str()),
        ]
    }

    async fn with_apns() -> (TestApp, PushService, Fan) {
        let service = PushService::start_http2().await;
        let app = TestApp::with(&settings(&service)).await;
        let ada = app.log_in(&TestApp::phone(1)).await;
        let body = json!({"kind": "apns", "address": "ab".repeat(32)});
        register(&app, &ada, body).await.expect(201);
        (app, service, ada)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_phone_is_reached_over_http2_with_a_signed_token() {
        let (app, service, _) = with_apns().await;
        service.answer_next(200, Value::Null);
        tell(&app, hello()).await;
        let call = service.taken().remove(0);
        assert_eq!(call.path, format!("/3/device/{}", "ab".repeat(32)));
        assert_eq!(
            (call.header("apns-topic"), call.header("apns-push-type")),
            ("org.example.app", "alert")
        );
        assert_eq!(call.json()["aps"]["alert"]["title"], "Hello");
        let token = call.header("authorization").strip_prefix("Bearer ").unwrap();
        let head = URL_SAFE_NO_PAD.decode(token.split('.').next().unwrap()).unwrap();
        let head: Value = serde_json::from_slice(&head).unwrap();
        assert_eq!((&head["alg"], &head["kid"]), (&json!("ES256"), &json!("ABC123DEFG")));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn each_refusal_has_its_consequence() {
        for (status, reason, left, failure) in [
            (410, "Unregistered", 0, Value::Null),
            (400, "BadDeviceToken", 0, Value::Null),
            (403, "InvalidProviderToken", 1, json!("bad_key")),
            (429, "TooManyRequests", 1, json!("later")),
            (503, "ServiceUnavailable", 1, json!("later")),
            (413, "PayloadTooLarge", 1, json!("refused")),
        ] {
            let (app, service, ada) = with_apns().await;
            service.answer_next(status, json!({"reason": reason}));
            tell(&app, hello()).await;
            let devices = devices(&app, &ada).await;
            assert_eq!(devices.len(), left, "{reason}");
            let noted = devices.first().map_or(Value::Null, |device| device["failure"].clone());
            assert_eq!(noted, failure, "{reason}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn an_expired_token_is_made_anew_at_once() {
        let (app, service, ada) = with_apns().await;
        service.answer_next(403, json!({"reason": "ExpiredProviderToken"}));
        service.answer_next(200, Value::Null);
        tell(&app, hello()).await;
        assert_eq!(service.taken().len(), 2);
        assert_eq!(devices(&app, &ada).await[0]["failure"], Value::Null);
    }

    /// Plain HTTP/2 is agreed on beforehand; inside TLS it is agreed on there, which only a real handshake shows.
    #[tokio::test(flavor = "multi_thread")]
    async fn http2_is_agreed_on_inside_tls() {
        let files = crate::tls::Files::named("localhost");
        let service = PushService::start_tls(&files.certificate(), &files.key()).await;
        let folder = tempfile::tempdir().unwrap();
        let certificate = files.certificate();
        let mut settings = settings(&service).to_vec();
        settings.push(("SSL_CERT_FILE", certificate.to_str().unwrap()));
        let database = crate::harness::fresh_database_url().await;
        let program = Program::start(&folder, &database, &settings);
        let token = crate::program::log_in(&program.client).await;
        let body = json!({"kind": "apns", "address": "ab".repeat(32)});
        let call = program.client.post("/api/auth/devices").token(&token).json(body);
        call.send().await.expect(201);
        // In the tests' own time zone it may be night.
        let body = json!({"quiet_from": "00:00", "quiet_until": "00:00"});
        let call = program.client.patch("/api/auth/push/settings").token(&token).json(body);
        call.send().await.expect(200);
        let call = program.client.post("/api/admin/push/messages").token(OPERATOR_TOKEN);
        call.json(hello()).send().await.expect(201);
        eventually(|| async { service.taken().pop() }).await;
    }
}
