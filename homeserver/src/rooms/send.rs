//! Sending messages, state and redactions.

use ruma::api::client::message::send_message_event;
use ruma::api::client::redact::redact_event;
use ruma::api::client::state::send_state_event;
use ruma::{RoomId, UserId};
use rusqlite::params;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::append::{NewEvent, Room, append, check_state};
use super::directory::check_canonical_alias;
use super::membership::{check_welcome, member_content};
use super::power::Power;
use super::relations;
use crate::budget::check_id;
use crate::error::{Error, Result};
use crate::http::{Call, Caller, Reply, Routes, ok, with};
use crate::store::events::{MEMBER, find_event, is_joined, state_content};
use crate::store::{Tx, find};

const REDACTION: &str = "m.room.redaction";

pub fn routes(routes: Routes) -> Routes {
    routes
        .serve(send_message)
        .serve(async |call: Call<send_state_event::v3::Request>| {
            call.limit_messages()?;
            if call.body.event_type.to_string() == MEMBER {
                call.limit_memberships(1)?;
            }
            let me = call.me()?.clone();
            let turn = me.turn();
            ok(call.hs.store.write_in(turn, move |tx| send_state(tx, &me, call.body)).await?)
        })
        .serve(redact)
}

fn content(raw: &RawValue) -> Result<Value> {
    let content: Value =
        serde_json::from_str(raw.get()).map_err(|_| Error::bad_json("Content is not JSON"))?;
    if content.is_object() {
        return Ok(content);
    }
    Err(Error::bad_json("Content is not an object"))
}

/// A room one may send to: it exists and one is in it. Both refusals read alike.
pub fn writable(tx: &Tx<'_>, room_id: &RoomId, me: &UserId) -> Result<Room> {
    let refusal = || Error::forbidden(format!("User {me} not in room {room_id}"));
    let room = Room::get(tx, room_id).map_err(|_| refusal())?;
    if !is_joined(tx.conn, room.key, me.as_str())? {
        return Err(refusal());
    }
    Ok(room)
}

async fn send_message(call: Call<send_message_event::v3::Request>) -> Reply {
    let kind = call.body.event_type.to_string();
    let mut content = content(call.body.body.json())?;
    let mut redacts = None;
    if let (REDACTION, Some(fields)) = (kind.as_str(), content.as_object_mut()) {
        fields.retain(|_, value| !value.is_null());
        redacts = fields.get("redacts").and_then(Value::as_str).map(str::to_owned);
    }
    let (room_id, txn) = (call.body.room_id.clone(), call.body.txn_id.to_string());
    send(call, &room_id, NewEvent { redacts, ..NewEvent::message(&kind, content) }, txn).await
}

async fn redact(call: Call<redact_event::v3::Request>) -> Reply {
    let target = call.body.event_id.to_string();
    let content = with(json!({"redacts": target}), "reason", call.body.reason.clone());
    let (room_id, txn) = (call.body.room_id.clone(), call.body.txn_id.to_string());
    let new = NewEvent { redacts: Some(target), ..NewEvent::message(REDACTION, content) };
    send(call, &room_id, new, txn).await
}

/// Sends an event that is no state; the same transaction id again finds the first one's event.
async fn send<T>(call: Call<T>, room_id: &RoomId, mut new: NewEvent, txn: String) -> Reply {
    call.limit_messages()?;
    check_id(&txn)?;
    let (me, room_id) = (call.me()?.clone(), room_id.to_owned());
    let device = me.device.clone().unwrap_or_default();
    let sent = call.hs.store.write_in(me.turn(), move |tx| {
        let room = writable(tx, &room_id, &me.user)?;
        let sql = "SELECT event_id FROM events
                   WHERE sender = ?1 AND device = ?2 AND room = ?3 AND txn = ?4";
        let same = params![me.id(), device, room.key, txn];
        if let Some(id) = find(tx.conn, sql, same, |row| row.get(0))? {
            return Ok(id);
        }
        if let Some(target) = &new.redacts {
            check_redaction(tx, &room, &me.user, target)?;
        }
        relations::check(tx, room.key, &me.user, &new)?;
        new.txn = Some((device, txn));
        append(tx, &room, &me.user, new)
    });
    ok(json!({"event_id": sent.await?}))
}

fn send_state(tx: &mut Tx<'_>, me: &Caller, body: send_state_event::v3::Request) -> Result<Value> {
    let content = content(body.body.json())?;
    let new = NewEvent::state(&body.event_type.to_string(), &body.state_key, content);
    let room = if new.kind == MEMBER {
        let refusal = |_| Error::forbidden("You are not in this room");
        Room::get(tx, &body.room_id).map_err(refusal)?
    } else {
        writable(tx, &body.room_id, &me.user)?
    };
    Ok(json!({"event_id": put_state(tx, me, &room, new)?}))
}

/// Appends state with the checks that the authorisation rules do not make.
pub fn put_state(tx: &mut Tx<'_>, me: &Caller, room: &Room, mut new: NewEvent) -> Result<String> {
    if new.kind == MEMBER {
        complete_member_event(tx, me, &mut new)?;
    }
    let aliases = (new.kind == "m.room.canonical_alias").then(|| new.content.clone());
    let before = state_content(tx.conn, room.key, &new.kind)?;
    let is_member = new.kind == MEMBER;
    let event_id = append(tx, room, &me.user, new)?;
    if !is_member {
        check_state(tx, room, me)?;
    }
    // Whether one may at all is said first; a refusal takes the event back.
    if let Some(content) = aliases {
        check_canonical_alias(tx, room.key, &before, &content)?;
    }
    Ok(event_id)
}

/// A member event sent as plain state gets the profile that the membership endpoints would add.
fn complete_member_event(tx: &Tx<'_>, me: &Caller, new: &mut NewEvent) -> Result<()> {
    let membership = new.content.get("membership").and_then(Value::as_str);
    if membership == Some("knock") {
        return Err(Error::forbidden("Nobody knocks here: rooms are public or by invitation"));
    }
    let known = ["invite", "join", "leave", "ban"];
    let Some(membership) = membership.filter(|membership| known.contains(membership)) else {
        return Err(Error::bad_json("A member event needs a membership"));
    };
    let user = UserId::parse(new.state_key.as_deref().unwrap_or_default())
        .map_err(|_| Error::bad_json("A member event needs a user id as its key"))?;
    if membership == "invite" {
        check_welcome(tx.conn, me, &user)?;
    }
    let profile = member_content(tx.conn, &user, membership, None)?;
    if let (Value::Object(profile), Some(content)) = (profile, new.content.as_object_mut()) {
        for (name, value) in profile {
            content.entry(name).or_insert(value);
        }
    }
    Ok(())
}

/// Since room version 3 the rules let any redaction in and leave it to the server whether it takes
/// effect: here one that would not is refused.
fn check_redaction(tx: &Tx<'_>, room: &Room, me: &UserId, target: &str) -> Result<()> {
    let event = find_event(tx.conn, target)?
        .filter(|event| event.room == room.key)
        .ok_or_else(|| Error::not_found("Could not find event"))?;
    if event.kind == "m.room.create" {
        return Err(Error::forbidden("The create event cannot be redacted"));
    }
    let power = Power::load(tx.conn, room.key)?;
    if event.sender != me.as_str() && power.of(me.as_str()) < power.needed("redact", 50) {
        return Err(Error::forbidden("You don't have permission to redact events"));
    }
    Ok(())
}
