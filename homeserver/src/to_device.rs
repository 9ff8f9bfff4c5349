//! Messages from device to device: kept until the receiving device's sync acknowledges them.

use ruma::api::client::to_device::send_event_to_device::v3::Request;
use ruma::to_device::DeviceIdOrAllDevices;
use rusqlite::{Connection, params};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::http::{Caller, Done, Routes};
use crate::store::{Tx, exists, list};

/// How long a transaction id is remembered.
const TXN_KEPT_MS: i64 = 24 * 60 * 60 * 1000;
/// Messages that may wait for one device; beyond it the oldest go.
const INBOX_MAX: i64 = 10_000;

pub fn routes(routes: Routes) -> Routes {
    routes.send(send)
}

fn send(tx: &mut Tx<'_>, me: &Caller, body: Request) -> Result<Done> {
    let device = me.device.as_deref().unwrap_or_default();
    tx.execute("DELETE FROM inbox_txns WHERE at < ?1", [tx.now - TXN_KEPT_MS])?;
    let sql = "INSERT OR IGNORE INTO inbox_txns VALUES (?1, ?2, ?3, ?4)";
    if tx.execute(sql, params![me.id(), device, body.txn_id.as_str(), tx.now])? == 0 {
        return Ok(Done {});
    }
    let (seq, kind) = (tx.next_seq(), body.event_type.to_string());
    let mut nth = 0;
    for (user, devices) in &body.messages {
        for (target, content) in devices {
            let content: Value = serde_json::from_str(content.json().get())?;
            let message = json!({"type": kind, "sender": me.user, "content": content});
            for device in targets(tx, user.as_str(), target)? {
                deliver(tx, user.as_str(), &device, (seq, nth), &message)?;
                nth += 1;
            }
        }
    }
    Ok(Done {})
}

fn targets(tx: &Tx<'_>, user: &str, target: &DeviceIdOrAllDevices) -> Result<Vec<String>> {
    match target {
        DeviceIdOrAllDevices::AllDevices => {
            list(tx.conn, "SELECT device FROM devices WHERE user = ?1", [user], |row| row.get(0))
        }
        DeviceIdOrAllDevices::DeviceId(device) => {
            let sql = "SELECT device FROM devices WHERE user = ?1 AND device = ?2";
            list(tx.conn, sql, [user, device.as_str()], |row| row.get(0))
        }
    }
}

fn deliver(
    tx: &mut Tx<'_>,
    user: &str,
    device: &str,
    (seq, nth): (i64, i64),
    message: &Value,
) -> Result<()> {
    let sql = "INSERT INTO inbox VALUES (?1, ?2, ?3, ?4, ?5)";
    tx.execute(sql, params![user, device, seq, nth, message.to_string()])?;
    let sql = "DELETE FROM inbox WHERE user = ?1 AND device = ?2 AND seq <
                 (SELECT seq FROM inbox WHERE user = ?1 AND device = ?2
                  ORDER BY seq DESC LIMIT 1 OFFSET ?3)";
    tx.execute(sql, params![user, device, INBOX_MAX])?;
    tx.wake_user(user);
    Ok(())
}

/// Messages for a device.
pub struct Waiting {
    pub messages: Vec<Box<RawValue>>,
    /// The position up to which these are all.
    pub upto: i64,
}

/// What waits for a device after `since`.
pub fn waiting(
    conn: &Connection,
    user: &str,
    device: &str,
    since: i64,
    upto: i64,
) -> Result<Waiting> {
    let sql = "SELECT message FROM inbox
               WHERE user = ?1 AND device = ?2 AND seq > ?3 AND seq <= ?4 ORDER BY seq, nth";
    let messages: Vec<String> =
        list(conn, sql, params![user, device, since, upto], |row| row.get(0))?;
    let parse = |text| RawValue::from_string(text).map_err(Error::from);
    Ok(Waiting { messages: messages.into_iter().map(parse).collect::<Result<_>>()?, upto })
}

/// Whether something was delivered up to `since` and still takes room.
pub fn has_acknowledged(conn: &Connection, user: &str, device: &str, since: i64) -> Result<bool> {
    let sql = "SELECT 1 FROM inbox WHERE user = ?1 AND device = ?2 AND seq <= ?3 LIMIT 1";
    exists(conn, sql, params![user, device, since])
}

pub fn drop_acknowledged(tx: &Tx<'_>, user: &str, device: &str, since: i64) -> Result<()> {
    let sql = "DELETE FROM inbox WHERE user = ?1 AND device = ?2 AND seq <= ?3";
    tx.execute(sql, params![user, device, since]).map(|_| ())
}
