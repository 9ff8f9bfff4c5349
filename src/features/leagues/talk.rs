//! A league's chat room: the bot's, which only members get into. Who is in it follows who is in the league; whoever leaves the room by
//! themselves is left alone until they ask to be brought in again.

use serde::{Deserialize, Serialize};

use crate::features::chat::{self, Chat};
use crate::features::users::UserId;
use crate::platform::clock::MINUTE_MS;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::jobs::{self, Job, Lane, Next, Stop, job};

use super::chat_store::{self as store, ChatRow};
use super::store as leagues;
use super::values::LeagueId;

/// Moves of one run of the job: others wait for the same lane.
const AT_ONCE: i64 = 50;
const ROOMLESS_AT_ONCE: i64 = 500;

/// Sees to it that a league's room is there, goes by its name, and that those are in it who should be.
#[derive(Debug, Serialize, Deserialize)]
pub struct FollowLeague {
    league: LeagueId,
}

impl Job for FollowLeague {
    const KIND: &'static str = "chat_league_room";
    const LANE: Lane = Lane::Chat;
    type State = Chat;

    fn key(&self) -> Option<String> {
        Some(self.league.0.to_string())
    }

    async fn run(self, chat: Chat, stop: Stop) -> Result<Next> {
        let id = self.league;
        let Some(league) = chat.db.lookup(move |tx| store::find(tx, id)).await? else {
            return Ok(Next::Done);
        };
        match room_of(&chat, id, &league).await? {
            Some(room_id) => follow(&chat, id, &room_id, &stop).await,
            None => Ok(Next::Done),
        }
    }
}

/// The league's room, made if it is to have one.
async fn room_of(chat: &Chat, id: LeagueId, league: &ChatRow) -> Result<Option<String>> {
    let name = league.name.as_str().to_owned();
    match &league.chat_room_id {
        Some(room_id) if chat::name_led_room(chat, room_id, &name).await? => {
            Ok(Some(room_id.clone()))
        }
        // Without a room there is nobody to be taken out of it.
        _ if !league.has_chat => Ok(None),
        _ => {
            let keep = move |tx: &mut Tx, room_id: &str| {
                store::update_room(tx, id, room_id)?;
                store::upsert_all_moves(tx, id, true).map(drop)
            };
            chat::open_led_room(chat, format!("league-{}", id.0), name, keep).await.map(Some)
        }
    }
}

/// Makes the next moves. One that cannot be made holds up no other, and is tried again.
async fn follow(chat: &Chat, id: LeagueId, room_id: &str, stop: &Stop) -> Result<Next> {
    let (mut after, mut made, mut trouble) = (UserId(0), 0, None);
    loop {
        let from = after;
        let moves = chat.db.lookup(move |tx| store::list_moves(tx, id, from, AT_ONCE)).await?;
        let Some((last, _)) = moves.last() else { break };
        after = *last;
        for (user, is_in) in moves {
            if made == AT_ONCE || stop.is_cancelled() {
                return Ok(Next::At(chat.clock.now()));
            }
            let moved = if is_in {
                chat::bring_in(chat, room_id, user).await
            } else {
                chat::take_out(chat, room_id, user).await
            };
            match moved {
                Ok(()) => {
                    let done = move |tx: &mut Tx| store::delete_move(tx, id, user, is_in);
                    chat.db.write(done).await?;
                    made += 1;
                }
                Err(error) => trouble = Some(error),
            }
        }
    }
    trouble.map_or(Ok(Next::Done), Err)
}

job! {
    /// Finds leagues whose room is not there: the homeserver may be another one than before.
    pub struct FindRoomless;
    kind: "chat_find_roomless", lane: Chat, every: 5 * MINUTE_MS, run: find_roomless(Chat)
}

async fn find_roomless(_: FindRoomless, chat: Chat, _: Stop) -> Result<Next> {
    let find = |tx: &mut Tx| {
        let roomless = store::list_roomless(tx, ROOMLESS_AT_ONCE)?;
        let mut asked = roomless.into_iter().map(|league| FollowLeague { league });
        asked.try_for_each(|job| jobs::ask_if_absent(tx, &job))
    };
    chat.db.write(find).await?;
    Ok(Next::Done)
}

/// A league is to have a room, or none any more.
pub fn set(tx: &mut Tx, id: LeagueId, has_chat: bool) -> Result<()> {
    store::update_has_chat(tx, id, has_chat)?;
    store::upsert_all_moves(tx, id, has_chat)?;
    jobs::ask(tx, &FollowLeague { league: id })
}

/// The league goes by another name.
pub fn renamed(tx: &mut Tx, id: LeagueId) -> Result<()> {
    match store::find(tx, id)? {
        Some(league) if league.chat_room_id.is_some() => {
            jobs::ask(tx, &FollowLeague { league: id })
        }
        _ => Ok(()),
    }
}

/// Somebody has come into a league or gone.
pub fn moved(tx: &mut Tx, id: LeagueId, user: UserId, is_in: bool) -> Result<()> {
    match store::find(tx, id)? {
        Some(league) if league.has_chat => {
            store::upsert_move(tx, id, user, is_in)?;
            jobs::ask(tx, &FollowLeague { league: id })
        }
        _ => Ok(()),
    }
}

/// A member wants to be in the room, having left it.
pub fn come_in(tx: &mut Tx, id: LeagueId, user: UserId) -> Result<()> {
    leagues::find_role(tx, id, user)?.ok_or(not_found!("league"))?;
    let league = store::find(tx, id)?.ok_or(not_found!("league"))?;
    if !league.has_chat {
        return Err(Error::Refused {
            code: "league_without_chat",
            message: text!("This league has no chat room."),
        });
    }
    moved(tx, id, user, true)
}
