//! What is done later: a mute ends, somebody is taken out of one room after the other.

use std::sync::Arc;

use ruma::RoomId as MatrixRoomId;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::features::chat::room_turns::{RoomTurn, in_turn};
use crate::features::chat::values::{Reason, RoomId};
use crate::features::chat::{Chat, account_store, accounts, member_store};
use crate::features::operators::{self, Change, Operator};
use crate::features::users::{self, UserId};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::jobs::{self, Job, Lane, Next, Stop};

use super::measures::{Measure, do_now, find_target};
use super::store;

/// Lets somebody speak again whose time is over.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EndMute {
    pub room_id: String,
    pub user_id: UserId,
}

impl Job for EndMute {
    const KIND: &'static str = "chat_end_mute";
    const LANE: Lane = Lane::Chat;
    type State = Chat;

    fn key(&self) -> Option<String> {
        Some(format!("{} {}", self.room_id, self.user_id.0))
    }

    async fn run(self, chat: Chat, _: Stop) -> Result<Next> {
        let room = MatrixRoomId::parse(&self.room_id).map_err(Error::internal)?;
        in_turn(&chat, &room, |turn| self.end(&chat, turn)).await?;
        Ok(Next::Done)
    }
}

impl EndMute {
    async fn end(&self, chat: &Chat, turn: Arc<RoomTurn>) -> Result<()> {
        let (room_id, user) = (self.room_id.clone(), self.user_id);
        let find = move |tx: &mut Tx| store::find_mute(tx, &room_id, user);
        // Meanwhile it may have been ended by hand, or made longer.
        let is_over = match chat.db.read(find).await? {
            Some((_, Some(end))) => end <= chat.clock.now(),
            Some((_, None)) | None => false,
        };
        if !is_over {
            return Ok(());
        }
        let room = RoomId::parse(&self.room_id).ok_or_else(|| Error::internal("no room's id"))?;
        let done = match find_target(chat, &room, user).await {
            Ok(target) => do_now(chat, &turn, &target, Measure::Unmute, "").await,
            Err(error) => Err(error),
        };
        match done {
            // The room or the account is gone, or nobody in the room has the power any more: there is nothing left to end.
            Ok(()) | Err(Error::NotFound(_) | Error::Conflict { .. }) => {}
            Err(error) => return Err(error),
        }
        let room_id = self.room_id.clone();
        chat.db.write(move |tx| store::delete_mute(tx, &room_id, user)).await.map(drop)
    }
}

/// Takes somebody out of every room, one after the other; they may come back.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LeaveAll {
    user_id: UserId,
}

impl Job for LeaveAll {
    const KIND: &'static str = "chat_leave_all";
    const LANE: Lane = Lane::Chat;
    type State = Chat;

    fn key(&self) -> Option<String> {
        Some(self.user_id.0.to_string())
    }

    async fn run(self, chat: Chat, stop: Stop) -> Result<Next> {
        let user = self.user_id;
        let Some(account) = chat.db.read(move |tx| account_store::find_current(tx, user)).await?
        else {
            return Ok(Next::Done);
        };
        let account = accounts::parse(&account.matrix_id)?;
        for room in chat.db.read(move |tx| member_store::list_joined_rooms(tx, user)).await? {
            if stop.is_cancelled() {
                return Ok(Next::At(chat.clock.now()));
            }
            let room = MatrixRoomId::parse(&room).map_err(Error::internal)?;
            chat.matrix.leave(&account, &room).await?;
        }
        Ok(Next::Done)
    }
}

/// Asks for somebody to be taken out of every room. Answers how many they are in.
pub fn remove_from_all(tx: &mut Tx, by: &Operator, user: UserId, reason: &Reason) -> Result<i64> {
    users::get(tx, user)?;
    let rooms = member_store::count_rooms_of(tx, user)?;
    jobs::ask_now(tx, &LeaveAll { user_id: user })?;
    let (detail, subject) = (json!({"reason": reason}), format!("user {}", user.0));
    let change = Change { before: json!({"rooms": rooms}), after: json!({"rooms": 0}) };
    operators::audit_change(tx, by, "chat.remove_from_all", &subject, &detail, &change)?;
    Ok(rooms)
}
