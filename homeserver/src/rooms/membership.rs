//! Join, leave, invite, kick, ban, forget.

use ruma::api::client::membership::invite_user::v3::InvitationRecipient;
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
use crate::error::{Error, Result};
use crate::http::{Caller, Done, Routes, ok, with};
use crate::store::events::{find_member, find_room, is_joined};
use crate::store::{Tx, find, list, tuple};
use crate::visibility::ignored_users;

pub fn routes(routes: Routes) -> Routes {
    routes
        .come_or_go(|tx, me, body: join_room_by_id::v3::Request| {
            join(tx, me, body.room_id, body.reason)
        })
        .serve(async |call: crate::http::Call<join_room_by_id_or_alias::v3::Request>| {
            call.limit_messages()?;
            call.limit_memberships(1)?;
            let (me, target) = (call.me()?.clone(), call.body.room_id_or_alias);
            let room = match RoomId::parse(target.as_str()) {
                Ok(room) => room,
                Err(_) => resolve_alias(&call.hs, me.turn(), target.as_str()).await?,
            };
            let reason = call.body.reason;
            let turn = me.turn();
            ok(call.hs.store.write_in(turn, move |tx| join(tx, &me, room, reason)).await?)
        })
        .come_or_go(|tx, me, body: leave_room::v3::Request| {
            leave(tx, &body.room_id, &me.user, body.reason.as_deref()).map(|()| Done {})
        })
        .come_or_go(|tx, me, body: invite_user::v3::Request| {
            let InvitationRecipient::UserId(guest) = &body.recipient else {
                let text = "Invitations by third-party id are not supported";
                return Err(Error::forbidden(text));
            };
            change(tx, me, &body.room_id, &guest.user_id, Change::Invite, None)
        })
        .send(|tx, me, body: kick_user::v3::Request| {
            change(tx, me, &body.room_id, &body.user_id, Change::Kick, body.reason)
        })
        .send(|tx, me, body: ban_user::v3::Request| {
            change(tx, me, &body.room_id, &body.user_id, Change::Ban, body.reason)
        })
        .send(|tx, me, body: unban_user::v3::Request| {
            change(tx, me, &body.room_id, &body.user_id, Change::Unban, body.reason)
        })
        .change(forget)
        .look(|look, _: joined_rooms::v3::Request| {
            let rooms: Vec<_> = list_rooms(look.conn, look.me.id(), "'join'")?;
            let ids: Vec<_> = rooms.into_iter().map(|room| room.id).collect();
            Ok(json!({"joined_rooms": ids}))
        })
}

/// The rooms in which a user's membership is one of these.
pub fn list_rooms(conn: &Connection, user: &str, memberships: &str) -> Result<Vec<Room>> {
    let sql = format!(
        "SELECT r.room, r.room_id FROM members m JOIN rooms r ON r.room = m.room
         WHERE m.user = ?1 AND m.membership IN ({memberships})"
    );
    let rows: Vec<(i64, String)> = list(conn, &sql, [user], tuple)?;
    let read = |(key, id)| Ok(Room { key, id: RoomId::parse(id).map_err(Error::internal)? });
    rows.into_iter().map(read).collect()
}

/// The content of a member event: the profile goes along only where it is of use.
pub fn member_content(
    conn: &Connection,
    user: &UserId,
    membership: &str,
    reason: Option<&str>,
) -> Result<Value> {
    let content = with(json!({"membership": membership}), "reason", reason);
    if !matches!(membership, "join" | "invite" | "knock") {
        return Ok(content);
    }
    let sql = "SELECT displayname, avatar_url FROM users WHERE user = ?1";
    let profile: Option<(Option<String>, Option<String>)> =
        find(conn, sql, [user.as_str()], tuple)?;
    let (name, avatar) = profile.unwrap_or_default();
    Ok(with(with(content, "displayname", name), "avatar_url", avatar))
}

fn not_inside() -> Error {
    Error::forbidden("You are not in this room")
}

