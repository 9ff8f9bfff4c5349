//! Who is to be told of what is new in a room, and what exactly.

use std::collections::BTreeSet;

use ruma::api::client::push::{Pusher, PusherIds, PusherKind};
use ruma::push::PushFormat;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::error::Result;
use crate::http::with;
use crate::store::events::{Event, find_event_at, find_member, get_room_id, state_content};
use crate::store::{exists, find, list, tuple};
use crate::unread::{self, Reader};
use crate::visibility::View;

/// In a room with more members than this whoever has no push rules of their own is told only of what is said to them: with
/// thousands in the room of a match, all of its talk would reach every pocket.
const LARGE: i64 = 100;
/// What is older is not told any more.
const OLDEST_MS: i64 = 24 * 60 * 60 * 1000;

/// Where something is new, and from where on.
pub struct News {
    pub room: i64,
    pub after: i64,
    pub upto: i64,
}

pub fn list_rooms_with_news(conn: &Connection, after: i64, upto: i64) -> Result<Vec<News>> {
    if !exists(conn, "SELECT 1 FROM pushers LIMIT 1", [])? {
        return Ok(Vec::new());
    }
    let sql = "SELECT DISTINCT room FROM events WHERE seq > ?1 AND seq <= ?2";
    let rooms: Vec<i64> = list(conn, sql, [after, upto], |row| row.get(0))?;
    Ok(rooms.into_iter().map(|room| News { room, after, upto }).collect())
}

/// The pushers of those whom the news may concern; whether it does is found out for each.
pub fn list_concerned(conn: &Connection, news: &News) -> Result<Vec<i64>> {
    let News { room, after, upto } = *news;
    let sql =
        "SELECT 1 FROM events WHERE room = ?1 AND seq > ?2 AND seq <= ?3 AND notify = 2 LIMIT 1";
    if !is_large(conn, room)? || exists(conn, sql, [room, after, upto])? {
        let sql = "SELECT p.pusher FROM members m JOIN pushers p ON p.user = m.user
                   WHERE m.room = ?1 AND m.membership IN ('join', 'invite')";
        return list(conn, sql, [room], |row| row.get(0));
    }
    let sql = "SELECT p.pusher FROM highlights h JOIN pushers p ON p.user = h.user
               WHERE h.room = ?1 AND h.seq > ?2 AND h.seq <= ?3
               UNION SELECT p.pusher FROM events e JOIN pushers p ON p.user = e.state_key
               WHERE e.room = ?1 AND e.seq > ?2 AND e.seq <= ?3 AND e.membership = 'invite'
               UNION SELECT p.pusher FROM pushers p JOIN members m ON m.room = ?1 AND m.user = p.user
               WHERE p.own_rules = 1 AND m.membership = 'join'";
    list(conn, sql, [room, after, upto], |row| row.get(0))
}

/// The pushers after this one, a few of them.
pub fn list_pushers(conn: &Connection, after: i64) -> Result<Vec<i64>> {
    let sql = "SELECT pusher FROM pushers WHERE pusher > ?1 ORDER BY pusher LIMIT 500";
    list(conn, sql, [after], |row| row.get(0))
}

/// The rooms in which something came since a pusher was told last.
pub fn list_rooms_behind(conn: &Connection, pusher: i64) -> Result<Vec<i64>> {
    let sql = "SELECT m.room FROM pushers p JOIN members m ON m.user = p.user
               WHERE p.pusher = ?1 AND m.membership IN ('join', 'invite')
                 AND EXISTS (SELECT 1 FROM events e WHERE e.room = m.room AND e.seq > p.told)";
    list(conn, sql, [pusher], |row| row.get(0))
}

/// What a pusher has to tell.
pub struct Turn {
    pub gateway: String,
    /// As a gateway takes them, each by itself.
    pub notifications: Vec<Value>,
}

