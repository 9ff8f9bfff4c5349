//! A part of the outside world that is taken away for a while on purpose, so that a team sees how its app takes it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tokio::time::Instant;

static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Ends by itself. Each node has its own.
#[derive(Debug, Clone, Default)]
pub struct Outage {
    until_ms: Arc<AtomicU64>,
}

impl Outage {
    /// From now on and for so long; a time that is running is replaced, and none ends it.
    pub fn begin(&self, lasting: Duration) {
        let until = if lasting.is_zero() { 0 } else { now_ms().saturating_add(millis(lasting)) };
        self.until_ms.store(until, Ordering::Relaxed);
    }

    pub fn is_on(&self) -> bool {
        match self.until_ms.load(Ordering::Relaxed) {
            // Every call passes here: without an outage the clock is not asked.
            0 => false,
            until => now_ms() < until,
        }
    }
}

fn now_ms() -> u64 {
    millis(BEGAN.elapsed())
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_is_seen_by_all_who_share_it_and_ends_by_itself() {
        let outage = Outage::default();
        let elsewhere = outage.clone();
        assert!(!elsewhere.is_on());
        outage.begin(Duration::from_hours(1));
        assert!(elsewhere.is_on());
        outage.begin(Duration::from_millis(1));
        while elsewhere.is_on() {
            std::thread::yield_now();
        }
        outage.begin(Duration::from_hours(1));
        outage.begin(Duration::ZERO);
        assert!(!elsewhere.is_on());
    }
}
