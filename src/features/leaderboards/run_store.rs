//! The `prediction_runs` table, and the predictions and kick-offs that runs are made of.

use crate::features::events::EventId;
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

use super::count::Counting;
use super::count_store::changed;
use super::runs::Runs;

/// Lets runs grow or break by what changed; where that is not the latest of a user's matches, they are stale.
pub fn count(tx: &mut Tx, counting: &Counting<'_>) -> Result<()> {
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
        params![
            counting.stretch.event,
            counting.stretch.after,
            counting.stretch.end,
            counting.is_counting
        ],
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
            counting.stretch.event,
            counting.stretch.after,
            counting.stretch.end,
            counting.is_counting,
            counting.start_time
        ],
    )
    .map(drop)
}

/// A user's runs, and whether they are stale.
pub fn find(tx: &mut Tx, user: UserId) -> Result<Option<(Runs, bool)>> {
    tx.opt(
        "SELECT current_run, best_run, is_stale FROM prediction_runs WHERE user_id = $1",
        params![user],
    )
}

/// Holds a user's runs until the end of the transaction.
pub fn lock(tx: &mut Tx, user: UserId) -> Result<()> {
    tx.opt::<i64>(
        "SELECT user_id FROM prediction_runs WHERE user_id = $1 FOR UPDATE",
        params![user],
    )
    .map(drop)
}

/// A user's counted predictions in the order of kick-off: when, on which match, and what was right.
pub fn each_counted(
    tx: &mut Tx,
    user: UserId,
    visit: impl FnMut((Timestamp, EventId, i64)) -> Result<()>,
) -> Result<()> {
    tx.each(
        "SELECT e.start_time, e.id, p.counted_tier FROM predictions p JOIN events e ON e.id = p.event_id
         WHERE p.user_id = $1 AND p.counted_tier IS NOT NULL ORDER BY e.start_time, e.id",
        params![user],
        visit,
    )
}

/// Stores runs that were walked up to this match.
pub fn update(tx: &mut Tx, user: UserId, runs: Runs, last: (Timestamp, EventId)) -> Result<()> {
    tx.exec(
        "UPDATE prediction_runs SET current_run = $2, best_run = $3, last_start = $4, last_event = $5, is_stale = 0
         WHERE user_id = $1",
        params![user, runs.current, runs.best, last.0, last.1],
    )
    .map(drop)
}
