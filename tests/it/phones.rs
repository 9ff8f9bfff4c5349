//! One phone is one phone, however it is written.

use serde_json::json;
use touchline::platform::db::params;

use crate::harness::{Fan, Reply, TestApp};

const NORMAL: &str = "+447700900123";
const WITH_ZERO: &str = "+4407700900123";

async fn request(app: &TestApp, phone: &str) -> Reply {
    app.client.post("/api/code/request").json(json!({"phone": phone})).send().await
}

/// As a release that kept phones as they were typed left it.
async fn store_as_typed(app: &TestApp, fan: &Fan, phone: &'static str) {
    let id = fan.id;
    let update = "UPDATE users SET phone = $2 WHERE id = $1";
    app.app.db.write(move |tx| tx.exec(update, params![id, phone])).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_with_its_trunk_zero_is_the_same_phone() {
    let app = TestApp::new().await;
    let fan = app.log_in(NORMAL).await;
    for written in [WITH_ZERO, "+44 (0)7700 900123"] {
        let again = app.log_in(written).await;
        assert_eq!((again.id, again.phone.as_str()), (fan.id, NORMAL), "{written}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_in_which_the_zero_belongs_stay_as_they_are() {
    let app = TestApp::new().await;
    for phone in ["+390612345678", "+2250701020304", "+24206612345", "+9990123456"] {
        assert_eq!(app.log_in(phone).await.phone, phone);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_has_one_allowance_however_it_is_written() {
    let app = TestApp::new().await;
    for written in [NORMAL, WITH_ZERO, NORMAL, WITH_ZERO, NORMAL] {
        request(&app, written).await.expect(200);
    }
    request(&app, WITH_ZERO).await.expect_error(429, "phone_send_limit");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_was_stored_with_the_zero_is_found_by_what_was_always_typed() {
    let app = TestApp::new().await;
    let fan = app.log_in(NORMAL).await;
    store_as_typed(&app, &fan, WITH_ZERO).await;
    assert_eq!(app.log_in(WITH_ZERO).await.id, fan.id);
    assert_eq!(app.log_in(NORMAL).await.id, fan.id);
    app.client.delete("/api/auth/me").token(&fan.token).send().await.expect(200);
    assert_ne!(app.log_in(WITH_ZERO).await.id, fan.id);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_accounts_the_owner_of_the_normal_form_wins_the_login() {
    let app = TestApp::new().await;
    let old = app.log_in(NORMAL).await;
    store_as_typed(&app, &old, WITH_ZERO).await;
    let new = app.log_in(&TestApp::phone(1)).await;
    store_as_typed(&app, &new, NORMAL).await;
    assert_eq!(app.log_in(NORMAL).await.id, new.id);
    assert_eq!(app.log_in(WITH_ZERO).await.id, new.id);
    app.client.get("/api/auth/me").token(&old.token).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_does_not_move_to_a_phone_that_another_has_in_its_other_form() {
    let app = TestApp::new().await;
    let holder = app.log_in(NORMAL).await;
    store_as_typed(&app, &holder, WITH_ZERO).await;
    let fan = app.log_in(&TestApp::phone(1)).await;
    let post =
        async |path: &str, body| app.client.post(path).token(&fan.token).json(body).send().await;
    post("/api/auth/verify-phone/initiate", json!({"phone": WITH_ZERO})).await.expect(200);
    let body = json!({"phone": NORMAL, "code": app.last_code(NORMAL).await});
    post("/api/auth/verify-phone", body).await.expect_error(422, "phone_taken");
}
