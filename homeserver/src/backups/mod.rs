//! Key backups: the keys to encrypted messages, kept for users who lose their devices.
//!
//! Owns: the versions of a user's backup, the keys in each, how much of both there may be.
//! Invariants: a backup is seen by its user alone; keys go into the newest version only, and a key gives way to a better one only;
//! a version is never given twice, not even after an older copy of the database was brought back, since it is a position of
//! the stream; what a version says of its keys is true of them.
//! Never: looks into the keys, or at the signatures of a version: both are for the clients.

mod download;
mod keys;

use ruma::api::client::backup::{
    BackupAlgorithm, create_backup_version, delete_backup_version, get_backup_info,
    get_latest_backup_info, update_backup_version,
};
use ruma::serde::Raw;
use rusqlite::{Connection, params};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::budget::{KEY_BACKUPS, check_id, number};
use crate::error::{Error, Result};
use crate::http::{Caller, Done, Routes};
use crate::store::{Tx, exists, find, list, tuple};

pub fn routes(routes: Routes) -> Routes {
    let routes = routes
        .back_up(create)
        .look(|look, _: get_latest_backup_info::v3::Request| {
            let newest = find_newest(look.conn, look.me.id())?;
            tell(look.conn, look.me.id(), newest)
        })
        .look(|look, body: get_backup_info::v3::Request| {
            tell(look.conn, look.me.id(), parse_version(&body.version))
        })
        .back_up(update)
        .back_up(delete);
    download::routes(keys::routes(routes))
}

/// Forgets all that is kept of a user.
pub fn forget(tx: &Tx<'_>, user: &str) -> Result<()> {
    let sql = "SELECT version FROM key_backups WHERE user = ?1";
    let versions: Vec<i64> = list(tx.conn, sql, [user], |row| row.get(0))?;
    versions.into_iter().try_for_each(|version| remove(tx, version))
}

/// What a client says of a version.
#[derive(Deserialize)]
struct Definition<'d> {
    algorithm: String,
    #[serde(borrow)]
    auth_data: &'d RawValue,
    version: Option<String>,
}

impl<'d> Definition<'d> {
    fn read(given: &'d Raw<BackupAlgorithm>) -> Result<Self> {
        let text = given.json().get();
        let given: Self = serde_json::from_str(text).map_err(|cause| bad(&cause))?;
        check_id(&given.algorithm)?;
        check_object(given.auth_data, "auth_data")?;
        KEY_BACKUPS.check_one(given.auth_data.get().len())?;
        Ok(given)
    }
}

fn bad(cause: &serde_json::Error) -> Error {
    Error::bad_json(cause.to_string())
}

fn check_object(value: &RawValue, name: &str) -> Result<()> {
    if value.get().starts_with('{') {
        return Ok(());
    }
    Err(Error::bad_json(format!("{name} must be an object")))
}

fn unknown() -> Error {
    Error::not_found("Unknown backup version")
}

/// A version in the one spelling that it was given in.
fn parse_version(text: &str) -> Option<i64> {
    text.parse().ok().filter(|version: &i64| version.to_string() == text)
}

fn find_newest(conn: &Connection, user: &str) -> Result<Option<i64>> {
    let sql = "SELECT MAX(version) FROM key_backups WHERE user = ?1";
    Ok(find(conn, sql, [user], |row| row.get(0))?.flatten())
}

/// How many keys a version has, and which state of them that is.
struct Tally {
    version: i64,
    etag: i64,
    keys: i64,
    bytes: i64,
}

impl Tally {
    /// Of a version that the user has.
    fn get(conn: &Connection, user: &str, version: &str) -> Result<Self> {
        let sql = "SELECT version, etag, keys, bytes FROM key_backups
                   WHERE version = ?1 AND user = ?2";
        let Some(version) = parse_version(version) else { return Err(unknown()) };
        let found = find(conn, sql, params![version, user], tuple)?;
        let (version, etag, keys, bytes) = found.ok_or_else(unknown)?;
        Ok(Self { version, etag, keys, bytes })
    }

