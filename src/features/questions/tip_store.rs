//! The `question_tips` and `question_picks` tables: what users answered, and what it earned.

use crate::features::leaderboards::TipStretch;
use crate::features::users::{BriefUserView, UserId};
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, enum_column, params, row};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;

use super::values::{OptionId, QuestionId};

row! {
    #[derive(Debug, Clone)]
    pub struct TipRow {
        pub id: i64,
        pub question_id: QuestionId,
        pub points: Option<i64>,
        pub created_at: Timestamp,
        pub changed_at: Timestamp,
    }
}

/// What somebody answered to these questions.
pub fn list_of(tx: &mut Tx, user: UserId, questions: &[QuestionId]) -> Result<Vec<TipRow>> {
    let questions = serde_json::to_string(questions).map_err(Error::internal)?;
    tx.all(
        "SELECT id, question_id, points, created_at, changed_at FROM question_tips
         WHERE user_id = $1 AND question_id IN (SELECT CAST(value AS BIGINT) FROM json_each($2))",
        params![user, questions],
    )
}

pub fn list_all_of(tx: &mut Tx, user: UserId) -> Result<Vec<TipRow>> {
    tx.all(
        "SELECT id, question_id, points, created_at, changed_at FROM question_tips WHERE user_id = $1 ORDER BY id",
        params![user],
    )
}

/// The answers of these tips.
pub fn list_picks(tx: &mut Tx, tips: &[i64]) -> Result<Vec<(i64, OptionId)>> {
    let tips = serde_json::to_string(tips).map_err(Error::internal)?;
    tx.all(
        "SELECT p.tip_id, p.option_id FROM question_picks p JOIN question_options o ON o.id = p.option_id
         WHERE p.tip_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) ORDER BY p.tip_id, o.position",
        params![tips],
    )
}

pub fn upsert(tx: &mut Tx, question: QuestionId, user: UserId, picks: &[OptionId]) -> Result<()> {
    let now = tx.now();
    let tip: i64 = tx.one(
        "INSERT INTO question_tips (question_id, user_id, created_at, changed_at) VALUES ($1, $2, $3, $3)
         ON CONFLICT (question_id, user_id) DO UPDATE SET changed_at = excluded.changed_at RETURNING id",
        params![question, user, now],
    )?;
    let picks = serde_json::to_string(picks).map_err(Error::internal)?;
    tx.exec("DELETE FROM question_picks WHERE tip_id = $1", params![tip])?;
    tx.exec(
        "INSERT INTO question_picks (tip_id, option_id) SELECT $1, CAST(value AS BIGINT) FROM json_each($2)",
        params![tip, picks],
    )
    .map(drop)
}

/// Takes an answer back; false if there was none.
pub fn delete(tx: &mut Tx, question: QuestionId, user: UserId) -> Result<bool> {
    tx.exec(
        "DELETE FROM question_picks WHERE tip_id IN (SELECT id FROM question_tips WHERE question_id = $1 AND user_id = $2)",
        params![question, user],
    )?;
    let deleted = tx.exec(
        "DELETE FROM question_tips WHERE question_id = $1 AND user_id = $2",
        params![question, user],
    )?;
    Ok(deleted == 1)
}

row! {
    #[derive(Debug)]
    pub struct OthersTipRow {
        pub id: i64,
        pub user: BriefUserView,
        pub points_earned: Option<i64>,
    }
}

/// A page of what all answered, as they came.
pub fn list_all(tx: &mut Tx, question: QuestionId, page: Page) -> Result<Vec<OthersTipRow>> {
    tx.all(
        "SELECT t.id, u.id, u.username, u.name, t.points FROM question_tips t JOIN users u ON u.id = t.user_id
         WHERE t.question_id = $1 ORDER BY t.id LIMIT $2 OFFSET $3",
        params![question, page.per_page, page.offset()],
    )
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Points go into tips and boards.
    Tips,
    /// The places of large boards are counted anew.
    Places,
    Done,
}

enum_column!(Phase { Tips = "tips", Places = "places", Done = "done" });

row! {
    /// How far the tips follow their question.
    #[derive(Debug, Clone)]
    pub struct WorkRow {
        pub revision: i64,
        pub work_revision: i64,
        pub phase: Phase,
        pub cursor: i64,
        pub boards: String,
        /// Whether tips earn anything: it is settled and not void.
        pub is_paying: bool,
        pub in_leagues: bool,
    }
}

/// Held until the end of the transaction.
pub fn find_work(tx: &mut Tx, question: QuestionId) -> Result<Option<WorkRow>> {
    tx.opt(
        "SELECT revision, work_revision, work_phase, work_cursor, boards,
                CAST(CASE WHEN settled_at IS NOT NULL AND voided_at IS NULL THEN 1 ELSE 0 END AS BIGINT), in_leagues
         FROM questions WHERE id = $1 FOR UPDATE",
        params![question],
    )
}

pub fn update_work(tx: &mut Tx, question: QuestionId, work: &WorkRow) -> Result<u64> {
    tx.exec(
        "UPDATE questions SET work_revision = $2, work_phase = $3, work_cursor = $4 WHERE id = $1",
        params![question, work.work_revision, work.phase, work.cursor],
    )
}

/// Whether a question has more tips than this.
pub fn has_more_than(tx: &mut Tx, question: QuestionId, most: i64) -> Result<bool> {
    let found: Option<i64> = tx.opt(
        "SELECT id FROM question_tips WHERE question_id = $1 ORDER BY id LIMIT 1 OFFSET $2",
        params![question, most],
    )?;
    Ok(found.is_some())
}

/// The next tips of a question, at most so many; nothing at the end.
pub fn next_stretch(
    tx: &mut Tx,
    question: QuestionId,
    after: i64,
    most: i64,
) -> Result<Option<TipStretch>> {
    let end: Option<i64> = tx.one(
        "SELECT max(id) FROM (SELECT id FROM question_tips WHERE question_id = $1 AND id > $2 ORDER BY id LIMIT $3) stretch",
        params![question, after, most],
    )?;
    Ok(end.map(|end| TipStretch { question: question.0, after, end }))
}

/// What tips earn: the question's points for each right answer, or nothing at all.
pub fn update_points(tx: &mut Tx, stretch: TipStretch, is_paying: bool) -> Result<u64> {
    let TipStretch { question, after, end } = stretch;
    tx.exec(
        "UPDATE question_tips
         SET points = CASE WHEN $4 = 1
                           THEN (SELECT q.points FROM questions q WHERE q.id = $1)
                                * (SELECT count(*) FROM question_picks p JOIN question_options o ON o.id = p.option_id
                                   WHERE p.tip_id = question_tips.id AND o.is_right = 1) END
         WHERE question_id = $1 AND id > $2 AND id <= $3",
        params![question, after, end, is_paying],
    )
}

/// What they earned is counted.
pub fn update_counted(tx: &mut Tx, stretch: TipStretch) -> Result<u64> {
    let TipStretch { question, after, end } = stretch;
    tx.exec(
        "UPDATE question_tips SET counted_points = points
         WHERE question_id = $1 AND id > $2 AND id <= $3 AND counted_points IS DISTINCT FROM points",
        params![question, after, end],
    )
}
