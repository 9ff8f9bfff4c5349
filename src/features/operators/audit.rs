//! The audit log: what operators did, to what, and what it changed.

use serde_json::{Value, json};

use crate::platform::clock::{HOUR_MS, Timestamp};
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::page::Page;
use crate::platform::search;

use super::audit_store::{self as store, NewAudit};
use super::{Operator, OperatorId};

pub use super::audit_store::AuditRow;

/// Rows read at once for an export.
const STRETCH: i64 = 500;

/// How something was, and how it is now. Nothing for what was not there before, or is gone.
#[derive(Debug, Clone)]
pub struct Change {
    pub before: Value,
    pub after: Value,
}

/// Writes down what an operator did that changed nothing by itself, in the transaction that does it.
pub fn audit(
    tx: &mut Tx,
    operator: &Operator,
    action: &'static str,
    subject: &str,
    detail: &Value,
) -> Result<()> {
    let nothing = Change { before: Value::Null, after: Value::Null };
    audit_change(tx, operator, action, subject, detail, &nothing)
}

/// Writes down what an operator changed, in the transaction that does it.
pub fn audit_change(
    tx: &mut Tx,
    operator: &Operator,
    action: &'static str,
    subject: &str,
    detail: &Value,
    change: &Change,
) -> Result<()> {
    let text = |value: &Value| (!value.is_null()).then(|| value.to_string());
    let new = NewAudit {
        operator,
        action,
        subject,
        detail: detail.to_string(),
        before: text(&change.before),
        after: text(&change.after),
    };
    store::insert(tx, &new)
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
        let note = move |tx: &mut Tx| audit(tx, &operator, action, subject, &json!({}));
        core.db.write(note).await?;
    }
    Ok(())
}

/// Which rows are asked for; what is absent does not narrow.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    pub operator: Option<String>,
    pub operator_id: Option<OperatorId>,
    pub action_prefix: Option<String>,
    pub subject: Option<String>,
    /// At this moment or later.
    pub from: Option<Timestamp>,
    /// Before this moment.
    pub to: Option<Timestamp>,
}

impl AuditFilter {
    /// Where the actions end that begin so.
    pub(super) fn action_end(&self) -> Option<String> {
        self.action_prefix.as_deref().map(search::prefix_end)
    }

    /// What an export was narrowed by, for the log.
    pub fn describe(&self) -> Value {
        json!({
            "operator": self.operator, "operator_id": self.operator_id, "action": self.action_prefix,
            "subject": self.subject, "from": self.from, "to": self.to,
        })
    }
}

/// A page of the log, newest first, and how many rows there are: counted up to a hundred thousand, so that asking stays cheap.
pub fn list_audit(tx: &mut Tx, filter: &AuditFilter, page: Page) -> Result<(Vec<AuditRow>, i64)> {
    Ok((store::list(tx, filter, page)?, store::count(tx, filter)?))
}

/// Visits all rows, oldest first, in memory for a stretch of them.
pub fn walk_audit(
    tx: &mut Tx,
    filter: &AuditFilter,
    mut visit: impl FnMut(AuditRow) -> Result<()>,
) -> Result<()> {
    let mut last = 0;
    loop {
        let rows = store::list_after(tx, filter, last, STRETCH)?;
        let Some(end) = rows.last() else { return Ok(()) };
        last = end.id;
        rows.into_iter().try_for_each(&mut visit)?;
    }
}
