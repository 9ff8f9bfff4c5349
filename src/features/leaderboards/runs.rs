//! Runs of right outcomes, in the order of kick-off.
//!
//! While matches are settled in that order, a run grows or breaks with each. A match settled out of it, or settled again,
//! makes the user's runs stale; they are walked anew when somebody asks for them.

use crate::features::events::EventId;
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, row};
use crate::platform::error::Result;

use super::run_store as store;

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
pub fn find(tx: &mut Tx, user: UserId) -> Result<Option<Runs>> {
    Ok(match store::find(tx, user)? {
        Some((runs, is_stale)) => (!is_stale).then_some(runs),
        None => Some(Runs::default()),
    })
}

/// Walks a user's counted predictions and keeps what comes out.
pub fn refresh(tx: &mut Tx, user: UserId) -> Result<Runs> {
    // Held, so that nothing is counted between the walk and its result.
    store::lock(tx, user)?;
    let mut runs = Runs::default();
    let mut last = (Timestamp::from_millis(0), EventId(0));
    store::each_counted(tx, user, |(start, event, tier)| {
        runs.add(tier > 0);
        last = (start, event);
        Ok(())
    })?;
    store::update(tx, user, runs, last)?;
    Ok(runs)
}
