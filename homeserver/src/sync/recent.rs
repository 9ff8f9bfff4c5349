//! What happened lately in the rooms that many follow: read once, written as JSON once, told to all of them.
//!
//! Owns: what is kept of each such room, and for how long it holds.
//! Invariants: it is what the log, receipts and members said at one position, and it is used only while the room is as it was
//! then; only one reads it anew while the others wait for that; it has a size and a count.
//! Never: decides what somebody may see.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rusqlite::{Connection, params};

use super::room::{HEROES, Receipt, heroes, member_counts};
use crate::Hs;
use crate::budget::{RECENT_BYTES, RECENT_COUNT, RECENT_ROOMS, number};
use crate::error::{Error, Result};
use crate::live::lock;
use crate::rooms::format::{Format, Written};
use crate::store::events::{Event, MEMBER, each, find_state};
use crate::store::{find, list, position, tuple};

/// One event of the room's log.
pub struct Item {
    pub event: Event,
    /// None where what is told of it depends on its reader or on more than the event.
    pub written: Option<Written>,
    /// Whether it counts as unread: 2 as a highlight for everybody.
    pub notify: i64,
    /// Whom it mentions.
    pub mentions: Vec<String>,
}

pub struct Recent {
    pub room_id: String,
    pub is_encrypted: bool,
    /// The position at which all of this was so.
    pub upto: i64,
    /// Everything after this position is here.
    pub floor: i64,
    /// Oldest first.
    pub items: Vec<Item>,
    /// The member events of those who sent something.
    pub members: HashMap<String, (Event, Written)>,
    /// Everybody's public receipts.
    pub receipts: Vec<Receipt>,
    pub joined: i64,
    pub invited: i64,
    /// One more than are told, since nobody is told themselves.
    pub heroes: Option<Vec<String>>,
}

type Slot = Arc<tokio::sync::Mutex<Option<Arc<Recent>>>>;

#[derive(Default)]
pub struct Recents {
    rooms: Mutex<HashMap<i64, Slot>>,
    told: AtomicU64,
}

impl Recents {
    /// What happened in `room` up to `position` and maybe later; None where too few would share it.
    pub async fn of(
        &self,
        hs: &Arc<Hs>,
        room: i64,
        position: i64,
        is_shared: bool,
    ) -> Option<Arc<Recent>> {
        let slot = self.slot(room, is_shared)?;
        let mut kept = slot.lock().await;
        let holds = |recent: &&Arc<Recent>| {
            recent.upto >= position || !hs.live.changed_since(room, recent.upto)
        };
        if let Some(recent) = kept.as_ref().filter(holds) {
            return Some(recent.clone());
        }
        if !is_shared {
            return None;
        }
        let read = move |conn: &Connection| Recent::load(conn, room);
        let recent = Arc::new(hs.store.read(read).await.ok()?);
        *kept = Some(recent.clone());
        Some(recent)
    }

    fn slot(&self, room: i64, is_shared: bool) -> Option<Slot> {
        let mut rooms = lock(&self.rooms);
        if !is_shared {
            return rooms.get(&room).cloned();
        }
        if rooms.len() >= RECENT_ROOMS && !rooms.contains_key(&room) {
            rooms.clear();
        }
        Some(rooms.entry(room).or_default().clone())
    }

    pub fn note_told(&self) {
        self.told.fetch_add(1, Ordering::Relaxed);
    }

    /// How many answers with news were made of what is kept here.
    pub fn told(&self) -> u64 {
        self.told.load(Ordering::Relaxed)
    }
}

