//! The list of rooms in SQL. The matches of a page's rooms, and the names of who plays, are read along with it: a list of rooms
//! would otherwise ask for each of them.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::EventId;
use crate::features::users::UserId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{ChangeCounter, Columns, FromRow, Tx, params, row};
use crate::platform::error::{DatabaseError, Error, Result};
use crate::platform::http::page::Page;
use crate::platform::search::contains_pattern;

/// Counts changes of what lists show of rooms. What happens in a room moves it up in the list and is not among them: it
/// happens many times a second.
pub static ROOMS: ChangeCounter = ChangeCounter::new();

/// Which rooms are asked for; what is absent does not narrow.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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

row! {
    #[derive(Debug, Serialize, ToSchema)]
    pub struct ListedRoomView {
        #[schema(example = "!h8vBmRzYKqWdPnXcLt:localhost")]
        pub(super) room_id: String,
        name: String,
        topic: String,
        /// Null for a room without a match.
        event: Option<RoomEventView>,
        /// Without the service's bot.
        member_count: i64,
        pub(super) is_joined: bool,
        is_encrypted: bool,
        #[schema(value_type = String, format = DateTime)]
        pub(super) last_activity: Timestamp,
    }
}

row! {
    /// A room that somebody is in or invited to.
    #[derive(Debug)]
    pub struct OwnRoomRow {
        /// Whether everybody else sees it too. Such a room is without its match here, which is known from what is kept.
        pub is_common: bool,
        pub room: ListedRoomView,
    }
}

impl ListedRoomView {
    /// Rooms are listed by this, the greatest first.
    pub fn rank(&self) -> (Timestamp, &str) {
        (self.last_activity, &self.room_id)
    }
}

/// A room without a match has nothing in any of these columns.
impl FromRow for Option<RoomEventView> {
    fn from_row(columns: &mut Columns<'_>) -> Result<Self, DatabaseError> {
        let (id, home_team, away_team, start_time) = FromRow::from_row(columns)?;
        let teams = Option::zip(home_team, away_team);
        let event = Option::zip(id, teams).zip(start_time);
        Ok(event.map(|((id, (home_team, away_team)), start_time)| RoomEventView {
            id,
            home_team,
            away_team,
            start_time,
        }))
    }
}

macro_rules! account_of_caller {
    () => {
        "(SELECT matrix_id FROM chat_accounts WHERE user_id = $1 AND is_current = 1)"
    };
}

/// The rooms that the caller `$1` may see, narrowed by `$and`.
macro_rules! visible {
    ($and:expr) => {
        concat!(
            "FROM chat_rooms r
             LEFT JOIN chat_members m ON m.room_id = r.room_id AND m.matrix_id = ",
            account_of_caller!(),
            " WHERE (r.join_rule = 'public' OR m.membership IN ('join', 'invite')) ",
            $and
        )
    };
}

/// The rooms that everybody sees, as somebody who is in none of them.
macro_rules! common {
    () => {
        "FROM chat_rooms r CROSS JOIN (SELECT CAST(NULL AS TEXT) AS membership) m
         WHERE r.join_rule = 'public' AND r.archived_at IS NULL"
    };
}

macro_rules! not_archived {
    () => {
        " AND (r.archived_at IS NULL OR m.membership = 'join') "
    };
}

/// All of them.
macro_rules! lively {
    () => {
        visible!(not_archived!())
    };
}

/// Those whose name is like `$2`.
macro_rules! named {
    () => {
        visible!(concat!(not_archived!(), "AND r.name_folded LIKE $2 ESCAPE '\\'"))
    };
}

/// Those of the match `$3`, however long it is over.
macro_rules! of_match {
    () => {
        visible!("AND r.event_id = $3 AND r.name_folded LIKE $2 ESCAPE '\\'")
    };
}

/// The one with the id `$2`.
macro_rules! one {
    () => {
        visible!("AND r.room_id = $2")
    };
}

