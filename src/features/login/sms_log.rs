//! The SMS log: what was sent to whom and what became of it. Readable outside production only.

use serde_json::json;

use crate::features::users::{Phone, UserRow};
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::Result;

use super::Owner;
use super::sms_log_store as store;

pub use super::sms_log_store::{
    NewEntry, SmsCounts, SmsLogView, count_since, each, forget, forget_before, hand_over,
};

/// Which entries are asked for; what is absent does not narrow.
#[derive(Debug, Clone, Default)]
pub struct LogFilter {
    pub phone: Option<Phone>,
    pub from: Option<Timestamp>,
    pub until: Option<Timestamp>,
    pub status: Option<String>,
}

pub fn add_each(tx: &mut Tx, new: &[NewEntry<'_>]) -> Result<()> {
    store::insert(tx, new)?;
    for new in new {
        let (provider, status) = (new.provider(), new.status());
        metrics::counter!("touchline_sms_total", "provider" => provider, "status" => status)
            .increment(1);
    }
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
