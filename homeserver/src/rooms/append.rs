//! The way into the log: build an event, authorise it by ruma's rules, name it by its hash, store it
//! with everything that is derived from it.

use ruma::canonical_json::{redact_content_in_place, to_canonical_value};
use ruma::events::TimelineEventType;
use ruma::room_version_rules::RoomVersionRules;
use ruma::signatures::{add_content_hash_to_event, reference_hash};
use ruma::{
    CanonicalJsonObject, CanonicalJsonValue, EventId, MilliSecondsSinceUnixEpoch, OwnedEventId,
    OwnedRoomId, OwnedUserId, RoomId, UInt, UserId, state_res,
};
use rusqlite::params;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::notify;
use super::relations::Relation;
use crate::budget::{MEMBER_BYTES, STATE, check_size};
use crate::error::{Error, Result};
use crate::http::{Caller, with};
use crate::store::events::{Event, MEMBER, find_event, find_room, find_state};
use crate::store::{Tx, find, tuple};

/// What an event may have in all, as canonical JSON.
const EVENT_MAX_BYTES: usize = 65_536;
const KEY_MAX_BYTES: usize = 255;

/// An event that somebody wants to send.
pub struct NewEvent {
    pub kind: String,
    pub state_key: Option<String>,
    pub content: Value,
    pub redacts: Option<String>,
    /// Device and transaction id.
    pub txn: Option<(String, String)>,
}

impl NewEvent {
    pub fn message(kind: &str, content: Value) -> Self {
        Self { kind: kind.to_owned(), state_key: None, content, redacts: None, txn: None }
    }

    pub fn state(kind: &str, key: &str, content: Value) -> Self {
        Self { state_key: Some(key.to_owned()), ..Self::message(kind, content) }
    }

    pub fn member(user: &str, content: Value) -> Self {
        Self::state(MEMBER, user, content)
    }
}

/// A room as the writer needs it.
pub struct Room {
    pub key: i64,
    pub id: OwnedRoomId,
}

impl Room {
    pub fn get(tx: &Tx<'_>, id: &RoomId) -> Result<Self> {
        match find_room(tx.conn, id.as_str())? {
            Some(key) => Ok(Self { key, id: id.to_owned() }),
            None => Err(Error::not_found("Unknown room")),
        }
    }
}

/// Appends one event and returns its id.
pub fn append(tx: &mut Tx<'_>, room: &Room, sender: &UserId, new: NewEvent) -> Result<String> {
    let rules = room_rules()?;
    if new.kind.is_empty() {
        return Err(Error::bad_json("An event has a type"));
    }
    if new.kind.len().max(new.state_key.as_ref().map_or(0, String::len)) > KEY_MAX_BYTES {
        return Err(Error::too_large("The event type or state key is too long"));
    }
    let replaced = match &new.state_key {
        Some(key) => find_state(tx.conn, room.key, &new.kind, key)?,
        None => None,
    };
    if let Some(old) = &replaced
        && new.kind != "m.room.create"
        && old.sender == sender.as_str()
        && old.content_value() == new.content
    {
        return Ok(old.event_id.clone());
    }
    let event = authorise(tx, room, sender, &new, &rules)?;
    let seq = tx.next_seq();
    insert(tx, room.key, seq, &event, &new, replaced.map(|event| event.seq))?;
    if let Some(key) = &new.state_key {
        let sql = "INSERT OR REPLACE INTO state VALUES (?1, ?2, ?3, ?4)";
        tx.execute(sql, params![room.key, new.kind, key, seq])?;
        apply_state(tx, room.key, seq, &new, key)?;
    }
    notify::record_highlights(tx, room.key, seq, sender, &new)?;
    if let Some(target) = &new.redacts {
        redact(tx, room.key, target, seq, &rules)?;
    }
    tx.wake_room(room.key, seq);
    Ok(event.id.to_string())
}

/// Refuses when the state of a room, without its members, is more than a room may have.
pub fn check_state(tx: &Tx<'_>, room: &Room, me: &Caller) -> Result<()> {
    let sql = "SELECT COUNT(*), COALESCE(SUM(octet_length(e.content)
                 + COALESCE(octet_length(old.content), 0)), 0)
               FROM state s JOIN events e ON e.seq = s.seq
               LEFT JOIN events old ON old.seq = e.replaces
               WHERE s.room = ?1 AND (s.type < 'm.room.member' OR s.type > 'm.room.member')";
    STATE.check_all(me, find(tx.conn, sql, [room.key], tuple)?.unwrap_or_default())
}

pub fn room_rules() -> Result<RoomVersionRules> {
    super::VERSION.rules().ok_or_else(|| Error::internal("the room version has no rules"))
}

