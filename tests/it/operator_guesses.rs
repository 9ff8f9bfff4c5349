//! Guessing operators' tokens.

use reqwest::Method;
use touchline::platform::tokens::{Token, TokenKind};

use crate::harness::{Call, OPERATOR_TOKEN, Reply, TestApp, together};

const PATH: &str = "/api/admin/me";

fn show(app: &TestApp, token: &str) -> Call {
    app.client.get(PATH).token(token)
}

fn made_up() -> String {
    Token::generate(TokenKind::Operator).expose().to_owned()
}

async fn guess(app: &TestApp, times: usize) {
    for _ in 0..times {
        show(app, &made_up()).send().await.expect_error(401, "unauthenticated");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn after_five_unknown_tokens_in_a_minute_the_address_waits() {
    let app = TestApp::new().await;
    guess(&app, 4).await;
    app.advance(20);
    guess(&app, 1).await;
    let refused = show(&app, &made_up()).send().await;
    let refused = refused.expect_error(429, "too_many_unknown_tokens");
    assert_eq!(refused.header("retry-after"), Some("40"));
    app.advance(40);
    guess(&app, 4).await;
    show(&app, &made_up()).send().await.expect_error(429, "too_many_unknown_tokens");
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_opens_nothing_counts_as_a_guess() {
    let app = TestApp::new().await;
    let (id, revoked) = app.operator("ana", "viewer").await;
    let path = format!("/api/admin/operators/{id}");
    app.client.request(Method::DELETE, &path).token(OPERATOR_TOKEN).send().await.expect(200);
    let unknown_user = Token::generate(TokenKind::User);
    let almost = format!("{OPERATOR_TOKEN}x");
    for token in [&revoked, unknown_user.expose(), "x", &almost, &made_up()] {
        show(&app, token).send().await.expect_error(401, "unauthenticated");
    }
    show(&app, "x").send().await.expect_error(429, "too_many_unknown_tokens");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_without_a_token_is_no_guess() {
    let app = TestApp::new().await;
    for _ in 0..7 {
        app.client.get(PATH).send().await.expect_error(401, "unauthenticated");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_users_token_is_no_guess() {
    let app = TestApp::new().await;
    let fan = app.log_in("+447700900123").await;
    for _ in 0..7 {
        show(&app, &fan.token).send().await.expect_error(403, "operator_only");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_right_token_opens_while_its_address_waits() {
    let app = TestApp::new().await;
    let (_, token) = app.operator("ana", "viewer").await;
    guess(&app, 5).await;
    show(&app, &made_up()).send().await.expect_error(429, "too_many_unknown_tokens");
    show(&app, &token).send().await.expect(200);
    show(&app, OPERATOR_TOKEN).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_guesses_at_once_five_are_taken() {
    let app = TestApp::new().await;
    let replies = together(20, |_| show(&app, "a guess of somebody").send()).await;
    let count = |status: u16| replies.iter().filter(|reply| reply.status == status).count();
    assert_eq!((count(401), count(429)), (5, 15));
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_of_another_address_are_counted_for_it_where_a_known_proxy_names_it() {
    let app = TestApp::with(&[("TOUCHLINE_HTTP__TRUSTED_PROXIES", "127.0.0.1")]).await;
    let from = async |address: &str| -> Reply {
        show(&app, "a guess of somebody").header("x-forwarded-for", address).send().await
    };
    for host in 1..=5 {
        from(&format!("2001:db8:1:2::{host}")).await.expect(401);
    }
    from("2001:db8:1:2::9").await.expect_error(429, "too_many_unknown_tokens");
    from("2001:db8:1:3::9").await.expect(401);
    from("198.51.100.7").await.expect(401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_cannot_say_that_they_call_from_elsewhere() {
    let app = TestApp::new().await;
    for host in 1..=5 {
        let call = show(&app, "a guess of somebody")
            .header("x-forwarded-for", &format!("198.51.100.{host}"));
        call.send().await.expect(401);
    }
    let call = show(&app, "a guess of somebody").header("x-forwarded-for", "198.51.100.9");
    call.send().await.expect_error(429, "too_many_unknown_tokens");
}
