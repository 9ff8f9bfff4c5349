//! Waking a crowd: where many wait for one room they are woken in turn, so many at a time.
//!
//! Owns: who is due to be woken, and how many of those who were are making their answers.
//! Invariants: whoever is due is woken or has left; a place is given on when its holder has made an answer, had nothing to tell,
//! or left, whichever comes first; somebody is due once, however much happens meanwhile: their one answer tells all of it.
//! Never: holds up whoever is told something of their own, or waits for a room of a few.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

use crate::live::lock;

/// More than these waiting for one room are a crowd.
const CROWD: usize = 32;
/// Answers that a crowd makes at once. Enough to keep all processors busy; few enough that a message which somebody sends
/// meanwhile waits for these and not for a thousand.
const PLACES: usize = 128;

/// How somebody who waits is woken. What is noted here is looked at and changed by whoever has the line locked.
#[derive(Default)]
pub struct Signal {
    pub news: Notify,
    is_due: AtomicBool,
    holds_place: AtomicBool,
    has_left: AtomicBool,
}

#[derive(Default)]
pub struct Waves(Mutex<Line>);

#[derive(Default)]
struct Line {
    due: VecDeque<Arc<Signal>>,
    taken: usize,
}

impl Waves {
    pub fn wake<'s>(&self, waiting: impl ExactSizeIterator<Item = &'s Arc<Signal>>) {
        if waiting.len() <= CROWD {
            waiting.for_each(|signal| signal.news.notify_one());
            return;
        }
        let mut line = lock(&self.0);
        for signal in waiting {
            if !signal.is_due.swap(true, Ordering::Relaxed) {
                line.due.push_back(signal.clone());
            }
        }
        line.advance();
    }

    /// Somebody goes back to waiting.
    pub fn rest(&self, signal: &Signal) {
        lock(&self.0).give_on(signal);
    }

    pub fn leave(&self, signal: &Signal) {
        let mut line = lock(&self.0);
        signal.has_left.store(true, Ordering::Relaxed);
        line.give_on(signal);
    }
}

impl Line {
    fn give_on(&mut self, signal: &Signal) {
        if signal.holds_place.swap(false, Ordering::Relaxed) {
            self.taken -= 1;
            self.advance();
        }
    }

    fn advance(&mut self) {
        while self.taken < PLACES
            && let Some(next) = self.due.pop_front()
        {
            next.is_due.store(false, Ordering::Relaxed);
            if next.has_left.load(Ordering::Relaxed) {
                continue;
            }
            if !next.holds_place.swap(true, Ordering::Relaxed) {
                self.taken += 1;
            }
            next.news.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn is_woken(signal: &Signal) -> bool {
        let news = pin!(signal.news.notified());
        news.poll(&mut Context::from_waker(Waker::noop())) == Poll::Ready(())
    }

    fn crowd(count: usize) -> Vec<Arc<Signal>> {
        (0..count).map(|_| Arc::default()).collect()
    }

    fn woken(crowd: &[Arc<Signal>]) -> Vec<Arc<Signal>> {
        crowd.iter().filter(|signal| is_woken(signal)).cloned().collect()
    }

    #[test]
    fn a_few_are_woken_at_once_and_a_crowd_in_turn_each_of_it_once() {
        let waves = Waves::default();
        let few = crowd(CROWD);
        waves.wake(few.iter());
        assert_eq!(woken(&few).len(), CROWD);
        let many = crowd(3 * PLACES);
        waves.wake(many.iter());
        let mut first = woken(&many);
        assert_eq!(first.len(), PLACES);
        // More that happens meanwhile wakes nobody beyond the places, and nobody who is due a second time.
        let due: Vec<_> =
            many.iter().filter(|one| !first.iter().any(|taken| Arc::ptr_eq(taken, one))).collect();
        waves.wake(due.into_iter());
        assert_eq!(woken(&many).len(), 0);
        let mut all = 0;
        while !first.is_empty() {
            all += first.len();
            // Half of them go back to waiting, the others leave with their answers.
            for (nth, signal) in first.iter().enumerate() {
                if nth % 2 == 0 { waves.rest(signal) } else { waves.leave(signal) }
            }
            first = woken(&many);
        }
        assert_eq!(all, many.len());
    }

    #[test]
    fn whoever_leaves_while_due_keeps_no_place() {
        let waves = Waves::default();
        let many = crowd(2 * PLACES);
        waves.wake(many.iter());
        for signal in &many {
            waves.leave(signal);
        }
        let line = lock(&waves.0);
        assert_eq!((line.taken, line.due.len()), (0, 0));
    }
}
