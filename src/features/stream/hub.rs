//! One reader of the announcements per node, many listeners, and the latest of them for those who come back.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
/// Announcements that a listener takes from memory at once.
const AT_ONCE: usize = 200;
/// Announcements that are kept in memory: some hundred bytes each, and an hour of a Saturday.
const KEPT: usize = 4_096;
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

/// Announcements on their way to those who listen, and the latest of them for those who come back.
pub struct Hub {
    sender: broadcast::Sender<Arc<Item>>,
    latest: Mutex<Latest>,
}

/// What was announced lately, oldest first.
#[derive(Default)]
struct Latest {
    items: VecDeque<Arc<Item>>,
    /// Everything that came after this was kept; nothing is known before the first look.
    from: Option<i64>,
}

impl Latest {
    fn add(&mut self, item: Arc<Item>) {
        self.items.push_back(item);
        if self.items.len() > KEPT {
            self.from = self.items.pop_front().map(|gone| gone.id).or(self.from);
        }
    }
}

impl Hub {
    pub fn new() -> Self {
        Self { sender: broadcast::Sender::new(BEHIND), latest: Mutex::default() }
    }

    pub fn subscribe(&self) -> broadcast::Receiver<Arc<Item>> {
        self.sender.subscribe()
    }

    /// Whether everything that was announced after this is in memory, or still to be told to those who listen.
    pub fn has_all_after(&self, id: i64) -> bool {
        self.lock().from.is_some_and(|from| id >= from)
    }

    /// The first of what was announced after this, as far as it is known here; none if some of it is not in memory.
    pub fn list_after(&self, id: i64) -> Option<Vec<Arc<Item>>> {
        let latest = self.lock();
        latest.from.filter(|from| id >= *from)?;
        let first = latest.items.partition_point(|item| item.id <= id);
        Some(latest.items.range(first..).take(AT_ONCE).cloned().collect())
    }

    /// Sound even if a holder of the lock panicked: an item is there or not.
    fn lock(&self) -> MutexGuard<'_, Latest> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Tells everything after `last_id`; at the start only remembers what is there.
    async fn catch_up(&self, core: &Core, last_id: Option<i64>) -> Result<i64> {
        let Some(mut last_id) = last_id else { return self.begin(core).await };
        loop {
            let rows =
                core.db.lookup(move |tx| events::list_announcements(tx, last_id, PIECE)).await?;
            let Some(newest) = rows.last() else { return Ok(last_id) };
            last_id = newest.id;
            for row in rows {
                let item: Arc<Item> = Arc::new(row.into());
                // First, so that whoever listens from now on finds it in one of the two.
                self.lock().add(Arc::clone(&item));
                // An error means that nobody listens at the moment.
                let _ = self.sender.send(item);
            }
        }
    }

    /// Reads the latest announcements for those who come back, to this node from another one or after its restart.
    async fn begin(&self, core: &Core) -> Result<i64> {
        let (newest, oldest) = core.db.lookup(events::kept_ids).await?;
        let from = newest.saturating_sub(i64::try_from(KEPT).unwrap_or(i64::MAX));
        let from = oldest.map_or(newest, |oldest| oldest - 1).max(from);
        let (mut latest, mut last_id) = (Latest { items: VecDeque::new(), from: Some(from) }, from);
        loop {
            let rows =
                core.db.lookup(move |tx| events::list_announcements(tx, last_id, PIECE)).await?;
            let Some(newest) = rows.last() else { break };
            last_id = newest.id;
            for row in rows {
                latest.add(Arc::new(row.into()));
            }
        }
        *self.lock() = latest;
        Ok(last_id)
    }
}
