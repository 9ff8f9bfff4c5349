//! What was decided about somebody in a room, and the power that they have in it, hold under a new username too.

use std::sync::Arc;

use ruma::{RoomId as MatrixRoomId, UserId as MatrixId};

use crate::adapters::matrix;
use crate::features::chat::Chat;
use crate::features::chat::member_store::{self, Membership};
use crate::features::chat::room_turns::{RoomTurn, in_turn};
use crate::features::chat::values::RoomId;
use crate::features::users::UserId;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};

use super::actors::{find_actor, powerless};
use super::measures::{Measure, do_now, find_target};
use super::power::{Deed, Levels};
use super::store;

const REASON: &str = "Decided before the username was changed.";

/// Mutes and bans the account that a user has now wherever they are muted or their former account is banned. Done twice, it changes
/// nothing more.
pub async fn follow(chat: &Chat, user: UserId, former: &MatrixId) -> Result<()> {
    let former = former.to_string();
    let find = move |tx: &mut Tx| {
        let muted = store::list_muted_rooms(tx, user)?.into_iter();
        let rooms = member_store::list_memberships(tx, &former)?.into_iter();
        let banned = rooms.filter(|(_, membership)| *membership == Membership::Ban);
        let mute = |room| (room, Measure::Mute { until: None });
        let ban = |(room, _)| (room, Measure::Ban);
        Ok(muted.map(mute).chain(banned.map(ban)).collect::<Vec<_>>())
    };
    for (room, measure) in chat.db.read(find).await? {
        match take_again(chat, &room, user, measure).await {
            // The room is gone, or nobody in it has the power any more.
            Err(error @ (Error::NotFound(_) | Error::Conflict { .. })) => {
                tracing::warn!(error = %error, room, "what was decided about a renamed user cannot be done again");
            }
            done => done?,
        }
    }
    Ok(())
}

async fn take_again(chat: &Chat, room: &str, user: UserId, measure: Measure) -> Result<()> {
    let room = RoomId::parse(room).ok_or(not_found!("room"))?;
    let target = &find_target(chat, &room, user).await?;
    let take =
        |turn: Arc<RoomTurn>| async move { do_now(chat, &turn, target, measure, REASON).await };
    in_turn(chat, target.room(), take).await
}

/// Gives a user's account the level in a room that their former one, which is in it, has there: power, or silence. Whoever cannot be
/// made silent is refused. Answers what the homeserver said to it.
pub async fn hand_over(
    chat: &Chat,
    turn: &RoomTurn,
    room: &MatrixRoomId,
    from: &MatrixId,
    to: &MatrixId,
) -> Result<matrix::Result<()>> {
    let levels = match turn.find_levels(from).await {
        Ok(content) => Levels::new(content.unwrap_or_default()),
        Err(error) => return Ok(Err(error)),
    };
    let (level, others) = (levels.of(from.as_str()), levels.of(to.as_str()));
    if level == others {
        return Ok(Ok(()));
    }
    // Whoever runs a room gives their power away themselves; for all others somebody who runs it does.
    let by = if levels.may(from.as_str(), Deed::SetLevel, to.as_str()) {
        Some(from.to_owned())
    } else {
        find_actor(chat, room.as_str(), &levels, Deed::SetLevel, to.as_str()).await?
    };
    let given = match by {
        Some(by) => turn.set_levels(&by, &levels.with_level(to.as_str(), level)).await,
        None if level < others => return Err(powerless()),
        None => Ok(()),
    };
    match given {
        // Power that nobody can give is lost; silence is not.
        Err(error) if error.is(403) && level > others => Ok(Ok(())),
        given => Ok(given),
    }
}
