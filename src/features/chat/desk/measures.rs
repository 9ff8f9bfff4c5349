//! What moderators do to members of a room.

use std::sync::Arc;

use ruma::{OwnedUserId, RoomId as MatrixRoomId};
use serde_json::{Value, json};

use crate::features::chat::room_turns::{RoomTurn, in_turn};
use crate::features::chat::values::{Reason, RoomId};
use crate::features::chat::{Chat, account_store, accounts, member_store};
use crate::features::operators::{self, Change, Operator};
use crate::features::users::{self, UserId};
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::jobs;

use super::actors::{find_actor, levels, or_powerless, powerless};
use super::later::EndMute;
use super::power::Deed;
use super::store;

/// What a moderator does to somebody in a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    Mute {
        until: Option<Timestamp>,
    },
    Unmute,
    /// They may come back.
    Remove,
    Ban,
    Unban,
}

impl Measure {
    const fn action(self) -> &'static str {
        match self {
            Self::Mute { .. } => "chat.mute",
            Self::Unmute => "chat.unmute",
            Self::Remove => "chat.remove",
            Self::Ban => "chat.ban",
            Self::Unban => "chat.unban",
        }
    }

    const fn deed(self) -> Deed {
        match self {
            Self::Mute { .. } | Self::Unmute => Deed::SetLevel,
            Self::Remove => Deed::Kick,
            Self::Ban | Self::Unban => Deed::Ban,
        }
    }

    /// How somebody is after it, for the log.
    fn after(self) -> Value {
        match self {
            Self::Mute { until } => json!({"is_muted": true, "until": until}),
            Self::Unmute => json!({"is_muted": false}),
            Self::Remove | Self::Unban => json!({"membership": null}),
            Self::Ban => json!({"membership": "ban"}),
        }
    }
}

/// Somebody in a room, by all their names.
pub struct Target {
    room_id: String,
    room: ruma::OwnedRoomId,
    account: OwnedUserId,
}

/// Does something to somebody in a room. The network is asked first; the log then says what was done, also of a caller who hangs up.
pub async fn take_measure(
    chat: &Chat,
    by: Operator,
    room: RoomId,
    user: UserId,
    measure: Measure,
    reason: &Reason,
) -> Result<()> {
    let (chat, reason) = (chat.clone(), reason.clone());
    let work = async move { take(&chat, by, room, user, measure, &reason).await };
    tokio::spawn(work).await.map_err(Error::internal)?
}

async fn take(
    chat: &Chat,
    by: Operator,
    room: RoomId,
    user: UserId,
    measure: Measure,
    reason: &Reason,
) -> Result<()> {
    let target = find_target(chat, &room, user).await?;
    let take = |turn: Arc<RoomTurn>| take_in_turn(chat, turn, by, &target, user, measure, reason);
    in_turn(chat, &target.room, take).await
}

async fn take_in_turn(
    chat: &Chat,
    turn: Arc<RoomTurn>,
    by: Operator,
    target: &Target,
    user: UserId,
    measure: Measure,
    reason: &Reason,
) -> Result<()> {
    let (look, matrix_id) = (target.room_id.clone(), target.account.to_string());
    let find = move |tx: &mut Tx| member_store::find_membership(tx, &look, &matrix_id);
    let membership = chat.db.read(find).await?;
    let before = carry_out(chat, &turn, target, measure, reason).await?;
    let before = before.unwrap_or_else(|| json!({"membership": membership}));
    let (subject, reason) = (format!("user {}", user.0), reason.as_str().to_owned());
    let room_id = target.room_id.clone();
    let note = move |tx: &mut Tx| {
        let room_id = room_id.as_str();
        match measure {
            Measure::Mute { until } => {
                store::upsert_mute(tx, room_id, user, until, (&reason, &by.name))?;
                if let Some(end) = until {
                    let job = EndMute { room_id: room_id.to_owned(), user_id: user };
                    jobs::ask_at(tx, &job, end)?;
                }
            }
            Measure::Unmute => store::delete_mute(tx, room_id, user).map(drop)?,
            Measure::Remove | Measure::Ban | Measure::Unban => {}
        }
        let detail = json!({"room_id": room_id, "reason": reason});
        let change = Change { before: before.clone(), after: measure.after() };
        operators::audit_change(tx, &by, measure.action(), &subject, &detail, &change)
    };
    chat.db.write(note).await
}

pub async fn find_target(chat: &Chat, room: &RoomId, user: UserId) -> Result<Target> {
    let room_id = room.as_str().to_owned();
    let look = room_id.clone();
    let find = move |tx: &mut Tx| {
        store::find_room(tx, &look)?.ok_or(Error::NotFound("room"))?;
        users::get(tx, user)?;
        account_store::find_current(tx, user)
    };
    // Nobody without an account is in any room.
    let account = chat.db.read(find).await?.ok_or(Error::NotFound("member"))?;
    let room = MatrixRoomId::parse(room.as_str()).map_err(|_| Error::NotFound("room"))?;
    Ok(Target { room_id, room, account: accounts::parse(&account.matrix_id)? })
}

/// Answers how it was before, where the levels say so.
pub async fn carry_out(
    chat: &Chat,
    turn: &RoomTurn,
    target: &Target,
    measure: Measure,
    reason: &Reason,
) -> Result<Option<Value>> {
    let Target { room_id, room, account } = target;
    let levels = levels(chat, room_id, room).await?;
    let is_muted = matches!(measure, Measure::Mute { .. });
    if matches!(measure, Measure::Mute { .. } | Measure::Unmute)
        && levels.is_muted(account.as_str()) == is_muted
    {
        return Ok(Some(json!({"is_muted": is_muted})));
    }
    let by = match find_actor(chat, room_id, &levels, measure.deed(), account.as_str()).await? {
        Some(by) => by,
        // Whoever has all the power in a room can still be walked out of it.
        None if measure == Measure::Remove => {
            chat.matrix.leave(account, room).await?;
            return Ok(None);
        }
        None => return Err(powerless()),
    };
    match measure {
        Measure::Mute { .. } | Measure::Unmute => {
            let content = levels.with(account.as_str(), is_muted);
            or_powerless(turn.set_levels(&by, &content).await)?;
            return Ok(Some(json!({"is_muted": !is_muted})));
        }
        Measure::Remove => chat.matrix.kick(&by, room, account, reason.as_str()).await?,
        Measure::Ban => or_powerless(chat.matrix.ban(&by, room, account, reason.as_str()).await)?,
        Measure::Unban => chat.matrix.unban(&by, room, account).await?,
    }
    Ok(None)
}
