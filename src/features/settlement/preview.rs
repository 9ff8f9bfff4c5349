//! What a result would earn everybody, for an operator who wants to see it first.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::{self, EventId, EventRow, Score, Scoring};
use crate::features::leaderboards::{self, Board, Period};
use crate::features::predictions::{
    self, LeaderRow, PaidView, PredictionId, Rules, Target, WouldChangeView, WouldEarnView,
};
use crate::platform::db::Tx;
use crate::platform::error::Result;

const FIRST: i64 = 10;

#[derive(Debug, Serialize, ToSchema)]
pub struct PreviewView {
    scoring: Scoring,
    confidence_weighted: bool,
    #[schema(example = 128)]
    settled_predictions: i64,
    #[schema(example = 311)]
    total_points: i64,
    totals: Vec<PaidView>,
    changes: WouldChangeView,
    first_ten: FirstTenView,
    predictions: Vec<WouldEarnView>,
    /// Ask with `after` set to this for the next part; null at the end.
    #[schema(example = 481)]
    next_after: Option<PredictionId>,
}

/// The head of the tournament's board.
#[derive(Debug, Serialize, ToSchema)]
pub struct FirstTenView {
    before: Vec<LeaderView>,
    after: Vec<LeaderView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LeaderView {
    /// Equal points are an equal rank.
    #[schema(example = 2)]
    rank: i64,
    #[serde(flatten)]
    leader: LeaderRow,
}

/// How the head of the tournament's board is, and how it would be.
fn first_ten(tx: &mut Tx, event: &EventRow, target: &Target) -> Result<FirstTenView> {
    let board = Board::at(Some(event.tournament_id), Period::All, tx.now(), 1);
    let board = leaderboards::find_board(tx, board)?;
    let number = board.map_or(0, |board| board.0);
    let mut after = predictions::would_lead(tx, event.id, target, number, FIRST)?;
    let mut before = Vec::new();
    if let Some(board) = board {
        before = leaderboards::list_first(tx, board, None, FIRST)?;
        after.extend(leaderboards::list_first(tx, board, Some(event.id), FIRST)?);
    }
    after.sort_by_key(|leader| (-leader.points, -leader.exact, leader.user_id.0));
    after.truncate(usize::try_from(FIRST).unwrap_or(0));
    Ok(FirstTenView { before: ranked(before), after: ranked(after) })
}

fn ranked(leaders: Vec<LeaderRow>) -> Vec<LeaderView> {
    let points: Vec<i64> = leaders.iter().map(|leader| leader.points).collect();
    let rank = |own: i64| 1 + points.iter().filter(|points| **points > own).count();
    let view = |leader: LeaderRow| LeaderView {
        rank: i64::try_from(rank(leader.points)).unwrap_or(i64::MAX),
        leader,
    };
    leaders.into_iter().map(view).collect()
}

/// What the predictions of an event would earn with this result: all of them in sum, and a part of them one by one.
pub fn preview(
    tx: &mut Tx,
    id: EventId,
    result: (Score, Score),
    after: i64,
    length: i64,
) -> Result<PreviewView> {
    let event = events::get(tx, id)?;
    let tournament = events::get_tournament(tx, event.tournament_id)?;
    let rules = Rules::of(&tournament);
    let target = Target { result: Some(result), version: 0, rules, start_time: event.closes_at() };
    let totals = predictions::would_pay(tx, id, &target)?;
    let changes = predictions::would_change(tx, id, &target)?;
    let first_ten = first_ten(tx, &event, &target)?;
    let rows = match predictions::next_stretch(tx, id, after, length)? {
        Some(stretch) => predictions::would_earn(tx, stretch, &target)?,
        None => Vec::new(),
    };
    let is_full = i64::try_from(rows.len()).is_ok_and(|rows| rows == length);
    Ok(PreviewView {
        scoring: rules.scoring,
        confidence_weighted: rules.confidence_weighted,
        settled_predictions: totals.iter().map(|row| row.predictions).sum(),
        total_points: totals.iter().map(|row| row.points * row.predictions).sum(),
        totals,
        changes,
        first_ten,
        next_after: rows.last().filter(|_| is_full).map(|row| row.id),
        predictions: rows,
    })
}