    /// After a change: keeps what it is now.
    fn keep(&mut self, tx: &Tx<'_>) -> Result<()> {
        self.etag += 1;
        let sql = "UPDATE key_backups SET etag = ?2, keys = ?3, bytes = ?4 WHERE version = ?1";
        tx.execute(sql, [self.version, self.etag, self.keys, self.bytes]).map(drop)
    }

    fn tell(&self) -> Value {
        json!({"etag": self.etag.to_string(), "count": self.keys})
    }
}

/// A version as its user is told it.
fn tell(conn: &Connection, user: &str, version: Option<i64>) -> Result<Value> {
    let sql = "SELECT algorithm, auth_data, etag, keys FROM key_backups
               WHERE version = ?1 AND user = ?2";
    let found = find(conn, sql, params![version, user], tuple)?;
    let (algorithm, auth_data, etag, keys): (String, String, i64, i64) =
        found.ok_or_else(|| Error::not_found("No backup found"))?;
    let auth_data: Value = serde_json::from_str(&auth_data)?;
    Ok(json!({
        "version": version.map(|version| version.to_string()), "algorithm": algorithm,
        "auth_data": auth_data, "etag": etag.to_string(), "count": keys,
    }))
}

/// Begins a new version. Too many were made by somebody who lost their recovery key as often: the oldest go.
fn create(tx: &mut Tx<'_>, me: &Caller, body: create_backup_version::v3::Request) -> Result<Value> {
    let given = Definition::read(&body.algorithm)?;
    let version = tx.next_seq();
    let sql = "INSERT INTO key_backups (version, user, algorithm, auth_data)
               VALUES (?1, ?2, ?3, ?4)";
    tx.execute(sql, params![version, me.id(), given.algorithm, given.auth_data.get()])?;
    tx.execute("UPDATE users SET last_backup = ?2 WHERE user = ?1", params![me.id(), version])?;
    let sql = "SELECT version FROM key_backups WHERE user = ?1
               ORDER BY version DESC LIMIT -1 OFFSET ?2";
    let kept = number(KEY_BACKUPS.count);
    let too_many: Vec<i64> = list(tx.conn, sql, params![me.id(), kept], |row| row.get(0))?;
    for version in too_many {
        remove(tx, version)?;
    }
    Ok(json!({"version": version.to_string()}))
}

/// Changes what a version says of itself, such as who signed it. What its keys are encrypted with stays.
fn update(tx: &mut Tx<'_>, me: &Caller, body: update_backup_version::v3::Request) -> Result<Done> {
    let given = Definition::read(&body.algorithm)?;
    if given.version.is_some_and(|version| version != body.version) {
        return Err(Error::invalid_param("The version in the body is not the one in the path"));
    }
    let backup = Tally::get(tx.conn, me.id(), &body.version)?;
    let sql = "UPDATE key_backups SET auth_data = ?3 WHERE version = ?1 AND algorithm = ?2";
    let row = params![backup.version, given.algorithm, given.auth_data.get()];
    match tx.execute(sql, row)? {
        0 => Err(Error::invalid_param("The algorithm of a backup cannot be changed")),
        _ => Ok(Done {}),
    }
}

/// Deletes a version with its keys; one that was deleted before stays so.
fn delete(tx: &mut Tx<'_>, me: &Caller, body: delete_backup_version::v3::Request) -> Result<Done> {
    let version = parse_version(&body.version).filter(|version| *version > 0);
    let own = "SELECT 1 FROM key_backups WHERE version = ?1 AND user = ?2";
    let earlier = "SELECT 1 FROM users WHERE user = ?2 AND last_backup >= ?1";
    match version {
        Some(version) if exists(tx.conn, own, params![version, me.id()])? => remove(tx, version)?,
        Some(version) if exists(tx.conn, earlier, params![version, me.id()])? => {}
        _ => return Err(unknown()),
    }
    Ok(Done {})
}

fn remove(tx: &Tx<'_>, version: i64) -> Result<()> {
    tx.execute("DELETE FROM backed_up_keys WHERE version = ?1", [version])?;
    tx.execute("DELETE FROM key_backups WHERE version = ?1", [version]).map(drop)
}
