//! Lists of predictions in SQL. Each is read from an index that has its order; only the rows that are shown are joined with who
//! made them.

use crate::features::events::EventId;
use crate::features::users::{BriefUserView, UserId};
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;

use super::listing::OwnFilter;
use super::store::prediction_columns;
use super::{Confidence, Outcome, PredictionId, PredictionRow, ScorePair};

row! {
    /// A prediction with who made it.
    #[derive(Debug, Clone)]
    pub struct ListedRow {
        pub id: PredictionId,
        pub user: BriefUserView,
        pub outcome: Outcome,
        pub score: Option<ScorePair>,
        pub confidence: Confidence,
        pub points: Option<i64>,
        pub created_at: Timestamp,
        pub is_late: bool,
    }
}

/// The columns of [`ListedRow`], for the predictions whose ids `$ids` selects.
macro_rules! listed {
    ($ids:expr) => {
        concat!(
            "SELECT p.id, u.id, u.username, u.name, p.outcome, p.home_score, p.away_score, p.confidence, p.points,
                    p.created_at, p.is_late
             FROM (", $ids, ") i JOIN predictions p ON p.id = i.id JOIN users u ON u.id = p.user_id ORDER BY p.id"
        )
    };
}

/// A page of an event's predictions that `$and` narrows, counted from the start or, with `DESC`, from the end.
macro_rules! page {
    ($and:literal, $order:literal) => {
        listed!(concat!(
            "SELECT id FROM predictions WHERE event_id = $1 ",
            $and,
            " ORDER BY id ",
            $order,
            " LIMIT $2 OFFSET $3"
        ))
    };
}

/// A user's prediction on an event.
pub fn find_of(tx: &mut Tx, event: EventId, user: UserId) -> Result<Option<ListedRow>> {
    tx.opt(
        listed!("SELECT id FROM predictions WHERE event_id = $1 AND user_id = $2"),
        params![event, user],
    )
}

/// The next predictions after this one.
pub fn list_after(
    tx: &mut Tx,
    event: EventId,
    outcome: Option<Outcome>,
    last: PredictionId,
    most: i64,
) -> Result<Vec<ListedRow>> {
    match outcome {
        None => tx.all(
            listed!(
                "SELECT id FROM predictions WHERE event_id = $1 AND id > $2 ORDER BY id LIMIT $3"
            ),
            params![event, last, most],
        ),
        Some(outcome) => tx.all(
            listed!(
                "SELECT id FROM predictions WHERE event_id = $1 AND outcome = $4 AND id > $2
                 ORDER BY id LIMIT $3"
            ),
            params![event, last, most, outcome],
        ),
    }
}

/// So many predictions, after these first ones or, from the end, before these last ones; oldest first all the same.
pub fn list_page(
    tx: &mut Tx,
    event: EventId,
    outcome: Option<Outcome>,
    is_from_end: bool,
    limit: i64,
    skip: i64,
) -> Result<Vec<ListedRow>> {
    match (outcome, is_from_end) {
        (None, false) => tx.all(page!("", ""), params![event, limit, skip]),
        (None, true) => tx.all(page!("", "DESC"), params![event, limit, skip]),
        (Some(outcome), false) => {
            tx.all(page!("AND outcome = $4", ""), params![event, limit, skip, outcome])
        }
        (Some(outcome), true) => {
            tx.all(page!("AND outcome = $4", "DESC"), params![event, limit, skip, outcome])
        }
    }
}

/// How many of these users' predictions say what, and the sum of their confidence.
pub fn list_counts_among(
    tx: &mut Tx,
    event: EventId,
    users: &[UserId],
) -> Result<Vec<(Outcome, i64, i64)>> {
    tx.all(
        "SELECT outcome, count(*), CAST(sum(confidence) AS BIGINT) FROM predictions
         WHERE event_id = $1 AND user_id IN (SELECT CAST(value AS BIGINT) FROM json_each($2)) GROUP BY outcome",
        params![event, to_json(users)?],
    )
}

