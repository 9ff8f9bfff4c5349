//! Aliases, the list of public rooms and the user directory.

use ruma::api::client::alias::{create_alias, delete_alias, get_alias};
use ruma::api::client::directory::{
    get_public_rooms, get_public_rooms_filtered, get_room_visibility, set_room_visibility,
};
use ruma::api::client::room::aliases;
use ruma::api::client::user_directory::search_users;
use ruma::{OwnedRoomId, RoomAliasId, RoomId};
use rusqlite::{Connection, params};
use serde_json::{Value, json};

use super::append::{NewEvent, Room, append};
use super::create::is_public;
use super::power::Power;
use super::read::limit_of;
use crate::Hs;
use crate::budget::{ALIASES, PAGE_BYTES, ROOMS_SEARCHED};
use crate::error::{Error, Result};
use crate::http::{Call, Caller, Done, Look, Reply, Routes, ok, with};
use crate::store::events::{find_room, get_room_id, is_joined, state_content};
use crate::store::{Turn, Tx, exists, find, list, tuple};

const CANONICAL: &str = "m.room.canonical_alias";

pub fn routes(routes: Routes) -> Routes {
    routes
        .serve(put_alias)
        .serve(async |call: Call<get_alias::v3::Request>| {
            let alias = call.body.room_alias.as_str();
            let room = resolve_alias(&call.hs, call.turn(), alias).await?;
            ok(json!({"room_id": room, "servers": [call.hs.server_name]}))
        })
        .serve(async |call: Call<delete_alias::v3::Request>| {
            let me = call.me()?.clone();
            check_alias(&call.hs, call.body.room_alias.as_str(), me.appservice)?;
            let turn = me.turn();
            ok(call.hs.store.write_in(turn, move |tx| remove_alias(tx, &me, call.body)).await?)
        })
        .look(|look, body: aliases::v3::Request| {
            let seen = look.room(&body.room_id)?;
            // Aliases have no history: whoever left has no business with them.
            if seen.at != look.upto {
                return Err(Error::forbidden("You are not in this room"));
            }
            let sql = "SELECT alias FROM aliases WHERE room = ?1";
            let aliases: Vec<String> = list(look.conn, sql, [seen.room], |row| row.get(0))?;
            Ok(json!({"aliases": aliases}))
        })
        .serve(async |call: Call<get_public_rooms::v3::Request>| {
            let limit = limit_of(call.body.limit, 100);
            public_rooms(&call.hs, None, limit, call.body.since).await
        })
        .serve(async |call: Call<get_public_rooms_filtered::v3::Request>| {
            let (term, limit) = (call.body.filter.generic_search_term, call.body.limit);
            public_rooms(&call.hs, term, limit_of(limit, 100), call.body.since).await
        })
        .serve(async |call: Call<get_room_visibility::v3::Request>| {
            let room_id = call.body.room_id.to_string();
            let sql = "SELECT published FROM rooms WHERE room_id = ?1";
            let read = move |conn: &Connection| find(conn, sql, [room_id], |row| row.get(0));
            let published: Option<bool> = call.hs.store.read(read).await?;
            let published = published.ok_or_else(|| Error::not_found("Unknown room"))?;
            ok(json!({"visibility": if published { "public" } else { "private" }}))
        })
        .change(publish)
        .look(search)
}

/// An alias that this caller may use: ours, well-formed, not in the service's own namespace.
pub fn check_alias(hs: &Hs, alias: &str, appservice: bool) -> Result<()> {
    let parsed =
        RoomAliasId::parse(alias).map_err(|_| Error::invalid_param("Room alias is not valid"))?;
    let name = parsed.alias();
    if parsed.server_name() != hs.server_name
        || name.is_empty()
        || name.contains(char::is_whitespace)
    {
        return Err(Error::invalid_param("Room alias must be local and without spaces"));
    }
    let reserved = hs.config.appservice.as_ref().map(|service| service.alias_prefix.as_str());
    let reserved = reserved.filter(|prefix| !prefix.is_empty());
    if !appservice && reserved.is_some_and(|prefix| parsed.alias().starts_with(prefix)) {
        let text = "This alias is reserved for an application service.";
        return Err(Error::bad_request("M_EXCLUSIVE", text));
    }
    Ok(())
}

