//! What is shared in memory: who waits for what, who is typing, how far the stream is published.
//!
//! Owns: wake-ups, the places of a device's syncs, typing notices, the published position, room heads, versions of users.
//! Invariants: the published position never exceeds what is committed; a waiter registered before
//! it reads the data cannot miss news.
//! Never: holds anything that a restart may not lose.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use crate::budget::SYNCS_OF_DEVICE;
use crate::wave::{Signal, Waves};

/// Versions that all users share: so many that two users hardly ever meet in one, and few enough to keep.
const VERSIONS: usize = 4_096;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    Room(i64),
    User(String),
    /// Any event at all: what the application service pusher waits for.
    Push,
}

pub struct Live {
    position: AtomicI64,
    /// The position at opening.
    started_at: i64,
    next_waiter: AtomicU64,
    waiters: Mutex<HashMap<Topic, HashMap<u64, Arc<Signal>>>>,
    waves: Waves,
    /// What grows whenever something of a user's own changed, by a hash of the user.
    versions: Vec<AtomicU64>,
    hasher: RandomState,
    /// The position of the newest change in each room: lets a sync skip quiet rooms.
    heads: Mutex<HashMap<i64, i64>>,
    typing: Mutex<Typing>,
    /// The syncs under way of each user's device, the oldest first.
    seats: Mutex<HashMap<Device, BTreeMap<u64, Arc<Ending>>>>,
}

/// A user's id and a device's.
type Device = (String, String);

/// How a sync is told that it is over.
struct Ending {
    is_over: AtomicBool,
    signal: Arc<Signal>,
}

/// A place among a device's syncs, for as long as it is kept.
pub struct Seat {
    live: Arc<Live>,
    device: Device,
    id: u64,
    ending: Arc<Ending>,
}

#[derive(Default)]
struct Typing {
    /// Starts at the time of opening, so that positions grow across restarts too.
    position: i64,
    rooms: HashMap<i64, TypingRoom>,
}

#[derive(Default)]
struct TypingRoom {
    changed_at: i64,
    /// User and when the notice runs out.
    users: BTreeMap<String, i64>,
}

/// Registered interest in some topics; ends when dropped.
pub struct Waiter {
    live: Arc<Live>,
    id: u64,
    topics: Vec<Topic>,
    signal: Arc<Signal>,
}

