//! Telling gateways: in turns, a few pushers at a time, and again what a gateway did not take.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::{Connection, params};
use serde::Deserialize;
use serde_json::Value;
use tokio::task::JoinSet;

use super::desk::Desk;
use super::find::{self, Turn};
use crate::Hs;
use crate::error::Result;
use crate::live::Topic;
use crate::store::{Turn as Lane, Tx};

/// Between two turns of a pusher that told something, and of one that had nothing to tell: what is said meanwhile comes together.
const TOLD: Duration = Duration::from_secs(3);
const LOOKED_AT: Duration = Duration::from_secs(1);
/// Pushers that are told at once.
const AT_ONCE: usize = 32;
pub const TRY_TIMEOUT: Duration = Duration::from_secs(5);
/// After the database could not be read or written.
const PAUSE: Duration = Duration::from_secs(5);

/// Tells devices until stopped.
pub async fn run(hs: &Arc<Hs>) {
    let waiter = hs.live.wait_on([Topic::Push]);
    let mut desk = Desk::default();
    let mut seen = hs.live.position();
    while let Err(cause) = take_up(hs, &mut desk).await {
        tracing::warn!(?cause, "what devices were not told yet could not be read");
        tokio::time::sleep(PAUSE).await;
    }
    loop {
        let round = async {
            note_news(hs, &mut desk, &mut seen).await?;
            tell_some(hs, &mut desk, seen).await
        };
        match round.await {
            Ok(true) => {}
            Ok(false) => {
                let next = desk.next_due().map(tokio::time::Instant::from_std);
                let due = async move {
                    match next {
                        Some(next) => tokio::time::sleep_until(next).await,
                        None => std::future::pending().await,
                    }
                };
                tokio::select! {
                    () = waiter.news() => {}
                    () = due => {}
                }
            }
            Err(cause) => {
                tracing::warn!(?cause, "devices could not be told what is new");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// What was left to tell when the homeserver was stopped.
async fn take_up(hs: &Hs, desk: &mut Desk) -> Result<()> {
    let mut last = 0;
    loop {
        let read = move |conn: &Connection| {
            let rooms = |pusher| Ok((pusher, find::list_rooms_behind(conn, pusher)?));
            find::list_pushers(conn, last)?.into_iter().map(rooms).collect::<Result<Vec<_>>>()
        };
        let some = hs.store.read_in(Lane::Users, read).await?;
        let Some((pusher, _)) = some.last() else { return Ok(()) };
        last = *pusher;
        for (pusher, rooms) in some.into_iter().filter(|(_, rooms)| !rooms.is_empty()) {
            desk.add(pusher, rooms);
        }
    }
}

/// Notes whom everything since the last time may concern.
async fn note_news(hs: &Hs, desk: &mut Desk, seen: &mut i64) -> Result<()> {
    let (after, upto) = (*seen, hs.live.position());
    if upto == after {
        return Ok(());
    }
    let read = move |conn: &Connection| {
        let rooms = find::list_rooms_with_news(conn, after, upto)?;
        let concerned =
            rooms.into_iter().map(|news| Ok((find::list_concerned(conn, &news)?, news.room)));
        concerned.collect::<Result<Vec<(Vec<i64>, i64)>>>()
    };
    for (pushers, room) in hs.store.read_in(Lane::Users, read).await? {
        for pusher in pushers {
            desk.add(pusher, [room]);
        }
    }
    *seen = upto;
    Ok(())
}

/// What became of a pusher's turn.
enum Outcome {
    /// There was nothing to tell, or it is gone.
    Nothing,
    /// Its gateway failed before and is not to be asked until then.
    LeftAlone(Instant),
    /// Its gateway took everything up to a position, and knows these keys no more.
    Told {
        gateway: String,
        upto: i64,
        rejected: Vec<String>,
    },
    Refused {
        gateway: String,
    },
    /// The database did not answer.
    Unread,
}

/// Tells some of those that may be told now. Answers whether there was anybody.
async fn tell_some(hs: &Arc<Hs>, desk: &mut Desk, upto: i64) -> Result<bool> {
    let now = Instant::now();
    let due = desk.take_due(now, AT_ONCE);
    if due.is_empty() {
        return Ok(false);
    }
    let left_alone = Arc::new(desk.left_alone(now));
    let mut turns = JoinSet::new();
    for (pusher, rooms) in due {
        let (hs, left_alone) = (hs.clone(), left_alone.clone());
        turns.spawn(async move {
            let outcome = take_turn(&hs, pusher, rooms.clone(), upto, &left_alone).await;
            (pusher, rooms, outcome)
        });
    }
    let mut told = Vec::new();
    while let Some(turn) = turns.join_next().await {
        let Ok((pusher, rooms, outcome)) = turn else { continue };
        let now = Instant::now();
        match outcome {
            // Whoever has nothing to tell is not looked at with every word that is said, either.
            Outcome::Nothing => desk.rest(pusher, now, LOOKED_AT),
            Outcome::LeftAlone(until) => desk.put_back(pusher, rooms, until),
            Outcome::Unread => desk.put_back(pusher, rooms, now + PAUSE),
            Outcome::Refused { gateway } => {
                let until = desk.gateway_failed(&gateway, now);
                let again_in_s = until.duration_since(now).as_secs();
                tracing::warn!(gateway, again_in_s, "a push gateway took nothing");
                desk.put_back(pusher, rooms, until);
            }
            Outcome::Told { gateway, upto, rejected } => {
                desk.gateway_took(&gateway);
                desk.rest(pusher, now, TOLD);
                told.push((pusher, upto, rejected));
            }
        }
    }
    if !told.is_empty() {
        hs.store.write_in(Lane::Users, move |tx| write_down(tx, &told)).await?;
    }
    Ok(true)
}

/// Each reads by itself, so that nobody's requests wait behind a crowd of pushers.
async fn take_turn(
    hs: &Hs,
    pusher: i64,
    rooms: BTreeSet<i64>,
    upto: i64,
    left_alone: &HashMap<String, Instant>,
) -> Outcome {
    let now = hs.now();
    let read = move |conn: &Connection| find::find_turn(conn, pusher, &rooms, upto, now);
    let Turn { gateway, notifications } = match hs.store.read_in(Lane::Users, read).await {
        Ok(Some(turn)) => turn,
        Ok(None) => return Outcome::Nothing,
        Err(_) => return Outcome::Unread,
    };
    // One that the configuration no longer names is not called any more.
    let Some(at) = address_of(hs, &gateway) else { return Outcome::Nothing };
    if let Some(until) = left_alone.get(&gateway) {
        return Outcome::LeftAlone(*until);
    }
    match tell(&hs.pushers.client, &at, &notifications).await {
        Ok(rejected) => Outcome::Told { gateway, upto, rejected },
        Err(Refusal) => Outcome::Refused { gateway },
    }
}

/// Where a gateway is called, if it still may be.
fn address_of(hs: &Hs, gateway: &str) -> Option<String> {
    let known = hs.config.push_gateways.iter().find(|known| known.url == gateway);
    known.map(|known| known.at.clone())
}

/// A gateway did not take what it was told.
struct Refusal;

impl From<reqwest::Error> for Refusal {
    fn from(_: reqwest::Error) -> Self {
        Self
    }
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    rejected: BTreeSet<String>,
}

/// Sends all that a pusher has to tell, and answers which keys its gateway knows no more. What was sent before a failure is sent
/// again with the rest, and known by its event.
async fn tell(
    client: &reqwest::Client,
    at: &str,
    notifications: &[Value],
) -> std::result::Result<Vec<String>, Refusal> {
    let mut rejected = BTreeSet::new();
    for notification in notifications {
        let answer = client.post(at).json(notification).send().await?;
        if !answer.status().is_success() {
            return Err(Refusal);
        }
        rejected.extend(answer.json::<Answer>().await?.rejected);
    }
    Ok(rejected.into_iter().collect())
}

/// What pushers told, up to where, and the keys that their gateways know no more.
fn write_down(tx: &mut Tx<'_>, told: &[(i64, i64, Vec<String>)]) -> Result<()> {
    for (pusher, upto, rejected) in told {
        tx.execute("UPDATE pushers SET told = ?2 WHERE pusher = ?1", params![pusher, upto])?;
        for pushkey in rejected {
            let sql = "DELETE FROM pushers WHERE pusher = ?1 AND pushkey = ?2";
            tx.execute(sql, params![pusher, pushkey])?;
        }
    }
    Ok(())
}
