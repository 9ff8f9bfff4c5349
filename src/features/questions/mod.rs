//! Special tips: questions about a tournament as a whole, which users answer from a list before a deadline.
//!
//! Owns: the `questions`, `question_options`, `question_tips` and `question_picks` tables.
//! Invariants: an answer changes only before the deadline; what others picked is shown only after it; what a tip has earned, and what of it is
//! counted, follows from the question as it is, whatever it was before.
//! Never: writes a board or a league's table itself; leaderboards and leagues do, when they are asked to.

pub mod operator_routes;
pub mod routes;
mod seen;
mod settle;
mod store;
mod tip_store;
mod values;

use serde_json::json;

use crate::features::events::{self, TournamentId};
use crate::features::leaderboards;
use crate::features::teams::{self, TeamId};
use crate::features::users::UserId;
use crate::platform::clock::{DAY_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::{Error, FieldErrors, Result};
use crate::platform::jobs;

pub use settle::{CountPicks, SettleQuestion};
use store::{QuestionRow, Terms};
use values::{CountsIn, MostPicks, NewOptions, QuestionText, QuestionVoidReason, State, TipPoints};
pub use values::{NewQuestion, OptionId, Picks, QuestionId};

/// How far ahead a deadline may be.
const LONGEST_AHEAD_MS: i64 = 800 * DAY_MS;

/// What an operator says of a question.
#[derive(Debug)]
struct Wording<'a> {
    text: &'a QuestionText,
    closes_at: Timestamp,
    points: TipPoints,
    most_picks: MostPicks,
    counts_in: &'a [CountsIn],
}

/// Opens a question.
pub fn open(tx: &mut Tx, new: &NewQuestion, season_start_month: i64) -> Result<QuestionId> {
    let wording = Wording {
        text: &new.text,
        closes_at: new.closes_at.get(),
        points: new.points,
        most_picks: new.most_picks.unwrap_or(MostPicks::ONE),
        counts_in: new.counts_in.as_deref().unwrap_or(&CountsIn::USUAL),
    };
    check_deadline(tx, wording.closes_at)?;
    if events::find_tournament(tx, new.tournament_id)?.is_none() {
        return Err(Error::invalid("tournament_id", text!("There is no such tournament.")));
    }
    check_options(tx, &wording, &new.options)?;
    let terms = terms_of(tx, new.tournament_id, &wording, season_start_month)?;
    let id = store::insert(tx, new.tournament_id, &terms)?;
    store::insert_options(tx, id, new.options.as_slice())?;
    jobs::ask_at(tx, &CountPicks { question: id }, wording.closes_at)?;
    Ok(id)
}

/// Whether a question about this tournament takes answers.
pub fn is_any_open(tx: &mut Tx, tournament: TournamentId) -> Result<bool> {
    store::is_any_open(tx, tournament)
}

/// The answers that a question offers, with the teams that they are.
pub fn list_options(tx: &mut Tx, id: QuestionId) -> Result<Vec<(OptionId, Option<TeamId>)>> {
    let options = store::list_options(tx, &[id])?;
    Ok(options.into_iter().map(|(_, option)| (option.id, option.team_id)).collect())
}

fn check_deadline(tx: &Tx, closes_at: Timestamp) -> Result<()> {
    let ahead = closes_at.millis_since(tx.now());
    if (1..=LONGEST_AHEAD_MS).contains(&ahead) {
        return Ok(());
    }
    Err(Error::invalid("closes_at", text!("Must be in the future, at most 800 days ahead.")))
}

fn check_options(tx: &mut Tx, wording: &Wording<'_>, options: &NewOptions) -> Result<()> {
    let mut errors = FieldErrors::default();
    if usize::try_from(wording.most_picks.get()).is_ok_and(|most| most >= options.as_slice().len())
    {
        errors.add("most_picks", text!("Must be less than there are answers."));
    }
    for (position, option) in options.as_slice().iter().enumerate() {
        let Some(team) = option.team_id else { continue };
        if teams::find(tx, team)?.is_none() {
            errors.add(&format!("options.{position}.team_id"), text!("There is no such team."));
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
}

fn terms_of<'a>(
    tx: &mut Tx,
    tournament: TournamentId,
    wording: &Wording<'a>,
    season_start_month: i64,
) -> Result<Terms<'a>> {
    let mut counts_in = wording.counts_in.to_vec();
    counts_in.sort_unstable();
    counts_in.dedup();
    let wanted: Vec<_> = counts_in.iter().filter_map(|table| table.board()).collect();
    let closes_at = wording.closes_at;
    Ok(Terms {
        text: wording.text,
        closes_at,
        points: wording.points,
        most_picks: wording.most_picks,
        boards: leaderboards::boards_among(tx, tournament, closes_at, season_start_month, &wanted)?,
        in_leagues: counts_in.contains(&CountsIn::Leagues),
        counts_in: serde_json::to_string(&counts_in).map_err(Error::internal)?,
    })
}

