//! What happens to the listener alone: coins that moved, and what others did to them in rooms. Nobody announces it: it is found by the
//! numbers that each user's coins and room news have anyway, for those who listen.

use std::collections::HashMap;

use serde_json::json;

use crate::features::events::{self, EventId};
use crate::features::predictions::EarnedRow;
use crate::features::users::UserId;
use crate::features::{chat, coins};
use crate::platform::db::{Tx, Wish};
use crate::platform::error::{Error, Result};

use super::hub::Told;
use super::position::{Own, Position};

/// Coin movements that are made up for at most; whoever missed more should look at the whole.
const MOST_COINS: i64 = 200;
const PIECE: i64 = 200;

/// Where somebody who begins to listen now stands: the newest that was announced, and the newest of their own.
pub struct Newest(pub UserId);

impl Wish for Newest {
    type Granted = Position;
    const WRITES: bool = false;

    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<Position>>> {
        let users: Vec<UserId> = wishes.iter().map(|wish| wish.0).collect();
        let matches = events::last_announced(tx)?;
        let newest = newest(tx, &users)?;
        let own = |user| newest.get(user).copied().unwrap_or_default();
        Ok(users.iter().map(|user| Ok(Position { matches, own: own(user) })).collect())
    }
}

/// The newest of each of these users.
pub fn newest(tx: &mut Tx, users: &[UserId]) -> Result<HashMap<UserId, Own>> {
    let mut newest: HashMap<UserId, Own> = HashMap::new();
    for (user, entry) in coins::list_newest(tx, users)? {
        newest.entry(user).or_default().coins = entry;
    }
    for (user, number) in chat::newest_news(tx, users)? {
        newest.entry(user).or_default().rooms = number;
    }
    Ok(newest)
}

/// From where a listener who was there, and is not now, can be told of their own, and whether that is not all they missed.
pub fn resume(tx: &mut Tx, user: UserId, newest: Own, was: Own) -> Result<(Own, bool)> {
    let oldest = chat::oldest_news(tx, user)?.unwrap_or(newest.rooms.saturating_add(1));
    let coins = was.coins.min(newest.coins);
    let rooms = was.rooms.min(newest.rooms);
    let from = Own {
        coins: if newest.coins - coins > MOST_COINS { newest.coins } else { coins },
        rooms: rooms.max(oldest.saturating_sub(1)),
    };
    Ok((from, from != Own { coins, rooms }))
}

/// The next piece of what happened to a user after this position, each with where it leaves them. Nothing: that was all.
pub fn list_after(tx: &mut Tx, user: UserId, from: Position) -> Result<Vec<(Position, Told)>> {
    let mut at = from;
    let mut told = Vec::new();
    for (entry, transfer) in coins::list_transfers_after(tx, user, from.own.coins, PIECE)? {
        at.own.coins = entry;
        let data = serde_json::to_string(&transfer).map_err(Error::internal)?;
        told.push((at, Told::new("coins", &data)));
    }
    for news in chat::list_news(tx, user, from.own.rooms, PIECE)? {
        at.own.rooms = news.number;
        told.push((at, Told::new("room", &news.view().to_string())));
    }
    Ok(told)
}

/// What a settlement made of the listener's prediction.
pub fn earned(event: EventId, settlement: &str, earned: &EarnedRow) -> Told {
    let data = json!({
        "event_id": event, "prediction_id": earned.id, "points_earned": earned.points, "settlement": settlement,
    });
    Told::new("prediction", &data.to_string())
}
