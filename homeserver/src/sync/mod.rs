//! `GET /sync`: everything that is new for one device since a position, waiting for it if need be.
//!
//! Owns: the sync token, the waiting, the shape of the answer.
//! Invariants: a token names a committed position, so it stays valid across a crash; an answer covers exactly
//! `(since, upto]`, so nothing is told twice or skipped, and what is too much for one is told in several, all as of the same
//! position; one that waits ends with its device; a waiting sync costs nothing until something it would tell happens.
//! Never: polls.

mod build;
pub mod devices;
mod quick;
mod recent;
mod room;
mod standing;
mod state;
mod token;

use std::sync::Arc;
use std::time::Duration;

use ruma::api::client::sync::sync_events::v3::Request;
use rusqlite::Connection;

pub use self::recent::Recents;
pub use self::standing::Standings;
use self::token::Token;
use crate::Hs;
use crate::error::{Error, Result};
use crate::http::{Call, Caller, Reply, Routes, bytes_answer};
use crate::live::Topic;
use crate::store::{Tx, exists};
use crate::to_device::drop_acknowledged;

/// A place among a user's syncs can come free at any moment.
const RETRY_MS: u64 = 1000;

pub fn routes(routes: Routes) -> Routes {
    routes.serve(sync)
}

async fn sync(call: Call<Request>) -> Reply {
    let me = call.me()?.clone();
    let hs = call.hs.clone();
    let since = call.body.since.as_deref().map(Token::parse).transpose()?;
    let longest = Duration::from_millis(hs.config.sync_timeout_max_ms);
    let timeout = call.body.timeout.unwrap_or_default().min(longest);
    let deadline = tokio::time::Instant::now() + timeout;
    let waits = since.is_some() && !call.body.full_state && !timeout.is_zero();
    let ask = Arc::new(build::Ask {
        me: me.clone(),
        since,
        full_state: call.body.full_state,
        filter: call.body.filter,
        now: hs.now(),
    });
    // Registered before the data is read: what happens in between wakes it at once.
    let topic = Topic::User(me.user.to_string());
    let mut waiter = hs.live.wait_on([topic.clone()]);
    let seat = hs.live.take_seat(me.id(), me.device.as_deref().unwrap_or_default(), &waiter);
    if hs.live.count_waiters(&topic) > hs.config.syncs_per_user {
        return Err(Error::limited(RETRY_MS));
    }
    loop {
        let (typing, version) = (hs.live.typing_position(), hs.live.version_of(me.id()));
        // Whoever does not wait asks seldom.
        let quick = if waits { quick::answer(&hs, &ask, typing).await } else { None };
        let built = match quick {
            Some(built) => built,
            None => read(&hs, &ask, build::Moment { typing, version }).await?,
        };
        acknowledge(&hs, &me, since, built.acknowledged);
        let expired = seat.is_over() || tokio::time::Instant::now() >= deadline;
        if built.has_news || !waits || expired {
            return bytes_answer(&hs, &me, built.body);
        }
        // Rooms that were not among the topics while the data was read may have moved.
        let moved = waiter.add(built.rooms.iter().copied().map(Topic::Room))
            && (hs.live.position() > built.upto || hs.live.typing_position() != typing);
        if !moved {
            let _ = tokio::time::timeout_at(deadline, waiter.news()).await;
        }
    }
}

/// An answer by the database, after which the device's standing is known.
async fn read(hs: &Arc<Hs>, ask: &Arc<build::Ask>, moment: build::Moment) -> Result<build::Built> {
    let (asked, server) = (ask.clone(), hs.clone());
    let read = move |conn: &Connection| {
        // It may have been logged out while it waited.
        if !is_logged_in(conn, &asked.me)? {
            return Err(Error::unknown_token());
        }
        build::answer(conn, &server, &asked, moment)
    };
    let mut built = hs.store.read(read).await?;
    if let Some(standing) = built.standing.take() {
        hs.standings.keep(ask, standing);
    }
    Ok(built)
}

fn is_logged_in(conn: &Connection, me: &Caller) -> Result<bool> {
    let Some(device) = &me.device else { return Ok(true) };
    exists(conn, "SELECT 1 FROM devices WHERE user = ?1 AND device = ?2", [me.id(), device])
}

/// Lets go of delivered to-device messages; the answer does not wait for it.
fn acknowledge(hs: &Arc<Hs>, me: &Caller, since: Option<Token>, delivered: bool) {
    let (true, Some(since), Some(device)) = (delivered, since, me.device.clone()) else { return };
    let (hs, user) = (hs.clone(), me.user.to_string());
    tokio::spawn(async move {
        let work = move |tx: &mut Tx<'_>| drop_acknowledged(tx, &user, &device, since.inbox);
        let _ = hs.store.write(work).await;
    });
}