/// Builds the full event, checks it against the room's current state and gives it its id.
fn authorise(
    tx: &Tx<'_>,
    room: &Room,
    sender: &UserId,
    new: &NewEvent,
    rules: &RoomVersionRules,
) -> Result<AuthEvent> {
    let kind = TimelineEventType::from(new.kind.as_str());
    let content = serde_json::value::to_raw_value(&new.content)?;
    if new.kind == MEMBER {
        check_size("a member event", content.get().len(), MEMBER_BYTES)?;
    }
    let key = new.state_key.as_deref();
    let wanted =
        state_res::auth_types_for_event(&kind, sender, key, &content, &rules.authorization)
            .map_err(Error::bad_json)?;
    let mut state = Vec::new();
    for (kind, key) in wanted {
        if let Some(event) = find_state(tx.conn, room.key, &kind.to_string(), &key)? {
            state.push(AuthEvent::from_stored(event, &room.id)?);
        }
    }
    let sql = "SELECT event_id FROM events WHERE room = ?1 ORDER BY seq DESC LIMIT 1";
    let previous: Option<String> = find(tx.conn, sql, [room.key], |row| row.get(0))?;
    if previous.is_some() && new.kind == "m.room.create" {
        return Err(Error::invalid_param("A room is created once"));
    }
    let previous = previous.map(EventId::parse).transpose().map_err(Error::internal)?;
    let auth: Vec<_> = state.iter().map(|event| &event.id).collect();
    let pdu = json!({
        "room_id": room.id, "sender": sender, "type": new.kind, "content": new.content,
        "origin_server_ts": tx.now, "depth": tx.position(), "auth_events": auth,
        "prev_events": previous.iter().collect::<Vec<_>>(),
    });
    let event = AuthEvent {
        id: event_id(with(pdu, "state_key", key), rules)?,
        room: room.id.clone(),
        sender: sender.to_owned(),
        kind,
        state_key: new.state_key.clone(),
        ts: MilliSecondsSinceUnixEpoch(UInt::try_from(tx.now).unwrap_or_default()),
        content,
        previous,
    };
    state_res::check_state_dependent_auth_rules(&rules.authorization, &event, |kind, key| {
        state.iter().find(|event| {
            event.state_key.as_deref() == Some(key) && event.kind.to_string() == kind.to_string()
        })
    })
    .map_err(Error::forbidden)?;
    Ok(event)
}

/// The reference hash of the event. Signatures are left out: they are no part of the id, and without
/// federation nobody checks them.
fn event_id(pdu: Value, rules: &RoomVersionRules) -> Result<OwnedEventId> {
    let Ok(CanonicalJsonValue::Object(mut pdu)) = to_canonical_value(pdu) else {
        return Err(Error::bad_json("The content is not canonical JSON"));
    };
    // Hashing fails for nothing but the size.
    let too_large = || Error::too_large("The event is too large");
    add_content_hash_to_event(&mut pdu).map_err(|_| too_large())?;
    if serde_json::to_string(&pdu)?.len() > EVENT_MAX_BYTES {
        return Err(too_large());
    }
    let hash = reference_hash(&pdu, rules).map_err(|_| too_large())?;
    EventId::parse(format!("${hash}")).map_err(Error::internal)
}

fn insert(
    tx: &Tx<'_>,
    room: i64,
    seq: i64,
    event: &AuthEvent,
    new: &NewEvent,
    replaces: Option<i64>,
) -> Result<()> {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let membership = text(new.content.get("membership")).filter(|_| new.kind == MEMBER);
    let relation = Relation::of(&new.content).filter(|_| new.state_key.is_none());
    let mut thread = None;
    if let Some(relation) = &relation {
        let sql = "UPDATE events SET has_relations = 1 WHERE event_id = ?1 AND room = ?2
                   RETURNING thread";
        thread = find(tx.conn, sql, params![relation.target, room], |row| row.get(0))?.flatten();
        if relation.kind == "m.thread" {
            thread = Some(relation.target.clone());
        }
    }
    let (rel_type, relates_to) = relation.map(|relation| (relation.kind, relation.target)).unzip();
    let (device, txn) = new.txn.clone().unzip();
    tx.execute(
        "INSERT INTO events (seq, room, event_id, type, state_key, sender, ts, content, redacts,
           replaces, membership, rel_type, relates_to, notify, device, txn, thread)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
        params![
            seq,
            room,
            event.id.as_str(),
            new.kind,
            new.state_key,
            event.sender.as_str(),
            tx.now,
            event.content.get(),
            new.redacts,
            replaces,
            membership,
            rel_type,
            relates_to,
            notify::level(tx, room, &event.sender, new)?,
            device,
            txn,
            thread,
        ],
    )?;
    Ok(())
}

