//! The primary is lost, and another server takes its place: killed, frozen, cut off from the others, or sent away by an operator.
//! Three servers under Patroni with synchronous replication, so nothing that was acknowledged may be missing from the next primary.

mod link;
mod trio;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::task::JoinHandle;

use crate::Scale;
use crate::invariants;
use crate::load::Load;
use crate::outcome::Outcome;
use crate::postgres::NO_SERVER;
use crate::site::Site;
use trio::Trio;

const WORKERS: usize = 8;
const ROUNDS: u32 = 5;
const NO_PATRONI: &str = "no Patroni or no etcd: `make faults` installs Debian's";
const TAKES_MINUTES: &str = "takes minutes, so `make faults` alone has it";
/// How long the old primary stays away after another took over; it comes back to callers at work.
const STAYS_AWAY: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Loss {
    Killed,
    Frozen,
    CutOff,
    SwitchedOver,
}

pub async fn killed(scale: Scale) -> Outcome {
    lose(Loss::Killed, scale).await
}

pub async fn frozen(scale: Scale) -> Outcome {
    lose(Loss::Frozen, scale).await
}

pub async fn cut_off(scale: Scale) -> Outcome {
    lose(Loss::CutOff, scale).await
}

pub async fn switched_over(scale: Scale) -> Outcome {
    lose(Loss::SwitchedOver, scale).await
}

async fn lose(loss: Loss, scale: Scale) -> Outcome {
    if scale.is_short {
        return Outcome::skipped(TAKES_MINUTES);
    }
    let Some(bin) = std::env::var_os("TOUCHLINE_TEST_PG_BIN").map(PathBuf::from) else {
        return Outcome::skipped(NO_SERVER);
    };
    let Some(mut trio) = Trio::start(&bin).await else { return Outcome::skipped(NO_PATRONI) };
    let mut site = Site::on(&trio.url(), &[]);
    let load = Load::prepare(&site.client()).await;
    let mut outcome = Outcome { times: ROUNDS, ..Outcome::default() };
    let mut noticed = 0;
    for round in 0..ROUNDS {
        let old = trio.whole().await;
        let workers = load.begin(WORKERS);
        tokio::time::sleep(Duration::from_millis(500)).await;
        let readiness = Readiness::watch(&site);
        // In every other round clients still reach the one that is cut off.
        let clients_too = round % 2 == 0;
        match loss {
            Loss::Killed => trio.kill(old),
            Loss::Frozen => trio.freeze(old),
            Loss::CutOff => trio.cut_off(old, true, clients_too),
            Loss::SwitchedOver => trio.switch_over(old).await,
        }
        let since = trio.taken_over_from(old).await;
        outcome.healed(load.heal(since).await);
        noticed += u32::from(readiness.was_unready());
        tokio::time::sleep(STAYS_AWAY).await;
        match loss {
            Loss::Killed => trio.start_again(old),
            Loss::Frozen => trio.thaw(old),
            Loss::CutOff => trio.cut_off(old, false, clients_too),
            Loss::SwitchedOver => {}
        }
        trio.whole().await;
        workers.end().await;
        load.retry_open().await;
        invariants::check_records(&load, &site.books(), &mut outcome).await;
    }
    site.conclude(&load, &mut outcome).await;
    // An operator's switch takes a second or two, and readiness is looked at once a second.
    if loss != Loss::SwitchedOver {
        outcome.require(noticed == ROUNDS, || {
            format!("/readyz said that it was not ready in {noticed} of {ROUNDS} rounds only")
        });
    }
    outcome
}

/// Whether `/readyz` ever said no.
struct Readiness {
    said_no: Arc<AtomicBool>,
    asking: JoinHandle<()>,
}

impl Readiness {
    fn watch(site: &Site) -> Self {
        let (client, said_no) = (site.client(), Arc::new(AtomicBool::new(false)));
        let noted = said_no.clone();
        let asking = tokio::spawn(async move {
            loop {
                if client.get("/readyz").send().await.status == 503 {
                    noted.store(true, Ordering::Relaxed);
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        });
        Self { said_no, asking }
    }

    fn was_unready(self) -> bool {
        self.asking.abort();
        self.said_no.load(Ordering::Relaxed)
    }
}
