//! What was asked in which minute of the day, how long it took, and how it ended.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::{MINUTE, locked};
use crate::figures::{Rounds, millis};

/// What fans wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    LogIn,
    /// What a node has in memory or finds by its key.
    Read,
    /// What replicas answer.
    List,
    Predict,
    Spend,
    Stream,
    /// From the operator's call until a fan hears of it.
    Goal,
    /// From the operator's call until a fan hears what their prediction earned.
    Settled,
}

pub const KINDS: [(Kind, &str); 8] = [
    (Kind::LogIn, "log in, a call of it"),
    (Kind::Read, "matches, a match, my account, my coins"),
    (Kind::List, "my predictions, leaderboard, statistics, history of coins"),
    (Kind::Predict, "predict"),
    (Kind::Spend, "spend coins"),
    (Kind::Stream, "open a stream"),
    (Kind::Goal, "hear of a goal"),
    (Kind::Settled, "hear what a prediction earned, from the whistle on"),
];

/// What fans hear without asking.
const HEARD: [Kind; 2] = [Kind::Goal, Kind::Settled];

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Answered,
    /// Come back later: 429 or 503.
    Refused,
    /// No answer, as from a node that is gone.
    Lost,
    /// Anything that no client should ever be told.
    Broken,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    minute: i64,
    kind: Kind,
    ending: Ending,
    took_ms: f64,
}

#[derive(Debug)]
pub struct Diary {
    kick_off: Instant,
    entries: Mutex<Vec<Entry>>,
    /// What should not have been answered, in words; the first few of it.
    broken: Mutex<Vec<String>>,
    /// How often which code was the reason to come later.
    refusals: Mutex<BTreeMap<String, usize>>,
}

const MOST_WORDS: usize = 20;

impl Diary {
    pub fn new(kick_off: Instant) -> Self {
        Self {
            kick_off,
            entries: Mutex::default(),
            broken: Mutex::default(),
            refusals: Mutex::default(),
        }
    }

    /// Before kick-off they are negative.
    pub fn minute_of(&self, at: Instant) -> i64 {
        let (since, minute) = (at.checked_duration_since(self.kick_off), MINUTE.as_millis());
        let whole = |time: Duration| i64::try_from(time.as_millis() / minute).unwrap_or(0);
        since.map_or_else(|| -1 - whole(self.kick_off.duration_since(at)), whole)
    }

    /// When a minute of the day begins.
    pub fn at(&self, minute: f64) -> Instant {
        let away = MINUTE.mul_f64(minute.abs());
        if minute < 0.0 {
            self.kick_off.checked_sub(away).unwrap_or(self.kick_off)
        } else {
            self.kick_off + away
        }
    }

    pub fn note(&self, kind: Kind, began: Instant, ending: Ending) {
        let entry =
            Entry { minute: self.minute_of(began), kind, ending, took_ms: millis(began.elapsed()) };
        locked(&self.entries).push(entry);
    }

    pub fn note_broken(&self, what: String) {
        let mut broken = locked(&self.broken);
        if broken.len() < MOST_WORDS {
            broken.push(what);
        }
    }

    pub fn note_refusal(&self, code: &str) {
        *locked(&self.refusals).entry(code.to_owned()).or_default() += 1;
    }

    pub fn refusals(&self) -> BTreeMap<String, usize> {
        locked(&self.refusals).clone()
    }

    pub fn broken(&self) -> Vec<String> {
        locked(&self.broken).clone()
    }

    /// How long those took that were answered, of these kinds and in these minutes.
    pub fn waits(&self, kinds: &[Kind], minutes: impl Fn(i64) -> bool) -> Rounds {
        let mut waits = Rounds::default();
        let entries = locked(&self.entries);
        let answered = entries.iter().filter(|entry| entry.ending == Ending::Answered);
        for entry in answered.filter(|entry| kinds.contains(&entry.kind) && minutes(entry.minute)) {
            waits.push(entry.took_ms);
        }
        waits
    }

    pub fn count(&self, ending: Option<Ending>, minutes: impl Fn(i64) -> bool) -> usize {
        let entries = locked(&self.entries);
        let asked = entries.iter().filter(|entry| !HEARD.contains(&entry.kind));
        asked
            .filter(|entry| ending.is_none_or(|it| it == entry.ending) && minutes(entry.minute))
            .count()
    }
}
