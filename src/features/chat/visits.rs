//! Rooms as users join and leave them, and invite others.
//!
//! Requests about one member of one room take turns, so that of several at once each is answered by what the one before it did.
//! What the homeserver did is written down here at once, unless it told of it, or of something newer, in the meantime: what it
//! tells comes in the order in which it happened, while an answer may come late.

use std::time::Duration;

use ruma::RoomId as MatrixRoomId;

use crate::adapters::matrix;
use crate::features::chat::Chat;
use crate::features::sessions::{self, User};
use crate::features::users::{self, Hold, UserId, Username};
use crate::platform::clock::{SECOND_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::trace;
use crate::platform::verdict::Verdict;

use super::account_store::AccountRow;
use super::member_store::{self, Membership};
use super::membership::Turned;
use super::rooms::get_seen_by;
use super::store;
use super::values::RoomId;
use super::{accounts, membership, moderation, turn_store};

/// Longer than the homeserver is ever waited for.
const TURN_MS: i64 = 60 * SECOND_MS;
const TURN_POLLS: u32 = 200;
const TURN_PAUSE: Duration = Duration::from_millis(25);

/// Who is invited, by either of their names.
#[derive(Debug, Clone)]
pub enum Guest {
    Id(UserId),
    Name(Username),
}

/// What a user does with a room.
#[derive(Debug, Clone)]
pub enum Deed {
    Join,
    Leave,
    Invite(Guest),
}

impl Deed {
    /// What it makes of the member.
    const fn makes(&self) -> Option<Membership> {
        match self {
            Self::Join => Some(Membership::Join),
            Self::Leave => None,
            Self::Invite(_) => Some(Membership::Invite),
        }
    }
}

/// A place in the order of requests about one member of one room.
struct Turn {
    room: RoomId,
    mine: AccountRow,
    /// The account whose membership changes: mine, or that of the guest.
    theirs: AccountRow,
    their_id: UserId,
    until: Timestamp,
}

/// Does it; answers whom it concerned.
pub async fn carry_out(chat: &Chat, user: User, room: RoomId, deed: Deed) -> Result<UserId> {
    let chat = chat.clone();
    // On its own, so that a caller who hangs up leaves no turn behind.
    let work = trace::spawn(async move {
        let turn = take_turn(&chat, user, room, &deed).await?;
        let outcome = ask_homeserver(&chat, &turn, &deed).await;
        end_turn(&chat, user, turn, &deed, outcome).await
    });
    work.await.map_err(Error::internal)?
}

async fn take_turn(chat: &Chat, user: User, room: RoomId, deed: &Deed) -> Result<Turn> {
    for _ in 0..TURN_POLLS {
        let (shared, room, deed) = (chat.clone(), room.clone(), deed.clone());
        let take = move |tx: &mut Tx| {
            let their_id = whom(tx, user, &deed)?;
            let held = users::hold(tx, &[user.id, their_id], Hold::Share)?;
            let me = sessions::confirm(tx, user)?;
            let them = held.into_iter().find(|user| user.id == their_id);
            let them = them.ok_or(not_found!("user"))?;
            let mine = accounts::find_or_want(tx, &shared, &me)?;
            let theirs = accounts::find_or_want(tx, &shared, &them)?;
            let until = tx.now().plus_ms(TURN_MS);
            if !turn_store::take(tx, room.as_str(), &theirs.matrix_id, deed.makes(), until)? {
                return Ok(None);
            }
            // Looked at only now: whoever had the turn before may have changed it.
            check(tx, user, &room, &deed, their_id)?;
            Ok(Some(Turn { room: room.clone(), mine, theirs, their_id, until }))
        };
        match chat.db.write(take).await? {
            Some(turn) => return Ok(turn),
            None => tokio::time::sleep(TURN_PAUSE).await,
        }
    }
    Err(matrix::unavailable())
}

/// Whose membership the deed changes.
fn whom(tx: &mut Tx, user: User, deed: &Deed) -> Result<UserId> {
    let guest = match deed {
        Deed::Join | Deed::Leave => return Ok(user.id),
        Deed::Invite(Guest::Id(id)) => users::find(tx, *id)?,
        Deed::Invite(Guest::Name(name)) => users::find_by_username(tx, name)?,
    };
    guest.map(|guest| guest.id).ok_or(not_found!("user"))
}

/// Whether the deed makes sense as things stand.
fn check(tx: &mut Tx, user: User, room: &RoomId, deed: &Deed, whom: UserId) -> Result<()> {
    let (_, mine) = get_seen_by(tx, user.id, room)?;
    match deed {
        Deed::Join if mine == Some(Membership::Join) => Err(Error::Conflict {
            code: "already_a_member",
            message: text!("You are already a member of this room."),
        }),
        Deed::Leave if matches!(mine, None | Some(Membership::Ban)) => Err(Error::Conflict {
            code: "not_a_member",
            message: text!("You are not a member of this room."),
        }),
        Deed::Invite(_) if mine != Some(Membership::Join) => Err(Error::Forbidden {
            code: "not_a_member",
            message: text!("Only members of a room can invite to it."),
        }),
        Deed::Invite(_) if moderation::is_blocked(tx, whom, user.id)? => Err(not_allowed()),
        Deed::Invite(_)
            if member_store::find_membership_of(tx, room.as_str(), whom)?
                == Some(Membership::Join) =>
        {
            Err(Error::Conflict {
                code: "already_a_member",
                message: text!("This user is already a member of the room."),
            })
        }
        Deed::Join | Deed::Leave | Deed::Invite(_) => Ok(()),
    }
}

async fn ask_homeserver(chat: &Chat, turn: &Turn, deed: &Deed) -> Result<()> {
    let room = MatrixRoomId::parse(turn.room.as_str()).map_err(|_| not_found!("room"))?;
    let me = accounts::ensure(chat, &turn.mine).await?;
    let done = match deed {
        Deed::Join => chat.matrix.join(&me, &room).await,
        Deed::Leave => chat.matrix.leave(&me, &room).await,
        Deed::Invite(_) => {
            let guest = accounts::ensure(chat, &turn.theirs).await?;
            chat.matrix.invite(&me, &guest, &room).await
        }
    };
    match done {
        Err(error) if error.is(403) => Err(not_allowed()),
        Err(error) if error.is(404) => Err(not_found!("room")),
        outcome => Ok(outcome?),
    }
}

async fn end_turn(
    chat: &Chat,
    user: User,
    turn: Turn,
    deed: &Deed,
    outcome: Result<()>,
) -> Result<UserId> {
    let their_id = turn.their_id;
    let (after, shared, is_done) = (deed.makes(), chat.clone(), outcome.is_ok());
    let end = move |tx: &mut Tx| {
        let (room, who) = (turn.room.as_str(), turn.theirs.matrix_id.as_str());
        let still_in = users::hold(tx, &[user.id, turn.their_id], Hold::Share)
            .and_then(|_| sessions::confirm(tx, user));
        let is_overtaken = turn_store::end(tx, room, who, turn.until)?;
        match still_in {
            Ok(_) if is_done && !is_overtaken => {
                let now = tx.now();
                store::update_activity(tx, room, now)?;
                let by = turn.mine.matrix_id.as_str();
                let turned = Turned { room_id: room, matrix_id: who, by, after, at: now };
                membership::set(tx, &shared, turned)?;
            }
            Ok(_) => {}
            // Shut out while the homeserver was asked: what it did is undone with everything else of theirs.
            Err(refusal) => {
                accounts::want(tx, &turn.mine.matrix_id)?;
                return Ok(Verdict::Refused(refusal));
            }
        }
        Ok(Verdict::Accepted(()))
    };
    chat.db.write(end).await?.into_result()?;
    outcome.map(|()| their_id)
}

const fn not_allowed() -> Error {
    Error::Forbidden {
        code: "not_allowed",
        message: text!("You are not allowed to do this in this room."),
    }
}
