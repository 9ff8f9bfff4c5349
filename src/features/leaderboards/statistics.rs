//! What a user's settled predictions say about them, and their runs of right outcomes in the order of kick-off.
//!
//! While matches are settled in that order, a run grows or breaks with each. A match settled out of it, or settled again,
//! makes the user's runs stale; they are walked anew when somebody asks for them.

use crate::features::events::EventId;
use crate::features::predictions;
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, row};
use crate::platform::error::Result;

use super::boards::{Board, BoardId, Period};
use super::store::{self, StandingRow};

row! {
    /// How often somebody who was so sure was right; decile 9 is 90 to 100 percent.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Calibration {
        pub decile: i64,
        pub settled: i64,
        pub correct: i64,
    }
}

#[derive(Debug)]
pub struct Statistics {
    /// All predictions, settled or not.
    pub predictions: i64,
    pub standing: StandingRow,
    /// None if they have to be refreshed first, which is a write.
    pub runs: Option<Runs>,
    pub calibration: Vec<Calibration>,
}

pub fn statistics(tx: &mut Tx, user: UserId) -> Result<Statistics> {
    let standing = find_overall(tx, user)?.map(|(_, standing)| standing).unwrap_or_default();
    Ok(Statistics {
        predictions: predictions::count_of_user(tx, user)?,
        standing,
        runs: find_runs(tx, user)?,
        calibration: store::list_calibration(tx, user)?,
    })
}

/// What a user's settled predictions of all time add up to, and on which board; nothing if none is settled.
fn find_overall(tx: &mut Tx, user: UserId) -> Result<Option<(BoardId, StandingRow)>> {
    let everything = Board::at(None, Period::All, Timestamp::from_millis(0), 1);
    let Some(board) = store::find_board(tx, everything)? else { return Ok(None) };
    Ok(store::find_standing(tx, board, user)?.map(|standing| (board, standing)))
}

/// A user's rank on the board of everything and all time, and what they have there; nothing if none of their predictions is
/// settled.
pub fn overall_place(tx: &mut Tx, user: UserId) -> Result<Option<(i64, StandingRow)>> {
    let Some((board, standing)) = find_overall(tx, user)? else { return Ok(None) };
    let rank = store::count_above(tx, board, standing.points)? + 1;
    Ok(Some((rank, standing)))
}

impl StandingRow {
    /// The share of settled predictions with the right outcome, 0 to 1; 0 for none.
    pub fn accuracy(self) -> f64 {
        ratio(self.correct, self.settled)
    }
}

/// Rounded to four places; 0 of nothing.
#[allow(clippy::as_conversions, clippy::cast_precision_loss, reason = "counts are far below 2^53")]
pub fn ratio(part: i64, whole: i64) -> f64 {
    if whole == 0 { 0.0 } else { (part as f64 / whole as f64 * 10_000.0).round() / 10_000.0 }
}

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

/// The user's runs; nothing if they are stale.
fn find_runs(tx: &mut Tx, user: UserId) -> Result<Option<Runs>> {
    Ok(match store::find_runs(tx, user)? {
        Some((runs, is_stale)) => (!is_stale).then_some(runs),
        None => Some(Runs::default()),
    })
}

/// Walks a user's counted predictions and keeps what comes out.
pub fn refresh_runs(tx: &mut Tx, user: UserId) -> Result<Runs> {
    // Held, so that nothing is counted between the walk and its result.
    store::lock_runs(tx, user)?;
    let mut runs = Runs::default();
    let mut last = (Timestamp::from_millis(0), EventId(0));
    store::each_counted(tx, user, |(start, event, tier)| {
        runs.add(tier > 0);
        last = (start, event);
        Ok(())
    })?;
    store::update_runs(tx, user, runs, last)?;
    Ok(runs)
}
