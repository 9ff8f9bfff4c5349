//! Puts one answer together from one snapshot.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use ruma::api::client::filter::FilterDefinition;
use ruma::api::client::sync::sync_events::DeviceLists;
use ruma::api::client::sync::sync_events::v3::Filter;
use rusqlite::{Connection, params};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use super::devices::changes;
use super::room::{InvitedRoom, Reader};
use super::standing::Standing;
use super::token::{Rest, Token};
use crate::accounts::push_rules;
use crate::budget::STANDING_FILTER_BYTES;
use crate::error::Result;
use crate::http::Caller;
use crate::keys::{one_time_key_counts, unused_fallback_keys};
use crate::rooms::format::stripped;
use crate::store::events::{Member, get_room_id, list_memberships};
use crate::store::{list, position, tuple};
use crate::to_device::{has_acknowledged, waiting};
use crate::visibility::ignored_users;
use crate::{Hs, filter};

/// After so much of rooms an answer ends, and the next goes on: nobody's rooms are held in memory all at once.
pub const ROOMS_BYTES: usize = 4 * 1024 * 1024;

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
    pub rooms: Arc<[i64]>,
    /// Whether delivered to-device messages can go.
    pub acknowledged: bool,
    /// How the device stands with this answer, where the next one can go on from there.
    pub standing: Option<Standing>,
}

