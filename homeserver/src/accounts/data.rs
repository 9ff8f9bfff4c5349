//! Account data and room tags: what clients keep for a user across devices.

use ruma::api::client::config::{
    get_global_account_data, get_room_account_data, set_global_account_data, set_room_account_data,
};
use ruma::api::client::tag::{create_tag, delete_tag, get_tags};
use ruma::{RoomId, UserId};
use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::budget::{ACCOUNT_DATA, check_id, number};
use crate::error::{Error, Result};
use crate::http::{Caller, Done, Look, Routes};
use crate::store::events::find_room;
use crate::store::{Tx, find, tuple};

const TAG: &str = "m.tag";
/// Types that clients may read here but that have endpoints of their own to change them, and budgets of their own.
const SERVER_MANAGED: [&str; 2] = ["m.push_rules", "m.fully_read"];

pub fn routes(routes: Routes) -> Routes {
    routes
        .look(|look, body: get_global_account_data::v3::Request| {
            get(look, &body.user_id, None, &body.event_type.to_string())
        })
        .look(|look, body: get_room_account_data::v3::Request| {
            get(look, &body.user_id, Some(&body.room_id), &body.event_type.to_string())
        })
        .change(|tx, me, body: set_global_account_data::v3::Request| {
            me.only_self(&body.user_id)?;
            set(tx, me, None, &body.event_type.to_string(), body.data.json().get())
        })
        .change(|tx, me, body: set_room_account_data::v3::Request| {
            me.only_self(&body.user_id)?;
            let kind = body.event_type.to_string();
            set(tx, me, Some(&body.room_id), &kind, body.data.json().get())
        })
        .look(|look, body: get_tags::v3::Request| {
            look.me.only_self(&body.user_id)?;
            find_tags(look.conn, look.me, get_room(look.conn, Some(&body.room_id))?)
        })
        .change(|tx, me, body: create_tag::v3::Request| {
            me.only_self(&body.user_id)?;
            tag_room(tx, me, &body.room_id, body.tag, Some(serde_json::to_value(&body.tag_info)?))
        })
        .change(|tx, me, body: delete_tag::v3::Request| {
            me.only_self(&body.user_id)?;
            tag_room(tx, me, &body.room_id, body.tag, None)
        })
}

fn get_room(conn: &Connection, room_id: Option<&RoomId>) -> Result<i64> {
    match room_id {
        Some(id) => find_room(conn, id.as_str())?.ok_or_else(|| Error::not_found("Unknown room")),
        None => Ok(0),
    }
}

/// Account data of a user; `room` is 0 for what belongs to no room.
pub fn find_data(conn: &Connection, user: &str, room: i64, kind: &str) -> Result<Option<Value>> {
    let sql = "SELECT content FROM account_data WHERE user = ?1 AND room = ?2 AND type = ?3";
    let text: Option<String> = find(conn, sql, params![user, room, kind], |row| row.get(0))?;
    Ok(text.map(|text| serde_json::from_str(&text)).transpose()?)
}

pub fn set_data(tx: &mut Tx<'_>, user: &str, room: i64, kind: &str, content: &str) -> Result<()> {
    let seq = tx.next_seq();
    let sql = "INSERT OR REPLACE INTO account_data VALUES (?1, ?2, ?3, ?4, ?5)";
    tx.execute(sql, params![user, room, kind, content, seq])?;
    tx.wake_user(user);
    Ok(())
}

fn get(look: &Look<'_>, user: &UserId, room_id: Option<&RoomId>, kind: &str) -> Result<Value> {
    look.me.only_self(user)?;
    let found = find_data(look.conn, look.me.id(), get_room(look.conn, room_id)?, kind)?;
    found.ok_or_else(|| Error::not_found("Account data not found"))
}

fn set(
    tx: &mut Tx<'_>,
    me: &Caller,
    room_id: Option<&RoomId>,
    kind: &str,
    content: &str,
) -> Result<Done> {
    if SERVER_MANAGED.contains(&kind) {
        let text = format!("Cannot set {kind} through this API.");
        return Err(Error::new(http::StatusCode::METHOD_NOT_ALLOWED, "M_BAD_JSON", text));
    }
    let room = get_room(tx.conn, room_id)?;
    keep(tx, me, room, kind, content)
}

/// Sets what the user wants kept, within their budget. What does not grow is taken in any case, so that one who is over it can
/// come back.
fn keep(tx: &mut Tx<'_>, me: &Caller, room: i64, kind: &str, content: &str) -> Result<Done> {
    check_id(kind)?;
    if !me.appservice {
        ACCOUNT_DATA.check_one(content.len())?;
    }
    let sql = "SELECT octet_length(content) FROM account_data
               WHERE user = ?1 AND room = ?2 AND type = ?3";
    let before: Option<i64> = find(tx.conn, sql, params![me.id(), room, kind], |row| row.get(0))?;
    set_data(tx, me.id(), room, kind, content)?;
    if before.is_none_or(|before| before < number(content.len())) {
        let sql = "SELECT COUNT(*), COALESCE(SUM(octet_length(content)), 0) FROM account_data
                   WHERE user = ?1 AND type NOT IN (?2, ?3)";
        let [rules, read] = SERVER_MANAGED;
        let kept = find(tx.conn, sql, [me.id(), rules, read], tuple)?;
        ACCOUNT_DATA.check_all(me, kept.unwrap_or_default())?;
    }
    Ok(Done {})
}

fn find_tags(conn: &Connection, me: &Caller, room: i64) -> Result<Value> {
    Ok(find_data(conn, me.id(), room, TAG)?.unwrap_or_else(|| json!({"tags": {}})))
}

/// Sets a tag of a room, or takes it off.
fn tag_room(
    tx: &mut Tx<'_>,
    me: &Caller,
    room_id: &RoomId,
    tag: String,
    info: Option<Value>,
) -> Result<Done> {
    let room = get_room(tx.conn, Some(room_id))?;
    let mut data = find_tags(tx.conn, me, room)?;
    if let Some(tags) = data.get_mut("tags").and_then(Value::as_object_mut) {
        match info {
            Some(info) => tags.insert(tag, info),
            None => tags.remove(&tag),
        };
    }
    keep(tx, me, room, TAG, &data.to_string())
}
