//! What tips earn follows their question: settled, corrected, void or settled after all. As with matches each tip is compared with what it
//! should be, in stretches that hold the question and move its cursor, so nothing is counted twice and nothing has to be undone.

use serde::{Deserialize, Serialize};

use crate::features::{leaderboards, leagues};
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::jobs::{Job, Lane, Next, Stop};

use super::store;
use super::tip_store::{self, Phase, WorkRow};
use super::values::QuestionId;

/// Tips settled in one transaction: short enough that nobody notices the wait.
const STRETCH: i64 = 1_000;

#[derive(Debug, Serialize, Deserialize)]
pub struct SettleQuestion {
    pub question: QuestionId,
}

impl Job for SettleQuestion {
    const KIND: &'static str = "settle_question";
    const LANE: Lane = Lane::Settlement;
    type State = Core;

    fn key(&self) -> Option<String> {
        Some(self.question.0.to_string())
    }

    async fn run(self, core: Core, stop: Stop) -> Result<Next> {
        let question = self.question;
        while core.db.write(move |tx| settle_stretch(tx, question)).await? {
            if stop.is_cancelled() {
                return Ok(Next::At(core.clock.now()));
            }
        }
        Ok(Next::Done)
    }
}

/// Does the next stretch of work; answers whether there is more.
fn settle_stretch(tx: &mut Tx, question: QuestionId) -> Result<bool> {
    let Some(mut work) = tip_store::find_work(tx, question)? else { return Ok(false) };
    if work.work_revision != work.revision {
        (work.work_revision, work.phase, work.cursor) = (work.revision, Phase::Tips, 0);
    }
    let is_large = tip_store::has_more_than(tx, question, STRETCH)?;
    while work.phase != Phase::Done {
        advance(tx, question, &mut work, is_large)?;
        if is_large {
            break;
        }
    }
    tip_store::update_work(tx, question, &work)?;
    Ok(work.phase != Phase::Done)
}

/// One stretch, or the passage to the next phase.
fn advance(tx: &mut Tx, question: QuestionId, work: &mut WorkRow, is_large: bool) -> Result<()> {
    if work.phase == Phase::Places {
        match leaderboards::recount_next(tx, &work.boards, work.cursor)? {
            Some(board) => work.cursor = board,
            None => (work.phase, work.cursor) = (Phase::Done, 0),
        }
        return Ok(());
    }
    let Some(stretch) = tip_store::next_stretch(tx, question, work.cursor, STRETCH)? else {
        (work.phase, work.cursor) = (if is_large { Phase::Places } else { Phase::Done }, 0);
        return Ok(());
    };
    tip_store::update_points(tx, stretch, work.is_paying)?;
    leaderboards::count_tips(tx, stretch, &work.boards, !is_large)?;
    if work.in_leagues {
        leagues::count_tips(tx, stretch)?;
    }
    tip_store::update_counted(tx, stretch)?;
    work.cursor = stretch.end;
    Ok(())
}

/// Counts, once a question is closed, how many picked what: before that nobody is to know.
#[derive(Debug, Serialize, Deserialize)]
pub struct CountPicks {
    pub question: QuestionId,
}

impl Job for CountPicks {
    const KIND: &'static str = "count_picks";
    const LANE: Lane = Lane::Local;
    type State = Core;

    fn key(&self) -> Option<String> {
        Some(self.question.0.to_string())
    }

    async fn run(self, core: Core, _: Stop) -> Result<Next> {
        let id = self.question;
        // Whoever answered in time may not have committed yet: holding the question waits for them.
        let Some(question) = core.db.write(move |tx| store::hold(tx, id, false)).await? else {
            return Ok(Next::Done);
        };
        // Its deadline was moved; whoever moved it asked for this again.
        if core.clock.now() < question.closes_at {
            return Ok(Next::At(question.closes_at));
        }
        let (tips, picks) = core.db.read(move |tx| store::count_picks(tx, id)).await?;
        core.db.write(move |tx| store::update_counts(tx, id, tips, &picks)).await?;
        Ok(Next::Done)
    }
}
