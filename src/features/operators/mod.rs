//! Operators: people with a token and a role, the guards by role, and the audit log.
//!
//! Owns: the `operator_tokens` and `audit_log` tables, and what each role is.
//! Invariants: only a token's hash is stored; a token opens nothing once it is revoked or expired; somebody can always come in as an
//! owner; every change an operator makes leaves an audit row in the same transaction; audit rows are only ever added.
//! Never: does a feature's work; each operator call lives with the feature it changes and names its guard in its signature.

mod audit;
pub mod audit_routes;
mod audit_store;
pub mod guard;
pub mod routes;
mod sign_in;
pub mod sign_in_routes;
mod store;
mod values;

use serde_json::{Value, json};

use crate::platform::clock::{MINUTE_MS, Timestamp};
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;
use crate::platform::limits::{self, Limit, Who};
use crate::platform::tokens::{Token, TokenHash, TokenKind};

pub use audit::{AuditFilter, AuditRow, Change, audit, audit_change, list_audit, note_reading};
pub use audit_store::{find_last_change, list_after as list_audit_after, newest_audit};
pub use sign_in::SignIn;
pub use store::OperatorRow;
pub use values::{Lifetime, Operator, OperatorId, OperatorName, Role};

/// How many tokens that open nothing an address may show. It is counted everywhere, also on a developer's machine.
const UNKNOWN_TOKENS: Limit =
    Limit { code: "too_many_unknown_tokens", most: 5, window_ms: MINUTE_MS };
/// A use is written down at most this often.
const TOUCH_MS: i64 = MINUTE_MS;

/// Who holds this token, if it opens anything.
async fn find_by_token(core: &Core, hash: TokenHash) -> Result<Option<Operator>> {
    let Some(row) = core.db.lookup(move |tx| store::find_by_hash(tx, &hash)).await? else {
        return Ok(None);
    };
    // A role that this version does not know, because a later one made it, opens nothing here.
    let Ok(role) = Role::try_from(row.role.as_str()) else { return Ok(None) };
    let now = core.clock.now();
    if row.expires_at.is_some_and(|end| end <= now) {
        return Ok(None);
    }
    if row.last_used_at.is_none_or(|used| now.millis_since(used) >= TOUCH_MS) {
        note_use(core, row.id, now);
    }
    Ok(Some(Operator { id: Some(row.id), name: row.name, role }))
}

/// Whether an operator who came in may still be in.
pub async fn is_in(core: &Core, operator: &Operator) -> Result<bool> {
    // The token of the configuration holds for as long as the process.
    let Some(id) = operator.id else { return Ok(true) };
    let now = core.clock.now();
    let row = core.db.lookup(move |tx| store::find(tx, id)).await?;
    Ok(row.is_some_and(|row| row.opens_at(now)))
}

/// Writes down that a token was used, beside the call and not before it. Of many at once the first one writes, the others find
/// nothing to do.
fn note_use(core: &Core, id: OperatorId, now: Timestamp) {
    let db = core.db.clone();
    tokio::spawn(async move {
        let touch = move |tx: &mut Tx| store::update_last_used(tx, id, now, now.plus_ms(-TOUCH_MS));
        if let Err(error) = db.write(touch).await {
            tracing::debug!(error = %error, "the use of an operator's token could not be written down");
        }
    });
}

/// Counts a token that opens nothing for the address that showed it. Whoever is over the limit is told so by a read alone, so that
/// a flood of guesses writes nothing.
async fn refuse_unknown(core: &Core, who: Who) -> Error {
    let known = who.clone();
    let check = move |tx: &mut Tx| {
        limits::check_each(tx, UNKNOWN_TOKENS, &[&known])?.into_iter().collect::<Result<()>>()
    };
    let count = move |tx: &mut Tx| limits::hit(tx, UNKNOWN_TOKENS, &who);
    if let Err(error) = core.db.lookup(check).await {
        return error;
    }
    core.db.write(count).await.err().unwrap_or_else(Error::no_token)
}

