//! End-to-end encryption: device keys, one-time and fallback keys, cross-signing, signatures.
//!
//! Owns: what is uploaded, who may see which signature, who has to learn of a change.
//! Invariants: a one-time key is handed out once; a signature is shown to its maker and, when it is
//! a user's own, to everybody; a change of keys takes a stream position.
//! Never: reads or checks the keys themselves: that is for the clients.

use ruma::api::client::keys::{
    claim_keys, get_key_changes, get_keys, upload_keys, upload_signatures,
};
use ruma::{OwnedDeviceId, UserId};
use rusqlite::{Connection, params};
use serde_json::{Map, Value, json};

use crate::budget::{
    DEVICE_KEYS, FALLBACK_KEYS, KEYS_BYTES, ONE_TIME_KEYS, SIGNATURES, check_id, number,
};
use crate::error::{Error, Result};
use crate::http::{Caller, Look, Routes, with};
use crate::rooms::read::position_of;
use crate::store::{Tx, find, list, tuple};
use crate::sync::devices::changes;

pub fn routes(routes: Routes) -> Routes {
    routes.change(upload).look(query).change(claim).change(upload_signed).look(
        |look, body: get_key_changes::v3::Request| {
            let (from, to) = (position_of(&body.from)?, position_of(&body.to)?);
            let lists = changes(look.conn, look.me.id(), from, to)?;
            Ok(json!({"changed": lists.changed, "left": lists.left}))
        },
    )
}

/// Announces to everybody who shares an encrypted room that `user` has other keys now.
pub fn mark_changed(tx: &mut Tx<'_>, user: &str) -> Result<()> {
    let seq = tx.next_seq();
    tx.execute("INSERT OR REPLACE INTO key_changes VALUES (?1, ?2)", params![user, seq])?;
    tx.wake_user(user);
    let sql = "SELECT m.room FROM members m JOIN rooms r ON r.room = m.room
               WHERE m.user = ?1 AND m.membership = 'join' AND r.encrypted = 1";
    let rooms: Vec<i64> = list(tx.conn, sql, [user], |row| row.get(0))?;
    for room in rooms {
        tx.wake_room(room, seq);
    }
    Ok(())
}

fn upload(tx: &mut Tx<'_>, me: &Caller, body: upload_keys::v3::Request) -> Result<Value> {
    let text = "To use end-to-end encryption, log in as a device";
    let device = me.device.as_deref().ok_or_else(|| Error::bad_request("M_UNKNOWN", text))?;
    if let Some(keys) = &body.device_keys {
        let text = keys.json().get();
        DEVICE_KEYS.check_one(text.len())?;
        let given: Value = serde_json::from_str(text)?;
        let names = |field: &str| given.get(field).and_then(Value::as_str);
        if names("user_id") != Some(me.id()) || names("device_id") != Some(device) {
            return Err(Error::invalid_param("The keys are for another user or device"));
        }
        let sql = "UPDATE devices SET keys = ?3
                   WHERE user = ?1 AND device = ?2 AND keys IS NOT ?3";
        if tx.execute(sql, params![me.id(), device, text])? > 0 {
            mark_changed(tx, me.id())?;
        }
    }
    for (id, key) in &body.one_time_keys {
        check_id(id.as_str())?;
        ONE_TIME_KEYS.check_one(key.json().get().len())?;
        let sql = "INSERT INTO one_time_keys VALUES (?1, ?2, ?3, ?4, ?5)
                   ON CONFLICT DO UPDATE SET content = content WHERE content = excluded.content";
        let algorithm = id.algorithm().to_string();
        let row = params![me.id(), device, id.as_str(), algorithm, key.json().get()];
        if tx.execute(sql, row)? == 0 {
            let text = format!("One time key {id} already exists");
            return Err(Error::bad_request("M_UNKNOWN", text));
        }
    }
    for (id, key) in &body.fallback_keys {
        check_id(id.as_str())?;
        FALLBACK_KEYS.check_one(key.json().get().len())?;
        let sql = "INSERT OR REPLACE INTO fallback_keys VALUES (?1, ?2, ?3, ?4, ?5, 0)";
        let algorithm = id.algorithm().to_string();
        tx.execute(sql, params![me.id(), device, algorithm, id.as_str(), key.json().get()])?;
    }
    tx.touch_user(me.id());
    let counts = one_time_key_counts(tx.conn, me.id(), device)?;
    ONE_TIME_KEYS.check_all(me, (counts.values().filter_map(Value::as_i64).sum(), 0))?;
    let sql = "SELECT COUNT(*) FROM fallback_keys WHERE user = ?1 AND device = ?2";
    let fallback: Option<i64> = find(tx.conn, sql, [me.id(), device], |row| row.get(0))?;
    FALLBACK_KEYS.check_all(me, (fallback.unwrap_or(0), 0))?;
    Ok(json!({"one_time_key_counts": counts}))
}

