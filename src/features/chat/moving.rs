//! A user got a new username: their rooms follow to the new account.

use ruma::{RoomId, UserId as MatrixId};
use serde_json::Value;

use crate::adapters::matrix;
use crate::features::chat::Chat;
use crate::platform::error::{Error, Result};

use super::membership;
use super::store::Membership;

const POWER_LEVELS: &str = "m.room.power_levels";

/// Brings the new account into every room of the old one. Safe to repeat.
pub async fn move_rooms(chat: &Chat, from: &MatrixId, to: &MatrixId) -> Result<()> {
    let rooms = match chat.matrix.list_joined_rooms(from).await {
        Ok(rooms) => rooms,
        // The old account was never made, or is closed by now.
        Err(error) if error.is(403) || error.is(401) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    for room in rooms {
        match bring(chat, from, to, &room).await {
            Ok(()) => {}
            Err(error @ matrix::Error::Away(_)) => return Err(error.into()),
            // One room that does not let them in must not keep the others from them.
            Err(error) => {
                tracing::warn!(error = %error, room = %room, "a room could not be moved to");
            }
        }
        note(chat, &room, from, to).await?;
    }
    Ok(())
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

async fn note(chat: &Chat, room: &RoomId, from: &MatrixId, to: &MatrixId) -> Result<()> {
    let (room, from, to) = (room.to_string(), from.to_string(), to.to_string());
    let shared = chat.clone();
    chat.db
        .write(move |tx| {
            let now = tx.now();
            membership::set(tx, &shared, &room, &from, None, now)?;
            membership::set(tx, &shared, &room, &to, Some(Membership::Join), now)
        })
        .await
        .or_else(|error| match error {
            // The network has not told of the room yet, and will.
            Error::NotFound(_) => Ok(()),
            error => Err(error),
        })
}
