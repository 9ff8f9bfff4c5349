//! Reckoning a league's table anew, after what it counts by was changed: first what everybody has in all, then the weeks.

use serde::{Deserialize, Serialize};

use crate::features::users::UserId;
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::jobs::{Job, Lane, Next, Stop};

use super::table_store::{self, Members};
use super::values::LeagueId;
use super::{store, wait_for_counting};

/// Members reckoned in one transaction, in all and with their weeks: short enough that nobody notices the wait.
const AT_ONCE: i64 = 1_000;
const WITH_WEEKS_AT_ONCE: i64 = 250;

#[derive(Debug, Serialize, Deserialize)]
pub struct Recount {
    league: LeagueId,
}

impl Recount {
    pub const fn of(league: LeagueId) -> Self {
        Self { league }
    }
}

impl Job for Recount {
    const KIND: &'static str = "recount_league";
    const LANE: Lane = Lane::Local;
    type State = Core;

    fn key(&self) -> Option<String> {
        Some(self.league.0.to_string())
    }

    async fn run(self, core: Core, stop: Stop) -> Result<Next> {
        for has_weeks in [false, true] {
            let mut after = Some(UserId(0));
            while let Some(member) = after {
                if stop.is_cancelled() {
                    return Ok(Next::At(core.clock.now()));
                }
                let part = Part { league: self.league, after: member, has_weeks };
                after = core.db.write(move |tx| part.recount(tx)).await?;
            }
        }
        Ok(Next::Done)
    }
}

/// Some members, in all or with their weeks.
#[derive(Clone, Copy)]
struct Part {
    league: LeagueId,
    after: UserId,
    has_weeks: bool,
}

impl Part {
    /// Answers the last of them, or nothing at the end.
    fn recount(self, tx: &mut Tx) -> Result<Option<UserId>> {
        wait_for_counting(tx)?;
        let Self { league, after, has_weeks } = self;
        let most = if has_weeks { WITH_WEEKS_AT_ONCE } else { AT_ONCE };
        let Some(end) = store::find_stretch_end(tx, league, after, most)? else { return Ok(None) };
        let members = Members { league, after, end };
        if has_weeks {
            table_store::recount(tx, members)?;
        } else {
            table_store::recount_in_all(tx, members)?;
        }
        Ok(Some(end))
    }
}
