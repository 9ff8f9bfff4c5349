//! Telling other parts, and other nodes, that something changed.
//!
//! On SQLite there is one process, so a notice goes straight to its listeners after the commit. On
//! PostgreSQL it travels by NOTIFY, and one connection of this process listens for all of them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::broadcast;

/// The payload that listeners get whenever listening has (re)started on PostgreSQL: notices sent
/// before may have been missed, so whatever they keep up to date is to be read afresh.
pub const RESTARTED: &str = "";

/// A listener that is further behind than this is told so (`RecvError::Lagged`).
const BACKLOG: usize = 1024;

pub(super) struct Notice {
    pub(super) channel: &'static str,
    pub(super) payload: String,
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
