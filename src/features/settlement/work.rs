//! Settlement: brings an event's predictions, and all that adds up from them, to what the event as it is now implies.
//!
//! A result, its correction, a void, its end and a moved kick-off all ask for the same work, so there is nothing to undo: each
//! prediction is compared with what it should be. The work goes in stretches, a transaction each, and every one holds the
//! event's settlement row and moves its cursor. So two workers share the work instead of doing it twice, a killed one is
//! carried on where it was, and a change that comes in between begins anew. A small event is one stretch: its points, places
//! and statistics appear in the same moment.

use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::app::App;
use crate::features::events::{self, EventId, EventRow, FeedKind, Score, Status};
use crate::features::leaderboards;
use crate::features::predictions::{
    self, PaidRow, Rules, Stretch, Target, WouldEarnRow, hold_stretch, mark_counted, next_stretch,
    settle_points, would_earn, would_pay,
};
use crate::platform::clock::{MINUTE_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::jobs::{self, Job, Next, Running};

use super::store::{self, Phase, SettlementRow};

/// The name is known to `events`, which asks for this work.
pub const SETTLE: jobs::Kind = jobs::Kind { name: events::SETTLE_JOB, every_ms: None, run: settle };
pub const FINAL: jobs::Kind = jobs::Kind { name: "settlement_final", every_ms: None, run: finish };

/// A result that stays unchanged for so long is final.
const PROVISIONAL_MS: i64 = 60 * MINUTE_MS;
/// Predictions settled in one transaction, and counted in one: short enough that nobody notices the wait.
const POINTS_STRETCH: i64 = 10_000;
const COUNT_STRETCH: i64 = 1_000;
/// An event with no more predictions is settled in one transaction.
const SMALL: i64 = COUNT_STRETCH;

/// Where an event's settlement stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = State)]
pub enum SettlementState {
    /// There is no result, or it is not settled yet.
    Open,
    /// Points are there; a correction within the hour is not unusual.
    Provisional,
    /// The result has stood for an hour.
    Final,
}

fn settle(app: App, job: Job) -> Running {
    Box::pin(async move {
        let event = event_of(&job)?;
        let season_start_month = app.config.predictions.season_start_month;
        while app.db.write(move |tx| settle_stretch(tx, event, season_start_month)).await? {}
        metrics::counter!("touchline_settlements_total").increment(1);
        Ok(Next::Done)
    })
}

fn event_of(job: &Job) -> Result<EventId> {
    let id = job.payload.get("event").and_then(serde_json::Value::as_i64);
    id.map(EventId).ok_or_else(|| Error::internal("a settlement names no event"))
}

/// Does the next stretch of work; answers whether there is more.
pub fn settle_stretch(tx: &mut Tx, id: EventId, season_start_month: i64) -> Result<bool> {
    let event = events::get_for_prediction(tx, id)?;
    let row = store::find_for_update(tx, id)?;
    let tournament = events::get_tournament(tx, event.tournament_id)?;
    let rules =
        Rules { scoring: tournament.scoring, confidence_weighted: tournament.confidence_weighted };
    let target = target_of(&event, rules);
    let is_small = predictions::count_of_event(tx, id)? <= SMALL;
    let mut work = Work { event, target, row, season_start_month, is_small, has_news: false };
    if (work.row.version, work.row.start_time)
        != (work.event.outcome_revision, work.event.start_time)
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
    Target { result, version, rules, start_time: event.start_time }
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
        let is_moved = self.row.start_time != self.event.start_time
            || (self.target.result.is_some() && self.row.boards != self.wanted_boards(tx)?);
        // A match that is played at another time belongs to other weeks and another place in everybody's runs.
        let is_uncounting = is_counted && (is_moved || self.row.phase == Phase::Uncount);
        self.row = SettlementRow {
            version: self.event.outcome_revision,
            start_time: self.event.start_time,
            phase: if is_uncounting { Phase::Uncount } else { Phase::Points },
            cursor_id: 0,
            boards: std::mem::take(&mut self.row.boards),
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
                None => {
                    leaderboards::NO_BOARDS.clone_into(&mut self.row.boards);
                    self.enter(Phase::Points);
                    Ok(())
                }
            },
            Phase::Count => match self.next_stretch(tx, COUNT_STRETCH)? {
                Some(stretch) => self.count(tx, stretch, true),
                None => {
                    self.enter(if self.is_small { Phase::Done } else { Phase::Recount });
                    Ok(())
                }
            },
            Phase::Recount => {
                let board = leaderboards::recount_next(tx, &self.row.boards, self.row.cursor_id)?;
                match board {
                    Some(board) => self.row.cursor_id = board,
                    None => self.enter(Phase::Done),
                }
                Ok(())
            }
            Phase::Done => Ok(()),
        }
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
        next_stretch(tx, self.event.id, self.row.cursor_id, most)
    }

    fn pay(&mut self, tx: &mut Tx, stretch: Stretch) -> Result<()> {
        let changed = settle_points(tx, stretch, &self.target)?;
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
            let payload = json!({"event": self.event.id, "version": self.row.version});
            jobs::enqueue(tx, FINAL.name, &payload, final_at)?;
        }
        self.has_news = true;
        let has_boards = self.row.boards != leaderboards::NO_BOARDS;
        self.enter(if has_boards { Phase::Count } else { Phase::Done });
        Ok(())
    }

    fn count(&mut self, tx: &mut Tx, stretch: Stretch, is_counting: bool) -> Result<()> {
        if self.event.status == Status::Scheduled {
            // Somebody may replace a prediction between two of the statements that follow.
            hold_stretch(tx, stretch)?;
        }
        let counting = leaderboards::Counting {
            stretch,
            start_time: self.event.start_time,
            is_counting,
            boards: &self.row.boards,
            counts_places: self.is_small,
        };
        leaderboards::count(tx, &counting)?;
        mark_counted(tx, stretch, is_counting)?;
        self.row.cursor_id = stretch.end;
        Ok(())
    }

    fn tell(&self, tx: &mut Tx) -> Result<()> {
        let state = if self.row.settled_at.is_some() {
            SettlementState::Provisional
        } else {
            SettlementState::Open
        };
        tell_settlement(tx, &self.event, state)
    }
}

