//! What is said to somebody in rooms, by name or by an invitation: kept for a moment, for whoever tells it to them elsewhere.

use serde_json::Value;

use crate::adapters::matrix::PushedEvent;
use crate::features::users::{self, UserId};
use crate::platform::clock::{SECOND_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::Result;

use super::addressed_store::{self as store, AddressedRow, NewAddressed};
use super::member_store::{self, Membership};
use super::moderation_store::is_blocked;
use super::{account_store, inbound};

/// Whoever names more people means nobody.
const MOST_NAMED: usize = 20;
const LONGEST_SAID: usize = 200;
/// Nothing is handed on before: what is taken back at once is told to nobody.
const HELD_MS: i64 = 10 * SECOND_MS;

/// Notes whom a message names.
pub fn note_message(tx: &mut Tx, event: &PushedEvent) -> Result<()> {
    let names = event.content.pointer("/m.mentions/user_ids").and_then(Value::as_array);
    let relation = event.content.pointer("/m.relates_to/rel_type").and_then(Value::as_str);
    // An edit says again what was said.
    let (Some(names), false) = (names, relation == Some("m.replace")) else { return Ok(()) };
    if event.kind != "m.room.message" {
        return Ok(());
    }
    let Some(by) = user_of(tx, &event.sender)? else { return Ok(()) };
    let (said, at) = (event.text("body", LONGEST_SAID), inbound::moment_of(tx, event));
    for name in names.iter().filter_map(Value::as_str).take(MOST_NAMED) {
        let Some(user) = user_of(tx, name)? else { continue };
        let membership = member_store::find_membership(tx, &event.room_id, name)?;
        if membership == Some(Membership::Join) {
            let (room_id, event_id) = (event.room_id.as_str(), event.event_id.as_str());
            let new =
                NewAddressed { user, by, is_invitation: false, room_id, event_id, said: &said, at };
            note(tx, &new)?;
        }
    }
    Ok(())
}

/// Notes that somebody was asked into a room by another user.
pub fn note_invitation(
    tx: &mut Tx,
    user: UserId,
    by: UserId,
    room_id: &str,
    at: Timestamp,
) -> Result<()> {
    let new =
        NewAddressed { user, by, is_invitation: true, room_id, event_id: room_id, said: "", at };
    note(tx, &new)
}

/// Somebody's words are gone.
pub fn take_back(tx: &mut Tx, event: &PushedEvent) -> Result<()> {
    match event.redacted() {
        Some(target) => store::delete_event(tx, target).map(drop),
        None => Ok(()),
    }
}

fn note(tx: &mut Tx, new: &NewAddressed<'_>) -> Result<()> {
    if new.user == new.by || is_blocked(tx, new.user, new.by)? {
        return Ok(());
    }
    let Some(by) = users::find(tx, new.by)? else { return Ok(()) };
    store::insert(tx, new, by.username.as_str()).map(drop)
}

fn user_of(tx: &mut Tx, matrix_id: &str) -> Result<Option<UserId>> {
    let account = account_store::find(tx, matrix_id)?;
    Ok(account.filter(|account| account.is_current).and_then(|account| account.user_id))
}

/// Whether somebody wants to hear of what a user of the network says: not of themselves, nor of whom they have blocked.
pub fn may_hear(tx: &mut Tx, user: UserId, sender: &str) -> Result<bool> {
    match user_of(tx, sender)? {
        Some(by) => Ok(by != user && !is_blocked(tx, user, by)?),
        None => Ok(true),
    }
}

/// Whether there is something to hand on.
pub fn has_any(tx: &mut Tx) -> Result<bool> {
    let before = tx.now().plus_ms(-HELD_MS);
    store::has_any(tx, before)
}

/// Hands on what was said to people, which is forgotten here by that.
pub fn take(tx: &mut Tx, most: i64) -> Result<Vec<AddressedRow>> {
    let before = tx.now().plus_ms(-HELD_MS);
    let rows = store::list(tx, before, most)?;
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    store::delete(tx, &ids)?;
    Ok(rows)
}
