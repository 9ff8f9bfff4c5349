//! The list of rooms that a user may see.

use serde::Serialize;
use utoipa::ToSchema;

use crate::clock::Timestamp;
use crate::db::{Tx, params, row};
use crate::error::Result;
use crate::events::EventId;
use crate::http::page::Page;
use crate::search::contains_pattern;
use crate::users::UserId;

/// Which rooms are asked for; what is absent does not narrow.
#[derive(Debug, Clone, Default)]
pub struct RoomFilter {
    pub joined: bool,
    pub event_id: Option<EventId>,
    pub search: Option<String>,
}

row! {
    pub struct ListedRow {
        pub room_id: String,
        pub name: String,
        pub topic: String,
        pub event_id: Option<EventId>,
        pub home_team: Option<String>,
        pub away_team: Option<String>,
        pub start_time: Option<Timestamp>,
        pub member_count: i64,
        pub is_joined: bool,
        pub is_encrypted: bool,
        pub last_activity: Timestamp,
    }
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

/// From `$1` the caller, `$2` whether joined only, `$3` the match, `$4` the pattern of the name.
macro_rules! visible_rooms {
    ($columns:literal, $rest:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM chat_rooms r
              LEFT JOIN chat_accounts a ON a.user_id = $1 AND a.is_current = 1
              LEFT JOIN chat_members m ON m.room_id = r.room_id AND m.matrix_id = a.matrix_id
              LEFT JOIN events e ON e.id = r.event_id
              LEFT JOIN teams h ON h.id = e.home_team_id
              LEFT JOIN teams w ON w.id = e.away_team_id
              WHERE (r.join_rule = 'public' OR m.membership IN ('join', 'invite'))
                AND (r.archived_at IS NULL OR m.membership = 'join' OR r.event_id = CAST($3 AS BIGINT))
                AND (CAST($2 AS BIGINT) = 0 OR m.membership = 'join')
                AND (CAST($3 AS BIGINT) IS NULL OR r.event_id = $3)
                AND r.name_folded LIKE $4 ESCAPE '\\'",
            $rest
        )
    };
}

/// Each room the user may see, the liveliest first: public ones, and private ones they are in or invited to.
pub fn each(
    tx: &mut Tx,
    user: UserId,
    filter: &RoomFilter,
    page: Option<Page>,
    visit: impl FnMut(ListedRow) -> Result<()>,
) -> Result<()> {
    let pattern = pattern(filter);
    let (limit, offset) = page.map_or((i64::MAX, 0), |page| (page.per_page, page.offset()));
    tx.each(
        visible_rooms!(
            "r.room_id, r.name, r.topic, e.id, h.name, w.name, e.start_time, r.member_count,
             CAST(CASE WHEN m.membership = 'join' THEN 1 ELSE 0 END AS BIGINT), r.is_encrypted, r.last_activity",
            " ORDER BY r.last_activity DESC, r.room_id DESC LIMIT $5 OFFSET $6"
        ),
        params![user, filter.joined, filter.event_id, pattern, limit, offset],
        visit,
    )
}

pub fn count(tx: &mut Tx, user: UserId, filter: &RoomFilter) -> Result<i64> {
    let pattern = pattern(filter);
    tx.one(visible_rooms!("count(*)", ""), params![user, filter.joined, filter.event_id, pattern])
}

fn pattern(filter: &RoomFilter) -> String {
    filter.search.as_deref().map_or_else(|| "%".to_owned(), contains_pattern)
}
