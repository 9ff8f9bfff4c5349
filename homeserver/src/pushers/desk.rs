//! What is to be told to whom, and from when on: in memory, for a restart finds it out anew.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

const RETRY_MIN: Duration = Duration::from_secs(1);
const RETRY_MAX: Duration = Duration::from_secs(60 * 60);

#[derive(Default)]
pub struct Desk {
    /// The rooms in which something came, by pusher.
    news: HashMap<i64, BTreeSet<i64>>,
    /// From when on a pusher may be told something again.
    rested: HashMap<i64, Instant>,
    /// How often a gateway failed in a row, and when it is asked again.
    failing: HashMap<String, (u32, Instant)>,
}

impl Desk {
    pub fn add(&mut self, pusher: i64, rooms: impl IntoIterator<Item = i64>) {
        self.news.entry(pusher).or_default().extend(rooms);
    }

    /// Some of those that may be told now.
    pub fn take_due(&mut self, now: Instant, most: usize) -> Vec<(i64, BTreeSet<i64>)> {
        self.rested.retain(|_, until| *until > now);
        let due: Vec<i64> = self
            .news
            .keys()
            .filter(|id| !self.rested.contains_key(id))
            .take(most)
            .copied()
            .collect();
        due.into_iter().filter_map(|id| Some((id, self.news.remove(&id)?))).collect()
    }

    /// When the next of those that wait may be told.
    pub fn next_due(&self) -> Option<Instant> {
        self.news.keys().filter_map(|id| self.rested.get(id).copied()).min()
    }

    pub fn rest(&mut self, pusher: i64, now: Instant, pause: Duration) {
        self.rested.insert(pusher, now + pause);
    }

    /// The gateways that failed and are not to be asked yet, with until when.
    pub fn left_alone(&self, now: Instant) -> HashMap<String, Instant> {
        let waiting = self.failing.iter().filter(|(_, (_, until))| *until > now);
        waiting.map(|(gateway, (_, until))| (gateway.clone(), *until)).collect()
    }

    pub fn gateway_took(&mut self, gateway: &str) {
        self.failing.remove(gateway);
    }

    /// Answers when the gateway is asked again.
    pub fn gateway_failed(&mut self, gateway: &str, now: Instant) -> Instant {
        let (times, until) = self.failing.get(gateway).copied().unwrap_or((0, now));
        if until > now {
            // Another one of the same round.
            return until;
        }
        let pause = RETRY_MIN.saturating_mul(1 << times.min(12)).min(RETRY_MAX);
        self.failing.insert(gateway.to_owned(), (times.saturating_add(1), now + pause));
        now + pause
    }

    /// Has a pusher wait with what it was to be told.
    pub fn put_back(&mut self, pusher: i64, rooms: BTreeSet<i64>, until: Instant) {
        self.add(pusher, rooms);
        self.rested.insert(pusher, until);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_while_a_pusher_rests_is_told_together() {
        let (mut desk, start) = (Desk::default(), Instant::now());
        desk.add(1, [10]);
        assert_eq!(desk.take_due(start, 9), [(1, BTreeSet::from([10]))]);
        let rest = Duration::from_secs(3);
        desk.rest(1, start, rest);
        desk.add(1, [10]);
        desk.add(1, [11]);
        assert_eq!(desk.take_due(start, 9), []);
        let next = desk.next_due().unwrap();
        assert_eq!(next, start + rest);
        assert_eq!(desk.take_due(next, 9), [(1, BTreeSet::from([10, 11]))]);
    }

    #[test]
    fn a_gateway_that_fails_is_left_alone_for_longer_each_time_and_no_longer_once_it_takes_something()
     {
        let (mut desk, mut now) = (Desk::default(), Instant::now());
        for seconds in [1, 2, 4, 8] {
            let again = desk.gateway_failed("g", now);
            assert_eq!(again, now + Duration::from_secs(seconds));
            assert_eq!(desk.gateway_failed("g", now), again, "two of one round are one failure");
            assert_eq!(desk.left_alone(now), HashMap::from([("g".to_owned(), again)]));
            now = again;
            assert_eq!(desk.left_alone(now), HashMap::new());
        }
        desk.gateway_took("g");
        assert_eq!(desk.gateway_failed("g", now), now + RETRY_MIN);
        for _ in 0..40 {
            now = desk.gateway_failed("g", now);
        }
        assert_eq!(desk.gateway_failed("g", now), now + RETRY_MAX);
    }
}
