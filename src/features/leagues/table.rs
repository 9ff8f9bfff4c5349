//! A league's table: of all its weeks, or of one, and who won each.

use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::leaderboards::{Ladder, Place, Places, Window};
use crate::features::leagues::Leagues;
use crate::features::users::{BriefUserView, UserId};
use crate::platform::clock::{DAY_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::page::Page;

use super::seen;
use super::table_store::{self as store, IN_ALL, TABLES};
use super::values::LeagueId;

/// As many share the first place of a week at most.
const MOST_WINNERS: i64 = 10;

/// Which table is asked for: of one week, by its Monday, or of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Week(pub Option<Timestamp>);

impl Week {
    fn stored(self) -> Timestamp {
        self.0.unwrap_or(IN_ALL)
    }
}

/// A part of a league's table, with the ranks of its members. Equal points share a rank, and the next rank leaves room for them. Among equals an exact score more stands first.
pub async fn table(
    leagues: &Leagues,
    league: LeagueId,
    week: Week,
    window: Window,
    me: UserId,
) -> Result<Places> {
    let week = week.stored();
    let read = async || {
        let list = move |tx: &mut Tx| store::list_counts(tx, league, week);
        Ok(Arc::new(Ladder::new(leagues.db.read(list).await?)))
    };
    // Ten thousand places are counted once for all who look, not for each of them.
    let ladder = leagues.ladders.get((league, week), &[&TABLES], read).await?;
    let part = move |tx: &mut Tx| {
        seen::get_seen_by(tx, league, me)?;
        let own = store::find_own(tx, league, week, me)?;
        let before_me = match (own, window) {
            (Some(own), Window::AroundMe { .. }) => {
                Some(ladder.above(own.points) + store::count_before(tx, league, week, me, own)?)
            }
            _ => None,
        };
        let own_points = own.map(|own| own.points);
        ladder.part(tx, window.page(before_me), own_points, |tx, most, limit, skip| {
            store::list_places(tx, league, week, most, limit, skip)
        })
    };
    leagues.db.read_aside(me.0, part).await
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WeekView {
    /// Its Monday, in UTC.
    #[schema(value_type = String, format = Date, example = "2026-11-09")]
    pub week: String,
    /// Whether the week is over. Results may still come in, or be corrected, after that.
    pub is_over: bool,
    /// Who has most points, and among those most exact scores; empty while nobody has any.
    pub winners: Vec<WinnerView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WinnerView {
    user: BriefUserView,
    #[schema(example = 14)]
    points: i64,
    #[schema(example = 2)]
    exact: i64,
}

/// A page of the weeks of a league, the latest first, and how many there are.
pub fn weeks(tx: &mut Tx, league: LeagueId, page: Page) -> Result<(Vec<WeekView>, i64)> {
    let (weeks, total) = store::list_weeks(tx, league, page.per_page, page.offset())?;
    let now = tx.now();
    let mut views = Vec::with_capacity(weeks.len());
    for week in weeks {
        let first = store::list_places(tx, league, week, i64::MAX, MOST_WINNERS, 0)?;
        let best = first.first().map(|place| (place.points, place.exact));
        let won = |place: &Place| place.points > 0 && Some((place.points, place.exact)) == best;
        let view = |place: Place| WinnerView {
            user: place.user,
            points: place.points,
            exact: place.exact,
        };
        views.push(WeekView {
            week: week.to_utc_date(),
            is_over: week.plus_ms(7 * DAY_MS) <= now,
            winners: first.into_iter().filter(won).map(view).collect(),
        });
    }
    Ok((views, total))
}
