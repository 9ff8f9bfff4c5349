//! A user got a new username: their rooms follow to the new account.

use std::sync::Arc;

use ruma::{RoomId, UserId as MatrixId};

use crate::adapters::matrix;
use crate::features::chat::Chat;
use crate::platform::error::{Error, Result};

use super::desk;
use super::room_turns::{RoomTurn, in_turn};

/// Brings the new account into every room of the old one, which leaves it. Safe to repeat: what is left to move is what the old
/// account is still in. One room that fails keeps no other from being moved, and is tried again.
pub async fn move_rooms(chat: &Chat, from: &MatrixId, to: &MatrixId) -> Result<()> {
    let rooms = chat.matrix.list_joined_rooms(from).await?.unwrap_or_default();
    let mut failure = None;
    for room in rooms {
        match bring(chat, from, to, &room).await {
            Ok(Ok(())) => {}
            Ok(Err(error @ matrix::Error::Away(_))) => return Err(error.into()),
            // Whoever may neither come in nor be asked in was shut out of this room, under whichever name.
            Ok(Err(error)) if error.is(403) || error.is(404) => {
                tracing::warn!(error = %error, room = %room, "a room does not let a renamed user in");
            }
            Ok(Err(error)) => failure = Some(error.into()),
            Err(error @ Error::Conflict { .. }) => {
                tracing::warn!(error = %error, room = %room, "a renamed user who was silent is not brought back");
            }
            Err(error) => failure = Some(error),
        }
    }
    failure.map_or(Ok(()), Err)
}

/// Answers what the homeserver said to it.
async fn bring(
    chat: &Chat,
    from: &MatrixId,
    to: &MatrixId,
    room: &RoomId,
) -> Result<matrix::Result<()>> {
    // First of all, so that whoever is silent comes in silent.
    let hand_over =
        |turn: Arc<RoomTurn>| async move { desk::hand_over(chat, &turn, room, from, to).await };
    if let Err(error) = in_turn(chat, room, hand_over).await? {
        return Ok(Err(error));
    }
    if let Err(error) = come_in(chat, from, to, room).await {
        return Ok(Err(error));
    }
    Ok(chat.matrix.leave(from, room).await)
}

async fn come_in(chat: &Chat, from: &MatrixId, to: &MatrixId, room: &RoomId) -> matrix::Result<()> {
    match chat.matrix.join(to, room).await {
        Err(error) if error.is(403) => {
            chat.matrix.invite(from, to, room).await?;
            chat.matrix.join(to, room).await
        }
        answer => answer,
    }
}
