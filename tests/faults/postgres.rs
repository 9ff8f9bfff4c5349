//! PostgreSQL goes and comes back: restarted without a goodbye, frozen, out of connections.

use std::process::Command;
use std::time::{Duration, Instant};

use tokio_postgres::{Client, NoTls};

use crate::Scale;
use crate::harness::Cluster;
use crate::invariants;
use crate::load::Load;
use crate::outcome::Outcome;
use crate::site::Site;

const WORKERS: usize = 8;
pub const NO_SERVER: &str = "no PostgreSQL: TOUCHLINE_TEST_PG_BIN names no folder of its programs";
const FROZEN: Duration = Duration::from_secs(5);
/// How long others have every connection.
const TAKEN: Duration = Duration::from_millis(1500);
/// Takes the connections of everybody but us.
const TAKE: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE application_name <> 'ours' AND backend_type = 'client backend'";

pub fn cluster() -> Option<Cluster> {
    tokio::task::block_in_place(Cluster::start)
}

/// Not through a pool: a connection that is ours for as long as we hold it.
async fn connect(cluster: &Cluster) -> Result<Client, tokio_postgres::Error> {
    let url = format!("{}?application_name=ours", cluster.url());
    let (client, connection) = tokio_postgres::connect(&url, NoTls).await?;
    tokio::spawn(async move { drop(connection.await) });
    Ok(client)
}

pub async fn restarted(scale: Scale) -> Outcome {
    let Some(cluster) = cluster() else { return Outcome::skipped(NO_SERVER) };
    let mut site = Site::on(&cluster.url(), &[]);
    let load = Load::prepare(&site.client()).await;
    let mut outcome = Outcome { times: scale.of(10, 2), ..Outcome::default() };
    for _ in 0..outcome.times {
        let workers = load.begin(WORKERS);
        tokio::time::sleep(Duration::from_millis(300)).await;
        tokio::task::block_in_place(|| cluster.stop("immediate"));
        tokio::time::sleep(Duration::from_millis(200)).await;
        tokio::task::block_in_place(|| cluster.run());
        outcome.healed(load.heal(Instant::now()).await);
        workers.end().await;
        load.retry_open().await;
        invariants::check_records(&load, &site.books(), &mut outcome).await;
    }
    site.conclude(&load, &mut outcome).await;
    let is_seen = outcome.kinds.keys().any(|kind| kind.starts_with("503"));
    outcome.require(is_seen, || "nobody noticed the restarts".to_owned());
    outcome
}

/// The server and all it has started, by their ids.
pub async fn processes(cluster: &Cluster) -> Vec<String> {
    let client = connect(cluster).await.unwrap();
    let folder: String = client.query_one("SHOW data_directory", &[]).await.unwrap().get(0);
    let text = std::fs::read_to_string(format!("{folder}/postmaster.pid")).unwrap();
    let server = text.lines().next().unwrap().to_owned();
    let children = Command::new("ps").args(["-o", "pid=", "--ppid", &server]).output().unwrap();
    let children = String::from_utf8(children.stdout).unwrap();
    // The server first, so that it starts nothing while the others are stopped.
    std::iter::once(server).chain(children.split_whitespace().map(str::to_owned)).collect()
}

pub fn signal(name: &str, processes: &[String]) {
    // A backend may have ended meanwhile, which is as good.
    let _ = Command::new("kill").arg(name).args(processes).output();
}

/// Callers are answered in their time although the server says nothing, and a frozen write counts once.
pub async fn frozen(_: Scale) -> Outcome {
    let Some(cluster) = cluster() else { return Outcome::skipped(NO_SERVER) };
    let mut site = Site::on(&cluster.url(), &[("TOUCHLINE_HTTP__HANDLER_TIMEOUT_MS", "3000")]);
    let load = Load::prepare(&site.client()).await;
    let mut outcome = Outcome { times: 1, ..Outcome::default() };
    let workers = load.begin(WORKERS);
    tokio::time::sleep(Duration::from_millis(300)).await;
    let processes = processes(&cluster).await;
    signal("-STOP", &processes);
    tokio::time::sleep(FROZEN).await;
    signal("-CONT", &processes);
    outcome.healed(load.heal(Instant::now()).await);
    workers.end().await;
    let slowest = load.record().slowest_answer;
    outcome
        .note(&format!("slowest answer {} ms with handler_timeout_ms = 3000", slowest.as_millis()));
    outcome.require(slowest < Duration::from_secs(5), || {
        "callers waited for the frozen server".to_owned()
    });
    site.conclude(&load, &mut outcome).await;
    outcome
}

/// Others take every connection, and the service has just lost its own.
pub async fn exhausted(scale: Scale) -> Outcome {
    let Some(cluster) = cluster() else { return Outcome::skipped(NO_SERVER) };
    let mut site = Site::on(&cluster.url(), &[]);
    let load = Load::prepare(&site.client()).await;
    let mut outcome = Outcome { times: scale.of(3, 1), ..Outcome::default() };
    for _ in 0..outcome.times {
        let workers = load.begin(WORKERS);
        tokio::time::sleep(Duration::from_millis(300)).await;
        let first = connect(&cluster).await.unwrap();
        let mut held = Vec::new();
        let until = Instant::now() + TAKEN;
        while Instant::now() < until {
            // Many at once, or the service would be the first to take what is taken from it.
            let grabs = crate::harness::together(16, |_| connect(&cluster)).await;
            held.extend(grabs.into_iter().filter_map(Result::ok));
            first.batch_execute(TAKE).await.unwrap();
        }
        drop((first, held));
        outcome.healed(load.heal(Instant::now()).await);
        workers.end().await;
        load.retry_open().await;
        invariants::check_records(&load, &site.books(), &mut outcome).await;
    }
    site.conclude(&load, &mut outcome).await;
    let is_seen = outcome.kinds.keys().any(|kind| kind.starts_with("503"));
    outcome.require(is_seen, || "the service never lacked a connection".to_owned());
    outcome
}