/// Visits these users' predictions on an event, all or a page of them.
pub fn walk_among(
    tx: &mut Tx,
    event: EventId,
    users: &[UserId],
    page: Option<Page>,
    visit: impl FnMut(ListedRow) -> Result<()>,
) -> Result<()> {
    let (limit, offset) = Page::limit_and_offset(page);
    tx.each(
        listed!(
            "SELECT id FROM predictions
             WHERE event_id = $1 AND user_id IN (SELECT CAST(value AS BIGINT) FROM json_each($2))
             ORDER BY id LIMIT $3 OFFSET $4"
        ),
        params![event, to_json(users)?, limit, offset],
        visit,
    )
}

fn to_json(users: &[UserId]) -> Result<String> {
    serde_json::to_string(users).map_err(Error::internal)
}

row! {
    #[derive(Debug, Clone, Copy, Default)]
    pub struct OwnTotals {
        pub predictions: i64,
        pub settled: i64,
        pub points: i64,
    }
}

row! {
    /// A prediction of somebody who asked for their own.
    #[derive(Debug, Clone)]
    pub struct OwnRow {
        /// Who asked.
        pub position: i64,
        /// The newest of a list comes also if its page is another, for the totals.
        pub is_on_page: bool,
        /// The numbers of their whole list.
        pub totals: OwnTotals,
        pub prediction: PredictionRow,
    }
}

/// Visits what each of these asked for of their own predictions, newest first. One statement for all of them, so that each has a page of
/// their own without a `LIMIT`, and that totals and page are of the same moment.
pub fn walk_own(
    tx: &mut Tx,
    asked: &[(UserId, OwnFilter, Option<Page>)],
    visit: impl FnMut(OwnRow) -> Result<()>,
) -> Result<()> {
    let asked = asked.iter().map(|(user, filter, page)| {
        let OwnFilter { event, tournament, outcome, is_settled } = filter;
        let (most, skipped) = Page::limit_and_offset(*page);
        (user, event, tournament, outcome, is_settled.map(i64::from), most, skipped)
    });
    let asked = serde_json::to_string(&asked.collect::<Vec<_>>()).map_err(Error::internal)?;
    tx.each(
        concat!(
            "WITH asked AS MATERIALIZED (
                 SELECT key AS position, CAST(value ->> 0 AS BIGINT) AS user_id, CAST(value ->> 1 AS BIGINT) AS event_id,
                        CAST(value ->> 2 AS BIGINT) AS tournament_id, value ->> 3 AS outcome,
                        CAST(value ->> 4 AS BIGINT) AS is_settled, CAST(value ->> 5 AS BIGINT) AS most,
                        CAST(value ->> 6 AS BIGINT) AS skipped
                 FROM json_each($1))
             SELECT p.position, CASE WHEN p.place > p.skipped THEN 1 ELSE 0 END, p.predictions, p.settled, p.earned, ",
            prediction_columns!(),
            " FROM (
                 SELECT p.*, a.position, a.most, a.skipped,
                        row_number() OVER (PARTITION BY a.position ORDER BY p.id DESC) AS place,
                        count(*) OVER (PARTITION BY a.position) AS predictions,
                        count(p.points) OVER (PARTITION BY a.position) AS settled,
                        CAST(COALESCE(sum(p.points) OVER (PARTITION BY a.position), 0) AS BIGINT) AS earned
                 FROM asked a JOIN predictions p ON p.user_id = a.user_id
                 WHERE (a.event_id IS NULL OR p.event_id = a.event_id)
                   AND (a.tournament_id IS NULL
                        OR EXISTS (SELECT 1 FROM events e WHERE e.id = p.event_id AND e.tournament_id = a.tournament_id))
                   AND (a.outcome IS NULL OR p.outcome = a.outcome)
                   AND (a.is_settled IS NULL OR (CASE WHEN p.points IS NULL THEN 0 ELSE 1 END) = a.is_settled)) p
             WHERE p.place = 1 OR (p.place > p.skipped AND p.place - p.skipped <= p.most)
             ORDER BY p.position, p.place"
        ),
        params![asked],
        visit,
    )
}
