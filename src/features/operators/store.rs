//! The `operator_tokens` table.

use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;
use crate::platform::http::page::Page;

use super::{NewOperator, OperatorId};

row! {
    /// A token by its hash: just what the guard needs.
    pub struct TokenRow {
        pub id: OperatorId,
        pub name: String,
        pub role: String,
        pub expires_at: Option<Timestamp>,
        pub last_used_at: Option<Timestamp>,
    }
}

row! {
    #[derive(Debug, Clone)]
    pub struct OperatorRow {
        pub id: OperatorId,
        pub name: String,
        /// As it is written down: a later version may know more roles.
        pub role: String,
        pub created_at: Timestamp,
        pub created_by: Option<String>,
        pub expires_at: Option<Timestamp>,
        pub last_used_at: Option<Timestamp>,
        pub revoked_at: Option<Timestamp>,
    }
}

impl OperatorRow {
    pub fn opens_at(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| end > now)
    }
}

/// The columns of [`OperatorRow`].
macro_rules! columns {
    () => {
        "id, name, role, created_at, created_by, expires_at, last_used_at, revoked_at"
    };
}

pub fn find_by_hash(tx: &mut Tx, token_hash: &[u8]) -> Result<Option<TokenRow>> {
    tx.opt(
        "SELECT id, name, role, expires_at, last_used_at FROM operator_tokens
         WHERE token_hash = $1 AND revoked_at IS NULL",
        params![token_hash],
    )
}

/// Guarded, so that of many uses at once one is written.
pub fn update_last_used(
    tx: &mut Tx,
    id: OperatorId,
    now: Timestamp,
    before: Timestamp,
) -> Result<u64> {
    tx.exec(
        "UPDATE operator_tokens SET last_used_at = $2
         WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)",
        params![id, now, before],
    )
}

pub fn insert(
    tx: &mut Tx,
    new: &NewOperator,
    token_hash: &[u8],
    created_by: &str,
) -> Result<OperatorRow> {
    let now = tx.now();
    tx.one(
        concat!(
            "INSERT INTO operator_tokens (name, role, token_hash, created_at, created_by, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6) RETURNING ",
            columns!()
        ),
        params![new.name, new.role, token_hash, now, created_by, new.expires_at],
    )
}

pub fn find(tx: &mut Tx, id: OperatorId) -> Result<Option<OperatorRow>> {
    tx.opt(concat!("SELECT ", columns!(), " FROM operator_tokens WHERE id = $1"), params![id])
}

/// Holds every token that opens everything, so that nobody else counts them meanwhile.
pub fn hold_living_owners(tx: &mut Tx) -> Result<Vec<OperatorId>> {
    let now = tx.now();
    tx.all(
        "SELECT id FROM operator_tokens
         WHERE role = 'owner' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)
         ORDER BY id FOR UPDATE",
        params![now],
    )
}

pub fn list_unrevoked_of(tx: &mut Tx, name: &str) -> Result<Vec<OperatorRow>> {
    tx.all(
        concat!(
            "SELECT ",
            columns!(),
            " FROM operator_tokens WHERE name = $1 AND revoked_at IS NULL ORDER BY id FOR UPDATE"
        ),
        params![name],
    )
}

/// A token that is already revoked stays so since then.
pub fn update_revoked(tx: &mut Tx, id: OperatorId) -> Result<OperatorRow> {
    let now = tx.now();
    tx.one(
        concat!(
            "UPDATE operator_tokens SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1 RETURNING ",
            columns!()
        ),
        params![id, now],
    )
}

/// A page of the tokens, newest first, and how many there are.
pub fn list(tx: &mut Tx, only_active: bool, page: Page) -> Result<(Vec<OperatorRow>, i64)> {
    let now = tx.now();
    let rows = tx.all(
        concat!(
            "SELECT ",
            columns!(),
            " FROM operator_tokens
              WHERE CAST($1 AS BIGINT) = 0 OR (revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2))
              ORDER BY id DESC LIMIT $3 OFFSET $4"
        ),
        params![only_active, now, page.per_page, page.offset()],
    )?;
    let total = tx.one(
        "SELECT count(*) FROM operator_tokens
         WHERE CAST($1 AS BIGINT) = 0 OR (revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2))",
        params![only_active, now],
    )?;
    Ok((rows, total))
}
