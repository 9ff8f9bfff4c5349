//! The `login_tokens` table.

use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params};
use crate::platform::error::Result;
use crate::platform::tokens::TokenHash;

pub fn insert(tx: &mut Tx, hash: &TokenHash, user: UserId, expires_at: Timestamp) -> Result<u64> {
    tx.exec(
        "INSERT INTO login_tokens (token_hash, user_id, expires_at) VALUES ($1, $2, $3)",
        params![&hash[..], user, expires_at],
    )
}

/// Whose token it is, while it is good.
pub fn find_user(tx: &mut Tx, hash: &TokenHash) -> Result<Option<UserId>> {
    let now = tx.now();
    tx.opt(
        "SELECT user_id FROM login_tokens WHERE token_hash = $1 AND expires_at > $2",
        params![&hash[..], now],
    )
}

/// Of two who use one token up, one does.
pub fn delete(tx: &mut Tx, hash: &TokenHash) -> Result<u64> {
    tx.exec("DELETE FROM login_tokens WHERE token_hash = $1", params![&hash[..]])
}

pub fn delete_of_user(tx: &mut Tx, user: UserId) -> Result<u64> {
    tx.exec("DELETE FROM login_tokens WHERE user_id = $1", params![user])
}

pub fn delete_expired(tx: &mut Tx, most: i64) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "DELETE FROM login_tokens WHERE token_hash IN
             (SELECT token_hash FROM login_tokens WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        params![now, most],
    )
}