pub fn claim_alias(tx: &Tx<'_>, alias: &str, room: i64, me: &Caller) -> Result<()> {
    let sql = "INSERT OR IGNORE INTO aliases VALUES (?1, ?2, ?3)";
    if tx.execute(sql, params![alias, room, me.id()])? == 0 {
        return Err(Error::bad_request("M_ROOM_IN_USE", "Room alias already taken"));
    }
    let sql = "SELECT MAX((SELECT COUNT(*) FROM aliases WHERE room = ?1),
                          (SELECT COUNT(*) FROM aliases WHERE creator = ?2))";
    let most: Option<i64> = find(tx.conn, sql, params![room, me.id()], |row| row.get(0))?;
    ALIASES.check_all(me, (most.unwrap_or(0), 0))
}

fn find_alias(conn: &Connection, alias: &str) -> Result<Option<String>> {
    let sql = "SELECT r.room_id FROM aliases a JOIN rooms r ON r.room = a.room WHERE a.alias = ?1";
    find(conn, sql, [alias], |row| row.get(0))
}

/// The room behind an alias. For an unknown alias in its namespace the application service is asked
/// first: it may create the room on demand.
pub async fn resolve_alias(hs: &Hs, turn: Turn, alias: &str) -> Result<OwnedRoomId> {
    let look_up = async || {
        let alias = alias.to_owned();
        hs.store.read_in(turn, move |conn| find_alias(conn, &alias)).await
    };
    let mut found = look_up().await?;
    if found.is_none() && hs.pusher.query_alias(alias).await {
        found = look_up().await?;
    }
    let text = || format!("Room alias {alias} not found");
    let found = found.ok_or_else(|| Error::not_found(text()))?;
    RoomId::parse(found).map_err(Error::internal)
}

async fn put_alias(call: Call<create_alias::v3::Request>) -> Reply {
    let me = call.me()?.clone();
    let (alias, room_id) = (call.body.room_alias.to_string(), call.body.room_id);
    check_alias(&call.hs, &alias, me.appservice)?;
    let turn = me.turn();
    let put = move |tx: &mut Tx<'_>| {
        let room = find_room(tx.conn, room_id.as_str())?
            .ok_or_else(|| Error::bad_request("M_UNKNOWN", "Room does not exist"))?;
        if !me.appservice && !is_joined(tx.conn, room, me.id())? {
            return Err(Error::forbidden("You are not in this room"));
        }
        if find_alias(tx.conn, &alias)?.is_some() {
            let text = format!("Room alias {alias} already exists");
            return Err(Error::new(http::StatusCode::CONFLICT, "M_UNKNOWN", text));
        }
        claim_alias(tx, &alias, room, &me)
    };
    call.hs.store.write_in(turn, put).await?;
    ok(Done {})
}

/// Whether somebody in the room may say how it is found.
fn may_publish(tx: &Tx<'_>, room: i64, me: &Caller) -> Result<bool> {
    let power = Power::load(tx.conn, room)?;
    Ok(is_joined(tx.conn, room, me.id())? && power.of(me.id()) >= power.needed_for_state(CANONICAL))
}

