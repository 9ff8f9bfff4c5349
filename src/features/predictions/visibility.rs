//! Whose predictions somebody may see. Counts are for everybody; with `visibility = "after_kick_off"` the predictions themselves
//! are for whoever made them, until the match has begun.

use crate::features::events::{self, EventId, Status};
use crate::features::users::UserId;
use crate::platform::config::Visibility;
use crate::platform::db::Tx;
use crate::platform::error::Result;

use super::PredictionFilter;

/// Of no user.
const NOBODY: UserId = UserId(0);

/// Whether only a caller's own predictions on the event may be shown to them now. An error if there is no such event.
pub fn is_own_only(tx: &mut Tx, visibility: Visibility, event: EventId) -> Result<bool> {
    if visibility == Visibility::Always {
        return Ok(false);
    }
    let event = events::get(tx, event)?;
    // Also a void match's: it may be played after all.
    Ok(event.status == Status::Scheduled && tx.deadline_now()? < event.closes_at())
}

/// What somebody sees of an event's predictions: which are counted, and which are listed.
#[derive(Debug, Clone, Copy)]
pub struct Sight {
    pub counted: PredictionFilter,
    pub listed: PredictionFilter,
}

impl Sight {
    pub const fn whole(filter: PredictionFilter) -> Self {
        Self { counted: filter, listed: filter }
    }

    /// Only the caller's own are listed, and nobody else's are counted by themselves, which would tell them.
    pub fn own_only(caller: UserId, filter: PredictionFilter) -> Self {
        match filter.user {
            None => {
                Self { counted: filter, listed: PredictionFilter { user: Some(caller), ..filter } }
            }
            Some(user) if user == caller => Self::whole(filter),
            Some(_) => Self::whole(PredictionFilter { user: Some(NOBODY), ..filter }),
        }
    }

    /// Whether all that is counted is listed, so that every caller sees the same.
    pub fn is_whole(&self) -> bool {
        self.counted == self.listed
    }
}
