//! The `push_messages` and `push_sums` tables.

use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};

use super::values::Kind;

/// Senders share the work by the users' ids; plans and messages have this number in their SQL.
pub const SHARDS: i64 = 8;

row! {
    #[derive(Debug, Clone)]
    pub struct MessageRow {
        pub id: i64,
        pub user_id: UserId,
        pub kind: Kind,
        pub subject_id: i64,
        pub occasion: String,
        pub data: String,
        pub expires_at: Timestamp,
    }
}

/// A message for one user that no plan made.
#[derive(Debug)]
pub struct NewMessage<'a> {
    pub user: UserId,
    pub kind: Kind,
    pub occasion: &'a str,
    pub data: &'a str,
    pub due_at: Timestamp,
    pub expires_at: Timestamp,
}

/// Nothing happens if the user was told of this occasion already, or has no device.
pub fn insert(tx: &mut Tx, new: &NewMessage<'_>) -> Result<u64> {
    tx.exec(
        "INSERT INTO push_messages (user_id, shard, kind, subject_id, occasion, data, due_at, expires_at)
         SELECT d.user_id, d.user_id % 8, $2, 0, $3, $4, $5, $6 FROM push_devices d WHERE d.user_id = $1 LIMIT 1
         ON CONFLICT (user_id, occasion) DO NOTHING",
        params![new.user, new.kind, new.occasion, new.data, new.due_at, new.expires_at],
    )
}

/// Users of a shard to whom something is to be told, those who wait longest first.
pub fn list_due_users(tx: &mut Tx, shard: i64, most: i64) -> Result<Vec<UserId>> {
    let now = tx.now();
    let rows: Vec<UserId> = tx.all(
        "SELECT user_id FROM (SELECT user_id, due_at, id FROM push_messages
           WHERE shard = $1 AND due_at <= $2 AND outcome IS NULL ORDER BY due_at, id LIMIT $3) due GROUP BY user_id ORDER BY min(due_at)",
        params![shard, now, most],
    )?;
    Ok(rows)
}

/// All that is to be told to these users by now.
pub fn list_due_of(tx: &mut Tx, users: &[UserId]) -> Result<Vec<MessageRow>> {
    let now = tx.now();
    let users = serde_json::to_string(users).map_err(Error::internal)?;
    tx.all(
        "SELECT m.id, m.user_id, m.kind, m.subject_id, m.occasion, m.data, m.expires_at
         FROM json_each($1) u CROSS JOIN push_messages m
         WHERE m.user_id = CAST(u.value AS BIGINT) AND m.due_at <= $2 AND m.outcome IS NULL ORDER BY m.user_id, m.id",
        params![users, now],
    )
}

pub fn find_next_due(tx: &mut Tx, shard: i64) -> Result<Option<Timestamp>> {
    let due: Option<Option<Timestamp>> = tx.opt(
        "SELECT min(due_at) FROM push_messages WHERE shard = $1 AND outcome IS NULL",
        params![shard],
    )?;
    Ok(due.flatten())
}

pub fn update_outcome(tx: &mut Tx, ids: &[i64], outcome: &str) -> Result<u64> {
    let ids = serde_json::to_string(ids).map_err(Error::internal)?;
    tx.exec(
        "UPDATE push_messages SET outcome = $2 WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) AND outcome IS NULL",
        params![ids, outcome],
    )
}

pub fn update_due(tx: &mut Tx, ids: &[i64], due_at: Timestamp) -> Result<u64> {
    let ids = serde_json::to_string(ids).map_err(Error::internal)?;
    tx.exec(
        "UPDATE push_messages SET due_at = $2 WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))
           AND outcome IS NULL",
        params![ids, due_at],
    )
}

/// What nobody needs any more, not even to know that it was told.
pub fn delete_expired(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM push_messages WHERE id IN (SELECT id FROM push_messages WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)",
        params![before, most],
    )
}

pub fn delete_all_of(tx: &mut Tx, user: UserId) -> Result<u64> {
    tx.exec("DELETE FROM push_messages WHERE user_id = $1", params![user])
}

pub fn add_to_sum(tx: &mut Tx, day: i64, kind: Kind, outcome: &str, count: i64) -> Result<u64> {
    tx.exec(
        "INSERT INTO push_sums (day, kind, outcome, messages) VALUES ($1, $2, $3, $4)
         ON CONFLICT (day, kind, outcome) DO UPDATE SET messages = push_sums.messages + excluded.messages",
        params![day, kind, outcome, count],
    )
}

/// By the day, counted from 1970.
pub fn list_sums(tx: &mut Tx, since: i64) -> Result<Vec<(i64, Kind, String, i64)>> {
    tx.all(
        "SELECT day, kind, outcome, messages FROM push_sums WHERE day >= $1 ORDER BY day DESC, kind, outcome",
        params![since],
    )
}

pub fn count_waiting(tx: &mut Tx) -> Result<i64> {
    tx.one("SELECT count(*) FROM push_messages WHERE outcome IS NULL", &[])
}
