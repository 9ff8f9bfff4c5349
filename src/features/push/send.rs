//! Sending: what is due for a user is gathered by kind, looked at once more, put into words and sent to all their devices.
//!
//! A shard has one job, which one node holds at a time, so nobody is told anything by two nodes. What was sent and not yet written down when
//! a node died is sent again, under the same tag, by which a device shows it once.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::join_all;
use futures_util::stream;
use serde::{Deserialize, Serialize};

use crate::adapters::push::{Failure, Notice};
use crate::features::push::Push;
use crate::features::users::UserId;
use crate::platform::clock::{MINUTE_MS, SECOND_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::jobs::{self, Job, Lane, Next, Stop};

use super::compose::{self, Bundle, Decision};
use super::device_store::{self, DeviceRow};
use super::message_store::{self as store, SHARDS};
use super::settings_store;
use super::target_of;
use super::values::{DeviceId, Kind};

/// Messages gathered at once, and calls under way.
const BATCH: i64 = 256;
const AT_ONCE: usize = 32;
/// Between one try and the next, doubled each time.
const FIRST_PAUSE_MS: i64 = 15 * SECOND_MS;
const LONGEST_PAUSE_MS: i64 = 15 * MINUTE_MS;

/// Sends what is due in a shard.
#[derive(Debug, Serialize, Deserialize)]
pub struct SendShard {
    shard: i64,
}

impl SendShard {
    pub fn ask_for(tx: &mut Tx, user: UserId) -> Result<()> {
        jobs::ask(tx, &Self { shard: user.0.rem_euclid(SHARDS) })
    }

    pub fn ask_all(tx: &mut Tx) -> Result<()> {
        (0..SHARDS).try_for_each(|shard| jobs::ask(tx, &Self { shard }))
    }
}

impl Job for SendShard {
    const KIND: &'static str = "push_send";
    const LANE: Lane = Lane::Push;
    type State = Push;

    fn key(&self) -> Option<String> {
        Some(self.shard.to_string())
    }

    /// One batch at a time, so that a service that is slow to answer does not keep the lane from other work.
    async fn run(self, push: Push, _: Stop) -> Result<Next> {
        let shard = self.shard;
        let due = move |tx: &mut Tx| {
            let users = store::list_due_users(tx, shard, BATCH)?;
            compose::decide(tx, &users)
        };
        let bundles = push.db.read(due).await?;
        if !bundles.is_empty() {
            let sent = send_all(&push, bundles).await;
            push.db.write(move |tx| record(tx, &sent)).await?;
        }
        let next = push.db.lookup(move |tx| store::find_next_due(tx, shard)).await?;
        Ok(next.map_or(Next::Done, Next::At))
    }
}

/// A device, and what its service made of a message.
type Answered = (DeviceRow, std::result::Result<(), Failure>);

/// A bundle, and what became of it on each device.
struct Sent {
    bundle: Bundle,
    devices: Vec<Answered>,
}

async fn send_all(push: &Push, bundles: Vec<Bundle>) -> Vec<Sent> {
    stream::iter(bundles).map(|bundle| send(push, bundle)).buffer_unordered(AT_ONCE).collect().await
}

async fn send(push: &Push, mut bundle: Bundle) -> Sent {
    let devices = std::mem::take(&mut bundle.devices);
    let devices = match &bundle.decision {
        Decision::Send(notice) => {
            join_all(devices.into_iter().map(|device| send_to(push, device, notice))).await
        }
        Decision::Wait(_) | Decision::Drop(_) => Vec::new(),
    };
    Sent { bundle, devices }
}

async fn send_to(push: &Push, device: DeviceRow, notice: &Notice) -> Answered {
    let now = push.clock.now().as_millis() / 1_000;
    let outcome = match target_of(push, &device) {
        Some(target) => push.sender.send(&target, notice, now).await,
        None => Err(Failure::Gone),
    };
    count(&device, outcome);
    (device, outcome)
}

fn count(device: &DeviceRow, outcome: std::result::Result<(), Failure>) {
    let word = outcome.map_or_else(failure_name, |()| "taken");
    metrics::counter!("touchline_push_calls_total", "service" => device.kind.name(), "outcome" => word)
        .increment(1);
}

const fn failure_name(failure: Failure) -> &'static str {
    match failure {
        Failure::Gone => "gone",
        Failure::Refused => "refused",
        Failure::Later(_) => "later",
        Failure::BadKey => "bad_key",
        Failure::NotSetUp => "not_set_up",
    }
}

