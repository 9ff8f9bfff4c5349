//! The SMS log: what was sent to whom and what became of it. Readable outside production only.

use serde_json::json;

use crate::adapters::sms::SendAttempt;
use crate::features::users::{Phone, UserRow};
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::Result;

use super::sms_log_store as store;
use super::sms_log_store::NewEntry;
use super::{CODE_VALID_MS, Owner};

pub use super::sms_log_store::{
    SmsCounts, SmsLogView, count_since, each, forget, forget_before, hand_over,
};

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
    owner: Owner,
    phone: &Phone,
    code: Option<&str>,
    attempt: &SendAttempt,
    created_at: Timestamp,
) -> Result<()> {
    let status = if attempt.error.is_none() { SENT } else { FAILED };
    let expires_at = (status == SENT).then(|| created_at.plus_ms(CODE_VALID_MS));
    let new = NewEntry { owner, phone, code, attempt, status, created_at, expires_at };
    store::insert(tx, &new)?;
    metrics::counter!("touchline_sms_total", "provider" => attempt.provider, "status" => status)
        .increment(1);
    Ok(())
}

/// Everything login knows about a user, for them to take away.
pub fn export(tx: &mut Tx, user: &UserRow) -> Result<serde_json::Value> {
    let entries = store::list_of(tx, Owner::Verification(user.id), user.phone.as_ref())?;
    let views = entries.into_iter().map(|(status, provider, created_at)| {
        json!({"status": status, "provider": provider, "created_at": created_at})
    });
    Ok(views.collect())
}
