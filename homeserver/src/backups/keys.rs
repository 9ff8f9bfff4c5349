//! The keys of a backup, as they come in and are taken out.

use ruma::api::client::backup::{
    KeyBackupData, add_backup_keys, add_backup_keys_for_room, add_backup_keys_for_session,
    delete_backup_keys, delete_backup_keys_for_room, delete_backup_keys_for_session,
};
use ruma::serde::Raw;
use ruma::{RoomId, UInt};
use rusqlite::params;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Tally, bad, check_object, find_newest, remove};
use crate::budget::{BACKED_UP_KEYS, BACKED_UP_KEYS_AT_ONCE, check_id, number};
use crate::error::{Error, Result};
use crate::http::{Caller, Routes};
use crate::store::{Tx, find, list, tuple};

pub fn routes(routes: Routes) -> Routes {
    routes
        .back_up(|tx, me, body: add_backup_keys::v3::Request| {
            let mut upload = Upload::start(tx, me, &body.version)?;
            for (room, keys) in &body.rooms {
                for (session, key) in &keys.sessions {
                    upload.take(tx, room, session, key)?;
                }
            }
            upload.finish(tx, me)
        })
        .back_up(|tx, me, body: add_backup_keys_for_room::v3::Request| {
            let mut upload = Upload::start(tx, me, &body.version)?;
            for (session, key) in &body.sessions {
                upload.take(tx, &body.room_id, session, key)?;
            }
            upload.finish(tx, me)
        })
        .back_up(|tx, me, body: add_backup_keys_for_session::v3::Request| {
            let mut upload = Upload::start(tx, me, &body.version)?;
            upload.take(tx, &body.room_id, &body.session_id, &body.session_data)?;
            upload.finish(tx, me)
        })
        .back_up(|tx, me, body: delete_backup_keys::v3::Request| {
            delete(tx, me, &body.version, None, None)
        })
        .back_up(|tx, me, body: delete_backup_keys_for_room::v3::Request| {
            delete(tx, me, &body.version, Some(&body.room_id), None)
        })
        .back_up(|tx, me, body: delete_backup_keys_for_session::v3::Request| {
            delete(tx, me, &body.version, Some(&body.room_id), Some(&body.session_id))
        })
}

/// A key for one session, encrypted.
#[derive(Deserialize, Serialize)]
struct Key<'k> {
    first_message_index: UInt,
    forwarded_count: UInt,
    is_verified: bool,
    #[serde(borrow)]
    session_data: &'k RawValue,
}

/// How good a key is: the least is the best.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    is_unverified: bool,
    first_message: i64,
    forwarded: i64,
}

impl<'k> Key<'k> {
    fn read(given: &'k Raw<KeyBackupData>) -> Result<Self> {
        let key: Self = serde_json::from_str(given.json().get()).map_err(|cause| bad(&cause))?;
        check_object(key.session_data, "session_data")?;
        Ok(key)
    }

    fn rank(&self) -> Rank {
        Rank {
            is_unverified: !self.is_verified,
            first_message: self.first_message_index.into(),
            forwarded: self.forwarded_count.into(),
        }
    }
}

/// Keys of one request on their way into a version.
struct Upload {
    backup: Tally,
    seen: usize,
    is_changed: bool,
}

impl Upload {
    /// Only the newest version grows: a client with an older one would go on encrypting for a recovery key that is no more.
    fn start(tx: &Tx<'_>, me: &Caller, version: &str) -> Result<Self> {
        let backup = Tally::get(tx.conn, me.id(), version)?;
        match find_newest(tx.conn, me.id())? {
            Some(newest) if newest != backup.version => Err(Error::wrong_backup(newest)),
            _ => Ok(Self { backup, seen: 0, is_changed: false }),
        }
    }

