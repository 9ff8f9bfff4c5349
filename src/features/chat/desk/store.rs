//! Rooms, members and reports as moderators look for them, in SQL.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::chat::member_store::Membership;
use crate::features::events::EventId;
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;
use crate::platform::search;

/// Rooms that a search counts.
const MOST_COUNTED: i64 = 10_000;

row! {
    #[derive(Debug, Clone, Serialize, ToSchema)]
    #[schema(as = DeskRoomView)]
    pub struct DeskRoomRow {
        #[schema(example = "!h8vBmRzYKqWdPnXcLt:localhost")]
        pub room_id: String,
        pub name: String,
        pub topic: String,
        /// The match that it is about.
        pub event_id: Option<EventId>,
        /// Whether it is the room of the match itself.
        pub is_event_room: bool,
        /// Null for rooms of the service, and of strangers.
        pub creator_id: Option<UserId>,
        /// `public` or `invite`.
        #[schema(example = "public")]
        pub join_rule: String,
        /// Nobody but its members reads what is said in it.
        pub is_encrypted: bool,
        #[schema(example = 312)]
        pub member_count: i64,
        #[schema(value_type = String, format = DateTime)]
        pub last_activity: Timestamp,
        #[schema(value_type = String, format = DateTime)]
        pub created_at: Timestamp,
    }
}

macro_rules! select_rooms {
    ($rest:literal) => {
        concat!(
            "SELECT room_id, name, topic, event_id, is_event_room, creator_id, join_rule, is_encrypted, member_count,
                    last_activity, created_at FROM chat_rooms ",
            $rest
        )
    };
}

pub fn find_room(tx: &mut Tx, room_id: &str) -> Result<Option<DeskRoomRow>> {
    tx.opt(select_rooms!("WHERE room_id = $1"), params![room_id])
}

/// Rooms whose name begins so, by name, or those where something happened last; counted up to 10,000.
pub fn list_rooms(tx: &mut Tx, name: Option<&str>, page: Page) -> Result<(Vec<DeskRoomRow>, i64)> {
    let (limit, offset) = (page.per_page, page.offset());
    let Some(name) = name else {
        let sql = select_rooms!("ORDER BY last_activity DESC, room_id DESC LIMIT $1 OFFSET $2");
        let rows = tx.all(sql, params![limit, offset])?;
        let count = "SELECT count(*) FROM (SELECT 1 FROM chat_rooms LIMIT $1) counted";
        return Ok((rows, tx.one(count, params![MOST_COUNTED])?));
    };
    let (from, to) = (search::fold(name), search::prefix_end(&search::fold(name)));
    let rows = tx.all(
        select_rooms!(
            "WHERE name_folded >= $1 AND name_folded < $2 ORDER BY name_folded, room_id LIMIT $3 OFFSET $4"
        ),
        params![from, to, limit, offset],
    )?;
    let total = tx.one(
        "SELECT count(*) FROM (SELECT 1 FROM chat_rooms WHERE name_folded >= $1 AND name_folded < $2 LIMIT $3) counted",
        params![from, to, MOST_COUNTED],
    )?;
    Ok((rows, total))
}

row! {
    #[derive(Debug, Clone, Serialize, ToSchema)]
    #[schema(as = DeskMemberView)]
    pub struct DeskMemberRow {
        #[schema(example = "@ada:localhost")]
        pub matrix_id: String,
        /// Null for the service's bot, for people of other servers, and for accounts that were given up.
        pub user_id: Option<UserId>,
        #[schema(example = "ada")]
        pub username: Option<String>,
        #[schema(value_type = String, example = "join")]
        pub membership: Membership,
        /// When they last wrote or joined.
        #[schema(value_type = String, format = DateTime)]
        pub last_active_at: Timestamp,
    }
}

/// Those who are something to a room, who was active last first.
pub fn list_members(tx: &mut Tx, room_id: &str, page: Page) -> Result<(Vec<DeskMemberRow>, i64)> {
    let rows = tx.all(
        "SELECT m.matrix_id, u.id, u.username, m.membership, m.last_active_at FROM chat_members m
         LEFT JOIN chat_accounts a ON a.matrix_id = m.matrix_id LEFT JOIN users u ON u.id = a.user_id
         WHERE m.room_id = $1 ORDER BY m.last_active_at DESC, m.matrix_id LIMIT $2 OFFSET $3",
        params![room_id, page.per_page, page.offset()],
    )?;
    let total = tx.one("SELECT count(*) FROM chat_members WHERE room_id = $1", params![room_id])?;
    Ok((rows, total))
}

