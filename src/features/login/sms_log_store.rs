//! The `sms_log` table.

use crate::features::users::Phone;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;
use crate::platform::http::page::Page;

use super::sms_log::LogFilter;

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

/// An entry that is not there yet.
pub struct NewEntry<'a> {
    pub phone: &'a Phone,
    pub code: Option<&'a str>,
    pub status: &'a str,
    pub provider: &'a str,
    pub error: Option<&'a str>,
    pub attempts: i64,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
}

pub fn insert(tx: &mut Tx, entry: &NewEntry<'_>) -> Result<u64> {
    tx.exec(
        "INSERT INTO sms_log (phone, code, status, provider, error, attempts, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        params![
            entry.phone,
            entry.code,
            entry.status,
            entry.provider,
            entry.error,
            entry.attempts,
            entry.created_at,
            entry.expires_at
        ],
    )
}

/// How many were sent and how many failed.
pub fn count_since(tx: &mut Tx, since: Timestamp) -> Result<(i64, i64)> {
    tx.one(
        "SELECT count(*) FILTER (WHERE status = 'sent'), count(*) FILTER (WHERE status = 'failed')
         FROM sms_log WHERE created_at > $1",
        params![since],
    )
}

pub fn each(
    tx: &mut Tx,
    filter: &LogFilter,
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

pub fn delete_of(tx: &mut Tx, phone: &Phone) -> Result<u64> {
    tx.exec("DELETE FROM sms_log WHERE phone = $1", params![phone])
}

pub fn delete_before(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    tx.exec("DELETE FROM sms_log WHERE created_at <= $1", params![before])
}
