//! Reading the log: events as stored, state now and at a position, and scans in both directions.

use std::ops::ControlFlow;

use ruma::api::Direction;
use rusqlite::{Connection, Params, Row, params};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::budget::PAGE_BYTES;
use crate::error::{Error, Result};
use crate::store::{find, list, tuple};

/// One row of the log.
#[allow(clippy::struct_field_names)] // `event_id` is what everybody calls it
#[derive(Clone, Debug)]
pub struct Event {
    pub seq: i64,
    pub room: i64,
    pub event_id: String,
    pub kind: String,
    pub state_key: Option<String>,
    pub sender: String,
    pub ts: i64,
    pub content: Box<RawValue>,
    pub redacts: Option<String>,
    pub replaces: Option<i64>,
    pub redacted_by: Option<i64>,
    pub membership: Option<String>,
    pub has_relations: bool,
    /// The root of the thread it is in; None in the main timeline.
    pub thread: Option<String>,
    pub device: Option<String>,
    pub txn: Option<String>,
}

pub const MEMBER: &str = "m.room.member";

const COLUMNS: &str = "e.seq, e.room, e.event_id, e.type, e.state_key, e.sender, e.ts, e.content, e.redacts, \
     e.replaces, e.redacted_by, e.membership, e.has_relations, e.device, e.txn, e.thread";

impl Event {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let content: String = row.get(7)?;
        let content = RawValue::from_string(content).map_err(|cause| {
            rusqlite::Error::FromSqlConversionFailure(
                7,
                rusqlite::types::Type::Text,
                Box::new(cause),
            )
        })?;
        Ok(Self {
            seq: row.get(0)?,
            room: row.get(1)?,
            event_id: row.get(2)?,
            kind: row.get(3)?,
            state_key: row.get(4)?,
            sender: row.get(5)?,
            ts: row.get(6)?,
            content,
            redacts: row.get(8)?,
            replaces: row.get(9)?,
            redacted_by: row.get(10)?,
            membership: row.get(11)?,
            has_relations: row.get(12)?,
            device: row.get(13)?,
            txn: row.get(14)?,
            thread: row.get(15)?,
        })
    }

    pub fn content_value(&self) -> Value {
        serde_json::from_str(self.content.get()).unwrap_or_default()
    }

    pub fn is_state(&self) -> bool {
        self.state_key.is_some()
    }
}

/// The internal key of a room.
pub fn find_room(conn: &Connection, room_id: &str) -> Result<Option<i64>> {
    find(conn, "SELECT room FROM rooms WHERE room_id = ?1", [room_id], |row| row.get(0))
}

pub fn get_room_id(conn: &Connection, room: i64) -> Result<String> {
    find(conn, "SELECT room_id FROM rooms WHERE room = ?1", [room], |row| row.get(0))?
        .ok_or_else(|| Error::internal("an event names a room that does not exist"))
}

/// The events that the end of a query names, as `e`.
pub fn query(conn: &Connection, tail: &str, params: impl Params) -> Result<Vec<Event>> {
    list(conn, &format!("SELECT {COLUMNS} FROM events e {tail}"), params, Event::from_row)
}

/// The same without their contents, which are most of what an event takes.
pub fn outline(conn: &Connection, tail: &str, params: impl Params) -> Result<Vec<Event>> {
    let columns = COLUMNS.replace("e.content", "'{}'");
    list(conn, &format!("SELECT {columns} FROM events e {tail}"), params, Event::from_row)
}

/// Hands them over one by one, so that only one is in memory, until `take` has enough.
pub fn each(
    conn: &Connection,
    tail: &str,
    params: impl Params,
    mut take: impl FnMut(Event) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let mut statement = conn.prepare_cached(&format!("SELECT {COLUMNS} FROM events e {tail}"))?;
    let mut rows = statement.query(params)?;
    while let Some(row) = rows.next()? {
        if take(Event::from_row(row)?)?.is_break() {
            break;
        }
    }
    Ok(())
}

fn query_one(conn: &Connection, tail: &str, params: impl Params) -> Result<Option<Event>> {
    find(conn, &format!("SELECT {COLUMNS} FROM events e {tail}"), params, Event::from_row)
}

pub fn find_event(conn: &Connection, event_id: &str) -> Result<Option<Event>> {
    query_one(conn, "WHERE e.event_id = ?1", [event_id])
}

pub fn find_event_at(conn: &Connection, seq: i64) -> Result<Option<Event>> {
    query_one(conn, "WHERE e.seq = ?1", [seq])
}

/// The current state event for a key.
pub fn find_state(conn: &Connection, room: i64, kind: &str, key: &str) -> Result<Option<Event>> {
    let tail = "JOIN state s ON s.seq = e.seq
                WHERE s.room = ?1 AND s.type = ?2 AND s.state_key = ?3";
    query_one(conn, tail, params![room, kind, key])
}

/// The content of a current state event, `null` if there is none.
pub fn state_content(conn: &Connection, room: i64, kind: &str) -> Result<Value> {
    Ok(find_state(conn, room, kind, "")?.map(|event| event.content_value()).unwrap_or_default())
}

/// Every version of one state key up to `upto`, newest first.
const VERSIONS: &str = "WHERE e.room = ?1 AND e.type = ?2 AND e.state_key = ?3 AND e.seq <= ?4
                        ORDER BY e.seq DESC";

pub fn find_state_at(
    conn: &Connection,
    room: i64,
    kind: &str,
    key: &str,
    at: i64,
) -> Result<Option<Event>> {
    query_one(conn, &format!("{VERSIONS} LIMIT 1"), params![room, kind, key, at])
}

