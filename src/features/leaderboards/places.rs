//! Who stands where. `docs/adr/0008-leaderboards.md` says why a rank costs the same with a million users as with ten.

use crate::features::events::EventId;
use crate::features::users::{BriefUserView, UserId};
use crate::platform::db::{Tx, row};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;

use super::boards::BoardId;
use super::routes::Around;
use super::store;

row! {
    /// A user's line on a board.
    #[derive(Debug, Clone)]
    pub struct Place {
        pub user: BriefUserView,
        pub points: i64,
        pub exact: i64,
        pub correct: i64,
        pub settled: i64,
    }
}

/// Which part of a board is asked for.
#[derive(Debug, Clone, Copy)]
pub enum Window {
    Page(Page),
    /// The page of this size on which the caller is; the first one if they are on none.
    AroundMe {
        per_page: i64,
    },
}

impl Window {
    pub fn of(around: Option<Around>, page: Page) -> Self {
        match around {
            Some(Around::Me) => Self::AroundMe { per_page: page.per_page },
            None => Self::Page(page),
        }
    }

    /// The page, once it is known how many stand before the caller.
    pub fn page(self, before_me: Option<i64>) -> Page {
        match self {
            Self::Page(page) => page,
            Self::AroundMe { per_page } => {
                Page { number: before_me.unwrap_or(0) / per_page + 1, per_page }
            }
        }
    }
}

/// A part of a board.
#[derive(Debug)]
pub struct Places {
    /// Each with its rank.
    pub rows: Vec<(i64, Place)>,
    pub page: Page,
    pub total: i64,
    /// The caller's rank and points, if they are on the board.
    pub me: Option<(i64, i64)>,
}

impl Places {
    /// Of a board into which nothing is counted yet.
    fn none(window: Window) -> Self {
        Self { rows: Vec::new(), page: window.page(None), total: 0, me: None }
    }
}

/// How many users have so many points, most points first: as long as there are different numbers of points, however many
/// users there are.
#[derive(Debug, Clone)]
pub struct Ladder(Vec<(i64, i64)>);

impl Ladder {
    pub const fn new(rungs: Vec<(i64, i64)>) -> Self {
        Self(rungs)
    }

    fn total(&self) -> i64 {
        self.0.iter().map(|(_, users)| users).sum()
    }

    /// Users with more points.
    pub fn above(&self, points: i64) -> i64 {
        self.0.iter().take_while(|(rung, _)| *rung > points).map(|(_, users)| users).sum()
    }

    /// Equal points share a rank, and the next rank leaves room for them: 1, 2, 2, 4.
    fn rank(&self, points: i64) -> i64 {
        self.above(points) + 1
    }

    /// The points of the user at this offset, and how many of those who have as many stand before them.
    fn locate(&self, offset: i64) -> Option<(i64, i64)> {
        let mut before = 0;
        for (points, users) in &self.0 {
            if offset < before + users {
                return Some((*points, offset - before));
            }
            before += users;
        }
        None
    }

    /// A page with the ranks of its users. `list` reads those with at most so many points: how many, and after how many.
    pub fn part(
        &self,
        tx: &mut Tx,
        page: Page,
        own_points: Option<i64>,
        list: impl FnOnce(&mut Tx, i64, i64, i64) -> Result<Vec<Place>>,
    ) -> Result<Places> {
        let rows = match self.locate(page.offset()) {
            Some((points, skip)) => list(tx, points, page.per_page, skip)?,
            None => Vec::new(),
        };
        let rows = rows.into_iter().map(|place| (self.rank(place.points), place)).collect();
        let me = own_points.map(|points| (self.rank(points), points));
        Ok(Places { rows, page, total: self.total(), me })
    }
}

/// A part of a board, with the ranks of its users.
pub fn places(tx: &mut Tx, board: Option<BoardId>, window: Window, me: UserId) -> Result<Places> {
    let Some(board) = board else { return Ok(Places::none(window)) };
    let ladder = Ladder(store::list_counts(tx, board)?);
    let own = store::find_standing(tx, board, me)?;
    let before_me = match (own, window) {
        (Some(own), Window::AroundMe { .. }) => {
            Some(ladder.above(own.points) + store::count_before(tx, board, me, own)?)
        }
        _ => None,
    };
    let own_points = own.map(|own| own.points);
    ladder.part(tx, window.page(before_me), own_points, |tx, most, limit, skip| {
        store::list_places(tx, board, most, limit, skip)
    })
}

/// A part of the board of a single match: its predictions by what they earned. Among equal points an exact score stands first,
/// then who predicted first.
pub fn event_places(tx: &mut Tx, event: EventId, window: Window, me: UserId) -> Result<Places> {
    let ladder = Ladder(store::list_event_counts(tx, event)?);
    let own = store::find_own_in_event(tx, event, me)?;
    let before_me = match (own, window) {
        (Some(own), Window::AroundMe { .. }) => {
            Some(ladder.above(own.points) + store::count_before_in_event(tx, event, own)?)
        }
        _ => None,
    };
    let own_points = own.map(|own| own.points);
    ladder.part(tx, window.page(before_me), own_points, |tx, most, limit, skip| {
        store::list_event_places(tx, event, most, limit, skip)
    })
}

/// The same among these users only, such as the members of a room.
pub fn places_among(
    tx: &mut Tx,
    board: Option<BoardId>,
    users: &[UserId],
    window: Window,
    me: UserId,
) -> Result<Places> {
    let Some(board) = board else { return Ok(Places::none(window)) };
    let listed = serde_json::to_string(users).map_err(Error::internal)?;
    let own = store::find_standing(tx, board, me)?.filter(|_| users.contains(&me));
    let (mut own_place, mut before_me) = (None, None);
    if let Some(own) = own {
        let above = store::count_among(tx, board, &listed, own.points)?;
        own_place = Some((above + 1, own.points));
        if let Window::AroundMe { .. } = window {
            before_me = Some(above + store::count_before_among(tx, board, &listed, me, own)?);
        }
    }
    let page = window.page(before_me);
    let rows = store::list_among(tx, board, &listed, page.per_page, page.offset())?;
    let total = store::count_among(tx, board, &listed, i64::MIN)?;
    Ok(Places { rows, page, total, me: own_place })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_points_share_a_rank_and_leave_room_behind_them() {
        let ladder = Ladder(vec![(9, 1), (5, 2), (2, 1)]);
        assert_eq!([9, 5, 5, 2].map(|points| ladder.rank(points)), [1, 2, 2, 4]);
    }

    proptest! {
        #[test]
        fn the_ladder_finds_whoever_a_sorted_list_finds(mut points in prop::collection::vec(0_i64..20, 0..60)) {
            points.sort_unstable_by(|a, b| b.cmp(a));
            let mut rungs: Vec<(i64, i64)> = Vec::new();
            for value in &points {
                match rungs.last_mut() {
                    Some((last, users)) if last == value => *users += 1,
                    _ => rungs.push((*value, 1)),
                }
            }
            let ladder = Ladder(rungs);
            for (offset, value) in points.iter().enumerate() {
                let first = points.iter().position(|other| other == value).unwrap();
                let (located, skip) = ladder.locate(i64::try_from(offset).unwrap()).unwrap();
                prop_assert_eq!((located, skip), (*value, i64::try_from(offset - first).unwrap()));
                prop_assert_eq!(ladder.rank(*value), i64::try_from(first + 1).unwrap());
            }
            prop_assert_eq!(ladder.locate(ladder.total()), None);
        }
    }
}
