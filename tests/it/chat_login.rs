//! Logging in from any Matrix client by the pages at `/sign-in`, as a client and a browser without scripts do it.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Call, Chatter, Fan, OPERATOR_TOKEN, Reply, TestApp, escape, together};

const PHONE: &str = "+447700900123";
const OTHER_PHONE: &str = "+447700900124";
/// Where the client waits for its user: a program on the device, as nheko and others do it.
const BACK: &str = "http://localhost:41273/?state=1";
const STAGING: (&str, &str) = ("TOUCHLINE_ENVIRONMENT", "staging");
const LOGIN: &str = "/_matrix/client/v3/login";
const KEYS: &str = "/keys/device_signing/upload";

async fn post(app: &TestApp, step: &str, fields: &[(&str, &str)]) -> Reply {
    app.client.post(&format!("/sign-in{step}")).form(fields).send().await
}

async fn ask_for_code(app: &TestApp, phone: &str) -> Reply {
    post(app, "/code", &[("redirectUrl", BACK), ("phone", phone)]).await
}

async fn enter(app: &TestApp, phone: &str, code: &str) -> Reply {
    post(app, "/enter", &[("redirectUrl", BACK), ("phone", phone), ("code", code)]).await
}

/// The text between two others.
fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before} in {text}"));
    rest.split_once(after).unwrap().0
}

/// The login token of the last page's one link.
fn token_of(page: &Reply) -> String {
    let link = between(&page.text, "rel=\"noreferrer\" href=\"", "\"");
    link.split_once("loginToken=").unwrap_or_else(|| panic!("{link}")).1.to_owned()
}

/// Goes through the forms, and answers the login token.
async fn sign_in(app: &TestApp, phone: &str) -> String {
    ask_for_code(app, phone).await.expect(200);
    let code = app.last_code(phone).await;
    token_of(&enter(app, phone, &code).await.expect(200))
}

fn redemption(token: &str) -> Value {
    json!({"type": "m.login.token", "token": token,
           "initial_device_display_name": "nheko on a laptop"})
}

async fn redeem(app: &TestApp, body: Value) -> Reply {
    app.client.post(LOGIN).json(body).send().await
}

/// Signs in, and is on the chat network.
async fn client_of(app: &TestApp, phone: &str) -> Chatter {
    let token = sign_in(app, phone).await;
    let reply = redeem(app, redemption(&token)).await.expect(200);
    Chatter::of(&reply.body, app.homeserver())
}

async fn sessions(app: &TestApp, fan: &Fan) -> Vec<Value> {
    let reply = app.client.get("/api/auth/sessions").token(&fan.token).send().await.expect(200);
    reply.body["data"].as_array().unwrap().clone()
}

async fn ban(app: &TestApp, fan: &Fan) {
    let path = format!("/api/admin/users/{}/ban", fan.id);
    let call = app.client.post(&path).token(OPERATOR_TOKEN).json(json!({"reason": "Insults"}));
    call.send().await.expect(200);
}

fn keys(user: &Chatter, public: &str) -> Value {
    let key = |usage: &str| json!({"user_id": user.id, "usage": [usage], "keys": {format!("ed25519:{usage}{public}"): public}});
    json!({"master_key": key("master"), "self_signing_key": key("self_signing"),
           "user_signing_key": key("user_signing")})
}

fn with_proof(mut keys: Value, session: &str) -> Value {
    keys["auth"] = json!({"session": session});
    keys
}

/// Has keys, asks for others, and answers the name under which that waits.
async fn begin_reset(client: &Chatter) -> String {
    client.post(KEYS, keys(client, "A")).await.expect(200);
    let asked = client.post(KEYS, keys(client, "B")).await.expect(401);
    asked.body["session"].as_str().unwrap().to_owned()
}

