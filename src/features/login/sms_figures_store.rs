//! The `sms_counts` table.

use std::collections::BTreeMap;

use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};

use super::sms_figures::Key;

row! {
    #[derive(Debug)]
    pub struct CountRow {
        /// Empty for what was refused before any was asked.
        pub provider: String,
        pub calling_code: String,
        /// `sent`, `failed` or `refused`.
        pub outcome: String,
        pub why: String,
        pub messages: i64,
    }
}

/// Adds to the counts, in their order.
pub fn add(tx: &mut Tx, counted: &BTreeMap<Key, i64>) -> Result<()> {
    let counted = serde_json::to_string(&counted.iter().collect::<Vec<_>>());
    let counted = counted.map_err(Error::internal)?;
    tx.exec(
        "INSERT INTO sms_counts (hour, provider, calling_code, outcome, why, messages)
         SELECT CAST(value -> 0 ->> 0 AS BIGINT), value -> 0 ->> 1, value -> 0 ->> 2, value -> 0 ->> 3, value -> 0 ->> 4,
                CAST(value ->> 1 AS BIGINT)
         FROM json_each($1, '$') WHERE true ORDER BY key
         ON CONFLICT (hour, provider, calling_code, outcome, why) DO UPDATE
         SET messages = sms_counts.messages + excluded.messages",
        params![counted],
    )
    .map(drop)
}

/// The sums since an hour, in the order of an index: sorting a week of rows took most of the time.
pub fn list_since(tx: &mut Tx, hour: i64) -> Result<Vec<CountRow>> {
    tx.all(
        "SELECT provider, calling_code, outcome, why, CAST(sum(messages) AS BIGINT) FROM sms_counts
         WHERE hour >= $1 GROUP BY provider, calling_code, outcome, why ORDER BY provider, calling_code, outcome, why",
        params![hour],
    )
}

pub fn delete_oldest_hour(tx: &mut Tx, before: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM sms_counts WHERE hour IN (SELECT hour FROM sms_counts WHERE hour < $1 ORDER BY hour LIMIT 1)",
        params![before],
    )
}
