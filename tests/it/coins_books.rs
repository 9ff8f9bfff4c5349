//! The books themselves: they always balance, and an account that does not is frozen.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;
use touchline::features::coins::{self, Amount, CorrectionReason, Deduction, Reason, SignedAmount};
use touchline::features::users::{self, Phone, UserId};
use touchline::platform::clock::{Clock, DAY_MS, Timestamp};
use touchline::platform::config::{CoinsConfig, Secret};
use touchline::platform::db::{Tx, params};
use touchline::platform::error::{Error, Result};
use touchline::platform::keys::Keys;
use touchline::platform::limits::Who;

use crate::harness::{Fan, NOW, OPERATOR_TOKEN, Reply, TestApp};

const PHONE: &str = "+447700900123";
const RULES: CoinsConfig = CoinsConfig {
    welcome_coins: 500,
    daily_coins: 50,
    streak_bonus: 10,
    streak_bonus_most: 100,
    claim_attempts_a_minute: 1_000,
    reasons: Vec::new(),
    leavers_kept_days: 0,
};

#[derive(Debug, Clone)]
enum Step {
    Deduct(i64),
    Correct(i64),
    /// After so many days; the clock may also step back.
    Claim(i64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (1_i64..400).prop_map(Step::Deduct),
        1 => (1_i64..=1_000_000_000).prop_map(Step::Deduct),
        2 => (-300_i64..300).prop_filter("not 0", |coins| *coins != 0).prop_map(Step::Correct),
        1 => (-1_000_000_000_i64..=-1).prop_map(Step::Correct),
        4 => (-2_i64..4).prop_map(Step::Claim),
    ]
}

/// The rules told as simply as possible.
struct Model {
    entries: Vec<i64>,
    day: i64,
    last_claim: Option<i64>,
    streak: i64,
}

impl Model {
    fn balance(&self) -> i64 {
        self.entries.iter().sum()
    }

    fn apply(&mut self, step: &Step) -> bool {
        let coins = match step {
            Step::Deduct(amount) => -amount,
            Step::Correct(coins) => *coins,
            Step::Claim(days) => {
                self.day += days;
                if self.last_claim.is_some_and(|last| self.day <= last) {
                    return false;
                }
                let is_next = self.last_claim == Some(self.day - 1);
                self.streak = if is_next { self.streak + 1 } else { 1 };
                self.last_claim = Some(self.day);
                50 + (10 * (self.streak - 1)).min(100)
            }
        };
        if self.balance() + coins < 0 {
            return false;
        }
        self.entries.push(coins);
        true
    }
}