/// Those that the caller is in: few, so one text does for every filter.
macro_rules! joined {
    () => {
        concat!(
            "FROM chat_members m JOIN chat_rooms r ON r.room_id = m.room_id
             WHERE m.membership = 'join' AND m.matrix_id = ", account_of_caller!(), "
               AND (CAST($3 AS BIGINT) IS NULL OR r.event_id = $3) AND r.name_folded LIKE $2 ESCAPE '\\'"
        )
    };
}

/// A page of rooms, the liveliest first. Only its rooms are joined with their matches; one text for all filters would make the
/// databases read every room to find twenty.
macro_rules! page_of {
    ($rooms:expr, $limit:literal, $offset:literal) => {
        concat!(
            "SELECT r.room_id, r.name, r.topic, e.id, h.name, w.name, e.start_time, r.member_count, r.is_joined,
                    r.is_encrypted, r.last_activity
             FROM (SELECT r.room_id, r.name, r.topic, r.event_id, r.member_count, r.is_encrypted, r.last_activity,
                          CAST(CASE WHEN m.membership = 'join' THEN 1 ELSE 0 END AS BIGINT) AS is_joined ",
            $rooms,
            " ORDER BY r.last_activity DESC, r.room_id DESC LIMIT ", $limit, " OFFSET ", $offset, ") r
             LEFT JOIN events e ON e.id = r.event_id
             LEFT JOIN teams h ON h.id = e.home_team_id
             LEFT JOIN teams w ON w.id = e.away_team_id
             ORDER BY r.last_activity DESC, r.room_id DESC"
        )
    };
}

/// Each room the user may see, the liveliest first: public ones, and private ones they are in or invited to.
pub fn each_room(
    tx: &mut Tx,
    user: UserId,
    filter: &RoomFilter,
    page: Option<Page>,
    visit: impl FnMut(ListedRoomView) -> Result<()>,
) -> Result<()> {
    let (limit, offset) = Page::limit_and_offset(page);
    let (name, event) = (pattern(filter), filter.event_id);
    match filter {
        RoomFilter { joined: true, .. } => tx.each(
            page_of!(joined!(), "$4", "$5"),
            params![user, name, event, limit, offset],
            visit,
        ),
        RoomFilter { event_id: Some(event), .. } => tx.each(
            page_of!(of_match!(), "$4", "$5"),
            params![user, name, event, limit, offset],
            visit,
        ),
        RoomFilter { search: Some(_), .. } => {
            tx.each(page_of!(named!(), "$3", "$4"), params![user, name, limit, offset], visit)
        }
        _ => tx.each(page_of!(lively!(), "$2", "$3"), params![user, limit, offset], visit),
    }
}

/// One room as the list shows it, if the user may see it.
pub fn find_listed(tx: &mut Tx, user: UserId, room_id: &str) -> Result<Option<ListedRoomView>> {
    tx.opt(page_of!(one!(), "1", "0"), params![user, room_id])
}

/// The first rooms that everybody sees, the liveliest first, and how many there are in all.
pub fn list_common(tx: &mut Tx, most: i64) -> Result<(Vec<ListedRoomView>, i64)> {
    let rooms = tx.all(page_of!(common!(), "$1", "$2"), params![most, 0])?;
    let total = tx.one(concat!("SELECT count(*) ", common!()), &[])?;
    Ok((rooms, total))
}

/// Rooms of one reader that are laid over those that everybody sees.
pub const MOST_OWN: usize = 100;
/// Rooms that one statement answers, whose text has the number: with a parameter PostgreSQL would plan it anew each time.
const ROOMS_AT_ONCE: usize = 6_401;

/// The rooms that each of these users is in, or invited to and not archived, with the position of the user: all of them, or more
/// than [`MOST_OWN`].
pub fn list_own(tx: &mut Tx, users: &[UserId]) -> Result<Vec<(i64, OwnRoomRow)>> {
    let own = list_at_once(tx, users)?;
    if users.len() == 1 || own.len() < ROOMS_AT_ONCE {
        return Ok(own);
    }
    // Somebody is in so many rooms that those of others may be missing.
    let mut rooms = Vec::new();
    for (position, user) in (0..).zip(users) {
        let own = list_at_once(tx, std::slice::from_ref(user))?.into_iter();
        rooms.extend(own.take(MOST_OWN + 1).map(|(_, room)| (position, room)));
    }
    Ok(rooms)
}

/// A match is looked up instead of joined, since few of these rooms have one to be shown; and so are its teams, for which PostgreSQL
/// would make a table for every room.
fn list_at_once(tx: &mut Tx, users: &[UserId]) -> Result<Vec<(i64, OwnRoomRow)>> {
    let users = serde_json::to_string(users).map_err(Error::internal)?;
    tx.all(
        "SELECT position, is_common, room_id, name, topic, event_id,
                CASE WHEN event_id IS NOT NULL
                     THEN (SELECT (SELECT t.name FROM teams t WHERE t.id = e.home_team_id) FROM events e WHERE e.id = event_id) END,
                CASE WHEN event_id IS NOT NULL
                     THEN (SELECT (SELECT t.name FROM teams t WHERE t.id = e.away_team_id) FROM events e WHERE e.id = event_id) END,
                CASE WHEN event_id IS NOT NULL THEN (SELECT e.start_time FROM events e WHERE e.id = event_id) END,
                member_count, is_joined, is_encrypted, last_activity
         FROM (SELECT u.key AS position, r.room_id, r.name, r.topic, r.member_count, r.is_encrypted, r.last_activity,
                      CASE WHEN r.join_rule = 'public' AND r.archived_at IS NULL THEN NULL ELSE r.event_id END AS event_id,
                      CAST(CASE WHEN r.join_rule = 'public' AND r.archived_at IS NULL THEN 1 ELSE 0 END AS BIGINT) AS is_common,
                      CAST(CASE WHEN m.membership = 'join' THEN 1 ELSE 0 END AS BIGINT) AS is_joined
               FROM json_each($1) u
               JOIN chat_accounts a ON a.user_id = CAST(u.value AS BIGINT) AND a.is_current = 1
               JOIN chat_members m ON m.matrix_id = a.matrix_id
               JOIN chat_rooms r ON r.room_id = m.room_id
               WHERE m.membership = 'join' OR (m.membership = 'invite' AND r.archived_at IS NULL)) own
         LIMIT 6401",
        params![users],
    )
}

pub fn count_rooms(tx: &mut Tx, user: UserId, filter: &RoomFilter) -> Result<i64> {
    let (name, event) = (pattern(filter), filter.event_id);
    match filter {
        RoomFilter { joined: true, .. } => {
            tx.one(concat!("SELECT count(*) ", joined!()), params![user, name, event])
        }
        RoomFilter { event_id: Some(event), .. } => {
            tx.one(concat!("SELECT count(*) ", of_match!()), params![user, name, event])
        }
        RoomFilter { search: Some(_), .. } => {
            tx.one(concat!("SELECT count(*) ", named!()), params![user, name])
        }
        // Those that everybody sees are counted without a look at who is in them.
        _ => tx.one(
            concat!(
                "SELECT (SELECT count(*) FROM chat_rooms WHERE join_rule = 'public' AND archived_at IS NULL)
                      + (SELECT count(*) FROM chat_members m JOIN chat_rooms r ON r.room_id = m.room_id
                         WHERE m.matrix_id = ", account_of_caller!(), "
                           AND NOT (r.join_rule = 'public' AND r.archived_at IS NULL)
                           AND (m.membership = 'join' OR (m.membership = 'invite' AND r.archived_at IS NULL)))"
            ),
            params![user],
        ),
    }
}

fn pattern(filter: &RoomFilter) -> String {
    filter.search.as_deref().map_or_else(|| "%".to_owned(), contains_pattern)
}