fn tell_settlement(tx: &mut Tx, event: &EventRow, state: SettlementState) -> Result<()> {
    let data = json!({
        "event_id": event.id, "settlement": state, "home_score": event.home_score, "away_score": event.away_score,
    });
    events::announce(tx, event.id, FeedKind::Settlement, &data)
}

/// When the result as it is becomes final.
pub fn final_from(event: &EventRow) -> Timestamp {
    event.result_at.map_or(event.start_time, |entered| entered.plus_ms(PROVISIONAL_MS))
}

/// Declares a settlement final, if nothing changed since this was asked for.
fn finish(app: App, job: Job) -> Running {
    Box::pin(async move {
        let event = event_of(&job)?;
        let version = job.payload.get("version").and_then(serde_json::Value::as_i64);
        app.db.write(move |tx| make_final(tx, event, version)).await?;
        Ok(Next::Done)
    })
}

fn make_final(tx: &mut Tx, id: EventId, version: Option<i64>) -> Result<()> {
    let event = events::get_for_prediction(tx, id)?;
    let mut row = store::find_for_update(tx, id)?;
    let is_current = Some(event.outcome_revision) == version && Some(row.version) == version;
    let is_due = tx.now() >= final_from(&event);
    if is_current && is_due && row.settled_at.is_some() && row.final_at.is_none() {
        row.final_at = Some(tx.now());
        store::update(tx, id, &row)?;
        tell_settlement(tx, &event, SettlementState::Final)?;
    }
    Ok(())
}

/// Where the event's settlement stands, and when its points are final.
pub fn state(tx: &mut Tx, event: &EventRow) -> Result<(SettlementState, Option<Timestamp>)> {
    let row = store::find(tx, event.id)?.filter(|row| row.version == event.outcome_revision);
    Ok(match row {
        Some(SettlementRow { final_at: Some(at), .. }) => (SettlementState::Final, Some(at)),
        Some(SettlementRow { settled_at: Some(_), .. }) => {
            (SettlementState::Provisional, Some(final_from(event)))
        }
        _ => (SettlementState::Open, None),
    })
}

/// What the predictions of an event would earn with this result, for an operator who wants to see it first.
pub struct DryRun {
    pub rules: Rules,
    pub totals: Vec<PaidRow>,
    pub rows: Vec<WouldEarnRow>,
}

pub fn dry_run(
    tx: &mut Tx,
    id: EventId,
    (home, away): (Score, Score),
    after: i64,
    length: i64,
) -> Result<DryRun> {
    let event = events::get(tx, id)?;
    let tournament = events::get_tournament(tx, event.tournament_id)?;
    let rules =
        Rules { scoring: tournament.scoring, confidence_weighted: tournament.confidence_weighted };
    let target =
        Target { result: Some((home, away)), version: 0, rules, start_time: event.start_time };
    let totals = would_pay(tx, id, &target)?;
    let rows = match next_stretch(tx, id, after, length)? {
        Some(stretch) => would_earn(tx, stretch, &target)?,
        None => Vec::new(),
    };
    Ok(DryRun { rules, totals, rows })
}
