//! Puts one answer together from one snapshot.

use std::collections::BTreeMap;

use ruma::api::client::filter::FilterDefinition;
use ruma::api::client::sync::sync_events::DeviceLists;
use ruma::api::client::sync::sync_events::v3::Filter;
use rusqlite::{Connection, params};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::Token;
use super::devices::changes;
use super::room::{InvitedRoom, JoinedRoom, LeftRoom, Reader};
use crate::accounts::push_rules;
use crate::error::Result;
use crate::http::Caller;
use crate::keys::{one_time_key_counts, unused_fallback_keys};
use crate::rooms::format::stripped;
use crate::store::events::{Member, get_room_id, list_memberships};
use crate::store::{find, list, tuple};
use crate::to_device::{has_acknowledged, waiting};
use crate::visibility::ignored_users;
use crate::{Hs, filter};

/// What a device asks for.
pub struct Ask {
    pub me: Caller,
    pub since: Option<Token>,
    pub full_state: bool,
    pub filter: Option<Filter>,
    pub now: i64,
}

pub struct Built {
    pub body: Vec<u8>,
    pub has_news: bool,
    pub upto: i64,
    /// The rooms whose news would be news to this device.
    pub rooms: Vec<i64>,
    /// Whether delivered to-device messages can go.
    pub acknowledged: bool,
}

#[derive(Default, Serialize)]
pub struct Events<T> {
    pub events: Vec<T>,
}

impl<T> Events<T> {
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }
}

#[derive(Default, Serialize)]
struct Rooms {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    join: BTreeMap<String, JoinedRoom>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    invite: BTreeMap<String, InvitedRoom>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    leave: BTreeMap<String, LeftRoom>,
}

impl Rooms {
    fn is_empty(&self) -> bool {
        self.join.is_empty() && self.invite.is_empty() && self.leave.is_empty()
    }
}

#[derive(Serialize)]
struct Answer {
    next_batch: String,
    #[serde(skip_serializing_if = "Rooms::is_empty")]
    rooms: Rooms,
    #[serde(skip_serializing_if = "Events::is_empty")]
    account_data: Events<Value>,
    #[serde(skip_serializing_if = "Events::is_empty")]
    to_device: Events<Box<RawValue>>,
    #[serde(skip_serializing_if = "DeviceLists::is_empty")]
    device_lists: DeviceLists,
    device_one_time_keys_count: Map<String, Value>,
    device_unused_fallback_key_types: Vec<String>,
}

pub fn answer(conn: &Connection, hs: &Hs, ask: &Ask, typing: i64) -> Result<Built> {
    // The position of this very snapshot: every table agrees with it.
    let position: Option<i64> = find(conn, "SELECT position FROM stream", [], |row| row.get(0))?;
    let upto = Token { position: position.unwrap_or(0), typing };
    let user = ask.me.id();
    let filter = filter::load(conn, user, ask.filter.as_ref())?;
    let since = ask.since.map(|since| since.position.min(upto.position));
    let reader = Reader { conn, hs, ask, filter: &filter, since, upto: upto.position };
    let memberships = list_memberships(conn, user)?;
    let rooms = rooms(&reader, &memberships)?;
    let account_data = Events { events: account_data(&reader, 0, since)? };
    let device_lists = match since {
        Some(since) => changes(conn, user, since, upto.position)?,
        None => DeviceLists::new(),
    };
    let device = ask.me.device.as_deref().unwrap_or_default();
    let messages = waiting(conn, user, device, since.unwrap_or(0), upto.position)?.messages;
    let answer = Answer {
        next_batch: upto.encode(),
        rooms,
        account_data,
        to_device: Events { events: messages },
        device_lists,
        device_one_time_keys_count: one_time_key_counts(conn, user, device)?,
        device_unused_fallback_key_types: unused_fallback_keys(conn, user, device)?,
    };
    let has_news = !(answer.rooms.is_empty()
        && answer.account_data.is_empty()
        && answer.to_device.is_empty()
        && answer.device_lists.is_empty());
    let acknowledged = match since {
        Some(since) => has_acknowledged(conn, user, device, since)?,
        None => false,
    };
    let joined = memberships.iter().filter(|member| member.membership == "join");
    let rooms = joined.map(|member| member.room).collect();
    let body = serde_json::to_vec(&answer)?;
    Ok(Built { body, has_news, upto: upto.position, rooms, acknowledged })
}

fn rooms(reader: &Reader<'_>, memberships: &[Member]) -> Result<Rooms> {
    let mut rooms = Rooms::default();
    let user = reader.ask.me.id();
    let ignored = ignored_users(reader.conn, user)?;
    for member in memberships {
        let changed = reader.since.is_none_or(|since| member.seq > since);
        let room_id = || get_room_id(reader.conn, member.room);
        match member.membership.as_str() {
            "join" => {
                let id = room_id()?;
                if !wants_room(reader.filter, &id) {
                    continue;
                }
                if let Some(room) = reader.joined(member)? {
                    rooms.join.insert(id, room);
                }
            }
            "invite" if changed => {
                let events = stripped(reader.conn, member.room, user)?;
                let inviter = events.last().and_then(|event| event.get("sender"));
                let unwanted =
                    inviter.and_then(Value::as_str).is_some_and(|id| ignored.contains(id));
                if !unwanted {
                    let invite_state = Events { events };
                    rooms.invite.insert(room_id()?, InvitedRoom { invite_state });
                }
            }
            "leave" | "ban" if changed && !member.forgotten => {
                let id = room_id()?;
                let wanted = reader.since.is_some() || reader.filter.room.include_leave;
                if !wanted || !wants_room(reader.filter, &id) {
                    continue;
                }
                if let Some(room) = reader.left(member)? {
                    rooms.leave.insert(id, room);
                }
            }
            _ => {}
        }
    }
    Ok(rooms)
}

fn wants_room(filter: &FilterDefinition, id: &str) -> bool {
    let is = |room: &ruma::OwnedRoomId| room.as_str() == id;
    !filter.room.not_rooms.iter().any(is)
        && filter.room.rooms.as_ref().is_none_or(|rooms| rooms.iter().any(is))
}

/// Account data that changed after `since`; `room` is 0 for what belongs to no room.
pub fn account_data(reader: &Reader<'_>, room: i64, since: Option<i64>) -> Result<Vec<Value>> {
    let user = &reader.ask.me.user;
    let sql = "SELECT type, content FROM account_data INDEXED BY account_data_seq
               WHERE user = ?1 AND seq > ?2 AND seq <= ?3 AND room = ?4";
    let wanted = params![user.as_str(), since.unwrap_or(0), reader.upto, room];
    let rows: Vec<(String, String)> = list(reader.conn, sql, wanted, tuple)?;
    let mut events = Vec::new();
    let mut has_rules = room != 0 || since.is_some();
    for (kind, content) in rows {
        has_rules |= kind == push_rules::PUSH_RULES;
        let content: Value = serde_json::from_str(&content)?;
        events.push(json!({"type": kind, "content": content}));
    }
    if !has_rules {
        let rules = push_rules::load(reader.conn, user)?;
        events.push(json!({"type": push_rules::PUSH_RULES, "content": {"global": rules}}));
    }
    let (types, not_types) = if room == 0 {
        (&reader.filter.account_data.types, &reader.filter.account_data.not_types)
    } else {
        (&reader.filter.room.account_data.types, &reader.filter.room.account_data.not_types)
    };
    filter::keep_types(&mut events, types.as_deref(), not_types);
    Ok(events)
}
