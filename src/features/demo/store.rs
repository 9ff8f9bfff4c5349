//! The one row of `demo_progress`.

use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;

row! {
    /// How far the league of a seed has got.
    #[derive(Debug, Clone, Copy)]
    pub struct ProgressRow {
        pub seed: i64,
        /// Matches are in the catalogue that kick off before this.
        pub known: Timestamp,
        pub played: Timestamp,
        pub predicted: Timestamp,
    }
}

pub fn find_progress(tx: &mut Tx) -> Result<Option<ProgressRow>> {
    tx.opt(
        "SELECT seed, fixtures_until, played_until, predicted_until FROM demo_progress WHERE id = 1",
        params![],
    )
}

/// The same, made if need be and held, so that two nodes never take the same step.
pub fn hold_progress(tx: &mut Tx, seed: i64) -> Result<ProgressRow> {
    let never = Timestamp::from_millis(0);
    tx.exec(
        "INSERT INTO demo_progress (id, seed, fixtures_until, played_until, predicted_until) VALUES (1, $1, $2, $2, $2)
         ON CONFLICT (id) DO NOTHING",
        params![seed, never],
    )?;
    let row: ProgressRow = tx.one(
        "SELECT seed, fixtures_until, played_until, predicted_until FROM demo_progress WHERE id = 1 FOR UPDATE",
        params![],
    )?;
    let is_same = row.seed == seed;
    Ok(if is_same {
        row
    } else {
        ProgressRow { seed, known: never, played: never, predicted: never }
    })
}

pub fn update_progress(tx: &mut Tx, progress: ProgressRow) -> Result<u64> {
    let ProgressRow { seed, known, played, predicted } = progress;
    tx.exec(
        "UPDATE demo_progress SET seed = $1, fixtures_until = $2, played_until = $3, predicted_until = $4 WHERE id = 1",
        params![seed, known, played, predicted],
    )
}
