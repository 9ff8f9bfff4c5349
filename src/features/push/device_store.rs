//! The `push_devices` table.

use crate::features::sessions::SessionId;
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};

use super::values::{DeviceId, DeviceKind, DeviceName};

row! {
    #[derive(Debug, Clone)]
    pub struct DeviceRow {
        pub id: DeviceId,
        pub user_id: UserId,
        pub kind: DeviceKind,
        pub address: String,
        pub p256dh: Option<String>,
        pub auth: Option<String>,
        pub name: Option<DeviceName>,
        pub created_at: Timestamp,
        pub sent_at: Option<Timestamp>,
        pub failed_at: Option<Timestamp>,
        pub failure: Option<String>,
        pub failures: i64,
        pub retry_at: Option<Timestamp>,
    }
}

macro_rules! select_devices {
    ($rest:literal) => {
        concat!(
            "SELECT id, user_id, kind, address, p256dh, auth, name, created_at, sent_at, failed_at, failure, failures, retry_at FROM push_devices ",
            $rest
        )
    };
}

/// How a device is reached.
#[derive(Debug)]
pub struct NewDevice<'a> {
    pub kind: DeviceKind,
    pub address: &'a str,
    pub p256dh: Option<&'a str>,
    pub auth: Option<&'a str>,
    pub name: Option<&'a DeviceName>,
}

/// Registers a device, or what is known of one anew. Whoever had it before has it no more: a phone has one owner at a time.
pub fn upsert(
    tx: &mut Tx,
    user: UserId,
    session: SessionId,
    device: &NewDevice<'_>,
) -> Result<DeviceId> {
    let now = tx.now();
    let NewDevice { kind, address, p256dh, auth, name } = *device;
    tx.one(
        "INSERT INTO push_devices (user_id, session_id, kind, address, p256dh, auth, name, created_at, failures)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0)
         ON CONFLICT (kind, address) DO UPDATE
         SET user_id = excluded.user_id, session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth,
             name = excluded.name, failed_at = NULL, failure = NULL, failures = 0, retry_at = NULL
         RETURNING id",
        params![user, session, kind, address, p256dh, auth, name, now],
    )
}

pub fn find(tx: &mut Tx, id: DeviceId) -> Result<Option<DeviceRow>> {
    tx.opt(select_devices!("WHERE id = $1"), params![id])
}

pub fn list_of(tx: &mut Tx, user: UserId) -> Result<Vec<DeviceRow>> {
    tx.all(select_devices!("WHERE user_id = $1 ORDER BY id"), params![user])
}

pub fn list_of_all(tx: &mut Tx, users: &[UserId]) -> Result<Vec<DeviceRow>> {
    let users = serde_json::to_string(users).map_err(Error::internal)?;
    tx.all(
        select_devices!(
            "WHERE user_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) ORDER BY user_id, id"
        ),
        params![users],
    )
}

/// Whose these devices are.
pub fn list_owners(tx: &mut Tx, ids: &[DeviceId]) -> Result<Vec<(DeviceId, UserId)>> {
    let ids = serde_json::to_string(ids).map_err(Error::internal)?;
    tx.all(
        "SELECT id, user_id FROM push_devices WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))",
        params![ids],
    )
}

/// Those that were registered first and are more than a user may have.
pub fn delete_beyond(tx: &mut Tx, user: UserId, most: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM push_devices WHERE id IN (SELECT id FROM push_devices WHERE user_id = $1 ORDER BY id DESC LIMIT 1000 OFFSET $2)",
        params![user, most],
    )
}

pub fn delete(tx: &mut Tx, user: UserId, id: DeviceId) -> Result<u64> {
    tx.exec("DELETE FROM push_devices WHERE id = $1 AND user_id = $2", params![id, user])
}

pub fn delete_all_of(tx: &mut Tx, user: UserId) -> Result<u64> {
    tx.exec("DELETE FROM push_devices WHERE user_id = $1", params![user])
}

/// These took a message.
pub fn update_sent(tx: &mut Tx, ids: &[DeviceId]) -> Result<u64> {
    let (now, ids) = (tx.now(), serde_json::to_string(ids).map_err(Error::internal)?);
    tx.exec(
        "UPDATE push_devices SET sent_at = $2, failed_at = NULL, failure = NULL, failures = 0, retry_at = NULL
         WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))",
        params![ids, now],
    )
}

/// A service took nothing; when it is asked again.
pub fn update_failed(
    tx: &mut Tx,
    id: DeviceId,
    failure: &str,
    retry_at: Option<Timestamp>,
) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "UPDATE push_devices SET failed_at = COALESCE(failed_at, $2), failure = $3, failures = failures + 1, retry_at = $4 WHERE id = $1",
        params![id, now, failure, retry_at],
    )
}

/// Those whose service has taken nothing for so long that nothing more is to be expected. A key of the operator's that is wrong is not
/// the device's fault.
pub fn delete_long_failing(tx: &mut Tx, since: Timestamp, most: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM push_devices WHERE id IN
           (SELECT id FROM push_devices WHERE failed_at < $1 AND failure IN ('later', 'refused') ORDER BY failed_at LIMIT $2)",
        params![since, most],
    )
}

/// How many there are of each sort, and how many of them fail.
pub fn count_by_kind(tx: &mut Tx) -> Result<Vec<(DeviceKind, i64, i64)>> {
    tx.all(
        "SELECT kind, count(*), count(failed_at) FROM push_devices GROUP BY kind ORDER BY kind",
        &[],
    )
}