/// A token to be made.
#[derive(Debug, Clone)]
pub struct NewOperator {
    pub name: OperatorName,
    pub role: Role,
    pub expires_at: Option<Timestamp>,
}

/// Makes a token for an operator. Its text is in this answer and nowhere else.
pub fn issue(tx: &mut Tx, by: &Operator, new: &NewOperator) -> Result<(OperatorRow, Token)> {
    confirm(tx, by)?;
    let now = tx.now();
    if new.expires_at.is_some_and(|end| end <= now) {
        return Err(Error::invalid("expires_at", text!("Must be in the future.")));
    }
    let token = Token::generate(TokenKind::Operator);
    let row = store::insert(tx, new, &token.hash(), &by.name)?;
    let change = Change { before: Value::Null, after: state(&row) };
    audit_change(tx, by, "operator.add", &subject(row.id), &json!({}), &change)?;
    Ok((row, token))
}

/// Ends a token. The last one that opens everything stays, unless the configuration has such a token.
pub fn revoke(tx: &mut Tx, core: &Core, by: &Operator, id: OperatorId) -> Result<OperatorRow> {
    // Held before anything is decided: of two owners who revoke each other, the second finds out that it is too late.
    let owners = store::hold_living_owners(tx)?;
    confirm(tx, by)?;
    let row = store::find(tx, id)?.ok_or(not_found!("operator"))?;
    if row.revoked_at.is_some() {
        return Ok(row);
    }
    if owners == [id] && !core.config.operator_token.is_set() {
        return Err(Error::Conflict {
            code: "last_owner",
            message: text!("This is the last token of an owner. Make another one first."),
        });
    }
    end(tx, by, &row)
}

fn end(tx: &mut Tx, by: &Operator, before: &OperatorRow) -> Result<OperatorRow> {
    let row = store::update_revoked(tx, before.id)?;
    let change = Change { before: state(before), after: state(&row) };
    audit_change(tx, by, "operator.revoke", &subject(row.id), &json!({}), &change)?;
    Ok(row)
}

/// A token as the audit log shows it.
fn state(row: &OperatorRow) -> Value {
    json!({
        "name": row.name, "role": row.role, "expires_at": row.expires_at, "revoked_at": row.revoked_at,
    })
}

/// Ends every token of a name, for the command line: whoever has that can make another one. Answers how many.
pub fn revoke_by_name(tx: &mut Tx, by: &Operator, name: &str) -> Result<u64> {
    let rows = store::list_unrevoked_of(tx, name)?;
    rows.iter().try_for_each(|row| end(tx, by, row).map(drop))?;
    Ok(u64::try_from(rows.len()).unwrap_or(u64::MAX))
}

/// Ends one token, for the command line.
pub fn revoke_by_id(tx: &mut Tx, by: &Operator, id: OperatorId) -> Result<OperatorRow> {
    let row = store::find(tx, id)?.ok_or(not_found!("operator"))?;
    if row.revoked_at.is_some() { Ok(row) } else { end(tx, by, &row) }
}

/// Between the guard and here the caller's own token may have been revoked.
fn confirm(tx: &mut Tx, caller: &Operator) -> Result<()> {
    let Some(id) = caller.id else { return Ok(()) };
    let row = store::find(tx, id)?.filter(|row| row.opens_at(tx.now()));
    row.map(drop).ok_or_else(Error::no_token)
}

/// A page of the tokens, newest first, and how many there are.
pub fn list(tx: &mut Tx, only_active: bool, page: Page) -> Result<(Vec<OperatorRow>, i64)> {
    store::list(tx, only_active, page)
}

/// The caller's own token; nothing for the one of the configuration.
pub fn find(tx: &mut Tx, id: OperatorId) -> Result<Option<OperatorRow>> {
    store::find(tx, id)
}

fn subject(id: OperatorId) -> String {
    format!("operator {}", id.0)
}
