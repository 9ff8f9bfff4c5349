//! The books as a whole, as operators see them.

use serde_json::{Value, json};
use touchline::platform::db::params;

use crate::harness::{Fan, OPERATOR_TOKEN, Reply, TestApp, together};

impl TestApp {
    async fn look(&self, path: &str) -> Reply {
        self.client.get(path).token(OPERATOR_TOKEN).send().await
    }

    async fn books(&self) -> Value {
        self.look("/api/admin/coins").await.expect(200).body["data"].clone()
    }

    /// Folds what was moved so far.
    async fn fold(&self) {
        self.advance(120);
        self.run_jobs().await;
    }

    async fn spend_for(&self, fan: &Fan, amount: i64, reason: &str) {
        let body = json!({"amount": amount, "reason": reason});
        let call = self.client.post("/api/auth/coins/deduct").token(&fan.token);
        call.json(body).send().await.expect(200);
    }

    /// Day, account, reason, transfers, in and out of each flow.
    async fn flows(&self, query: &str) -> Vec<String> {
        let reply = self.look(&format!("/api/admin/coins/flows{query}")).await.expect(200);
        let line = |flow: &Value| {
            let text = |name: &str| flow[name].as_str().unwrap().to_owned();
            let (day, account, reason) = (text("day"), text("account"), text("reason"));
            let (count, coins_in, coins_out) =
                (&flow["transfers"], &flow["coins_in"], &flow["coins_out"]);
            format!("{day} {account} {reason}: {count} in {coins_in} out {coins_out}")
        };
        reply.body["data"].as_array().unwrap().iter().map(line).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_books_show_what_the_house_gave_and_took_and_what_users_hold() {
    let app = TestApp::new().await;
    let before = app.books().await;
    assert_eq!(before["reconciliation"], Value::Null);
    assert_eq!((&before["users_coins"], &before["frozen_accounts"]), (&json!(0), &json!(0)));
    let (ana, ben) = (app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await);
    app.spend_for(&ana, 30, "wager").await;
    app.client.post("/api/auth/daily-coins").token(&ben.token).send().await.expect(200);
    let path = format!("/api/admin/users/{}/coins", ben.id);
    let body = json!({"amount": -7, "reason": "A double refund"});
    app.client.post(&path).token(OPERATOR_TOKEN).json(body).send().await.expect(200);
    app.fold().await;
    let books = app.books().await;
    let accounts = json!([
        {"name": "welcome", "coins": -1000},
        {"name": "daily_bonus", "coins": -50},
        {"name": "spending", "coins": 30},
        {"name": "corrections", "coins": 7},
    ]);
    assert_eq!(books["accounts"], accounts);
    assert_eq!(books["users_coins"], 1013);
    assert_eq!(books["complete_to"], "2026-11-15T12:01:00.000Z");
    let found = &books["reconciliation"];
    assert_eq!(found["finished_at"], "2026-11-15T12:02:00.000Z");
    assert_eq!((&found["accounts"], &found["disagreeing"]), (&json!(2), &json!(0)));
    assert_eq!((&found["difference"], &found["flows_renewed"]), (&json!(0), &json!(false)));
}

#[tokio::test(flavor = "multi_thread")]
async fn flows_are_by_day_and_reason_with_the_newest_day_first() {
    let app = TestApp::new().await;
    let fan = app.log_in(&TestApp::phone(1)).await;
    app.spend_for(&fan, 30, "wager").await;
    app.spend_for(&fan, 20, "wager").await;
    app.set_time("2026-11-16T00:00:00Z");
    app.spend_for(&fan, 5, "sticker").await;
    let path = format!("/api/admin/users/{}/coins", fan.id);
    for (amount, reason) in [(3, "One sentence"), (-4, "Another one")] {
        let body = json!({"amount": amount, "reason": reason});
        app.client.post(&path).token(OPERATOR_TOKEN).json(body).send().await.expect(200);
    }
    // What is not a minute old is not told yet.
    app.run_jobs().await;
    assert_eq!(app.flows("?from=2026-11-16").await, Vec::<String>::new());
    app.fold().await;
    insta::assert_snapshot!(app.flows("").await.join("\n"), @r"
    2026-11-16 spending sticker: 1 in 0 out 5
    2026-11-16 corrections corrections: 2 in 3 out 4
    2026-11-15 welcome welcome: 1 in 500 out 0
    2026-11-15 spending wager: 2 in 0 out 50
    ");
    let only = app.flows("?from=2026-11-15&to=2026-11-15").await;
    assert_eq!(only.len(), 2, "{only:?}");
    let meta = app.look("/api/admin/coins/flows").await.body["meta"].clone();
    assert_eq!(
        meta,
        json!({"from": "2026-10-18", "to": "2026-11-16", "complete_to": "2026-11-16T00:01:00.000Z"})
    );
    for wrong in [
        "from=2026-11-16&to=2026-11-15",
        "from=2026-08-15&to=2026-11-15",
        "from=yesterday",
        "to=2026-02-30",
    ] {
        let reply = app.look(&format!("/api/admin/coins/flows?{wrong}")).await;
        assert_eq!(reply.status, 422, "{wrong}: {}", reply.text);
    }
    app.look("/api/admin/coins/flows?from=2026-08-16&to=2026-11-15").await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_tells_a_hundred_reasons_apart_and_no_more() {
    let app = TestApp::new().await;
    let fan = app.log_in(&TestApp::phone(1)).await;
    for round in 0..2 {
        let reasons = (0..60).map(|number| format!("order-{round}-{number}"));
        for reason in reasons {
            app.spend_for(&fan, 1, &reason).await;
        }
        app.fold().await;
    }
    let flows = app.flows("").await;
    let spent: Vec<_> = flows.iter().filter(|flow| flow.contains(" spending ")).collect();
    assert_eq!(spent.len(), 101);
    assert!(flows.iter().any(|flow| flow.ends_with("spending (other): 20 in 0 out 20")));
    assert_eq!(app.books().await["users_coins"], 380);
}

#[tokio::test(flavor = "multi_thread")]
async fn folding_amid_spending_counts_every_transfer_once() {
    let app = TestApp::new().await;
    let fans = futures_util::future::join_all((0..8).map(|number| {
        let app = &app;
        async move { app.log_in(&TestApp::phone(number)).await }
    }));
    let fans = fans.await;
    let spend = async {
        for _ in 0..10 {
            together(fans.len(), |number| app.spend_for(&fans[number], 1, "wager")).await;
        }
    };
    let fold = async {
        for _ in 0..10 {
            app.fold().await;
        }
    };
    tokio::join!(spend, fold);
    app.fold().await;
    let wagers: Vec<_> =
        app.flows("").await.into_iter().filter(|flow| flow.contains("wager")).collect();
    assert_eq!(wagers, ["2026-11-15 spending wager: 80 in 0 out 80"]);
    assert_eq!(app.books().await["users_coins"], 8 * 500 - 80);
}

#[tokio::test(flavor = "multi_thread")]
async fn sums_that_disagree_with_the_transfers_are_made_anew() {
    let app = TestApp::new().await;
    let fan = app.log_in(&TestApp::phone(1)).await;
    app.spend_for(&fan, 30, "wager").await;
    app.fold().await;
    // A transfer that took longer than anybody waits for it.
    app.set_time("2026-11-15T11:00:00Z");
    app.spend_for(&fan, 5, "wager").await;
    app.set_time("2026-11-15T14:00:00Z");
    app.run_jobs().await;
    assert_eq!(app.books().await["reconciliation"]["flows_renewed"], true);
    app.fold().await;
    assert_eq!(app.books().await["users_coins"], 465);
    assert!(app.flows("").await.contains(&"2026-11-15 spending wager: 2 in 0 out 35".to_owned()));
    app.advance(3600);
    app.run_jobs().await;
    assert_eq!(app.books().await["reconciliation"]["flows_renewed"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_account_is_listed_with_its_reason() {
    let app = TestApp::new().await;
    let fans = [app.log_in(&TestApp::phone(1)).await, app.log_in(&TestApp::phone(2)).await];
    let [ana, ben] = &fans;
    app.spend_for(ben, 10, "wager").await;
    let (first, second) = (ana.id, ben.id);
    let falsify = move |tx: &mut touchline::platform::db::Tx| {
        tx.exec(
            "UPDATE coin_accounts SET balance = balance + 7 WHERE user_id = $1",
            params![first],
        )?;
        tx.exec(
            "UPDATE coin_transfers SET balance_after = 499 WHERE account_id = $1 AND entry = 1",
            params![second],
        )
    };
    app.app.db.write(falsify).await.unwrap();
    app.run_jobs().await;
    let frozen = app.look("/api/admin/coins/frozen").await.expect(200);
    let line = |row: &Value| {
        let (whole, difference) = (&row["entries_whole"], &row["difference"]);
        format!("{} {} {} {difference} {whole}", row["user_id"], row["username"], row["balance"])
    };
    let lines: Vec<_> = frozen.body["data"].as_array().unwrap().iter().map(line).collect();
    let expected = [
        format!("{} {:?} 507 7 true", ana.id, ana.username),
        format!("{} {:?} 490 0 false", ben.id, ben.username),
    ];
    assert_eq!(lines, expected);
    assert_eq!(frozen.body["data"][0]["frozen_at"], "2026-11-15T12:00:00.000Z");
    assert_eq!(frozen.body["meta"]["total"], 2);
    let page = app.look("/api/admin/coins/frozen?page=2&per_page=1").await.expect(200);
    assert_eq!(page.body["data"][0]["user_id"], ben.id);
    let books = app.books().await;
    assert_eq!(books["frozen_accounts"], 2);
    let found = &books["reconciliation"];
    assert_eq!((&found["disagreeing"], &found["difference"]), (&json!(2), &json!(7)));
    let path = format!("/api/admin/users/{}/coins/unfreeze", ana.id);
    let call = app.client.post(&path).token(OPERATOR_TOKEN);
    call.json(json!({"reason": "checked"})).send().await.expect(200);
    assert_eq!(app.look("/api/admin/coins/frozen").await.body["meta"]["total"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_has_the_books_reconciled_now_and_it_is_written_down() {
    let app = TestApp::new().await;
    app.run_jobs().await;
    let last = app.books().await["reconciliation"]["id"].clone();
    app.advance(60);
    let asked = app.client.post("/api/admin/coins/reconcile").token(OPERATOR_TOKEN).send().await;
    assert_eq!(asked.expect(202).body["data"]["last_reconciliation"], last);
    app.run_jobs().await;
    let found = app.books().await["reconciliation"].clone();
    assert_eq!(found["finished_at"], "2026-11-15T12:01:00.000Z");
    assert_ne!(found["id"], last);
    // It goes on as ever.
    app.advance(3599);
    app.run_jobs().await;
    assert_eq!(app.books().await["reconciliation"]["id"], found["id"]);
    app.advance(1);
    app.run_jobs().await;
    assert_ne!(app.books().await["reconciliation"]["id"], found["id"]);
    let audit = app.look("/api/admin/audit?action=coins.").await.expect(200);
    assert_eq!(audit.body["data"][0]["action"], "coins.reconcile");
    assert_eq!(audit.body["data"][0]["detail"], json!({"last_reconciliation": last}));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_hundred_reconciliations_are_kept() {
    let app = TestApp::new().await;
    for _ in 0..103 {
        app.client.post("/api/admin/coins/reconcile").token(OPERATOR_TOKEN).send().await;
        app.run_jobs().await;
    }
    assert_eq!(app.count("SELECT count(*) FROM coin_reconciliations").await, 100);
}
