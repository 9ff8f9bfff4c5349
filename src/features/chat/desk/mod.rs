//! Rooms and what is said in them, as moderators see them and deal with them.
//!
//! The service does nothing in a room but through one of its members who has the power to: its own bot, or whoever made the room.
//! Those who deal with members of one room take turns, and the list of who is silent in it is written in the same turn, so that it says
//! what the network has.

mod power;
pub mod routes;
mod store;
mod surroundings;

use std::sync::Arc;

use ruma::{EventId as MessageName, OwnedUserId, RoomId as MatrixRoomId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::adapters::matrix;
use crate::features::chat::room_turns::{POWER_LEVELS, RoomTurn, in_turn};
use crate::features::chat::values::{MessageId, Reason, RoomId, RoomName};
use crate::features::chat::{Chat, account_store, accounts, member_store};
use crate::features::operators::{self, Change, Operator};
use crate::features::users::{self, UserId};
use crate::platform::clock::{self, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;
use crate::platform::jobs::{self, Job, Lane, Next, Stop};
use crate::platform::keys;

use power::{Deed, Levels};
use store::{DeskMemberRow, DeskRoomRow, MuteRow};

/// Members through whose eyes the levels of a room are read.
const VIEWERS: i64 = 3;
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
    let found = store::find_room(tx, room.as_str())?.ok_or(Error::NotFound("room"))?;
    Ok((found, store::list_mutes(tx, room.as_str(), MOST_MUTES)?))
}

/// Who is in a room, invited to it or banned from it, and how many they are.
pub fn list_members(tx: &mut Tx, room: &RoomId, page: Page) -> Result<(Vec<DeskMemberRow>, i64)> {
    get_room(tx, room)?;
    store::list_members(tx, room.as_str(), page)
}

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
struct Target {
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

async fn find_target(chat: &Chat, room: &RoomId, user: UserId) -> Result<Target> {
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
async fn carry_out(
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

const fn powerless() -> Error {
    Error::Conflict {
        code: "nobody_has_the_power",
        message: "Nobody of this service has more power in this room than this member. Ban the user instead.",
    }
}

/// The homeserver knows better who has the power: whoever had it may have left in this moment.
fn or_powerless<T>(answer: matrix::Result<T>) -> Result<T> {
    match answer {
        Err(error) if error.is(403) => Err(powerless()),
        answer => Ok(answer?),
    }
}

/// Takes a message away, also if the caller hangs up.
pub async fn redact(
    chat: &Chat,
    by: Operator,
    room: RoomId,
    message: MessageId,
    reason: Reason,
) -> Result<()> {
    let chat = chat.clone();
    let work = async move { take_away(&chat, by, room, message, reason).await };
    tokio::spawn(work).await.map_err(Error::internal)?
}

async fn take_away(
    chat: &Chat,
    by: Operator,
    room: RoomId,
    message: MessageId,
    reason: Reason,
) -> Result<()> {
    let room_id = room.as_str().to_owned();
    let look = room_id.clone();
    let find = move |tx: &mut Tx| store::find_room(tx, &look);
    chat.db.read(find).await?.ok_or(Error::NotFound("room"))?;
    let name = MatrixRoomId::parse(&room_id).map_err(|_| Error::NotFound("room"))?;
    let event = MessageName::parse(message.as_str()).map_err(|_| Error::NotFound("message"))?;
    let sender = find_sender(chat, &room_id, &name, &event).await?;
    let levels = levels(chat, &room_id, &name).await?;
    let able = find_actor(chat, &room_id, &levels, Deed::Redact, "").await?;
    // Everybody may take away what they said themselves.
    let actors = able.into_iter().chain(sender);
    let transaction = keys::hex(&clock::random_bytes::<12>());
    let mut done = Err(powerless());
    for actor in actors {
        let asked = chat.matrix.redact(&actor, &name, &event, &transaction, reason.as_str()).await;
        done = match asked {
            Ok(()) => Ok(()),
            Err(error) if error.is(403) => continue,
            Err(error) if error.is(404) => Err(Error::NotFound("message")),
            Err(error) => Err(error.into()),
        };
        break;
    }
    done?;
    let note = move |tx: &mut Tx| {
        let detail = json!({"message_id": message, "reason": reason});
        let change =
            Change { before: json!({"is_redacted": false}), after: json!({"is_redacted": true}) };
        operators::audit_change(
            tx,
            &by,
            "chat.redact",
            &format!("room {room_id}"),
            &detail,
            &change,
        )
    };
    chat.db.write(note).await
}

/// Who wrote a message, if it is somebody with an account here. Not every homeserver says that there is no such message when it is to
/// take one away.
async fn find_sender(
    chat: &Chat,
    room_id: &str,
    room: &MatrixRoomId,
    message: &MessageName,
) -> Result<Option<OwnedUserId>> {
    for viewer in viewers(chat, room_id).await? {
        if let Some(found) = chat.matrix.find_surroundings(&viewer, room, message, 0).await? {
            let sender = found.event.sender;
            let look = sender.clone();
            let account = chat.db.lookup(move |tx| account_store::find(tx, &look)).await?;
            return account.map(|_| accounts::parse(&sender)).transpose();
        }
    }
    Err(Error::NotFound("message"))
}

/// Members through whose eyes a room is looked at, and the bot.
async fn viewers(chat: &Chat, room_id: &str) -> Result<Vec<OwnedUserId>> {
    let look = room_id.to_owned();
    let viewers = chat.db.read(move |tx| member_store::list_viewers(tx, &look, VIEWERS)).await?;
    let mut viewers =
        viewers.iter().map(|viewer| accounts::parse(viewer)).collect::<Result<Vec<_>>>()?;
    viewers.push(chat.matrix.bot().to_owned());
    Ok(viewers)
}

/// The levels of a room, as one of its members sees them.
async fn levels(chat: &Chat, room_id: &str, room: &MatrixRoomId) -> Result<Levels> {
    for viewer in viewers(chat, room_id).await? {
        match chat.matrix.find_state(&viewer, room, POWER_LEVELS).await {
            Ok(content) => return Ok(Levels::new(content.unwrap_or_default())),
            // No longer in it.
            Err(error) if error.is(403) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(powerless())
}

/// Somebody in the room who may do this and has an account here: the bot, or else whoever has most power.
async fn find_actor(
    chat: &Chat,
    room_id: &str,
    levels: &Levels,
    deed: Deed,
    whom: &str,
) -> Result<Option<OwnedUserId>> {
    let may = |name: &&str| levels.may(name, deed, whom);
    let able: Vec<String> = levels.named().into_iter().filter(may).map(str::to_owned).collect();
    let (look, names) = (room_id.to_owned(), able.clone());
    let list = move |tx: &mut Tx| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        store::list_own(tx, &look, &names)
    };
    let own = chat.db.read(list).await?;
    let bot = chat.matrix.bot();
    if able.iter().any(|name| name == bot.as_str()) {
        return Ok(Some(bot.to_owned()));
    }
    able.iter().find(|name| own.contains(name)).map(|name| accounts::parse(name)).transpose()
}

/// What was decided about somebody in rooms goes with their account.
pub fn forget(tx: &mut Tx, user: UserId) -> Result<()> {
    store::delete_mutes_of(tx, user).map(drop)
}

/// Lets somebody speak again whose time is over.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EndMute {
    room_id: String,
    user_id: UserId,
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
        let over = Reason::try_from("The time is over.").map_err(Error::internal)?;
        let done = match find_target(chat, &room, user).await {
            Ok(target) => carry_out(chat, &turn, &target, Measure::Unmute, &over).await.map(drop),
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
