//! What a user's settled predictions say about them.

use crate::features::predictions;
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, row};
use crate::platform::error::Result;

use super::boards::{Board, Period, find_board};
use super::runs::{self, Runs};
use super::store;

row! {
    /// How often somebody who was so sure was right; decile 9 is 90 to 100 percent.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Calibration {
        pub decile: i64,
        pub settled: i64,
        pub correct: i64,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statistics {
    /// All predictions, settled or not.
    pub predictions: i64,
    pub settled: i64,
    pub correct: i64,
    pub exact: i64,
    pub points: i64,
    /// The sum of the squared errors, in ten-thousandths.
    pub brier: i64,
    /// None if they have to be refreshed first, which is a write.
    pub runs: Option<Runs>,
    pub calibration: Vec<Calibration>,
}

pub fn statistics(tx: &mut Tx, user: UserId) -> Result<Statistics> {
    let everything = Board::at(None, Period::All, Timestamp::from_millis(0), 1);
    let standing = match find_board(tx, everything)? {
        Some(board) => store::find_standing(tx, board, user)?,
        None => None,
    }
    .unwrap_or_default();
    Ok(Statistics {
        predictions: predictions::count_of_user(tx, user)?,
        settled: standing.settled,
        correct: standing.correct,
        exact: standing.exact,
        points: standing.points,
        brier: standing.brier,
        runs: runs::find(tx, user)?,
        calibration: store::list_calibration(tx, user)?,
    })
}

/// Walks the user's runs anew.
pub fn refresh_runs(tx: &mut Tx, user: UserId) -> Result<Runs> {
    runs::refresh(tx, user)
}