fn remove_alias(tx: &mut Tx<'_>, me: &Caller, body: delete_alias::v3::Request) -> Result<Done> {
    let alias = body.room_alias.as_str();
    let sql = "SELECT room, creator FROM aliases WHERE alias = ?1";
    let (room, creator): (i64, String) = find(tx.conn, sql, [alias], tuple)?
        .ok_or_else(|| Error::not_found("Unknown room alias"))?;
    if creator != me.id() && !may_publish(tx, room, me)? {
        return Err(Error::forbidden("You don't have permission to delete the alias."));
    }
    tx.execute("DELETE FROM aliases WHERE alias = ?1", [alias])?;
    let room = Room {
        key: room,
        id: RoomId::parse(get_room_id(tx.conn, room)?).map_err(Error::internal)?,
    };
    let before = state_content(tx.conn, room.key, CANONICAL)?;
    let content = without_alias(&before, alias);
    if content != before && may_publish(tx, room.key, me)? {
        append(tx, &room, &me.user, NewEvent::state(CANONICAL, "", content))?;
    }
    Ok(Done {})
}

/// What a room calls itself, less one alias.
fn without_alias(content: &Value, alias: &str) -> Value {
    let mut content = content.clone();
    let Some(fields) = content.as_object_mut() else { return content };
    if fields.get("alias").is_some_and(|main| main == alias) {
        fields.remove("alias");
    }
    if let Some(others) = fields.get_mut("alt_aliases").and_then(Value::as_array_mut) {
        others.retain(|other| other != alias);
        if others.is_empty() {
            fields.remove("alt_aliases");
        }
    }
    content
}

/// The aliases that a room calls its own must lead to it. Those it had `before` are not looked at.
pub fn check_canonical_alias(
    tx: &Tx<'_>,
    room: i64,
    before: &Value,
    content: &Value,
) -> Result<()> {
    let listed = |content: &Value| {
        let alternatives = content.get("alt_aliases").and_then(Value::as_array).cloned();
        let mut aliases = alternatives.unwrap_or_default();
        aliases.extend(content.get("alias").cloned());
        aliases
    };
    let known = listed(before);
    for alias in listed(content).iter().filter(|alias| !known.contains(alias)) {
        let Some(alias) = alias.as_str().filter(|alias| RoomAliasId::parse(*alias).is_ok()) else {
            if alias.is_null() {
                continue;
            }
            return Err(Error::invalid_param("Not a room alias"));
        };
        let sql = "SELECT 1 FROM aliases WHERE alias = ?1 AND room = ?2";
        if !exists(tx.conn, sql, params![alias, room])? {
            let text = format!("Room alias {alias} does not point to the room");
            return Err(Error::bad_request("M_BAD_ALIAS", text));
        }
    }
    Ok(())
}

fn publish(tx: &mut Tx<'_>, me: &Caller, body: set_room_visibility::v3::Request) -> Result<Done> {
    let room = Room::get(tx, &body.room_id)?.key;
    if !me.appservice && !may_publish(tx, room, me)? {
        return Err(Error::forbidden("You must be a moderator of the room to publish it"));
    }
    let sql = "UPDATE rooms SET published = ?2 WHERE room = ?1";
    tx.execute(sql, params![room, is_public(&body.visibility)?])?;
    Ok(Done {})
}

