//! The predictions that a room shows.

use crate::features::chat::{self, RoomId};
use crate::features::events::EventId;
use crate::features::predictions::{self, ListedRow, PredictionFilter, PredictionTotals};
use crate::features::users::UserId;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::page::Page;

/// Whose predictions on which match a room shows.
#[derive(Debug, Clone)]
pub enum Shown {
    /// A room without a match shows none.
    Nothing,
    /// The match's own room: everybody's.
    Everybody(EventId),
    Members(EventId, Vec<UserId>),
}

impl Shown {
    /// By a room that the user may read.
    pub fn by(tx: &mut Tx, user: UserId, room: &RoomId) -> Result<Self> {
        let room = chat::room_for_reading(tx, user, room)?;
        Ok(match room.event_id {
            None => Self::Nothing,
            Some(event) if room.is_event_room => Self::Everybody(event),
            Some(event) => Self::Members(event, chat::list_member_ids(tx, &room)?),
        })
    }
}

pub fn totals(tx: &mut Tx, shown: &Shown) -> Result<PredictionTotals> {
    match shown {
        Shown::Nothing => Ok(PredictionTotals::default()),
        Shown::Everybody(event) => predictions::totals(tx, *event, PredictionFilter::default()),
        Shown::Members(event, members) => predictions::totals_among(tx, *event, members),
    }
}

/// Visits the predictions, all or a page of them.
pub fn walk(
    tx: &mut Tx,
    shown: &Shown,
    page: Option<Page>,
    visit: impl FnMut(ListedRow) -> Result<()>,
) -> Result<()> {
    match shown {
        Shown::Nothing => Ok(()),
        Shown::Everybody(event) => {
            predictions::walk(tx, *event, PredictionFilter::default(), page, visit)
        }
        Shown::Members(event, members) => predictions::walk_among(tx, *event, members, page, visit),
    }
}
