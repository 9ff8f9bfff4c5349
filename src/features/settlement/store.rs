//! The `settlements` table: how far each event's settlement is.

use crate::features::events::EventId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, enum_column, params, row};
use crate::platform::error::Result;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Points go into the predictions.
    Points,
    /// What was counted goes out of boards that no longer apply.
    Uncount,
    /// Points go into standings and statistics.
    Count,
    /// The places of large boards are counted anew.
    Recount,
    Done,
}

enum_column!(Phase {
    Points = "points",
    Uncount = "uncount",
    Count = "count",
    Recount = "recount",
    Done = "done",
});

row! {
    #[derive(Debug, Clone)]
    pub struct SettlementRow {
        pub version: i64,
        /// By which predictions were late or not.
        pub start_time: Timestamp,
        pub phase: Phase,
        pub cursor_id: i64,
        pub boards: String,
        /// Boards whose places are to be counted anew although the event is in them no more.
        pub stale_boards: String,
        pub settled_at: Option<Timestamp>,
        pub final_at: Option<Timestamp>,
    }
}

macro_rules! select_settlement {
    ($rest:literal) => {
        concat!(
            "SELECT version, start_time, phase, cursor_id, boards, stale_boards, settled_at, final_at FROM settlements
             WHERE event_id = $1",
            $rest
        )
    };
}

/// The settlement of an event, held until the end of the transaction.
pub fn find_for_update(tx: &mut Tx, event: EventId) -> Result<SettlementRow> {
    tx.exec(
        "INSERT INTO settlements (event_id, version, start_time, phase, cursor_id, boards)
         VALUES ($1, -1, 0, 'done', 0, '[]') ON CONFLICT (event_id) DO NOTHING",
        params![event],
    )?;
    tx.one(select_settlement!(" FOR UPDATE"), params![event])
}

pub fn find(tx: &mut Tx, event: EventId) -> Result<Option<SettlementRow>> {
    tx.opt(select_settlement!(""), params![event])
}

/// Matches whose result is of this stretch of time and is not settled, the oldest first.
pub fn list_unsettled(
    tx: &mut Tx,
    from: Timestamp,
    to: Timestamp,
    most: i64,
) -> Result<Vec<EventId>> {
    tx.all(
        "SELECT e.id FROM events e LEFT JOIN settlements s ON s.event_id = e.id
         WHERE e.result_at >= $1 AND e.result_at < $2 AND e.status = 'finished' AND e.voided_at IS NULL
           AND (s.event_id IS NULL OR s.version <> e.outcome_revision OR s.settled_at IS NULL)
         ORDER BY e.result_at, e.id LIMIT $3",
        params![from, to, most],
    )
}

pub fn update(tx: &mut Tx, event: EventId, row: &SettlementRow) -> Result<()> {
    tx.exec(
        "UPDATE settlements SET version = $2, start_time = $3, phase = $4, cursor_id = $5, boards = $6, stale_boards = $7,
                settled_at = $8, final_at = $9 WHERE event_id = $1",
        params![
            event,
            row.version,
            row.start_time,
            row.phase,
            row.cursor_id,
            row.boards,
            row.stale_boards,
            row.settled_at,
            row.final_at
        ],
    )
    .map(drop)
}
