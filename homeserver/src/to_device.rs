//! Messages from device to device: kept until the receiving device's sync acknowledges them.
//!
//! Owns: what waits for each device, and who may take how much of its box.
//! Invariants: a repeated transaction id delivers nothing; messages of one request are told together; what one sender does
//! never pushes out what another sent to somebody else.
//! Never: looks into a message.

use ruma::api::client::to_device::send_event_to_device::v3::Request;
use ruma::to_device::DeviceIdOrAllDevices;
use rusqlite::{Connection, params};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::budget::{BOX, TO_DEVICE, TOLD, TRANSACTIONS, check_id, number};
use crate::error::Result;
use crate::http::{Caller, Done, Routes};
use crate::store::{Tx, exists, find, list, tuple};

/// How long a transaction id is remembered.
const TXN_KEPT_MS: i64 = 24 * 60 * 60 * 1000;
/// Of a box a sender who is not its owner may take this part.
const SHARE: usize = 4;

pub fn routes(routes: Routes) -> Routes {
    routes.send(send)
}

fn send(tx: &mut Tx<'_>, me: &Caller, body: Request) -> Result<Done> {
    let kind = body.event_type.to_string();
    check_id(&kind)?;
    if !remember(tx, me, body.txn_id.as_str())? {
        return Ok(Done {});
    }
    let seq = tx.next_seq();
    let (mut nth, mut bytes) = (0, 0);
    for (user, devices) in &body.messages {
        for (target, content) in devices {
            let content: Value = serde_json::from_str(content.json().get())?;
            let message = json!({"type": kind, "sender": me.user, "content": content}).to_string();
            TO_DEVICE.check_one(message.len())?;
            for device in targets(tx, user.as_str(), target)? {
                nth += 1;
                bytes += number(message.len());
                TO_DEVICE.check_all(me, (nth, bytes))?;
                deliver(tx, me, (user.as_str(), &device), (seq, nth), &message)?;
            }
        }
    }
    Ok(Done {})
}

/// Remembers a transaction id, or says that it was seen before.
fn remember(tx: &Tx<'_>, me: &Caller, txn: &str) -> Result<bool> {
    check_id(txn)?;
    let device = me.device.as_deref().unwrap_or_default();
    tx.execute("DELETE FROM inbox_txns WHERE at < ?1", [tx.now - TXN_KEPT_MS])?;
    let sql = "DELETE FROM inbox_txns WHERE user = ?1 AND device = ?2 AND at <
                 (SELECT at FROM inbox_txns WHERE user = ?1 AND device = ?2
                  ORDER BY at DESC LIMIT 1 OFFSET ?3)";
    tx.execute(sql, params![me.id(), device, TRANSACTIONS])?;
    let sql = "INSERT OR IGNORE INTO inbox_txns VALUES (?1, ?2, ?3, ?4)";
    Ok(tx.execute(sql, params![me.id(), device, txn, tx.now])? > 0)
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
    me: &Caller,
    (user, device): (&str, &str),
    (seq, nth): (i64, i64),
    message: &str,
) -> Result<()> {
    let sql = "INSERT INTO inbox (user, device, seq, nth, message, sender, bytes)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    tx.execute(sql, params![user, device, seq, nth, message, me.id(), number(message.len())])?;
    if me.id() != user {
        drop_oldest(tx, (user, device), Some(me.id()), SHARE)?;
    }
    drop_oldest(tx, (user, device), None, 1)?;
    tx.wake_user(user);
    Ok(())
}

