//! A bank under fire: many clients, the real program, and kill -9. What was acknowledged is there, and there once.

use std::collections::BTreeMap;
use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, RwLock};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinHandle;
use touchline::platform::clock::{Clock, random_below};
use touchline::platform::config::Config;
use touchline::platform::db::{Db, params};

use crate::harness::{
    Client, Fan, OPERATOR_TOKEN, Program, Reply, TestApp, eventually, free_address,
    fresh_database_url, wait_for_metric,
};

const ACCOUNTS: u32 = 100;
const CLIENTS: u32 = 16;
const WELCOME: i64 = 500;

async fn register(client: &Client, phone: &str) -> Fan {
    client.post("/api/code/request").json(json!({"phone": phone})).send().await.expect(200);
    let log = format!("/api/logs/sms?phone={}", phone.replace('+', "%2B"));
    let log = client.get(&log).send().await.expect(200);
    let body = json!({"phone": phone, "code": log.body["data"][0]["code"]});
    let reply = client.post("/api/code/verify").json(body).send().await.expect(200);
    Fan::of(&reply.body["data"])
}

/// An operation that a client got an answer for: the key it was sent under, and the coins that moved.
struct Acknowledged {
    user: usize,
    key: String,
    coins: i64,
}

struct Bank {
    client: RwLock<Client>,
    fans: Vec<Fan>,
    acknowledged: Mutex<Vec<Acknowledged>>,
    is_closing: AtomicBool,
}

/// What a client asks for. Its key is found again in the ledger: as the reference of a spend, the reason of a correction.
enum Operation {
    Spend(i64),
    Correct(i64),
    Claim,
    Read,
}

impl Operation {
    fn name(&self) -> &'static str {
        match self {
            Self::Spend(_) => "spend",
            Self::Correct(_) => "correct",
            Self::Claim => "claim",
            Self::Read => "read",
        }
    }

    fn random() -> Self {
        let coins = i64::try_from(random_below(120)).unwrap() + 1;
        match random_below(10) {
            0..=4 => Self::Spend(coins),
            5 => Self::Correct(-coins),
            6..=7 => Self::Correct(coins),
            8 => Self::Claim,
            _ => Self::Read,
        }
    }
}

impl Bank {
    async fn serve_client(&self, number: u32) {
        for turn in 0.. {
            if self.is_closing.load(Ordering::SeqCst) {
                return;
            }
            let user = usize::try_from(random_below(u64::from(ACCOUNTS))).unwrap();
            let operation = Operation::random();
            let key = format!("{} {number}-{turn}", operation.name());
            let reply = self.until_answered(user, &key, &operation).await;
            let coins = match (reply.status, &operation) {
                (200, Operation::Spend(coins)) => -coins,
                (200, Operation::Correct(coins)) => *coins,
                (200, Operation::Claim) => reply.body["data"]["coins_awarded"].as_i64().unwrap(),
                (200, Operation::Read) => {
                    check_chain(reply.body["data"].as_array().unwrap());
                    continue;
                }
                (400 | 429, _) => continue,
                _ => panic!("{}", reply.text),
            };
            self.acknowledged.lock().unwrap().push(Acknowledged { user, key, coins });
        }
    }

