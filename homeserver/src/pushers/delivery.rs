//! Telling gateways: in turns, a few pushers at a time, and again what a gateway did not take.

use std::collections::BTreeSet;
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
pub async fn run(hs: &Hs) {
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
        let some = hs.store.read_in(Lane::Service, read).await?;
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
    for (pushers, room) in hs.store.read_in(Lane::Service, read).await? {
        for pusher in pushers {
            desk.add(pusher, [room]);
        }
    }
    *seen = upto;
    Ok(())
}

/// Whether a gateway took what it was told, and which keys it knows no more.
type Outcome = std::result::Result<Vec<String>, ()>;

/// Tells some of those that may be told now. Answers whether there was anybody.
async fn tell_some(hs: &Hs, desk: &mut Desk, upto: i64) -> Result<bool> {
    let now = Instant::now();
    let due = desk.take_due(now, AT_ONCE);
    if due.is_empty() {
        return Ok(false);
    }
    let (again, at) = (due.clone(), hs.now());
    let read = move |conn: &Connection| {
        let turns = due.into_iter().map(|(id, rooms)| find::find_turn(conn, id, rooms, upto, at));
        turns.filter_map(Result::transpose).collect::<Result<Vec<Turn>>>()
    };
    let turns = match hs.store.read_in(Lane::Service, read).await {
        Ok(turns) => turns,
        Err(cause) => {
            for (pusher, rooms) in again {
                desk.put_back(pusher, rooms, now + PAUSE);
            }
            return Err(cause);
        }
    };
    // Whoever had nothing to tell is not looked at with every word that is said, either.
    for (pusher, _) in &again {
        desk.rest(*pusher, now, LOOKED_AT);
    }
    let mut calls = JoinSet::new();
    for turn in turns {
        let Some(at) = address_of(hs, &turn.gateway) else { continue };
        if let Some(until) = desk.is_left_alone(&turn.gateway, now) {
            desk.put_back(turn.pusher, turn.rooms, until);
            continue;
        }
        let client = hs.pushers.client.clone();
        calls.spawn(async move {
            let outcome = tell(&client, &at, &turn.notifications).await;
            (turn, outcome)
        });
    }
    let mut told = Vec::new();
    while let Some(call) = calls.join_next().await {
        let Ok((turn, outcome)) = call else { continue };
        note_outcome(desk, turn, outcome, &mut told);
    }
    if !told.is_empty() {
        hs.store.write_in(Lane::Service, move |tx| write_down(tx, &told)).await?;
    }
    Ok(true)
}

/// Where a gateway is called, if it still may be.
fn address_of(hs: &Hs, gateway: &str) -> Option<String> {
    let known = hs.config.push_gateways.iter().find(|known| known.url == gateway);
    known.map(|known| known.at.clone())
}

/// A pusher that told something, up to where, and the keys that its gateway knows no more.
type Done = (i64, i64, Vec<String>);

fn note_outcome(desk: &mut Desk, turn: Turn, outcome: Outcome, told: &mut Vec<Done>) {
    let now = Instant::now();
    match outcome {
        Ok(rejected) => {
            desk.gateway_took(&turn.gateway);
            desk.rest(turn.pusher, now, TOLD);
            told.push((turn.pusher, turn.upto, rejected));
        }
        Err(()) => {
            let until = desk.gateway_failed(&turn.gateway, now);
            desk.put_back(turn.pusher, turn.rooms, until);
        }
    }
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    rejected: BTreeSet<String>,
}

/// Sends all that a pusher has to tell. What was sent before a failure is sent again with the rest, and known by its event.
async fn tell(client: &reqwest::Client, at: &str, notifications: &[Value]) -> Outcome {
    let mut rejected = BTreeSet::new();
    for notification in notifications {
        let answer = client.post(at).json(notification).send().await.map_err(drop)?;
        if !answer.status().is_success() {
            tracing::warn!(
                status = answer.status().as_u16(),
                "a push gateway refused a notification"
            );
            return Err(());
        }
        rejected.extend(answer.json::<Answer>().await.map_err(drop)?.rejected);
    }
    Ok(rejected.into_iter().collect())
}

fn write_down(tx: &mut Tx<'_>, told: &[Done]) -> Result<()> {
    for (pusher, upto, rejected) in told {
        tx.execute("UPDATE pushers SET told = ?2 WHERE pusher = ?1", params![pusher, upto])?;
        for pushkey in rejected {
            let sql = "DELETE FROM pushers WHERE pusher = ?1 AND pushkey = ?2";
            tx.execute(sql, params![pusher, pushkey])?;
        }
    }
    Ok(())
}
