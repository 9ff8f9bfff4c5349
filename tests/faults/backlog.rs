//! More to do than anybody waits for: rows to forget by the hundred thousand.

use std::time::{Duration, Instant};

use crate::Scale;
use crate::load::Load;
use crate::outcome::Outcome;
use crate::site::Site;

const WORKERS: usize = 8;
/// Far too short to delete all of it in one statement.
const STATEMENT_TIMEOUT_MS: &str = "200";
const EXPIRED: &str = "SELECT count(*) FROM idempotency_keys WHERE created_at < 1000000";
const LONGEST_ANSWER: Duration = Duration::from_secs(2);
const LONGEST_WAIT: Duration = Duration::from_secs(60);

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
