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

/// The predictions of user `$1` that the filter in `$2` to `$5` leaves.
macro_rules! own {
    () => {
        "FROM predictions p JOIN events e ON e.id = p.event_id
         WHERE p.user_id = $1
           AND (CAST($2 AS BIGINT) IS NULL OR p.event_id = $2)
           AND (CAST($3 AS BIGINT) IS NULL OR e.tournament_id = $3)
           AND (CAST($4 AS TEXT) IS NULL OR p.outcome = $4)
           AND (CAST($5 AS BIGINT) IS NULL OR (CASE WHEN p.points IS NULL THEN 0 ELSE 1 END) = $5)"
    };
}

pub fn own_totals(tx: &mut Tx, user: UserId, filter: OwnFilter) -> Result<OwnTotals> {
    tx.one(
        concat!(
            "SELECT count(*), count(p.points), CAST(COALESCE(sum(p.points), 0) AS BIGINT) ",
            own!()
        ),
        params![user, filter.event, filter.tournament, filter.outcome, filter.is_settled],
    )
}

/// Visits a user's own predictions, newest first.
pub fn walk_own(
    tx: &mut Tx,
    user: UserId,
    filter: OwnFilter,
    page: Option<Page>,
    visit: impl FnMut(PredictionRow) -> Result<()>,
) -> Result<()> {
    let (limit, offset) = Page::limit_and_offset(page);
    let OwnFilter { event, tournament, outcome, is_settled } = filter;
    tx.each(
        concat!(
            "SELECT ",
            prediction_columns!(),
            " ",
            own!(),
            " ORDER BY p.id DESC LIMIT $6 OFFSET $7"
        ),
        params![user, event, tournament, outcome, is_settled, limit, offset],
        visit,
    )
}

/// The totals of each of these users who has predicted anything, with their position.
pub fn list_totals(tx: &mut Tx, users: &[UserId]) -> Result<Vec<(i64, OwnTotals)>> {
    tx.all(
        "SELECT u.key, count(*), count(p.points), CAST(COALESCE(sum(p.points), 0) AS BIGINT)
         FROM json_each($1) u JOIN predictions p ON p.user_id = CAST(u.value AS BIGINT) GROUP BY u.key",
        params![to_json(users)?],
    )
}

/// The newest predictions of each of many users, in no order. How many is part of the text: PostgreSQL would plan it anew each time
/// if it were a parameter.
macro_rules! newest {
    ($before_the_oldest:literal) => {
        concat!(
            "SELECT u.key, ",
            prediction_columns!(),
            " FROM json_each($1) u JOIN predictions p ON p.user_id = CAST(u.value AS BIGINT)
              AND p.id >= COALESCE((SELECT o.id FROM predictions o WHERE o.user_id = CAST(u.value AS BIGINT)
                                    ORDER BY o.id DESC LIMIT 1 OFFSET ",
            $before_the_oldest,
            "), 0)"
        )
    };
}

/// Predictions that are read of each of many users, at most.
pub const MOST_NEWEST: i64 = 201;

/// The newest predictions of each of these users, in no order and with the user's position: at least so many if there are, and
/// [`MOST_NEWEST`] at most.
pub fn list_newest(
    tx: &mut Tx,
    users: &[UserId],
    at_least: i64,
) -> Result<Vec<(i64, PredictionRow)>> {
    let sql = if at_least <= 20 { newest!("19") } else { newest!("200") };
    tx.all(sql, params![to_json(users)?])
}
