//! A question as a user sees it: with their own answer, and with what others picked once nobody can copy it.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::TournamentId;
use crate::features::teams::TeamId;
use crate::features::users::{BriefUserView, UserId};
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;

use super::store::{self, OptionRow, QuestionRow};
use super::tip_store;
use super::values::{
    CountsIn, MostPicks, OptionId, OptionText, QuestionId, QuestionText, QuestionVoidReason, State,
    TipPoints,
};

#[derive(Debug, Serialize, ToSchema)]
pub struct QuestionTournamentView {
    id: TournamentId,
    #[schema(example = "Harbour Cup")]
    name: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OptionView {
    pub id: OptionId,
    text: OptionText,
    team_id: Option<TeamId>,
    /// Null until the question is settled.
    is_right: Option<bool>,
    /// How many picked it. Null until the question is closed, and for a moment after.
    #[schema(example = 812)]
    picks: Option<i64>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TipView {
    option_ids: Vec<OptionId>,
    /// Null until the question is settled.
    #[schema(example = 20)]
    points_earned: Option<i64>,
    #[schema(value_type = String, format = DateTime)]
    changed_at: Timestamp,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct QuestionView {
    id: QuestionId,
    tournament: QuestionTournamentView,
    text: QuestionText,
    state: State,
    /// Nobody answers from here on.
    #[schema(value_type = String, format = DateTime)]
    closes_at: Timestamp,
    /// For each right answer.
    points: TipPoints,
    /// How many answers one may pick.
    most_picks: MostPicks,
    /// The tables into which its points count.
    counts_in: Vec<CountsIn>,
    options: Vec<OptionView>,
    /// How many have answered. Null until the question is closed, and for a moment after.
    #[schema(example = 2304)]
    tips: Option<i64>,
    /// What I answered; null if I have not, and for operators.
    tip: Option<TipView>,
    void_reason: Option<QuestionVoidReason>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

pub fn state_of(row: &QuestionRow, now: Timestamp) -> State {
    match row {
        QuestionRow { voided_at: Some(_), .. } => State::Void,
        QuestionRow { settled_at: Some(_), .. } => State::Settled,
        row if row.closes_at <= now => State::Closed,
        _ => State::Open,
    }
}

/// A page of questions, with the answers of this user if it is one's, and how many there are.
pub fn list(
    tx: &mut Tx,
    tournament: Option<TournamentId>,
    state: Option<State>,
    user: Option<UserId>,
    page: Page,
) -> Result<(Vec<QuestionView>, i64)> {
    let (rows, total) = store::list(tx, tournament, state, page)?;
    Ok((view_all(tx, rows, user)?, total))
}

pub fn show(tx: &mut Tx, id: QuestionId, user: Option<UserId>) -> Result<QuestionView> {
    let row = store::find(tx, id)?.ok_or(not_found!("question"))?;
    view_all(tx, vec![row], user)?.pop().ok_or(not_found!("question"))
}

fn view_all(
    tx: &mut Tx,
    rows: Vec<QuestionRow>,
    user: Option<UserId>,
) -> Result<Vec<QuestionView>> {
    let now = tx.now();
    let ids: Vec<QuestionId> = rows.iter().map(|row| row.id).collect();
    let mut options: BTreeMap<QuestionId, Vec<OptionRow>> = BTreeMap::new();
    for (question, option) in store::list_options(tx, &ids)? {
        options.entry(question).or_default().push(option);
    }
    let mut tips = match user {
        Some(user) => tips_of(tx, user, &ids)?,
        None => BTreeMap::new(),
    };
    let view = |row: QuestionRow| {
        let (state, is_closed) = (state_of(&row, now), row.closes_at <= now);
        let option = |option: OptionRow| OptionView {
            id: option.id,
            text: option.text,
            team_id: option.team_id,
            is_right: (state == State::Settled).then_some(option.is_right),
            picks: option.pick_count.filter(|_| is_closed),
        };
        Ok(QuestionView {
            options: options.remove(&row.id).unwrap_or_default().into_iter().map(option).collect(),
            tip: tips.remove(&row.id),
            id: row.id,
            tournament: QuestionTournamentView { id: row.tournament_id, name: row.tournament },
            text: row.text,
            state,
            closes_at: row.closes_at,
            points: row.points,
            most_picks: row.most_picks,
            counts_in: serde_json::from_str(&row.counts_in).map_err(Error::internal)?,
            tips: row.tip_count.filter(|_| is_closed),
            void_reason: row.void_reason,
            created_at: row.created_at,
        })
    };
    rows.into_iter().map(view).collect()
}

fn tips_of(
    tx: &mut Tx,
    user: UserId,
    questions: &[QuestionId],
) -> Result<BTreeMap<QuestionId, TipView>> {
    let tips = tip_store::list_of(tx, user, questions)?;
    let ids: Vec<i64> = tips.iter().map(|tip| tip.id).collect();
    let mut picks = picks_of(tx, &ids)?;
    let view = |tip: tip_store::TipRow| {
        let option_ids = picks.remove(&tip.id).unwrap_or_default();
        let view = TipView { option_ids, points_earned: tip.points, changed_at: tip.changed_at };
        (tip.question_id, view)
    };
    Ok(tips.into_iter().map(view).collect())
}

fn picks_of(tx: &mut Tx, tips: &[i64]) -> Result<BTreeMap<i64, Vec<OptionId>>> {
    let mut picks: BTreeMap<i64, Vec<OptionId>> = BTreeMap::new();
    for (tip, option) in tip_store::list_picks(tx, tips)? {
        picks.entry(tip).or_default().push(option);
    }
    Ok(picks)
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OthersTipView {
    user: BriefUserView,
    option_ids: Vec<OptionId>,
    /// Null until the question is settled.
    points_earned: Option<i64>,
}

/// A page of what everybody answered, once nobody can copy it.
pub fn others(tx: &mut Tx, id: QuestionId, page: Page) -> Result<(Vec<OthersTipView>, i64)> {
    let question = store::find(tx, id)?.ok_or(not_found!("question"))?;
    if tx.now() < question.closes_at {
        return Err(Error::Refused {
            code: "question_open",
            message: text!("What others answered is shown when the question is closed."),
        });
    }
    let rows = tip_store::list_all(tx, id, page)?;
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let mut picks = picks_of(tx, &ids)?;
    let view = |row: tip_store::OthersTipRow| OthersTipView {
        option_ids: picks.remove(&row.id).unwrap_or_default(),
        user: row.user,
        points_earned: row.points_earned,
    };
    let views = rows.into_iter().map(view).collect();
    let total = match question.tip_count {
        Some(count) => count,
        None => store::count_picks(tx, id)?.0,
    };
    Ok((views, total))
}
