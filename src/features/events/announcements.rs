//! Announcements: what the live stream and the webhooks tell. One row of `event_feed` for each thing worth telling, in the order
//! of the commits.

use serde::Serialize;

use crate::features::events::Events;
use crate::platform::clock::{DAY_MS, HOUR_MS};
use crate::platform::db::{Tx, enum_column};
use crate::platform::error::Result;
use crate::platform::jobs::{Next, Stop, job};

use super::{EventId, store};

/// The channel on which nodes tell each other that there is something new; the payload is the row's id.
pub const ANNOUNCEMENTS_CHANNEL: &str = "events";
/// How long a client may be away and still resume where it was.
const KEPT_MS: i64 = DAY_MS;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AnnouncementKind {
    Status,
    Score,
    Predictions,
    Settlement,
}

enum_column!(AnnouncementKind {
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
    kind: AnnouncementKind,
    data: &serde_json::Value,
) -> Result<()> {
    let id = store::take_announcement_id(tx)?;
    store::insert_announcement(tx, id, event, kind, &data.to_string())?;
    tx.notify(ANNOUNCEMENTS_CHANNEL, &id.to_string())
}

job! {
    pub struct ForgetAnnouncements;
    kind: "forget_event_feed", lane: Local, every: HOUR_MS, run: forget_announcements(Events)
}

async fn forget_announcements(_: ForgetAnnouncements, events: Events, stop: Stop) -> Result<Next> {
    let forget = |tx: &mut Tx, most| {
        let before = tx.now().plus_ms(-KEPT_MS);
        store::delete_announcements_before(tx, before, most)
    };
    events.db.delete_in_batches(&stop, forget).await?;
    Ok(Next::Done)
}

impl AnnouncementKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Score => "score",
            Self::Predictions => "predictions",
            Self::Settlement => "settlement",
        }
    }
}

/// The id of the newest.
pub fn last_announced(tx: &mut Tx) -> Result<i64> {
    store::last_announcement_id(tx)
}

/// The newest row's id, and the oldest that is still kept.
pub fn kept_ids(tx: &mut Tx) -> Result<(i64, Option<i64>)> {
    Ok((store::last_announcement_id(tx)?, store::first_kept_announcement_id(tx)?))
}
