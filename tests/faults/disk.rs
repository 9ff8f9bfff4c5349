//! The disk: full, or unable to sync.

use std::time::{Duration, Instant};

use crate::Scale;
use crate::harness::SmallDisk;
use crate::load::Load;
use crate::neighbours::until;
use crate::outcome::Outcome;
use crate::shim::Shim;
use crate::site::Site;

const WORKERS: usize = 8;
const STORAGE_FULL: &str = "507 storage_full";

/// Writes are refused, reads go on, and room heals it.
pub async fn full(scale: Scale) -> Outcome {
    let Some(disk) = SmallDisk::mount(12) else {
        return Outcome::skipped("a small file system cannot be mounted here (needs root)");
    };
    let url = disk.database_url();
    let mut site = Site::on(&url, &[]);
    let load = Load::prepare(&site.client()).await;
    let mut outcome = Outcome { times: scale.of(5, 2), ..Outcome::default() };
    for _ in 0..outcome.times {
        let workers = load.begin(WORKERS);
        tokio::time::sleep(Duration::from_millis(200)).await;
        let refused = || load.record().failures.get(STORAGE_FULL).copied().unwrap_or(0);
        let before = refused();
        disk.fill();
        // The write-ahead log may have room left in its file; how long that lasts depends on how fast the machine is.
        until(Instant::now(), || async { refused() > before + 3 }).await;
        let me = site.client().get("/api/auth/me").token(&load.fans[0].token).send().await.status;
        outcome.require(me == 200, || format!("a read on the full disk is {me}"));
        disk.free();
        let since = Instant::now();
        outcome.healed(load.heal(since).await);
        workers.end().await;
        load.retry_open().await;
        crate::invariants::check_records(&load, &site.books(), &mut outcome).await;
    }
    site.conclude(&load, &mut outcome).await;
    let refused = outcome.kinds.contains_key(STORAGE_FULL);
    outcome.require(refused, || "the disk was never full".to_owned());
    site.kill();
    outcome
}

/// Nothing is acknowledged that the disk did not confirm; every second time the program is killed while it is so.
pub async fn sync_fails(scale: Scale) -> Outcome {
    let Some(shim) = Shim::build() else { return Outcome::skipped("no C compiler") };
    let settings = shim.settings();
    let settings: Vec<(&str, &str)> =
        settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut site = Site::on_sqlite(&settings);
    let load = Load::prepare(&site.client()).await;
    let mut outcome = Outcome { times: scale.of(10, 4), ..Outcome::default() };
    for turn in 0..outcome.times {
        let workers = load.begin(WORKERS);
        tokio::time::sleep(Duration::from_millis(200)).await;
        workers.end().await;
        let before = load.acknowledged();
        shim.break_sync();
        let workers = load.begin(WORKERS);
        tokio::time::sleep(Duration::from_millis(400)).await;
        let me = site.client().get("/api/auth/me").token(&load.fans[0].token).send().await.status;
        outcome.require(me == 200, || format!("a read is {me}"));
        if turn % 2 == 1 {
            site.kill();
        }
        workers.end().await;
        let told = load.acknowledged() - before;
        outcome.require(told == 0, || format!("{told} acknowledged although nothing was synced"));
        shim.mend_sync();
        if turn % 2 == 1 {
            site.recover(&load, &mut outcome).await;
        } else {
            outcome.healed(load.heal(Instant::now()).await);
            load.retry_open().await;
            crate::invariants::check_records(&load, &site.books(), &mut outcome).await;
        }
    }
    site.conclude(&load, &mut outcome).await;
    let is_seen = outcome.kinds.keys().any(|kind| kind.starts_with("503"));
    outcome.require(is_seen, || "the disk never failed".to_owned());
    outcome
}
