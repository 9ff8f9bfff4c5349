//! The operators' side: their tokens and the audit log.
//!
//! Owns: the `operator_tokens` and `audit_log` tables.
//! Invariants: only a token's hash is stored; every change an operator makes leaves an audit row in the same transaction;
//! audit rows are only ever added.
//! Never: does a feature's work; each operator call lives with the feature it changes.

pub mod routes;
mod store;

use crate::app::App;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::http::guards::Operator;
use crate::tokens::{Token, TokenKind};

/// Which operator holds this token.
pub async fn authenticate(app: &App, token: &Token) -> Result<Operator> {
    let hash = token.hash();
    let name = app.db.read(move |tx| store::find_name(tx, &hash)).await?;
    name.map(|name| Operator { name }).ok_or_else(Error::no_token)
}

/// Makes a token for an operator. Its text is in this answer and nowhere else.
pub fn issue_token(tx: &mut Tx, name: &str) -> Result<Token> {
    let token = Token::generate(TokenKind::Operator);
    let now = tx.now();
    store::insert_token(tx, name, &token.hash(), now)?;
    Ok(token)
}

/// Ends every token of this name.
pub fn revoke_tokens(tx: &mut Tx, name: &str) -> Result<u64> {
    let now = tx.now();
    store::update_revoked(tx, name, now)
}

/// Writes down what an operator did, in the transaction that does it.
pub fn audit(
    tx: &mut Tx,
    operator: &Operator,
    action: &'static str,
    subject: &str,
    detail: &serde_json::Value,
) -> Result<()> {
    let now = tx.now();
    store::insert_audit(tx, &operator.name, action, subject, &detail.to_string(), now)
}
