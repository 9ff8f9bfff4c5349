//! What moderators do to members of a room.

use std::sync::Arc;

use ruma::{OwnedUserId, RoomId as MatrixRoomId};
use serde_json::{Value, json};

use crate::adapters::matrix;
use crate::features::chat::room_turns::{RoomTurn, in_turn};
use crate::features::chat::values::{Reason, RoomId};
use crate::features::chat::{Chat, account_store, accounts, member_store};
use crate::features::operators::Operator;
use crate::features::users::{self, UserId};
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::trace;

use super::actors::{find_actor, levels, or_powerless, powerless};
use super::intent_store::NewIntent;
use super::power::{Deed, Levels};
use super::{intents, store};

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

/// The actions about whether somebody may speak, and about whether they are in the room: of each, what was decided last counts.
const VOICE: &[&str] = &["chat.mute", "chat.unmute"];
const PLACE: &[&str] = &["chat.remove", "chat.ban", "chat.unban"];

/// The actions that decide the same as this one.
pub fn same_subject(action: &str) -> &'static [&'static str] {
    if VOICE.contains(&action) { VOICE } else { PLACE }
}

impl Measure {
    pub fn of_action(action: &str, until: Option<Timestamp>) -> Option<Self> {
        let all = [Self::Mute { until }, Self::Unmute, Self::Remove, Self::Ban, Self::Unban];
        all.into_iter().find(|measure| measure.action() == action)
    }

    const fn until(self) -> Option<Timestamp> {
        match self {
            Self::Mute { until } => until,
            Self::Unmute | Self::Remove | Self::Ban | Self::Unban => None,
        }
    }

    pub const fn action(self) -> &'static str {
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
    pub fn after(self) -> Value {
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

impl Target {
    pub fn room(&self) -> &MatrixRoomId {
        &self.room
    }
}

/// Does something to somebody in a room, also if the caller hangs up.
pub async fn take_measure(
    chat: &Chat,
    by: Operator,
    room: RoomId,
    user: UserId,
    measure: Measure,
    reason: &Reason,
) -> Result<()> {
    let (chat, reason) = (chat.clone(), reason.clone());
    let work = async move {
        let target = find_target(&chat, &room, user).await?;
        let wish = Wish { by, user, measure, reason };
        let take = |turn: Arc<RoomTurn>| take(&chat, turn, &target, wish);
        in_turn(&chat, &target.room, take).await
    };
    trace::spawn(work).await.map_err(Error::internal)?
}

/// What a moderator asked for.
struct Wish {
    by: Operator,
    user: UserId,
    measure: Measure,
    reason: Reason,
}

async fn take(chat: &Chat, turn: Arc<RoomTurn>, target: &Target, wish: Wish) -> Result<()> {
    let Wish { by, user, measure, reason } = wish;
    let (plan, before) = plan(chat, target, measure).await?;
    let intent = NewIntent {
        room_id: target.room_id.clone(),
        user_id: Some(user),
        action: measure.action(),
        muted_until: measure.until(),
        reason: reason.as_str().to_owned(),
        before: before.to_string(),
        ..NewIntent::default()
    };
    let is_so = matches!(plan, Plan::Nothing);
    let begin = move |tx: &mut Tx| {
        let id = intents::begin(tx, &by, &intent)?;
        if is_so {
            intents::complete(tx, id)?;
        }
        Ok(id)
    };
    let id = chat.db.write(begin).await?;
    if is_so {
        return Ok(());
    }
    let asking = act(chat, &turn, target, measure, plan, reason.as_str());
    or_powerless(intents::carry_through(chat, id, asking).await?)
}

pub async fn find_target(chat: &Chat, room: &RoomId, user: UserId) -> Result<Target> {
    let room_id = room.as_str().to_owned();
    let look = room_id.clone();
    let find = move |tx: &mut Tx| {
        store::find_room(tx, &look)?.ok_or(not_found!("room"))?;
        users::get(tx, user)?;
        account_store::find_current(tx, user)
    };
    // Nobody without an account is in any room.
    let account = chat.db.read(find).await?.ok_or(not_found!("member"))?;
    let room = MatrixRoomId::parse(room.as_str()).map_err(|_| not_found!("room"))?;
    Ok(Target { room_id, room, account: accounts::parse(&account.matrix_id)? })
}

/// What there is to do for a measure, as the room is.
enum Plan {
    /// It is so already.
    Nothing,
    /// Whoever has all the power in a room can still be walked out of it.
    WalkOut,
    Act {
        by: OwnedUserId,
        levels: Levels,
    },
}

/// Answers also how it is before, for the log.
async fn plan(chat: &Chat, target: &Target, measure: Measure) -> Result<(Plan, Value)> {
    let Target { room_id, room, account } = target;
    let levels = levels(chat, room_id, room).await?;
    let is_muted = levels.is_muted(account.as_str());
    let before = match measure {
        Measure::Mute { .. } | Measure::Unmute => json!({"is_muted": is_muted}),
        Measure::Remove | Measure::Ban | Measure::Unban => {
            let (look, matrix_id) = (room_id.clone(), account.to_string());
            let find = move |tx: &mut Tx| member_store::find_membership(tx, &look, &matrix_id);
            json!({"membership": chat.db.read(find).await?})
        }
    };
    let is_so = match measure {
        Measure::Mute { .. } => is_muted,
        Measure::Unmute => !is_muted,
        Measure::Remove | Measure::Ban | Measure::Unban => false,
    };
    if is_so {
        return Ok((Plan::Nothing, before));
    }
    let by = find_actor(chat, room_id, &levels, measure.deed(), account.as_str()).await?;
    match by {
        Some(by) => Ok((Plan::Act { by, levels }, before)),
        None if measure == Measure::Remove => Ok((Plan::WalkOut, before)),
        None => Err(powerless()),
    }
}

/// Asks the network. Asked once more, it changes nothing more.
async fn act(
    chat: &Chat,
    turn: &RoomTurn,
    target: &Target,
    measure: Measure,
    plan: Plan,
    reason: &str,
) -> matrix::Result<()> {
    let Target { room, account, .. } = target;
    let (by, levels) = match plan {
        Plan::Nothing => return Ok(()),
        Plan::WalkOut => return chat.matrix.leave(account, room).await,
        Plan::Act { by, levels } => (by, levels),
    };
    match measure {
        Measure::Mute { .. } => turn.set_levels(&by, &levels.with_muted(account.as_str())).await,
        Measure::Unmute => turn.set_levels(&by, &levels.without(account.as_str())).await,
        Measure::Remove => chat.matrix.kick(&by, room, account, reason).await,
        Measure::Ban => chat.matrix.ban(&by, room, account, reason).await,
        Measure::Unban => chat.matrix.unban(&by, room, account).await,
    }
}

/// For work that is tried again until it is done.
pub async fn do_now(
    chat: &Chat,
    turn: &RoomTurn,
    target: &Target,
    measure: Measure,
    reason: &str,
) -> Result<()> {
    let (plan, _) = plan(chat, target, measure).await?;
    or_powerless(act(chat, turn, target, measure, plan, reason).await)
}