/// What is to be written down, gathered so that a batch takes a few statements and not a few for each user.
#[derive(Default)]
struct Ledger {
    /// Messages by what became of them, and by when they are tried again.
    ended: BTreeMap<&'static str, Vec<i64>>,
    waiting: BTreeMap<Timestamp, Vec<i64>>,
    sums: BTreeMap<(Kind, &'static str), i64>,
    /// How many were sent to a user on a day of theirs.
    told: BTreeMap<(UserId, i64), i64>,
    /// Who was told what was said in a chat room.
    told_chat: Vec<UserId>,
    devices: Vec<DeviceId>,
}

impl Ledger {
    fn end(&mut self, bundle: &Bundle, outcome: &'static str) {
        self.ended.entry(outcome).or_default().extend(&bundle.ids);
        *self.sums.entry((bundle.kind, outcome)).or_default() += 1;
    }

    fn wait(&mut self, bundle: &Bundle, until: Timestamp) {
        self.waiting.entry(until).or_default().extend(&bundle.ids);
    }

    fn write(self, tx: &mut Tx) -> Result<()> {
        for (outcome, ids) in &self.ended {
            store::update_outcome(tx, ids, outcome)?;
        }
        for (until, ids) in &self.waiting {
            store::update_due(tx, ids, *until)?;
        }
        device_store::update_sent(tx, &self.devices)?;
        let told: Vec<(UserId, i64, i64)> =
            self.told.into_iter().map(|((user, day), count)| (user, day, count)).collect();
        settings_store::add_sent(tx, &told)?;
        if !self.told_chat.is_empty() {
            settings_store::update_chat_told(tx, &self.told_chat)?;
        }
        let day = tx.now().utc_day();
        for ((kind, outcome), count) in self.sums {
            metrics::counter!("touchline_push_messages_total", "kind" => kind.name(), "outcome" => outcome)
                .increment(count.unsigned_abs());
            store::add_to_sum(tx, day, kind, outcome, count)?;
        }
        Ok(())
    }
}

/// Writes down what became of everything.
fn record(tx: &mut Tx, all: &[Sent]) -> Result<()> {
    let mut ledger = Ledger::default();
    for sent in all {
        match &sent.bundle.decision {
            Decision::Drop(why) => ledger.end(&sent.bundle, why),
            Decision::Wait(until) => ledger.wait(&sent.bundle, *until),
            Decision::Send(_) => record_sent(tx, sent, &mut ledger)?,
        }
    }
    ledger.write(tx)
}

/// What became of a message that was tried.
fn record_sent(tx: &mut Tx, sent: &Sent, ledger: &mut Ledger) -> Result<()> {
    let Sent { bundle, devices } = sent;
    let now = tx.now();
    for (device, outcome) in devices {
        match outcome {
            Ok(()) => ledger.devices.push(device.id),
            Err(Failure::Gone) => {
                // Unless it is somebody else's meanwhile.
                device_store::delete(tx, device.user_id, device.id)?;
            }
            Err(failure) => {
                let retry_at = pause_ms(device, *failure).map(|pause| now.plus_ms(pause));
                device_store::update_failed(tx, device.id, failure_name(*failure), retry_at)?;
            }
        }
    }
    let pauses = devices.iter().filter_map(|(device, outcome)| pause_ms(device, outcome.err()?));
    if devices.iter().any(|(_, outcome)| outcome.is_ok()) {
        if bundle.kind.counts() {
            *ledger.told.entry((bundle.user, bundle.day)).or_default() += 1;
        } else {
            ledger.told_chat.push(bundle.user);
        }
        ledger.end(bundle, "sent");
    } else if let Some(pause) = pauses.min() {
        ledger.wait(bundle, now.plus_ms(pause));
    } else if devices.iter().all(|(_, outcome)| *outcome == Err(Failure::Gone)) {
        ledger.end(bundle, "no_device");
    } else {
        ledger.end(bundle, "refused");
    }
    Ok(())
}

/// How long a device's service is left alone, if it may take the message later. An operator's key may be mended before a message has expired.
fn pause_ms(device: &DeviceRow, failure: Failure) -> Option<i64> {
    let asked = match failure {
        Failure::Later(wait) => wait.map_or(0, millis),
        Failure::BadKey | Failure::NotSetUp => 0,
        Failure::Gone | Failure::Refused => return None,
    };
    let doubled = FIRST_PAUSE_MS << device.failures.clamp(0, 6);
    Some(asked.max(doubled.min(LONGEST_PAUSE_MS)))
}

fn millis(wait: Duration) -> i64 {
    i64::try_from(wait.as_millis()).unwrap_or(i64::MAX)
}
