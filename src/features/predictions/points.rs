//! Points go into predictions, and what of them was counted: a stretch of an event's predictions at a time, as whoever
//! settles the event asks for it.

use crate::features::events::{EventId, Score};
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::Result;

use super::{Rules, points_store as store};

pub use super::points_store::{PaidRow, WouldEarnRow};

/// Predictions of one event, by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    pub event: EventId,
    /// The first one is after this, the last one is `end`.
    pub after: i64,
    pub end: i64,
}

/// By what the predictions of an event are settled. Without a result they are unsettled.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    pub result: Option<(Score, Score)>,
    /// The event's outcome; 0 without a result.
    pub version: i64,
    pub rules: Rules,
    pub start_time: Timestamp,
}

/// The next of an event's predictions, at most so many; nothing at the end.
pub fn next_stretch(tx: &mut Tx, event: EventId, after: i64, most: i64) -> Result<Option<Stretch>> {
    let end = store::find_end(tx, event, after, most)?;
    Ok(end.map(|end| Stretch { event, after, end }))
}

/// Holds a stretch until the end of the transaction, for events that still take predictions.
pub fn hold_stretch(tx: &mut Tx, stretch: Stretch) -> Result<()> {
    store::lock(tx, stretch)
}

/// Gives a stretch the points that it should have; answers how many predictions had others.
pub fn settle_points(tx: &mut Tx, stretch: Stretch, to: &Target) -> Result<u64> {
    store::update_points(tx, stretch, to)
}

/// What a stretch has earned is in the standings from here on; or, if it was taken out, nothing of it is.
pub fn mark_counted(tx: &mut Tx, stretch: Stretch, is_counting: bool) -> Result<()> {
    store::update_counted(tx, stretch, is_counting)
}

/// How many of an event's predictions would earn how much, without writing anything.
pub fn would_pay(tx: &mut Tx, event: EventId, to: &Target) -> Result<Vec<PaidRow>> {
    store::list_would_pay(tx, Stretch { event, after: 0, end: i64::MAX }, to)
}

/// The same for the predictions of a stretch, one by one.
pub fn would_earn(tx: &mut Tx, stretch: Stretch, to: &Target) -> Result<Vec<WouldEarnRow>> {
    store::list_would_earn(tx, stretch, to)
}
