//! Work outside requests: at least once, never by two nodes at a time, never lost.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use touchline::app::{self, App};
use touchline::platform::clock::{Clock, Timestamp};
use touchline::platform::db::{Tx, params};
use touchline::platform::error::{Error, Result};
use touchline::platform::jobs::{self, Job, JobKind, Next, Running};

use crate::harness::{NOW, fresh_database_url, together, variables};

/// How often each payload was run, by all tests of this process; payloads are unique to a test.
static RUNS: Mutex<Option<HashMap<String, usize>>> = Mutex::new(None);

const COUNTED: JobKind<()> = JobKind { name: "counted", every_ms: None, run: count };
const FAILING: JobKind<()> = JobKind { name: "failing", every_ms: None, run: fail };
const PANICKING: JobKind<()> = JobKind { name: "panicking", every_ms: None, run: panic };
const CHORE: JobKind<()> = JobKind { name: "chore", every_ms: Some(60_000), run: count };

fn count((): (), job: Job) -> Running {
    Box::pin(async move {
        note(&job);
        // Long enough for another node to try its luck.
        tokio::time::sleep(Duration::from_millis(2)).await;
        Ok(Next::Done)
    })
}

fn fail((): (), job: Job) -> Running {
    Box::pin(async move {
        note(&job);
        Err(Error::internal("the outside world is away"))
    })
}

fn panic((): (), job: Job) -> Running {
    Box::pin(async move {
        note(&job);
        panic!("a defect in a job")
    })
}

fn note(job: &Job) {
    *RUNS.lock().unwrap().get_or_insert_default().entry(job.payload.to_string()).or_default() += 1;
}

fn runs(payload: &serde_json::Value) -> usize {
    let runs = RUNS.lock().unwrap();
    runs.as_ref().and_then(|runs| runs.get(&payload.to_string())).copied().unwrap_or(0)
}

/// Several nodes on one database.
struct Nodes {
    apps: Vec<App>,
    clock: Clock,
    _folder: TempDir,
}

impl Nodes {
    async fn start(count: usize, kinds: &[JobKind<()>]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database_url = match fresh_database_url().await {
            url if url.is_empty() => format!("sqlite:{}", folder.path().join("jobs.db").display()),
            url => url,
        };
        let clock = Clock::manual(Timestamp::parse(NOW).unwrap());
        let mut apps = Vec::new();
        for _ in 0..count {
            let variables =
                variables(&folder, &database_url, &[("TOUCHLINE_JOBS__MAX_ATTEMPTS", "3")]);
            let config = app::load_config(None, variables.into_iter()).unwrap();
            let jobs = kinds.iter().map(|kind| kind.bind(&())).collect();
            let app = App::open_with_jobs(config, clock.clone(), Some(jobs)).await.unwrap();
            apps.push(app);
        }
        Self { apps, clock, _folder: folder }
    }

    async fn write<T: Send + 'static>(
        &self,
        script: impl Fn(&mut Tx) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.apps[0].db.write(script).await
    }

    async fn run(&self) -> usize {
        self.apps[0].jobs.run_due().await.unwrap()
    }

    async fn count(&self, sql: &'static str) -> i64 {
        self.apps[0].db.read(move |tx| tx.one(sql, params![])).await.unwrap()
    }
}

fn enqueue(tx: &mut Tx, kind: &'static str, payload: &serde_json::Value) -> Result<()> {
    let now = tx.now();
    jobs::enqueue(tx, kind, payload, now)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_exists_exactly_if_its_transaction_commits() {
    let nodes = Nodes::start(1, &[COUNTED]).await;
    nodes.write(|tx| enqueue(tx, "counted", &json!("committed"))).await.unwrap();
    let rolled_back = nodes.write(|tx| {
        enqueue(tx, "counted", &json!("rolled back"))?;
        Err::<(), _>(Error::NotFound("reason"))
    });
    assert!(rolled_back.await.is_err());
    nodes.run().await;
    assert_eq!((runs(&json!("committed")), runs(&json!("rolled back"))), (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn work_already_waiting_is_not_asked_for_twice() {
    let nodes = Nodes::start(1, &[COUNTED]).await;
    for _ in 0..3 {
        let ask = |tx: &mut Tx| {
            let now = tx.now();
            jobs::enqueue_once(tx, "counted", "key", &json!("once"), now)
        };
        nodes.write(ask).await.unwrap();
    }
    nodes.run().await;
    assert_eq!(runs(&json!("once")), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_several_nodes_one_runs_each_job() {
    let nodes = Nodes::start(3, &[COUNTED]).await;
    for number in 0..40 {
        nodes.write(move |tx| enqueue(tx, "counted", &json!({"node test": number}))).await.unwrap();
    }
    together(3, |n| nodes.apps[n].jobs.run_due()).await;
    for number in 0..40 {
        assert_eq!(runs(&json!({"node test": number})), 1);
    }
    assert_eq!(nodes.count("SELECT count(*) FROM jobs").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_job_is_retried_later_and_set_aside_in_the_end() {
    let nodes = Nodes::start(1, &[FAILING]).await;
    nodes.write(|tx| enqueue(tx, "failing", &json!("failing"))).await.unwrap();
    assert_eq!(nodes.run().await, 1);
    for _ in 0..5 {
        nodes.clock.advance(Duration::from_secs(600));
        nodes.run().await;
    }
    assert_eq!(runs(&json!("failing")), 3);
    assert_eq!(nodes.count("SELECT count(*) FROM jobs WHERE state = 'dead'").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_is_a_failure_like_any_other() {
    let nodes = Nodes::start(1, &[PANICKING]).await;
    nodes.write(|tx| enqueue(tx, "panicking", &json!("panicking"))).await.unwrap();
    nodes.run().await;
    assert_eq!(
        nodes.count("SELECT count(*) FROM jobs WHERE attempts = 1 AND state = 'ready'").await,
        1
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_whose_node_died_is_taken_up_when_its_lease_ends() {
    let nodes = Nodes::start(1, &[COUNTED]).await;
    let abandon = |tx: &mut Tx| {
        enqueue(tx, "counted", &json!("abandoned"))?;
        let until = tx.now().plus_ms(60_000);
        tx.exec("UPDATE jobs SET lease = 'dead node', leased_until = $1", params![until])
    };
    nodes.write(abandon).await.unwrap();
    nodes.run().await;
    assert_eq!(runs(&json!("abandoned")), 0);
    nodes.clock.advance(Duration::from_secs(60));
    nodes.run().await;
    assert_eq!(runs(&json!("abandoned")), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chore_runs_again_and_again_once_for_all_nodes() {
    let nodes = Nodes::start(2, &[CHORE]).await;
    let before = runs(&json!(null));
    nodes.run().await;
    nodes.run().await;
    assert_eq!(runs(&json!(null)) - before, 1);
    nodes.clock.advance(Duration::from_secs(60));
    nodes.run().await;
    assert_eq!(runs(&json!(null)) - before, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_service_does_new_work_at_once() {
    let nodes = Nodes::start(2, &[COUNTED]).await;
    let worker = nodes.apps[1].clone();
    let jobs = worker.jobs.clone();
    let running = tokio::spawn(async move { jobs.run().await });
    tokio::time::sleep(Duration::from_millis(50)).await;
    // Asked for on one node, done by another, which hears of it.
    nodes.write(|tx| enqueue(tx, "counted", &json!("at once"))).await.unwrap();
    for _ in 0..300 {
        if runs(&json!("at once")) == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    worker.stop.cancel();
    running.await.unwrap();
    assert_eq!(runs(&json!("at once")), 1);
}
