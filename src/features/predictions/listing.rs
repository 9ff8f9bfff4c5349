//! Lists of predictions: of an event, of a room, of a user.
//!
//! An event's predictions come in the order of their ids, oldest first, so that a page once read stays the same while more
//! predictions arrive. A whole list is read in short stretches, each beginning where the last one ended. A page is found
//! through an index without reading what lies before it, and from whichever end of the list is nearer.

use crate::features::events::{EventId, Score, TournamentId};
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;

use super::store::{pair, prediction_columns};
use super::{Confidence, Outcome, PredictionId, PredictionRow, ScorePair, Totals, counters};

/// Rows read at once.
const STRETCH: i64 = 500;

row! {
    /// A prediction with who made it.
    #[derive(Debug, Clone)]
    pub struct ListedRow {
        pub id: PredictionId,
        pub user_id: UserId,
        pub username: String,
        pub name: Option<String>,
        pub outcome: Outcome,
        home_score: Option<Score>,
        away_score: Option<Score>,
        pub confidence: Confidence,
        pub points: Option<i64>,
        pub created_at: Timestamp,
        pub is_late: bool,
    }
}

impl ListedRow {
    pub fn score(&self) -> Option<ScorePair> {
        pair(self.home_score, self.away_score)
    }
}

/// Which of an event's predictions are asked for; what is absent does not narrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Filter {
    pub user: Option<UserId>,
    pub outcome: Option<Outcome>,
}

/// Whose predictions a room shows.
#[derive(Debug, Clone)]
pub enum Members {
    /// The event's own room: everybody's.
    Everyone,
    Only(Vec<UserId>),
}

