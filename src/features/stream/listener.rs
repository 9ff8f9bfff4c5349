//! One listener: first what it missed, then what happens.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::Stream;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, sleep_until};

use crate::features::events::{self, EventId};
use crate::features::sessions::SessionId;
use crate::features::stream::LiveStream;
use crate::platform::core::Core;
use crate::platform::error::Result;
use crate::platform::http::places::Place;

use super::hub::Item;
use super::watch::Watching;

const PIECE: i64 = 200;
const HEARTBEAT: Bytes = Bytes::from_static(b": still here\n\n");
/// Sent at once, so that a client knows it is connected; it tells it how long to wait before coming back.
const HELLO: Bytes = Bytes::from_static(b"retry: 2000\n\n");
/// What the client missed is no longer kept: it should load afresh what it shows.
const RESET: Bytes = Bytes::from_static(b"event: reset\ndata: {}\n\n");

pub struct Listener {
    core: Core,
    items: broadcast::Receiver<Arc<Item>>,
    only: Option<EventId>,
    ready: VecDeque<Bytes>,
    /// The newest item that was sent or passed over; nothing up to it is sent again.
    last_id: i64,
    is_catching_up: bool,
    ends_at: Instant,
    heartbeat: Duration,
    watching: Watching,
    _places: [Place; 2],
}

impl Listener {
    /// Begins to listen now; with `after`, first tells what came after that item.
    pub async fn open(
        stream: &LiveStream,
        session: SessionId,
        places: [Place; 2],
        only: Option<EventId>,
        after: Option<i64>,
    ) -> Result<Self> {
        let items = stream.hub.subscribe();
        let (newest, oldest) = stream.db.lookup(events::kept_ids).await?;
        let mut ready = VecDeque::from([HELLO]);
        let is_gone = |after: i64| match oldest {
            Some(oldest) => after < oldest.saturating_sub(1),
            None => after < newest,
        };
        if after.is_some_and(is_gone) {
            ready.push_back(RESET);
        }
        let settings = &stream.config.stream;
        Ok(Self {
            core: stream.core.clone(),
            items,
            only,
            ready,
            last_id: after.unwrap_or(newest).min(newest),
            is_catching_up: after.is_some(),
            ends_at: Instant::now() + Duration::from_secs(60 * settings.longest_minutes),
            heartbeat: Duration::from_secs(settings.heartbeat_s),
            watching: stream.watch.begin(session),
            _places: places,
        })
    }

    /// The bytes to send. It ends when the listener is too slow, has listened long enough, is no longer in, or the service stops; a client that
    /// comes back with its last id misses nothing.
    pub fn frames(self) -> impl Stream<Item = Result<Bytes>> {
        futures_util::stream::unfold(self, |mut this| async move {
            let frame = this.next().await.transpose()?;
            Some((frame, this))
        })
    }

    async fn next(&mut self) -> Result<Option<Bytes>> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Ok(Some(frame));
            }
            if self.is_catching_up {
                self.catch_up().await?;
                continue;
            }
            tokio::select! {
                item = self.items.recv() => match item {
                    Ok(item) => self.take(&item),
                    Err(RecvError::Lagged(_) | RecvError::Closed) => return Ok(None),
                },
                () = tokio::time::sleep(self.heartbeat) => return Ok(Some(HEARTBEAT)),
                () = sleep_until(self.ends_at) => return Ok(None),
                () = self.watching.ended() => return Ok(None),
                () = self.core.stop.cancelled() => return Ok(None),
            }
        }
    }

    async fn catch_up(&mut self) -> Result<()> {
        let after = self.last_id;
        let rows =
            self.core.db.lookup(move |tx| events::list_announcements(tx, after, PIECE)).await?;
        self.is_catching_up = !rows.is_empty();
        for row in rows {
            self.take(&row.into());
        }
        Ok(())
    }

    fn take(&mut self, item: &Item) {
        if item.id > self.last_id {
            self.last_id = item.id;
            if self.only.is_none_or(|only| only == item.event_id) {
                self.ready.push_back(item.frame.clone());
            }
        }
    }
}
