//! Coins: spending, the daily bonus, corrections, and that each happens once.

use serde_json::{Value, json};
use touchline::platform::db::params;

use crate::harness::{Fan, OPERATOR_TOKEN, Reply, TestApp};

const PHONE: &str = "+447700900123";

impl TestApp {
    async fn deduct(&self, fan: &Fan, amount: i64, key: Option<&str>) -> Reply {
        let body = json!({"amount": amount, "reason": "wager", "reference_id": "bet-1"});
        let mut call = self.client.post("/api/auth/coins/deduct").token(&fan.token).json(body);
        if let Some(key) = key {
            call = call.header("idempotency-key", key);
        }
        call.send().await
    }

    async fn claim(&self, fan: &Fan, key: Option<&str>) -> Reply {
        let mut call = self.client.post("/api/auth/daily-coins").token(&fan.token);
        if let Some(key) = key {
            call = call.header("idempotency-key", key);
        }
        call.send().await
    }

    async fn correct(&self, user: i64, body: Value) -> Reply {
        let path = format!("/api/admin/users/{user}/coins");
        self.client.post(&path).token(OPERATOR_TOKEN).json(body).send().await
    }

    /// Leaves the fan with exactly so many coins.
    async fn set_balance(&self, fan: &Fan, coins: i64) {
        let change = coins - self.balance(fan).await;
        if change != 0 {
            self.correct(fan.id, json!({"amount": change, "reason": "test"})).await.expect(200);
        }
    }

    async fn coins(&self, fan: &Fan) -> Value {
        let reply = self.client.get("/api/auth/coins").token(&fan.token).send().await.expect(200);
        reply.body["data"].clone()
    }

    async fn balance(&self, fan: &Fan) -> i64 {
        self.coins(fan).await["balance"].as_i64().unwrap()
    }

    async fn transactions(&self, fan: &Fan, query: &str) -> Reply {
        let path = format!("/api/auth/coins/transactions{query}");
        self.client.get(&path).token(&fan.token).send().await.expect(200)
    }

    /// Everything there is, newest first.
    async fn amounts(&self, fan: &Fan) -> Vec<i64> {
        let list = self.transactions(fan, "?per_page=100").await;
        let rows = list.body["data"].as_array().unwrap();
        rows.iter().map(|row| row["amount"].as_i64().unwrap()).collect()
    }

    /// Changes the books behind the program's back.
    async fn tamper(&self, sql: &'static str, user: i64) {
        self.app.db.write(move |tx| tx.exec(sql, params![user])).await.unwrap();
    }
}

/// Answers of calls made at once.
async fn all_at_once(calls: Vec<impl Future<Output = Reply>>) -> Vec<Reply> {
    futures_util::future::join_all(calls).await
}

