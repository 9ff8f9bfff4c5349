//! Work outside requests: at least once, never by two nodes at a time, never lost, and no lane waits for another.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use touchline::app::{self, App};
use touchline::platform::clock::{Clock, Timestamp};
use touchline::platform::db::{Engine, Tx, params};
use touchline::platform::error::{Error, Result};
use touchline::platform::jobs::{self, BoundJob, Job, Lane, Next, Stop, bind};

use crate::harness::{NOW, fresh_database_url, together, variables};

/// What the jobs of a test did, in order, and the gate that slow ones wait at.
#[derive(Clone)]
struct Log {
    lines: Arc<Mutex<Vec<String>>>,
    gate: Arc<Semaphore>,
}

impl Log {
    fn note(&self, line: &str) {
        self.lines.lock().unwrap().push(line.to_owned());
    }

    fn count(&self, line: &str) -> usize {
        self.lines.lock().unwrap().iter().filter(|noted| *noted == line).count()
    }

    async fn wait_for(&self, line: &str) {
        let noted = async {
            while self.count(line) == 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), noted).await.expect(line);
    }
}

macro_rules! test_job {
    ($name:ident, $kind:literal, $lane:ident, $every:expr, |$job:ident, $log:ident, $stop:ident| $body:expr) => {
        #[derive(Clone, Serialize, Deserialize)]
        struct $name(Option<String>);

        impl Job for $name {
            const KIND: &'static str = $kind;
            const LANE: Lane = Lane::$lane;
            const EVERY_MS: Option<i64> = $every;
            type State = Log;

            fn key(&self) -> Option<String> {
                self.0.as_ref()?.split_once(':').map(|(key, _)| key.to_owned())
            }

            async fn run(self, $log: Log, $stop: Stop) -> Result<Next> {
                let $job = self.0.unwrap_or_else(|| $kind.to_owned());
                $log.note(&$job);
                $body
            }
        }
    };
}

test_job!(Counted, "counted", Local, None, |_job, _log, _stop| {
    // Long enough for another node to try its luck.
    tokio::time::sleep(Duration::from_millis(2)).await;
    Ok(Next::Done)
});
test_job!(Slow, "slow", Webhooks, None, |job, log, _stop| {
    log.gate.acquire().await.unwrap().forget();
    log.note(&format!("{job} done"));
    Ok(Next::Done)
});
test_job!(Patient, "patient", Settlement, None, |_job, log, stop| {
    stop.cancelled().await;
    log.note("stopped");
    Ok(Next::Done)
});
test_job!(Failing, "failing", Chat, None, |_job, _log, _stop| {
    Err(Error::internal("the outside world is away"))
});
test_job!(Panicking, "panicking", Chat, None, |_job, _log, _stop| panic!("a defect in a job"));
test_job!(Chore, "chore", Local, Some(60_000), |_job, _log, _stop| Ok(Next::Done));

fn job<J>(make: fn(Option<String>) -> J, name: &str) -> J {
    make(Some(name.to_owned()))
}

/// Several nodes on one database.
struct Nodes {
    apps: Vec<App>,
    log: Log,
    clock: Clock,
    database_url: String,
    folder: TempDir,
}

impl Nodes {
    async fn start(count: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database_url = match fresh_database_url().await {
            url if url.is_empty() => format!("sqlite:{}", folder.path().join("jobs.db").display()),
            url => url,
        };
        let clock = Clock::manual(Timestamp::parse(NOW).unwrap());
        let log = Log { lines: Arc::default(), gate: Arc::new(Semaphore::new(0)) };
        let mut nodes = Self { apps: Vec::new(), log, clock, database_url, folder };
        for _ in 0..count {
            let node = nodes.open_node(nodes.all_kinds()).await;
            nodes.apps.push(node);
        }
        nodes
    }

    fn all_kinds(&self) -> Vec<BoundJob> {
        let log = &self.log;
        vec![
            bind::<Counted>(log),
            bind::<Slow>(log),
            bind::<Patient>(log),
            bind::<Failing>(log),
            bind::<Panicking>(log),
            bind::<Chore>(log),
        ]
    }

    async fn open_node(&self, kinds: Vec<BoundJob>) -> App {
        let short_drain = [("TOUCHLINE_HTTP__DRAIN_TIMEOUT_MS", "300")];
        let variables = variables(&self.folder, &self.database_url, &short_drain);
        let config = app::load_config(None, variables.into_iter()).unwrap();
        App::open_with_jobs(config, self.clock.clone(), Some(kinds)).await.unwrap()
    }