/// How many one-time keys a device has left. Clients look for this algorithm even when it is zero.
pub fn one_time_key_counts(
    conn: &Connection,
    user: &str,
    device: &str,
) -> Result<Map<String, Value>> {
    let sql = "SELECT algorithm, COUNT(*) FROM one_time_keys
               WHERE user = ?1 AND device = ?2 GROUP BY algorithm";
    let counts: Vec<(String, i64)> = list(conn, sql, [user, device], tuple)?;
    let mut all = Map::from_iter([("signed_curve25519".to_owned(), 0.into())]);
    all.extend(counts.into_iter().map(|(algorithm, count)| (algorithm, count.into())));
    Ok(all)
}

pub fn unused_fallback_keys(conn: &Connection, user: &str, device: &str) -> Result<Vec<String>> {
    let sql = "SELECT algorithm FROM fallback_keys
               WHERE user = ?1 AND device = ?2 AND used = 0";
    list(conn, sql, [user, device], |row| row.get(0))
}

fn query(look: &Look<'_>, body: get_keys::v3::Request) -> Result<Value> {
    let (conn, me) = (look.conn, look.me.id());
    let (mut devices, mut masters) = (Map::new(), Map::new());
    let (mut self_signing, mut user_signing) = (Map::new(), Map::new());
    let mut bytes = 0;
    for (user, wanted) in &body.device_keys {
        let user = user.as_str();
        let own = device_keys(look, user, wanted, &mut bytes)?;
        devices.insert(user.to_owned(), own.into());
        let sql = "SELECT usage, content FROM cross_signing_keys WHERE user = ?1";
        let rows: Vec<(String, String)> = list(conn, sql, [user], tuple)?;
        for (usage, content) in rows {
            bytes += content.len();
            let mut key: Value = serde_json::from_str(&content)?;
            for id in public_keys(&key) {
                add_signatures(conn, me, user, &id, &mut key)?;
            }
            match usage.as_str() {
                "master" => masters.insert(user.to_owned(), key),
                "self_signing" => self_signing.insert(user.to_owned(), key),
                // Whom a user verified is their own affair.
                _ if user == me => user_signing.insert(user.to_owned(), key),
                _ => None,
            };
        }
    }
    Ok(json!({
        "device_keys": devices, "failures": {}, "master_keys": masters,
        "self_signing_keys": self_signing, "user_signing_keys": user_signing,
    }))
}

/// The keys of a user's devices, of those that are wanted, or of all.
fn device_keys(
    look: &Look<'_>,
    user: &str,
    wanted: &[OwnedDeviceId],
    bytes: &mut usize,
) -> Result<Map<String, Value>> {
    let sql = "SELECT device, keys, display_name FROM devices
               WHERE user = ?1 AND keys IS NOT NULL";
    let mut statement = look.conn.prepare_cached(sql)?;
    let mut rows = statement.query([user])?;
    let mut own = Map::new();
    while let Some(row) = rows.next()? {
        let (device, keys, name): (String, String, Option<String>) = tuple(row)?;
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted.as_str() == device) {
            *bytes += keys.len();
            check_keys(*bytes)?;
            let mut keys: Value = serde_json::from_str(&keys)?;
            add_signatures(look.conn, look.me.id(), user, &device, &mut keys)?;
            let unsigned = with(json!({}), "device_display_name", name);
            own.insert(device, with(keys, "unsigned", Some(unsigned)));
        }
    }
    Ok(own)
}

