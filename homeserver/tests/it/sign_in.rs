//! Signing in through pages of whoever embeds the homeserver, and the proof that replacing cross-signing keys needs.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use http::Request;
use reqwest::redirect::Policy;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use touchline_homeserver::{
    Door, Rate, Redeemed, Redemption, Refusal, SignIn, SignInDesk, SignedIn,
};

use crate::app::{AS_TOKEN, Options, TestServer, User, escape};

const LOGIN: &str = "/_matrix/client/v3/login";
const KEYS: &str = "/keys/device_signing/upload";

/// Knows one token, ann's, and counts how often it was asked.
struct Desk {
    door: Door,
    asked: AtomicUsize,
}

impl Desk {
    /// Offered by the server for as long as it is kept.
    fn at(server: &TestServer) -> Arc<Self> {
        let desk = Arc::new(Self { door: server.homeserver.door(), asked: AtomicUsize::new(0) });
        let weak: Weak<Self> = Arc::downgrade(&desk);
        server.homeserver.offer_sign_in(SignIn {
            page: "http://touchline.test/sign-in".to_owned(),
            reset_page: "http://touchline.test/sign-in/reset".to_owned(),
            desk: weak,
        });
        desk
    }

    async fn log_in(&self, asked: Redemption) -> SignedIn {
        let device = asked.device_id.unwrap_or_else(|| "DRAWN".to_owned());
        let body = json!({"type": "m.login.application_service", "device_id": device,
                          "identifier": {"type": "m.id.user", "user": "ann"},
                          "initial_device_display_name": asked.device_name});
        let request = Request::post(LOGIN).header("authorization", format!("Bearer {AS_TOKEN}"));
        let request = request.body(body.to_string().into_bytes()).unwrap();
        let answer = self.door.call(request, 65_536).await.unwrap().into_body();
        let answer: Value = serde_json::from_slice(&answer).unwrap();
        let text = |name: &str| answer[name].as_str().unwrap().to_owned();
        let (user_id, access_token) = (text("user_id"), text("access_token"));
        SignedIn { user_id, access_token, device_id: text("device_id") }
    }
}

impl SignInDesk for Desk {
    fn redeem(&self, redemption: Redemption) -> Redeemed<'_> {
        Box::pin(async move {
            self.asked.fetch_add(1, Ordering::Relaxed);
            match redemption.token.as_str() {
                "anns" => Ok(self.log_in(redemption).await),
                "banned" => Err(Refusal::Banned),
                "away" => Err(Refusal::Away),
                _ => Err(Refusal::Unknown),
            }
        })
    }
}

/// The status of a page that is asked for, and where it leads.
async fn ask(server: &TestServer, path: &str) -> (u16, String) {
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).redirect(Policy::none());
    let url = format!("{}{path}", server.base);
    let answer = client.build().unwrap().get(url).send().await.unwrap();
    let to = answer.headers().get("location").map(|to| to.to_str().unwrap().to_owned());
    (answer.status().as_u16(), to.unwrap_or_default())
}

async fn redeem(server: &TestServer, body: Value) -> (StatusCode, Value) {
    server.call(Method::POST, LOGIN, None, Some(body)).await
}

fn token(token: &str) -> Value {
    json!({"type": "m.login.token", "token": token})
}

#[tokio::test]
async fn a_homeserver_without_a_page_offers_no_way_in_and_has_none() {
    let server = TestServer::new().await;
    let (_, flows) = server.call(Method::GET, LOGIN, None, None).await;
    assert_eq!(flows, json!({"flows": [{"type": "m.login.application_service"}]}));
    let path = format!("{LOGIN}/sso/redirect?redirectUrl=http%3A%2F%2Flocalhost%2F");
    assert_eq!(ask(&server, &path).await.0, 404);
    let path = "/_matrix/client/v3/auth/m.login.sso/fallback/web?session=x";
    assert_eq!(ask(&server, path).await.0, 404);
    let (status, answer) = redeem(&server, token("anns")).await;
    assert_eq!((status.as_u16(), &answer["errcode"]), (400, &json!("M_UNKNOWN")));
}

#[tokio::test]
async fn a_client_is_offered_the_page_and_led_to_it() {
    let server = TestServer::new().await;
    let _desk = Desk::at(&server);
    let (_, answer) = server.call(Method::GET, LOGIN, None, None).await;
    let kinds: Vec<&Value> =
        answer["flows"].as_array().unwrap().iter().map(|flow| &flow["type"]).collect();
    assert_eq!(kinds, ["m.login.sso", "m.login.token", "m.login.application_service"]);
    let provider = answer["flows"][0]["identity_providers"][0]["id"].as_str().unwrap();
    let wanted = "https://app.example/?a=1&b=2#top";
    for middle in [String::new(), format!("/{provider}")] {
        let path = format!("{LOGIN}/sso/redirect{middle}?redirectUrl={}", escape(wanted));
        let (status, to) = ask(&server, &path).await;
        assert_eq!(status, 302);
        assert_eq!(to, format!("http://touchline.test/sign-in?redirectUrl={}", escape(wanted)));
    }
    let path = format!("{LOGIN}/sso/redirect/other?redirectUrl={}", escape(wanted));
    assert_eq!(ask(&server, &path).await.0, 404);
}

