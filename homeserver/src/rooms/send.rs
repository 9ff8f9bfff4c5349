//! Sending messages, state and redactions.

use ruma::UserId;
use ruma::api::client::message::send_message_event;
use ruma::api::client::redact::redact_event;
use ruma::api::client::state::send_state_event;
use serde_json::{Value, json};

use super::append::{NewEvent, Room, append, find_sent};
use super::directory::check_canonical_alias;
use super::membership::member_content;
use super::power::Power;
use crate::error::{Error, Result};
use crate::http::{Call, Endpoint, Reply, Routes, ok};
use crate::store::Tx;
use crate::store::events::{MEMBER, find_event, is_joined, state_content};

pub fn routes(routes: Routes) -> Routes {
    routes.serve(send_message).serve(send_state).serve(redact)
}

fn content(raw: &serde_json::value::RawValue) -> Result<Value> {
    let content: Value =
        serde_json::from_str(raw.get()).map_err(|_| Error::bad_json("Content is not JSON"))?;
    if content.is_object() {
        return Ok(content);
    }
    Err(Error::bad_json("Content is not an object"))
}

/// A room one may send to: it exists and one is in it. Both refusals read alike.
fn writable(tx: &Tx<'_>, room_id: &ruma::RoomId, me: &UserId) -> Result<Room> {
    let refusal = || Error::forbidden(format!("User {me} not in room {room_id}"));
    let room = Room::get(tx, room_id).map_err(|_| refusal())?;
    if !is_joined(tx.conn, room.key, me.as_str())? {
        return Err(refusal());
    }
    Ok(room)
}

async fn send_message(call: Call<send_message_event::v3::Request>) -> Reply {
    call.limit_messages()?;
    let me = call.me()?.clone();
    let body = call.body;
    let kind = body.event_type.to_string();
    let mut content = content(body.body.json())?;
    let target = content.get("redacts").and_then(Value::as_str).map(str::to_owned);
    let is_redaction = kind == "m.room.redaction";
    let redacts = if is_redaction { target } else { None };
    if let Some(fields) = content.as_object_mut() {
        fields.retain(|_, value| !value.is_null() || !is_redaction);
    }
    let txn = (me.device.clone().unwrap_or_default(), body.txn_id.to_string());
    let new = NewEvent { kind, state_key: None, content, redacts, txn: Some(txn) };
    let event_id = call
        .hs
        .store
        .write(move |tx| {
            let room = writable(tx, &body.room_id, &me.user)?;
            if let Some(target) = &new.redacts {
                check_redaction(tx, &room, &me.user, target)?;
            }
            append(tx, &room, &me.user, new)
        })
        .await?;
    if is_redaction {
        call.hs.unread.forget_all();
    }
    ok(json!({"event_id": event_id}))
}

async fn send_state(call: Call<send_state_event::v3::Request>) -> Reply {
    call.limit_messages()?;
    let me = call.me()?.clone();
    let body = call.body;
    let content = content(body.body.json())?;
    let mut new = NewEvent::state(&body.event_type.to_string(), &body.state_key, content);
    let event_id = call
        .hs
        .store
        .write(move |tx| {
            let room = Room::get(tx, &body.room_id)
                .map_err(|_| Error::forbidden("You are not in this room"))?;
            if new.kind == MEMBER {
                complete_member_event(tx, &mut new)?;
            } else if !is_joined(tx.conn, room.key, me.user.as_str())? {
                let text = format!("User {} not in room {}", me.user, room.id);
                return Err(Error::forbidden(text));
            }
            if new.kind != "m.room.canonical_alias" {
                return append(tx, &room, &me.user, new);
            }
            // Whether one may at all is said first; a refusal takes the event back.
            let before = state_content(tx.conn, room.key, &new.kind)?;
            let content = new.content.clone();
            let event_id = append(tx, &room, &me.user, new)?;
            check_canonical_alias(tx, room.key, &before, &content)?;
            Ok(event_id)
        })
        .await?;
    ok(json!({"event_id": event_id}))
}

/// A member event sent as plain state gets the profile that the membership endpoints would add.
fn complete_member_event(tx: &Tx<'_>, new: &mut NewEvent) -> Result<()> {
    let membership = new.content.get("membership").and_then(Value::as_str);
    let known = ["invite", "join", "leave", "ban", "knock"];
    let Some(membership) = membership.filter(|membership| known.contains(membership)) else {
        return Err(Error::bad_json("A member event needs a membership"));
    };
    let user = UserId::parse(new.state_key.as_deref().unwrap_or_default())
        .map_err(|_| Error::bad_json("A member event needs a user id as its key"))?;
    let profile = member_content(tx.conn, &user, membership, None)?;
    if let (Value::Object(profile), Some(content)) = (profile, new.content.as_object_mut()) {
        for (name, value) in profile {
            content.entry(name).or_insert(value);
        }
    }
    Ok(())
}

async fn redact(call: Call<redact_event::v3::Request>) -> Reply {
    call.limit_messages()?;
    let me = call.me()?.clone();
    let body = call.body;
    let target = body.event_id.to_string();
    let mut content = json!({"redacts": target});
    if let (Some(reason), Some(fields)) = (body.reason, content.as_object_mut()) {
        fields.insert("reason".to_owned(), reason.into());
    }
    let txn = (me.device.clone().unwrap_or_default(), body.txn_id.to_string());
    let new = NewEvent {
        kind: "m.room.redaction".to_owned(),
        state_key: None,
        content,
        redacts: Some(target.clone()),
        txn: Some(txn.clone()),
    };
    let event_id = call
        .hs
        .store
        .write(move |tx| {
            let room = writable(tx, &body.room_id, &me.user)?;
            if let Some(id) = find_sent(tx, room.key, &me.user, &txn.0, &txn.1)? {
                return Ok(id);
            }
            check_redaction(tx, &room, &me.user, &target)?;
            append(tx, &room, &me.user, new)
        })
        .await?;
    call.hs.unread.forget_all();
    ok(json!({"event_id": event_id}))
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
