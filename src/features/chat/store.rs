//! The `chat_rooms`, `chat_seen_events` and `chat_room_requests` tables.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::EventId;
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{SqlParams, Tx, params, row};
use crate::platform::error::{Error, Result};
use crate::platform::search::fold;

use super::listing_store::ROOMS;

row! {
    /// What is known of a room; other features may know it of one that their caller may read.
    #[derive(Debug, Clone)]
    pub struct Room {
        pub room_id: String,
        pub event_id: Option<EventId>,
        /// Whether it is the room of the match itself.
        pub is_event_room: bool,
        pub(super) join_rule: String,
        /// Who has joined, without the service's bot.
        pub member_count: i64,
        pub(super) version: i64,
        /// Nobody for rooms of the bot, and of strangers.
        pub(super) creator_id: Option<UserId>,
    }
}

// What is known of a room when it is made, and told of it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ChatRoomView)]
pub struct NewRoomRow {
    #[schema(example = "!h8vBmRzYKqWdPnXcLt:localhost")]
    pub room_id: String,
    pub name: String,
    pub topic: String,
    pub event_id: Option<EventId>,
    #[serde(skip)]
    pub is_event_room: bool,
    pub creator_id: Option<UserId>,
    pub is_encrypted: bool,
    /// `public` or `invite`.
    #[schema(example = "public")]
    pub join_rule: &'static str,
}

/// Changes something of a room that lists show.
pub(super) fn change_listed(tx: &mut Tx, sql: &'static str, params: SqlParams<'_>) -> Result<u64> {
    tx.changes(&ROOMS);
    tx.exec(sql, params)
}

pub fn find_room(tx: &mut Tx, room_id: &str) -> Result<Option<Room>> {
    tx.opt(
        "SELECT room_id, event_id, is_event_room, join_rule, member_count, version, creator_id
         FROM chat_rooms WHERE room_id = $1",
        params![room_id],
    )
}

pub fn find_name(tx: &mut Tx, room_id: &str) -> Result<Option<String>> {
    tx.opt("SELECT name FROM chat_rooms WHERE room_id = $1", params![room_id])
}

pub fn list_rooms_after(tx: &mut Tx, after: &str, most: i64) -> Result<Vec<String>> {
    tx.all(
        "SELECT room_id FROM chat_rooms WHERE room_id > $1 ORDER BY room_id LIMIT $2",
        params![after, most],
    )
}

/// Holds the room, so that changes to it take turns.
pub fn find_room_for_update(tx: &mut Tx, room_id: &str) -> Result<Option<Room>> {
    tx.opt(
        "SELECT room_id, event_id, is_event_room, join_rule, member_count, version, creator_id
         FROM chat_rooms WHERE room_id = $1 FOR UPDATE",
        params![room_id],
    )
}

/// A room of which nothing is known but its id: closed to everybody until the network says otherwise.
pub fn insert_unknown_room(tx: &mut Tx, room_id: &str, at: Timestamp) -> Result<u64> {
    tx.exec(
        "INSERT INTO chat_rooms (room_id, name, name_folded, topic, is_event_room, join_rule, is_encrypted, member_count,
                last_activity, version, created_at)
         VALUES ($1, '', '', '', 0, 'invite', 0, 0, $2, 0, $2) ON CONFLICT (room_id) DO NOTHING",
        params![room_id, at],
    )
}

/// A room just made; the network may have told of it, in part, before this.
pub fn upsert_room(tx: &mut Tx, room: &NewRoomRow) -> Result<u64> {
    let (now, folded) = (tx.now(), fold(&room.name));
    change_listed(
        tx,
        "INSERT INTO chat_rooms (room_id, name, name_folded, topic, event_id, is_event_room, creator_id, join_rule,
                is_encrypted, member_count, last_activity, version, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, 0, $10)
         ON CONFLICT (room_id) DO UPDATE SET name = excluded.name, name_folded = excluded.name_folded,
                topic = excluded.topic, event_id = excluded.event_id, is_event_room = excluded.is_event_room,
                creator_id = excluded.creator_id, join_rule = excluded.join_rule, is_encrypted = excluded.is_encrypted",
        params![
            room.room_id,
            room.name,
            folded,
            room.topic,
            room.event_id,
            room.is_event_room,
            room.creator_id,
            room.join_rule,
            room.is_encrypted,
            now
        ],
    )
}

/// Something happened in the room.
pub fn update_activity(tx: &mut Tx, room_id: &str, at: Timestamp) -> Result<u64> {
    tx.exec(
        "UPDATE chat_rooms SET version = version + 1,
                last_activity = CASE WHEN last_activity < $2 THEN $2 ELSE last_activity END
         WHERE room_id = $1",
        params![room_id, at],
    )
}

pub fn update_created(
    tx: &mut Tx,
    room_id: &str,
    creator: Option<UserId>,
    at: Timestamp,
) -> Result<u64> {
    tx.exec(
        "UPDATE chat_rooms SET creator_id = COALESCE(creator_id, $2), created_at = $3 WHERE room_id = $1",
        params![room_id, creator, at],
    )
}

pub fn update_name(tx: &mut Tx, room_id: &str, name: &str) -> Result<u64> {
    change_listed(
        tx,
        "UPDATE chat_rooms SET name = $2, name_folded = $3 WHERE room_id = $1",
        params![room_id, name, fold(name)],
    )
}

