//! The `chat_accounts`, `chat_closed_names` and `chat_devices` tables.

use serde::Serialize;

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

impl State {
    /// Whether the homeserver has the account, or may have it, from this service.
    pub const fn is_ours(self) -> bool {
        matches!(self, Self::Claimed | Self::Ready)
    }
}

enum_column!(State { Wanted = "wanted", Claimed = "claimed", Ready = "ready", Foreign = "foreign" });

row! {
    #[derive(Debug, Clone)]
    pub struct AccountRow {
        pub matrix_id: String,
        /// None for the bot.
        pub user_id: Option<UserId>,
        pub is_current: bool,
        pub state: State,
        pub display_name: Option<String>,
        /// Whom the homeserver hides from it, as JSON.
        pub ignored: String,
        pub version: i64,
    }
}

/// The columns of [`AccountRow`].
macro_rules! select_account {
    ($where:literal) => {
        concat!(
            "SELECT matrix_id, user_id, is_current, state, display_name, ignored, version FROM chat_accounts WHERE ",
            $where
        )
    };
}

/// The account and the id of a device.
#[derive(Debug, Clone, Serialize)]
pub struct DeviceRow(pub String, pub String);

pub fn find_current(tx: &mut Tx, user: UserId) -> Result<Option<AccountRow>> {
    tx.opt(select_account!("user_id = $1 AND is_current = 1"), params![user])
}

/// The accounts in use of these users.
pub fn list_current(tx: &mut Tx, users: &[UserId]) -> Result<Vec<AccountRow>> {
    let users = serde_json::to_string(users).map_err(Error::internal)?;
    tx.all(
        select_account!(
            "is_current = 1 AND user_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))"
        ),
        params![users],
    )
}

pub fn find(tx: &mut Tx, matrix_id: &str) -> Result<Option<AccountRow>> {
    tx.opt(select_account!("matrix_id = $1"), params![matrix_id])
}

/// Held, so that nobody comes further with it until the end of the transaction.
pub fn find_held(tx: &mut Tx, matrix_id: &str) -> Result<Option<AccountRow>> {
    tx.opt(select_account!("matrix_id = $1 FOR UPDATE"), params![matrix_id])
}

pub fn list_of_user(tx: &mut Tx, user: UserId) -> Result<Vec<AccountRow>> {
    tx.all(select_account!("user_id = $1 ORDER BY created_at, matrix_id"), params![user])
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
        "INSERT INTO chat_accounts (matrix_id, localpart, user_id, is_current, state, created_at, wanted_at)
         VALUES ($1, $2, $3, CASE WHEN CAST($3 AS BIGINT) IS NULL THEN 0 ELSE 1 END, 'wanted', $4, $4)
         ON CONFLICT DO NOTHING",
        params![matrix_id, localpart, user, now],
    )
}

/// A first account: its id, its name, whose it is, and the name's hash in hexadecimal.
pub type FirstAccount = (String, String, UserId, String);

/// The accounts of users who have none, unless their name is or was another's.
pub fn insert_if_free(tx: &mut Tx, new: &[FirstAccount]) -> Result<Vec<AccountRow>> {
    let (new, now) = (serde_json::to_string(new).map_err(Error::internal)?, tx.now());
    tx.all(
        "INSERT INTO chat_accounts (matrix_id, localpart, user_id, is_current, state, created_at, wanted_at)
         SELECT value ->> 0, value ->> 1, CAST(value ->> 2 AS BIGINT), 1, 'wanted', $2, $2 FROM json_each($1, '$')
         WHERE NOT EXISTS (SELECT 1 FROM chat_accounts WHERE localpart = value ->> 1)
           AND NOT EXISTS (SELECT 1 FROM chat_closed_names WHERE name_hash = unhex(value ->> 3))
         ORDER BY 1
         ON CONFLICT DO NOTHING
         RETURNING matrix_id, user_id, is_current, state, display_name, ignored, version",
        params![new, now],
    )
}

