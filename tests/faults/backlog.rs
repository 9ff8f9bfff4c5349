//! More to do than anybody waits for: callers who have gone, and rows to forget by the hundred thousand.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::Scale;
use crate::harness::{Client, Fan, TestApp};
use crate::load::{self, Load};
use crate::outcome::Outcome;
use crate::pressure::open_files;
use crate::site::Site;

const WORKERS: usize = 8;
/// Far too short to delete all of it in one statement.
const STATEMENT_TIMEOUT_MS: &str = "200";
const EXPIRED: &str = "SELECT count(*) FROM idempotency_keys WHERE created_at < 1000000";
const LONGEST_ANSWER: Duration = Duration::from_secs(2);
const LONGEST_WAIT: Duration = Duration::from_secs(60);

const HANG_UPS: usize = 200;
/// Those that the writer may have begun before their callers went.
const BEGUN_BEFORE: i64 = 10;
const SPENT: &str = "SELECT count(*) FROM coin_transfers WHERE reason = 'slow'";

/// Until it is so; false if it never was.
async fn eventually<F: Future<Output = bool>>(is_so: impl Fn() -> F) -> bool {
    let give_up = Instant::now() + Duration::from_secs(10);
    while Instant::now() < give_up {
        if is_so().await {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    false
}

/// How many transactions wait for the writer, as the metrics have it.
async fn writes_waiting(metrics: &Client) -> usize {
    let text = metrics.get("/metrics").send().await.text;
    let line =
        text.lines().find(|line| line.starts_with("touchline_db_queue_depth{kind=\"write\"}"));
    line.and_then(|line| line.rsplit(' ').next()?.parse().ok()).unwrap_or(0)
}

/// Somebody asks for a coin to be spent and does not stay for the answer.
async fn ask(address: &str, fan: &Fan, number: usize) -> TcpStream {
    let body =
        json!({"amount": 1, "reason": "slow", "reference_id": number.to_string()}).to_string();
    let (token, length) = (&fan.token, body.len());
    let head = format!(
        "POST /api/auth/coins/deduct HTTP/1.1\r\nhost: test\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all((head + &body).as_bytes()).await.unwrap();
    stream
}

/// While nothing can be written, callers come and go: what nobody waits for any more is not done afterwards.
pub async fn callers_hang_up(_: Scale) -> Outcome {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut site = Site::on_sqlite(&[("TOUCHLINE_METRICS_LISTEN", &free.to_string())]);
    let (client, metrics) = (site.client(), Client::new(&format!("http://{free}")));
    let load = Load::prepare(&client).await;
    let mut outcome = Outcome { times: 1, ..Outcome::default() };
    let fan = Fan::of(&load::log_in(&client, &TestApp::phone(8_000)).await);
    load.newcomers.store(1, std::sync::atomic::Ordering::SeqCst);
    let (process, path) = (site.program().id(), site.folder.path().join("touchline.db"));
    let before = open_files(process);
    let lock = rusqlite::Connection::open(path).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut callers = Vec::new();
    for number in 0..HANG_UPS {
        callers.push(ask(client.address(), &fan, number).await);
    }
    let all_wait = || async { writes_waiting(&metrics).await + 1 >= HANG_UPS };
    outcome.require(eventually(all_wait).await, || "not all of them wait".to_owned());
    drop(callers);
    let all_gone = || async { open_files(process) < before + HANG_UPS / 10 };
    outcome.require(eventually(all_gone).await, || "their connections stay".to_owned());
    lock.execute_batch("ROLLBACK").unwrap();
    outcome.healed(load.heal(Instant::now()).await);
    let done = site.books().count(SPENT).await;
    outcome.note(&format!("{done} of {HANG_UPS} whose callers had gone were done"));
    outcome.require(done <= BEGUN_BEFORE, || "work was done that nobody waited for".to_owned());
    site.conclude(&load, &mut outcome).await;
    outcome
}

/// A chore that finds far more than one statement can delete gets through it, and nobody is refused or kept waiting for it.
pub async fn much_to_forget(scale: Scale) -> Outcome {
    let settings = [("TOUCHLINE_DATABASE__STATEMENT_TIMEOUT_MS", STATEMENT_TIMEOUT_MS)];
    let mut site = Site::on_sqlite(&settings);
    let load = Load::prepare(&site.client()).await;
    let mut outcome = Outcome { times: 1, ..Outcome::default() };
    let (rows, user) = (scale.of(300_000, 50_000), load.fans[0].id);
    // Behind the service's back, and then the chore is due.
    let fill = format!(
        "BEGIN IMMEDIATE;
         WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {rows})
         INSERT INTO idempotency_keys (user_id, key, request_hash, status, body, created_at)
             SELECT {user}, 'expired ' || n, x'00', 200, '{{}}', n FROM n;
         UPDATE jobs SET run_at = 0 WHERE kind = 'forget_expired';
         COMMIT"
    );
    site.books().change(&fill).await;
    load.record().latencies.clear();
    load.record().slowest_answer = Duration::ZERO;
    let workers = load.begin(WORKERS);
    let began = Instant::now();
    let mut left = site.books().count(EXPIRED).await;
    while left > 0 && began.elapsed() < LONGEST_WAIT {
        tokio::time::sleep(Duration::from_millis(100)).await;
        left = site.books().count(EXPIRED).await;
    }
    let took = began.elapsed();
    workers.end().await;
    let slowest = load.record().slowest_answer;
    outcome.note(&format!(
        "{rows} expired keys gone in {} ms, beside {} requests; slowest answer {} ms",
        took.as_millis(),
        load.record().latencies.len(),
        slowest.as_millis()
    ));
    outcome.require(left == 0, || format!("{left} of {rows} expired keys are still there"));
    outcome.require(slowest < LONGEST_ANSWER, || "writes were held up".to_owned());
    site.conclude(&load, &mut outcome).await;
    outcome.require(outcome.kinds.is_empty(), || "somebody was refused".to_owned());
    outcome
}
