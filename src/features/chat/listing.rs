//! The list of rooms that a user may see.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::EventId;
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::page::Page;

use super::listing_store::{self as store, ListedRow};

/// Which rooms are asked for; what is absent does not narrow.
#[derive(Debug, Clone, Default)]
pub struct RoomFilter {
    pub joined: bool,
    pub event_id: Option<EventId>,
    pub search: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RoomEventView {
    id: EventId,
    #[schema(example = "Northgate FC")]
    home_team: String,
    #[schema(example = "Southbank FC")]
    away_team: String,
    #[schema(value_type = String, format = DateTime)]
    start_time: Timestamp,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ListedRoomView {
    #[schema(example = "!h8vBmRzYKqWdPnXcLt:localhost")]
    room_id: String,
    name: String,
    topic: String,
    /// Null for a room without a match.
    event: Option<RoomEventView>,
    /// Without the service's bot.
    member_count: i64,
    is_joined: bool,
    is_encrypted: bool,
    #[schema(value_type = String, format = DateTime)]
    last_activity: Timestamp,
}

impl From<ListedRow> for ListedRoomView {
    fn from(row: ListedRow) -> Self {
        let teams = row.home_team.zip(row.away_team);
        let event = row.event_id.zip(teams).zip(row.start_time);
        Self {
            room_id: row.room_id,
            name: row.name,
            topic: row.topic,
            event: event.map(|((id, (home_team, away_team)), start_time)| RoomEventView {
                id,
                home_team,
                away_team,
                start_time,
            }),
            member_count: row.member_count,
            is_joined: row.is_joined,
            is_encrypted: row.is_encrypted,
            last_activity: row.last_activity,
        }
    }
}

/// Each room the user may see, the liveliest first: public ones, and private ones they are in or invited to.
pub fn each(
    tx: &mut Tx,
    user: UserId,
    filter: &RoomFilter,
    page: Option<Page>,
    visit: impl FnMut(ListedRow) -> Result<()>,
) -> Result<()> {
    store::each(tx, user, filter, page, visit)
}

pub fn count(tx: &mut Tx, user: UserId, filter: &RoomFilter) -> Result<i64> {
    store::count(tx, user, filter)
}
