//! The `audit_log` table.

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;
use crate::platform::http::page::Page;

row! {
    #[derive(Serialize, ToSchema)]
    #[schema(as = AuditView)]
    pub struct AuditRow {
        id: i64,
        /// The name of the operator's token.
        #[schema(example = "ana")]
        operator: String,
        #[schema(example = "event.result")]
        action: String,
        #[schema(example = "event 12")]
        subject: String,
        #[serde(serialize_with = "as_json")]
        #[schema(value_type = Object)]
        detail: String,
        #[schema(value_type = String, format = DateTime)]
        created_at: Timestamp,
    }
}

/// Stored as a text, shown as what it says.
fn as_json<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let detail: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    detail.serialize(serializer)
}

pub fn insert_audit(
    tx: &mut Tx,
    operator: &str,
    action: &str,
    subject: &str,
    detail: &str,
) -> Result<()> {
    let now = tx.now();
    tx.exec(
        "INSERT INTO audit_log (operator, action, subject, detail, created_at)
         VALUES ($1, $2, $3, $4, $5)",
        params![operator, action, subject, detail, now],
    )
    .map(drop)
}

pub fn was_audited(tx: &mut Tx, operator: &str, action: &str, since: Timestamp) -> Result<bool> {
    let found: Option<i64> = tx.opt(
        "SELECT id FROM audit_log WHERE created_at > $1 AND operator = $2 AND action = $3 LIMIT 1",
        params![since, operator, action],
    )?;
    Ok(found.is_some())
}

/// A page of the audit log, newest first, and how long the whole of it is.
pub fn list_audit(tx: &mut Tx, page: Page) -> Result<(Vec<AuditRow>, i64)> {
    let rows = tx.all(
        "SELECT id, operator, action, subject, detail, created_at FROM audit_log
         ORDER BY id DESC LIMIT $1 OFFSET $2",
        params![page.per_page, page.offset()],
    )?;
    let total = tx.one("SELECT count(*) FROM audit_log", params![])?;
    Ok((rows, total))
}
