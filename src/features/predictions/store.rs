//! The `predictions` and `prediction_revisions` tables, one prediction at a time; `event_counters`, which nobody else writes and
//! events read, to show a match with how many predictions it has; and `prediction_news` and `prediction_news_head`.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::{EventId, Score, Scoring};
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};

use super::{Confidence, Outcome, Pick, PredictionId, PredictionTotals, ScorePair, Tier};

row! {
    /// What is stored, and what it replaced.
    pub struct StoredRow {
        pub event_id: EventId,
        pub user_id: UserId,
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
        pub score: Option<ScorePair>,
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

row! {
    #[derive(Debug, Serialize, ToSchema)]
    pub struct RevisionView {
        prediction: Outcome,
        score_prediction: Option<ScorePair>,
        confidence: Confidence,
        #[schema(value_type = String, format = DateTime)]
        created_at: Timestamp,
    }
}

/// The columns of [`PredictionRow`].
macro_rules! prediction_columns {
    () => {
        "p.id, p.user_id, p.event_id, p.outcome, p.home_score, p.away_score, p.confidence, p.created_at, p.updated_at, \
         p.is_late, p.settlement_version, p.scoring, p.tier, p.points"
    };
}

pub(super) use prediction_columns;

/// A prediction, or a revision of one, as its columns: what of, and the pick.
#[derive(Serialize)]
pub struct NewRow<T>(T, Outcome, Option<Score>, Option<Score>, Confidence);

impl<T> NewRow<T> {
    pub fn new(of: T, pick: &Pick) -> Self {
        let (home, away) = pick.score().map(|score| (score.home, score.away)).unzip();
        Self(of, pick.outcome(), home, away, pick.confidence())
    }
}

/// Stores predictions of different users. One statement, so that of two replacements at once each sees the other's as the previous
/// one.
pub fn upsert(
    tx: &mut Tx,
    new: &[NewRow<(EventId, UserId)>],
    now: Timestamp,
) -> Result<Vec<StoredRow>> {
    for NewRow((event, _), ..) in new {
        tx.changes(super::CHANGES.of(event.0));
    }
    let new = serde_json::to_string(new).map_err(Error::internal)?;
    tx.all(
        "INSERT INTO predictions (event_id, user_id, outcome, home_score, away_score, confidence, revision, created_at,
                updated_at, is_late, settlement_version)
         SELECT CAST(value -> 0 ->> 0 AS BIGINT), CAST(value -> 0 ->> 1 AS BIGINT), value ->> 1,
                CAST(value ->> 2 AS BIGINT), CAST(value ->> 3 AS BIGINT), CAST(value ->> 4 AS BIGINT), 1, $2, $2, 0, 0
         FROM json_each($1, '$') WHERE true ORDER BY 1, 2
         ON CONFLICT (event_id, user_id) DO UPDATE
         SET outcome = excluded.outcome, home_score = excluded.home_score, away_score = excluded.away_score,
             confidence = excluded.confidence, revision = predictions.revision + 1, updated_at = excluded.updated_at,
             previous_outcome = predictions.outcome, previous_confidence = predictions.confidence,
             is_late = 0, settlement_version = 0, scoring = NULL, tier = NULL, points = NULL
         RETURNING event_id, user_id, id, created_at, revision, previous_outcome, previous_confidence",
        params![new, now],
    )
}

pub fn insert_revisions(tx: &mut Tx, new: &[NewRow<PredictionId>], now: Timestamp) -> Result<u64> {
    let new = serde_json::to_string(new).map_err(Error::internal)?;
    tx.exec(
        "INSERT INTO prediction_revisions (prediction_id, outcome, home_score, away_score, confidence, created_at)
         SELECT CAST(value ->> 0 AS BIGINT), value ->> 1, CAST(value ->> 2 AS BIGINT), CAST(value ->> 3 AS BIGINT),
                CAST(value ->> 4 AS BIGINT), $2
         FROM json_each($1, '$')",
        params![new, now],
    )
}

pub fn find(tx: &mut Tx, id: PredictionId) -> Result<Option<PredictionRow>> {
    let sql = concat!("SELECT ", prediction_columns!(), " FROM predictions p WHERE p.id = $1");
    tx.opt(sql, params![id])
}

/// How many predictions a user has made, settled or not.
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

/// The newest stays, however old it is: what was told of predictions goes by numbers that must not be given twice.
pub fn delete_revisions_before(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM prediction_revisions WHERE id IN
             (SELECT id FROM (SELECT id, created_at FROM prediction_revisions ORDER BY id LIMIT $2) AS oldest
              WHERE created_at <= $1)
         AND id < (SELECT max(id) FROM prediction_revisions)",
        params![before, most],
    )
}

