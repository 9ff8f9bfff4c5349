//! Telling other parts, and other nodes, that something changed.
//!
//! On SQLite there is one process, so a notice goes straight to its listeners after the commit. On PostgreSQL it travels by NOTIFY, which
//! one connection of this process listens for and sends: commits that notify would wait for each other, each with its way to the disk.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, broadcast};

/// The payload that listeners get whenever listening has (re)started on PostgreSQL: notices sent
/// before may have been missed, so whatever they keep up to date is to be read afresh.
pub const RESTARTED: &str = "";

/// A listener that is further behind than this is told so (`RecvError::Lagged`).
const BACKLOG: usize = 1024;

/// Notices that wait to be sent while the server is away; who misses more looks now and then.
const MOST_OUTGOING: usize = 1024;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Notice {
    pub(super) channel: &'static str,
    pub(super) payload: String,
}

/// What was committed and is still to be told to all nodes: once, however often it was said meanwhile.
#[derive(Default)]
pub(super) struct Outgoing {
    notices: Mutex<BTreeSet<Notice>>,
    more: Notify,
}

impl Outgoing {
    pub(super) fn add(&self, notices: impl IntoIterator<Item = Notice>) {
        let mut waiting = self.lock();
        for notice in notices {
            if waiting.len() < MOST_OUTGOING {
                waiting.insert(notice);
            }
        }
        self.more.notify_one();
    }

    pub(super) fn take(&self) -> BTreeSet<Notice> {
        std::mem::take(&mut *self.lock())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Until something was added that nobody was told of by this.
    pub(super) async fn more(&self) {
        self.more.notified().await;
    }

    /// Sound even if a holder of the lock panicked: a notice is there or not.
    fn lock(&self) -> MutexGuard<'_, BTreeSet<Notice>> {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is listened to in this process, and by whom.
#[derive(Default)]
pub(super) struct NoticeChannels {
    channels: Mutex<HashMap<&'static str, broadcast::Sender<String>>>,
}

impl NoticeChannels {
    /// A receiver, and whether it is the first one of its channel.
    pub(super) fn listen(&self, channel: &'static str) -> (broadcast::Receiver<String>, bool) {
        let mut channels = self.channels.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = !channels.contains_key(channel);
        let sender = channels.entry(channel).or_insert_with(|| broadcast::Sender::new(BACKLOG));
        (sender.subscribe(), is_new)
    }

    pub(super) fn deliver(&self, channel: &str, payload: &str) {
        let channels = self.channels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = channels.get(channel) {
            // An error means that nobody listens at the moment.
            drop(sender.send(payload.to_owned()));
        }
    }

    pub(super) fn names(&self) -> Vec<&'static str> {
        self.channels.lock().unwrap_or_else(PoisonError::into_inner).keys().copied().collect()
    }
}
