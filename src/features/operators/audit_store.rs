//! The `audit_log` table.

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use crate::platform::clock::Timestamp;
use crate::platform::db::{SqlParams, Tx, params, row};
use crate::platform::error::Result;
use crate::platform::http::page::Page;

use super::audit::AuditFilter;
use super::{Operator, OperatorId};

row! {
    #[derive(Serialize, ToSchema)]
    #[schema(as = AuditView)]
    pub struct AuditRow {
        pub id: i64,
        /// The name of the operator's token.
        #[schema(example = "ana")]
        pub operator: String,
        /// Null for the token of the configuration, for the command line, and for what was written before there were ids.
        pub operator_id: Option<OperatorId>,
        /// The operator's role; null for what was written before there were roles.
        #[schema(example = "moderator")]
        pub operator_role: Option<String>,
        #[schema(example = "event.result")]
        pub action: String,
        #[schema(example = "event 12")]
        pub subject: String,
        /// What was asked for, and what came of it.
        #[serde(serialize_with = "as_json")]
        #[schema(value_type = Object)]
        pub detail: String,
        /// How it was, where something changed; null where it was not there.
        #[serde(serialize_with = "as_json_if_any")]
        #[schema(value_type = Option<Object>, example = json!({"status": "live"}))]
        pub before: Option<String>,
        /// How it is since; null where it is gone.
        #[serde(serialize_with = "as_json_if_any")]
        #[schema(value_type = Option<Object>, example = json!({"status": "finished"}))]
        pub after: Option<String>,
        #[schema(value_type = String, format = DateTime)]
        pub created_at: Timestamp,
    }
}

/// Stored as a text, shown as what it says.
fn as_json<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let detail: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    detail.serialize(serializer)
}

#[allow(clippy::ref_option, reason = "serde hands over the field as it is")]
fn as_json_if_any<S: Serializer>(text: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    match text {
        Some(text) => as_json(text, serializer),
        None => serializer.serialize_none(),
    }
}

pub struct NewAudit<'a> {
    pub operator: &'a Operator,
    pub action: &'a str,
    pub subject: &'a str,
    pub detail: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

pub fn insert(tx: &mut Tx, new: &NewAudit<'_>) -> Result<()> {
    let (now, by) = (tx.now(), new.operator);
    tx.exec(
        "INSERT INTO audit_log
             (operator, operator_id, operator_role, action, subject, detail, state_before, state_after, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        params![by.name, by.id, by.role, new.action, new.subject, new.detail, new.before, new.after, now],
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

/// Every filter, each of which may be absent. The one that a statement is found by stands before it, so that there is an index for it.
macro_rules! filtered {
    ($select:literal, $found_by:literal, $behind:literal) => {
        concat!(
            $select,
            " FROM audit_log WHERE ",
            $found_by,
            " AND (CAST($1 AS TEXT) IS NULL OR subject = $1)
              AND (CAST($2 AS BIGINT) IS NULL OR operator_id = $2)
              AND (CAST($3 AS TEXT) IS NULL OR operator = $3)
              AND (CAST($4 AS TEXT) IS NULL OR (action >= $4 AND action < $5))
              AND (CAST($6 AS BIGINT) IS NULL OR created_at >= $6)
              AND (CAST($7 AS BIGINT) IS NULL OR created_at < $7) ",
            $behind
        )
    };
}

/// The statement for what is asked for: by what narrows most, as far as that can be told without looking. What is found by its time
/// has an end of its own, since the order of times is that of ids but for moments, and has an index.
macro_rules! by_filter {
    ($filter:expr, $select:literal, $behind:literal, $behind_time:literal) => {
        match $filter {
            AuditFilter { subject: Some(_), .. } => filtered!($select, "subject = $1", $behind),
            AuditFilter { operator_id: Some(_), .. } => {
                filtered!($select, "operator_id = $2", $behind)
            }
            AuditFilter { operator: Some(_), .. } => filtered!($select, "operator = $3", $behind),
            AuditFilter { action_prefix: Some(_), .. } => {
                filtered!($select, "action >= $4 AND action < $5", $behind)
            }
            AuditFilter { from: Some(_), .. } => {
                filtered!($select, "created_at >= $6", $behind_time)
            }
            AuditFilter { to: Some(_), .. } => filtered!($select, "created_at < $7", $behind_time),
            _ => filtered!($select, "id > 0", $behind),
        }
    };
}

/// What is behind every statement's filters.
fn with_params<T>(
    filter: &AuditFilter,
    [one, two]: [i64; 2],
    run: impl FnOnce(SqlParams<'_>) -> Result<T>,
) -> Result<T> {
    run(params![
        filter.subject,
        filter.operator_id,
        filter.operator,
        filter.action_prefix,
        filter.action_end(),
        filter.from,
        filter.to,
        one,
        two
    ])
}

/// A page, newest first.
pub fn list(tx: &mut Tx, filter: &AuditFilter, page: Page) -> Result<Vec<AuditRow>> {
    let sql = by_filter!(
        filter,
        "SELECT id, operator, operator_id, operator_role, action, subject, detail, state_before, state_after, created_at",
        "ORDER BY id DESC LIMIT $8 OFFSET $9",
        "ORDER BY created_at DESC, id DESC LIMIT $8 OFFSET $9"
    );
    with_params(filter, [page.per_page, page.offset()], |params| tx.all(sql, params))
}

/// The last row about a subject that says what it changed.
pub fn find_last_change(tx: &mut Tx, subject: &str) -> Result<Option<AuditRow>> {
    tx.opt(
        "SELECT id, operator, operator_id, operator_role, action, subject, detail, state_before, state_after, created_at
         FROM audit_log WHERE subject = $1 AND state_after IS NOT NULL ORDER BY id DESC LIMIT 1",
        params![subject],
    )
}

/// The id of the newest row; 0 where there is none.
pub fn newest_audit(tx: &mut Tx) -> Result<i64> {
    tx.one("SELECT COALESCE(max(id), 0) FROM audit_log", params![])
}

/// How many rows, counted up to 100,000.
pub fn count(tx: &mut Tx, filter: &AuditFilter) -> Result<i64> {
    let sql = by_filter!(
        filter,
        "SELECT count(*) FROM (SELECT 1",
        "LIMIT CAST($8 AS BIGINT) + CAST($9 AS BIGINT)) found",
        "LIMIT CAST($8 AS BIGINT) + CAST($9 AS BIGINT)) found"
    );
    with_params(filter, [MOST_COUNTED, 0], |params| tx.one(sql, params))
}

const MOST_COUNTED: i64 = 100_000;

/// The rows behind this one, oldest first. What has no index in the order of ids is walked to in that order all the same: sorting
/// would hold all of it.
pub fn list_after(
    tx: &mut Tx,
    filter: &AuditFilter,
    last: i64,
    most: i64,
) -> Result<Vec<AuditRow>> {
    macro_rules! after {
        ($found_by:literal) => {
            filtered!(
                "SELECT id, operator, operator_id, operator_role, action, subject, detail, state_before, state_after, created_at",
                $found_by,
                "AND id > $8 ORDER BY id LIMIT $9"
            )
        };
    }
    let sql = match filter {
        AuditFilter { subject: Some(_), .. } => after!("subject = $1"),
        AuditFilter { operator_id: Some(_), .. } => after!("operator_id = $2"),
        AuditFilter { operator: Some(_), .. } => after!("operator = $3"),
        _ => after!("id > 0"),
    };
    with_params(filter, [last, most], |params| tx.all(sql, params))
}
