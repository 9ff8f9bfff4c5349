//! The board of a single match: its predictions by what they earned.

use crate::features::events::EventId;
use crate::features::users::UserId;
use crate::platform::db::{Tx, params};
use crate::platform::error::Result;

use super::places::{Ladder, Place, Places, Window};

/// A part of the event's board. Among equal points an exact score stands first, then who predicted first.
pub fn event_places(tx: &mut Tx, event: EventId, window: Window, me: UserId) -> Result<Places> {
    let ladder = Ladder::new(tx.all(
        "SELECT points, CAST(sum(predictions) AS BIGINT) FROM settlement_points WHERE event_id = $1
         GROUP BY points ORDER BY points DESC",
        params![event],
    )?);
    let own: Option<(i64, i64, i64)> = tx.opt(
        "SELECT id, points, tier FROM predictions WHERE event_id = $1 AND user_id = $2 AND points IS NOT NULL",
        params![event, me],
    )?;
    let before_me = match (own, window) {
        (Some((id, points, tier)), Window::AroundMe { .. }) => {
            let beside: i64 = tx.one(
                "SELECT (SELECT count(*) FROM predictions WHERE event_id = $1 AND points = $2 AND tier > $3)
                      + (SELECT count(*) FROM predictions WHERE event_id = $1 AND points = $2 AND tier = $3 AND id < $4)",
                params![event, points, tier, id],
            )?;
            Some(ladder.above(points) + beside)
        }
        _ => None,
    };
    let page = window.page(before_me);
    let rows: Vec<Place> = match ladder.locate(page.offset()) {
        Some((points, skip)) => tx.all(
            "SELECT u.id, u.username, u.name, p.points, CASE WHEN p.tier = 3 THEN 1 ELSE 0 END,
                    CASE WHEN p.tier > 0 THEN 1 ELSE 0 END, 1
             FROM (SELECT id FROM predictions
                   WHERE event_id = $1 AND points IS NOT NULL AND points <= $2
                   ORDER BY points DESC, tier DESC, id LIMIT $3 OFFSET $4) i
             JOIN predictions p ON p.id = i.id
             JOIN users u ON u.id = p.user_id ORDER BY p.points DESC, p.tier DESC, p.id",
            params![event, points, page.per_page, skip],
        )?,
        None => Vec::new(),
    };
    let rows = rows.into_iter().map(|place| (ladder.rank(place.points), place)).collect();
    let me = own.map(|(_, points, _)| (ladder.rank(points), points));
    Ok(Places { rows, page, total: ladder.total(), me })
}