/// What is in memory, from before the snapshot is taken.
#[derive(Clone, Copy)]
pub struct Moment {
    pub typing: i64,
    /// The user's.
    pub version: u64,
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
    join: BTreeMap<String, Box<RawValue>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    invite: BTreeMap<String, Box<RawValue>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    leave: BTreeMap<String, Box<RawValue>>,
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

pub fn answer(conn: &Connection, hs: &Hs, ask: &Ask, moment: Moment) -> Result<Built> {
    // The position of this very snapshot: every table agrees with it.
    let position = position(conn)?;
    let user = ask.me.id();
    let filter = filter::load(conn, user, ask.filter.as_ref())?;
    let since = ask.since.map(|token| Token { position: token.position.min(position), ..token });
    let reader = Reader::new(conn, hs, ask, &filter, since, position);
    let memberships = list_memberships(conn, user)?;
    let (rooms, rest) = rooms(&reader, &memberships)?;
    // Whoever is told the rest of the rooms knows everything else.
    let is_rest = since.is_some_and(|since| since.rest.is_some());
    let mut account_data = Events::default();
    let mut device_lists = DeviceLists::new();
    if !is_rest {
        account_data.events = self::account_data(&reader, 0, reader.since)?;
        if let Some(since) = reader.since {
            device_lists = changes(conn, user, since, reader.upto)?;
        }
    }
    let device = ask.me.device.as_deref().unwrap_or_default();
    let inbox = since.map_or(0, |since| since.inbox);
    let waiting = waiting(conn, user, device, inbox, reader.upto)?;
    let next = Token {
        position: reader.upto,
        typing: since.filter(|_| is_rest).map_or(moment.typing, |since| since.typing),
        inbox: waiting.upto,
        rest,
    };
    let answer = Answer {
        next_batch: next.encode(),
        rooms,
        account_data,
        to_device: Events { events: waiting.messages },
        device_lists,
        device_one_time_keys_count: one_time_key_counts(conn, user, device)?,
        device_unused_fallback_key_types: unused_fallback_keys(conn, user, device)?,
    };
    let is_quiet = answer.rooms.is_empty()
        && answer.account_data.is_empty()
        && answer.to_device.is_empty()
        && answer.device_lists.is_empty();
    let acknowledged = since.is_some() && has_acknowledged(conn, user, device, inbox)?;
    let joined = memberships.iter().filter(|member| member.membership == "join");
    let rooms: Arc<[i64]> = joined.map(|member| member.room).collect();
    let is_all = !is_rest && rest.is_none() && answer.to_device.is_empty() && !acknowledged;
    let standing = if is_all { standing(&reader, &answer, moment, rooms.clone())? } else { None };
    Ok(Built {
        body: serde_json::to_vec(&answer)?,
        has_news: is_rest || !is_quiet,
        upto: reader.upto,
        rooms,
        acknowledged,
        standing,
    })
}

/// How the device stands that was told all there is.
fn standing(
    reader: &Reader<'_>,
    answer: &Answer,
    moment: Moment,
    rooms: Arc<[i64]>,
) -> Result<Option<Standing>> {
    let filter = match &reader.ask.filter {
        Some(Filter::FilterId(id)) => {
            if serde_json::to_vec(reader.filter)?.len() > STANDING_FILTER_BYTES {
                return Ok(None);
            }
            Some((id.clone(), Arc::new(reader.filter.clone())))
        }
        _ => None,
    };
    let keys = format!(
        ",\"device_one_time_keys_count\":{},\"device_unused_fallback_key_types\":{}}}",
        serde_json::to_string(&answer.device_one_time_keys_count)?,
        serde_json::to_string(&answer.device_unused_fallback_key_types)?,
    );
    let standing = Standing {
        version: moment.version,
        upto: reader.upto,
        rooms,
        seen: reader.seen.take(),
        filter,
        keys: keys.into(),
    };
    Ok(standing.check())
}

/// The rooms with news, and where to go on if they are too much for one answer.
fn rooms(reader: &Reader<'_>, memberships: &[Member]) -> Result<(Rooms, Option<Rest>)> {
    let mut rooms = Rooms::default();
    let mut bytes = 0;
    let ignored = ignored_users(reader.conn, reader.ask.me.id())?;
    let mut members = memberships.iter().filter(|member| member.room > reader.after).peekable();
    while let Some(member) = members.next() {
        let Some(member) = reader.as_of(member)? else { continue };
        let Some((section, id, told)) = room(reader, &member, &ignored)? else { continue };
        bytes += told.get().len();
        match section {
            Section::Join => rooms.join.insert(id, told),
            Section::Invite => rooms.invite.insert(id, told),
            Section::Leave => rooms.leave.insert(id, told),
        };
        if bytes >= ROOMS_BYTES && members.peek().is_some() {
            let since = reader.since.filter(|_| !reader.ask.full_state);
            return Ok((rooms, Some(Rest { since, after: member.room })));
        }
    }
    Ok((rooms, None))
}

enum Section {
    Join,
    Invite,
    Leave,
}

/// What is told of one room, and where.
fn room(
    reader: &Reader<'_>,
    member: &Member,
    ignored: &HashSet<String>,
) -> Result<Option<(Section, String, Box<RawValue>)>> {
    let changed = reader.since.is_none_or(|since| member.seq > since);
    if !changed && member.membership != "join" {
        return Ok(None);
    }
    let id = get_room_id(reader.conn, member.room)?;
    let (section, told) = match member.membership.as_str() {
        "invite" => {
            let events = stripped(reader.conn, member.room, reader.ask.me.id())?;
            let inviter = events.last().and_then(|event| event.get("sender"));
            if inviter.and_then(Value::as_str).is_some_and(|id| ignored.contains(id)) {
                return Ok(None);
            }
            let room = InvitedRoom { invite_state: Events { events } };
            (Section::Invite, to_raw_value(&room)?)
        }
        _ if !wants_room(reader.filter, &id) => return Ok(None),
        "join" => {
            let Some(room) = reader.joined(member.room)? else { return Ok(None) };
            (Section::Join, to_raw_value(&room)?)
        }
        "leave" | "ban" if !member.forgotten => {
            if reader.since.is_none() && !reader.filter.room.include_leave {
                return Ok(None);
            }
            (Section::Leave, to_raw_value(&reader.left(member.room, member.seq)?)?)
        }
        _ => return Ok(None),
    };
    Ok(Some((section, id, told)))
}

pub fn wants_room(filter: &FilterDefinition, id: &str) -> bool {
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
