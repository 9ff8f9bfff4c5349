//! A user got a new username: their rooms follow to the new account.

use std::sync::Arc;

use ruma::{RoomId, UserId as MatrixId};
use serde_json::Value;

use crate::adapters::matrix;
use crate::features::chat::Chat;
use crate::platform::error::Result;

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
    if let Err(error) = come_in(chat, from, to, room).await {
        return Ok(Err(error));
    }
    let hand_over = |turn: Arc<RoomTurn>| async move { Ok(hand_over_power(&turn, from, to).await) };
    if let Err(error) = in_turn(chat, room, hand_over).await? {
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

/// Whoever ran a room still runs it under the new name.
async fn hand_over_power(turn: &RoomTurn, from: &MatrixId, to: &MatrixId) -> matrix::Result<()> {
    let Some(mut levels) = turn.find_levels(from).await? else { return Ok(()) };
    let Some(users) = levels.get_mut("users").and_then(Value::as_object_mut) else {
        return Ok(());
    };
    let Some(level) = users.get(from.as_str()).cloned() else { return Ok(()) };
    if users.insert(to.to_string(), level.clone()) == Some(level) {
        return Ok(());
    }
    match turn.set_levels(from, &levels).await {
        // Some power is not enough power to give it away.
        Err(error) if error.is(403) => Ok(()),
        outcome => outcome,
    }
}