#[tokio::test]
async fn nobody_is_led_anywhere_with_an_address_that_runs_something() {
    let server = TestServer::new().await;
    let _desk = Desk::at(&server);
    for bad in [
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "/relative",
        "https://touchline.test@evil.example/",
    ] {
        let path = format!("{LOGIN}/sso/redirect?redirectUrl={}", escape(bad));
        assert_eq!(ask(&server, &path).await, (400, String::new()), "{bad}");
    }
    assert_eq!(ask(&server, &format!("{LOGIN}/sso/redirect")).await.0, 400);
}

#[tokio::test]
async fn a_login_token_makes_a_session_on_the_device_that_was_asked_for() {
    let server = TestServer::new().await;
    let desk = Desk::at(&server);
    let ann = server.user("ann").await;
    let mut body = token("anns");
    body["device_id"] = "PHONE".into();
    body["initial_device_display_name"] = "nheko on a laptop".into();
    let (status, answer) = redeem(&server, body).await;
    assert_eq!((status.as_u16(), &answer["user_id"]), (200, &json!(ann.id)), "{answer}");
    assert_eq!(answer["well_known"]["m.homeserver"]["base_url"], "http://test.local");
    let new = answer["access_token"].as_str();
    let path = "/_matrix/client/v3/account/whoami";
    let (_, who) = server.call(Method::GET, path, new, None).await;
    assert_eq!((&who["user_id"], &who["device_id"]), (&json!(ann.id), &json!("PHONE")));
    let device = ann.get("/devices/PHONE").await;
    assert_eq!(device["display_name"], "nheko on a laptop");
    drop(desk);
    assert_eq!(redeem(&server, token("anns")).await.0, 400, "nobody is behind the page any more");
}

#[tokio::test]
async fn a_login_token_that_is_refused_says_why_and_no_more() {
    let server = TestServer::new().await;
    let _desk = Desk::at(&server);
    for (name, status, code) in [
        ("unknown", 403, "M_FORBIDDEN"),
        ("banned", 403, "M_FORBIDDEN"),
        ("away", 503, "M_UNKNOWN"),
    ] {
        let (found, answer) = redeem(&server, token(name)).await;
        assert_eq!((found.as_u16(), answer["errcode"].as_str()), (status, Some(code)), "{name}");
    }
    let (_, answer) = redeem(&server, token("banned")).await;
    assert!(answer["error"].as_str().unwrap().contains("banned"), "{answer}");
}