/// Every revision of a prediction that is kept, oldest first.
pub fn list_revisions(tx: &mut Tx, id: PredictionId) -> Result<Vec<RevisionView>> {
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
) -> Result<Vec<(PredictionId, RevisionView)>> {
    tx.all(
        "SELECT r.prediction_id, r.outcome, r.home_score, r.away_score, r.confidence, r.created_at
         FROM predictions p JOIN prediction_revisions r ON r.prediction_id = p.id
         WHERE p.user_id = $1 ORDER BY r.prediction_id, r.id",
        params![user],
    )
}

/// Adds to the numbers of events, in one of the rows of each; answers how many predictions that has now.
pub fn add_to_totals(
    tx: &mut Tx,
    shard: usize,
    changes: &[(EventId, PredictionTotals)],
) -> Result<Vec<(EventId, i64)>> {
    let changes = serde_json::to_string(changes).map_err(Error::internal)?;
    let shard = i64::try_from(shard).unwrap_or(0);
    tx.all(
        "INSERT INTO event_counters (event_id, shard, predictions, home, draw, away, home_confidence, draw_confidence,
                away_confidence)
         SELECT CAST(value ->> 0 AS BIGINT), $2,
                CAST(value -> 1 ->> 0 AS BIGINT) + CAST(value -> 1 ->> 1 AS BIGINT) + CAST(value -> 1 ->> 2 AS BIGINT),
                CAST(value -> 1 ->> 0 AS BIGINT), CAST(value -> 1 ->> 1 AS BIGINT), CAST(value -> 1 ->> 2 AS BIGINT),
                CAST(value -> 1 ->> 3 AS BIGINT), CAST(value -> 1 ->> 4 AS BIGINT), CAST(value -> 1 ->> 5 AS BIGINT)
         FROM json_each($1, '$') WHERE true ORDER BY 1
         ON CONFLICT (event_id, shard) DO UPDATE
         SET predictions = event_counters.predictions + excluded.predictions,
             home = event_counters.home + excluded.home,
             draw = event_counters.draw + excluded.draw,
             away = event_counters.away + excluded.away,
             home_confidence = event_counters.home_confidence + excluded.home_confidence,
             draw_confidence = event_counters.draw_confidence + excluded.draw_confidence,
             away_confidence = event_counters.away_confidence + excluded.away_confidence
         RETURNING event_id, predictions",
        params![changes, shard],
    )
}

/// The numbers of all of an event's predictions: of all its rows together.
pub fn totals_of_event(tx: &mut Tx, event: EventId) -> Result<PredictionTotals> {
    tx.one(
        "SELECT CAST(COALESCE(sum(home), 0) AS BIGINT), CAST(COALESCE(sum(draw), 0) AS BIGINT),
                CAST(COALESCE(sum(away), 0) AS BIGINT), CAST(COALESCE(sum(home_confidence), 0) AS BIGINT),
                CAST(COALESCE(sum(draw_confidence), 0) AS BIGINT), CAST(COALESCE(sum(away_confidence), 0) AS BIGINT)
         FROM event_counters WHERE event_id = $1",
        params![event],
    )
}

/// The newest revision, if somebody has predicted since the last look.
pub fn find_newest(tx: &mut Tx) -> Result<Option<i64>> {
    tx.opt(
        "SELECT r.id FROM prediction_revisions r
         WHERE r.id > (SELECT last_revision_id FROM prediction_news_head WHERE id = 1) ORDER BY r.id DESC LIMIT 1",
        params![],
    )
}

/// Events with a revision since the last look, or shortly before it.
pub fn list_changed(tx: &mut Tx, newest: i64, overlap: i64) -> Result<Vec<EventId>> {
    tx.all(
        "SELECT DISTINCT p.event_id FROM prediction_revisions r JOIN predictions p ON p.id = r.prediction_id
         WHERE r.id > (SELECT last_revision_id FROM prediction_news_head WHERE id = 1) - $1 AND r.id <= $2
         ORDER BY p.event_id",
        params![overlap, newest],
    )
}

pub fn update_head(tx: &mut Tx, newest: i64) -> Result<()> {
    tx.exec(
        "UPDATE prediction_news_head SET last_revision_id = $1 WHERE id = 1 AND last_revision_id < $1",
        params![newest],
    )
    .map(drop)
}

/// Remembers what is told of an event; answers whether that is something else than what was told last.
pub fn upsert_told(tx: &mut Tx, event: EventId, totals: PredictionTotals) -> Result<bool> {
    let changed = tx.exec(
        "INSERT INTO prediction_news (event_id, home, draw, away) VALUES ($1, $2, $3, $4)
         ON CONFLICT (event_id) DO UPDATE SET home = excluded.home, draw = excluded.draw, away = excluded.away
         WHERE prediction_news.home <> excluded.home OR prediction_news.draw <> excluded.draw
            OR prediction_news.away <> excluded.away",
        params![event, totals.home, totals.draw, totals.away],
    )?;
    Ok(changed > 0)
}

/// How many predictions were ever made or changed, about: by the number of the newest revision.
pub fn count_ever_made(tx: &mut Tx) -> Result<i64> {
    tx.one("SELECT COALESCE(max(id), 0) FROM prediction_revisions", params![])
}
