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
use crate::features::predictions::Earned;
use crate::features::sessions::User;
use crate::features::stream::LiveStream;
use crate::features::users::UserId;
use crate::platform::clock::random_below;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::places::Place;

use super::hub::Item;
use super::own::{self, Newest};
use super::position::{LastId, Own, Position};
use super::watch::Watching;

const PIECE: i64 = 200;
const SHORTEST_RETRY: Duration = Duration::from_secs(1);
const RETRY_SPREAD: Duration = Duration::from_secs(2);
const HEARTBEAT: Bytes = Bytes::from_static(b": still here\n\n");
/// What the client missed is no longer kept: it should load afresh what it shows.
const RESET: Bytes = Bytes::from_static(b"event: reset\ndata: {}\n\n");

pub struct Listener {
    stream: LiveStream,
    user: UserId,
    items: broadcast::Receiver<Arc<Item>>,
    only: Option<EventId>,
    ready: VecDeque<Bytes>,
    /// The newest of everything that was sent or passed over; nothing up to it is sent again.
    position: Position,
    /// What may not have been told yet: of matches, and of the user's own.
    is_catching_up: (bool, bool),
    ends_at: Instant,
    /// When a sign of life is due if nothing else is sent.
    heartbeat_at: Instant,
    watching: Watching,
    _places: [Place; 2],
}

impl Listener {
    /// Begins to listen now; with `after`, first tells what came after that.
    pub async fn open(
        stream: &LiveStream,
        listener: User,
        places: [Place; 2],
        only: Option<EventId>,
        after: Option<LastId>,
    ) -> Result<Self> {
        let (items, watching) = (stream.hub.subscribe(), stream.watch.begin(listener));
        let newest = stream.newest.ask(Newest(listener.id)).await?;
        let (position, has_missed) = match after {
            Some(after) => resume(stream, listener.id, newest, after).await?,
            None => (newest, false),
        };
        let mut ready = VecDeque::from([hello(position)]);
        if has_missed {
            ready.push_back(RESET);
        }
        let now = Instant::now();
        Ok(Self {
            stream: stream.clone(),
            user: listener.id,
            items,
            only,
            ready,
            position,
            is_catching_up: (
                position.matches != newest.matches,
                only.is_none() && position.own != newest.own,
            ),
            ends_at: now + longest(stream.config.stream.longest_minutes),
            heartbeat_at: now,
            watching,
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
                let heartbeat = Duration::from_secs(self.stream.config.stream.heartbeat_s);
                self.heartbeat_at = Instant::now() + heartbeat;
                return Ok(Some(frame));
            }
            match self.is_catching_up {
                (true, _) => self.catch_up().await?,
                (false, true) => self.catch_up_own().await?,
                (false, false) => {
                    if !self.wait().await? {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// Waits for something to tell; answers whether the stream goes on.
    async fn wait(&mut self) -> Result<bool> {
        let (stop, end) = (self.stream.core.stop.clone(), self.watching.end());
        tokio::select! {
            item = self.items.recv() => match item {
                Ok(item) => self.take(&item).await?,
                Err(RecvError::Lagged(_) | RecvError::Closed) => return Ok(false),
            },
            newest = self.watching.own_news(), if self.only.is_none() => {
                let Own { coins, rooms } = self.position.own;
                self.is_catching_up.1 = newest.coins > coins || newest.rooms > rooms;
            }
            () = sleep_until(self.heartbeat_at) => self.ready.push_back(HEARTBEAT),
            () = sleep_until(self.ends_at) => return Ok(false),
            () = end.cancelled() => return Ok(false),
            () = stop.cancelled() => return Ok(false),
        }
        Ok(true)
    }

    async fn catch_up(&mut self) -> Result<()> {
        let after = self.position.matches;
        let items = match self.stream.hub.list_after(after) {
            Some(latest) => latest,
            None => {
                let list = move |tx: &mut Tx| events::list_announcements(tx, after, PIECE);
                let rows = self.stream.db.lookup(list).await?;
                rows.into_iter().map(|row| Arc::new(row.into())).collect()
            }
        };
        self.is_catching_up.0 = !items.is_empty();
        for item in items {
            self.take(&item).await?;
        }
        Ok(())
    }

    async fn catch_up_own(&mut self) -> Result<()> {
        let (user, from) = (self.user, self.position);
        let news = self.stream.db.lookup(move |tx| own::list_after(tx, user, from)).await?;
        self.is_catching_up.1 = !news.is_empty();
        for (at, told) in news {
            self.position = at;
            self.ready.push_back(told.frame(at).into());
        }
        Ok(())
    }

    async fn take(&mut self, item: &Item) -> Result<()> {
        if item.id <= self.position.matches {
            return Ok(());
        }
        if self.only.is_none_or(|only| only == item.event_id) {
            let own = self.own_frame(item).await?;
            self.position.matches = item.id;
            self.ready.push_back((own + &item.told.frame(self.position)).into());
        }
        self.position.matches = item.id;
        Ok(())
    }

    /// What a settlement made of the listener's own prediction, if they made one. It goes before the settlement, under the id of what
    /// was told before: whoever is cut off between the two hears both again.
    async fn own_frame(&self, item: &Item) -> Result<String> {
        let Some(settlement) = &item.settlement else { return Ok(String::new()) };
        let earned = self.stream.earned.ask(Earned(self.user, item.event_id)).await?;
        let told = earned.map(|earned| own::earned(item.event_id, settlement, &earned));
        Ok(told.map(|told| told.frame(self.position)).unwrap_or_default())
    }
}

/// How long a stream lasts: not all that began together, as after a restart, end together.
pub fn longest(minutes: u64) -> Duration {
    let half = Duration::from_secs(30 * minutes);
    half + random_part(half)
}

/// Sent at once, so that a client knows that it is connected, where it begins, should it lose the connection before any news, and how long
/// to wait before coming back, which is not as long for all.
fn hello(position: Position) -> Bytes {
    format!("id: {position}\nretry: {}\n\n", retry().as_millis()).into()
}

pub fn retry() -> Duration {
    SHORTEST_RETRY + random_part(RETRY_SPREAD)
}

fn random_part(whole: Duration) -> Duration {
    Duration::from_millis(random_below(u64::try_from(whole.as_millis()).unwrap_or(u64::MAX)))
}

/// From where a listener who was there is told, and whether something between is no longer kept. Whoever missed nothing of their own, and
/// nothing else that is not in memory, costs no statement here: after a restart of something, thousands come back at once.
async fn resume(
    stream: &LiveStream,
    user: UserId,
    newest: Position,
    after: LastId,
) -> Result<(Position, bool)> {
    let is_gone = if stream.hub.has_all_after(after.matches) {
        false
    } else {
        match stream.db.lookup(events::kept_ids).await?.1 {
            Some(oldest) => after.matches < oldest.saturating_sub(1),
            None => after.matches < newest.matches,
        }
    };
    let (own, is_own_gone) = match after.own {
        Some(was) if was != newest.own => {
            stream.db.lookup(move |tx| own::resume(tx, user, newest.own, was)).await?
        }
        _ => (newest.own, false),
    };
    Ok((Position { matches: after.matches.min(newest.matches), own }, is_gone || is_own_gone))
}
