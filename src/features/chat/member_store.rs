//! The `chat_members` table: who is what to which room.

use serde::Serialize;

use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, enum_column, params};
use crate::platform::error::Result;

use super::store::Room;

/// What somebody is to a room. Whoever left is nothing to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Membership {
    Join,
    Invite,
    Knock,
    Ban,
}

enum_column!(Membership { Join = "join", Invite = "invite", Knock = "knock", Ban = "ban" });

pub fn find_membership(tx: &mut Tx, room_id: &str, matrix_id: &str) -> Result<Option<Membership>> {
    tx.opt(
        "SELECT membership FROM chat_members WHERE room_id = $1 AND matrix_id = $2",
        params![room_id, matrix_id],
    )
}

/// What a user of ours is to a room.
pub fn find_membership_of(tx: &mut Tx, room_id: &str, user: UserId) -> Result<Option<Membership>> {
    tx.opt(
        "SELECT m.membership FROM chat_members m JOIN chat_accounts a ON a.matrix_id = m.matrix_id
         WHERE m.room_id = $1 AND a.user_id = $2 AND a.is_current = 1",
        params![room_id, user],
    )
}

pub fn upsert_member(
    tx: &mut Tx,
    room_id: &str,
    matrix_id: &str,
    membership: Membership,
    at: Timestamp,
) -> Result<u64> {
    tx.exec(
        "INSERT INTO chat_members (room_id, matrix_id, membership, last_active_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (room_id, matrix_id) DO UPDATE
         SET membership = excluded.membership, last_active_at = excluded.last_active_at",
        params![room_id, matrix_id, membership, at],
    )
}

pub fn delete_member(tx: &mut Tx, room_id: &str, matrix_id: &str) -> Result<u64> {
    tx.exec(
        "DELETE FROM chat_members WHERE room_id = $1 AND matrix_id = $2",
        params![room_id, matrix_id],
    )
}

pub fn update_member_active(
    tx: &mut Tx,
    room_id: &str,
    matrix_id: &str,
    at: Timestamp,
) -> Result<u64> {
    tx.exec(
        "UPDATE chat_members SET last_active_at = $3
         WHERE room_id = $1 AND matrix_id = $2 AND membership = 'join' AND last_active_at < $3",
        params![room_id, matrix_id, at],
    )
}

pub fn list_members(tx: &mut Tx, room_id: &str) -> Result<Vec<(String, Membership)>> {
    tx.all("SELECT matrix_id, membership FROM chat_members WHERE room_id = $1", params![room_id])
}

/// Members with an account of ours, those who were active last first.
pub fn list_viewers(tx: &mut Tx, room_id: &str, most: i64) -> Result<Vec<String>> {
    tx.all(
        "SELECT m.matrix_id FROM chat_members m JOIN chat_accounts a ON a.matrix_id = m.matrix_id
         WHERE m.room_id = $1 AND m.membership = 'join' AND a.state = 'ready'
         ORDER BY m.last_active_at DESC, m.matrix_id LIMIT $2",
        params![room_id, most],
    )
}

/// Rooms in which an account is something, in one order, so that scripts that change several take turns.
pub fn list_memberships(tx: &mut Tx, matrix_id: &str) -> Result<Vec<(String, Membership)>> {
    tx.all(
        "SELECT room_id, membership FROM chat_members WHERE matrix_id = $1 ORDER BY room_id",
        params![matrix_id],
    )
}

pub fn list_joined_rooms(tx: &mut Tx, user: UserId) -> Result<Vec<String>> {
    tx.all(
        "SELECT m.room_id FROM chat_members m JOIN chat_accounts a ON a.matrix_id = m.matrix_id
         WHERE a.user_id = $1 AND m.membership = 'join' ORDER BY m.room_id",
        params![user],
    )
}

/// The users who are in a room.
pub fn list_member_ids(tx: &mut Tx, room: &Room) -> Result<Vec<UserId>> {
    tx.all(
        "SELECT user_id FROM chat_room_users WHERE room_id = $1 AND user_id IS NOT NULL ORDER BY user_id",
        params![room.room_id],
    )
}

/// Members who have written or joined since then, users of this service or not. The bot, and accounts that were given up, are
/// nobody.
pub fn count_active(tx: &mut Tx, room: &Room, since: Timestamp) -> Result<i64> {
    tx.one(
        "SELECT count(*) FROM chat_members m LEFT JOIN chat_accounts a ON a.matrix_id = m.matrix_id
         WHERE m.room_id = $1 AND m.membership = 'join' AND m.last_active_at >= $2
           AND (a.matrix_id IS NULL OR a.user_id IS NOT NULL)",
        params![room.room_id, since],
    )
}

/// How many rooms a user is in.
pub fn count_rooms_of(tx: &mut Tx, user: UserId) -> Result<i64> {
    tx.one("SELECT count(*) FROM chat_room_users WHERE user_id = $1", params![user])
}
