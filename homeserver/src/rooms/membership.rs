//! Join, leave, invite, kick, ban, forget.

use ruma::api::client::membership::{
    ban_user, forget_room, invite_user, join_room_by_id, join_room_by_id_or_alias, joined_rooms,
    kick_user, leave_room, unban_user,
};
use ruma::{OwnedRoomId, RoomId, UserId};
use rusqlite::{Connection, params};
use serde_json::{Value, json};

use super::append::{NewEvent, Room, append};
use super::directory::resolve_alias;
use super::power::Power;
use crate::Hs;
use crate::error::{Error, Result};
use crate::http::{Call, Endpoint, Reply, Routes, empty, ok};
use crate::store::events::{find_member, find_room, is_joined};
use crate::store::{Tx, find, list};

pub fn routes(routes: Routes) -> Routes {
    routes
        .serve(async |call: Call<join_room_by_id::v3::Request>| {
            let (room, reason) = (call.body.room_id.clone(), call.body.reason.clone());
            join(&call, room, reason).await
        })
        .serve(async |call: Call<join_room_by_id_or_alias::v3::Request>| {
            let target = call.body.room_id_or_alias.clone();
            let room = match RoomId::parse(target.as_str()) {
                Ok(room) => room,
                Err(_) => resolve_alias(&call.hs, target.as_str()).await?,
            };
            let reason = call.body.reason.clone();
            join(&call, room, reason).await
        })
        .serve(async |call: Call<leave_room::v3::Request>| {
            let me = call.me()?.user.clone();
            let (room, reason) = (call.body.room_id.clone(), call.body.reason.clone());
            call.hs.store.write(move |tx| leave(tx, &room, &me, reason.as_deref())).await?;
            empty()
        })
        .serve(async |call: Call<invite_user::v3::Request>| {
            let invite_user::v3::InvitationRecipient::UserId(guest) = &call.body.recipient else {
                let text = "Invitations by third-party id are not supported";
                return Err(Error::forbidden(text));
            };
            check_local(&call.hs, &guest.user_id)?;
            change(&call, &call.body.room_id, &guest.user_id, Change::Invite, None).await
        })
        .serve(async |call: Call<kick_user::v3::Request>| {
            let body = &call.body;
            change(&call, &body.room_id, &body.user_id, Change::Kick, body.reason.clone()).await
        })
        .serve(async |call: Call<ban_user::v3::Request>| {
            let body = &call.body;
            change(&call, &body.room_id, &body.user_id, Change::Ban, body.reason.clone()).await
        })
        .serve(async |call: Call<unban_user::v3::Request>| {
            let body = &call.body;
            change(&call, &body.room_id, &body.user_id, Change::Unban, body.reason.clone()).await
        })
        .serve(forget)
        .serve(async |call: Call<joined_rooms::v3::Request>| {
            let me = call.user()?;
            let sql = "SELECT r.room_id FROM members m JOIN rooms r ON r.room = m.room
                       WHERE m.user = ?1 AND m.membership = 'join'";
            let read = move |conn: &Connection| list(conn, sql, [me], |row| row.get(0));
            let rooms: Vec<String> = call.hs.store.read(read).await?;
            ok(json!({"joined_rooms": rooms}))
        })
}

