//! Too much of everything: slow sockets, more requests than can be served, no file descriptors left.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::Scale;
use crate::harness::Client;
use crate::load::{Load, pick};
use crate::outcome::Outcome;
use crate::site::Site;

const WORKERS: usize = 8;
const SLOW_SOCKETS: usize = 1000;

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap()
}

/// How many requests the load gets answered in a while.
async fn answered(load: &Arc<Load>, during: Duration) -> u64 {
    let before = load.record().requests;
    let workers = load.begin(WORKERS);
    tokio::time::sleep(during).await;
    workers.end().await;
    load.record().requests - before
}

/// Says a byte of a head now and then; answers how long it was let.
async fn trickle(address: String) -> Option<Duration> {
    let mut stream = TcpStream::connect(address).await.ok()?;
    let started = Instant::now();
    let mut byte = [0];
    while started.elapsed() < Duration::from_secs(30) {
        if stream.write_all(b"x").await.is_err() {
            return Some(started.elapsed());
        }
        let pause = Duration::from_millis(500 + count(pick(500)));
        if let Ok(Ok(0) | Err(_)) = tokio::time::timeout(pause, stream.read(&mut byte)).await {
            return Some(started.elapsed());
        }
    }
    None
}

/// A thousand that never finish their head take no place from those who do, and are all shown out.
pub async fn slow_sockets(scale: Scale) -> Outcome {
    let mut site = Site::on_sqlite(&[]);
    let load = Load::prepare(&site.client()).await;
    let mut outcome = Outcome { times: 1, ..Outcome::default() };
    let during = Duration::from_secs(u64::from(scale.of(4, 2)));
    let control = answered(&load, during).await;
    let address = site.client().address().to_owned();
    let slow: Vec<_> = (0..SLOW_SOCKETS).map(|_| tokio::spawn(trickle(address.clone()))).collect();
    tokio::time::sleep(Duration::from_millis(300)).await;
    let meanwhile = answered(&load, during).await;
    let mut longest = Duration::ZERO;
    for socket in slow {
        match socket.await.unwrap() {
            Some(open) => longest = longest.max(open),
            None => outcome.problem("a slow socket was never closed".to_owned()),
        }
    }
    outcome.healed(load.heal(Instant::now()).await);
    outcome.note(&format!(
        "control {control} requests in {during:?}, beside the slow ones {meanwhile}; the last slow one closed after {} ms",
        longest.as_millis()
    ));
    outcome.require(meanwhile * 4 > control, || "the slow ones took the others' places".to_owned());
    outcome.require(longest < Duration::from_secs(15), || "slow ones stay".to_owned());
    site.conclude(&load, &mut outcome).await;
    outcome.require(outcome.kinds.is_empty(), || "somebody was refused".to_owned());
    outcome
}

/// The value below which this share of them is.
fn quantile(sorted: &[Duration], share: usize) -> Duration {
    sorted.get(sorted.len() * share / 100).copied().unwrap_or_default()
}

