//! The `questions` and `question_options` tables.

use crate::features::events::TournamentId;
use crate::features::teams::TeamId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;

use super::values::{
    MostPicks, NewOption, OptionId, OptionText, QuestionId, QuestionText, QuestionVoidReason,
    State, TipPoints,
};

row! {
    #[derive(Debug, Clone)]
    pub struct QuestionRow {
        pub id: QuestionId,
        pub tournament_id: TournamentId,
        pub tournament: String,
        pub text: QuestionText,
        pub closes_at: Timestamp,
        pub points: TipPoints,
        pub most_picks: MostPicks,
        pub counts_in: String,
        pub settled_at: Option<Timestamp>,
        pub voided_at: Option<Timestamp>,
        pub void_reason: Option<QuestionVoidReason>,
        pub tip_count: Option<i64>,
        pub created_at: Timestamp,
    }
}

macro_rules! select_questions {
    ($rest:expr) => {
        concat!(
            "SELECT q.id, q.tournament_id, t.name, q.text, q.closes_at, q.points, q.most_picks, q.counts_in, q.settled_at,
                    q.voided_at, q.void_reason, q.tip_count, q.created_at
             FROM questions q JOIN tournaments t ON t.id = q.tournament_id ",
            $rest
        )
    };
}

/// What a question is to be.
#[derive(Debug)]
pub struct Terms<'a> {
    pub text: &'a QuestionText,
    pub closes_at: Timestamp,
    pub points: TipPoints,
    pub most_picks: MostPicks,
    /// As JSON.
    pub counts_in: String,
    pub boards: String,
    pub in_leagues: bool,
}

pub fn insert(tx: &mut Tx, tournament: TournamentId, terms: &Terms<'_>) -> Result<QuestionId> {
    let now = tx.now();
    tx.one(
        "INSERT INTO questions (tournament_id, text, closes_at, points, most_picks, counts_in, boards, in_leagues, revision,
                work_revision, work_phase, work_cursor, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, 0, 'done', 0, $9) RETURNING id",
        params![
            tournament,
            terms.text,
            terms.closes_at,
            terms.points,
            terms.most_picks,
            terms.counts_in,
            terms.boards,
            terms.in_leagues,
            now
        ],
    )
}

pub fn update(tx: &mut Tx, id: QuestionId, terms: &Terms<'_>) -> Result<u64> {
    tx.exec(
        "UPDATE questions SET text = $2, closes_at = $3, points = $4, most_picks = $5, counts_in = $6, boards = $7, in_leagues = $8
         WHERE id = $1",
        params![
            id,
            terms.text,
            terms.closes_at,
            terms.points,
            terms.most_picks,
            terms.counts_in,
            terms.boards,
            terms.in_leagues
        ],
    )
}

pub fn find(tx: &mut Tx, id: QuestionId) -> Result<Option<QuestionRow>> {
    tx.opt(select_questions!("WHERE q.id = $1"), params![id])
}

/// Holds a question until the end of the transaction: alone, or with others who only answer it.
pub fn hold(tx: &mut Tx, id: QuestionId, is_shared: bool) -> Result<Option<QuestionRow>> {
    let held: Option<i64> = if is_shared {
        tx.opt("SELECT id FROM questions WHERE id = $1 FOR SHARE", params![id])?
    } else {
        tx.opt("SELECT id FROM questions WHERE id = $1 FOR UPDATE", params![id])?
    };
    match held {
        Some(_) => find(tx, id),
        None => Ok(None),
    }
}

pub fn is_any_open(tx: &mut Tx, tournament: TournamentId) -> Result<bool> {
    let now = tx.now();
    let found: Option<i64> = tx.opt(
        "SELECT id FROM questions WHERE tournament_id = $1 AND closes_at > $2 AND voided_at IS NULL AND settled_at IS NULL LIMIT 1",
        params![tournament, now],
    )?;
    Ok(found.is_some())
}

macro_rules! wanted {
    () => {
        "WHERE (CAST($1 AS BIGINT) IS NULL OR q.tournament_id = $1)
           AND (CAST($2 AS TEXT) IS NULL OR $2 = (CASE WHEN q.voided_at IS NOT NULL THEN 'void'
                                                       WHEN q.settled_at IS NOT NULL THEN 'settled'
                                                       WHEN q.closes_at <= $3 THEN 'closed' ELSE 'open' END))"
    };
}

