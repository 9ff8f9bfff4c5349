//! A public room for every match, owned by the bot and found under one alias, so that it is made once whoever makes it.

use std::sync::Arc;

use serde_json::json;

use crate::adapters::matrix::{ALIAS_PREFIX, Entry};
use crate::features::chat::Chat;
use crate::features::events::{self, EventDetailsRow, EventId, FollowInChat, Status};
use crate::platform::clock::{DAY_MS, MINUTE_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::jobs::{self, Job, Lane, Next, Stop, job};

use super::bot_rooms::{self, BotRoom};
use super::event_room_store;
use super::purpose::Purpose;
use super::room_turns::{RoomTurn, in_turn};

const AT_ONCE: i64 = 500;
/// What it takes to speak in an archived room: more than anybody but the bot has.
const ARCHIVED_LEVEL: i64 = 100;

impl Job for FollowInChat {
    const KIND: &'static str = "chat_event_room";
    const LANE: Lane = Lane::Chat;
    type State = Chat;

    fn key(&self) -> Option<String> {
        Some(self.event_id.0.to_string())
    }

    /// Sees to it that the match has its room, and that the room is as the match is now.
    async fn run(self, chat: Chat, _: Stop) -> Result<Next> {
        let outcome = match open(&chat, self.event_id).await {
            Ok(room_id) => follow(&chat, self.event_id, &room_id).await,
            Err(error) => Err(error),
        };
        match outcome {
            // The match is gone.
            Ok(()) | Err(Error::NotFound(_)) => Ok(Next::Done),
            Err(error) => Err(error),
        }
    }
}

job! {
    /// Finds matches whose room is not there or not as it should be, and of which nobody said so: a team was renamed, or time passed.
    pub struct FindStrayed;
    kind: "chat_find_strayed", lane: Chat, every: 5 * MINUTE_MS, run: find_strayed(Chat)
}

async fn find_strayed(_: FindStrayed, chat: Chat, _: Stop) -> Result<Next> {
    let before = archived_before(&chat);
    let find = move |tx: &mut Tx| {
        let mut strayed = events::list_without_room(tx, AT_ONCE)?;
        if let Some(before) = before {
            strayed.extend(event_room_store::list_to_archive(tx, before, AT_ONCE)?);
        }
        strayed.extend(event_room_store::list_misnamed(tx, AT_ONCE)?);
        let mut asked = strayed.into_iter().map(|event_id| FollowInChat { event_id });
        asked.try_for_each(|job| jobs::ask_if_absent(tx, &job))
    };
    chat.db.write(find).await?;
    Ok(Next::Done)
}

/// Matches that began before this are over for their rooms too, if they are over.
fn archived_before(chat: &Chat) -> Option<Timestamp> {
    let days = chat.config.matrix.archive_after_days;
    (days > 0).then(|| chat.clock.now().plus_ms(-days.saturating_mul(DAY_MS)))
}

/// The room of an alias, made if it names a match. Answers whether there is one.
pub async fn open_room_of_alias(chat: &Chat, alias: &str) -> Result<bool> {
    let server = chat.matrix.settings().server_name.as_str();
    let local =
        alias.strip_prefix('#').and_then(|rest| rest.strip_suffix(server)?.strip_suffix(':'));
    let digits = local.and_then(|local| local.strip_prefix(ALIAS_PREFIX));
    let is_number = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
    let Some(id) = digits.filter(is_number).and_then(|digits| digits.parse().ok()) else {
        return Ok(false);
    };
    match open(chat, EventId(id)).await {
        Ok(_) => Ok(true),
        Err(Error::NotFound(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// The room of a match, made if need be. The alias decides between nodes, tries and crashes: only one room can have it.
async fn open(chat: &Chat, id: EventId) -> Result<String> {
    let details = chat.db.lookup(move |tx| events::get_details(tx, id)).await?;
    if let Some(room_id) = details.event.chat_room_id {
        return Ok(room_id);
    }
    let (name, topic) = words(&details);
    let purpose = Purpose { event_id: Some(id), is_event_room: true, ..Purpose::default() };
    let new = BotRoom { alias: id.0.to_string(), name, topic, entry: Entry::Anybody, purpose };
    let keep = move |tx: &mut Tx, room_id: &str| events::set_chat_room(tx, id, room_id);
    bot_rooms::open(chat, new, keep).await
}

/// What the room of a match says of it.
fn words(details: &EventDetailsRow) -> (String, String) {
    let name = format!("{} – {}", details.home_team.name, details.away_team.name);
    let time = match details.event.time() {
        (start, true) => start.to_the_minute(),
        (_, false) => "time to be confirmed".to_owned(),
    };
    (name, format!("{}, {time}", details.tournament.name))
}

/// Makes the room say what is so of the match now, and silent or open as the match is long over or not.
async fn follow(chat: &Chat, id: EventId, room_id: &str) -> Result<()> {
    let look = room_id.to_owned();
    let read =
        move |tx: &mut Tx| Ok((events::get_details(tx, id)?, event_room_store::find(tx, &look)?));
    let (details, told) = chat.db.read(read).await?;
    let Some(told) = told else { return Ok(()) };
    let (bot, room) = (chat.matrix.bot(), ruma::RoomId::parse(room_id).map_err(Error::internal)?);
    let (name, topic) = words(&details);
    if told.name != name {
        chat.matrix.set_state(bot, &room, "m.room.name", &json!({"name": name})).await?;
    }
    if told.topic != topic {
        chat.matrix.set_state(bot, &room, "m.room.topic", &json!({"topic": topic})).await?;
    }
    let event = &details.event;
    let is_over = event.status == Status::Finished || event.is_void();
    let is_long_over = archived_before(chat).is_some_and(|before| event.start_time < before);
    let is_archived = told.archived_at.is_some();
    if (is_over && is_long_over) != is_archived {
        archive(chat, &room, !is_archived).await?;
    }
    Ok(())
}

/// Nobody speaks in an archived room; it can still be read. A match that is played again has its room back.
async fn archive(chat: &Chat, room: &ruma::RoomId, is_archived: bool) -> Result<()> {
    let (bot, level) = (chat.matrix.bot(), if is_archived { ARCHIVED_LEVEL } else { 0 });
    let change = |turn: Arc<RoomTurn>| async move {
        if let Some(mut levels) = turn.find_levels(bot).await?
            && let Some(fields) = levels.as_object_mut()
        {
            fields.insert("events_default".to_owned(), level.into());
            turn.set_levels(bot, &levels).await?;
        }
        Ok(())
    };
    in_turn(chat, room, change).await?;
    let room_id = room.to_string();
    let note = move |tx: &mut Tx| {
        let since = is_archived.then(|| tx.now());
        event_room_store::update_archived(tx, &room_id, since)
    };
    chat.db.write(note).await.map(drop)
}
