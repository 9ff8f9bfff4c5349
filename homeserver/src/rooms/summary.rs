//! A room in short, for whoever may know that it exists.

use ruma::RoomId;
use ruma::api::client::room::get_summary::v1::Request;
use rusqlite::Connection;
use serde_json::Value;

use super::VERSION;
use super::directory::{describe, resolve_alias};
use crate::error::{Error, Result};
use crate::http::{Call, Reply, Routes, ok, with};
use crate::store::events::{find_member, state_content};
use crate::store::{find, tuple};

pub fn routes(routes: Routes) -> Routes {
    routes.serve(summary)
}

async fn summary(call: Call<Request>) -> Reply {
    let (target, turn) = (&call.body.room_id_or_alias, call.turn());
    let room = match RoomId::parse(target.as_str()) {
        Ok(room) => room,
        Err(_) => resolve_alias(&call.hs, turn, target.as_str()).await?,
    };
    let user = call.caller.map(|caller| caller.user.to_string());
    let read = move |conn: &Connection| summarise(conn, room.as_str(), user.as_deref());
    ok(call.hs.store.read_in(turn, read).await?)
}

/// Rooms that a stranger may enter, ask to enter or read are no secret; the others are one even in that they exist.
fn summarise(conn: &Connection, room_id: &str, user: Option<&str>) -> Result<Value> {
    let missing = || Error::not_found("Room not found or is not accessible");
    let sql = "SELECT room, joined FROM rooms WHERE room_id = ?1";
    let (room, joined): (i64, i64) = find(conn, sql, [room_id], tuple)?.ok_or_else(missing)?;
    let member = user.map(|user| find_member(conn, room, user)).transpose()?.flatten();
    let membership = member.map_or_else(|| "leave".to_owned(), |member| member.membership);
    let summary = describe(conn, room, room_id, joined)?;
    let rule = summary.get("join_rule").and_then(Value::as_str).unwrap_or_default();
    let is_open = ["public", "knock", "knock_restricted"].contains(&rule)
        || summary.get("world_readable") == Some(&Value::Bool(true));
    if !is_open && !["join", "invite"].contains(&membership.as_str()) {
        return Err(missing());
    }
    let encryption = state_content(conn, room, "m.room.encryption")?;
    let summary = with(summary, "encryption", encryption.get("algorithm").cloned());
    let summary = with(summary, "room_version", Some(VERSION.as_str()));
    Ok(with(summary, "membership", user.map(|_| membership)))
}
