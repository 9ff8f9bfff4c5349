//! What an event means for unread counts under the default push rules, worked out once when it is
//! sent: per message the work does not grow with the number of members.

use ruma::UserId;
use rusqlite::params;
use serde_json::Value;

use super::append::NewEvent;
use super::power;
use crate::error::Result;
use crate::store::{Tx, exists};

const MENTIONS_MAX: usize = 100;

/// 0: nobody's unread count moves. 1: everybody else's does. 2: it also highlights for all.
pub fn level(tx: &Tx<'_>, room: i64, sender: &UserId, new: &NewEvent) -> Result<i64> {
    if new.state_key.is_some() {
        let ends = new.kind == "m.room.tombstone" && new.state_key.as_deref() == Some("");
        return Ok(if ends { 2 } else { 0 });
    }
    if is_notice(new) {
        return Ok(0);
    }
    let for_all = new.content.pointer("/m.mentions/room").and_then(Value::as_bool) == Some(true);
    if for_all && power::may_notify_room(tx.conn, room, sender)? {
        return Ok(2);
    }
    let is_edit =
        new.content.pointer("/m.relates_to/rel_type").and_then(Value::as_str) == Some("m.replace");
    let notifies = ["m.room.message", "m.room.encrypted", "m.call.invite"];
    Ok(i64::from(!is_edit && notifies.contains(&new.kind.as_str())))
}

fn is_notice(new: &NewEvent) -> bool {
    new.kind == "m.room.message"
        && new.content.get("msgtype").and_then(Value::as_str) == Some("m.notice")
}

/// Remembers whom a message mentions.
pub fn record_highlights(
    tx: &Tx<'_>,
    room: i64,
    seq: i64,
    sender: &UserId,
    new: &NewEvent,
) -> Result<()> {
    let listed = new.content.pointer("/m.mentions/user_ids").and_then(Value::as_array);
    let Some(listed) = listed.filter(|_| new.state_key.is_none() && !is_notice(new)) else {
        return Ok(());
    };
    for user in listed.iter().filter_map(Value::as_str).take(MENTIONS_MAX) {
        let sql = "SELECT 1 FROM members WHERE room = ?1 AND user = ?2 AND membership = 'join'";
        if exists(tx.conn, sql, params![room, user])? && user != sender.as_str() {
            let sql = "INSERT OR IGNORE INTO highlights VALUES (?1, ?2, ?3)";
            tx.execute(sql, params![user, room, seq])?;
        }
    }
    Ok(())
}
