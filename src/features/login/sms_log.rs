//! The SMS log: what was sent to whom and what became of it. Readable outside production only.

use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::adapters::sms::SendAttempt;
use crate::features::users::Phone;
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::page::Page;

use super::CODE_VALID_MS;
use super::sms_log_store::{self as store, NewEntry};

pub use super::sms_log_store::EntryRow;

const SENT: &str = "sent";
const FAILED: &str = "failed";

/// Which entries are asked for; what is absent does not narrow.
#[derive(Debug, Clone, Default)]
pub struct LogFilter {
    pub phone: Option<Phone>,
    pub from: Option<Timestamp>,
    pub until: Option<Timestamp>,
    pub status: Option<String>,
}

pub fn add(
    tx: &mut Tx,
    phone: &Phone,
    code: Option<&str>,
    attempt: &SendAttempt,
    created_at: Timestamp,
) -> Result<()> {
    let status = if attempt.error.is_none() { SENT } else { FAILED };
    let expires_at = (status == SENT).then(|| created_at.plus_ms(CODE_VALID_MS));
    let entry = NewEntry {
        phone,
        code,
        status,
        provider: attempt.provider,
        error: attempt.error.as_deref(),
        attempts: attempt.number,
        created_at,
        expires_at,
    };
    store::insert(tx, &entry)?;
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
    let (sent, failed) = store::count_since(tx, since)?;
    Ok(SmsCounts { sent, failed })
}

/// Visits the entries that fit, newest first, all or a page of them.
pub fn each(
    tx: &mut Tx,
    filter: &LogFilter,
    page: Option<Page>,
    each: impl FnMut(EntryRow) -> Result<()>,
) -> Result<()> {
    store::each(tx, filter, page, each)
}

pub fn export(tx: &mut Tx, phone: Option<&Phone>) -> Result<serde_json::Value> {
    let mut entries = Vec::new();
    if let Some(phone) = phone {
        let filter = LogFilter { phone: Some(phone.clone()), ..LogFilter::default() };
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
    store::delete_of(tx, phone)
}

pub fn forget_before(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    store::delete_before(tx, before)
}