/// Refuses to put more keys into one answer than anybody waits for.
fn check_keys(bytes: usize) -> Result<()> {
    if bytes > KEYS_BYTES {
        return Err(Error::too_large("These are too many keys for one answer: ask for fewer"));
    }
    Ok(())
}

/// The public keys of a cross-signing key: the part after `ed25519:`.
fn public_keys(key: &Value) -> Vec<String> {
    let keys = key.get("keys").and_then(Value::as_object);
    keys.into_iter()
        .flat_map(|keys| keys.values())
        .filter_map(|value| value.as_str().map(str::to_owned))
        .collect()
}

fn add_signatures(
    conn: &Connection,
    me: &str,
    user: &str,
    key: &str,
    into: &mut Value,
) -> Result<()> {
    let sql = "SELECT signer, signatures FROM key_signatures
               WHERE user = ?1 AND key = ?2 AND signer IN (?1, ?3)";
    let rows: Vec<(String, String)> = list(conn, sql, [user, key, me], tuple)?;
    for (signer, signatures) in rows {
        let signatures: Map<String, Value> = serde_json::from_str(&signatures)?;
        let own = within(within(Some(into), "signatures"), &signer);
        if let Some(own) = own.and_then(Value::as_object_mut) {
            own.extend(signatures);
        }
    }
    Ok(())
}

/// A field of an object, which becomes an object if it was not there.
fn within<'v>(value: Option<&'v mut Value>, name: &str) -> Option<&'v mut Value> {
    Some(value?.as_object_mut()?.entry(name).or_insert_with(|| json!({})))
}

fn claim(tx: &mut Tx<'_>, _: &Caller, body: claim_keys::v3::Request) -> Result<Value> {
    let (mut all, mut bytes) = (Map::new(), 0);
    for (user, devices) in &body.one_time_keys {
        let mut of_user = Map::new();
        for (device, algorithm) in devices {
            let device = device.as_str();
            if let Some((id, key)) = take_key(tx, user, device, algorithm.as_str())? {
                bytes += key.len();
                check_keys(bytes)?;
                let key: Value = serde_json::from_str(&key)?;
                of_user.insert(device.to_owned(), json!({id: key}));
                // The owner's next sync tells how many are left.
                tx.wake_user(user.as_str());
            }
        }
        if !of_user.is_empty() {
            all.insert(user.to_string(), of_user.into());
        }
    }
    Ok(json!({"one_time_keys": all, "failures": {}}))
}

/// A one-time key, which is then gone, or else the fallback key.
fn take_key(
    tx: &Tx<'_>,
    user: &UserId,
    device: &str,
    algorithm: &str,
) -> Result<Option<(String, String)>> {
    let wanted = params![user.as_str(), device, algorithm];
    let sql = "DELETE FROM one_time_keys WHERE user = ?1 AND device = ?2 AND algorithm = ?3
                 AND key_id = (SELECT key_id FROM one_time_keys
                               WHERE user = ?1 AND device = ?2 AND algorithm = ?3 LIMIT 1)
               RETURNING key_id, content";
    if let Some(found) = find(tx.conn, sql, wanted, tuple)? {
        return Ok(Some(found));
    }
    let sql = "UPDATE fallback_keys SET used = 1
               WHERE user = ?1 AND device = ?2 AND algorithm = ?3 RETURNING key_id, content";
    find(tx.conn, sql, wanted, tuple)
}

