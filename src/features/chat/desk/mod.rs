//! Rooms and what is said in them, as moderators see them and deal with them.
//!
//! The service does nothing in a room but through one of its members who has the power to: its own bot, or whoever made the room.
//! Those who deal with members of one room take turns, and the list of who is silent in it is written in the same turn, so that it says
//! what the network has.
//!
//! What a moderator asks for is written down (`chat_measures`) before the network is asked for it, and goes from there when the list and
//! the log say that it was done. So a process that dies, and a homeserver that does not answer, leave a row and no more, and the row
//! is carried out a minute later by a job, for as long as it takes. Done twice, a mute, a ban and their ends change nothing more, a message is
//! taken away once by its transaction id; whoever was removed and came back within that minute is removed once more. What is asked for
//! later about the same member takes the place of such a row. The end of a mute and leaving all rooms are jobs from the start.

mod actors;
mod following;
mod intent_store;
mod intents;
mod later;
mod measures;
mod power;
mod redaction;
pub mod routes;
mod store;
mod surroundings;

use crate::features::chat::values::{RoomId, RoomName};
use crate::features::users::UserId;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::page::Page;

pub use following::{follow, hand_over};
pub use intents::FinishMeasure;
pub use later::{EndMute, LeaveAll, remove_from_all};
pub use measures::{Measure, take_measure};
pub use redaction::redact;
pub use surroundings::FindAuthor;

use store::{DeskMemberRow, DeskRoomRow, MuteRow};

/// Those who are silent in a room that are shown.
const MOST_MUTES: i64 = 100;

/// Rooms whose name begins so, private ones too, or those where something happened last; and how many there are.
pub fn find_rooms(
    tx: &mut Tx,
    name: Option<&RoomName>,
    page: Page,
) -> Result<(Vec<DeskRoomRow>, i64)> {
    store::list_rooms(tx, name.map(RoomName::as_str), page)
}

/// A room, with who is to be silent in it.
pub fn get_room(tx: &mut Tx, room: &RoomId) -> Result<(DeskRoomRow, Vec<MuteRow>)> {
    let found = store::find_room(tx, room.as_str())?.ok_or(not_found!("room"))?;
    Ok((found, store::list_mutes(tx, room.as_str(), MOST_MUTES)?))
}

/// Who is in a room, invited to it or banned from it, and how many they are.
pub fn list_members(tx: &mut Tx, room: &RoomId, page: Page) -> Result<(Vec<DeskMemberRow>, i64)> {
    get_room(tx, room)?;
    store::list_members(tx, room.as_str(), page)
}

/// What was decided about somebody in rooms goes with their account.
pub fn forget(tx: &mut Tx, user: UserId) -> Result<()> {
    intent_store::delete_of_user(tx, user)?;
    store::delete_mutes_of(tx, user).map(drop)
}
