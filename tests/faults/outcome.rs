//! What came of a fault: a line of the table.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::load::{Fate, Load};

/// What is promised of a machine that does nothing else.
pub const PROMISED: Duration = Duration::from_secs(2);
/// Beyond this it is a failure on any machine; in between the table says that it took longer than promised.
pub const LONGEST: Duration = Duration::from_secs(10);

#[derive(Default)]
pub struct Outcome {
    pub times: u32,
    pub requests: u64,
    pub acknowledged: u64,
    pub lost: u64,
    pub doubled: u64,
    pub phantom: u64,
    pub kinds: BTreeMap<String, u64>,
    pub healthy: Option<Duration>,
    pub problems: Vec<String>,
    /// What the control showed, and other figures.
    pub note: String,
    pub skipped: Option<String>,
}

impl Outcome {
    pub fn skipped(why: &str) -> Self {
        Self { skipped: Some(why.to_owned()), ..Self::default() }
    }

    pub fn problem(&mut self, sentence: String) {
        // The first few tell the story.
        if self.problems.len() < 8 {
            self.problems.push(sentence);
        }
    }

    pub fn require(&mut self, holds: bool, sentence: impl FnOnce() -> String) {
        if !holds {
            self.problem(sentence());
        }
    }

    /// One request against how often its effect is found.
    pub fn compare(&mut self, key: &str, fate: Fate, found: usize) {
        let excess = u64::try_from(found.saturating_sub(1)).unwrap();
        match (fate, found) {
            (Fate::Acknowledged, 0) => {
                self.lost += 1;
                self.problem(format!("{key} was acknowledged and is lost"));
            }
            (Fate::Refused, 1..) => {
                self.phantom += 1;
                self.problem(format!("{key} was refused and is there"));
            }
            _ => self.doubled += excess,
        }
    }

    /// A check covers all that happened before it, so what it finds replaces what the one before it found.
    pub fn take_check(&mut self, check: Self) {
        self.lost = self.lost.max(check.lost);
        self.doubled = self.doubled.max(check.doubled);
        self.phantom = self.phantom.max(check.phantom);
        check.problems.into_iter().for_each(|problem| self.problem(problem));
    }

    pub fn healed(&mut self, took: Duration) {
        self.healthy = Some(self.healthy.unwrap_or_default().max(took));
    }

    pub fn note(&mut self, sentence: &str) {
        if !self.note.is_empty() {
            self.note += "; ";
        }
        self.note += sentence;
    }

    /// Takes over what clients saw.
    pub fn take_record(&mut self, load: &Load) {
        self.acknowledged += load.acknowledged();
        let mut record = load.record();
        self.requests += record.requests;
        for (kind, count) in &record.failures {
            *self.kinds.entry(kind.clone()).or_default() += count;
        }
        for sentence in std::mem::take(&mut record.wrong) {
            self.problem(sentence);
        }
    }

    pub fn is_good(&self) -> bool {
        self.problems.is_empty()
            && self.lost + self.doubled + self.phantom == 0
            && self.healthy.is_none_or(|took| took < LONGEST)
            && !self.kinds.keys().any(|kind| kind.starts_with("500"))
    }

    pub fn verdict(&self) -> &'static str {
        match (&self.skipped, self.is_good()) {
            (Some(_), _) => "skipped",
            (None, true) if self.healthy.is_some_and(|took| took > PROMISED) => "pass (slow)",
            (None, true) => "pass",
            (None, false) => "FAIL",
        }
    }
}