pub fn update_topic(tx: &mut Tx, room_id: &str, topic: &str) -> Result<u64> {
    change_listed(
        tx,
        "UPDATE chat_rooms SET topic = $2 WHERE room_id = $1",
        params![room_id, topic],
    )
}

pub fn update_join_rule(tx: &mut Tx, room_id: &str, rule: &str) -> Result<u64> {
    change_listed(
        tx,
        "UPDATE chat_rooms SET join_rule = $2 WHERE room_id = $1",
        params![room_id, rule],
    )
}

pub fn update_encrypted(tx: &mut Tx, room_id: &str) -> Result<u64> {
    change_listed(tx, "UPDATE chat_rooms SET is_encrypted = 1 WHERE room_id = $1", params![room_id])
}

pub fn update_purpose(
    tx: &mut Tx,
    room_id: &str,
    event: Option<EventId>,
    is_event_room: bool,
    creator: Option<UserId>,
) -> Result<u64> {
    change_listed(
        tx,
        "UPDATE chat_rooms SET event_id = $2, is_event_room = $3, creator_id = $4 WHERE room_id = $1",
        params![room_id, event, is_event_room, creator],
    )
}

pub fn update_member_count(tx: &mut Tx, room_id: &str, delta: i64) -> Result<u64> {
    change_listed(
        tx,
        "UPDATE chat_rooms SET member_count = member_count + $2 WHERE room_id = $1",
        params![room_id, delta],
    )
}

/// Forgets a room and who is in it.
pub fn delete_room(tx: &mut Tx, room_id: &str) -> Result<u64> {
    tx.exec("DELETE FROM chat_members WHERE room_id = $1", params![room_id])?;
    change_listed(tx, "DELETE FROM chat_rooms WHERE room_id = $1", params![room_id])
}

/// Marks events as seen and answers which of them are new.
pub fn insert_seen(tx: &mut Tx, event_ids: &[&str]) -> Result<Vec<String>> {
    let ids = serde_json::to_string(event_ids).map_err(Error::internal)?;
    let now = tx.now();
    tx.all(
        "INSERT INTO chat_seen_events (event_id, seen_at)
         SELECT DISTINCT value, CAST($2 AS BIGINT) FROM json_each($1) WHERE true
         ON CONFLICT (event_id) DO NOTHING RETURNING event_id",
        params![ids, now],
    )
}

pub fn delete_seen_before(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM chat_seen_events WHERE event_id IN
             (SELECT event_id FROM chat_seen_events WHERE seen_at < $1 ORDER BY seen_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        params![before, most],
    )
}

row! {
    pub struct RequestRow {
        pub request_hash: Vec<u8>,
        pub room_id: Option<String>,
        created_at: Timestamp,
    }
}

/// Whose a request for a room is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// Ours, and nobody has been at it.
    First,
    /// Ours, after somebody who never said how it ended.
    Again,
    /// Somebody else's, or done.
    Others,
}

/// Takes up a request for a room unless somebody is at it; answers it as it stands.
pub fn claim_request(
    tx: &mut Tx,
    user: UserId,
    key: &str,
    request_hash: &[u8],
    leased_until: Timestamp,
) -> Result<(RequestRow, Claim)> {
    let now = tx.now();
    let claimed = tx.exec(
        "INSERT INTO chat_room_requests (user_id, key, request_hash, leased_until, created_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (user_id, key) DO UPDATE SET leased_until = excluded.leased_until
         WHERE chat_room_requests.leased_until <= $5 AND chat_room_requests.room_id IS NULL",
        params![user, key, request_hash, leased_until, now],
    )?;
    let row: RequestRow = tx.one(
        "SELECT request_hash, room_id, created_at FROM chat_room_requests WHERE user_id = $1 AND key = $2",
        params![user, key],
    )?;
    let claim = match claimed {
        0 => Claim::Others,
        // A lease is longer than a moment, so what was written down just now was not there before.
        _ if row.created_at == now => Claim::First,
        _ => Claim::Again,
    };
    Ok((row, claim))
}

pub fn release_request(tx: &mut Tx, user: UserId, key: &str) -> Result<u64> {
    tx.exec(
        "DELETE FROM chat_room_requests WHERE user_id = $1 AND key = $2 AND room_id IS NULL",
        params![user, key],
    )
}

pub fn update_request(tx: &mut Tx, user: UserId, key: &str, room_id: &str) -> Result<u64> {
    tx.exec(
        "UPDATE chat_room_requests SET room_id = $3 WHERE user_id = $1 AND key = $2 AND room_id IS NULL",
        params![user, key, room_id],
    )
}

pub fn delete_requests_before(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM chat_room_requests WHERE (user_id, key) IN
             (SELECT user_id, key FROM chat_room_requests WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        params![before, most],
    )
}

/// Counts the members anew, in case the count itself had drifted.
pub fn update_counted(tx: &mut Tx, room_id: &str, bot: &str) -> Result<u64> {
    change_listed(
        tx,
        "UPDATE chat_rooms SET member_count =
            (SELECT count(*) FROM chat_members WHERE room_id = $1 AND membership = 'join' AND matrix_id <> $2)
         WHERE room_id = $1",
        params![room_id, bot],
    )
}
