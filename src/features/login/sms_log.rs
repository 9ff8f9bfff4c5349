//! The SMS log: what was sent to whom and what became of it. Readable outside production only.

use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::adapters::sms::Attempt;
use crate::features::users::Phone;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;
use crate::platform::http::page::Page;

use super::CODE_VALID_MS;

const SENT: &str = "sent";
const FAILED: &str = "failed";

row! {
    pub struct EntryRow {
        pub id: i64,
        pub phone: Phone,
        pub code: Option<String>,
        pub status: String,
        pub provider: String,
        pub error: Option<String>,
        pub attempts: i64,
        pub created_at: Timestamp,
        pub expires_at: Option<Timestamp>,
    }
}

/// Which entries are asked for; what is absent does not narrow.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub phone: Option<Phone>,
    pub from: Option<Timestamp>,
    pub until: Option<Timestamp>,
    pub status: Option<String>,
}

pub fn add(
    tx: &mut Tx,
    phone: &Phone,
    code: Option<&str>,
    attempt: &Attempt,
    created_at: Timestamp,
) -> Result<()> {
    let status = if attempt.error.is_none() { SENT } else { FAILED };
    let expires_at = (status == SENT).then(|| created_at.plus_ms(CODE_VALID_MS));
    tx.exec(
        "INSERT INTO sms_log (phone, code, status, provider, error, attempts, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        params![phone, code, status, attempt.provider, attempt.error, attempt.number, created_at, expires_at],
    )?;
    metrics::counter!("touchline_sms_total", "provider" => attempt.provider, "status" => status)
        .increment(1);
    Ok(())
}

/// What became of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct SmsCounts {
    pub sent: i64,
    pub failed: i64,
}

pub fn count_since(tx: &mut Tx, since: Timestamp) -> Result<SmsCounts> {
    let (sent, failed) = tx.one(
        "SELECT count(*) FILTER (WHERE status = 'sent'), count(*) FILTER (WHERE status = 'failed')
         FROM sms_log WHERE created_at > $1",
        params![since],
    )?;
    Ok(SmsCounts { sent, failed })
}

/// Visits the entries that fit, newest first, all or a page of them.
pub fn each(
    tx: &mut Tx,
    filter: &Filter,
    page: Option<Page>,
    each: impl FnMut(EntryRow) -> Result<()>,
) -> Result<()> {
    let (limit, offset) = Page::limit_and_offset(page);
    tx.each(
        "SELECT id, phone, code, status, provider, error, attempts, created_at, expires_at FROM sms_log
         WHERE ($1 IS NULL OR phone = $1) AND ($2 IS NULL OR status = $2)
           AND created_at >= $3 AND created_at < $4
         ORDER BY id DESC LIMIT $5 OFFSET $6",
        params![
            filter.phone,
            filter.status,
            filter.from.unwrap_or(Timestamp::from_millis(i64::MIN)),
            filter.until.unwrap_or(Timestamp::from_millis(i64::MAX)),
            limit,
            offset
        ],
        each,
    )
}

pub fn export(tx: &mut Tx, phone: Option<&Phone>) -> Result<serde_json::Value> {
    let mut entries = Vec::new();
    if let Some(phone) = phone {
        let filter = Filter { phone: Some(phone.clone()), ..Filter::default() };
        each(tx, &filter, None, |entry| {
            entries.push(json!({
                "status": entry.status, "provider": entry.provider, "created_at": entry.created_at,
            }));
            Ok(())
        })?;
    }
    Ok(entries.into())
}

pub fn forget(tx: &mut Tx, phone: &Phone) -> Result<u64> {
    tx.exec("DELETE FROM sms_log WHERE phone = $1", params![phone])
}

pub fn forget_before(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    tx.exec("DELETE FROM sms_log WHERE created_at <= $1", params![before])
}
