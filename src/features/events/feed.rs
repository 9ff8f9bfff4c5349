//! What the live stream tells: one row for each thing worth telling, in the order of the commits.

use serde::Serialize;

use crate::app::App;
use crate::platform::clock::{DAY_MS, HOUR_MS};
use crate::platform::db::{Tx, enum_column, params, row};
use crate::platform::error::Result;
use crate::platform::jobs::{self, Job, Next, Running};

use super::EventId;

/// The channel on which nodes tell each other that there is something new; the payload is the row's id.
pub const CHANNEL: &str = "events";
/// How long a client may be away and still resume where it was.
const KEPT_MS: i64 = DAY_MS;

pub const FORGET_FEED: jobs::Kind =
    jobs::Kind { name: "forget_event_feed", every_ms: Some(HOUR_MS), run: forget };

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FeedKind {
    Status,
    Score,
    Predictions,
    Settlement,
}

enum_column!(FeedKind {
    Status = "status",
    Score = "score",
    Predictions = "predictions",
    Settlement = "settlement",
});

/// Tells the live stream of every node, if and when this transaction commits.
///
/// The next announcement waits for that commit, so this is the last thing a script does and nothing for every write of a hot
/// path. `data` is an object and should name the event as `event_id`.
pub fn announce(
    tx: &mut Tx,
    event: EventId,
    kind: FeedKind,
    data: &serde_json::Value,
) -> Result<()> {
    let id: i64 = tx.one(
        "UPDATE event_feed_head SET last_id = last_id + 1 WHERE id = 1 RETURNING last_id",
        params![],
    )?;
    let now = tx.now();
    tx.exec(
        "INSERT INTO event_feed (id, event_id, kind, data, created_at) VALUES ($1, $2, $3, $4, $5)",
        params![id, event, kind, data.to_string(), now],
    )?;
    tx.notify(CHANNEL, &id.to_string())
}

row! {
    /// What was told.
    #[derive(Debug, Clone)]
    pub struct FeedRow {
        pub id: i64,
        pub event_id: EventId,
        pub kind: FeedKind,
        /// JSON.
        pub data: String,
    }
}

/// What was told after this id, oldest first; no later id is missing between those answered.
pub fn list_feed(tx: &mut Tx, after: i64, most: i64) -> Result<Vec<FeedRow>> {
    tx.all(
        "SELECT id, event_id, kind, data FROM event_feed WHERE id > $1 ORDER BY id LIMIT $2",
        params![after, most],
    )
}

fn forget(app: App, _: Job) -> Running {
    Box::pin(async move {
        let forget = |tx: &mut Tx| {
            let before = tx.now().plus_ms(-KEPT_MS);
            tx.exec("DELETE FROM event_feed WHERE created_at <= $1", params![before])
        };
        app.db.write(forget).await?;
        Ok(Next::Done)
    })
}

impl FeedKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Score => "score",
            Self::Predictions => "predictions",
            Self::Settlement => "settlement",
        }
    }
}

/// The newest row's id, and the oldest that is still kept.
pub fn kept_ids(tx: &mut Tx) -> Result<(i64, Option<i64>)> {
    let last = tx.one("SELECT last_id FROM event_feed_head WHERE id = 1", params![])?;
    let first = tx.one("SELECT min(id) FROM event_feed", params![])?;
    Ok((last, first))
}