/// Takes the signatures that the caller made, and tells which could not be taken.
fn upload_signed(
    tx: &mut Tx<'_>,
    me: &Caller,
    body: upload_signatures::v3::Request,
) -> Result<Value> {
    let users = number(body.signed_keys.len());
    SIGNATURES.check_all(me, (users, 0))?;
    let signed = serde_json::to_value(&body.signed_keys)?;
    let mut failures = Map::new();
    for (user, keys) in signed.as_object().into_iter().flatten() {
        let (mut failed, mut taken) = (Map::new(), false);
        for (key, object) in keys.as_object().into_iter().flatten() {
            let refusal = match find_signable(tx.conn, me.id(), user, key)? {
                None => json!({"errcode": "M_NOT_FOUND", "error": "There is no such key"}),
                Some(known) if bare(&known) == bare(object) && sign(tx, me, user, key, object)? => {
                    taken = true;
                    continue;
                }
                Some(_) => {
                    let text = "Another key, or not signed by you";
                    json!({"errcode": "M_INVALID_SIGNATURE", "error": text})
                }
            };
            failed.insert(key.clone(), refusal);
        }
        if taken {
            mark_changed(tx, user)?;
        }
        if !failed.is_empty() {
            failures.insert(user.clone(), failed.into());
        }
    }
    let sql = "SELECT COUNT(*) FROM key_signatures WHERE signer = ?1";
    let made: Option<i64> = find(tx.conn, sql, [me.id()], |row| row.get(0))?;
    SIGNATURES.check_all(me, (made.unwrap_or(0), 0))?;
    Ok(json!({"failures": failures}))
}

/// A key that `me` may sign: anybody's master key, and the own devices.
fn find_signable(conn: &Connection, me: &str, user: &str, key: &str) -> Result<Option<Value>> {
    let sql = "SELECT content FROM cross_signing_keys WHERE user = ?1 AND usage = 'master'";
    let master: Option<String> = find(conn, sql, [user], |row| row.get(0))?;
    let master = master.map(|text| serde_json::from_str::<Value>(&text)).transpose()?;
    if let Some(master) = master.filter(|master| public_keys(master).iter().any(|id| id == key)) {
        return Ok(Some(master));
    }
    let sql = "SELECT keys FROM devices
               WHERE user = ?1 AND device = ?2 AND user = ?3 AND keys IS NOT NULL";
    let device: Option<String> = find(conn, sql, [user, key, me], |row| row.get(0))?;
    Ok(device.map(|text| serde_json::from_str(&text)).transpose()?)
}

/// What is signed of a key.
fn bare(key: &Value) -> Value {
    let mut key = key.clone();
    if let Some(fields) = key.as_object_mut() {
        fields.retain(|name, _| name != "signatures" && name != "unsigned");
    }
    key
}

/// Keeps the caller's signatures on a key, if there are any.
fn sign(tx: &Tx<'_>, me: &Caller, user: &str, key: &str, object: &Value) -> Result<bool> {
    let made = object.get("signatures").and_then(|all| all.get(me.id()));
    let Some(made) = made.and_then(Value::as_object).filter(|made| !made.is_empty()) else {
        return Ok(false);
    };
    let sql = "SELECT signatures FROM key_signatures WHERE user = ?1 AND key = ?2 AND signer = ?3";
    let before: Option<String> = find(tx.conn, sql, [user, key, me.id()], |row| row.get(0))?;
    let before = before.and_then(|text| serde_json::from_str(&text).ok());
    let mut all: Map<String, Value> = before.unwrap_or_default();
    all.extend(made.clone());
    let all = Value::from(all).to_string();
    SIGNATURES.check_one(all.len())?;
    let sql = "INSERT OR REPLACE INTO key_signatures
               (user, key, signer, signatures) VALUES (?1, ?2, ?3, ?4)";
    tx.execute(sql, params![user, key, me.id(), all])?;
    Ok(true)
}
