//! The `operator_tokens` and `audit_log` tables.

use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;

row! {
    pub struct AuditRow {
        pub id: i64,
        pub operator: String,
        pub action: String,
        pub subject: String,
        pub detail: String,
        pub created_at: Timestamp,
    }
}

pub fn find_name(tx: &mut Tx, token_hash: &[u8]) -> Result<Option<String>> {
    tx.opt(
        "SELECT name FROM operator_tokens WHERE token_hash = $1 AND revoked_at IS NULL",
        params![token_hash],
    )
}

pub fn insert_token(tx: &mut Tx, name: &str, token_hash: &[u8], now: Timestamp) -> Result<()> {
    tx.exec(
        "INSERT INTO operator_tokens (name, token_hash, created_at) VALUES ($1, $2, $3)",
        params![name, token_hash, now],
    )?;
    Ok(())
}

pub fn update_revoked(tx: &mut Tx, name: &str, now: Timestamp) -> Result<u64> {
    tx.exec(
        "UPDATE operator_tokens SET revoked_at = $2 WHERE name = $1 AND revoked_at IS NULL",
        params![name, now],
    )
}

pub fn insert_audit(
    tx: &mut Tx,
    operator: &str,
    action: &str,
    subject: &str,
    detail: &str,
    now: Timestamp,
) -> Result<()> {
    tx.exec(
        "INSERT INTO audit_log (operator, action, subject, detail, created_at)
         VALUES ($1, $2, $3, $4, $5)",
        params![operator, action, subject, detail, now],
    )?;
    Ok(())
}

pub fn was_audited(tx: &mut Tx, operator: &str, action: &str, since: Timestamp) -> Result<bool> {
    let found: Option<i64> = tx.opt(
        "SELECT id FROM audit_log WHERE created_at > $1 AND operator = $2 AND action = $3 LIMIT 1",
        params![since, operator, action],
    )?;
    Ok(found.is_some())
}

pub fn list_audit(tx: &mut Tx, limit: i64, offset: i64) -> Result<(Vec<AuditRow>, i64)> {
    let rows = tx.all(
        "SELECT id, operator, action, subject, detail, created_at FROM audit_log
         ORDER BY id DESC LIMIT $1 OFFSET $2",
        params![limit, offset],
    )?;
    let total = tx.one("SELECT count(*) FROM audit_log", params![])?;
    Ok((rows, total))
}