/// Guarded, so that a slow look at the homeserver cannot undo what another has found out since. An account of which nothing
/// was wanted but that it exists is done once it does.
pub fn update_state(tx: &mut Tx, matrix_ids: &[&str], after: State) -> Result<u64> {
    let matrix_ids = serde_json::to_string(matrix_ids).map_err(Error::internal)?;
    tx.exec(
        "UPDATE chat_accounts SET state = $2,
                done_version = CASE WHEN $2 = 'ready' AND version = 1 THEN 1 ELSE done_version END
         WHERE matrix_id IN (SELECT matrix_id FROM chat_accounts
                             WHERE matrix_id IN (SELECT value FROM json_each($1))
                               AND (state = 'wanted' OR state = 'claimed' AND $2 = 'ready')
                             ORDER BY matrix_id FOR UPDATE)",
        params![matrix_ids, after],
    )
}

/// The homeserver calls the account this now.
pub fn update_display_name(tx: &mut Tx, matrix_id: &str, name: &str) -> Result<u64> {
    tx.exec(
        "UPDATE chat_accounts SET display_name = $2 WHERE matrix_id = $1",
        params![matrix_id, name],
    )
}

/// The homeserver hides these from the account now.
pub fn update_ignored(tx: &mut Tx, matrix_id: &str, ignored: &str) -> Result<u64> {
    tx.exec(
        "UPDATE chat_accounts SET ignored = $2 WHERE matrix_id = $1",
        params![matrix_id, ignored],
    )
}

/// Something else is wanted of the account than before.
pub fn update_wanted(tx: &mut Tx, matrix_id: &str) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "UPDATE chat_accounts SET version = version + 1,
                wanted_at = CASE WHEN done_version < version THEN wanted_at ELSE $2 END
         WHERE matrix_id = $1",
        params![matrix_id, now],
    )
}

/// The accounts of everybody who has blocked this user are to hide another account of theirs.
pub fn update_wanted_of_blockers(tx: &mut Tx, blocked: UserId) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "UPDATE chat_accounts SET version = version + 1,
                wanted_at = CASE WHEN done_version < version THEN wanted_at ELSE $2 END
         WHERE is_current = 1 AND user_id IN (SELECT user_id FROM chat_blocks WHERE blocked_user_id = $1)",
        params![blocked, now],
    )
}

/// Nothing is known any more of what the homeserver has of any account.
pub fn update_all_wanted(tx: &mut Tx) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "UPDATE chat_accounts SET version = version + 1, display_name = NULL, ignored = '[]',
                wanted_at = CASE WHEN done_version < version THEN wanted_at ELSE $1 END
         WHERE user_id IS NOT NULL",
        params![now],
    )
}

/// The homeserver was made to match this version; answers the newest that it was made to match.
pub fn update_done(tx: &mut Tx, matrix_id: &str, version: i64) -> Result<Option<i64>> {
    tx.opt(
        "UPDATE chat_accounts SET done_version = CASE WHEN done_version < $2 THEN $2 ELSE done_version END
         WHERE matrix_id = $1 RETURNING done_version",
        params![matrix_id, version],
    )
}

/// Accounts of which something is wanted that was not done, those that wait longest first.
pub fn list_behind(
    tx: &mut Tx,
    after: &(Timestamp, String),
    most: i64,
) -> Result<Vec<(Timestamp, String)>> {
    tx.all(
        "SELECT wanted_at, matrix_id FROM chat_accounts
         WHERE done_version < version AND (wanted_at, matrix_id) > ($1, $2) ORDER BY wanted_at, matrix_id LIMIT $3",
        params![after.0, after.1, most],
    )
}

