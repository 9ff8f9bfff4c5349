//! What an event means for unread counts under the default push rules, worked out once when it is
//! sent: per message the work does not grow with the number of members.

use ruma::UserId;
use rusqlite::params;
use serde_json::Value;

use super::{append::NewEvent, power};
use crate::{
    error::Result,
    store::{Tx, find, list},
};

/// Words of a message that are tried as names, for clients that do not send `m.mentions`.
const WORDS_MAX: usize = 16;
const MENTIONS_MAX: usize = 100;

/// 0: nobody's unread count moves. 1: everybody else's does. 2: it also highlights for all.
pub fn level(tx: &Tx<'_>, room: i64, sender: &UserId, new: &NewEvent) -> Result<i64> {
    if new.state_key.is_some() {
        let tombstone = new.kind == "m.room.tombstone";
        return Ok(if tombstone { 2 } else { 0 });
    }
    let is_message = new.kind == "m.room.message";
    if !is_message && new.kind != "m.room.encrypted" {
        return Ok(0);
    }
    let edit = new.content.pointer("/m.relates_to/rel_type").and_then(Value::as_str)
        == Some("m.replace");
    let notice = new.content.get("msgtype").and_then(Value::as_str) == Some("m.notice");
    if edit || (is_message && notice) {
        return Ok(0);
    }
    let mentions = new.content.get("m.mentions");
    let wants_room = match mentions {
        Some(mentions) => mentions.get("room").and_then(Value::as_bool) == Some(true),
        None => body_of(new).contains("@room"),
    };
    if wants_room && power::may_notify_room(tx.conn, room, sender)? {
        return Ok(2);
    }
    Ok(1)
}

/// Remembers whom a message names.
pub fn record_highlights(
    tx: &Tx<'_>,
    room: i64,
    seq: i64,
    sender: &UserId,
    new: &NewEvent,
) -> Result<()> {
    if new.state_key.is_some() || !matches!(new.kind.as_str(), "m.room.message" | "m.room.encrypted")
    {
        return Ok(());
    }
    let is_edit = new.content.pointer("/m.relates_to/rel_type").and_then(Value::as_str)
        == Some("m.replace");
    let users = match new.content.get("m.mentions") {
        Some(mentions) => mentioned(tx, room, mentions)?,
        None if is_edit => Vec::new(),
        None => named_in_body(tx, room, sender, body_of(new))?,
    };
    for user in users.iter().filter(|user| *user != sender.as_str()) {
        let sql = "INSERT OR IGNORE INTO highlights VALUES (?1, ?2, ?3)";
        tx.execute(sql, params![user, room, seq])?;
    }
    Ok(())
}

fn body_of(new: &NewEvent) -> &str {
    new.content.get("body").and_then(Value::as_str).unwrap_or_default()
}

fn mentioned(tx: &Tx<'_>, room: i64, mentions: &Value) -> Result<Vec<String>> {
    let listed = mentions.get("user_ids").and_then(Value::as_array);
    let mut users = Vec::new();
    for user in listed.into_iter().flatten().filter_map(Value::as_str).take(MENTIONS_MAX) {
        let sql = "SELECT user FROM members
                   WHERE room = ?1 AND user = ?2 AND membership = 'join'";
        users.extend(find(tx.conn, sql, params![room, user], |row| row.get(0))?);
    }
    Ok(users)
}

/// Members whose user name, or display name of up to three words, stands in the text.
fn named_in_body(tx: &Tx<'_>, room: i64, sender: &UserId, body: &str) -> Result<Vec<String>> {
    let words: Vec<&str> = body
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .take(WORDS_MAX)
        .collect();
    let mut users = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let id = format!("@{}:{}", word.to_lowercase(), sender.server_name());
        let sql = "SELECT user FROM members
                   WHERE room = ?1 AND user = ?2 AND membership = 'join'";
        users.extend(find(tx.conn, sql, params![room, id], |row| row.get(0))?);
        for length in 1..=3 {
            let Some(name) = words.get(index..index + length) else { break };
            let sql = "SELECT user FROM members WHERE room = ?1 AND displayname = ?2";
            users.extend(list(tx.conn, sql, params![room, name.join(" ")], |row| {
                row.get::<_, String>(0)
            })?);
        }
    }
    Ok(users)
}
