//! The work of a settlement.
//!
//! A result, its correction, a void, its end and a moved kick-off all ask for the same work, so there is nothing to undo: each
//! prediction is compared with what it should be. The work goes in stretches, a transaction each, and every one holds the
//! event's settlement row and moves its cursor. So two workers share the work instead of doing it twice, a killed one is
//! carried on where it was, and a change that comes in between begins anew. A small event is one stretch: its points, places
//! and statistics appear in the same moment.

use crate::features::events::{self, EventId, EventRow, Settle, Status};
use crate::features::leaderboards::{self, Counting};
use crate::features::leagues;
use crate::features::predictions::{self, Rules, Stretch, Target};
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::jobs::{self, Job, Lane, Next, Stop};

use super::state::{MakeFinal, SettlementState, final_from, tell};
use super::store::{self, Phase, SettlementRow};

/// Predictions settled in one transaction, and counted in one: short enough that nobody notices the wait.
const POINTS_STRETCH: i64 = 10_000;
const COUNT_STRETCH: i64 = 1_000;
/// An event with no more predictions is settled in one transaction.
const SMALL: i64 = COUNT_STRETCH;

impl Job for Settle {
    const KIND: &'static str = "settle";
    const LANE: Lane = Lane::Settlement;
    type State = Core;

    fn key(&self) -> Option<String> {
        Some(self.event.0.to_string())
    }

    async fn run(self, core: Core, stop: Stop) -> Result<Next> {
        let (event, month) = (self.event, core.config.predictions.season_start_month);
        while core.db.write(move |tx| settle_stretch(tx, event, month)).await? {
            if stop.is_cancelled() {
                return Ok(Next::At(core.clock.now()));
            }
        }
        metrics::counter!("touchline_settlements_total").increment(1);
        Ok(Next::Done)
    }
}

/// Does the next stretch of work; answers whether there is more.
pub fn settle_stretch(tx: &mut Tx, id: EventId, season_start_month: i64) -> Result<bool> {
    // Held first: what is read while somebody else settles the event may be older than what they settle it by.
    let row = store::find_for_update(tx, id)?;
    let event = events::get_for_prediction(tx, id)?;
    let tournament = events::get_tournament(tx, event.tournament_id)?;
    let target = target_of(&event, Rules::of(&tournament));
    let is_small = predictions::count_of_event(tx, id)? <= SMALL;
    let mut work = Work { event, target, row, season_start_month, is_small, has_news: false };
    if (work.row.version, work.row.start_time)
        != (work.event.outcome_revision, work.event.closes_at())
    {
        work.begin(tx)?;
    }
    while work.row.phase != Phase::Done {
        work.advance(tx)?;
        if !is_small {
            break;
        }
    }
    store::update(tx, id, &work.row)?;
    // Last: the next announcement, of any event, waits for this commit.
    if work.has_news {
        work.tell(tx)?;
    }
    Ok(work.row.phase != Phase::Done)
}

fn target_of(event: &EventRow, rules: Rules) -> Target {
    let counts = event.status == Status::Finished && !event.is_void();
    let result = event.home_score.zip(event.away_score).filter(|_| counts);
    let version = if result.is_some() { event.outcome_revision } else { 0 };
    Target { result, version, rules, start_time: event.closes_at() }
}

/// One event's settlement, in hand.
struct Work {
    event: EventRow,
    target: Target,
    row: SettlementRow,
    season_start_month: i64,
    is_small: bool,
    has_news: bool,
}

impl Work {
    fn begin(&mut self, tx: &mut Tx) -> Result<()> {
        let is_counted = self.row.boards != leaderboards::NO_BOARDS;
        let is_moved = self.row.start_time != self.event.closes_at()
            || (self.target.result.is_some() && self.row.boards != self.wanted_boards(tx)?);
        // A match that is played at another time belongs to other weeks and another place in everybody's runs.
        let is_uncounting = is_counted && (is_moved || self.row.phase == Phase::Uncount);
        self.row = SettlementRow {
            version: self.event.outcome_revision,
            start_time: self.event.closes_at(),
            phase: if is_uncounting { Phase::Uncount } else { Phase::Points },
            cursor_id: 0,
            boards: std::mem::take(&mut self.row.boards),
            stale_boards: std::mem::take(&mut self.row.stale_boards),
            settled_at: None,
            final_at: None,
        };
        Ok(())
    }

    fn wanted_boards(&self, tx: &mut Tx) -> Result<String> {
        leaderboards::boards_of(
            tx,
            self.event.tournament_id,
            self.event.start_time,
            self.season_start_month,
        )
    }