fn membership_of(conn: &Connection, room: i64, user: &UserId) -> Result<String> {
    let member = find_member(conn, room, user.as_str())?;
    Ok(member.map_or_else(|| "leave".to_owned(), |member| member.membership))
}

fn join(
    tx: &mut Tx<'_>,
    me: &Caller,
    room_id: OwnedRoomId,
    reason: Option<String>,
) -> Result<Value> {
    let Some(key) = find_room(tx.conn, room_id.as_str())? else {
        let text = "Can't join remote room because no servers that are in the room have been \
                    provided.";
        return Err(Error::new(http::StatusCode::NOT_FOUND, "M_UNKNOWN", text));
    };
    let room = Room { key, id: room_id };
    match membership_of(tx.conn, room.key, &me.user)?.as_str() {
        "join" => {}
        "ban" => return Err(Error::bad_state("You are banned from this room")),
        _ => {
            let content = member_content(tx.conn, &me.user, "join", reason.as_deref())?;
            append(tx, &room, &me.user, NewEvent::member(me.id(), content))?;
        }
    }
    Ok(json!({"room_id": room.id}))
}

/// Leaves a room or turns down an invitation. Whoever left already has nothing more to do.
pub fn leave(tx: &mut Tx<'_>, room: &RoomId, me: &UserId, reason: Option<&str>) -> Result<()> {
    let room = Room::get(tx, room)?;
    let member = find_member(tx.conn, room.key, me.as_str())?;
    match member.map(|member| member.membership).as_deref() {
        Some("join" | "invite") => {}
        Some("leave") => return Ok(()),
        _ => return Err(not_inside()),
    }
    let content = member_content(tx.conn, me, "leave", reason)?;
    append(tx, &room, me, NewEvent::member(me.as_str(), content)).map(drop)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Invite,
    Kick,
    Ban,
    Unban,
}

/// What one user does to the membership of another.
fn change(
    tx: &mut Tx<'_>,
    me: &Caller,
    room_id: &RoomId,
    target: &UserId,
    change: Change,
    reason: Option<String>,
) -> Result<Done> {
    let room = Room::get(tx, room_id).map_err(|_| not_inside())?;
    if !is_joined(tx.conn, room.key, me.id())? {
        return Err(not_inside());
    }
    if change == Change::Invite {
        check_welcome(tx.conn, me, target)?;
    }
    let before = membership_of(tx.conn, room.key, target)?;
    let membership = check_change(tx.conn, room.key, change, &before, &me.user)?;
    let content = member_content(tx.conn, target, membership, reason.as_deref())?;
    append(tx, &room, &me.user, NewEvent::member(target.as_str(), content))?;
    Ok(Done {})
}

/// Whoever ignores somebody is not invited by them, and nobody from elsewhere is. The application service asks its own users.
pub fn check_welcome(conn: &Connection, me: &Caller, guest: &UserId) -> Result<()> {
    if guest.server_name() != me.user.server_name() {
        return Err(Error::forbidden("This server does not federate"));
    }
    if !me.appservice && ignored_users(conn, guest.as_str())?.contains(me.id()) {
        return Err(Error::forbidden("This user does not want to be invited by you"));
    }
    Ok(())
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

fn forget(tx: &mut Tx<'_>, me: &Caller, body: forget_room::v3::Request) -> Result<Done> {
    let room = find_room(tx.conn, body.room_id.as_str())?.unwrap_or_default();
    let member = find_member(tx.conn, room, me.id())?;
    if member.is_some_and(|member| matches!(member.membership.as_str(), "join" | "invite")) {
        return Err(Error::bad_request("M_UNKNOWN", "You are still in this room"));
    }
    let sql = "UPDATE members SET forgotten = 1 WHERE room = ?1 AND user = ?2";
    tx.execute(sql, params![room, me.id()])?;
    tx.touch_user(me.id());
    Ok(Done {})
}
