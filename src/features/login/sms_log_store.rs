//! The `sms_log` table.

use serde::Serialize;
use utoipa::ToSchema;

use crate::adapters::sms::SendAttempt;
use crate::features::users::Phone;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;

use super::sms_log::LogFilter;
use super::{CODE_VALID_MS, Owner};

const SENT: &str = "sent";
const FAILED: &str = "failed";

row! {
    #[derive(Serialize, ToSchema)]
    pub struct SmsLogView {
        id: i64,
        phone: Phone,
        #[schema(example = "123456")]
        code: Option<String>,
        #[schema(example = "sent")]
        pub status: String,
        #[schema(example = "log")]
        pub provider: String,
        /// Only for failed entries.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        error: Option<String>,
        #[schema(value_type = String, format = DateTime)]
        pub created_at: Timestamp,
        /// Only for sent entries.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false, value_type = Option<String>, format = DateTime)]
        expires_at: Option<Timestamp>,
        /// Which attempt at this message it was.
        #[schema(example = 1)]
        attempts: i64,
    }
}

row! {
    /// What became of messages.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
    pub struct SmsCounts {
        pub sent: i64,
        pub failed: i64,
    }
}

/// What became of an attempt: the columns of `sms_log`. One that succeeded says how long its code is good for.
#[derive(Serialize)]
pub struct NewEntry<'a>(
    &'a Phone,
    Option<&'a str>,
    &'static str,
    &'static str,
    Option<&'a str>,
    i64,
    i64,
    Option<i64>,
    i64,
);

impl<'a> NewEntry<'a> {
    pub fn new(
        owner: Owner,
        phone: &'a Phone,
        code: Option<&'a str>,
        attempt: &'a SendAttempt,
        created_at: Timestamp,
    ) -> Self {
        let SendAttempt { provider, number, error, .. } = attempt;
        let status = if error.is_none() { SENT } else { FAILED };
        let expires_at = error.is_none().then(|| created_at.plus_ms(CODE_VALID_MS).as_millis());
        let (error, created_at) = (error.as_deref(), created_at.as_millis());
        Self(phone, code, status, provider, error, *number, created_at, expires_at, owner.column())
    }

    pub fn status(&self) -> &'static str {
        self.2
    }

    pub fn provider(&self) -> &'static str {
        self.3
    }
}

pub fn insert(tx: &mut Tx, new: &[NewEntry<'_>]) -> Result<u64> {
    let new = serde_json::to_string(new).map_err(Error::internal)?;
    tx.exec(
        "INSERT INTO sms_log (phone, code, status, provider, error, attempts, created_at, expires_at, owner)
         SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, CAST(value ->> 5 AS BIGINT),
                CAST(value ->> 6 AS BIGINT), CAST(value ->> 7 AS BIGINT), CAST(value ->> 8 AS BIGINT)
         FROM json_each($1, '$') ORDER BY key",
        params![new],
    )
}

pub fn count_since(tx: &mut Tx, since: Timestamp) -> Result<SmsCounts> {
    tx.one(
        "SELECT count(*) FILTER (WHERE status = 'sent'), count(*) FILTER (WHERE status = 'failed')
         FROM sms_log WHERE created_at > $1",
        params![since],
    )
}

/// Visits the entries that fit, newest first, all or a page of them.
pub fn each(
    tx: &mut Tx,
    filter: &LogFilter,
    page: Option<Page>,
    each: impl FnMut(SmsLogView) -> Result<()>,
) -> Result<()> {
    let (limit, offset) = Page::limit_and_offset(page);
    tx.each(
        "SELECT id, phone, code, status, provider, error, created_at, expires_at, attempts FROM sms_log
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

/// What somebody was sent when they logged in with this phone becomes this user's.
pub fn hand_over(tx: &mut Tx, owner: Owner, phone: &Phone) -> Result<u64> {
    tx.exec(
        "UPDATE sms_log SET owner = $1 WHERE phone IN ($2, $3) AND owner = 0",
        params![owner.column(), phone, phone.with_zero()],
    )
}

/// Status, provider and time of everything that was sent for a user, newest first.
pub fn list_of(
    tx: &mut Tx,
    owner: Owner,
    phone: Option<&Phone>,
) -> Result<Vec<(String, String, Timestamp)>> {
    tx.all(
        "SELECT status, provider, created_at FROM
             (SELECT id, status, provider, created_at FROM sms_log WHERE owner = $1 AND owner <> 0
              UNION ALL SELECT id, status, provider, created_at FROM sms_log WHERE phone IN ($2, $3) AND owner = 0) AS theirs
         ORDER BY id DESC",
        params![owner.column(), phone, phone.map(Phone::with_zero)],
    )
}

pub fn forget(tx: &mut Tx, owner: Owner) -> Result<u64> {
    tx.exec("DELETE FROM sms_log WHERE owner = $1 AND owner <> 0", params![owner.column()])
}

pub fn forget_before(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM sms_log WHERE id IN
             (SELECT id FROM sms_log WHERE created_at <= $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        params![before, most],
    )
}
