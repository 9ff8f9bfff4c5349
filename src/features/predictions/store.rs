//! The `predictions` and `prediction_revisions` tables, one prediction at a time.

use crate::features::events::{EventId, Score, Scoring};
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;

use super::{Confidence, Outcome, Pick, PredictionId, ScorePair, Tier};

row! {
    /// What is stored, and what it replaced.
    pub struct StoredRow {
        pub id: PredictionId,
        pub created_at: Timestamp,
        pub revision: i64,
        previous_outcome: Option<Outcome>,
        previous_confidence: Option<Confidence>,
    }
}

impl StoredRow {
    pub fn previous(&self) -> Option<(Outcome, Confidence)> {
        self.previous_outcome.zip(self.previous_confidence)
    }
}

row! {
    #[derive(Debug, Clone)]
    pub struct PredictionRow {
        pub id: PredictionId,
        pub user_id: UserId,
        pub event_id: EventId,
        pub outcome: Outcome,
        pub home_score: Option<Score>,
        pub away_score: Option<Score>,
        pub confidence: Confidence,
        pub created_at: Timestamp,
        pub updated_at: Timestamp,
        pub is_late: bool,
        pub settlement_version: i64,
        pub scoring: Option<Scoring>,
        pub tier: Option<Tier>,
        pub points: Option<i64>,
    }
}

impl PredictionRow {
    pub fn score(&self) -> Option<ScorePair> {
        pair(self.home_score, self.away_score)
    }
}

row! {
    #[derive(Debug, Clone)]
    pub struct RevisionRow {
        pub outcome: Outcome,
        home_score: Option<Score>,
        away_score: Option<Score>,
        pub confidence: Confidence,
        pub created_at: Timestamp,
    }
}

impl RevisionRow {
    pub fn score(&self) -> Option<ScorePair> {
        pair(self.home_score, self.away_score)
    }
}

pub fn pair(home: Option<Score>, away: Option<Score>) -> Option<ScorePair> {
    home.zip(away).map(|(home, away)| ScorePair { home, away })
}

/// The columns of [`PredictionRow`].
macro_rules! prediction_columns {
    () => {
        "p.id, p.user_id, p.event_id, p.outcome, p.home_score, p.away_score, p.confidence, p.created_at, p.updated_at, \
         p.is_late, p.settlement_version, p.scoring, p.tier, p.points"
    };
}

pub(super) use prediction_columns;

/// One statement, so that of two replacements at once each sees the other's as the previous one.
pub fn upsert(
    tx: &mut Tx,
    user: UserId,
    event: EventId,
    pick: &Pick,
    now: Timestamp,
) -> Result<StoredRow> {
    tx.changes(super::CHANGES.of(event.0));
    tx.one(
        "INSERT INTO predictions (event_id, user_id, outcome, home_score, away_score, confidence, revision, created_at,
                updated_at, is_late, settlement_version)
         VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $7, 0, 0)
         ON CONFLICT (event_id, user_id) DO UPDATE
         SET outcome = excluded.outcome, home_score = excluded.home_score, away_score = excluded.away_score,
             confidence = excluded.confidence, revision = predictions.revision + 1, updated_at = excluded.updated_at,
             previous_outcome = predictions.outcome, previous_confidence = predictions.confidence,
             is_late = 0, settlement_version = 0, scoring = NULL, tier = NULL, points = NULL
         RETURNING id, created_at, revision, previous_outcome, previous_confidence",
        params![
            event,
            user,
            pick.outcome(),
            pick.score().map(|score| score.home),
            pick.score().map(|score| score.away),
            pick.confidence(),
            now
        ],
    )
}

pub fn insert_revision(tx: &mut Tx, id: PredictionId, pick: &Pick, now: Timestamp) -> Result<()> {
    tx.exec(
        "INSERT INTO prediction_revisions (prediction_id, outcome, home_score, away_score, confidence, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        params![
            id,
            pick.outcome(),
            pick.score().map(|score| score.home),
            pick.score().map(|score| score.away),
            pick.confidence(),
            now
        ],
    )
    .map(drop)
}

pub fn find(tx: &mut Tx, id: PredictionId) -> Result<Option<PredictionRow>> {
    let sql = concat!("SELECT ", prediction_columns!(), " FROM predictions p WHERE p.id = $1");
    tx.opt(sql, params![id])
}

pub fn count_of_user(tx: &mut Tx, user: UserId) -> Result<i64> {
    tx.one("SELECT count(*) FROM predictions WHERE user_id = $1", params![user])
}

pub fn list_of_user(tx: &mut Tx, user: UserId) -> Result<Vec<PredictionRow>> {
    let sql = concat!(
        "SELECT ",
        prediction_columns!(),
        " FROM predictions p WHERE p.user_id = $1 ORDER BY p.id"
    );
    tx.all(sql, params![user])
}

pub fn list_revisions(tx: &mut Tx, id: PredictionId) -> Result<Vec<RevisionRow>> {
    tx.all(
        "SELECT outcome, home_score, away_score, confidence, created_at FROM prediction_revisions
         WHERE prediction_id = $1 ORDER BY id",
        params![id],
    )
}

/// The revisions of all of a user's predictions, each with the id of its prediction.
pub fn list_revisions_of_user(
    tx: &mut Tx,
    user: UserId,
) -> Result<Vec<(PredictionId, RevisionRow)>> {
    tx.all(
        "SELECT r.prediction_id, r.outcome, r.home_score, r.away_score, r.confidence, r.created_at
         FROM predictions p JOIN prediction_revisions r ON r.prediction_id = p.id
         WHERE p.user_id = $1 ORDER BY r.prediction_id, r.id",
        params![user],
    )
}
