//! Runs of right outcomes, in the order of kick-off.
//!
//! While matches are settled in that order, a run grows or breaks with each. A match settled out of it, or settled again,
//! makes the user's runs stale; they are walked anew when somebody asks for them.

use crate::features::events::EventId;
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;

use super::count::{Stretch, changed};

row! {
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Runs {
        pub current: i64,
        pub best: i64,
    }
}

impl Runs {
    fn add(&mut self, is_right: bool) {
        self.current = if is_right { self.current + 1 } else { 0 };
        self.best = self.best.max(self.current);
    }
}

pub fn count(tx: &mut Tx, stretch: &Stretch<'_>) -> Result<()> {
    // What was counted before and is right or wrong otherwise now.
    tx.exec(
        concat!(
            "UPDATE prediction_runs SET is_stale = 1 WHERE user_id IN
               (SELECT c.user_id FROM ",
            changed!(),
            " AND c.counted_tier IS NOT NULL
                AND (c.tier IS NULL OR (CASE WHEN c.tier > 0 THEN 1 ELSE 0 END)
                                    <> (CASE WHEN c.counted_tier > 0 THEN 1 ELSE 0 END)))"
        ),
        params![stretch.event, stretch.after, stretch.end, stretch.is_counting],
    )?;
    tx.exec(
        concat!(
            "INSERT INTO prediction_runs (user_id, current_run, best_run, last_start, last_event, is_stale)
             SELECT c.user_id, CASE WHEN c.tier > 0 THEN 1 ELSE 0 END, CASE WHEN c.tier > 0 THEN 1 ELSE 0 END, $5, $1, 0
             FROM ", changed!(), " AND c.counted_tier IS NULL
             ON CONFLICT (user_id) DO UPDATE
             SET is_stale = CASE WHEN prediction_runs.is_stale = 1
                                   OR (excluded.last_start, excluded.last_event)
                                      <= (prediction_runs.last_start, prediction_runs.last_event)
                                 THEN 1 ELSE 0 END,
                 current_run = CASE WHEN excluded.current_run = 1 THEN prediction_runs.current_run + 1 ELSE 0 END,
                 best_run = CASE WHEN excluded.current_run = 1 AND prediction_runs.current_run >= prediction_runs.best_run
                                 THEN prediction_runs.current_run + 1 ELSE prediction_runs.best_run END,
                 last_start = excluded.last_start, last_event = excluded.last_event"
        ),
        params![
            stretch.event,
            stretch.after,
            stretch.end,
            stretch.is_counting,
            stretch.start_time
        ],
    )
    .map(drop)
}

/// The user's runs; nothing if they are stale.
pub fn find(tx: &mut Tx, user: UserId) -> Result<Option<Runs>> {
    let found: Option<(Runs, bool)> = tx.opt(
        "SELECT current_run, best_run, is_stale FROM prediction_runs WHERE user_id = $1",
        params![user],
    )?;
    Ok(match found {
        Some((runs, is_stale)) => (!is_stale).then_some(runs),
        None => Some(Runs::default()),
    })
}

/// Walks a user's counted predictions and keeps what comes out.
pub fn refresh(tx: &mut Tx, user: UserId) -> Result<Runs> {
    // Held, so that nothing is counted between the walk and its result.
    tx.opt::<i64>(
        "SELECT user_id FROM prediction_runs WHERE user_id = $1 FOR UPDATE",
        params![user],
    )?;
    let mut runs = Runs::default();
    let mut last = (Timestamp::from_millis(0), EventId(0));
    tx.each(
        "SELECT e.start_time, e.id, p.counted_tier FROM predictions p JOIN events e ON e.id = p.event_id
         WHERE p.user_id = $1 AND p.counted_tier IS NOT NULL ORDER BY e.start_time, e.id",
        params![user],
        |(start, event, tier): (Timestamp, EventId, i64)| {
            runs.add(tier > 0);
            last = (start, event);
            Ok(())
        },
    )?;
    tx.exec(
        "UPDATE prediction_runs SET current_run = $2, best_run = $3, last_start = $4, last_event = $5, is_stale = 0
         WHERE user_id = $1",
        params![user, runs.current, runs.best, last.0, last.1],
    )?;
    Ok(runs)
}
