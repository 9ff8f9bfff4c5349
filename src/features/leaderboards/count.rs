//! Counting settled predictions into the standings and statistics, a stretch at a time.
//!
//! A prediction remembers what of it was counted, so counting adds the difference between that and what it is now. A
//! corrected, voided or moved match needs nothing else than to be counted again.

use crate::features::predictions::Stretch;
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};

use super::boards::BoardId;
use super::count_store as store;
use super::tip_store::{self, TipStretch};

/// What of which predictions is counted, and into what.
#[derive(Debug, Clone, Copy)]
pub struct Counting<'a> {
    pub stretch: Stretch,
    /// The event's kick-off.
    pub start_time: Timestamp,
    /// False: takes out what was counted.
    pub is_counting: bool,
    /// The boards' ids as a JSON list.
    pub boards: &'a str,
    /// Whether places are counted too. Those of large events are counted anew at the end, which is faster.
    pub counts_places: bool,
}

/// Counts what changed. Whoever counts holds the lock of all boards until the end of the transaction, because users are in
/// many boards and two events would take their rows in different orders. The caller then marks the predictions as counted.
pub fn count(tx: &mut Tx, counting: &Counting<'_>) -> Result<()> {
    store::lock(tx)?;
    if counting.counts_places {
        store::count_places(tx, counting, -1)?;
    }
    store::count_standings(tx, counting)?;
    store::delete_empty_standings(tx, counting)?;
    if counting.counts_places {
        store::count_places(tx, counting, 1)?;
        store::delete_empty_places(tx, counting.boards)?;
    }
    store::count_calibration(tx, counting)?;
    store::count_runs(tx, counting)
}

/// Counts the places of the first of the boards after this one anew; nothing if there is none left.
pub fn recount_next(tx: &mut Tx, boards: &str, after: i64) -> Result<Option<i64>> {
    let boards: Vec<i64> = serde_json::from_str(boards).map_err(Error::internal)?;
    let Some(board) = boards.into_iter().find(|board| *board > after) else { return Ok(None) };
    store::lock(tx)?;
    store::recount(tx, BoardId(board))?;
    Ok(Some(board))
}

/// Counts what special tips earn otherwise than was counted, under the same lock. The caller then marks them as counted.
pub fn count_tips(
    tx: &mut Tx,
    stretch: TipStretch,
    boards: &str,
    counts_places: bool,
) -> Result<()> {
    store::lock(tx)?;
    if counts_places {
        tip_store::count_places(tx, stretch, boards, -1)?;
    }
    tip_store::count_standings(tx, stretch, boards)?;
    tip_store::delete_empty_standings(tx, stretch, boards)?;
    if counts_places {
        tip_store::count_places(tx, stretch, boards, 1)?;
        store::delete_empty_places(tx, boards)?;
    }
    Ok(())
}
