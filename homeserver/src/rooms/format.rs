//! Events as clients see them.

use rusqlite::Connection;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::relations;
use crate::budget::PAGE_BYTES;
use crate::error::Result;
use crate::http::Caller;
use crate::store::events::{Event, MEMBER, find_event_at, find_state, get_room_id};
use crate::visibility::View;

#[derive(Serialize)]
pub struct ClientEvent {
    pub event_id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub sender: String,
    pub origin_server_ts: i64,
    pub content: Box<RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacts: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_id: Option<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub unsigned: Map<String, Value>,
}

/// Formats events for one reader.
pub struct Format<'a> {
    pub conn: &'a Connection,
    pub now: i64,
    /// None for the application service, which sees everything.
    pub reader: Option<(&'a Caller, &'a View)>,
    /// Given in every answer but `/sync`, where the room is known from the place.
    pub room_id: Option<&'a str>,
}

impl Format<'_> {
    pub fn events<'e>(
        &self,
        events: impl IntoIterator<Item = &'e Event>,
    ) -> Result<Vec<ClientEvent>> {
        events.into_iter().map(|event| self.event(event)).collect()
    }

    /// As many of the events, from the first on, as go into one page: at least one.
    pub fn page(&self, events: &[Event]) -> Result<Vec<ClientEvent>> {
        let (mut told, mut bytes) = (Vec::new(), Length(0));
        for event in events {
            if bytes.0 >= PAGE_BYTES {
                break;
            }
            let event = self.event(event)?;
            serde_json::to_writer(&mut bytes, &event)?;
            told.push(event);
        }
        Ok(told)
    }

    pub fn event(&self, event: &Event) -> Result<ClientEvent> {
        let mut client = self.plain(event)?;
        if let Some((_, view)) = self.reader {
            let membership = view.membership_at(event.seq).unwrap_or("leave");
            client.unsigned.insert("membership".to_owned(), membership.into());
        }
        if event.has_relations {
            let bundled = relations::bundle(self, event)?;
            if !bundled.is_empty() {
                client.unsigned.insert("m.relations".to_owned(), bundled.into());
            }
        }
        Ok(client)
    }

    /// State as it is: no relations, and nothing about the reader.
    pub fn state<'e>(
        &self,
        events: impl IntoIterator<Item = &'e Event>,
    ) -> Result<Vec<ClientEvent>> {
        let bare = Format { reader: None, ..*self };
        events.into_iter().map(|event| bare.plain(event)).collect()
    }

    /// The event without what others relate to it and what its reader was then: as it is bundled.
    pub fn plain(&self, event: &Event) -> Result<ClientEvent> {
        let mut unsigned = Map::new();
        unsigned.insert("age".to_owned(), age(event, self.now).into());
        if let Some(txn) = self.reader.and_then(|(caller, _)| own_txn(event, caller)) {
            unsigned.insert("transaction_id".to_owned(), txn.into());
        }
        if let Some(replaces) = event.replaces
            && let Some(old) = find_event_at(self.conn, replaces)?
        {
            unsigned.insert("prev_content".to_owned(), old.content_value());
            unsigned.insert("replaces_state".to_owned(), old.event_id.into());
            unsigned.insert("prev_sender".to_owned(), old.sender.into());
        }
        if let Some(by) = event.redacted_by
            && let Some(redaction) = find_event_at(self.conn, by)?
        {
            unsigned.insert("redacted_by".to_owned(), redaction.event_id.clone().into());
            let bare = Format { reader: None, ..*self };
            let because = serde_json::to_value(bare.plain(&redaction)?)?;
            unsigned.insert("redacted_because".to_owned(), because);
        }
        Ok(ClientEvent {
            event_id: event.event_id.clone(),
            kind: event.kind.clone(),
            sender: event.sender.clone(),
            origin_server_ts: event.ts,
            content: event.content.clone(),
            state_key: event.state_key.clone(),
            redacts: event.redacts.clone(),
            room_id: self.room_id.map(str::to_owned),
            unsigned,
        })
    }
}

pub fn age(event: &Event, now: i64) -> i64 {
    (now - event.ts).max(0)
}

/// The id under which this very device sent the event.
pub fn own_txn<'e>(event: &'e Event, caller: &Caller) -> Option<&'e str> {
    let own = event.sender == caller.user.as_str() && event.device == caller.device;
    event.txn.as_deref().filter(|_| own)
}

/// An event as JSON without its age and what concerns one reader alone: made once and told to many.
pub struct Written {
    /// Up to the age, which is the first of what is unsigned.
    head: String,
    /// What comes after the age, up to the end.
    rest: String,
}

impl Written {
    pub fn new(mut event: ClientEvent) -> Result<Self> {
        let mut unsigned = std::mem::take(&mut event.unsigned);
        unsigned.remove("age");
        let rest = serde_json::to_string(&unsigned)?;
        let fields = rest.strip_prefix('{').filter(|_| !unsigned.is_empty());
        let rest = fields.map_or("}}".to_owned(), |fields| format!(",{fields}}}"));
        let mut head = serde_json::to_string(&event)?;
        head.pop();
        head.push_str(",\"unsigned\":{\"age\":");
        Ok(Self { head, rest })
    }

    /// As state: nothing about the reader.
    pub fn tell_state(&self, age: i64, json: &mut Vec<u8>) {
        json.extend_from_slice(self.head.as_bytes());
        json.extend_from_slice(age.to_string().as_bytes());
        json.extend_from_slice(self.rest.as_bytes());
    }

    /// As a message to somebody who was inside, with its transaction id if they sent it from this device.
    pub fn tell(&self, age: i64, txn: Option<&str>, json: &mut Vec<u8>) -> Result<()> {
        json.extend_from_slice(self.head.as_bytes());
        json.extend_from_slice(age.to_string().as_bytes());
        json.extend_from_slice(b",\"membership\":\"join\"");
        if let Some(txn) = txn {
            json.extend_from_slice(b",\"transaction_id\":");
            serde_json::to_writer(&mut *json, txn)?;
        }
        json.extend_from_slice(b"}}");
        Ok(())
    }

    pub fn bytes(&self) -> usize {
        self.head.len() + self.rest.len()
    }
}

/// How long something is as it is sent, with all that is bundled with it.
struct Length(usize);

impl std::io::Write for Length {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What an invited user may see of a room.
pub fn stripped(conn: &Connection, room: i64, user: &str) -> Result<Vec<Value>> {
    let own = find_state(conn, room, MEMBER, user)?;
    let inviter = own.as_ref().map(|event| event.sender.clone()).unwrap_or_default();
    let mut events = Vec::new();
    for (kind, key) in [
        ("m.room.create", ""),
        ("m.room.join_rules", ""),
        ("m.room.canonical_alias", ""),
        ("m.room.avatar", ""),
        ("m.room.encryption", ""),
        ("m.room.name", ""),
        ("m.room.topic", ""),
        (MEMBER, inviter.as_str()),
    ] {
        events.extend(find_state(conn, room, kind, key)?);
    }
    if inviter != user {
        events.extend(own);
    }
    let strip = |event: &Event| {
        json!({"type": event.kind, "state_key": event.state_key, "sender": event.sender,
               "content": event.content_value()})
    };
    Ok(events.iter().map(strip).collect())
}

/// The id of an event's room together with the event: what the application service is sent.
pub fn for_appservice(conn: &Connection, event: &Event, now: i64) -> Result<ClientEvent> {
    let room_id = get_room_id(conn, event.room)?;
    Format { conn, now, reader: None, room_id: Some(&room_id) }.plain(event)
}
