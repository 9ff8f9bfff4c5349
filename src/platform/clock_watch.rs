//! That this node's clock agrees with the database's, by which all nodes go.
//!
//! Owns: the comparison every two seconds, and who is told of it.
//! Invariants: a clock that is set is noticed at once, by whoever asks [`Clock::is_off`](super::clock::Clock::is_off); one that runs
//! wrong, with the next look.
//! Never: sets a clock.

use std::time::Duration;

use super::core::Core;
use super::gauge::set_gauge;

const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Compares until the service is to end, and says when the clocks part and when they agree again.
pub async fn watch(core: &Core) {
    let mut was_off = false;
    loop {
        if let Some(difference_ms) = core.clock.difference_ms() {
            set_gauge(&metrics::gauge!("touchline_clock_difference_ms"), difference_ms);
            let is_off = core.clock.is_off();
            if is_off && !was_off {
                tracing::error!(difference_ms, "this node's clock is off, so it is not ready");
            } else if was_off && !is_off {
                tracing::info!(difference_ms, "this node's clock is right again");
            }
            was_off = is_off;
        }
        if core.stop.run_until_cancelled(tokio::time::sleep(LOOK_EVERY)).await.is_none() {
            return;
        }
        if let Err(error) = core.db.compare_clock().await {
            tracing::debug!(%error, "the clock could not be compared");
        }
    }
}