fn statuses(replies: &[Reply]) -> Vec<u16> {
    let mut statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
    statuses.sort_unstable();
    statuses
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_user_is_welcomed_with_coins_once() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    let again = app.log_in(PHONE).await;
    assert_eq!(app.balance(&again).await, 500);
    let list = app.transactions(&fan, "").await;
    let welcome = &list.body["data"][0];
    assert_eq!(
        list.body,
        json!({
            "data": [{"id": welcome["id"], "amount": 500, "balance_after": 500, "reason": "welcome",
                      "reference_id": null, "created_at": "2026-11-15T12:00:00.000Z"}],
            "meta": {"current_page": 1, "last_page": 1, "per_page": 20, "total": 1},
        })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn no_welcome_coins_are_no_transfer() {
    let app = TestApp::with(&[("TOUCHLINE_COINS__WELCOME_COINS", "0")]).await;
    let fan = app.log_in(PHONE).await;
    assert_eq!(app.balance(&fan).await, 0);
    assert!(app.amounts(&fan).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deduction_says_what_there_was_what_was_taken_and_what_is_left() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    let reply = app.deduct(&fan, 30, None).await.expect(200);
    let id = reply.body["data"]["transaction_id"].as_str().unwrap();
    assert_eq!(
        reply.body["data"],
        json!({"previous_balance": 500, "amount_deducted": 30, "new_balance": 470, "transaction_id": id})
    );
    assert!(reply.body["message"].is_string());
    let list = app.transactions(&fan, "?per_page=1").await;
    assert_eq!(
        list.body["data"],
        json!([{"id": id, "amount": -30, "balance_after": 470, "reason": "wager",
                "reference_id": "bet-1", "created_at": "2026-11-15T12:00:00.000Z"}])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn more_than_the_balance_is_refused_and_moves_nothing() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    app.deduct(&fan, 501, None).await.expect_error(400, "insufficient_balance");
    app.deduct(&fan, 500, None).await.expect(200);
    app.deduct(&fan, 1, None).await.expect_error(400, "insufficient_balance");
    assert_eq!(app.amounts(&fan).await, [-500, 500]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_amount_or_a_reason_that_is_not_acceptable_is_named() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    let long = "x".repeat(256);
    for (body, field) in [
        (json!({"reason": "wager"}), "amount"),
        (json!({"amount": 0, "reason": "wager"}), "amount"),
        (json!({"amount": -5, "reason": "wager"}), "amount"),
        (json!({"amount": 1_000_000_001, "reason": "wager"}), "amount"),
        (json!({"amount": 1.5, "reason": "wager"}), "amount"),
        (json!({"amount": "5", "reason": "wager"}), "amount"),
        (json!({"amount": 9_223_372_036_854_775_808_u64, "reason": "wager"}), "amount"),
        (json!({"amount": 5}), "reason"),
        (json!({"amount": 5, "reason": ""}), "reason"),
        (json!({"amount": 5, "reason": "Two Words"}), "reason"),
        (json!({"amount": 5, "reason": "wager", "reference_id": long}), "reference_id"),
        (json!({"amount": 5, "reason": "wager", "reference_id": 7}), "reference_id"),
    ] {
        let call = app.client.post("/api/auth/coins/deduct").token(&fan.token).json(body);
        call.send().await.expect_invalid(field);
    }
    assert_eq!(app.balance(&fan).await, 500);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_reasons_refuses_all_others() {
    let app = TestApp::with(&[("TOUCHLINE_COINS__REASONS", "shop, wager")]).await;
    let fan = app.log_in(PHONE).await;
    app.deduct(&fan, 1, None).await.expect(200);
    let body = json!({"amount": 1, "reason": "gift"});
    let call = app.client.post("/api/auth/coins/deduct").token(&fan.token).json(body);
    call.send().await.expect_invalid("reason");
}

#[tokio::test(flavor = "multi_thread")]
async fn parallel_spends_never_overdraw() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    app.set_balance(&fan, 10).await;
    let replies = all_at_once((0..64).map(|_| app.deduct(&fan, 3, None)).collect()).await;
    let taken = replies.iter().filter(|reply| reply.status == 200).count();
    assert_eq!(taken, 3);
    assert!(
        replies.iter().all(|reply| reply.status == 200 || reply.code() == "insufficient_balance")
    );
    assert_eq!(app.balance(&fan).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_key_sent_many_times_at_once_makes_one_transfer_and_identical_answers() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    let replies = all_at_once((0..64).map(|_| app.deduct(&fan, 3, Some("k"))).collect()).await;
    assert!(replies.iter().all(|reply| reply.status == 200 && reply.text == replies[0].text));
    let replayed = replies.iter().filter(|reply| reply.header("idempotent-replayed").is_some());
    assert_eq!(replayed.count(), 63);
    assert_eq!(app.amounts(&fan).await, [-3, 500]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_for_one_body_and_a_refusal_does_not_use_it_up() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    app.deduct(&fan, 600, Some("k")).await.expect_error(400, "insufficient_balance");
    app.deduct(&fan, 5, Some("k")).await.expect(200);
    app.deduct(&fan, 6, Some("k")).await.expect_error(422, "idempotency_key_reused");
    app.claim(&fan, Some("k")).await.expect_error(422, "idempotency_key_reused");
    assert_eq!(app.balance(&fan).await, 495);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_gives_the_daily_coins_and_says_when_the_next_is_due() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    assert_eq!(
        app.coins(&fan).await,
        json!({"balance": 500, "streak_days": 0, "can_claim": true,
               "next_claim_at": "2026-11-15T00:00:00.000Z", "next_claim_amount": 50})
    );
    let reply = app.claim(&fan, None).await.expect(200);
    assert_eq!(
        reply.body["data"],
        json!({"coins_awarded": 50, "new_balance": 550, "next_claim_at": "2026-11-16T00:00:00.000Z",
               "streak_days": 1, "streak_bonus": 0})
    );
    assert_eq!(
        app.coins(&fan).await,
        json!({"balance": 550, "streak_days": 1, "can_claim": false,
               "next_claim_at": "2026-11-16T00:00:00.000Z", "next_claim_amount": 60})
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_streak_grows_by_the_day_is_capped_and_ends_with_a_missed_day() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    let mut awards = Vec::new();
    for _ in 0..13 {
        let claimed = app.claim(&fan, None).await.expect(200);
        awards.push(claimed.body["data"]["coins_awarded"].as_i64().unwrap());
        app.advance(24 * 3600);
    }
    assert_eq!(awards, [50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 150, 150]);
    app.advance(24 * 3600);
    let coins = app.coins(&fan).await;
    assert_eq!((&coins["streak_days"], &coins["next_claim_amount"]), (&json!(0), &json!(50)));
    let claimed = app.claim(&fan, None).await.expect(200);
    assert_eq!(claimed.body["data"]["streak_days"], 1);
    assert_eq!(claimed.body["data"]["coins_awarded"], 50);
}

#[tokio::test(flavor = "multi_thread")]
async fn parallel_claims_give_one() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    let replies = all_at_once((0..10).map(|_| app.claim(&fan, None)).collect()).await;
    assert_eq!(statuses(&replies), [200, 400, 400, 400, 400, 400, 400, 400, 400, 400]);
    assert!(replies.iter().all(|reply| reply.status == 200 || reply.code() == "already_claimed"));
    assert_eq!(app.amounts(&fan).await, [50, 500]);
}

#[tokio::test(flavor = "multi_thread")]
async fn claims_across_midnight_give_exactly_two() {
    let app = TestApp::with(&[("TOUCHLINE_COINS__CLAIM_ATTEMPTS_A_MINUTE", "1000")]).await;
    let fan = app.log_in(PHONE).await;
    app.set_time("2026-11-15T23:59:50Z");
    let mut taken = Vec::new();
    for second in 0..20 {
        let replies = all_at_once((0..3).map(|_| app.claim(&fan, None)).collect()).await;
        taken.extend(replies.iter().filter(|reply| reply.status == 200).map(|_| second));
        app.advance(1);
    }
    assert_eq!(taken, [0, 10]);
    assert_eq!(app.amounts(&fan).await, [60, 50, 500]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_steps_back_gives_nothing() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    app.claim(&fan, None).await.expect(200);
    for moment in
        ["2026-11-14T12:00:00.000Z", "2026-11-15T00:00:00.000Z", "2026-11-15T23:59:59.999Z"]
    {
        app.set_time(moment);
        app.claim(&fan, None).await.expect_error(400, "already_claimed");
        assert_eq!(app.coins(&fan).await["next_claim_at"], "2026-11-16T00:00:00.000Z");
    }
    app.set_time("2026-11-16T00:00:00Z");
    let claimed = app.claim(&fan, None).await.expect(200);
    assert_eq!(claimed.body["data"]["streak_days"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_claims_count_for_the_limit_and_replays_do_not() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    let first = app.claim(&fan, Some("today")).await.expect(200);
    for _ in 0..20 {
        let again = app.claim(&fan, Some("today")).await.expect(200);
        assert_eq!(again.text, first.text);
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
    }
    for _ in 0..9 {
        app.claim(&fan, Some("other")).await.expect_error(400, "already_claimed");
    }
    let refused = app.claim(&fan, None).await.expect_error(429, "daily_claim_limit");
    assert_eq!(refused.header("retry-after"), Some("60"));
    app.advance(60);
    app.claim(&fan, None).await.expect_error(400, "already_claimed");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_key_for_many_claims_at_once_gives_one_answer_to_all() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    let replies = all_at_once((0..64).map(|_| app.claim(&fan, Some("k"))).collect()).await;
    assert!(replies.iter().all(|reply| reply.status == 200 && reply.text == replies[0].text));
    assert_eq!(app.amounts(&fan).await, [50, 500]);
}

#[tokio::test(flavor = "multi_thread")]
async fn transactions_are_paged_newest_first_with_the_balance_after_each() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    for amount in 1..=4 {
        app.deduct(&fan, amount, None).await.expect(200);
    }
    let page = app.transactions(&fan, "?page=2&per_page=2").await;
    let rows = page.body["data"].as_array().unwrap();
    let shown: Vec<_> = rows.iter().map(|row| (&row["amount"], &row["balance_after"])).collect();
    assert_eq!(shown, [(&json!(-2), &json!(497)), (&json!(-1), &json!(499))]);
    assert_eq!(
        page.body["meta"],
        json!({"current_page": 2, "last_page": 3, "per_page": 2, "total": 5})
    );
    let ids = app.transactions(&fan, "").await;
    let ids: Vec<_> =
        ids.body["data"].as_array().unwrap().iter().map(|row| row["id"].as_str()).collect();
    assert!(ids.is_sorted_by(|newer, older| newer > older), "{ids:?}");
    let beyond = app.transactions(&fan, "?page=9223372036854775807").await;
    assert_eq!(beyond.body["data"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_corrects_a_balance_and_it_is_written_down() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    let reply =
        app.correct(fan.id, json!({"amount": -120, "reason": "Refund reversed"})).await.expect(200);
    let id = &reply.body["data"]["transaction_id"];
    assert_eq!(
        reply.body["data"],
        json!({"previous_balance": 500, "amount": -120, "new_balance": 380, "transaction_id": id})
    );
    let audit = app.client.get("/api/admin/audit").token(OPERATOR_TOKEN).send().await.expect(200);
    let entry = &audit.body["data"][0];
    assert_eq!(entry["action"], "coins.correct");
    assert_eq!(entry["subject"], format!("user {}", fan.id));
    assert_eq!(entry["detail"]["transaction_id"], *id);
    assert_eq!(app.amounts(&fan).await, [-120, 500]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_correction_below_zero_above_the_most_or_for_nobody_is_refused() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    let body = |amount: i64| json!({"amount": amount, "reason": "test"});
    app.correct(fan.id, body(-501)).await.expect_error(400, "insufficient_balance");
    app.correct(fan.id, body(0)).await.expect_invalid("amount");
    app.correct(fan.id, json!({"amount": 5, "reason": " "})).await.expect_invalid("reason");
    app.correct(fan.id + 1, body(5)).await.expect_error(404, "not_found");
    app.tamper("UPDATE coin_accounts SET balance = 8999999999999999 WHERE user_id = $1", fan.id)
        .await;
    app.correct(fan.id, body(2)).await.expect_error(400, "balance_limit");
    let path = format!("/api/admin/users/{}/coins", fan.id);
    let call = app.client.post(&path).token(&fan.token).json(body(5));
    call.send().await.expect_error(403, "operator_only");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operators_key_makes_one_correction_and_is_not_the_users() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    let correct = || {
        let path = format!("/api/admin/users/{}/coins", fan.id);
        let call = app.client.post(&path).token(OPERATOR_TOKEN);
        call.header("idempotency-key", "k").json(json!({"amount": 7, "reason": "gift"})).send()
    };
    app.deduct(&fan, 5, Some("k")).await.expect(200);
    let replies = all_at_once((0..64).map(|_| correct()).collect()).await;
    assert!(replies.iter().all(|reply| reply.status == 200 && reply.text == replies[0].text));
    assert_eq!(app.amounts(&fan).await, [7, -5, 500]);
    let audit = app.client.get("/api/admin/audit").token(OPERATOR_TOKEN).send().await.expect(200);
    assert_eq!(audit.body["meta"]["total"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_lists_transfers_and_a_deleted_account_leaves_its_ledger() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    app.deduct(&fan, 30, None).await.expect(200);
    app.claim(&fan, None).await.expect(200);
    let export = app.client.get("/api/auth/export").token(&fan.token).send().await.expect(200);
    let coins = &export.body["data"]["coins"];
    assert_eq!(coins["balance"], 520);
    assert_eq!(coins["transactions"].as_array().unwrap().len(), 3);
    app.client.delete("/api/auth/me").token(&fan.token).send().await.expect(200);
    let id = fan.id;
    let kept = move |tx: &mut touchline::platform::db::Tx| {
        tx.one::<i64>("SELECT count(*) FROM coin_transfers WHERE account_id = $1", params![id])
    };
    assert_eq!(app.app.db.read(kept).await.unwrap(), 3);
    app.correct(fan.id, json!({"amount": 1, "reason": "test"}))
        .await
        .expect_error(404, "not_found");
    let newcomer = app.log_in(PHONE).await;
    assert_eq!(app.balance(&newcomer).await, 0);
}