/// Keeps the tables that mirror current state.
fn apply_state(tx: &mut Tx<'_>, room: i64, seq: i64, new: &NewEvent, key: &str) -> Result<()> {
    match new.kind.as_str() {
        MEMBER => {
            let sql = "SELECT membership FROM members WHERE room = ?1 AND user = ?2";
            let before: Option<String> = find(tx.conn, sql, params![room, key], |row| row.get(0))?;
            let after = new.content.get("membership").and_then(Value::as_str).unwrap_or("leave");
            let count =
                |name: &str| i64::from(after == name) - i64::from(before.as_deref() == Some(name));
            let sql = "UPDATE rooms SET joined = joined + ?2, invited = invited + ?3
                       WHERE room = ?1";
            tx.execute(sql, params![room, count("join"), count("invite")])?;
            let sql = "INSERT OR REPLACE INTO members (room, user, membership, seq)
                       VALUES (?1, ?2, ?3, ?4)";
            tx.execute(sql, params![room, key, after, seq])?;
            tx.wake_user(key);
        }
        "m.room.encryption" if key.is_empty() => {
            tx.execute("UPDATE rooms SET encrypted = 1 WHERE room = ?1", [room])?;
        }
        _ => {}
    }
    Ok(())
}

/// Empties the event `target` of everything that redaction removes.
fn redact(tx: &Tx<'_>, room: i64, target: &str, by: i64, rules: &RoomVersionRules) -> Result<()> {
    let Some(event) = find_event(tx.conn, target)?.filter(|event| event.room == room) else {
        return Ok(());
    };
    let mut content: CanonicalJsonObject =
        serde_json::from_str(event.content.get()).unwrap_or_default();
    redact_content_in_place(&mut content, &rules.redaction, &event.kind);
    let content = serde_json::to_string(&content)?;
    tx.execute(
        "UPDATE events SET content = ?2, redacted_by = ?3, notify = 0, rel_type = NULL,
           relates_to = NULL WHERE seq = ?1 AND redacted_by IS NULL",
        params![event.seq, content, by],
    )?;
    tx.execute("DELETE FROM highlights WHERE room = ?1 AND seq = ?2", [room, event.seq])?;
    // Whoever counted it among their unread counts afresh.
    tx.execute("UPDATE rooms SET redacted_at = ?2 WHERE room = ?1", [room, by])?;
    Ok(())
}

/// An event in the form that ruma's authorisation rules read.
struct AuthEvent {
    id: OwnedEventId,
    room: OwnedRoomId,
    sender: OwnedUserId,
    kind: TimelineEventType,
    state_key: Option<String>,
    ts: MilliSecondsSinceUnixEpoch,
    content: Box<RawValue>,
    previous: Option<OwnedEventId>,
}

impl AuthEvent {
    fn from_stored(event: Event, room: &RoomId) -> Result<Self> {
        Ok(Self {
            id: EventId::parse(event.event_id).map_err(Error::internal)?,
            room: room.to_owned(),
            sender: UserId::parse(event.sender).map_err(Error::internal)?,
            kind: event.kind.into(),
            state_key: event.state_key,
            ts: MilliSecondsSinceUnixEpoch(UInt::try_from(event.ts).unwrap_or_default()),
            content: event.content,
            previous: None,
        })
    }
}

impl state_res::Event for AuthEvent {
    type Id = OwnedEventId;
    fn event_id(&self) -> &OwnedEventId {
        &self.id
    }
    fn room_id(&self) -> Option<&RoomId> {
        Some(&self.room)
    }
    fn sender(&self) -> &UserId {
        &self.sender
    }
    fn origin_server_ts(&self) -> MilliSecondsSinceUnixEpoch {
        self.ts
    }
    fn event_type(&self) -> &TimelineEventType {
        &self.kind
    }
    fn content(&self) -> &RawValue {
        &self.content
    }
    fn state_key(&self) -> Option<&str> {
        self.state_key.as_deref()
    }
    fn prev_events(&self) -> Box<dyn DoubleEndedIterator<Item = &OwnedEventId> + '_> {
        Box::new(self.previous.iter())
    }
    // The checks in use are those against current state, which never follow these links.
    fn auth_events(&self) -> Box<dyn DoubleEndedIterator<Item = &OwnedEventId> + '_> {
        Box::new(std::iter::empty())
    }
    fn redacts(&self) -> Option<&OwnedEventId> {
        None
    }
    fn rejected(&self) -> bool {
        false
    }
}