    fn take(
        &mut self,
        tx: &Tx<'_>,
        room: &RoomId,
        session: &str,
        key: &Raw<KeyBackupData>,
    ) -> Result<()> {
        self.seen += 1;
        if self.seen > BACKED_UP_KEYS_AT_ONCE {
            let text = format!("Too many keys at once: at most {BACKED_UP_KEYS_AT_ONCE}");
            return Err(Error::too_large(text));
        }
        check_id(session)?;
        if session.is_empty() {
            return Err(Error::invalid_param("A session has an id"));
        }
        let key = Key::read(key)?;
        let told = serde_json::to_string(&key)?;
        BACKED_UP_KEYS.check_one(told.len())?;
        let sql = "SELECT verified = 0, first_message, forwarded, octet_length(told)
                   FROM backed_up_keys WHERE version = ?1 AND room_id = ?2 AND session = ?3";
        let place = params![self.backup.version, room.as_str(), session];
        let before: Option<(bool, i64, i64, i64)> = find(tx.conn, sql, place, tuple)?;
        let rank = key.rank();
        if let Some((is_unverified, first_message, forwarded, bytes)) = before {
            if rank >= (Rank { is_unverified, first_message, forwarded }) {
                return Ok(());
            }
            self.backup.bytes -= bytes;
        } else {
            self.backup.keys += 1;
        }
        let sql = "INSERT INTO backed_up_keys
                   (version, room_id, session, verified, first_message, forwarded, told)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                   ON CONFLICT (version, room_id, session) DO UPDATE
                   SET verified = ?4, first_message = ?5, forwarded = ?6, told = ?7";
        let Rank { is_unverified, first_message, forwarded } = rank;
        let version = self.backup.version;
        let row = params![
            version,
            room.as_str(),
            session,
            !is_unverified,
            first_message,
            forwarded,
            told
        ];
        tx.execute(sql, row)?;
        self.backup.bytes += number(told.len());
        self.is_changed = true;
        Ok(())
    }

    fn finish(mut self, tx: &Tx<'_>, me: &Caller) -> Result<Value> {
        if self.is_changed {
            self.backup.keep(tx)?;
            make_room(tx, me, self.backup.version)?;
        }
        Ok(self.backup.tell())
    }
}

/// Keeps the user within their budget: nobody adds to older versions any more, so they go first.
fn make_room(tx: &Tx<'_>, me: &Caller, newest: i64) -> Result<()> {
    let sql = "SELECT SUM(keys), SUM(bytes), MIN(version) FROM key_backups WHERE user = ?1";
    loop {
        let found = find(tx.conn, sql, [me.id()], tuple)?;
        let (keys, bytes, oldest): (i64, i64, i64) = found.unwrap_or_default();
        match BACKED_UP_KEYS.check_all(me, (keys, bytes)) {
            Err(_) if oldest < newest => remove(tx, oldest)?,
            outcome => return outcome,
        }
    }
}

/// Takes keys out of any version: all, those of a room, or that of one session.
fn delete(
    tx: &Tx<'_>,
    me: &Caller,
    version: &str,
    room: Option<&RoomId>,
    session: Option<&str>,
) -> Result<Value> {
    let mut backup = Tally::get(tx.conn, me.id(), version)?;
    let (conn, version) = (tx.conn, backup.version);
    let gone: Vec<i64> = match (room.map(RoomId::as_str), session) {
        (Some(room), Some(session)) => {
            let sql =
                "DELETE FROM backed_up_keys WHERE version = ?1 AND room_id = ?2 AND session = ?3
                       RETURNING octet_length(told)";
            list(conn, sql, params![version, room, session], |row| row.get(0))?
        }
        (Some(room), None) => {
            let sql = "DELETE FROM backed_up_keys WHERE version = ?1 AND room_id = ?2
                       RETURNING octet_length(told)";
            list(conn, sql, params![version, room], |row| row.get(0))?
        }
        (None, _) => {
            let sql = "DELETE FROM backed_up_keys WHERE version = ?1 RETURNING octet_length(told)";
            list(conn, sql, [version], |row| row.get(0))?
        }
    };
    if !gone.is_empty() {
        backup.keys -= number(gone.len());
        backup.bytes -= gone.iter().sum::<i64>();
        backup.keep(tx)?;
    }
    Ok(backup.tell())
}