#[tokio::test]
async fn what_is_wrong_with_a_login_is_said_before_the_token_is_used_up() {
    let server = TestServer::new().await;
    let desk = Desk::at(&server);
    let long = "x".repeat(300);
    for (field, value) in
        [("token", &long), ("device_id", &long), ("initial_device_display_name", &long)]
    {
        let mut body = token("anns");
        body[field] = value.as_str().into();
        let (status, answer) = redeem(&server, body).await;
        assert_eq!((status.as_u16(), &answer["errcode"]), (413, &json!("M_TOO_LARGE")), "{field}");
    }
    assert_eq!(desk.asked.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn login_tokens_can_be_tried_so_often_from_an_address() {
    let sign_in_rate = Rate { count: 1, seconds: 1, burst: 3 };
    let address = Some("2001:db8::7".parse().unwrap());
    let server = TestServer::with(Options { address, sign_in_rate, ..Options::default() }).await;
    let desk = Desk::at(&server);
    let mut answers = Vec::new();
    for _ in 0..5 {
        answers.push(redeem(&server, token("guess")).await.0.as_u16());
    }
    assert_eq!(answers, [403, 403, 403, 429, 429]);
    assert_eq!(desk.asked.load(Ordering::Relaxed), 3);
    server.pass(1_000);
    assert_eq!(redeem(&server, token("guess")).await.0, 403);
}

fn keys(user: &User<'_>, public: &str) -> Value {
    let key = |usage: &str| json!({"user_id": user.id, "usage": [usage], "keys": {format!("ed25519:{usage}{public}"): public}});
    json!({"master_key": key("master"), "self_signing_key": key("self_signing"),
           "user_signing_key": key("user_signing")})
}

fn with_proof(mut keys: Value, session: &str) -> Value {
    keys["auth"] = json!({"session": session});
    keys
}

/// Asks for other keys, and answers the name under which that waits to be confirmed.
async fn begin(user: &User<'_>, keys: Value) -> String {
    let (status, answer) = user.try_call(Method::POST, KEYS, Some(keys)).await;
    assert_eq!(status, 401, "{answer}");
    assert_eq!(answer["flows"], json!([{"stages": ["m.login.sso"]}]));
    answer["session"].as_str().unwrap().to_owned()
}

async fn try_keys(user: &User<'_>, keys: Value) -> u16 {
    user.try_call(Method::POST, KEYS, Some(keys)).await.0.as_u16()
}

async fn master(user: &User<'_>) -> String {
    let found = user.post("/keys/query", json!({"device_keys": {&user.id: []}})).await;
    found["master_keys"][&user.id]["keys"].to_string()
}

#[tokio::test]
async fn keys_are_replaced_once_their_owner_has_confirmed_it_and_only_once() {
    let server = TestServer::new().await;
    let _desk = Desk::at(&server);
    let ann = server.user("ann").await;
    ann.post(KEYS, keys(&ann, "A")).await;
    ann.post(KEYS, keys(&ann, "A")).await;
    let session = begin(&ann, keys(&ann, "B")).await;
    assert_eq!(try_keys(&ann, with_proof(keys(&ann, "B"), &session)).await, 401);
    assert!(master(&ann).await.contains("masterA"));
    let pending = server.homeserver.pending_reset(&session).unwrap();
    assert_eq!((&pending.user_id, &pending.device_id), (&ann.id, &ann.device));
    let path = format!("/_matrix/client/v3/auth/m.login.sso/fallback/web?session={session}");
    let expected = format!("http://touchline.test/sign-in/reset?session={session}");
    assert_eq!(ask(&server, &path).await, (302, expected));
    assert!(server.homeserver.confirm_reset(&session, &ann.id));
    assert!(
        server.homeserver.pending_reset(&session).is_none(),
        "there is nothing left to confirm"
    );
    ann.post(KEYS, with_proof(keys(&ann, "B"), &session)).await;
    assert!(master(&ann).await.contains("masterB"));
    assert_eq!(try_keys(&ann, with_proof(keys(&ann, "A"), &session)).await, 401);
    assert_eq!(try_keys(&ann, with_proof(keys(&ann, "C"), &session)).await, 401);
    assert!(master(&ann).await.contains("masterB"));
}

#[tokio::test]
async fn a_confirmation_is_for_one_user_one_device_and_the_keys_that_were_asked_for() {
    let server = TestServer::new().await;
    let _desk = Desk::at(&server);
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let other = server.login("ann").await;
    for user in [&ann, &bob] {
        user.post(KEYS, keys(user, "A")).await;
    }
    let session = begin(&ann, keys(&ann, "B")).await;
    assert!(!server.homeserver.confirm_reset(&session, &bob.id));
    assert!(!server.homeserver.confirm_reset("made up", &ann.id));
    assert_eq!(try_keys(&ann, with_proof(keys(&ann, "B"), &session)).await, 401);
    assert!(server.homeserver.confirm_reset(&session, &ann.id));
    assert_eq!(try_keys(&other, with_proof(keys(&ann, "B"), &session)).await, 401);
    assert_eq!(try_keys(&ann, with_proof(keys(&ann, "C"), &session)).await, 401);
    assert_eq!(try_keys(&bob, with_proof(keys(&bob, "B"), &session)).await, 401);
    assert!(master(&ann).await.contains("masterA"));
    // None of that has used it up.
    assert_eq!(try_keys(&ann, with_proof(keys(&ann, "B"), &session)).await, 200);
}

#[tokio::test]
async fn what_is_not_confirmed_within_ten_minutes_or_is_one_of_too_many_is_forgotten() {
    let server = TestServer::new().await;
    let _desk = Desk::at(&server);
    let ann = server.user("ann").await;
    ann.post(KEYS, keys(&ann, "A")).await;
    let late = begin(&ann, keys(&ann, "B")).await;
    let confirmed = begin(&ann, keys(&ann, "C")).await;
    assert!(server.homeserver.confirm_reset(&confirmed, &ann.id));
    server.pass(10 * 60 * 1000);
    assert!(!server.homeserver.confirm_reset(&late, &ann.id));
    assert_eq!(try_keys(&ann, with_proof(keys(&ann, "C"), &confirmed)).await, 401);
    let mut names = Vec::new();
    for number in 0..5 {
        names.push(begin(&ann, keys(&ann, &number.to_string())).await);
    }
    let waits: Vec<bool> =
        names.iter().map(|name| server.homeserver.pending_reset(name).is_some()).collect();
    assert_eq!(waits, [false, false, true, true, true]);
    // Asking again for the same with its name adds none.
    assert_eq!(try_keys(&ann, with_proof(keys(&ann, "2"), &names[2])).await, 401);
    assert!(server.homeserver.pending_reset(&names[2]).is_some());
}

#[tokio::test]
async fn without_a_page_keys_stay_as_they_are() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    ann.post(KEYS, keys(&ann, "A")).await;
    let forbidden = (403, "M_FORBIDDEN".to_owned());
    assert_eq!(ann.refused(Method::POST, KEYS, keys(&ann, "B")).await, forbidden);
    let proof = with_proof(keys(&ann, "B"), "made up");
    assert_eq!(ann.refused(Method::POST, KEYS, proof).await, forbidden);
}
