//! A user got a new username: their rooms follow to the new account.

use ruma::{RoomId, UserId as MatrixId};
use serde_json::Value;

use crate::adapters::matrix;
use crate::features::chat::Chat;
use crate::platform::error::Result;

const POWER_LEVELS: &str = "m.room.power_levels";

/// Brings the new account into every room of the old one, which leaves it. Safe to repeat: what is left to move is what the old
/// account is still in. One room that fails keeps no other from being moved, and is tried again.
pub async fn move_rooms(chat: &Chat, from: &MatrixId, to: &MatrixId) -> Result<()> {
    let rooms = chat.matrix.list_joined_rooms(from).await?.unwrap_or_default();
    let mut failure = None;
    for room in rooms {
        match bring(chat, from, to, &room).await {
            Ok(()) => {}
            Err(error @ matrix::Error::Away(_)) => return Err(error.into()),
            // Whoever may neither come in nor be asked in was shut out of this room, under whichever name.
            Err(error) if error.is(403) || error.is(404) => {
                tracing::warn!(error = %error, room = %room, "a room does not let a renamed user in");
            }
            Err(error) => failure = Some(error),
        }
    }
    failure.map_or(Ok(()), |error| Err(error.into()))
}

async fn bring(chat: &Chat, from: &MatrixId, to: &MatrixId, room: &RoomId) -> matrix::Result<()> {
    if let Err(error) = chat.matrix.join(to, room).await {
        if !error.is(403) {
            return Err(error);
        }
        chat.matrix.invite(from, to, room).await?;
        chat.matrix.join(to, room).await?;
    }
    hand_over_power(chat, from, to, room).await?;
    chat.matrix.leave(from, room).await
}

/// Whoever ran a room still runs it under the new name.
async fn hand_over_power(
    chat: &Chat,
    from: &MatrixId,
    to: &MatrixId,
    room: &RoomId,
) -> matrix::Result<()> {
    let Some(mut levels) = chat.matrix.find_state(from, room, POWER_LEVELS).await? else {
        return Ok(());
    };
    let Some(users) = levels.get_mut("users").and_then(Value::as_object_mut) else {
        return Ok(());
    };
    let Some(level) = users.get(from.as_str()).cloned() else { return Ok(()) };
    if users.insert(to.to_string(), level.clone()) == Some(level) {
        return Ok(());
    }
    match chat.matrix.set_state(from, room, POWER_LEVELS, &levels).await {
        // Some power is not enough power to give it away.
        Err(error) if error.is(403) => Ok(()),
        outcome => outcome,
    }
}