    async fn write<T: Send + 'static>(
        &self,
        script: impl Fn(&mut Tx) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.apps[0].db.write(script).await
    }

    async fn ask<J: Job + Sync>(&self, job: J) {
        self.write(move |tx| jobs::ask(tx, &job)).await.unwrap();
    }

    async fn run(&self) -> usize {
        self.apps[0].jobs.run_due().await.unwrap()
    }

    /// Lets a node work as it does in service.
    fn work(&self, node: usize) -> JoinHandle<()> {
        let jobs = self.apps[node].jobs.clone();
        tokio::spawn(async move { jobs.run().await })
    }

    async fn stop(&self, node: usize, work: JoinHandle<()>) {
        self.apps[node].stop.cancel();
        work.await.unwrap();
    }

    async fn count(&self, sql: &'static str) -> i64 {
        self.apps[0].db.read(move |tx| tx.one(sql, params![])).await.unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_exists_exactly_if_its_transaction_commits() {
    let nodes = Nodes::start(1).await;
    nodes.ask(job(Counted, "committed")).await;
    let rolled_back = nodes.write(|tx| {
        jobs::ask(tx, &job(Counted, "rolled back"))?;
        Err::<(), _>(Error::internal("a reason"))
    });
    assert!(rolled_back.await.is_err());
    nodes.run().await;
    assert_eq!((nodes.log.count("committed"), nodes.log.count("rolled back")), (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_what_is_asked_for_under_one_key_the_last_is_done_once() {
    let nodes = Nodes::start(1).await;
    for name in ["key:first", "key:second", "key:third"] {
        nodes.ask(job(Counted, name)).await;
    }
    nodes.run().await;
    let counts = ["key:first", "key:second", "key:third"].map(|name| nodes.log.count(name));
    assert_eq!(counts, [0, 0, 1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_is_just_being_asked_for_once_more_is_waited_for() {
    let nodes = Nodes::start(1).await;
    nodes.ask(job(Counted, "key:first")).await;
    let held = Arc::new(Semaphore::new(0));
    let holds = Arc::clone(&held);
    let asking = nodes.write(move |tx| {
        jobs::ask(tx, &job(Counted, "key:second"))?;
        holds.add_permits(1);
        // Longer than a look at what is due takes.
        std::thread::sleep(Duration::from_millis(200));
        Ok(())
    });
    let running = async {
        held.acquire().await.unwrap().forget();
        nodes.run().await
    };
    let (asked, _) = tokio::join!(asking, running);
    asked.unwrap();
    assert_eq!(nodes.log.count("key:second"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_for_while_it_runs_is_done_once_more() {
    let nodes = Nodes::start(1).await;
    let work = nodes.work(0);
    nodes.ask(job(Slow, "key:first")).await;
    nodes.log.wait_for("key:first").await;
    nodes.ask(job(Slow, "key:second")).await;
    nodes.log.gate.add_permits(2);
    nodes.log.wait_for("key:second done").await;
    nodes.stop(0, work).await;
    assert_eq!(nodes.count("SELECT count(*) FROM jobs WHERE kind = 'slow'").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_several_nodes_one_runs_each_job() {
    let nodes = Nodes::start(3).await;
    for number in 0..40 {
        nodes.ask(job(Counted, &number.to_string())).await;
    }
    together(3, |n| nodes.apps[n].jobs.run_due()).await;
    for number in 0..40 {
        assert_eq!(nodes.log.count(&number.to_string()), 1);
    }
    assert_eq!(nodes.count("SELECT count(*) FROM jobs WHERE kind = 'counted'").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_job_is_tried_for_as_long_as_it_is_wanted() {
    let nodes = Nodes::start(1).await;
    nodes.ask(job(Failing, "failing")).await;
    for _ in 0..100 {
        nodes.run().await;
        nodes.clock.advance(Duration::from_secs(600));
    }
    assert_eq!(nodes.log.count("failing"), 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn new_wishes_do_not_press_what_is_away_until_somebody_wants_it_tried_now() {
    let nodes = Nodes::start(1).await;
    nodes.ask(job(Failing, "key:wish")).await;
    nodes.run().await;
    nodes.ask(job(Failing, "key:wish")).await;
    nodes.run().await;
    assert_eq!(nodes.log.count("key:wish"), 1);
    nodes.write(|tx| jobs::ask_now(tx, &job(Failing, "key:wish"))).await.unwrap();
    nodes.run().await;
    assert_eq!(nodes.log.count("key:wish"), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_is_a_failure_like_any_other() {
    let nodes = Nodes::start(1).await;
    nodes.ask(job(Panicking, "panicking")).await;
    nodes.run().await;
    let failed = "SELECT count(*) FROM jobs WHERE attempts = 1 AND last_error = 'internal error: the job panicked'";
    assert_eq!(nodes.count(failed).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_of_a_kind_that_a_node_does_not_know_is_left_to_one_that_does() {
    let nodes = Nodes::start(1).await;
    let old_node = nodes.open_node(vec![bind::<Failing>(&nodes.log)]).await;
    nodes.ask(job(Counted, "new kind")).await;
    old_node.jobs.run_due().await.unwrap();
    let untouched = "SELECT count(*) FROM jobs WHERE kind = 'counted' AND attempts = 0";
    assert_eq!(nodes.count(untouched).await, 1);
    nodes.run().await;
    assert_eq!(nodes.log.count("new kind"), 1);
}

/// A job that a process holds which is not there any more.
async fn abandon(nodes: &Nodes, name: &'static str) {
    let abandon = move |tx: &mut Tx| {
        jobs::ask(tx, &job(Counted, name))?;
        let until = tx.now().plus_ms(60_000);
        let sql = "UPDATE jobs SET lease = 'dead node', leased_until = $1 WHERE kind = 'counted'";
        tx.exec(sql, params![until])
    };
    nodes.write(abandon).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_whose_node_died_is_taken_up_when_its_lease_ends() {
    let nodes = Nodes::start(1).await;
    abandon(&nodes, "abandoned").await;
    nodes.run().await;
    assert_eq!(nodes.log.count("abandoned"), 0);
    nodes.clock.advance(Duration::from_secs(60));
    nodes.run().await;
    assert_eq!(nodes.log.count("abandoned"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_only_process_takes_up_at_its_start_what_it_was_killed_in() {
    let nodes = Nodes::start(1).await;
    if nodes.apps[0].db.engine() == Engine::Sqlite {
        abandon(&nodes, "killed in").await;
        let restarted = nodes.open_node(nodes.all_kinds()).await;
        restarted.jobs.run_due().await.unwrap();
        assert_eq!(nodes.log.count("killed in"), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chore_runs_again_and_again_once_for_all_nodes() {
    let nodes = Nodes::start(2).await;
    nodes.run().await;
    nodes.run().await;
    assert_eq!(nodes.log.count("chore"), 1);
    nodes.clock.advance(Duration::from_secs(60));
    nodes.run().await;
    assert_eq!(nodes.log.count("chore"), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_service_hears_of_new_work_on_another_node() {
    let nodes = Nodes::start(2).await;
    let work = nodes.work(1);
    nodes.ask(job(Counted, "asked elsewhere")).await;
    nodes.log.wait_for("asked elsewhere").await;
    nodes.stop(1, work).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lane_whose_workers_all_hang_holds_up_no_other() {
    let nodes = Nodes::start(1).await;
    let work = nodes.work(0);
    for number in 0..20 {
        nodes.ask(job(Slow, &format!("hung {number}"))).await;
    }
    nodes.log.wait_for("hung 3").await;
    nodes.ask(job(Counted, "in time")).await;
    nodes.log.wait_for("in time").await;
    nodes.stop(0, work).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_tells_work_in_hand_and_lets_it_finish() {
    let nodes = Nodes::start(1).await;
    let work = nodes.work(0);
    nodes.ask(job(Patient, "patient")).await;
    nodes.log.wait_for("patient").await;
    nodes.stop(0, work).await;
    assert_eq!(nodes.log.count("stopped"), 1);
    assert_eq!(nodes.count("SELECT count(*) FROM jobs WHERE kind = 'patient'").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_breaks_off_work_that_does_not_end_and_leaves_it_to_others_at_once() {
    let nodes = Nodes::start(2).await;
    let work = nodes.work(1);
    nodes.ask(job(Slow, "endless")).await;
    nodes.log.wait_for("endless").await;
    nodes.stop(1, work).await;
    nodes.log.gate.add_permits(1);
    nodes.run().await;
    assert_eq!((nodes.log.count("endless"), nodes.log.count("endless done")), (2, 1));
}
