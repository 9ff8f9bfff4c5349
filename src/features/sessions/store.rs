//! The `sessions` table.

use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};
use crate::platform::language::Language;

use super::SessionId;

row! {
    #[derive(Debug, Clone, Copy)]
    pub struct SessionRow {
        pub id: SessionId,
        pub user_id: UserId,
        pub created_at: Timestamp,
        pub last_used_at: Timestamp,
        pub expires_at: Timestamp,
        pub banned_at: Option<Timestamp>,
        pub banned_until: Option<Timestamp>,
        pub language: Option<Language>,
    }
}

row! {
    pub struct ListedRow {
        pub id: SessionId,
        pub device_name: Option<String>,
        pub created_at: Timestamp,
        pub last_used_at: Timestamp,
        pub expires_at: Timestamp,
    }
}

/// A new session of one user: whose, the token's hash in hexadecimal, the device's name and when it ends.
pub type NewSession<'a> = (UserId, String, Option<&'a str>, Timestamp);

/// Sessions of as many users; answers whose each is.
pub fn insert(tx: &mut Tx, new: &[NewSession<'_>]) -> Result<Vec<(UserId, SessionId)>> {
    let rows: Vec<_> = new
        .iter()
        .map(|(user, token, device, expires_at)| (user, token, device, expires_at.as_millis()))
        .collect();
    let (rows, now) = (serde_json::to_string(&rows).map_err(Error::internal)?, tx.now());
    tx.all(
        "INSERT INTO sessions (user_id, token_hash, device_name, created_at, last_used_at, expires_at)
         SELECT CAST(value ->> 0 AS BIGINT), unhex(value ->> 1), value ->> 2, $2, $2, CAST(value ->> 3 AS BIGINT)
         FROM json_each($1, '$') ORDER BY key
         RETURNING user_id, id",
        params![rows, now],
    )
}

/// The sessions of these tokens, each with the position of its token.
pub fn list_by_hash(tx: &mut Tx, token_hashes: &[String]) -> Result<Vec<(i64, SessionRow)>> {
    let hashes = serde_json::to_string(token_hashes).map_err(Error::internal)?;
    tx.all(
        "SELECT token.key, s.id, s.user_id, s.created_at, s.last_used_at, s.expires_at, u.banned_at, u.banned_until, u.language
         FROM json_each($1) token JOIN sessions s ON s.token_hash = unhex(token.value) JOIN users u ON u.id = s.user_id",
        params![hashes],
    )
}

pub fn exists(tx: &mut Tx, id: SessionId) -> Result<bool> {
    let now = tx.now();
    let found: Option<i64> =
        tx.opt("SELECT 1 FROM sessions WHERE id = $1 AND expires_at > $2", params![id, now])?;
    Ok(found.is_some())
}

/// Those of these sessions whose user may still come in.
pub fn list_in(tx: &mut Tx, ids: &[SessionId]) -> Result<Vec<SessionId>> {
    let (ids, now) = (serde_json::to_string(ids).map_err(Error::internal)?, tx.now());
    tx.all(
        "SELECT s.id FROM sessions s JOIN users u ON u.id = s.user_id
         WHERE s.id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) AND s.expires_at > $2
             AND (u.banned_at IS NULL OR u.banned_until <= $2)",
        params![ids, now],
    )
}

/// A user's sessions that have not expired, newest first.
pub fn list(tx: &mut Tx, user: UserId) -> Result<Vec<ListedRow>> {
    let now = tx.now();
    tx.all(
        "SELECT id, device_name, created_at, last_used_at, expires_at FROM sessions
         WHERE user_id = $1 AND expires_at > $2 ORDER BY id DESC",
        params![user, now],
    )
}

pub fn update_last_used(
    tx: &mut Tx,
    id: SessionId,
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<u64> {
    tx.exec(
        "UPDATE sessions SET last_used_at = $2, expires_at = $3 WHERE id = $1 AND last_used_at < $2",
        params![id, now, expires_at],
    )
}

pub fn delete(tx: &mut Tx, user: UserId, id: SessionId) -> Result<Vec<SessionId>> {
    tx.all("DELETE FROM sessions WHERE id = $1 AND user_id = $2 RETURNING id", params![id, user])
}

pub fn delete_all_but(
    tx: &mut Tx,
    user: UserId,
    keep: Option<SessionId>,
) -> Result<Vec<SessionId>> {
    tx.all(
        "DELETE FROM sessions WHERE user_id = $1 AND id <> COALESCE(CAST($2 AS BIGINT), 0) RETURNING id",
        params![user, keep],
    )
}

pub fn delete_expired(tx: &mut Tx, most: i64) -> Result<Vec<SessionId>> {
    let now = tx.now();
    tx.all(
        "DELETE FROM sessions WHERE id IN
             (SELECT id FROM sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING id",
        params![now, most],
    )
}

/// How many sessions have not expired, counted up to so many.
pub fn count_active(tx: &mut Tx, most: i64) -> Result<i64> {
    let now = tx.now();
    tx.one(
        "SELECT count(*) FROM (SELECT 1 FROM sessions WHERE expires_at > $1 LIMIT $2) active",
        params![now, most],
    )
}