fn apply(tx: &mut Tx, clock: &Clock, keys: &Keys, user: UserId, step: &Step) -> Result<bool> {
    let outcome = match step {
        Step::Deduct(amount) => {
            let amount = Amount::try_from(*amount).unwrap();
            let reason = Reason::try_from("wager").unwrap();
            let deduction = Deduction { amount, reason, reference_id: None };
            coins::deduct_each(tx, &[(user, &deduction)])?.remove(0).map(drop)
        }
        Step::Correct(coins) => {
            let amount = SignedAmount::try_from(*coins).unwrap();
            let reason = CorrectionReason::try_from("test").unwrap();
            coins::correct(tx, user, amount, &reason).map(drop)
        }
        Step::Claim(days) => {
            clock.set(clock.now().plus_ms(days * DAY_MS));
            coins::claim_each(tx, &RULES, &[(user, &Who::user(keys, user))])?.remove(0).map(drop)
        }
    };
    match outcome {
        Ok(()) => Ok(true),
        Err(Error::Refused { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Plays the steps for a new user, next to the model, and compares all the way.
fn play(tx: &mut Tx, clock: &Clock, phone: &str, steps: &[Step]) -> Result<()> {
    let start = Timestamp::parse(NOW).unwrap();
    clock.set(start);
    let (keys, phone) =
        (Keys::new(&Secret::new("k".repeat(32))).unwrap(), Phone::try_from(phone).unwrap());
    let (user, _) = users::register_each(tx, &keys, &[(&phone, None)])?.remove(0)?;
    coins::open_accounts(tx, &keys, &RULES, &[(user.id, Some(&phone))])?;
    let mut model = Model { entries: vec![500], day: start.utc_day(), last_claim: None, streak: 0 };
    for step in steps {
        assert_eq!(apply(tx, clock, &keys, user.id, step)?, model.apply(step), "{step:?}");
        let balance: i64 =
            tx.one("SELECT balance FROM coin_accounts WHERE user_id = $1", params![user.id])?;
        assert_eq!(balance, model.balance(), "{step:?}");
        assert!(balance >= 0);
    }
    let entries: Vec<(i64, i64)> = tx.all(
        "SELECT CASE WHEN credit_account = account_id THEN amount ELSE -amount END, balance_after
         FROM coin_transfers WHERE account_id = $1 ORDER BY entry",
        params![user.id],
    )?;
    let mut expected = VecDeque::from(model.entries);
    let mut sum = 0;
    for (amount, balance_after) in entries {
        assert_eq!(Some(amount), expected.pop_front());
        sum += amount;
        assert_eq!(balance_after, sum);
    }
    assert!(expected.is_empty());
    Ok(())
}

/// Users' balances as stored, and house balances as the sum of their legs.
fn totals(tx: &mut Tx) -> Result<(i64, i64)> {
    Ok((
        tx.one("SELECT CAST(COALESCE(sum(balance), 0) AS BIGINT) FROM coin_accounts", params![])?,
        tx.one(
            "SELECT CAST(COALESCE(sum(CASE WHEN t.credit_account = h.id THEN t.amount ELSE -t.amount END), 0) AS BIGINT)
             FROM coin_house_accounts h
             JOIN coin_transfers t ON t.credit_account = h.id OR t.debit_account = h.id",
            params![],
        )?,
    ))
}

#[test]
fn any_sequence_of_grants_spends_corrections_and_claims_is_what_a_simple_model_says() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let app = runtime.block_on(TestApp::new());
    let users = AtomicU32::new(0);
    let mut runner =
        TestRunner::new(Config { cases: 64, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&prop::collection::vec(step(), 1..40), |steps| {
        let phone = TestApp::phone(users.fetch_add(1, Ordering::Relaxed));
        let clock = app.clock.clone();
        let played = app.app.db.write(move |tx| play(tx, &clock, &phone, &steps));
        runtime.block_on(played).map_err(|error| TestCaseError::fail(error.to_string()))
    });
    outcome.unwrap();
    let (users, house) = runtime.block_on(app.app.db.read(totals)).unwrap();
    assert!(users > 0);
    assert_eq!(users + house, 0);
}

impl TestApp {
    async fn post(&self, path: &str, token: &str, body: serde_json::Value) -> Reply {
        self.client.post(path).token(token).json(body).send().await
    }

    /// Changes the books behind the program's back.
    async fn falsify(&self, sql: &'static str, user: i64) {
        let changed = self.app.db.write(move |tx| tx.exec(sql, params![user])).await.unwrap();
        assert_eq!(changed, 1);
    }

    async fn spend(&self, fan: &Fan) -> Reply {
        let body = json!({"amount": 1, "reason": "wager"});
        self.post("/api/auth/coins/deduct", &fan.token, body).await
    }

    async fn unfreeze(&self, fan: &Fan) -> Reply {
        let path = format!("/api/admin/users/{}/coins/unfreeze", fan.id);
        self.post(&path, OPERATOR_TOKEN, json!({"reason": "checked by hand"})).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_disagrees_with_its_entries_is_frozen_and_others_are_not() {
    let app = TestApp::new().await;
    let (fan, other) = (app.log_in(PHONE).await, app.log_in(&TestApp::phone(1)).await);
    app.falsify("UPDATE coin_accounts SET balance = balance + 7 WHERE user_id = $1", fan.id).await;
    app.run_jobs().await;
    app.spend(&fan).await.expect_error(503, "account_frozen");
    let claim = app.client.post("/api/auth/daily-coins").token(&fan.token).send().await;
    claim.expect_error(503, "account_frozen");
    app.client.get("/api/auth/coins").token(&fan.token).send().await.expect(200);
    app.spend(&other).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_audit_amid_spending_freezes_nobody() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    let spend_on = async {
        for _ in 0..15 {
            let spends = (0..8).map(|_| app.spend(&fan));
            for reply in futures_util::future::join_all(spends).await {
                reply.expect(200);
            }
        }
    };
    let audit_on = async {
        for _ in 0..15 {
            app.advance(3600);
            app.run_jobs().await;
        }
    };
    tokio::join!(spend_on, audit_on);
    let coins = app.client.get("/api/auth/coins").token(&fan.token).send().await.expect(200);
    assert_eq!(coins.body["data"]["balance"], 380);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_correction_does_not_unfreeze() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    app.falsify("UPDATE coin_accounts SET balance = balance - 7 WHERE user_id = $1", fan.id).await;
    app.run_jobs().await;
    let path = format!("/api/admin/users/{}/coins", fan.id);
    let correct = app.post(&path, OPERATOR_TOKEN, json!({"amount": 7, "reason": "repair"})).await;
    correct.expect_error(503, "account_frozen");
    app.spend(&fan).await.expect_error(503, "account_frozen");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_unfreezes_to_what_the_entries_say_and_it_is_written_down() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    app.unfreeze(&fan).await.expect_error(409, "not_frozen");
    app.falsify("UPDATE coin_accounts SET balance = balance + 7 WHERE user_id = $1", fan.id).await;
    app.run_jobs().await;
    let restored = app.unfreeze(&fan).await.expect(200);
    assert_eq!(restored.body["data"], json!({"wrong_balance": 507, "balance": 500}));
    app.spend(&fan).await.expect(200);
    app.advance(3600);
    app.run_jobs().await;
    app.spend(&fan).await.expect(200);
    let audit = app.client.get("/api/admin/audit").token(OPERATOR_TOKEN).send().await.expect(200);
    assert_eq!(audit.body["data"][0]["action"], "coins.unfreeze");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_whose_entries_were_changed_or_are_missing_stays_frozen() {
    let app = TestApp::new().await;
    let (fan, other) = (app.log_in(PHONE).await, app.log_in(&TestApp::phone(1)).await);
    for (fan, sql) in [
        (&fan, "UPDATE coin_transfers SET amount = 499 WHERE account_id = $1 AND entry = 1"),
        (&other, "DELETE FROM coin_transfers WHERE account_id = $1 AND entry = 2"),
    ] {
        app.spend(fan).await.expect(200);
        app.falsify(sql, fan.id).await;
    }
    app.run_jobs().await;
    for fan in [&fan, &other] {
        app.spend(fan).await.expect_error(503, "account_frozen");
        app.unfreeze(fan).await.expect_error(409, "entries_broken");
    }
}

/// So many transfers of one coin each, after the welcome, without so many statements.
fn grant_one_by_one(tx: &mut Tx, user: UserId, count: i64) -> Result<()> {
    let numbers = json!((0..count).collect::<Vec<_>>()).to_string();
    tx.exec(
        "INSERT INTO coin_transfers (id, debit_account, credit_account, amount, account_id, entry,
                                     balance_after, reason, created_at)
         SELECT 'one-' || CAST($1 AS BIGINT) || '-' || key, -4, $1, 1, $1, key + 2, key + 501, 'test', 0
         FROM json_each($2)",
        params![user, numbers],
    )?;
    tx.exec(
        "UPDATE coin_accounts SET balance = balance + $2, entries = entries + $2 WHERE user_id = $1",
        params![user, count],
    )?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_audit_of_more_entries_than_one_batch_finds_what_is_wrong_and_only_that() {
    let app = TestApp::new().await;
    let mut fans = Vec::new();
    for (number, entries) in (1..).zip([3, 2_100, 5, 2_100, 4]) {
        let fan = app.log_in(&TestApp::phone(number)).await;
        let user = UserId(fan.id);
        let grants = app.app.db.write(move |tx| grant_one_by_one(tx, user, entries));
        grants.await.unwrap();
        fans.push(fan);
    }
    let wrong = "UPDATE coin_transfers SET balance_after = balance_after + 1
                 WHERE account_id = $1 AND entry = 2050";
    app.falsify(wrong, fans[3].id).await;
    app.run_jobs().await;
    let mut statuses = Vec::new();
    for fan in &fans {
        statuses.push(app.spend(fan).await.status);
    }
    assert_eq!(statuses, [200, 200, 200, 503, 200]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tables_refuse_what_no_ledger_may_hold() {
    let app = TestApp::new().await;
    let fan = app.log_in(PHONE).await;
    for sql in [
        "UPDATE coin_accounts SET balance = -1 WHERE user_id = $1",
        "UPDATE coin_accounts SET balance = 9000000000000001 WHERE user_id = $1",
        "UPDATE coin_transfers SET amount = 0 WHERE account_id = $1",
        "UPDATE coin_transfers SET credit_account = -3 WHERE account_id = $1",
    ] {
        let id = fan.id;
        let stored = app.app.db.write(move |tx| tx.exec(sql, params![id])).await;
        assert!(stored.is_err(), "{sql}");
    }
}