/// The content of a member event: the profile goes along only where it is of use.
pub fn member_content(
    conn: &Connection,
    user: &UserId,
    membership: &str,
    reason: Option<&str>,
) -> Result<Value> {
    let mut content = serde_json::Map::from_iter([("membership".to_owned(), membership.into())]);
    if let Some(reason) = reason {
        content.insert("reason".to_owned(), reason.into());
    }
    if matches!(membership, "join" | "invite" | "knock") {
        let sql = "SELECT displayname, avatar_url FROM users WHERE user = ?1";
        let profile = find(conn, sql, [user.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let (name, avatar): (Option<String>, Option<String>) = profile.unwrap_or_default();
        content.extend(name.map(|name| ("displayname".to_owned(), name.into())));
        content.extend(avatar.map(|avatar| ("avatar_url".to_owned(), avatar.into())));
    }
    Ok(content.into())
}

pub fn check_local(hs: &Hs, user: &UserId) -> Result<()> {
    if user.server_name() == hs.server_name {
        return Ok(());
    }
    Err(Error::forbidden("This server does not federate"))
}

async fn join<T>(call: &Call<T>, room_id: OwnedRoomId, reason: Option<String>) -> Reply {
    call.limit_messages()?;
    let me = call.me()?.user.clone();
    let joined = room_id.clone();
    call.hs
        .store
        .write(move |tx| {
            let Some(key) = find_room(tx.conn, room_id.as_str())? else {
                let text = "Can't join remote room because no servers that are in the room \
                            have been provided.";
                return Err(Error::new(http::StatusCode::NOT_FOUND, "M_UNKNOWN", text));
            };
            let room = Room { key, id: room_id };
            let before = find_member(tx.conn, room.key, me.as_str())?;
            match before.as_ref().map(|member| member.membership.as_str()) {
                Some("join") => return Ok(()),
                Some("ban") => return Err(Error::bad_state("You are banned from this room")),
                _ => {}
            }
            let content = member_content(tx.conn, &me, "join", reason.as_deref())?;
            append(tx, &room, &me, NewEvent::member(me.as_str(), content)).map(|_| ())
        })
        .await?;
    ok(json!({"room_id": joined}))
}

/// Leaves a room or turns down an invitation.
pub fn leave(tx: &mut Tx<'_>, room: &RoomId, me: &UserId, reason: Option<&str>) -> Result<()> {
    let room = Room::get(tx, room)?;
    let before = find_member(tx.conn, room.key, me.as_str())?;
    match before.as_ref().map(|member| member.membership.as_str()) {
        Some("join" | "invite" | "knock") => {}
        _ => return Err(Error::forbidden("You are not in this room")),
    }
    let content = member_content(tx.conn, me, "leave", reason)?;
    append(tx, &room, me, NewEvent::member(me.as_str(), content))?;
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Invite,
    Kick,
    Ban,
    Unban,
}

/// What one user does to the membership of another.
async fn change<T>(
    call: &Call<T>,
    room_id: &RoomId,
    target: &UserId,
    change: Change,
    reason: Option<String>,
) -> Reply {
    call.limit_messages()?;
    let (me, target, room_id) = (call.me()?.user.clone(), target.to_owned(), room_id.to_owned());
    call.hs
        .store
        .write(move |tx| {
            let refusal = |_| Error::forbidden("You are not in this room");
            let room = Room::get(tx, &room_id).map_err(refusal)?;
            if !is_joined(tx.conn, room.key, me.as_str())? {
                return Err(Error::forbidden("You are not in this room"));
            }
            let before = find_member(tx.conn, room.key, target.as_str())?;
            let before = before.as_ref().map_or("leave", |member| member.membership.as_str());
            let membership = check_change(tx.conn, room.key, change, before, &me)?;
            let content = member_content(tx.conn, &target, membership, reason.as_deref())?;
            append(tx, &room, &me, NewEvent::member(target.as_str(), content)).map(|_| ())
        })
        .await?;
    empty()
}

/// The refusals that the authorisation rules do not make, or make without saying why.
fn check_change(
    conn: &Connection,
    room: i64,
    change: Change,
    before: &str,
    me: &UserId,
) -> Result<&'static str> {
    match (change, before) {
        (Change::Invite, "join") => Err(Error::forbidden("The user is already in the room")),
        (Change::Invite, "ban") => Err(Error::bad_state("The user is banned from the room")),
        (Change::Invite, _) => Ok("invite"),
        (Change::Kick, "join" | "invite" | "knock") => Ok("leave"),
        (Change::Kick, _) => Err(Error::forbidden("The target user is not in the room")),
        (Change::Ban, _) => Ok("ban"),
        (Change::Unban, "ban") => {
            let power = Power::load(conn, room)?;
            if power.of(me.as_str()) < power.needed("ban", 50) {
                return Err(Error::forbidden("You may not unban"));
            }
            Ok("leave")
        }
        (Change::Unban, _) => Err(Error::bad_state("The target user is not banned")),
    }
}

async fn forget(call: Call<forget_room::v3::Request>) -> Reply {
    let (me, room_id) = (call.user()?, call.body.room_id.to_string());
    call.hs
        .store
        .write(move |tx| {
            let room = find_room(tx.conn, &room_id)?
                .ok_or_else(|| Error::bad_request("M_UNKNOWN", "You never were in this room"))?;
            let member = find_member(tx.conn, room, &me)?
                .ok_or_else(|| Error::bad_request("M_UNKNOWN", "You never were in this room"))?;
            if matches!(member.membership.as_str(), "join" | "invite") {
                return Err(Error::bad_request("M_UNKNOWN", "You are still in this room"));
            }
            let sql = "UPDATE members SET forgotten = 1 WHERE room = ?1 AND user = ?2";
            tx.execute(sql, params![room, me]).map(|_| ())
        })
        .await?;
    empty()
}