/// Somebody with a connection of his own, who asks now and then and is answered or refused; how long each took.
async fn ask_now_and_then(client: Client, token: String, until: Instant) -> Vec<(u16, Duration)> {
    let mut seen = Vec::new();
    while Instant::now() < until {
        let started = Instant::now();
        let status = client.get("/api/auth/me").token(&token).send().await.status;
        seen.push((status, started.elapsed()));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    seen
}

/// Requests that come at a rate, whether or not those before them were answered; gives how many.
async fn offer(load: &Arc<Load>, a_second: u64, during: Duration) -> u64 {
    let mut arrivals = tokio::time::interval(Duration::from_millis(2));
    let (began, mut offered, mut tasks) = (Instant::now(), 0, Vec::new());
    while began.elapsed() < during {
        arrivals.tick().await;
        let due = u64::try_from(began.elapsed().as_millis()).unwrap() * a_second / 1000;
        for _ in offered..due {
            let load = load.clone();
            tasks.push(tokio::spawn(async move { load.spend_once().await }));
        }
        offered = offered.max(due);
    }
    for task in tasks {
        task.await.unwrap();
    }
    offered
}

/// Twice as many requests as are served when nobody is refused: the rest is told so at once, and nothing is lost.
pub async fn overload(scale: Scale) -> Outcome {
    let mut site = Site::on_sqlite(&[
        ("TOUCHLINE_HTTP__MAX_IN_FLIGHT", "32"),
        // All of it comes from one address.
        ("TOUCHLINE_HTTP__MAX_CONNECTIONS_PER_ADDRESS", "10000"),
    ]);
    let client = site.client();
    let load = Load::prepare(&client).await;
    let mut outcome = Outcome { times: 1, ..Outcome::default() };
    let during = Duration::from_secs(u64::from(scale.of(6, 3)));
    let capacity = answered(&load, Duration::from_secs(2)).await / 2;
    load.record().latencies.clear();
    let began = Instant::now();
    let asking = ask_now_and_then(client, load.fans[0].token.clone(), began + during);
    let asking = tokio::spawn(asking);
    let offered = offer(&load, capacity * 2, during).await;
    let took = began.elapsed();
    outcome.healed(load.heal(Instant::now()).await);
    let latencies = std::mem::take(&mut load.record().latencies);
    let served = count(latencies.iter().filter(|(status, _)| *status < 500).count());
    let rate = served * 1000 / u64::try_from(took.as_millis()).unwrap();
    let mut asked: Vec<Duration> =
        asking.await.unwrap().into_iter().map(|(_, took)| took).collect();
    asked.sort_unstable();
    let (median, p95) = (quantile(&asked, 50), quantile(&asked, 95));
    outcome.note(&format!(
        "served {capacity}/s before, {rate}/s while {}/s were offered; a caller with a connection is answered or refused \
         in {} ms (median; p95 {} ms)",
        offered / during.as_secs(),
        median.as_millis(),
        p95.as_millis(),
    ));
    outcome.require(rate * 4 > capacity, || "too few were served".to_owned());
    outcome.require(median < Duration::from_millis(500), || "answers are slow".to_owned());
    site.conclude(&load, &mut outcome).await;
    let is_overload = |kind: &String| kind == "503 overloaded";
    outcome.require(outcome.kinds.keys().any(is_overload), || "nobody was refused".to_owned());
    outcome.require(outcome.kinds.keys().all(is_overload), || "other failures".to_owned());
    outcome
}

pub fn open_files(process: u32) -> usize {
    std::fs::read_dir(format!("/proc/{process}/fd")).map_or(0, Iterator::count)
}

/// Those who are connected are served on; new ones wait in the kernel's queue until there is room, and none is dropped.
pub async fn no_descriptors(scale: Scale) -> Outcome {
    let mut site = Site::on_sqlite(&[]);
    let load = Load::prepare(&site.client()).await;
    let mut outcome = Outcome { times: scale.of(3, 1), ..Outcome::default() };
    let process = site.program().id();
    let workers = load.begin(WORKERS);
    tokio::time::sleep(Duration::from_millis(300)).await;
    let limit = open_files(process) + 10;
    let limited = Command::new("prlimit")
        .args(["--pid", &process.to_string(), &format!("--nofile={limit}:{limit}")])
        .status();
    if !limited.is_ok_and(|status| status.success()) {
        workers.end().await;
        return Outcome::skipped("prlimit cannot lower the limit of open files here");
    }
    for _ in 0..outcome.times {
        let mut hogs = Vec::new();
        for _ in 0..60 {
            hogs.push(TcpStream::connect(site.client().address()).await.unwrap());
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        let used = open_files(process);
        outcome.require(used >= limit - 1, || format!("{used} of {limit} descriptors are used"));
        let before = load.acknowledged();
        tokio::time::sleep(Duration::from_millis(500)).await;
        let meanwhile = load.acknowledged() - before;
        outcome.require(meanwhile > 0, || "those who were connected are not served".to_owned());
        drop(hogs);
        let freed = Instant::now();
        // A new connection, which is what could not be had.
        let health = Client::new(site.client().base()).get("/readyz").try_send().await;
        outcome.require(health.is_ok_and(|reply| reply.status == 200), || {
            "not ready again".to_owned()
        });
        outcome.healed(freed.elapsed());
    }
    workers.end().await;
    outcome.note(&format!("limit of {limit} open files"));
    site.conclude(&load, &mut outcome).await;
    // What is written needs no file that is not open yet.
    outcome.require(outcome.kinds.is_empty(), || "somebody was not served".to_owned());
    outcome
}