/// A room whose predictions may be read. A room without a match has none.
#[derive(Debug, Clone)]
pub struct RoomRead {
    pub event: Option<EventId>,
    pub members: Members,
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

/// What the filter leaves of the event's totals.
pub fn totals(tx: &mut Tx, event: EventId, filter: Filter) -> Result<Totals> {
    if let Some(user) = filter.user {
        let own = find_own(tx, event, user)?.filter(|row| is_wanted(row, filter));
        let mut totals = Totals::default();
        if let Some(row) = own {
            totals.add(row.outcome, row.confidence, 1);
        }
        return Ok(totals);
    }
    let totals = counters::totals(tx, event)?;
    Ok(filter.outcome.map_or(totals, |outcome| totals.only(outcome)))
}

/// Visits the predictions of an event, all or a page of them.
pub fn walk(
    tx: &mut Tx,
    event: EventId,
    filter: Filter,
    page: Option<Page>,
    mut visit: impl FnMut(ListedRow) -> Result<()>,
) -> Result<()> {
    if let Some(user) = filter.user {
        let is_on_page = page.is_none_or(|page| page.offset() == 0);
        let own = find_own(tx, event, user)?.filter(|row| is_on_page && is_wanted(row, filter));
        return own.map_or(Ok(()), visit);
    }
    let Some(page) = page else { return walk_all(tx, event, filter.outcome, visit) };
    let total = totals(tx, event, filter)?.all();
    read_page(tx, event, filter.outcome, page, total)?.into_iter().try_for_each(&mut visit)
}

fn is_wanted(row: &ListedRow, filter: Filter) -> bool {
    filter.outcome.is_none_or(|outcome| outcome == row.outcome)
}

fn find_own(tx: &mut Tx, event: EventId, user: UserId) -> Result<Option<ListedRow>> {
    tx.opt(
        listed!("SELECT id FROM predictions WHERE event_id = $1 AND user_id = $2"),
        params![event, user],
    )
}

fn walk_all(
    tx: &mut Tx,
    event: EventId,
    outcome: Option<Outcome>,
    mut visit: impl FnMut(ListedRow) -> Result<()>,
) -> Result<()> {
    let mut last = PredictionId(0);
    loop {
        let rows: Vec<ListedRow> = match outcome {
            None => tx.all(
                listed!(
                    "SELECT id FROM predictions WHERE event_id = $1 AND id > $2 ORDER BY id LIMIT $3"
                ),
                params![event, last, STRETCH],
            )?,
            Some(outcome) => tx.all(
                listed!(
                    "SELECT id FROM predictions WHERE event_id = $1 AND outcome = $4 AND id > $2
                     ORDER BY id LIMIT $3"
                ),
                params![event, last, STRETCH, outcome],
            )?,
        };
        let Some(end) = rows.last() else { return Ok(()) };
        last = end.id;
        rows.into_iter().try_for_each(&mut visit)?;
    }
}

fn read_page(
    tx: &mut Tx,
    event: EventId,
    outcome: Option<Outcome>,
    page: Page,
    total: i64,
) -> Result<Vec<ListedRow>> {
    let before = page.offset().min(total);
    let length = page.per_page.min(total - before);
    let after = total - before - length;
    let (skip, is_backwards) = if before <= after { (before, false) } else { (after, true) };
    match (outcome, is_backwards) {
        (None, false) => tx.all(
            listed!(
                "SELECT id FROM predictions WHERE event_id = $1 ORDER BY id LIMIT $2 OFFSET $3"
            ),
            params![event, length, skip],
        ),
        (None, true) => tx.all(
            listed!(
                "SELECT id FROM predictions WHERE event_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3"
            ),
            params![event, length, skip],
        ),
        (Some(outcome), false) => tx.all(
            listed!(
                "SELECT id FROM predictions WHERE event_id = $1 AND outcome = $4
                 ORDER BY id LIMIT $2 OFFSET $3"
            ),
            params![event, length, skip, outcome],
        ),
        (Some(outcome), true) => tx.all(
            listed!(
                "SELECT id FROM predictions WHERE event_id = $1 AND outcome = $4
                 ORDER BY id DESC LIMIT $2 OFFSET $3"
            ),
            params![event, length, skip, outcome],
        ),
    }
}

pub fn room_totals(tx: &mut Tx, room: &RoomRead) -> Result<Totals> {
    let Some(event) = room.event else { return Ok(Totals::default()) };
    let Members::Only(members) = &room.members else { return counters::totals(tx, event) };
    let counts: Vec<(Outcome, i64, i64)> = tx.all(
        "SELECT outcome, count(*), CAST(sum(confidence) AS BIGINT) FROM predictions
         WHERE event_id = $1 AND user_id IN (SELECT CAST(value AS BIGINT) FROM json_each($2)) GROUP BY outcome",
        params![event, to_json(members)?],
    )?;
    let mut totals = Totals::default();
    for (outcome, count, confidence) in counts {
        let (number, sum) = match outcome {
            Outcome::Home => (&mut totals.home, &mut totals.home_confidence),
            Outcome::Draw => (&mut totals.draw, &mut totals.draw_confidence),
            Outcome::Away => (&mut totals.away, &mut totals.away_confidence),
        };
        (*number, *sum) = (count, confidence);
    }
    Ok(totals)
}

/// Visits the predictions that a room shows, all or a page of them.
pub fn walk_room(
    tx: &mut Tx,
    room: &RoomRead,
    page: Option<Page>,
    visit: impl FnMut(ListedRow) -> Result<()>,
) -> Result<()> {
    let Some(event) = room.event else { return Ok(()) };
    let Members::Only(members) = &room.members else {
        return walk(tx, event, Filter::default(), page, visit);
    };
    let (limit, offset) = Page::limit_and_offset(page);
    tx.each(
        listed!(
            "SELECT id FROM predictions
             WHERE event_id = $1 AND user_id IN (SELECT CAST(value AS BIGINT) FROM json_each($2))
             ORDER BY id LIMIT $3 OFFSET $4"
        ),
        params![event, to_json(members)?, limit, offset],
        visit,
    )
}

fn to_json(users: &[UserId]) -> Result<String> {
    serde_json::to_string(users).map_err(Error::internal)
}

/// Which of a user's own predictions are asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct OwnFilter {
    pub event: Option<EventId>,
    pub tournament: Option<TournamentId>,
    pub outcome: Option<Outcome>,
    pub is_settled: Option<bool>,
}

row! {
    #[derive(Debug, Clone, Copy)]
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
    tx.each(
        concat!(
            "SELECT ",
            prediction_columns!(),
            " ",
            own!(),
            " ORDER BY p.id DESC LIMIT $6 OFFSET $7"
        ),
        params![
            user,
            filter.event,
            filter.tournament,
            filter.outcome,
            filter.is_settled,
            limit,
            offset
        ],
        visit,
    )
}
