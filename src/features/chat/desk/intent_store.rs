//! The `chat_measures` table.

use crate::features::operators::{Operator, OperatorId, Role};
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;

/// Something that a moderator asked for, to be written down.
#[derive(Debug, Clone, Default)]
pub struct NewIntent {
    pub room_id: String,
    pub user_id: Option<UserId>,
    pub action: &'static str,
    pub muted_until: Option<Timestamp>,
    pub message_id: Option<String>,
    pub transaction_id: Option<String>,
    pub reason: String,
    /// JSON.
    pub before: String,
}

row! {
    #[derive(Debug, Clone)]
    pub struct IntentRow {
        pub room_id: String,
        pub user_id: Option<UserId>,
        pub action: String,
        pub muted_until: Option<Timestamp>,
        pub message_id: Option<String>,
        pub transaction_id: Option<String>,
        pub reason: String,
        pub before: String,
        pub operator: String,
        pub operator_id: Option<OperatorId>,
        pub operator_role: Role,
    }
}

macro_rules! columns {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            " room_id, user_id, action, muted_until, message_id, transaction_id, reason, before, operator, operator_id,
              operator_role ",
            $after
        )
    };
}

pub fn insert(tx: &mut Tx, by: &Operator, new: &NewIntent) -> Result<i64> {
    let now = tx.now();
    tx.one(
        columns!(
            "INSERT INTO chat_measures (created_at,",
            ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING id"
        ),
        params![
            now,
            new.room_id,
            new.user_id,
            new.action,
            new.muted_until,
            new.message_id,
            new.transaction_id,
            new.reason,
            new.before,
            by.name,
            by.id,
            by.role
        ],
    )
}

pub fn find(tx: &mut Tx, id: i64) -> Result<Option<IntentRow>> {
    tx.opt(columns!("SELECT", "FROM chat_measures WHERE id = $1"), params![id])
}

pub fn delete(tx: &mut Tx, id: i64) -> Result<Option<IntentRow>> {
    tx.opt(columns!("DELETE FROM chat_measures WHERE id = $1 RETURNING", ""), params![id])
}

/// What is left of what was asked for about somebody in a room by one of these actions.
pub fn list_left(tx: &mut Tx, room_id: &str, user: UserId, actions: &[&str]) -> Result<Vec<i64>> {
    let actions = serde_json::json!(actions).to_string();
    tx.all(
        "SELECT id FROM chat_measures WHERE room_id = $1 AND user_id = $2
           AND action IN (SELECT value FROM json_each($3)) ORDER BY id",
        params![room_id, user, actions],
    )
}

pub fn delete_of_user(tx: &mut Tx, user: UserId) -> Result<u64> {
    tx.exec("DELETE FROM chat_measures WHERE user_id = $1", params![user])
}
