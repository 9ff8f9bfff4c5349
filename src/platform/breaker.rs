//! Passing over another service that keeps failing, so that requests do not wait for it one by one.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Closed while all is well; open, letting nobody through, after too many failures in a row; then one trial at a time.
/// Each node has its own.
#[derive(Debug)]
pub struct Breaker {
    most_failures: u32,
    pause: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    failures: u32,
    /// When the next trial may go; none while closed.
    trial_at: Option<Instant>,
}

impl Breaker {
    pub fn new(most_failures: u32, pause: Duration) -> Self {
        Self { most_failures, pause, state: Mutex::default() }
    }

    /// Whether to try the service now. While open, a yes is the one trial, and its outcome must be told.
    pub fn admits(&self, now: Instant) -> bool {
        let mut state = self.state();
        match state.trial_at {
            None => true,
            Some(at) if now < at => false,
            Some(_) => {
                // The next trial is due a pause after this one, so one whose caller went away blocks nothing for good.
                state.trial_at = Some(now + self.pause);
                true
            }
        }
    }

    pub fn is_closed(&self) -> bool {
        self.state().trial_at.is_none()
    }

    /// True if this closed the breaker.
    pub fn succeed(&self) -> bool {
        std::mem::take(&mut *self.state()).trial_at.is_some()
    }

    /// True if this opened the breaker.
    pub fn fail(&self, now: Instant) -> bool {
        let mut state = self.state();
        state.failures = state.failures.saturating_add(1);
        if state.failures < self.most_failures {
            return false;
        }
        state.trial_at.replace(now + self.pause).is_none()
    }

    /// The state is two plain values, sound even if a holder of the lock panicked.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Duration = Duration::from_secs(30);

    /// A breaker that its third failure has opened, and when.
    fn opened() -> (Breaker, Instant) {
        let (breaker, now) = (Breaker::new(3, PAUSE), Instant::now());
        assert_eq!([(); 3].map(|()| breaker.fail(now)), [false, false, true]);
        (breaker, now)
    }

    #[test]
    fn fewer_failures_in_a_row_than_the_limit_leave_it_closed() {
        let (breaker, now) = (Breaker::new(3, PAUSE), Instant::now());
        for _ in 0..2 {
            breaker.fail(now);
            breaker.fail(now);
            assert!(breaker.is_closed() && breaker.admits(now));
            breaker.succeed();
        }
    }

    #[test]
    fn an_open_breaker_admits_nobody_until_the_pause_is_over_and_then_one_trial() {
        let (breaker, now) = opened();
        assert!(!breaker.admits(now));
        assert!(!breaker.admits(now + PAUSE - Duration::from_millis(1)));
        assert_eq!([(); 3].map(|()| breaker.admits(now + PAUSE)), [true, false, false]);
        // A trial that is never reported makes way for another.
        assert!(breaker.admits(now + PAUSE + PAUSE));
    }

    #[test]
    fn a_trial_that_succeeds_closes_it() {
        let (breaker, now) = opened();
        assert!(breaker.admits(now + PAUSE));
        assert!(breaker.succeed());
        assert!(breaker.admits(now + PAUSE) && breaker.admits(now + PAUSE));
    }

    #[test]
    fn a_trial_that_fails_opens_it_for_another_pause() {
        let (breaker, now) = opened();
        assert!(breaker.admits(now + PAUSE));
        let failed_at = now + PAUSE + Duration::from_secs(5);
        assert!(!breaker.fail(failed_at), "it was open already");
        assert!(!breaker.admits(failed_at + PAUSE - Duration::from_millis(1)));
        assert!(breaker.admits(failed_at + PAUSE));
    }
}
