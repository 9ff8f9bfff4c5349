//! Who is in a room: one way to change it, whether the network told or the service did it itself.

use crate::features::chat::Chat;
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::Result;

use super::member_store::{self, Membership};
use super::{news, store};

/// What became of somebody in a room.
#[derive(Debug, Clone, Copy)]
pub struct Turned<'a> {
    pub room_id: &'a str,
    pub matrix_id: &'a str,
    /// Whose doing it was.
    pub by: &'a str,
    /// Nothing: they left.
    pub after: Option<Membership>,
    pub at: Timestamp,
}

impl<'a> Turned<'a> {
    /// By their own doing.
    pub const fn own(
        room_id: &'a str,
        matrix_id: &'a str,
        after: Option<Membership>,
        at: Timestamp,
    ) -> Self {
        Self { room_id, matrix_id, by: matrix_id, after, at }
    }
}

/// Makes somebody this to a room, counting transitions and not events: a new display name is a join too.
pub fn set(tx: &mut Tx, chat: &Chat, turned: Turned<'_>) -> Result<()> {
    let Turned { room_id, matrix_id, after, at, .. } = turned;
    // Held, so that two changes at once count one after the other.
    store::find_room_for_update(tx, room_id)?.ok_or(not_found!("room"))?;
    let before = member_store::find_membership(tx, room_id, matrix_id)?;
    if before == after {
        return Ok(());
    }
    match after {
        Some(membership) => member_store::upsert_member(tx, room_id, matrix_id, membership, at)?,
        None => member_store::delete_member(tx, room_id, matrix_id)?,
    };
    let is_in = |membership| membership == Some(Membership::Join);
    let delta = i64::from(is_in(after)) - i64::from(is_in(before));
    if delta != 0 && matrix_id != chat.matrix.bot().as_str() {
        store::update_member_count(tx, room_id, delta)?;
    }
    news::member_changed(tx, turned, before)
}

/// Takes somebody out of every room here; the network does it by itself when an account is closed.
pub fn remove_from_all(tx: &mut Tx, chat: &Chat, matrix_id: &str) -> Result<()> {
    let now = tx.now();
    for (room_id, _) in member_store::list_memberships(tx, matrix_id)? {
        set(tx, chat, Turned::own(&room_id, matrix_id, None, now))?;
    }
    Ok(())
}