/// Takes the oldest messages (of one sender) out of a box until they fit into this part of it.
fn drop_oldest(
    tx: &Tx<'_>,
    (user, device): (&str, &str),
    sender: Option<&str>,
    part: usize,
) -> Result<()> {
    let (most, most_bytes) = (number(BOX.count / part), number(BOX.all / part));
    let sql = "SELECT COUNT(*), COALESCE(SUM(bytes), 0) FROM inbox INDEXED BY inbox_sizes
               WHERE user = ?1 AND device = ?2 AND (?3 IS NULL OR sender = ?3)";
    let kept = find(tx.conn, sql, params![user, device, sender], tuple)?;
    let (count, bytes): (i64, i64) = kept.unwrap_or_default();
    if count <= most && bytes <= most_bytes {
        return Ok(());
    }
    let sql = "DELETE FROM inbox
               WHERE user = ?1 AND device = ?2 AND (?3 IS NULL OR sender = ?3) AND seq <=
                 (SELECT MAX(seq) FROM
                    (SELECT seq, ROW_NUMBER() OVER newest AS place, SUM(bytes) OVER newest AS size
                     FROM inbox INDEXED BY inbox_sizes
                     WHERE user = ?1 AND device = ?2 AND (?3 IS NULL OR sender = ?3)
                     WINDOW newest AS (ORDER BY seq DESC))
                  WHERE place > ?4 OR size > ?5)";
    tx.execute(sql, params![user, device, sender, most, most_bytes]).map(drop)
}

/// A part of what waits for a device.
pub struct Waiting {
    pub messages: Vec<Box<RawValue>>,
    /// The position up to which this device has been told everything.
    pub upto: i64,
}

/// What waits for a device after `since`, as much of it as goes into one answer.
pub fn waiting(
    conn: &Connection,
    user: &str,
    device: &str,
    since: i64,
    upto: i64,
) -> Result<Waiting> {
    let sql = "SELECT seq, message FROM inbox
               WHERE user = ?1 AND device = ?2 AND seq > ?3 AND seq <= ?4 ORDER BY seq, nth";
    let mut statement = conn.prepare_cached(sql)?;
    let mut rows = statement.query(params![user, device, since, upto])?;
    let mut told = Waiting { messages: Vec::new(), upto: since };
    let mut bytes = 0;
    while let Some(row) = rows.next()? {
        let (seq, message): (i64, String) = tuple(row)?;
        // A request's messages are not split: a position stands between requests.
        if seq > told.upto && (told.messages.len() >= TOLD.count || bytes >= TOLD.all) {
            return Ok(told);
        }
        bytes += message.len();
        told.upto = seq;
        told.messages.push(RawValue::from_string(message)?);
    }
    Ok(Waiting { upto, ..told })
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

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot go on should stop where it stands
mod tests {
    use super::*;
    use crate::Config;
    use crate::store::Store;

    #[tokio::test]
    async fn what_waits_is_told_in_parts_without_gap_or_repeat() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        let (store, _) = Store::open(&path, &Config::default()).unwrap();
        let fill = |tx: &mut Tx<'_>| {
            let sql = "INSERT INTO inbox VALUES ('ann', 'A', ?1, ?2, ?3, 'bob', ?4)";
            for seq in 1..=250_i64 {
                // The last of the first hundred are a pair, and some at the end are large.
                for nth in 0..=i64::from(seq == 100) {
                    let size = if seq > 220 { 60_000 } else { 10 };
                    let message = json!([seq, nth, "x".repeat(size)]).to_string();
                    tx.execute(sql, params![seq, nth, message, number(message.len())])?;
                }
            }
            Ok(())
        };
        store.write(fill).await.unwrap();
        let (mut since, mut told, mut parts) = (0, Vec::new(), Vec::new());
        while since < 300 {
            let read = move |conn: &Connection| waiting(conn, "ann", "A", since, 300);
            let part = store.read(read).await.unwrap();
            parts.push(part.messages.len());
            since = part.upto;
            told.extend(part.messages);
        }
        assert_eq!(parts, [101, 100, 38, 12]);
        let first = |message: &RawValue| {
            serde_json::from_str::<Value>(message.get()).unwrap().get(0).and_then(Value::as_i64)
        };
        let mut seqs: Vec<i64> = told.iter().map(|message| first(message).unwrap()).collect();
        assert_eq!(seqs.len(), 251);
        seqs.dedup();
        assert_eq!(seqs, (1..=250).collect::<Vec<_>>());
    }
}