mod needs_embedded {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn somebody_new_gets_from_a_clients_first_screen_to_a_message_without_scripts() {
        let app = TestApp::new().await;
        let flows = app.client.get(LOGIN).send().await.expect(200).body["flows"].clone();
        let offers = |kind: &str| flows.as_array().unwrap().iter().any(|flow| flow["type"] == kind);
        assert!(offers("m.login.sso") && offers("m.login.token"), "{flows}");
        // The browser follows to the page.
        let path = format!("{LOGIN}/sso/redirect?redirectUrl={}", escape(BACK));
        let page = app.client.get(&path).send().await.expect(200);
        assert!(page.text.contains("action=\"/sign-in/code\""), "{}", page.text);
        assert!(page.text.contains("http://localhost:41273"), "{}", page.text);
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("script"), "{policy}");
        assert!(policy.contains("form-action 'self'") && policy.contains("frame-ancestors 'none'"));
        assert_eq!(page.header("cache-control"), Some("no-store"));
        assert!(!page.text.contains("<script"), "{}", page.text);
        let page = ask_for_code(&app, PHONE).await.expect(200);
        assert_eq!(between(&page.text, "name=\"phone\" value=\"", "\""), PHONE);
        let code = app.last_code(PHONE).await;
        let page = enter(&app, PHONE, &code).await.expect(200);
        assert!(page.text.contains("Continue to http://localhost:41273?"), "{}", page.text);
        assert!(page.text.contains("A program on this device"), "{}", page.text);
        let link = between(&page.text, "rel=\"noreferrer\" href=\"", "\"");
        assert!(link.starts_with("http://localhost:41273/?state=1&amp;loginToken=tlin_"), "{link}");
        let reply = redeem(&app, redemption(&token_of(&page))).await.expect(200);
        let client = Chatter::of(&reply.body, app.homeserver());
        let room = client.post("/createRoom", json!({"preset": "public_chat"})).await.expect(200);
        client.say(room.body["room_id"].as_str().unwrap(), "Two nil!").await;
        assert_eq!(app.count("SELECT count(*) FROM users").await, 1);
        assert_eq!(app.count("SELECT count(*) FROM login_tokens").await, 0);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_session_of_a_client_is_one_of_the_users_and_ends_as_any_other() {
        let app = TestApp::new().await;
        let fan = app.log_in(PHONE).await;
        let client = client_of(&app, PHONE).await;
        assert_eq!(client.id, format!("@{}:localhost", fan.username));
        let device = client.get(&format!("/devices/{}", client.device)).await.expect(200);
        assert_eq!(device.body["display_name"], "nheko on a laptop");
        let listed = sessions(&app, &fan).await;
        assert_eq!(listed.len(), 2);
        assert_eq!(listed[0]["device_name"], "nheko on a laptop");
        let path = format!("/api/auth/sessions/{}", listed[0]["id"]);
        app.client.delete(&path).token(&fan.token).send().await.expect(200);
        app.run_jobs().await;
        assert!(!client.is_logged_in().await);
        let other = client_of(&app, PHONE).await;
        app.client.delete("/api/auth/sessions").token(&fan.token).send().await.expect(200);
        app.run_jobs().await;
        assert!(!other.is_logged_in().await);
        let last = client_of(&app, PHONE).await;
        ban(&app, &fan).await;
        app.run_jobs().await;
        assert!(!last.is_logged_in().await);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_client_that_is_used_every_day_stays_in_as_long_as_any_session_may() {
        let app = TestApp::with(&[
            ("TOUCHLINE_SESSIONS__IDLE_DAYS", "10"),
            ("TOUCHLINE_SESSIONS__MAX_DAYS", "30"),
        ])
        .await;
        let client = client_of(&app, PHONE).await;
        app.advance(29 * 24 * 3_600);
        app.run_jobs().await;
        assert!(client.is_logged_in().await);
        app.advance(2 * 24 * 3_600);
        app.run_jobs().await;
        app.run_jobs().await;
        assert!(!client.is_logged_in().await);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_client_gets_the_device_id_it_asks_for_unless_that_is_somebody_already() {
        let app = TestApp::new().await;
        let mut body = redemption(&sign_in(&app, PHONE).await);
        body["device_id"] = "LAPTOP".into();
        let first = redeem(&app, body).await.expect(200);
        assert_eq!(first.body["device_id"], "LAPTOP");
        let mut body = redemption(&sign_in(&app, PHONE).await);
        body["device_id"] = "LAPTOP".into();
        let second = redeem(&app, body).await.expect(200);
        assert_ne!(second.body["device_id"], "LAPTOP");
        assert!(Chatter::of(&first.body, app.homeserver()).is_logged_in().await);
        let mut body = redemption(&sign_in(&app, PHONE).await);
        body["device_id"] = "a\u{0}b".into();
        body["initial_device_display_name"] = " my\u{202e} lap\u{0}top ".into();
        let third = redeem(&app, body).await.expect(200);
        assert!(third.body["device_id"].as_str().unwrap().starts_with("TL"), "{}", third.body);
        let third = Chatter::of(&third.body, app.homeserver());
        let device = third.get(&format!("/devices/{}", third.device)).await.expect(200);
        assert_eq!(device.body["display_name"], "my laptop");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn of_many_who_come_with_one_login_token_one_gets_in() {
        let app = TestApp::new().await;
        let fan = app.log_in(PHONE).await;
        let token = sign_in(&app, PHONE).await;
        let replies = together(8, |_| redeem(&app, redemption(&token))).await;
        let let_in = replies.iter().filter(|reply| reply.status == 200).count();
        assert_eq!(let_in, 1);
        for reply in replies.iter().filter(|reply| reply.status != 200) {
            assert_eq!((reply.status, &reply.body["errcode"]), (403, &json!("M_FORBIDDEN")));
        }
        assert_eq!(sessions(&app, &fan).await.len(), 2);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_login_token_is_good_for_two_minutes_and_is_kept_as_a_hash() {
        let app = TestApp::new().await;
        let (early, late) = (sign_in(&app, PHONE).await, sign_in(&app, PHONE).await);
        assert!(!app.dump().await.contains(&early));
        app.advance(119);
        redeem(&app, redemption(&early)).await.expect(200);
        app.advance(1);
        redeem(&app, redemption(&late)).await.expect(403);
        app.advance(601);
        app.run_jobs().await;
        assert_eq!(app.count("SELECT count(*) FROM login_tokens").await, 0);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_login_token_survives_a_restart_of_whoever_made_it() {
        let app = TestApp::new().await;
        let token = sign_in(&app, PHONE).await;
        let after = app.another_node().await;
        redeem(&after, redemption(&token)).await.expect(200);
        redeem(&app, redemption(&token)).await.expect(403);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn no_other_token_is_a_login_token_and_it_is_no_other() {
        let app = TestApp::new().await;
        let fan = app.log_in(PHONE).await;
        let token = sign_in(&app, PHONE).await;
        let me = app.client.get("/api/auth/me").token(&token).send().await;
        me.expect_error(401, "unauthenticated");
        let mut wrong = token.clone();
        wrong.replace_range(10..11, if &token[10..11] == "a" { "b" } else { "a" });
        for other in ["", "x", &fan.token, &wrong, "tlin_", "\u{0}"] {
            let reply = redeem(&app, redemption(other)).await;
            assert_eq!(reply.status, 403, "{other}: {}", reply.text);
        }
        redeem(&app, redemption(&token)).await.expect(200);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn guessing_login_tokens_is_slowed_down_for_an_address() {
        let app = TestApp::new().await;
        let mut refused = 0;
        for number in 0..130 {
            let guess = format!("tlin_{number:036}");
            let reply = redeem(&app, redemption(&guess)).await;
            match reply.status {
                403 => {}
                429 => refused += 1,
                status => panic!("{status}: {}", reply.text),
            }
        }
        assert!(refused > 0);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_token_of_somebody_who_was_banned_or_left_meanwhile_lets_nobody_in() {
        let app = TestApp::new().await;
        let (fan, leaver) = (app.log_in(PHONE).await, app.log_in(OTHER_PHONE).await);
        let (banned, gone) = (sign_in(&app, PHONE).await, sign_in(&app, OTHER_PHONE).await);
        ban(&app, &fan).await;
        let reply = redeem(&app, redemption(&banned)).await.expect(403);
        assert!(reply.body["error"].as_str().unwrap().contains("banned"), "{}", reply.text);
        app.client.delete("/api/auth/me").token(&leaver.token).send().await.expect(200);
        assert_eq!(app.count("SELECT count(*) FROM login_tokens").await, 0);
        redeem(&app, redemption(&gone)).await.expect(403);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn whoever_ends_all_other_sessions_keeps_out_who_is_on_the_way_in() {
        let app = TestApp::new().await;
        let fan = app.log_in(PHONE).await;
        let token = sign_in(&app, PHONE).await;
        app.client.delete("/api/auth/sessions").token(&fan.token).send().await.expect(200);
        redeem(&app, redemption(&token)).await.expect(403);
        let token = sign_in(&app, PHONE).await;
        let path = format!("/api/admin/users/{}/sessions/end", fan.id);
        app.client.post(&path).token(OPERATOR_TOKEN).send().await.expect(200);
        redeem(&app, redemption(&token)).await.expect(403);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn somebody_banned_is_told_so_on_the_page() {
        let app = TestApp::new().await;
        let fan = app.log_in(PHONE).await;
        ban(&app, &fan).await;
        ask_for_code(&app, PHONE).await.expect(200);
        let code = app.last_code(PHONE).await;
        let page = enter(&app, PHONE, &code).await.expect(403);
        assert!(page.text.contains("This account is banned."), "{}", page.text);
        assert!(!page.text.contains("loginToken"), "{}", page.text);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn codes_are_sent_and_tried_by_the_same_rules_as_by_the_api() {
        let app = TestApp::with(&[("TOUCHLINE_LOGIN__SENDS_PER_10_MINUTES", "3")]).await;
        ask_for_code(&app, PHONE).await.expect(200);
        app.request_code(PHONE).await;
        ask_for_code(&app, PHONE).await.expect(200);
        let page = ask_for_code(&app, PHONE).await.expect(429);
        assert!(page.text.contains("Too many requests") && page.header("retry-after").is_some());
        let by_api =
            app.client.post("/api/code/request").json(json!({"phone": PHONE})).send().await;
        by_api.expect_error(429, "phone_send_limit");
        let code = app.last_code(PHONE).await;
        let wrong = if code == "000000" { "000001" } else { "000000" };
        for _ in 0..3 {
            let page = enter(&app, PHONE, wrong).await.expect(401);
            assert!(page.text.contains("The code is wrong or has expired."), "{}", page.text);
        }
        // Two more at the other door, and the right one is worth nothing at either.
        for _ in 0..2 {
            let body = json!({"phone": PHONE, "code": wrong});
            app.client.post("/api/code/verify").json(body).send().await.expect(401);
        }
        enter(&app, PHONE, &code).await.expect(401);
        assert_eq!(app.count("SELECT count(*) FROM users").await, 0);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn ten_wrong_codes_on_the_page_lock_the_phone_and_an_address_tries_thirty() {
        let app = TestApp::with(&[
            STAGING,
            ("TOUCHLINE_LOGIN__WRONG_CODES_PER_ADDRESS_IN_5_MINUTES", "12"),
        ])
        .await;
        let phone = TestApp::phone(10_000);
        for _ in 0..2 {
            ask_for_code(&app, &phone).await.expect(200);
            let code = app.last_code(&phone).await;
            let wrong = if code == "000000" { "000001" } else { "000000" };
            for _ in 0..5 {
                enter(&app, &phone, wrong).await.expect(401);
            }
        }
        ask_for_code(&app, &phone).await.expect(200);
        let code = app.last_code(&phone).await;
        enter(&app, &phone, if code == "000000" { "000001" } else { "000000" }).await.expect(429);
        for status in [401, 401, 429] {
            enter(&app, &TestApp::phone(20_000), "000000").await.expect(status);
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_form_that_was_sent_before_is_a_wrong_code_the_second_time() {
        let app = TestApp::new().await;
        ask_for_code(&app, PHONE).await.expect(200);
        let code = app.last_code(PHONE).await;
        enter(&app, PHONE, &code).await.expect(200);
        enter(&app, PHONE, &code).await.expect(401);
        assert_eq!(app.count("SELECT count(*) FROM login_tokens").await, 1);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_is_wrong_with_a_form_is_said_on_the_page_and_changes_nothing() {
        let app = TestApp::new().await;
        let page = ask_for_code(&app, "<b>not a phone</b>").await.expect(422);
        assert!(page.text.contains("value=\"&lt;b&gt;not a phone&lt;/b&gt;\""), "{}", page.text);
        assert!(!page.text.contains("<b>not"), "{}", page.text);
        enter(&app, PHONE, "letters").await.expect(422);
        enter(&app, "nobody", "123456").await.expect(422);
        let json = app.client.post("/sign-in/code").json(json!({"phone": PHONE})).send().await;
        json.expect(415);
        let long = "x".repeat(20_000);
        ask_for_code(&app, &long).await.expect(413);
        for step in ["/code", "/enter", "/reset/code", "/reset/confirm"] {
            app.client.get(&format!("/sign-in{step}")).send().await.expect(400);
        }
        assert_eq!(app.count("SELECT count(*) FROM sms_log").await, 0);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn nobody_is_sent_to_an_address_that_runs_or_pretends_something() {
        let app = TestApp::new().await;
        for bad in [
            "javascript:alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "file:///etc/passwd",
            "vbscript:x",
            "blob:http://x/1",
            "about:blank",
            "/relative",
            "//evil.example",
            "https://touchline.example@evil.example/",
            "https://evil.example\u{202e}elpmaxe",
            "",
        ] {
            let query = format!("/sign-in?redirectUrl={}", escape(bad));
            let page = app.client.get(&query).send().await.expect(400);
            assert!(page.text.contains("leads back to no app"), "{}", page.text);
            post(&app, "/code", &[("redirectUrl", bad), ("phone", PHONE)]).await.expect(400);
            let fields = [("redirectUrl", bad), ("phone", PHONE), ("code", "123456")];
            post(&app, "/enter", &fields).await.expect(400);
        }
        assert_eq!(app.count("SELECT count(*) FROM sms_log").await, 0);
        // An honest address is shown by its host, whatever stands before and behind it, and nothing in it is markup.
        let odd = "https://evil.example/\"><script>alert(1)</script>#https://touchline.example";
        let page = app.client.get(&format!("/sign-in?redirectUrl={}", escape(odd))).send().await;
        let page = page.expect(200);
        assert!(page.text.contains("<b>https://evil.example</b>"), "{}", page.text);
        assert!(!page.text.contains("<script"), "{}", page.text);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_form_of_another_site_sends_no_code_and_lets_nobody_in() {
        let app = TestApp::new().await;
        let code = app.request_code(PHONE).await;
        let here = app.client.base().to_owned();
        let fields = [("redirectUrl", BACK), ("phone", PHONE), ("code", &code)];
        for (name, value, status) in [
            ("sec-fetch-site", "cross-site", 403),
            ("sec-fetch-site", "same-site", 403),
            ("origin", "https://evil.example", 403),
            ("origin", "null", 403),
            ("origin", "http://127.0.0.1:1", 403),
            ("origin", &here, 200),
        ] {
            for step in ["code", "enter"] {
                let call = |call: Call| call.header(name, value).form(&fields).send();
                let reply = call(app.client.post(&format!("/sign-in/{step}"))).await;
                assert_eq!(reply.status, status, "{name} {value} {step}: {}", reply.text);
                assert_eq!(reply.text.contains("loginToken"), status == 200 && step == "enter");
            }
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_page_speaks_the_language_of_its_reader() {
        let app = TestApp::new().await;
        let path = format!("/sign-in?redirectUrl={}", escape("im.fluffychat://login"));
        let page =
            app.client.get(&path).header("accept-language", "de-AT").send().await.expect(200);
        assert!(page.text.contains("<html lang=\"de\">"), "{}", page.text);
        assert!(page.text.contains("Mit dem Telefon anmelden"), "{}", page.text);
        assert!(page.text.contains("<b>im.fluffychat</b>"), "{}", page.text);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn an_operator_can_do_without_the_page() {
        let app = TestApp::with(&[("TOUCHLINE_MATRIX__SIGN_IN_PAGE", "false")]).await;
        let flows = app.client.get(LOGIN).send().await.expect(200).body["flows"].clone();
        assert_eq!(flows, json!([{"type": "m.login.application_service"}]));
        let path = format!("?redirectUrl={}", escape(BACK));
        app.client.get(&format!("/sign-in{path}")).send().await.expect(404);
        app.client.get(&format!("{LOGIN}/sso/redirect{path}")).send().await.expect(404);
        let (_, client) = app.chatter(PHONE).await;
        client.post(KEYS, keys(&client, "A")).await.expect(200);
        client.post(KEYS, keys(&client, "B")).await.expect(403);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_new_identity_is_taken_after_a_code_of_the_accounts_own_phone_and_once() {
        let app = TestApp::new().await;
        let (fan, client) = app.chatter(PHONE).await;
        let session = begin_reset(&client).await;
        let path = format!("/auth/m.login.sso/fallback/web?session={session}");
        let page = client.call(Method::GET, &path).send().await.expect(200);
        assert!(page.text.contains(&fan.username) && page.text.contains("123"), "{}", page.text);
        assert!(!page.text.contains(PHONE) && !page.text.contains("00900123"), "{}", page.text);
        post(&app, "/reset/code", &[("session", &session)]).await.expect(200);
        client.post(KEYS, with_proof(keys(&client, "B"), &session)).await.expect(401);
        let code = app.last_code(PHONE).await;
        let wrong = if code == "000000" { "000001" } else { "000000" };
        post(&app, "/reset/confirm", &[("session", &session), ("code", wrong)]).await.expect(401);
        client.post(KEYS, with_proof(keys(&client, "B"), &session)).await.expect(401);
        let fields = [("session", session.as_str()), ("code", &code)];
        post(&app, "/reset/confirm", &fields).await.expect(200);
        post(&app, "/reset/confirm", &fields).await.expect(404);
        let (_, other) = app.chatter(PHONE).await;
        other.post(KEYS, with_proof(keys(&other, "B"), &session)).await.expect(401);
        client.post(KEYS, with_proof(keys(&client, "C"), &session)).await.expect(401);
        client.post(KEYS, with_proof(keys(&client, "B"), &session)).await.expect(200);
        client.post(KEYS, with_proof(keys(&client, "A"), &session)).await.expect(401);
        let ask = json!({"device_keys": {&client.id: []}});
        let found = client.post("/keys/query", ask).await.expect(200);
        assert!(found.body["master_keys"].to_string().contains("masterB"), "{}", found.body);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_code_of_another_phone_confirms_nothing() {
        let app = TestApp::new().await;
        let (_, client) = app.chatter(PHONE).await;
        let session = begin_reset(&client).await;
        // Somebody else's code is no code for this account's phone, whatever the form says.
        let code = app.request_code(OTHER_PHONE).await;
        let fields = [("session", session.as_str()), ("phone", OTHER_PHONE), ("code", &code)];
        let status = post(&app, "/reset/confirm", &fields).await.status;
        assert_eq!(status, 401);
        client.post(KEYS, with_proof(keys(&client, "B"), &session)).await.expect(401);
        for call in
            [app.client.post("/sign-in/reset/code"), app.client.post("/sign-in/reset/confirm")]
        {
            let call = call.header("sec-fetch-site", "cross-site");
            call.form(&[("session", &session), ("code", "123456")]).send().await.expect(403);
        }
        post(&app, "/reset/code", &[("session", "made up")]).await.expect(404);
        app.client.get("/sign-in/reset?session=made-up").send().await.expect(404);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_reset_that_is_not_confirmed_in_time_is_over() {
        let app = TestApp::new().await;
        let (_, client) = app.chatter(PHONE).await;
        let session = begin_reset(&client).await;
        app.advance(600);
        let path = format!("/sign-in/reset?session={session}");
        app.client.get(&path).send().await.expect(404);
        let code = app.request_code(PHONE).await;
        let fields = [("session", session.as_str()), ("code", &code)];
        post(&app, "/reset/confirm", &fields).await.expect(404);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn with_another_homeserver_there_is_no_page() {
    let app = TestApp::with(&[("TOUCHLINE_MATRIX__HOMESERVER_URL", "http://127.0.0.1:9")]).await;
    app.client.get(&format!("/sign-in?redirectUrl={}", escape(BACK))).send().await.expect(404);
    ask_for_code(&app, PHONE).await.expect(404);
}
