//! Comparing what is known here with the homeserver: now and then, in case an event was lost, and from nothing.

use std::collections::{BTreeMap, BTreeSet};

use ruma::{OwnedUserId, RoomId as MatrixRoomId, UserId};
use serde::{Deserialize, Serialize};

use crate::adapters::matrix::{PushedEvent, RoomState};
use crate::features::chat::Chat;
use crate::features::events::{self, FollowInChat};
use crate::platform::clock::{DAY_MS, MINUTE_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::jobs::{self, Job, Lane, Next, Stop, job};

use super::inbound::{self, membership_of};
use super::member_store;
use super::membership::Turned;
use super::store;
use super::{account_store, accounts, membership, news_store, room_turn_store, turn_store};

const SEEN_KEPT_MS: i64 = 14 * DAY_MS;
const REQUEST_KEPT_MS: i64 = DAY_MS;
/// As long as what is announced of matches.
const NEWS_KEPT_MS: i64 = DAY_MS;
/// Beyond this, nobody's activity is asked for.
const HISTORY_MS: i64 = 7 * DAY_MS;
const MOST_PAGES: usize = 50;
const ROOMS_AT_ONCE: i64 = 200;
/// Members through whose eyes a room is looked at, until one of them still is in it.
const VIEWERS: i64 = 3;
/// A room in which so much happens that each comparison is out of date is left to the pushes.
const TRIES: u32 = 3;

/// Asks for everything to be read back from the homeserver.
pub fn rebuild_later(tx: &mut Tx) -> Result<()> {
    jobs::ask(tx, &Rebuild {})
}

job! {
    /// Compares every room that is known with the homeserver's.
    pub struct Resync;
    kind: "chat_resync", lane: Chat, every: 60 * MINUTE_MS, run: resync(Chat)
}

async fn resync(_: Resync, chat: Chat, stop: Stop) -> Result<Next> {
    let mut after = String::new();
    loop {
        let from = after.clone();
        let rooms =
            chat.db.read(move |tx| store::list_rooms_after(tx, &from, ROOMS_AT_ONCE)).await?;
        let Some(last) = rooms.last() else { break };
        after.clone_from(last);
        for room in &rooms {
            if stop.is_cancelled() {
                return Ok(Next::At(chat.clock.now()));
            }
            resync_room(&chat, room).await?;
        }
    }
    let pause = chat.config.matrix.resync_minutes.saturating_mul(MINUTE_MS);
    Ok(Next::At(chat.clock.now().plus_ms(pause)))
}

job! {
    /// Forgets ids of events that no homeserver sends again, requests whose keys are forgotten too, and news that everybody was told.
    pub struct Forget;
    kind: "chat_forget", lane: Local, every: 60 * MINUTE_MS, run: forget(Chat)
}

async fn forget(_: Forget, chat: Chat, stop: Stop) -> Result<Next> {
    let seen = |tx: &mut Tx, most| {
        let before = tx.now().plus_ms(-SEEN_KEPT_MS);
        store::delete_seen_before(tx, before, most)
    };
    let requests = |tx: &mut Tx, most| {
        let before = tx.now().plus_ms(-REQUEST_KEPT_MS);
        store::delete_requests_before(tx, before, most)
    };
    chat.db.delete_in_batches(&stop, seen).await?;
    chat.db.delete_in_batches(&stop, requests).await?;
    let turns = |tx: &mut Tx, most| {
        let now = tx.now();
        turn_store::delete_over(tx, now, most)
    };
    chat.db.delete_in_batches(&stop, turns).await?;
    let room_turns = |tx: &mut Tx, most| {
        let now = tx.now();
        room_turn_store::delete_over(tx, now, most)
    };
    chat.db.delete_in_batches(&stop, room_turns).await?;
    let news = |tx: &mut Tx, most| {
        let before = tx.now().plus_ms(-NEWS_KEPT_MS);
        news_store::delete_before(tx, before, most)
    };
    chat.db.delete_in_batches(&stop, news).await?;
    Ok(Next::Done)
}

/// Reads back every room that the bot or any user is in, and forgets those that the homeserver does not have: it may be another one
/// than before.
#[derive(Serialize, Deserialize)]
pub struct Rebuild {}

impl Job for Rebuild {
    const KIND: &'static str = "chat_rebuild";
    const LANE: Lane = Lane::Chat;
    type State = Chat;

    fn key(&self) -> Option<String> {
        Some("all".to_owned())
    }

    async fn run(self, chat: Chat, stop: Stop) -> Result<Next> {
        let accounts = chat.db.read(account_store::list_ready);
        let mut done = BTreeSet::new();
        for account in accounts.await? {
            if stop.is_cancelled() {
                return Ok(Next::At(chat.clock.now()));
            }
            let id = accounts::parse(&account)?;
            let Some(rooms) = chat.matrix.list_joined_rooms(&id).await? else {
                // This homeserver does not have the account: it is made anew, and is in no room yet.
                chat.matrix.register(&id).await?;
                continue;
            };
            for room in rooms {
                if done.insert(room.to_string()) {
                    rebuild_room(&chat, &id, &room).await?;
                }
            }
        }
        let forgotten = forget_absent(&chat, &done).await?;
        // Names, blocks and devices are told again, whatever this homeserver may have.
        chat.db.write(account_store::update_all_wanted).await?;
        tracing::info!(rooms = done.len(), forgotten, "chat was rebuilt from the homeserver");
        Ok(Next::Done)
    }
}

/// Forgets rooms that are not there any more; matches that had them get new ones.
async fn forget_absent(chat: &Chat, seen: &BTreeSet<String>) -> Result<usize> {
    let (mut after, mut count) = (String::new(), 0);
    loop {
        let from = after.clone();
        let rooms =
            chat.db.read(move |tx| store::list_rooms_after(tx, &from, ROOMS_AT_ONCE)).await?;
        let Some(last) = rooms.last() else { return Ok(count) };
        after.clone_from(last);
        for room_id in rooms.into_iter().filter(|room| !seen.contains(room)) {
            let room = MatrixRoomId::parse(&room_id).map_err(Error::internal)?;
            if !chat.matrix.has_room(&room).await? {
                chat.db.write(move |tx| forget_room(tx, &room_id)).await?;
                count += 1;
            }
        }
    }
}

fn forget_room(tx: &mut Tx, room_id: &str) -> Result<()> {
    store::delete_room(tx, room_id)?;
    let roomless = events::take_chat_room(tx, room_id)?;
    let mut asked = roomless.into_iter().map(|event_id| FollowInChat { event_id });
    asked.try_for_each(|job| jobs::ask(tx, &job))
}

async fn resync_room(chat: &Chat, room_id: &str) -> Result<()> {
    let room = MatrixRoomId::parse(room_id).map_err(Error::internal)?;
    for _ in 0..TRIES {
        let look = room_id.to_owned();
        let (version, viewers) = chat.db.read(move |tx| viewers(tx, &look)).await?;
        let Some(state) = view(chat, &room, &viewers).await? else { return Ok(()) };
        let (shared, room_id) = (chat.clone(), room_id.to_owned());
        let compare = move |tx: &mut Tx| {
            let row = store::find_room_for_update(tx, &room_id)?;
            if row.is_none_or(|row| row.version != version) {
                return Ok(false);
            }
            adopt(tx, &shared, &room_id, &state).map(|()| true)
        };
        if chat.db.write(compare).await? {
            return Ok(());
        }
    }
    Ok(())
}

/// The room's version, and members of it through whose eyes the homeserver may be asked.
fn viewers(tx: &mut Tx, room_id: &str) -> Result<(i64, Vec<String>)> {
    let row = store::find_room(tx, room_id)?.ok_or(not_found!("room"))?;
    Ok((row.version, member_store::list_viewers(tx, room_id, VIEWERS)?))
}

/// The room's state as one of these or the bot sees it; nothing if none of them is in it any more, or nobody is known to be.
async fn view(chat: &Chat, room: &MatrixRoomId, viewers: &[String]) -> Result<Option<RoomState>> {
    for viewer in viewers {
        if let Some(state) = seen_by(chat, &accounts::parse(viewer)?, room).await? {
            return Ok(Some(state));
        }
    }
    seen_by(chat, chat.matrix.bot(), room).await
}

async fn seen_by(chat: &Chat, viewer: &UserId, room: &MatrixRoomId) -> Result<Option<RoomState>> {
    match chat.matrix.get_state(viewer, room).await {
        Ok(state) => Ok(Some(state)),
        Err(error) if error.is(403) || error.is(404) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Makes the room here what it is there. Members whom the state does not know are none.
fn adopt(tx: &mut Tx, chat: &Chat, room_id: &str, state: &RoomState) -> Result<()> {
    let mut members: BTreeMap<&str, Turned<'_>> = BTreeMap::new();
    for event in &state.state {
        if event.kind != "m.room.member" {
            inbound::apply_state(tx, chat, event)?;
        } else if let (Some(who), Some(what)) = (&event.state_key, membership_of(event)) {
            let (by, at) = (event.sender.as_str(), inbound::moment_of(tx, event));
            members.insert(who, Turned { room_id, matrix_id: who, by, after: what, at });
        }
    }
    for (who, _) in member_store::list_members(tx, room_id)? {
        if !members.contains_key(who.as_str()) {
            // By whom is not known, so nobody is blamed.
            let turned = Turned::own(room_id, &who, None, tx.now());
            membership::set(tx, chat, turned)?;
        }
    }
    for turned in members.into_values() {
        membership::set(tx, chat, turned)?;
    }
    store::update_counted(tx, room_id, chat.matrix.bot().as_str())?;
    Ok(())
}

/// Like [`resync_room`], for a room of which nothing may be known, and with what happened in it lately.
async fn rebuild_room(chat: &Chat, viewer: &OwnedUserId, room: &MatrixRoomId) -> Result<()> {
    let Some(state) = seen_by(chat, viewer, room).await? else { return Ok(()) };
    let history = read_history(chat, viewer, room).await?;
    let (shared, room_id) = (chat.clone(), room.to_string());
    chat.db
        .write(move |tx| {
            let all = history.iter().chain(&state.state);
            let newest = all.map(|event| inbound::moment_of(tx, event)).max();
            let newest = newest.unwrap_or(Timestamp::from_millis(0));
            store::insert_unknown_room(tx, &room_id, newest)?;
            store::find_room_for_update(tx, &room_id)?;
            adopt(tx, &shared, &room_id, &state)?;
            store::update_activity(tx, &room_id, newest)?;
            // Messages count as activity; joining is in the state already.
            for event in history.iter().filter(|event| !event.is_state()) {
                member_store::update_member_active(
                    tx,
                    &room_id,
                    &event.sender,
                    inbound::moment_of(tx, event),
                )?;
            }
            Ok(())
        })
        .await
}

async fn read_history(
    chat: &Chat,
    viewer: &OwnedUserId,
    room: &MatrixRoomId,
) -> Result<Vec<PushedEvent>> {
    let since = chat.clock.now().plus_ms(-HISTORY_MS);
    let (mut history, mut from) = (Vec::new(), None);
    for _ in 0..MOST_PAGES {
        let (page, next) = chat.matrix.list_events(viewer, room, from).await?;
        let is_old = page.last().is_none_or(|event| event.happened_at() < since);
        history.extend(page);
        from = next;
        if is_old || from.is_none() {
            break;
        }
    }
    Ok(history)
}
