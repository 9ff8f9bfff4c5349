//! The `chat_addressed` table.

use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};

row! {
    #[derive(Debug)]
    pub struct AddressedRow {
        pub id: i64,
        pub user_id: UserId,
        pub is_invitation: bool,
        pub room_id: String,
        pub room_name: Option<String>,
        pub event_id: String,
        pub by_name: String,
        pub said: String,
        pub at: Timestamp,
    }
}

#[derive(Debug)]
pub struct NewAddressed<'a> {
    pub user: UserId,
    pub by: UserId,
    pub is_invitation: bool,
    pub room_id: &'a str,
    pub event_id: &'a str,
    pub said: &'a str,
    pub at: Timestamp,
}

pub fn insert(tx: &mut Tx, new: &NewAddressed<'_>, by_name: &str) -> Result<u64> {
    tx.exec(
        "INSERT INTO chat_addressed (user_id, is_invitation, room_id, event_id, by_name, said, at) VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (user_id, event_id) DO NOTHING",
        params![new.user, new.is_invitation, new.room_id, new.event_id, by_name, new.said, new.at],
    )
}

pub fn has_any(tx: &mut Tx, before: Timestamp) -> Result<bool> {
    let found: Option<i64> =
        tx.opt("SELECT id FROM chat_addressed WHERE at <= $1 LIMIT 1", params![before])?;
    Ok(found.is_some())
}

pub fn list(tx: &mut Tx, before: Timestamp, most: i64) -> Result<Vec<AddressedRow>> {
    tx.all(
        "SELECT a.id, a.user_id, a.is_invitation, a.room_id, r.name, a.event_id, a.by_name, a.said, a.at
         FROM chat_addressed a LEFT JOIN chat_rooms r ON r.room_id = a.room_id
         WHERE a.at <= $1 ORDER BY a.at, a.id LIMIT $2",
        params![before, most],
    )
}

pub fn delete(tx: &mut Tx, ids: &[i64]) -> Result<u64> {
    let ids = serde_json::to_string(ids).map_err(Error::internal)?;
    tx.exec(
        "DELETE FROM chat_addressed WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))",
        params![ids],
    )
}

pub fn delete_event(tx: &mut Tx, event_id: &str) -> Result<u64> {
    tx.exec("DELETE FROM chat_addressed WHERE event_id = $1", params![event_id])
}

pub fn delete_of_user(tx: &mut Tx, user: UserId) -> Result<u64> {
    tx.exec("DELETE FROM chat_addressed WHERE user_id = $1", params![user])
}