/// How many accounts are behind, and since when the first of them has been.
pub fn count_behind(tx: &mut Tx) -> Result<(i64, Option<Timestamp>)> {
    tx.one(
        "SELECT count(*), min(wanted_at) FROM chat_accounts WHERE done_version < version",
        params![],
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

/// Each with the session that it belongs to.
pub fn insert_devices(tx: &mut Tx, new: &[(String, String, SessionId)]) -> Result<u64> {
    let (new, now) = (serde_json::to_string(new).map_err(Error::internal)?, tx.now());
    tx.exec(
        "INSERT INTO chat_devices (matrix_id, device_id, session_id, created_at)
         SELECT value ->> 0, value ->> 1, CAST(value ->> 2 AS BIGINT), $2 FROM json_each($1, '$') ORDER BY 1, 2",
        params![new, now],
    )
}

/// The positions of those of these devices that no session's end has ended.
pub fn list_live(tx: &mut Tx, devices: &[&DeviceRow]) -> Result<Vec<(i64, i64)>> {
    let devices = serde_json::to_string(devices).map_err(Error::internal)?;
    tx.all(
        "SELECT asked.key, 1 FROM json_each($1, '$') asked JOIN chat_devices d
             ON d.matrix_id = asked.value ->> 0 AND d.device_id = asked.value ->> 1
         WHERE d.ended_at IS NULL",
        params![devices],
    )
}

/// Ends the devices of these sessions; answers whose they were.
pub fn update_devices_ended(tx: &mut Tx, sessions: &[SessionId]) -> Result<Vec<String>> {
    let ids: Vec<i64> = sessions.iter().map(|session| session.0).collect();
    let (ids, now) = (serde_json::to_string(&ids).map_err(Error::internal)?, tx.now());
    tx.all(
        "UPDATE chat_devices SET ended_at = $2 WHERE ended_at IS NULL
         AND session_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) RETURNING matrix_id",
        params![ids, now],
    )
}

pub fn update_devices_ended_of(tx: &mut Tx, user: UserId) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "UPDATE chat_devices SET ended_at = $2 WHERE ended_at IS NULL
         AND matrix_id IN (SELECT matrix_id FROM chat_accounts WHERE user_id = $1)",
        params![user, now],
    )
}

/// A device that may be there although nobody is to have it.
pub fn upsert_ended_device(tx: &mut Tx, device: &DeviceRow, session: SessionId) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "INSERT INTO chat_devices (matrix_id, device_id, session_id, created_at, ended_at)
         SELECT $1, $2, CAST($3 AS BIGINT), CAST($4 AS BIGINT), CAST($4 AS BIGINT) WHERE EXISTS (SELECT 1 FROM chat_accounts WHERE matrix_id = $1)
         ON CONFLICT (matrix_id, device_id) DO UPDATE SET ended_at = COALESCE(chat_devices.ended_at, excluded.ended_at)",
        params![device.0, device.1, session, now],
    )
}

/// The devices of these sessions that have not ended, each with its session.
pub fn list_devices_of(tx: &mut Tx, sessions: &[SessionId]) -> Result<Vec<(SessionId, String)>> {
    let sessions = serde_json::to_string(sessions).map_err(Error::internal)?;
    tx.all(
        "SELECT session_id, device_id FROM chat_devices WHERE ended_at IS NULL
             AND session_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))
         ORDER BY session_id, device_id",
        params![sessions],
    )
}

/// The devices of an account, and whether each has ended.
pub fn list_devices(tx: &mut Tx, matrix_id: &str) -> Result<Vec<(String, bool)>> {
    tx.all(
        "SELECT device_id, CASE WHEN ended_at IS NULL THEN 0 ELSE 1 END FROM chat_devices
         WHERE matrix_id = $1 ORDER BY device_id",
        params![matrix_id],
    )
}

/// Only one that has ended.
pub fn delete_device(tx: &mut Tx, matrix_id: &str, device_id: &str) -> Result<u64> {
    tx.exec(
        "DELETE FROM chat_devices WHERE matrix_id = $1 AND device_id = $2 AND ended_at IS NOT NULL",
        params![matrix_id, device_id],
    )
}