/// A poisoned lock means that a thread panicked between two plain map operations: the maps are
/// still maps, and the worst outcome is one missed wake-up.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Live {
    pub fn new(now: i64, conn: &Connection) -> rusqlite::Result<Self> {
        let position = conn.query_row("SELECT position FROM stream", [], |row| row.get(0))?;
        Ok(Self {
            position: AtomicI64::new(position),
            started_at: position,
            next_waiter: AtomicU64::new(0),
            waiters: Mutex::default(),
            waves: Waves::default(),
            versions: (0..VERSIONS).map(|_| AtomicU64::new(0)).collect(),
            hasher: RandomState::new(),
            heads: Mutex::default(),
            typing: Mutex::new(Typing { position: now, rooms: HashMap::new() }),
            seats: Mutex::default(),
        })
    }

    pub fn position(&self) -> i64 {
        self.position.load(Ordering::Acquire)
    }

    /// Called by the writer before a commit: whoever reads the new data must not find the room quiet.
    pub fn announce(&self, heads: &BTreeMap<i64, i64>) {
        lock(&self.heads).extend(heads);
    }

    /// Called by the writer after a commit. Whoever reads the position knows the versions that belong to it.
    pub fn publish(&self, position: i64, topics: &BTreeSet<Topic>, touched: &BTreeSet<String>) {
        let woken = topics.iter().filter_map(|topic| match topic {
            Topic::User(user) => Some(user),
            _ => None,
        });
        woken.chain(touched).filter_map(|user| self.version(user)).for_each(|version| {
            version.fetch_add(1, Ordering::AcqRel);
        });
        self.position.store(position, Ordering::Release);
    }

    /// Called by the writer when the position is published.
    pub fn wake_all(&self, rooms_changed: bool, topics: &BTreeSet<Topic>) {
        let push = rooms_changed.then_some(&Topic::Push);
        topics.iter().chain(push).for_each(|topic| self.wake(topic));
    }

    /// Whether `room` may have changed after `since`. A room not touched since the start is unknown
    /// here, so it is reported as changed only to syncs from before the start.
    pub fn changed_since(&self, room: i64, since: i64) -> bool {
        match lock(&self.heads).get(&room) {
            Some(head) => *head > since,
            None => since < self.started_at,
        }
    }

    fn version(&self, user: &str) -> Option<&AtomicU64> {
        let hash = usize::try_from(self.hasher.hash_one(user) % (1 << 31)).unwrap_or_default();
        self.versions.get(hash % VERSIONS)
    }

    /// While it is the same, nothing of the user's own has changed.
    pub fn version_of(&self, user: &str) -> u64 {
        self.version(user).map_or(0, |version| version.load(Ordering::Acquire))
    }

    pub fn wait_on(self: &Arc<Self>, topics: impl IntoIterator<Item = Topic>) -> Waiter {
        let id = self.next_waiter.fetch_add(1, Ordering::Relaxed);
        let signal = Arc::default();
        let mut waiter = Waiter { live: self.clone(), id, topics: Vec::new(), signal };
        waiter.add(topics);
        waiter
    }

    pub fn count_waiters(&self, topic: &Topic) -> usize {
        lock(&self.waiters).get(topic).map_or(0, HashMap::len)
    }

    /// Takes a place among a device's syncs. One too many ends the oldest: its app has most likely lost the connection, and the
    /// new one is what it waits for now.
    pub fn take_seat(self: &Arc<Self>, user: &str, device: &str, waiter: &Waiter) -> Seat {
        let ending = Ending { is_over: AtomicBool::new(false), signal: waiter.signal.clone() };
        let ending = Arc::new(ending);
        let device = (user.to_owned(), device.to_owned());
        let mut seats = lock(&self.seats);
        let taken = seats.entry(device.clone()).or_default();
        taken.insert(waiter.id, ending.clone());
        while taken.len() > SYNCS_OF_DEVICE
            && let Some((_, oldest)) = taken.pop_first()
        {
            oldest.is_over.store(true, Ordering::Release);
            oldest.signal.news.notify_one();
        }
        Seat { live: self.clone(), device, id: waiter.id, ending }
    }

    /// Sets or clears a typing notice; `until` is a time in milliseconds.
    pub fn set_typing(&self, room: i64, user: &str, until: Option<i64>) {
        let mut typing = lock(&self.typing);
        typing.position += 1;
        let position = typing.position;
        let entry = typing.rooms.entry(room).or_default();
        let changed = match until {
            Some(until) => entry.users.insert(user.to_owned(), until).is_none(),
            None => entry.users.remove(user).is_some(),
        };
        if changed {
            entry.changed_at = position;
            drop(typing);
            self.wake(&Topic::Room(room));
        }
    }

    /// Drops a notice that ran out, unless it was renewed in the meantime.
    pub fn expire_typing(&self, room: i64, user: &str, now: i64) {
        let expired = lock(&self.typing)
            .rooms
            .get(&room)
            .and_then(|entry| entry.users.get(user))
            .is_some_and(|until| *until <= now);
        if expired {
            self.set_typing(room, user, None);
        }
    }

    pub fn typing_position(&self) -> i64 {
        lock(&self.typing).position
    }

    /// Who types in `room`, if that changed after `since`.
    pub fn typing_since(&self, room: i64, since: i64) -> Option<Vec<String>> {
        let typing = lock(&self.typing);
        let entry = typing.rooms.get(&room).filter(|entry| entry.changed_at > since)?;
        Some(entry.users.keys().cloned().collect())
    }

    pub fn wake(&self, topic: &Topic) {
        if let Some(waiting) = lock(&self.waiters).get(topic) {
            self.waves.wake(waiting.values());
        }
    }
}

impl Waiter {
    /// Whether any of the topics is new to it.
    pub fn add(&mut self, topics: impl IntoIterator<Item = Topic>) -> bool {
        let mut waiters = lock(&self.live.waiters);
        let before = self.topics.len();
        for topic in topics {
            let entry = waiters.entry(topic.clone()).or_default();
            if entry.insert(self.id, self.signal.clone()).is_none() {
                self.topics.push(topic);
            }
        }
        self.topics.len() > before
    }

    pub async fn news(&self) {
        self.live.waves.rest(&self.signal);
        self.signal.news.notified().await;
    }
}

impl Seat {
    pub fn is_over(&self) -> bool {
        self.ending.is_over.load(Ordering::Acquire)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut seats = lock(&self.live.seats);
        if let Some(taken) = seats.get_mut(&self.device) {
            taken.remove(&self.id);
            if taken.is_empty() {
                seats.remove(&self.device);
            }
        }
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.live.waves.leave(&self.signal);
        let mut waiters = lock(&self.live.waiters);
        for topic in &self.topics {
            if let Some(entry) = waiters.get_mut(topic) {
                entry.remove(&self.id);
                if entry.is_empty() {
                    waiters.remove(topic);
                }
            }
        }
    }
}
