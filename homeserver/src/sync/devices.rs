//! Whose devices a client has to look at again, and whose it can forget.
//!
//! Only encrypted rooms count: a client needs nobody's keys for the others, and a public room of
//! thousands must not make everybody fetch everybody's devices.

use std::collections::BTreeSet;

use ruma::api::client::sync::sync_events::DeviceLists;
use ruma::{OwnedUserId, UserId};
use rusqlite::{Connection, params};

use crate::error::{Error, Result};
use crate::store::{exists, list};

/// The encrypted rooms that `m` (the caller, `?1`) is in.
const MINE: &str = "FROM members m JOIN rooms r ON r.room = m.room AND r.encrypted = 1
                    JOIN members o ON o.room = m.room
                    WHERE m.user = ?1 AND m.membership = 'join'";

pub fn changes(conn: &Connection, user: &str, since: i64, upto: i64) -> Result<DeviceLists> {
    let range = params![user, since, upto];
    let strings = |sql: &str| -> Result<BTreeSet<String>> {
        Ok(list(conn, sql, range, |row| row.get(0))?.into_iter().collect())
    };
    // New keys: of the user, or of somebody in an encrypted room with the user.
    let mut changed =
        strings("SELECT user FROM key_changes WHERE user = ?1 AND seq > ?2 AND seq <= ?3")?;
    changed.extend(strings(&format!(
        "SELECT DISTINCT o.user {MINE} AND o.membership = 'join' AND EXISTS
           (SELECT 1 FROM key_changes k WHERE k.user = o.user AND k.seq > ?2 AND k.seq <= ?3)"
    ))?);
    // New company: somebody joined, or the user did, or the room became encrypted.
    changed.extend(strings(&format!(
        "SELECT DISTINCT o.user {MINE} AND o.membership = 'join' AND o.user <> ?1
           AND ((o.seq > ?2 AND o.seq <= ?3) OR (m.seq > ?2 AND m.seq <= ?3) OR EXISTS
             (SELECT 1 FROM state s WHERE s.room = m.room AND s.type = 'm.room.encryption'
                AND s.state_key = '' AND s.seq > ?2 AND s.seq <= ?3))"
    ))?);
    // Gone: from a room of the user's, or the user from theirs, and no room left in common.
    let gone = strings(&format!(
        "SELECT DISTINCT o.user {MINE} AND o.membership IN ('leave', 'ban')
           AND o.seq > ?2 AND o.seq <= ?3
         UNION SELECT DISTINCT o.user FROM members m
           JOIN rooms r ON r.room = m.room AND r.encrypted = 1
           JOIN members o ON o.room = m.room AND o.membership = 'join'
           WHERE m.user = ?1 AND m.membership IN ('leave', 'ban') AND m.seq > ?2 AND m.seq <= ?3"
    ))?;
    let mut left = BTreeSet::new();
    for other in gone.into_iter().filter(|other| other != user) {
        let sql = format!("SELECT 1 {MINE} AND o.user = ?2 AND o.membership = 'join' LIMIT 1");
        if !exists(conn, &sql, params![user, other])? {
            left.insert(other);
        }
    }
    changed.retain(|other| !left.contains(other));
    let ids = |users: BTreeSet<String>| -> Result<Vec<OwnedUserId>> {
        users.into_iter().map(|user| UserId::parse(user).map_err(Error::internal)).collect()
    };
    let mut lists = DeviceLists::new();
    (lists.changed, lists.left) = (ids(changed)?, ids(left)?);
    Ok(lists)
}
