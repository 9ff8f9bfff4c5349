//! The list of rooms from memory: what all readers have in common is kept, and what is a reader's own is read by their id and laid
//! over it. What does not fit in (a filter, a page far down, somebody in very many rooms) is read from the database as a whole.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::features::chat::Chat;
use crate::features::users::UserId;
use crate::features::{events, teams};
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, Wish, all_by_position};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::{Page, PageMeta};
use crate::platform::http::views::PreparedJson;

use super::listing_store::{
    self as store, ListedRoomView, MOST_OWN, OwnRoomRow, ROOMS, RoomFilter,
};

/// How late a message may move its room up, and what other nodes change may be seen.
pub const KEPT: Duration = Duration::from_millis(250);
/// Rooms that are kept: the first pages, which are what apps ask for.
const MOST_KEPT: i64 = 200;

/// The first of the rooms that everybody sees, the liveliest first.
#[derive(Debug)]
pub struct CommonRooms {
    rooms: Vec<KeptRoom>,
    /// Where a room is among them, by its id.
    places: HashMap<String, usize>,
    /// How many there are, kept or not.
    total: i64,
}

/// A room as it is sent to those who are not in it, and to those who are.
#[derive(Debug)]
struct KeptRoom {
    last_activity: Timestamp,
    room_id: String,
    outside: Box<RawValue>,
    inside: Box<RawValue>,
}

#[derive(Serialize)]
struct RoomsView<'a> {
    data: Vec<RoomView<'a>>,
    meta: PageMeta,
}

#[derive(Serialize)]
#[serde(untagged)]
enum RoomView<'a> {
    Kept(&'a RawValue),
    Own(ListedRoomView),
}

/// The list, if it can be answered from memory.
pub async fn from_memory(
    chat: &Chat,
    user: UserId,
    filter: &RoomFilter,
    page: Option<Page>,
) -> Result<Option<PreparedJson>> {
    if *filter != RoomFilter::default() {
        return Ok(None);
    }
    let made_of = [&ROOMS, &events::CHANGES, &teams::CHANGES];
    let common = chat.common_rooms.get((), &made_of, || read_common(chat)).await?;
    if !common.reaches(page) {
        return Ok(None);
    }
    let own = chat.own_rooms.ask(OwnRooms(user)).await?;
    if own.len() > MOST_OWN {
        return Ok(None);
    }
    common.with(own, page)
}

/// The rooms that a reader is in or invited to, or more than can be laid over the others.
pub struct OwnRooms(UserId);

impl Wish for OwnRooms {
    type Granted = Vec<OwnRoomRow>;
    const WRITES: bool = false;

    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<Self::Granted>>> {
        let users: Vec<UserId> = wishes.iter().map(|Self(user)| *user).collect();
        let own = all_by_position(users.len(), store::list_own(tx, &users)?);
        Ok(own.into_iter().map(Ok).collect())
    }
}

async fn read_common(chat: &Chat) -> Result<Arc<CommonRooms>> {
    let (rooms, total) = chat.db.read(|tx| store::list_common(tx, MOST_KEPT)).await?;
    let places = rooms.iter().enumerate().map(|(at, room)| (room.room_id.clone(), at)).collect();
    let rooms = rooms.into_iter().map(KeptRoom::of).collect::<Result<_>>()?;
    Ok(Arc::new(CommonRooms { rooms, places, total }))
}

impl KeptRoom {
    fn of(mut room: ListedRoomView) -> Result<Self> {
        let outside = to_raw_value(&room).map_err(Error::internal)?;
        room.is_joined = true;
        let inside = to_raw_value(&room).map_err(Error::internal)?;
        Ok(Self { last_activity: room.last_activity, room_id: room.room_id, outside, inside })
    }

    fn rank(&self) -> (Timestamp, &str) {
        (self.last_activity, &self.room_id)
    }
}

impl CommonRooms {
    /// Whether this is enough for a page, or for the whole list: a reader's own rooms only push others down.
    fn reaches(&self, page: Option<Page>) -> bool {
        let last = page.map_or(i64::MAX, |page| page.offset().saturating_add(page.per_page));
        self.is_whole() || i64::try_from(self.rooms.len()).is_ok_and(|kept| last <= kept)
    }

    fn is_whole(&self) -> bool {
        i64::try_from(self.rooms.len()) == Ok(self.total)
    }

    /// Whether a room that is not kept belongs behind those that are.
    fn is_further_down(&self, room: &ListedRoomView) -> bool {
        !self.is_whole() && self.rooms.last().is_some_and(|last| room.rank() < last.rank())
    }

    /// With the rooms of a reader in their places, unless one of them has just come to be seen by everybody, or moved up to those that
    /// are kept.
    fn with(&self, own: Vec<OwnRoomRow>, page: Option<Page>) -> Result<Option<PreparedJson>> {
        let (mut total, mut joined, mut others) = (self.total, BTreeSet::new(), Vec::new());
        for own in own {
            total += i64::from(!own.is_common);
            match self.places.get(&own.room.room_id) {
                Some(place) if own.room.is_joined => drop(joined.insert(*place)),
                Some(_) => {}
                None if !own.is_common => others.push(own.room),
                None if self.is_further_down(&own.room) => {}
                None => return Ok(None),
            }
        }
        others.sort_unstable_by(|one, other| other.rank().cmp(&one.rank()));
        let mut kept = self.rooms.iter().enumerate().peekable();
        let mut others = others.into_iter().peekable();
        let merged = std::iter::from_fn(|| {
            let is_own = match (kept.peek(), others.peek()) {
                (Some((_, kept)), Some(own)) => own.rank() > kept.rank(),
                (kept, _) => kept.is_none(),
            };
            if is_own {
                return others.next().map(RoomView::Own);
            }
            let (place, room) = kept.next()?;
            let json = if joined.contains(&place) { &room.inside } else { &room.outside };
            Some(RoomView::Kept(json))
        });
        let (limit, offset) = Page::limit_and_offset(page);
        let [limit, offset] = [limit, offset].map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        let data = merged.skip(offset).take(limit).collect();
        let view = RoomsView { data, meta: Page::meta_of(page, total) };
        PreparedJson::of(&view).map(Some)
    }
}
