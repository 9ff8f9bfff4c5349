//! The `chat_accounts`, `chat_closed_names` and `chat_devices` tables.

use crate::features::sessions::SessionId;
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, enum_column, params, row};
use crate::platform::error::{Error, Result};

/// How far an account has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Wanted,
    /// The name was free on the homeserver when first looked at.
    Claimed,
    Ready,
    /// The name belongs to somebody whom this service did not register.
    Foreign,
}

enum_column!(State { Wanted = "wanted", Claimed = "claimed", Ready = "ready", Foreign = "foreign" });

row! {
    #[derive(Debug, Clone)]
    pub struct AccountRow {
        pub matrix_id: String,
        pub user_id: Option<UserId>,
        pub state: State,
        pub display_name: Option<String>,
    }
}

row! {
    #[derive(Debug, Clone)]
    pub struct DeviceRow {
        pub matrix_id: String,
        pub device_id: String,
    }
}

pub fn find_current(tx: &mut Tx, user: UserId) -> Result<Option<AccountRow>> {
    tx.opt(
        "SELECT matrix_id, user_id, state, display_name FROM chat_accounts
         WHERE user_id = $1 AND is_current = 1",
        params![user],
    )
}

pub fn find(tx: &mut Tx, matrix_id: &str) -> Result<Option<AccountRow>> {
    tx.opt(
        "SELECT matrix_id, user_id, state, display_name FROM chat_accounts WHERE matrix_id = $1",
        params![matrix_id],
    )
}

pub fn list_of_user(tx: &mut Tx, user: UserId) -> Result<Vec<AccountRow>> {
    tx.all(
        "SELECT matrix_id, user_id, state, display_name FROM chat_accounts
         WHERE user_id = $1 ORDER BY created_at, matrix_id",
        params![user],
    )
}

/// Every account that is there on the homeserver.
pub fn list_ready(tx: &mut Tx) -> Result<Vec<String>> {
    tx.all(
        "SELECT matrix_id FROM chat_accounts WHERE state = 'ready' ORDER BY matrix_id",
        params![],
    )
}

/// Of two that want one account, one inserts it and both find it.
pub fn insert(tx: &mut Tx, matrix_id: &str, localpart: &str, user: Option<UserId>) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "INSERT INTO chat_accounts (matrix_id, localpart, user_id, is_current, state, created_at)
         VALUES ($1, $2, $3, CASE WHEN CAST($3 AS BIGINT) IS NULL THEN 0 ELSE 1 END, 'wanted', $4)
         ON CONFLICT DO NOTHING",
        params![matrix_id, localpart, user, now],
    )
}

/// Guarded, so that a slow look at the homeserver cannot undo what another has found out since.
pub fn update_state(tx: &mut Tx, matrix_id: &str, before: State, after: State) -> Result<u64> {
    tx.exec(
        "UPDATE chat_accounts SET state = $3 WHERE matrix_id = $1 AND state = $2",
        params![matrix_id, before, after],
    )
}

pub fn update_display_name(tx: &mut Tx, matrix_id: &str, name: &str) -> Result<u64> {
    tx.exec(
        "UPDATE chat_accounts SET display_name = $2 WHERE matrix_id = $1",
        params![matrix_id, name],
    )
}

/// The user's account is no longer theirs to use.
pub fn update_former(tx: &mut Tx, user: UserId) -> Result<Option<String>> {
    tx.opt(
        "UPDATE chat_accounts SET is_current = 0 WHERE user_id = $1 AND is_current = 1
         RETURNING matrix_id",
        params![user],
    )
}

pub fn delete(tx: &mut Tx, matrix_id: &str) -> Result<()> {
    tx.exec("DELETE FROM chat_devices WHERE matrix_id = $1", params![matrix_id])?;
    tx.exec("DELETE FROM chat_accounts WHERE matrix_id = $1", params![matrix_id])?;
    Ok(())
}

pub fn insert_closed_name(tx: &mut Tx, name_hash: &[u8]) -> Result<u64> {
    tx.exec(
        "INSERT INTO chat_closed_names (name_hash) VALUES ($1) ON CONFLICT DO NOTHING",
        params![name_hash],
    )
}

pub fn is_closed_name(tx: &mut Tx, name_hash: &[u8]) -> Result<bool> {
    let found: Option<i64> =
        tx.opt("SELECT 1 FROM chat_closed_names WHERE name_hash = $1", params![name_hash])?;
    Ok(found.is_some())
}

pub fn is_name_of_another(tx: &mut Tx, localpart: &str, user: UserId) -> Result<bool> {
    let found: Option<i64> = tx.opt(
        "SELECT 1 FROM chat_accounts
         WHERE localpart = $1 AND COALESCE(user_id, 0) <> $2 LIMIT 1",
        params![localpart, user],
    )?;
    Ok(found.is_some())
}

pub fn insert_device(
    tx: &mut Tx,
    matrix_id: &str,
    device_id: &str,
    session: SessionId,
) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "INSERT INTO chat_devices (matrix_id, device_id, session_id, created_at) VALUES ($1, $2, $3, $4)",
        params![matrix_id, device_id, session, now],
    )
}

pub fn is_device_live(tx: &mut Tx, matrix_id: &str, device_id: &str) -> Result<bool> {
    let found: Option<i64> = tx.opt(
        "SELECT 1 FROM chat_devices WHERE matrix_id = $1 AND device_id = $2 AND ended_at IS NULL",
        params![matrix_id, device_id],
    )?;
    Ok(found.is_some())
}

pub fn update_devices_ended(tx: &mut Tx, sessions: &[SessionId], now: Timestamp) -> Result<u64> {
    let ids: Vec<i64> = sessions.iter().map(|session| session.0).collect();
    let ids = serde_json::to_string(&ids).map_err(Error::internal)?;
    tx.exec(
        "UPDATE chat_devices SET ended_at = $2 WHERE ended_at IS NULL
         AND session_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))",
        params![ids, now],
    )
}

pub fn update_devices_ended_of(tx: &mut Tx, user: UserId, now: Timestamp) -> Result<u64> {
    tx.exec(
        "UPDATE chat_devices SET ended_at = $2 WHERE ended_at IS NULL
         AND matrix_id IN (SELECT matrix_id FROM chat_accounts WHERE user_id = $1)",
        params![user, now],
    )
}

pub fn list_ended_devices(tx: &mut Tx, most: i64) -> Result<Vec<DeviceRow>> {
    tx.all(
        "SELECT matrix_id, device_id FROM chat_devices WHERE ended_at IS NOT NULL
         ORDER BY ended_at, matrix_id, device_id LIMIT $1",
        params![most],
    )
}

pub fn delete_device(tx: &mut Tx, device: &DeviceRow) -> Result<u64> {
    tx.exec(
        "DELETE FROM chat_devices WHERE matrix_id = $1 AND device_id = $2",
        params![device.matrix_id, device.device_id],
    )
}
