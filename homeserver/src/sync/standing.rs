//! How a device stands: what its last answer found out about its user, so that the next one need not find it out again.
//!
//! Owns: what is remembered of each device.
//! Invariants: it holds only while the user's version is the one from before it was read, and for whoever was told everything up
//! to it; it has a size and a count.
//! Never: outlives a change of anything that is the user's own.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use ruma::OwnedUserId;
use ruma::api::client::filter::FilterDefinition;
use ruma::api::client::sync::sync_events::v3::Filter;

use super::build::Ask;
use crate::budget::{STANDING_CHANGES, STANDING_ROOMS, STANDING_TOLD, STANDINGS};
use crate::live::lock;
use crate::unread::RoomCounts;
use crate::visibility::View;

/// Where a device names no filter.
static EVERYTHING: LazyLock<FilterDefinition> = LazyLock::new(FilterDefinition::default);

/// What was found out about the user in one room.
#[derive(Clone)]
pub struct Seen {
    /// The position at which it was so.
    pub upto: i64,
    pub view: Arc<View>,
    /// By the default rules.
    pub counts: RoomCounts,
}

#[derive(Clone)]
pub struct Standing {
    /// The user's, from before any of this was read.
    pub version: u64,
    /// The position up to which the device was told everything.
    pub upto: i64,
    /// The rooms that the user is in.
    pub rooms: Arc<[i64]>,
    /// Those of them that were told lately, the latest last.
    pub seen: Vec<(i64, Seen)>,
    /// The stored filter that the device named.
    pub filter: Option<(String, Arc<FilterDefinition>)>,
    /// The last fields of an answer, as JSON.
    pub keys: Arc<str>,
}

impl Standing {
    /// None if it would be too large.
    pub fn check(self) -> Option<Self> {
        (self.rooms.len() <= STANDING_ROOMS).then_some(self)
    }

    pub fn find(&self, room: i64) -> Option<&Seen> {
        self.seen.iter().find(|(key, _)| *key == room).map(|(_, seen)| seen)
    }

    /// The filter that a device asks by, if it is known without the database.
    pub fn filter<'f>(&'f self, asked: Option<&'f Filter>) -> Option<&'f FilterDefinition> {
        match asked {
            Some(Filter::FilterDefinition(definition)) => Some(definition),
            Some(Filter::FilterId(id)) => {
                let known = self.filter.as_ref().filter(|(known, _)| known == id);
                known.map(|(_, definition)| &**definition)
            }
            _ => Some(&EVERYTHING),
        }
    }
}

/// Keeps what was found out about one more room, and forgets the one told longest ago if that is too many.
pub fn keep_newest(all: &mut Vec<(i64, Seen)>, room: i64, seen: Seen) {
    all.retain(|(key, _)| *key != room);
    if all.len() >= STANDING_TOLD {
        all.remove(0);
    }
    if seen.view.changes() <= STANDING_CHANGES && seen.counts.threads() <= STANDING_CHANGES {
        all.push((room, seen));
    }
}

/// By user and device.
#[derive(Default)]
pub struct Standings(Mutex<HashMap<(OwnedUserId, String), Arc<Standing>>>);

impl Standings {
    pub fn find(&self, ask: &Ask) -> Option<Arc<Standing>> {
        lock(&self.0).get(&key(ask)?).cloned()
    }

    /// Takes the place of the one before, whose rooms it goes on knowing if the user is as before.
    pub fn keep(&self, ask: &Ask, mut standing: Standing) {
        let Some(key) = key(ask) else { return };
        let mut all = lock(&self.0);
        if let Some(before) = all.get(&key)
            && before.version == standing.version
        {
            let told = std::mem::replace(&mut standing.seen, before.seen.clone());
            for (room, seen) in told {
                keep_newest(&mut standing.seen, room, seen);
            }
        }
        if all.len() >= STANDINGS && !all.contains_key(&key) {
            all.clear();
        }
        all.insert(key, Arc::new(standing));
    }
}

/// None for the application service, which has no device.
fn key(ask: &Ask) -> Option<(OwnedUserId, String)> {
    Some((ask.me.user.clone(), ask.me.device.clone()?))
}
