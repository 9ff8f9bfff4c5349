//! What a user's prediction earned: asked in the same moment by everybody who listens when a match is settled.

use crate::features::events::EventId;
use crate::features::users::UserId;
use crate::platform::db::{Tx, Wish, by_position};
use crate::platform::error::Result;

use super::points_store::{self, EarnedRow};

/// What this user's prediction on this event earned, if there is one.
pub struct Earned(pub UserId, pub EventId);

impl Wish for Earned {
    type Granted = Option<EarnedRow>;
    const WRITES: bool = false;

    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<Self::Granted>>> {
        let of: Vec<_> = wishes.iter().map(|Self(user, event)| (*user, *event)).collect();
        let earned = points_store::list_earned(tx, &of)?;
        Ok(by_position(wishes.len(), earned).into_iter().map(Ok).collect())
    }
}