/// What is to be different about a question; what is absent stays.
#[derive(Debug, Clone, Copy)]
struct Change<'a> {
    text: Option<&'a QuestionText>,
    closes_at: Option<Timestamp>,
    points: Option<TipPoints>,
    counts_in: Option<&'a [CountsIn]>,
}

/// Changes a question that is neither settled nor void; what it asks stays what people answered.
fn change(tx: &mut Tx, id: QuestionId, change: Change<'_>, season_start_month: i64) -> Result<()> {
    let before = held(tx, id)?;
    if before.settled_at.is_some() || before.voided_at.is_some() {
        return Err(Error::Refused {
            code: "question_decided",
            message: text!("This question is settled or void. Only its result can be changed."),
        });
    }
    if let Some(closes_at) = change.closes_at {
        check_deadline(tx, closes_at)?;
        store::delete_counts(tx, id)?;
        jobs::ask_at(tx, &CountPicks { question: id }, closes_at)?;
    }
    let counted: Vec<CountsIn> =
        serde_json::from_str(&before.counts_in).map_err(Error::internal)?;
    let wording = Wording {
        text: change.text.unwrap_or(&before.text),
        closes_at: change.closes_at.unwrap_or(before.closes_at),
        points: change.points.unwrap_or(before.points),
        most_picks: before.most_picks,
        counts_in: change.counts_in.unwrap_or(&counted),
    };
    let terms = terms_of(tx, before.tournament_id, &wording, season_start_month)?;
    store::update(tx, id, &terms).map(drop)
}

/// Says which answers are right, for the first time or otherwise than before. Tips follow by a job.
fn settle(tx: &mut Tx, id: QuestionId, right: &Picks) -> Result<()> {
    let question = held(tx, id)?;
    if tx.now() < question.closes_at {
        return Err(Error::Refused {
            code: "question_open",
            message: text!("This question still takes answers. Move its deadline first."),
        });
    }
    check_are_options(tx, id, right, "right_option_ids")?;
    store::update_right(tx, id, right.as_slice())?;
    store::update_settled(tx, id)?;
    jobs::ask(tx, &SettleQuestion { question: id })
}

/// Takes a question out of the game: tips on it earn nothing.
fn void(tx: &mut Tx, id: QuestionId, reason: &QuestionVoidReason) -> Result<()> {
    held(tx, id)?;
    store::update_voided(tx, id, reason)?;
    jobs::ask(tx, &SettleQuestion { question: id })
}

fn held(tx: &mut Tx, id: QuestionId) -> Result<QuestionRow> {
    store::hold(tx, id, false)?.ok_or(not_found!("question"))
}

fn check_are_options(tx: &mut Tx, id: QuestionId, picks: &Picks, field: &str) -> Result<()> {
    let options = store::list_options(tx, &[id])?;
    let is_option = |pick: &OptionId| options.iter().any(|(_, option)| option.id == *pick);
    if picks.as_slice().iter().all(is_option) {
        return Ok(());
    }
    Err(Error::invalid(field, text!("Must be answers of this question.")))
}

/// Answers a question, or answers it otherwise than before.
pub fn tip(tx: &mut Tx, id: QuestionId, user: UserId, picks: &Picks) -> Result<()> {
    let question = answerable(tx, id)?;
    check_are_options(tx, id, picks, "option_ids")?;
    let count = i64::try_from(picks.as_slice().len()).unwrap_or(i64::MAX);
    if count > question.most_picks.get() {
        let sentence = text!("Must be at most {most}.", most = question.most_picks.get());
        return Err(Error::invalid("option_ids", sentence));
    }
    tip_store::upsert(tx, id, user, picks.as_slice())
}

/// Takes an answer back.
fn take_back(tx: &mut Tx, id: QuestionId, user: UserId) -> Result<()> {
    answerable(tx, id)?;
    if tip_store::delete(tx, id, user)? { Ok(()) } else { Err(not_found!("tip")) }
}

/// A question that takes answers, held against whoever changes it.
fn answerable(tx: &mut Tx, id: QuestionId) -> Result<QuestionRow> {
    let question = store::hold(tx, id, true)?.ok_or(not_found!("question"))?;
    let now = tx.now();
    if seen::state_of(&question, now) == State::Open {
        return Ok(question);
    }
    Err(Error::Refused {
        code: "question_closed",
        message: text!("This question takes no more answers."),
    })
}

/// Everything this feature knows about a user, for them to take away.
pub fn export(tx: &mut Tx, user: UserId) -> Result<serde_json::Value> {
    let mut tips = Vec::new();
    for tip in tip_store::list_all_of(tx, user)? {
        let picks = tip_store::list_picks(tx, &[tip.id])?;
        let picks: Vec<OptionId> = picks.into_iter().map(|(_, option)| option).collect();
        tips.push(json!({
            "question_id": tip.question_id, "option_ids": picks, "points_earned": tip.points,
            "created_at": tip.created_at, "changed_at": tip.changed_at,
        }));
    }
    Ok(tips.into())
}
