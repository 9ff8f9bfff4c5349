//! The board of a single match: its predictions by what they earned.

use crate::features::events::EventId;
use crate::features::users::UserId;
use crate::platform::db::Tx;
use crate::platform::error::Result;

use super::event_store as store;
use super::places::{Ladder, Places, Window};

/// A part of the event's board. Among equal points an exact score stands first, then who predicted first.
pub fn event_places(tx: &mut Tx, event: EventId, window: Window, me: UserId) -> Result<Places> {
    let ladder = Ladder::new(store::list_counts(tx, event)?);
    let own = store::find_own(tx, event, me)?;
    let before_me = match (own, window) {
        (Some(own), Window::AroundMe { .. }) => {
            Some(ladder.above(own.points) + store::count_before(tx, event, own)?)
        }
        _ => None,
    };
    let page = window.page(before_me);
    let rows = match ladder.locate(page.offset()) {
        Some((points, skip)) => store::list_places(tx, event, points, page.per_page, skip)?,
        None => Vec::new(),
    };
    let rows = rows.into_iter().map(|place| (ladder.rank(place.points), place)).collect();
    let me = own.map(|own| (ladder.rank(own.points), own.points));
    Ok(Places { rows, page, total: ladder.total(), me })
}

/// Adds up anew how many of an event's predictions earned how much.
pub fn recount_event(tx: &mut Tx, event: EventId) -> Result<()> {
    store::replace_counts(tx, event)
}
