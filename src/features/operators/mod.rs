//! Operators: their tokens, their guard and the audit log.
//!
//! Owns: the `operator_tokens` and `audit_log` tables.
//! Invariants: only a token's hash is stored; every change an operator makes leaves an audit row in the same transaction;
//! audit rows are only ever added.
//! Never: does a feature's work; each operator call lives with the feature it changes.

mod guard;
pub mod routes;
mod store;

use crate::platform::clock::HOUR_MS;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::tokens::{Token, TokenKind};

pub use guard::Operator;
pub use store::{AuditRow, list_audit, revoke_tokens};

/// Makes a token for an operator. Its text is in this answer and nowhere else.
pub fn issue_token(tx: &mut Tx, name: &str) -> Result<Token> {
    let token = Token::generate(TokenKind::Operator);
    store::insert_token(tx, name, &token.hash())?;
    Ok(token)
}

/// Writes down what an operator did, in the transaction that does it.
pub fn audit(
    tx: &mut Tx,
    operator: &Operator,
    action: &'static str,
    subject: &str,
    detail: &serde_json::Value,
) -> Result<()> {
    store::insert_audit(tx, &operator.name, action, subject, &detail.to_string())
}

/// Writes down that an operator looked at something, at most once an hour: a console asks every few seconds.
pub async fn note_reading(
    core: &Core,
    operator: Operator,
    action: &'static str,
    subject: &'static str,
) -> Result<()> {
    let name = operator.name.clone();
    let is_noted = move |tx: &mut Tx| {
        let since = tx.now().plus_ms(-HOUR_MS);
        store::was_audited(tx, &name, action, since)
    };
    if !core.db.lookup(is_noted).await? {
        let note = move |tx: &mut Tx| audit(tx, &operator, action, subject, &serde_json::json!({}));
        core.db.write(note).await?;
    }
    Ok(())
}
