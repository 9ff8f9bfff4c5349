//! The `chat_news` and `chat_news_heads` tables: what others did to users in rooms.

use serde_json::{Value, json};

use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, enum_column, params, row};
use crate::platform::error::{Error, Result};

/// What was done to somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Invited,
    /// Taken out, or no longer invited.
    Removed,
}

enum_column!(Change { Invited = "invited", Removed = "removed" });

row! {
    pub struct NewsRow {
        pub number: i64,
        room_id: String,
        room_name: String,
        change: String,
        by_id: Option<UserId>,
        by_username: Option<String>,
        by_name: Option<String>,
        created_at: Timestamp,
    }
}

impl NewsRow {
    /// As it is told.
    pub fn view(&self) -> Value {
        let by = self
            .by_id
            .map(|id| json!({"id": id, "username": self.by_username, "name": self.by_name}));
        json!({
            "room_id": self.room_id, "name": self.room_name, "change": self.change, "by": by,
            "created_at": self.created_at,
        })
    }
}

/// Adds news under the user's next number. The user's next news waits for the commit, so numbers are told in their order.
pub fn insert(
    tx: &mut Tx,
    user: UserId,
    room_id: &str,
    change: Change,
    by: Option<UserId>,
) -> Result<u64> {
    let now = tx.now();
    let number: i64 = tx.one(
        "INSERT INTO chat_news_heads (user_id, last_number) VALUES ($1, 1)
         ON CONFLICT (user_id) DO UPDATE SET last_number = chat_news_heads.last_number + 1 RETURNING last_number",
        params![user],
    )?;
    tx.exec(
        "INSERT INTO chat_news (user_id, number, room_id, room_name, change, by_user_id, created_at)
         SELECT $1, $2, room_id, name, $4, $5, $6 FROM chat_rooms WHERE room_id = $3",
        params![user, number, room_id, change, by, now],
    )
}

/// Whether the last that was told to a user of a room is that somebody invited them, at that moment or later.
pub fn is_last_invited(
    tx: &mut Tx,
    user: UserId,
    room_id: &str,
    by: UserId,
    since: Timestamp,
) -> Result<bool> {
    let last: Option<i64> = tx.opt(
        "SELECT number FROM chat_news WHERE user_id = $1 AND change = $2 AND by_user_id = $3 AND created_at >= $4
         AND number = (SELECT max(number) FROM chat_news WHERE user_id = $1 AND room_id = $5)",
        params![user, Change::Invited, by, since, room_id],
    )?;
    Ok(last.is_some())
}

/// What happened to a user after the news of that number, oldest first.
pub fn list_after(tx: &mut Tx, user: UserId, number: i64, most: i64) -> Result<Vec<NewsRow>> {
    tx.all(
        "SELECT n.number, n.room_id, n.room_name, n.change, u.id, u.username, u.name, n.created_at
         FROM chat_news n LEFT JOIN users u ON u.id = n.by_user_id AND u.deleted_at IS NULL
         WHERE n.user_id = $1 AND n.number > $2 ORDER BY n.number LIMIT $3",
        params![user, number, most],
    )
}

/// The newest number of those of these users who have had any news.
pub fn list_newest(tx: &mut Tx, users: &[UserId]) -> Result<Vec<(UserId, i64)>> {
    let users = serde_json::to_string(users).map_err(Error::internal)?;
    tx.all(
        "SELECT user_id, last_number FROM chat_news_heads
         WHERE user_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))",
        params![users],
    )
}

/// The oldest number of a user that is still kept.
pub fn find_oldest(tx: &mut Tx, user: UserId) -> Result<Option<i64>> {
    tx.one("SELECT min(number) FROM chat_news WHERE user_id = $1", params![user])
}

/// The numbers begin anew, which nobody notices: the user is gone.
pub fn delete_of_user(tx: &mut Tx, user: UserId) -> Result<()> {
    tx.exec("DELETE FROM chat_news WHERE user_id = $1", params![user])?;
    tx.exec("DELETE FROM chat_news_heads WHERE user_id = $1", params![user]).map(drop)
}

pub fn delete_before(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM chat_news WHERE (user_id, number) IN
             (SELECT user_id, number FROM chat_news WHERE created_at <= $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        params![before, most],
    )
}