impl Recent {
    fn load(conn: &Connection, room: i64) -> Result<Self> {
        let sql = "SELECT room_id, encrypted FROM rooms WHERE room = ?1";
        let found: Option<(String, bool)> = find(conn, sql, [room], tuple)?;
        let (room_id, is_encrypted) = found.ok_or_else(|| Error::internal("no such room"))?;
        let upto = position(conn)?;
        let (events, mut floor) = newest_events(conn, room, upto)?;
        let receipts = newest(&mut floor, |after, most| Receipt::newest(conn, room, after, most))?;
        let mentions: Vec<(i64, String)> = newest(&mut floor, |after, most| {
            let sql = "SELECT seq, user FROM highlights INDEXED BY highlights_room
                       WHERE room = ?1 AND seq > ?2 ORDER BY seq DESC LIMIT ?3";
            list(conn, sql, params![room, after, number(most)], tuple)
        })?;
        let sql = "SELECT seq, notify FROM events INDEXED BY events_notify
                   WHERE room = ?1 AND seq > ?2 AND notify > 0";
        let notify: Vec<(i64, i64)> = list(conn, sql, params![room, floor], tuple)?;
        let notify = HashMap::<i64, i64>::from_iter(notify);
        let mut by_event = HashMap::<i64, Vec<String>>::new();
        for (seq, user) in mentions {
            by_event.entry(seq).or_default().push(user);
        }
        let item = |event: Event| -> Result<Item> {
            Ok(Item {
                written: write_shared(conn, &event)?,
                notify: notify.get(&event.seq).copied().unwrap_or(0),
                mentions: by_event.remove(&event.seq).unwrap_or_default(),
                event,
            })
        };
        let events = events.into_iter().filter(|event| event.seq > floor);
        let items = events.map(item).collect::<Result<Vec<_>>>()?;
        let members = members(conn, room, &items)?;
        let (joined, invited) = member_counts(conn, room)?;
        let heroes = heroes(conn, room, "", HEROES + 1)?;
        Ok(Self {
            room_id,
            is_encrypted,
            upto,
            floor,
            items,
            members,
            receipts,
            joined,
            invited,
            heroes,
        })
    }

    /// What came after this position, oldest first; None if some of it is not kept.
    pub fn after(
        &self,
        position: i64,
        upto: i64,
    ) -> Option<impl DoubleEndedIterator<Item = &Item>> {
        let within = move |item: &&Item| item.event.seq > position && item.event.seq <= upto;
        (position >= self.floor).then(|| self.items.iter().filter(within))
    }
}

/// The newest events up to a position, oldest first, and the position after which these are all.
fn newest_events(conn: &Connection, room: i64, upto: i64) -> Result<(Vec<Event>, i64)> {
    let tail = "WHERE e.room = ?1 AND e.seq <= ?2 ORDER BY e.seq DESC";
    let (mut events, mut bytes, mut floor) = (Vec::new(), 0, 0);
    each(conn, tail, params![room, upto], |event| {
        bytes += event.content.get().len();
        if events.len() >= RECENT_COUNT || bytes > RECENT_BYTES {
            floor = event.seq;
            return Ok(ControlFlow::Break(()));
        }
        events.push(event);
        Ok(ControlFlow::Continue(()))
    })?;
    events.reverse();
    Ok((events, floor))
}

/// The newest of something after `floor`, which is raised if that is not all.
fn newest<T: Positioned>(
    floor: &mut i64,
    read: impl FnOnce(i64, usize) -> Result<Vec<T>>,
) -> Result<Vec<T>> {
    let mut found = read(*floor, RECENT_COUNT + 1)?;
    if let Some(first_left_out) = found.get(RECENT_COUNT).map(Positioned::position) {
        *floor = first_left_out;
        found.retain(|one| one.position() > first_left_out);
    }
    Ok(found)
}

trait Positioned {
    fn position(&self) -> i64;
}

impl Positioned for Receipt {
    fn position(&self) -> i64 {
        self.seq
    }
}

impl Positioned for (i64, String) {
    fn position(&self) -> i64 {
        self.0
    }
}

/// A message of which everybody who was inside is told the same.
fn write_shared(conn: &Connection, event: &Event) -> Result<Option<Written>> {
    if event.is_state()
        || event.has_relations
        || event.redacts.is_some()
        || event.redacted_by.is_some()
    {
        return Ok(None);
    }
    write(conn, event).map(Some)
}

fn write(conn: &Connection, event: &Event) -> Result<Written> {
    Written::new(Format { conn, now: 0, reader: None, room_id: None }.plain(event)?)
}

fn members(
    conn: &Connection,
    room: i64,
    items: &[Item],
) -> Result<HashMap<String, (Event, Written)>> {
    let told = items.iter().filter(|item| item.written.is_some());
    let senders: BTreeSet<_> = told.map(|item| item.event.sender.as_str()).collect();
    let (mut members, mut bytes) = (HashMap::new(), 0);
    for sender in senders {
        let Some(event) = find_state(conn, room, MEMBER, sender)? else { continue };
        let written = write(conn, &event)?;
        bytes += written.bytes();
        if bytes > RECENT_BYTES {
            break;
        }
        members.insert(sender.to_owned(), (event, written));
    }
    Ok(members)
}