/// A page of questions, those that close first at the top if only open ones are wanted, else those that closed last; and how many there are.
pub fn list(
    tx: &mut Tx,
    tournament: Option<TournamentId>,
    state: Option<State>,
    page: Page,
) -> Result<(Vec<QuestionRow>, i64)> {
    let now = tx.now();
    let (limit, offset) = (page.per_page, page.offset());
    let given = params![tournament, state, now, limit, offset];
    let rows = if state == Some(State::Open) {
        tx.all(
            select_questions!(concat!(wanted!(), " ORDER BY q.closes_at, q.id LIMIT $4 OFFSET $5")),
            given,
        )?
    } else {
        tx.all(
            select_questions!(concat!(
                wanted!(),
                " ORDER BY q.closes_at DESC, q.id DESC LIMIT $4 OFFSET $5"
            )),
            given,
        )?
    };
    let total = tx.one(
        concat!("SELECT count(*) FROM questions q ", wanted!()),
        params![tournament, state, now],
    )?;
    Ok((rows, total))
}

row! {
    #[derive(Debug, Clone)]
    pub struct OptionRow {
        pub id: OptionId,
        pub text: OptionText,
        pub team_id: Option<TeamId>,
        pub is_right: bool,
        pub pick_count: Option<i64>,
    }
}

pub fn insert_options(tx: &mut Tx, question: QuestionId, options: &[NewOption]) -> Result<()> {
    for (position, option) in (0_i64..).zip(options) {
        tx.exec(
            "INSERT INTO question_options (question_id, position, text, team_id, is_right) VALUES ($1, $2, $3, $4, 0)",
            params![question, position, option.text, option.team_id],
        )?;
    }
    Ok(())
}

/// The answers of these questions, in their order.
pub fn list_options(tx: &mut Tx, questions: &[QuestionId]) -> Result<Vec<(QuestionId, OptionRow)>> {
    let questions = serde_json::to_string(questions).map_err(Error::internal)?;
    tx.all(
        "SELECT question_id, id, text, team_id, is_right, pick_count FROM question_options
         WHERE question_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) ORDER BY question_id, position",
        params![questions],
    )
}

/// Makes these answers the right ones, and all others wrong.
pub fn update_right(tx: &mut Tx, question: QuestionId, right: &[OptionId]) -> Result<u64> {
    let right = serde_json::to_string(right).map_err(Error::internal)?;
    tx.exec(
        "UPDATE question_options
         SET is_right = CASE WHEN id IN (SELECT CAST(value AS BIGINT) FROM json_each($2)) THEN 1 ELSE 0 END WHERE question_id = $1",
        params![question, right],
    )
}

/// The question is decided, whatever it was before.
pub fn update_settled(tx: &mut Tx, id: QuestionId) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "UPDATE questions SET settled_at = $2, voided_at = NULL, void_reason = NULL, revision = revision + 1 WHERE id = $1",
        params![id, now],
    )
}

pub fn update_voided(tx: &mut Tx, id: QuestionId, reason: &QuestionVoidReason) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "UPDATE questions SET voided_at = $2, void_reason = $3, revision = revision + 1 WHERE id = $1",
        params![id, now, reason],
    )
}

/// How many answered a question that is closed, and how many picked each answer.
pub fn count_picks(tx: &mut Tx, id: QuestionId) -> Result<(i64, Vec<(OptionId, i64)>)> {
    let tips = tx.one("SELECT count(*) FROM question_tips WHERE question_id = $1", params![id])?;
    let picks = tx.all(
        "SELECT o.id, (SELECT count(*) FROM question_picks p WHERE p.option_id = o.id) FROM question_options o
         WHERE o.question_id = $1",
        params![id],
    )?;
    Ok((tips, picks))
}

pub fn update_counts(
    tx: &mut Tx,
    id: QuestionId,
    tips: i64,
    picks: &[(OptionId, i64)],
) -> Result<()> {
    tx.exec("UPDATE questions SET tip_count = $2 WHERE id = $1", params![id, tips])?;
    for (option, count) in picks {
        tx.exec(
            "UPDATE question_options SET pick_count = $2 WHERE id = $1",
            params![*option, *count],
        )?;
    }
    Ok(())
}

/// A question that takes answers again tells nobody what others picked.
pub fn delete_counts(tx: &mut Tx, id: QuestionId) -> Result<()> {
    tx.exec("UPDATE questions SET tip_count = NULL WHERE id = $1", params![id])?;
    tx.exec("UPDATE question_options SET pick_count = NULL WHERE question_id = $1", params![id])
        .map(drop)
}