/// Nothing for a pusher that is gone, or that has nothing to tell.
pub fn find_turn(
    conn: &Connection,
    pusher: i64,
    rooms: &BTreeSet<i64>,
    upto: i64,
    now: i64,
) -> Result<Option<Turn>> {
    let sql = "SELECT user, definition, created_at, told FROM pushers WHERE pusher = ?1";
    let Some(row) = find(conn, sql, [pusher], tuple)? else { return Ok(None) };
    let (user, definition, created_at, told): (String, String, i64, i64) = row;
    let definition: Pusher = serde_json::from_str(&definition)?;
    let (PusherIds { pushkey, app_id, .. }, kind) = (&definition.ids, &definition.kind);
    let PusherKind::Http(http) = kind else { return Ok(None) };
    // The gateway knows its own address.
    let mut data = serde_json::to_value(http)?;
    data.as_object_mut().map(|data| data.remove("url"));
    let device = json!({"app_id": app_id, "pushkey": pushkey, "pushkey_ts": created_at / 1000, "data": data});
    let mut notifications = Vec::new();
    for room in rooms {
        let Some(said) = newest(conn, &user, *room, told, upto, now)? else { continue };
        let device = with(device.clone(), "tweaks", Some(said.tweaks.clone()));
        let is_short = http.format == Some(PushFormat::EventIdOnly);
        let told = if is_short { said.in_short() } else { said.in_full(conn, &user)? };
        notifications.push(json!({"notification": with(told, "devices", Some(json!([device])))}));
    }
    let gateway = http.url.clone();
    Ok((!notifications.is_empty()).then_some(Turn { gateway, notifications }))
}

/// Something that somebody is told.
struct Said {
    event: Event,
    room_id: String,
    tweaks: Value,
}

/// The newest thing in a room that its reader is to be told and has not read.
fn newest(
    conn: &Connection,
    user: &str,
    room: i64,
    told: i64,
    upto: i64,
    now: i64,
) -> Result<Option<Said>> {
    let Some(member) = find_member(conn, room, user)? else { return Ok(None) };
    let (joined_at, upto, is_large) = match member.membership.as_str() {
        "join" => (View::load(conn, room, user, upto)?.joined_at(), upto, is_large(conn, room)?),
        // Before somebody is in, the invitation is all they may know.
        "invite" => (member.seq - 1, member.seq.min(upto), false),
        _ => return Ok(None),
    };
    let reader = Reader { conn, user, room, joined_at, upto };
    let Some((seq, tweaks)) = unread::newest_to_push(&reader, told, is_large)? else {
        return Ok(None);
    };
    let event = find_event_at(conn, seq)?.filter(|event| event.ts > now - OLDEST_MS);
    let room_id = get_room_id(conn, room)?;
    Ok(event.map(|event| Said { event, room_id, tweaks }))
}

fn is_large(conn: &Connection, room: i64) -> Result<bool> {
    let sql = "SELECT joined FROM rooms WHERE room = ?1";
    let joined: Option<i64> = find(conn, sql, [room], |row| row.get(0))?;
    Ok(joined.is_some_and(|joined| joined > LARGE))
}

impl Said {
    fn in_short(&self) -> Value {
        json!({"event_id": self.event.event_id, "room_id": self.room_id, "prio": "high"})
    }

    fn in_full(&self, conn: &Connection, user: &str) -> Result<Value> {
        let Self { event, room_id, .. } = self;
        let name =
            find(conn, "SELECT displayname FROM users WHERE user = ?1", [&event.sender], |row| {
                row.get::<_, Option<String>>(0)
            })?;
        let of_room = |kind: &str, field: &str| -> Result<Option<Value>> {
            Ok(state_content(conn, event.room, kind)?.get(field).filter(|v| v.is_string()).cloned())
        };
        let told = json!({
            "event_id": event.event_id, "room_id": room_id, "type": event.kind, "sender": event.sender,
            "content": event.content, "prio": "high",
        });
        let told = with(told, "sender_display_name", name.flatten());
        let told = with(told, "room_name", of_room("m.room.name", "name")?);
        let told = with(told, "room_alias", of_room("m.room.canonical_alias", "alias")?);
        let is_target = event.state_key.as_deref() == Some(user);
        Ok(with(told, "user_is_target", is_target.then_some(true)))
    }
}
