//! Credentials for the chat network: issued at login, ended with the session, renamed with the user.

use serde_json::{Value, json};

use crate::harness::{Chatter, Network, TestApp, escape, together};

const PHONE: &str = "+447700900123";
const NOWHERE: (&str, &str) = ("TOUCHLINE_MATRIX__HOMESERVER_URL", "http://127.0.0.1:9");

#[tokio::test(flavor = "multi_thread")]
async fn a_login_gives_credentials_that_work() {
    let app = TestApp::new().await;
    let (fan, chatter) = app.chatter(PHONE).await;
    assert_eq!(chatter.id, format!("@{}:localhost", fan.username));
    let who = chatter.get("/account/whoami").await.expect(200).body;
    assert_eq!(who["user_id"], json!(chatter.id));
    assert_eq!(who["device_id"], json!(chatter.device));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_login_has_its_own_device() {
    let app = TestApp::new().await;
    let (_, first) = app.chatter(PHONE).await;
    let (_, second) = app.chatter(PHONE).await;
    assert_eq!(first.id, second.id);
    assert_ne!(first.device, second.device);
    assert!(first.is_logged_in().await && second.is_logged_in().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_access_token_is_kept() {
    let app = TestApp::new().await;
    let (_, chatter) = app.chatter(PHONE).await;
    assert!(!app.dump().await.contains(&chatter.token));
}

#[tokio::test(flavor = "multi_thread")]
async fn logging_out_ends_the_device_and_no_other() {
    let app = TestApp::new().await;
    let (fan, chatter) = app.chatter(PHONE).await;
    let (_, other) = app.chatter(PHONE).await;
    app.client.post("/api/auth/logout").token(&fan.token).send().await.expect(200);
    app.run_jobs().await;
    assert!(!chatter.is_logged_in().await);
    assert!(other.is_logged_in().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn revoking_the_other_sessions_ends_their_devices() {
    let app = TestApp::new().await;
    let (_, first) = app.chatter(PHONE).await;
    let (_, second) = app.chatter(PHONE).await;
    let (fan, third) = app.chatter(PHONE).await;
    app.client.delete("/api/auth/sessions").token(&fan.token).send().await.expect(200);
    app.run_jobs().await;
    let states =
        [first.is_logged_in().await, second.is_logged_in().await, third.is_logged_in().await];
    assert_eq!(states, [false, false, true]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_session_ends_its_device() {
    let app = TestApp::new().await;
    let (_, chatter) = app.chatter(PHONE).await;
    app.advance(91 * 24 * 3600);
    app.run_jobs().await;
    assert!(!chatter.is_logged_in().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_without_a_homeserver_succeeds_without_credentials() {
    let app = TestApp::with(&[NOWHERE]).await;
    let code = app.request_code(PHONE).await;
    let body = json!({"phone": PHONE, "code": code});
    let reply = app.client.post("/api/code/verify").json(body).send().await.expect(200);
    assert_eq!(reply.body["data"]["matrix_credentials"], Value::Null);
    let token = reply.body["data"]["token"].as_str().unwrap();
    let again = app.client.post("/api/auth/matrix-credentials").token(token).send().await;
    let again = again.expect_error(503, "chat_unavailable");
    assert!(again.header("retry-after").is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_waits_for_a_slow_homeserver_only_so_long() {
    // Accepts connections and never answers.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let app = TestApp::with(&[
        ("TOUCHLINE_MATRIX__HOMESERVER_URL", &url),
        ("TOUCHLINE_MATRIX__LOGIN_TIMEOUT_MS", "1500"),
    ])
    .await;
    let code = app.request_code(PHONE).await;
    let started = std::time::Instant::now();
    let body = json!({"phone": PHONE, "code": code});
    let reply = app.client.post("/api/code/verify").json(body).send().await.expect(200);
    assert_eq!(reply.body["data"]["matrix_credentials"], Value::Null);
    // Less than the five seconds that a call to the homeserver may take.
    assert!(started.elapsed().as_millis() < 4_500, "{:?}", started.elapsed());
    assert_eq!(app.count("SELECT count(*) FROM jobs WHERE kind = 'chat_account'").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn asking_again_gives_a_new_device_and_ends_the_old_one() {
    let app = TestApp::new().await;
    let (fan, chatter) = app.chatter(PHONE).await;
    let reply = app.client.post("/api/auth/matrix-credentials").token(&fan.token).send().await;
    let reply = reply.expect(200);
    let again = Chatter::of(&reply.body["data"]["matrix_credentials"], app.homeserver());
    app.run_jobs().await;
    assert_ne!(again.device, chatter.device);
    assert!(again.is_logged_in().await && !chatter.is_logged_in().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn logins_at_the_same_moment_all_get_credentials_of_one_account() {
    let app = TestApp::new().await;
    let (fan, _) = app.chatter(PHONE).await;
    let credentials = together(5, |_| async {
        let call = app.client.post("/api/auth/matrix-credentials").token(&fan.token);
        call.send().await.status
    });
    let statuses = credentials.await;
    assert!(statuses.contains(&200), "{statuses:?}");
    assert_eq!(app.count("SELECT count(*) FROM chat_accounts WHERE user_id IS NOT NULL").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_the_service_did_not_make_is_not_taken_over() {
    let app = TestApp::new().await;
    let stranger = app.app.chat.matrix.user_id("ada_fan").unwrap();
    app.app.chat.matrix.register(&stranger).await.unwrap();
    let code = app.request_code(PHONE).await;
    let body = json!({"phone": PHONE, "code": code, "username": "ada_fan"});
    let reply = app.client.post("/api/code/verify").json(body).send().await.expect(200);
    assert_eq!(reply.body["data"]["matrix_credentials"], Value::Null);
    app.run_failing_jobs().await;
    assert_eq!(
        app.texts("SELECT state FROM chat_accounts WHERE user_id IS NOT NULL").await,
        ["foreign"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_login_has_account_and_device_made_by_one_call() {
    let network = Network::start().await;
    let app = TestApp::with(&network.settings()).await;
    let (fan, chatter) = app.chatter(PHONE).await;
    assert!(chatter.is_logged_in().await);
    let calls = |path: &str| network.count_done(&[path, &fan.username]);
    assert_eq!((calls("/register"), calls("/login")), (1, 0));
    let (_, later) = app.chatter(PHONE).await;
    assert!(later.is_logged_in().await);
    assert_eq!((calls("/register"), calls("/login")), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_whose_first_login_was_cut_off_is_known_by_its_device() {
    let app = TestApp::new().await;
    let (_, cut_off) = app.chatter(PHONE).await;
    // As after a crash between the homeserver's answer and the note that the account is there.
    let forget = |tx: &mut touchline::platform::db::Tx| {
        tx.exec("UPDATE chat_accounts SET state = 'wanted' WHERE user_id IS NOT NULL", &[])
    };
    app.app.db.write(forget).await.unwrap();
    let (_, chatter) = app.chatter(PHONE).await;
    assert_eq!(chatter.id, cut_off.id);
    assert!(chatter.is_logged_in().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_display_name_follows_the_users_name() {
    let app = TestApp::new().await;
    let (fan, chatter) = app.chatter(PHONE).await;
    assert_eq!(chatter.display_name_of(&chatter.id).await, json!(fan.username));
    let body = json!({"name": "Ada Lovelace"});
    app.client
        .post("/api/auth/update-user-info")
        .token(&fan.token)
        .json(body)
        .send()
        .await
        .expect(200);
    app.run_jobs().await;
    assert_eq!(chatter.display_name_of(&chatter.id).await, "Ada Lovelace");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_username_brings_a_new_account_and_closes_the_old_one() {
    let app = TestApp::new().await;
    let (fan, old) = app.chatter(PHONE).await;
    let body = json!({"username": "ada_fan"});
    let call = app.client.post("/api/auth/update-user-info").token(&fan.token).json(body);
    let reply = call.send().await.expect(200);
    let new = Chatter::of(&reply.body["data"]["matrix_credentials"], app.homeserver());
    assert_eq!(new.id, "@ada_fan:localhost");
    assert!(new.is_logged_in().await);
    app.run_jobs().await;
    assert!(!old.is_logged_in().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_change_without_a_new_username_shows_no_credentials() {
    let app = TestApp::new().await;
    let (fan, _) = app.chatter(PHONE).await;
    let call = app.client.post("/api/auth/update-user-info").token(&fan.token);
    let reply = call.json(json!({"name": "Ada"})).send().await.expect(200);
    assert!(reply.body["data"].get("matrix_credentials").is_none(), "{}", reply.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_users_chat_account_is_closed() {
    let app = TestApp::new().await;
    let (fan, chatter) = app.chatter(PHONE).await;
    let (_, other) = app.chatter("+447700900124").await;
    app.client.delete("/api/auth/me").token(&fan.token).send().await.expect(200);
    app.run_jobs().await;
    assert!(!chatter.is_logged_in().await);
    let profile = other.get(&format!("/profile/{}", escape(&chatter.id))).await;
    assert_eq!(profile.body["displayname"], Value::Null, "{}", profile.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_takes_a_freed_username_gets_a_chat_account_of_their_own() {
    let app = TestApp::new().await;
    let choose = async |fan: &crate::harness::Fan| {
        let call = app.client.post("/api/auth/update-user-info").token(&fan.token);
        let reply = call.json(json!({"username": "ada_fan"})).send().await.expect(200);
        reply.body["data"]["matrix_credentials"]["user_id"].as_str().unwrap().to_owned()
    };
    let (first, _) = app.chatter(PHONE).await;
    let firsts_id = choose(&first).await;
    app.client.delete("/api/auth/me").token(&first.token).send().await.expect(200);
    app.run_jobs().await;
    // Earlier releases gave such a name to whoever asked for it.
    let reopen =
        |tx: &mut touchline::platform::db::Tx| tx.exec("DELETE FROM closed_usernames", &[]);
    app.app.db.write(reopen).await.unwrap();
    let (second, _) = app.chatter("+447700900124").await;
    let seconds_id = choose(&second).await;
    assert!(firsts_id.starts_with("@ada_fan:"), "{firsts_id}");
    assert!(seconds_id.starts_with("@ada_fan="), "{seconds_id}");
}

#[tokio::test(flavor = "multi_thread")]
async fn matrix_clients_are_told_which_homeserver_to_use() {
    let app = TestApp::new().await;
    let reply = app.client.get("/.well-known/matrix/client").send().await.expect(200);
    assert_eq!(reply.body["m.homeserver"]["base_url"], json!(app.homeserver()));
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
}

#[tokio::test(flavor = "multi_thread")]
async fn readiness_tells_of_a_homeserver_that_is_away() {
    let app = TestApp::new().await;
    let ready = app.client.get("/readyz").send().await.expect(200);
    assert_eq!(
        (&ready.body["status"], &ready.body["checks"]["homeserver"]),
        (&json!("ready"), &json!("ok"))
    );
    let app = TestApp::with(&[NOWHERE]).await;
    let ready = app.client.get("/readyz").send().await.expect(200);
    assert_eq!(ready.body["status"], "degraded");
    assert_eq!(ready.body["checks"]["homeserver"], "unavailable");
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_matrix_paths_have_matrixs_own_errors() {
    let app = TestApp::new().await;
    for path in ["/_matrix/client/v3/nothing", "/_matrix/app/v1/nothing"] {
        let reply = app.client.get(path).send().await.expect(404);
        assert_eq!(reply.body["errcode"], "M_UNRECOGNIZED", "{path}: {}", reply.text);
    }
}
