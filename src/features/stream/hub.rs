//! One reader of the announcements per node, many listeners.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use tokio::sync::broadcast;

use crate::features::events::{self, AnnouncementKind, AnnouncementRow, EventId};
use crate::platform::core::Core;
use crate::platform::error::Result;

use super::position::Position;

/// A listener this far behind is cut off: it reads too slowly to be worth the memory.
const BEHIND: usize = 256;
const PIECE: i64 = 200;
/// A notice can be lost with its connection; they are looked for this often in any case.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// A thing to tell, already in the form in which it is sent but for its id: where a listener is when it was told.
#[derive(Debug)]
pub struct Told(String);

impl Told {
    /// Under this name, with data that is JSON of one line.
    pub fn new(name: &str, data: &str) -> Self {
        Self(format!("event: {name}\ndata: {data}\n\n"))
    }

    pub fn frame(&self, at: Position) -> String {
        format!("id: {at}\n{}", self.0)
    }
}

/// What was announced of a match.
#[derive(Debug)]
pub struct Item {
    pub id: i64,
    pub event_id: EventId,
    pub told: Told,
    /// How far the match's settlement is, if that is what was announced: every listener's own prediction then has news too.
    pub settlement: Option<String>,
}

impl From<AnnouncementRow> for Item {
    fn from(row: AnnouncementRow) -> Self {
        #[derive(Deserialize)]
        struct Settled {
            settlement: String,
        }
        let settled = (row.kind == AnnouncementKind::Settlement)
            .then(|| serde_json::from_str::<Settled>(&row.data).ok());
        Self {
            id: row.id,
            event_id: row.event_id,
            told: Told::new(row.kind.name(), &row.data),
            settlement: settled.flatten().map(|settled| settled.settlement),
        }
    }
}

pub struct Hub(broadcast::Sender<Arc<Item>>);

impl Hub {
    pub fn new() -> Self {
        Self(broadcast::Sender::new(BEHIND))
    }

    pub fn subscribe(&self) -> broadcast::Receiver<Arc<Item>> {
        self.0.subscribe()
    }

    /// Follows the announcements until the stop signal.
    pub async fn follow(&self, core: &Core) {
        let mut notices = core.db.listen(events::ANNOUNCEMENTS_CHANNEL);
        let mut last_id = None;
        loop {
            match self.catch_up(core, last_id).await {
                Ok(id) => last_id = Some(id),
                Err(error) => tracing::warn!(error = %error, "the announcements could not be read"),
            }
            tokio::select! {
                () = core.stop.cancelled() => return,
                _ = notices.recv() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
        }
    }

    /// Tells everything after `last_id`; at the start only finds out which the newest is.
    async fn catch_up(&self, core: &Core, last_id: Option<i64>) -> Result<i64> {
        let Some(mut last_id) = last_id else {
            return Ok(core.db.lookup(events::kept_ids).await?.0);
        };
        loop {
            let rows =
                core.db.lookup(move |tx| events::list_announcements(tx, last_id, PIECE)).await?;
            let Some(newest) = rows.last() else { return Ok(last_id) };
            last_id = newest.id;
            for row in rows {
                // An error means that nobody listens at the moment.
                let _ = self.0.send(Arc::new(row.into()));
            }
        }
    }
}