    /// One stretch, or the passage to the next phase.
    fn advance(&mut self, tx: &mut Tx) -> Result<()> {
        match self.row.phase {
            Phase::Points => match self.next_stretch(tx, POINTS_STRETCH)? {
                Some(stretch) => self.pay(tx, stretch),
                None => self.end_points(tx),
            },
            Phase::Uncount => match self.next_stretch(tx, COUNT_STRETCH)? {
                Some(stretch) => self.count(tx, stretch, false),
                None => self.end_uncount(),
            },
            Phase::Count => match self.next_stretch(tx, COUNT_STRETCH)? {
                Some(stretch) => self.count(tx, stretch, true),
                None => {
                    self.enter(if self.is_small { Phase::Done } else { Phase::Recount });
                    Ok(())
                }
            },
            Phase::Recount => self.recount(tx),
            Phase::Done => Ok(()),
        }
    }

    /// The next of the boards that the event is in, or was taken out of.
    fn recount(&mut self, tx: &mut Tx) -> Result<()> {
        let boards = leaderboards::all_of(&self.row.boards, &self.row.stale_boards)?;
        match leaderboards::recount_next(tx, &boards, self.row.cursor_id)? {
            Some(board) => self.row.cursor_id = board,
            None => {
                leaderboards::NO_BOARDS.clone_into(&mut self.row.stale_boards);
                self.enter(Phase::Done);
            }
        }
        Ok(())
    }

    fn end_uncount(&mut self) -> Result<()> {
        let left = std::mem::replace(&mut self.row.boards, leaderboards::NO_BOARDS.to_owned());
        if !self.is_small {
            self.row.stale_boards = leaderboards::all_of(&left, &self.row.stale_boards)?;
        }
        self.enter(Phase::Points);
        Ok(())
    }

    fn enter(&mut self, phase: Phase) {
        self.row.phase = phase;
        self.row.cursor_id = 0;
        if phase == Phase::Done && self.target.result.is_none() {
            // All is discounted: the event is in no board any more.
            leaderboards::NO_BOARDS.clone_into(&mut self.row.boards);
        }
    }

    fn next_stretch(&self, tx: &mut Tx, most: i64) -> Result<Option<Stretch>> {
        predictions::next_stretch(tx, self.event.id, self.row.cursor_id, most)
    }

    fn pay(&mut self, tx: &mut Tx, stretch: Stretch) -> Result<()> {
        let changed = predictions::settle_points(tx, stretch, &self.target)?;
        metrics::counter!("touchline_predictions_settled_total").increment(changed);
        self.row.cursor_id = stretch.end;
        Ok(())
    }

    fn end_points(&mut self, tx: &mut Tx) -> Result<()> {
        leaderboards::recount_event(tx, self.event.id)?;
        if self.target.result.is_some() {
            self.row.settled_at = Some(tx.now());
            self.row.boards = self.wanted_boards(tx)?;
            let final_at = final_from(&self.event);
            let job = MakeFinal { event: self.event.id, version: self.row.version };
            jobs::ask_at(tx, &job, final_at)?;
        }
        self.has_news = true;
        let has_boards = self.row.boards != leaderboards::NO_BOARDS;
        let has_stale = self.row.stale_boards != leaderboards::NO_BOARDS;
        self.enter(match (has_boards, has_stale) {
            (true, _) => Phase::Count,
            (false, true) => Phase::Recount,
            (false, false) => Phase::Done,
        });
        Ok(())
    }

    fn count(&mut self, tx: &mut Tx, stretch: Stretch, is_counting: bool) -> Result<()> {
        if self.event.status == Status::Scheduled {
            // Somebody may replace a prediction between two of the statements that follow.
            predictions::hold_stretch(tx, stretch)?;
        }
        let counting = Counting {
            stretch,
            start_time: self.event.start_time,
            is_counting,
            boards: &self.row.boards,
            counts_places: self.is_small,
        };
        leaderboards::count(tx, &counting)?;
        leagues::count(tx, self.event.tournament_id, &counting)?;
        predictions::mark_counted(tx, stretch, is_counting)?;
        self.row.cursor_id = stretch.end;
        Ok(())
    }

    fn tell(&self, tx: &mut Tx) -> Result<()> {
        let state = if self.row.settled_at.is_some() {
            SettlementState::Provisional
        } else {
            SettlementState::Open
        };
        tell(tx, &self.event, state)
    }
}
