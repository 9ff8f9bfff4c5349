//! Lists of predictions: of an event, of some users, of one user.
//!
//! An event's predictions come in the order of their ids, oldest first, so that a page once read stays the same while more
//! predictions arrive. A whole list is read in short stretches, each beginning where the last one ended. A page is found
//! through an index without reading what lies before it, and from whichever end of the list is nearer.

use std::cmp::Reverse;

use crate::features::events::{EventId, TournamentId};
use crate::features::users::UserId;
use crate::platform::db::{Tx, Wish, all_by_position, by_position};
use crate::platform::error::Result;
use crate::platform::http::page::Page;

use super::listing_store::{self as store, ListedRow, MOST_NEWEST, OwnTotals};
use super::{Outcome, PredictionId, PredictionRow, PredictionTotals, store::totals_of_event};

/// Rows read at once.
const STRETCH: i64 = 500;

/// Which of an event's predictions are asked for; what is absent does not narrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PredictionFilter {
    pub user: Option<UserId>,
    pub outcome: Option<Outcome>,
}

/// What the filter leaves of the event's totals.
pub fn totals(tx: &mut Tx, event: EventId, filter: PredictionFilter) -> Result<PredictionTotals> {
    if let Some(user) = filter.user {
        let own = store::find_of(tx, event, user)?.filter(|row| is_wanted(row, filter));
        let mut totals = PredictionTotals::default();
        if let Some(row) = own {
            totals.add(row.outcome, 1, row.confidence.get());
        }
        return Ok(totals);
    }
    let totals = totals_of_event(tx, event)?;
    Ok(filter.outcome.map_or(totals, |outcome| totals.only(outcome)))
}

/// Visits the predictions of an event, all or a page of them.
pub fn walk(
    tx: &mut Tx,
    event: EventId,
    filter: PredictionFilter,
    page: Option<Page>,
    mut visit: impl FnMut(ListedRow) -> Result<()>,
) -> Result<()> {
    if let Some(user) = filter.user {
        let is_on_page = page.is_none_or(|page| page.offset() == 0);
        let own =
            store::find_of(tx, event, user)?.filter(|row| is_on_page && is_wanted(row, filter));
        return own.map_or(Ok(()), visit);
    }
    let Some(page) = page else { return walk_all(tx, event, filter.outcome, visit) };
    let total = totals(tx, event, filter)?.all();
    read_page(tx, event, filter.outcome, page, total)?.into_iter().try_for_each(&mut visit)
}

fn is_wanted(row: &ListedRow, filter: PredictionFilter) -> bool {
    filter.outcome.is_none_or(|outcome| outcome == row.outcome)
}

fn walk_all(
    tx: &mut Tx,
    event: EventId,
    outcome: Option<Outcome>,
    mut visit: impl FnMut(ListedRow) -> Result<()>,
) -> Result<()> {
    let mut last = PredictionId(0);
    loop {
        let rows = store::list_after(tx, event, outcome, last, STRETCH)?;
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
    let is_from_end = after < before;
    store::list_page(tx, event, outcome, is_from_end, length, before.min(after))
}

/// The totals of these users' predictions on an event.
pub fn totals_among(tx: &mut Tx, event: EventId, users: &[UserId]) -> Result<PredictionTotals> {
    let mut totals = PredictionTotals::default();
    for (outcome, count, confidence) in store::list_counts_among(tx, event, users)? {
        totals.add(outcome, count, confidence);
    }
    Ok(totals)
}

/// Which of a user's own predictions are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OwnFilter {
    pub event: Option<EventId>,
    pub tournament: Option<TournamentId>,
    pub outcome: Option<Outcome>,
    pub is_settled: Option<bool>,
}

/// A user's wish for one of the first pages of all their own predictions, newest first.
pub struct OwnPage {
    user: UserId,
    page: Page,
}

impl OwnPage {
    /// None if it is further down than what is read for many at once.
    pub fn near(user: UserId, page: Page) -> Option<Self> {
        let wish = Self { user, page };
        (wish.end() <= MOST_NEWEST).then_some(wish)
    }

    /// Of the predictions up to its last.
    fn end(&self) -> i64 {
        self.page.offset().saturating_add(self.page.per_page)
    }
}

impl Wish for OwnPage {
    type Granted = (OwnTotals, Vec<PredictionRow>);
    const WRITES: bool = false;

    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<Self::Granted>>> {
        let users: Vec<UserId> = wishes.iter().map(|wish| wish.user).collect();
        let most = wishes.iter().map(Self::end).max().unwrap_or(0);
        let newest = all_by_position(users.len(), store::list_newest(tx, &users, most)?);
        let totals = by_position(users.len(), store::list_totals(tx, &users)?);
        let page = |((Self { page, .. }, mut newest), totals): ((&Self, Vec<_>), Option<_>)| {
            newest.sort_unstable_by_key(|row: &PredictionRow| Reverse(row.id));
            let [skipped, shown] =
                [page.offset(), page.per_page].map(|n| usize::try_from(n).unwrap_or(0));
            Ok((totals.unwrap_or_default(), newest.into_iter().skip(skipped).take(shown).collect()))
        };
        Ok(wishes.iter().zip(newest).zip(totals).map(page).collect())
    }
}