    /// Waits until clients were told of so many transfers in all.
    async fn make_transfers(&self, clients: &[JoinHandle<()>], count: usize) {
        while self.acknowledged.lock().unwrap().len() < count {
            assert!(clients.iter().all(|client| !client.is_finished()), "a client gave up");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Sends the same request, under the same key, until somebody answers.
    async fn until_answered(&self, user: usize, key: &str, operation: &Operation) -> Reply {
        let fan = &self.fans[user];
        loop {
            let client = self.client.read().unwrap().clone();
            let call = match operation {
                Operation::Spend(coins) => client
                    .post("/api/auth/coins/deduct")
                    .token(&fan.token)
                    .json(json!({"amount": coins, "reason": "wager", "reference_id": key})),
                Operation::Correct(coins) => client
                    .post(&format!("/api/admin/users/{}/coins", fan.id))
                    .token(OPERATOR_TOKEN)
                    .json(json!({"amount": coins, "reason": key})),
                Operation::Claim => client.post("/api/auth/daily-coins").token(&fan.token),
                Operation::Read => client.get("/api/auth/coins/transactions").token(&fan.token),
            };
            match call.header("idempotency-key", key).try_send().await {
                Ok(reply) if reply.status != 503 => return reply,
                _ => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    /// All transactions of a user, oldest first.
    async fn ledger(&self, fan: &Fan) -> Vec<Value> {
        let client = self.client.read().unwrap().clone();
        let mut rows = Vec::new();
        for page in 1.. {
            let path = format!("/api/auth/coins/transactions?per_page=100&page={page}");
            let reply = client.get(&path).token(&fan.token).send().await.expect(200);
            rows.extend(reply.body["data"].as_array().unwrap().clone());
            if reply.body["meta"]["last_page"] == page {
                break;
            }
        }
        check_chain(&rows);
        rows.reverse();
        rows
    }

    /// Compares every account with what clients were told, and answers how many transfers that were.
    async fn check_books(&self) -> usize {
        let acknowledged = std::mem::take(&mut *self.acknowledged.lock().unwrap());
        let count = acknowledged.len();
        let mut expected: Vec<BTreeMap<String, i64>> = vec![BTreeMap::new(); self.fans.len()];
        for Acknowledged { user, key, coins } in acknowledged {
            assert!(expected[user].insert(key, coins).is_none());
        }
        let client = self.client.read().unwrap().clone();
        for (fan, mut expected) in self.fans.iter().zip(expected) {
            let total: i64 = WELCOME + expected.values().sum::<i64>();
            for row in self.ledger(fan).await.into_iter().skip(1) {
                let amount = row["amount"].as_i64().unwrap();
                let text = |field: &str| row[field].as_str().unwrap().to_owned();
                let key = match text("reason").as_str() {
                    "wager" => text("reference_id"),
                    "daily_bonus" => {
                        let claim = expected.keys().find(|key| key.starts_with("claim"));
                        claim.expect("a claim nobody made").clone()
                    }
                    correction => correction.to_owned(),
                };
                assert_eq!(
                    expected.remove(&key),
                    Some(amount),
                    "{key} is not to be there, or twice"
                );
            }
            assert!(expected.is_empty(), "acknowledged and lost: {expected:?}");
            let coins = client.get("/api/auth/coins").token(&fan.token).send().await.expect(200);
            assert_eq!(coins.body["data"]["balance"], total);
        }
        count
    }
}

/// Newest first, each balance is the one before it and the amount.
fn check_chain(rows: &[Value]) {
    let number = |row: &Value, field: &str| row[field].as_i64().unwrap();
    assert!(rows.iter().all(|row| number(row, "balance_after") >= 0));
    for pair in rows.windows(2) {
        let before = number(&pair[1], "balance_after");
        assert_eq!(number(&pair[0], "balance_after"), before + number(&pair[0], "amount"));
    }
}

fn start(folder: &TempDir, database_url: &str, settings: &[(&str, &str)]) -> Program {
    tokio::task::block_in_place(|| Program::start(folder, database_url, settings))
}

/// The auditor's turn comes once an hour; this makes it now.
async fn call_the_auditor(folder: &TempDir, database_url: &str) {
    let file = format!("sqlite:{}", folder.path().join("touchline.db").display());
    let url = if database_url.is_empty() { file } else { database_url.to_owned() };
    let config = Config::defaults().unwrap().database;
    let db = Db::open(&url, &config, Clock::system()).await.unwrap();
    let sql = "UPDATE jobs SET run_at = 0, leased_until = 0 WHERE kind = 'reconcile_coins'";
    assert_eq!(db.write(|tx| tx.exec(sql, params![])).await.unwrap(), 1);
    db.close().await;
}

/// Until the books were gone through once more, and found right.
async fn wait_for_auditor(client: &Client) {
    let ask = client.post("/api/admin/coins/reconcile").token(OPERATOR_TOKEN);
    let last = ask.send().await.expect(202).body["data"]["last_reconciliation"].clone();
    let found = eventually(|| async {
        let books = client.get("/api/admin/coins").token(OPERATOR_TOKEN).send().await.expect(200);
        let found = books.body["data"]["reconciliation"].clone();
        (found["id"].as_i64() > last.as_i64()).then_some(found)
    });
    let found = found.await;
    assert_eq!((&found["disagreeing"], &found["difference"]), (&json!(0), &json!(0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bank_that_is_killed_again_and_again_loses_and_doubles_nothing() {
    let is_long = std::env::var("TOUCHLINE_TEST_LONG").is_ok_and(|flag| flag == "1");
    let (kills, transfers_between) = if is_long { (30, 2_000) } else { (2, 200) };
    let (folder, database_url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let mut program = start(&folder, &database_url, &[]);
    let phones: Vec<String> = (0..ACCOUNTS).map(TestApp::phone).collect();
    let registering = phones.iter().map(|phone| register(&program.client, phone));
    let fans = futures_util::future::join_all(registering).await;
    let bank = Arc::new(Bank {
        client: RwLock::new(program.client.clone()),
        fans,
        acknowledged: Mutex::default(),
        is_closing: AtomicBool::new(false),
    });
    let clients: Vec<_> = (0..CLIENTS)
        .map(|number| {
            let bank = bank.clone();
            tokio::spawn(async move { bank.serve_client(number).await })
        })
        .collect();
    for kill in 0..kills {
        bank.make_transfers(&clients, (kill + 1) * transfers_between).await;
        program.kill();
        program = start(&folder, &database_url, &[]);
        *bank.client.write().unwrap() = program.client.clone();
    }
    bank.make_transfers(&clients, (kills + 1) * transfers_between).await;
    bank.is_closing.store(true, Ordering::SeqCst);
    for client in clients {
        client.await.unwrap();
    }
    let transfers = bank.check_books().await;
    println!("{transfers} transfers, {kills} kills");
    assert!(transfers > 100);

    program.kill();
    call_the_auditor(&folder, &database_url).await;
    let address = free_address();
    let program = start(&folder, &database_url, &[("TOUCHLINE_METRICS_LISTEN", &address)]);
    wait_for_auditor(&program.client).await;
    wait_for_metric(&address, "touchline_ledger_difference 0").await;
    wait_for_metric(&address, "touchline_ledger_frozen_accounts 0").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retry_after_a_crash_between_commit_and_answer_finds_the_first_result() {
    let (folder, database_url) = (tempfile::tempdir().unwrap(), fresh_database_url().await);
    let program = start(&folder, &database_url, &[]);
    let fan = register(&program.client, &TestApp::phone(1)).await;
    let body = json!({"amount": 30, "reason": "wager"}).to_string();
    let request = format!(
        "POST /api/auth/coins/deduct HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\
         content-type: application/json\r\nidempotency-key: k\r\ncontent-length: {}\r\n\r\n{body}",
        fan.token,
        body.len()
    );
    // Its answer is never read.
    let mut connection = TcpStream::connect(program.client.address()).unwrap();
    connection.write_all(request.as_bytes()).unwrap();
    let balance = async || {
        let call = program.client.get("/api/auth/coins").token(&fan.token);
        call.send().await.expect(200).body["data"]["balance"].clone()
    };
    while balance().await != 470 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    program.kill();
    let program = start(&folder, &database_url, &[]);
    let retry = program.client.post("/api/auth/coins/deduct").token(&fan.token);
    let retry = retry.header("idempotency-key", "k").raw(body).send().await.expect(200);
    assert_eq!(retry.header("idempotent-replayed"), Some("true"));
    assert_eq!(retry.body["data"]["new_balance"], 470);
}
