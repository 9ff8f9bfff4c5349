//! The `event_feed` and `event_feed_head` tables: what was announced.

use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;

use super::{AnnouncementKind, EventId};

row! {
    /// What was told.
    #[derive(Debug, Clone)]
    pub struct AnnouncementRow {
        pub id: i64,
        pub event_id: EventId,
        pub kind: AnnouncementKind,
        /// JSON.
        pub data: String,
    }
}

/// The next id. Whoever asks after this waits for this transaction, so ids are committed in their order.
pub fn take_id(tx: &mut Tx) -> Result<i64> {
    tx.one(
        "UPDATE event_feed_head SET last_id = last_id + 1 WHERE id = 1 RETURNING last_id",
        params![],
    )
}

pub fn insert(
    tx: &mut Tx,
    id: i64,
    event: EventId,
    kind: AnnouncementKind,
    data: &str,
) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "INSERT INTO event_feed (id, event_id, kind, data, created_at) VALUES ($1, $2, $3, $4, $5)",
        params![id, event, kind, data, now],
    )
}

pub fn list_after(tx: &mut Tx, after: i64, most: i64) -> Result<Vec<AnnouncementRow>> {
    tx.all(
        "SELECT id, event_id, kind, data FROM event_feed WHERE id > $1 ORDER BY id LIMIT $2",
        params![after, most],
    )
}

pub fn last_id(tx: &mut Tx) -> Result<i64> {
    tx.one("SELECT last_id FROM event_feed_head WHERE id = 1", params![])
}

pub fn first_kept_id(tx: &mut Tx) -> Result<Option<i64>> {
    tx.one("SELECT min(id) FROM event_feed", params![])
}

pub fn delete_before(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    tx.exec("DELETE FROM event_feed WHERE created_at <= $1", params![before])
}