/// What every version of one state key said of one thing, newest first: a long history is not read whole.
pub fn list_versions(
    conn: &Connection,
    room: i64,
    kind: &str,
    key: &str,
    said: &'static str,
    upto: i64,
) -> Result<Vec<(i64, Option<String>)>> {
    let sql = format!("SELECT e.seq, {said} FROM events e {VERSIONS}");
    list(conn, &sql, params![room, kind, key, upto], tuple)
}

/// Which part of a room's state to read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    All,
    Members,
    /// Everything but the members, without touching them: rooms can have thousands.
    WithoutMembers,
}

/// The state after every event up to and including `at`.
pub fn list_state_at(conn: &Connection, room: i64, at: i64, part: Part) -> Result<Vec<Event>> {
    let read = |range: &str| {
        let tail = format!(
            "JOIN (SELECT MAX(seq) AS newest FROM events
                   WHERE room = ?1 AND state_key IS NOT NULL AND seq <= ?2 AND {range}
                   GROUP BY type, state_key) s ON s.newest = e.seq ORDER BY e.seq"
        );
        query(conn, &tail, params![room, at])
    };
    match part {
        Part::All => read("TRUE"),
        Part::Members => read("type = 'm.room.member'"),
        Part::WithoutMembers => {
            let mut before = read("type < 'm.room.member'")?;
            before.extend(read("type > 'm.room.member'")?);
            before.sort_by_key(|event| event.seq);
            Ok(before)
        }
    }
}

/// The state that changed in `(after, upto]`: the newest event per key.
pub fn list_state_changes(
    conn: &Connection,
    room: i64,
    after: i64,
    upto: i64,
) -> Result<Vec<Event>> {
    let tail = "JOIN (SELECT MAX(seq) AS newest FROM events INDEXED BY events_state_log
                      WHERE room = ?1 AND state_key IS NOT NULL AND seq > ?2 AND seq <= ?3
                      GROUP BY type, state_key) s ON s.newest = e.seq ORDER BY e.seq";
    query(conn, tail, params![room, after, upto])
}

/// The outcome of a scan: events in scan order, and where to go on if there may be more.
pub struct Scan {
    pub events: Vec<Event>,
    pub more: bool,
    /// The last position looked at, whether or not it was wanted.
    pub reached: i64,
    /// Whether state was passed over.
    pub passed_state: bool,
    looked_at: usize,
}

impl Scan {
    /// Leaves only the first events; the others are for the next scan.
    pub fn cut(&mut self, count: usize) {
        if count < self.events.len() {
            self.events.truncate(count);
            self.more = true;
            self.reached = self.events.last().map_or(self.reached, |last| last.seq);
        }
    }
}

/// Rows looked at in one scan at most, so that a filter that matches nothing stays cheap.
const SCAN_MAX: usize = 5_000;

/// Walks a room's log over `(after, upto]` and collects up to `limit` wanted events, or a page's bytes of them.
pub fn scan(
    conn: &Connection,
    room: i64,
    (after, upto): (i64, i64),
    direction: Direction,
    limit: usize,
    wanted: impl FnMut(&Event) -> bool,
) -> Result<Scan> {
    let order = match direction {
        Direction::Backward => "DESC",
        Direction::Forward => "ASC",
    };
    let tail = format!("WHERE e.room = ?1 AND e.seq > ?2 AND e.seq <= ?3 ORDER BY e.seq {order}");
    let mut scan = gather(conn, &tail, params![room, after, upto], limit, wanted)?;
    if scan.looked_at == 0 {
        scan.reached = upto;
    }
    Ok(scan)
}

/// Collects up to `limit` wanted events, or a page's bytes of them, at least one, out of those that the end of a query names.
pub fn gather(
    conn: &Connection,
    tail: &str,
    params: impl Params,
    limit: usize,
    mut wanted: impl FnMut(&Event) -> bool,
) -> Result<Scan> {
    let mut scan =
        Scan { events: Vec::new(), more: false, reached: 0, passed_state: false, looked_at: 0 };
    let mut bytes = 0;
    each(conn, tail, params, |event| {
        if scan.looked_at == SCAN_MAX {
            scan.more = true;
            return Ok(ControlFlow::Break(()));
        }
        scan.looked_at += 1;
        let full = scan.events.len() >= limit || bytes >= PAGE_BYTES;
        let is_wanted = wanted(&event);
        if is_wanted && full {
            scan.more = true;
            return Ok(ControlFlow::Break(()));
        }
        if !full {
            scan.reached = event.seq;
        }
        if is_wanted {
            bytes += event.content.get().len();
            scan.events.push(event);
        } else {
            scan.passed_state |= event.is_state();
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(scan)
}

#[derive(Clone, Debug)]
pub struct Member {
    pub room: i64,
    pub membership: String,
    pub seq: i64,
    pub forgotten: bool,
}

impl Member {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            room: row.get(0)?,
            membership: row.get(1)?,
            seq: row.get(2)?,
            forgotten: row.get(3)?,
        })
    }
}

pub fn find_member(conn: &Connection, room: i64, user: &str) -> Result<Option<Member>> {
    let sql = "SELECT room, membership, seq, forgotten FROM members WHERE room = ?1 AND user = ?2";
    find(conn, sql, params![room, user], Member::from_row)
}

pub fn is_joined(conn: &Connection, room: i64, user: &str) -> Result<bool> {
    Ok(find_member(conn, room, user)?.is_some_and(|member| member.membership == "join"))
}

/// Every room a user ever had to do with, in the order of the rooms.
pub fn list_memberships(conn: &Connection, user: &str) -> Result<Vec<Member>> {
    let sql = "SELECT room, membership, seq, forgotten FROM members WHERE user = ?1 ORDER BY room";
    list(conn, sql, [user], Member::from_row)
}
