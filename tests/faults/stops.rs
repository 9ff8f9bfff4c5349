//! SIGTERM in the worst moments: it ends within ten seconds, with exit code 0, and a second signal ends it at once.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::Scale;
use crate::crashes::{CROWD, UNSETTLED, in_the_middle, progress};
use crate::harness::{OPERATOR_TOKEN, TestApp};
use crate::load::{self, Load};
use crate::neighbours::{SECRET, until};
use crate::outcome::Outcome;
use crate::postgres::{NO_SERVER, cluster, processes, signal};
use crate::site::Site;
use crate::stand_in::{Mood, StandIn};

const PROMISED: Duration = Duration::from_secs(10);

/// Sends SIGTERM and answers how long the end took; that it came too late or badly is a problem.
fn stop(site: &mut Site, what: &str, outcome: &mut Outcome) -> Duration {
    let told = Instant::now();
    site.program().terminate();
    let code = tokio::task::block_in_place(|| site.program().exit_code(PROMISED));
    outcome.times += 1;
    outcome.require(code == Some(0), || {
        format!("{what}: exit code {code:?} after {:?}", told.elapsed())
    });
    outcome.note(&format!("{what} {} ms", told.elapsed().as_millis()));
    told.elapsed()
}

/// In the middle of a settlement, and of work for a homeserver that says nothing.
pub async fn while_working(scale: Scale) -> Outcome {
    let homeserver = StandIn::start(Mood::Hanging).await;
    let url = homeserver.url();
    let settings = [SECRET, ("TOUCHLINE_MATRIX__HOMESERVER_URL", url.as_str())];
    let mut site = Site::on_sqlite(&settings);
    let mut outcome = Outcome::default();
    // It logs in without chat, which is then asked for by a job.
    load::log_in(&site.client(), &TestApp::phone(1)).await;
    let hanging = "SELECT count(*) FROM jobs WHERE kind LIKE 'chat%' AND lease IS NOT NULL";
    until(Instant::now(), || async { site.books().count(hanging).await > 0 }).await;
    stop(&mut site, "silent homeserver", &mut outcome);
    let mut site = Site::on_sqlite(&[]);
    let load = Load::prepare(&site.client()).await;
    site.books().change(CROWD).await;
    load.newcomers.store(10_000, std::sync::atomic::Ordering::SeqCst);
    let path = format!("/api/admin/events/{}/result", load.event);
    let (mut caught, mut results) = (0, 0);
    let give_up = Instant::now() + Duration::from_secs(60);
    while caught < scale.of(5, 1) && Instant::now() < give_up {
        let body = json!({"home_score": results % 3, "away_score": 1});
        results += 1;
        site.client().post(&path).token(OPERATOR_TOKEN).json(body).send().await.expect(200);
        if in_the_middle(&site).await {
            caught += 1;
            stop(&mut site, "settlement", &mut outcome);
            site.up();
        }
    }
    outcome.require(caught > 0, || "no settlement was caught in the middle".to_owned());
    until(Instant::now(), || async { progress(&site).await.is_none() }).await;
    for (what, sql) in UNSETTLED {
        let wrong = site.books().count(sql).await;
        outcome.require(wrong == 0, || format!("{what}: {wrong} are not what settling once gives"));
    }
    outcome
}

/// While PostgreSQL says nothing, with requests and jobs waiting for it.
pub async fn while_frozen(_: Scale) -> Outcome {
    let Some(cluster) = cluster() else { return Outcome::skipped(NO_SERVER) };
    let mut outcome = Outcome::default();
    // Less than the default, which leaves one second of the ten to a machine that may itself stand still for as long.
    let mut site = Site::on(&cluster.url(), &[("TOUCHLINE_HTTP__DRAIN_TIMEOUT_MS", "6000")]);
    let load = Load::prepare(&site.client()).await;
    for (what, signals) in [("frozen PostgreSQL", 1), ("second Ctrl-C", 2)] {
        let workers = load.begin(4);
        tokio::time::sleep(Duration::from_millis(300)).await;
        let processes = processes(&cluster).await;
        signal("-STOP", &processes);
        tokio::time::sleep(Duration::from_secs(2)).await;
        if signals == 1 {
            stop(&mut site, what, &mut outcome);
        } else {
            let id = site.program().id().to_string();
            let interrupt = || Command::new("kill").args(["-INT", &id]).status().unwrap();
            interrupt();
            tokio::time::sleep(Duration::from_millis(500)).await;
            let told = Instant::now();
            interrupt();
            let end = || site.program().exit_code(Duration::from_secs(1));
            let code = tokio::task::block_in_place(end);
            outcome.times += 1;
            outcome.require(code == Some(130), || format!("{what}: exit code {code:?}"));
            outcome.note(&format!("{what} {} ms", told.elapsed().as_millis()));
        }
        signal("-CONT", &processes);
        workers.end().await;
        site.recover(&load, &mut outcome).await;
    }
    site.conclude(&load, &mut outcome).await;
    outcome
}