/// Those of these who are in the room and have an account here that can be spoken for.
pub fn list_own(tx: &mut Tx, room_id: &str, matrix_ids: &[&str]) -> Result<Vec<String>> {
    let ids = serde_json::to_string(matrix_ids).map_err(Error::internal)?;
    tx.all(
        "SELECT m.matrix_id FROM chat_members m JOIN chat_accounts a ON a.matrix_id = m.matrix_id
         WHERE m.room_id = $1 AND m.membership = 'join' AND a.state = 'ready'
           AND m.matrix_id IN (SELECT value FROM json_each($2))",
        params![room_id, ids],
    )
}

/// The users behind these accounts, with their names.
pub fn list_users(tx: &mut Tx, matrix_ids: &[&str]) -> Result<Vec<(String, UserId, String)>> {
    let ids = serde_json::to_string(matrix_ids).map_err(Error::internal)?;
    tx.all(
        "SELECT a.matrix_id, u.id, u.username FROM chat_accounts a JOIN users u ON u.id = a.user_id
         WHERE a.matrix_id IN (SELECT value FROM json_each($1))",
        params![ids],
    )
}

row! {
    /// Who is to be silent in a room.
    #[derive(Debug, Clone, Serialize, ToSchema)]
    #[schema(as = MuteView)]
    pub struct MuteRow {
        pub user_id: UserId,
        #[schema(example = "ben")]
        pub username: Option<String>,
        /// Null for one that does not end by itself.
        #[schema(value_type = Option<String>, format = DateTime)]
        pub muted_until: Option<Timestamp>,
        #[schema(example = "Insults other fans")]
        pub reason: String,
        /// The name of whoever did it.
        #[schema(example = "mia")]
        pub operator: String,
        #[schema(value_type = String, format = DateTime)]
        pub created_at: Timestamp,
    }
}

/// Who is to be silent in a room, the newest first; at most so many.
pub fn list_mutes(tx: &mut Tx, room_id: &str, most: i64) -> Result<Vec<MuteRow>> {
    tx.all(
        "SELECT m.user_id, u.username, m.muted_until, m.reason, m.operator, m.created_at FROM chat_mutes m
         LEFT JOIN users u ON u.id = m.user_id
         WHERE m.room_id = $1 ORDER BY m.created_at DESC, m.user_id LIMIT $2",
        params![room_id, most],
    )
}

/// The rooms in which somebody is to be silent.
pub fn list_muted_rooms(tx: &mut Tx, user: UserId) -> Result<Vec<String>> {
    tx.all("SELECT room_id FROM chat_mutes WHERE user_id = $1 ORDER BY room_id", params![user])
}

/// Until when somebody is to be silent in a room, if they are: nothing for a mute that does not end by itself.
pub fn find_mute(
    tx: &mut Tx,
    room_id: &str,
    user: UserId,
) -> Result<Option<(i64, Option<Timestamp>)>> {
    tx.opt(
        "SELECT user_id, muted_until FROM chat_mutes WHERE room_id = $1 AND user_id = $2",
        params![room_id, user],
    )
}

pub fn upsert_mute(
    tx: &mut Tx,
    room_id: &str,
    user: UserId,
    until: Option<Timestamp>,
    (reason, operator): (&str, &str),
) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "INSERT INTO chat_mutes (room_id, user_id, muted_until, reason, operator, created_at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (room_id, user_id) DO UPDATE SET muted_until = excluded.muted_until, reason = excluded.reason,
                operator = excluded.operator",
        params![room_id, user, until, reason, operator, now],
    )
}

pub fn delete_mute(tx: &mut Tx, room_id: &str, user: UserId) -> Result<u64> {
    tx.exec("DELETE FROM chat_mutes WHERE room_id = $1 AND user_id = $2", params![room_id, user])
}

pub fn delete_mutes_of(tx: &mut Tx, user: UserId) -> Result<u64> {
    tx.exec("DELETE FROM chat_mutes WHERE user_id = $1", params![user])
}