/// Published rooms, the largest first. Batches are numbered by offset.
async fn public_rooms(hs: &Hs, term: Option<String>, limit: usize, since: Option<String>) -> Reply {
    let offset = match since {
        Some(since) => since.parse::<usize>().map_err(|_| Error::invalid_param("Invalid batch"))?,
        None => 0,
    };
    let answer = hs.store.read(move |conn| {
        let sql = "SELECT room, room_id, joined FROM rooms WHERE published = 1
                   ORDER BY joined DESC, room LIMIT ?1";
        let mut statement = conn.prepare_cached(sql)?;
        let mut rows = statement.query([term.as_ref().map_or(-1, |_| ROOMS_SEARCHED)])?;
        let term = term.map(|term| term.to_lowercase());
        let mut chunk = Vec::new();
        let (mut matched, mut bytes) = (0, 0);
        while let Some(row) = rows.next()? {
            let (room, room_id, joined): (i64, String, i64) = tuple(row)?;
            // Without a search only the rooms of this page are looked at.
            let inside = matched >= offset && chunk.len() < limit && bytes < PAGE_BYTES;
            if term.is_none() && !inside {
                matched += 1;
                continue;
            }
            let entry = describe(conn, room, &room_id, joined)?;
            let hit = term.as_deref().is_none_or(|term| {
                ["name", "topic", "canonical_alias"].into_iter().any(|field| {
                    let text = entry.get(field).and_then(Value::as_str).unwrap_or_default();
                    text.to_lowercase().contains(term)
                })
            });
            if hit {
                matched += 1;
                if inside {
                    bytes += entry.to_string().len();
                    chunk.push(entry);
                }
            }
        }
        let next = offset + chunk.len();
        let answer = json!({"chunk": chunk, "total_room_count_estimate": matched});
        let answer = with(answer, "next_batch", (next < matched).then(|| next.to_string()));
        let previous = (offset > 0).then(|| offset.saturating_sub(limit).to_string());
        Ok(with(answer, "prev_batch", previous))
    });
    ok(answer.await?)
}

/// What the list of public rooms says of one.
pub fn describe(conn: &Connection, room: i64, id: &str, joined: i64) -> Result<Value> {
    let state = |kind: &str, field: &str| -> Result<Option<Value>> {
        Ok(state_content(conn, room, kind)?.get(field).cloned().filter(Value::is_string))
    };
    let is = |value: Option<Value>, wanted: &str| value.is_some_and(|value| value == wanted);
    let history = state("m.room.history_visibility", "history_visibility")?;
    let guests = state("m.room.guest_access", "guest_access")?;
    let mut entry = json!({
        "room_id": id, "num_joined_members": joined,
        "world_readable": is(history, "world_readable"), "guest_can_join": is(guests, "can_join"),
    });
    for (name, kind, field) in [
        ("name", "m.room.name", "name"),
        ("topic", "m.room.topic", "topic"),
        ("canonical_alias", "m.room.canonical_alias", "alias"),
        ("avatar_url", "m.room.avatar", "url"),
        ("join_rule", "m.room.join_rules", "join_rule"),
        ("room_type", "m.room.create", "type"),
    ] {
        entry = with(entry, name, state(kind, field)?);
    }
    Ok(entry)
}

/// Users by part of their name: those who share a room with the caller or are in a public one.
fn search(look: &Look<'_>, body: search_users::v3::Request) -> Result<Value> {
    let term = body.search_term.trim().to_lowercase();
    let limit = limit_of(Some(body.limit), 10).min(50);
    if term.is_empty() {
        return Ok(json!({"results": [], "limited": false}));
    }
    let pattern = term.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    let sql = "SELECT u.user, u.displayname, u.avatar_url FROM users u
         WHERE u.deactivated = 0 AND u.user <> ?1
           AND (LOWER(COALESCE(u.displayname, '')) LIKE ?2 ESCAPE '\\'
                OR u.user LIKE ?2 ESCAPE '\\')
           AND EXISTS (SELECT 1 FROM members m JOIN rooms r ON r.room = m.room
                WHERE m.user = u.user AND m.membership = 'join'
                  AND (r.published = 1 OR EXISTS (SELECT 1 FROM members o
                       WHERE o.room = m.room AND o.user = ?1 AND o.membership = 'join')))
         ORDER BY u.user LIMIT ?3";
    let rows = i64::try_from(limit).unwrap_or(10) + 1;
    let wanted = params![look.me.id(), format!("%{pattern}%"), rows];
    let found: Vec<(String, Option<String>, Option<String>)> = list(look.conn, sql, wanted, tuple)?;
    let show = |(user, name, avatar): &(String, Option<String>, Option<String>)| json!({"user_id": user, "display_name": name, "avatar_url": avatar});
    let results: Vec<_> = found.iter().take(limit).map(show).collect();
    Ok(json!({"results": results, "limited": found.len() > limit}))
}
