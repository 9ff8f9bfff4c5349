//! A public room for every match, owned by the bot and found under one alias, so that it is made once whoever makes it.

use ruma::RoomAliasId;

use crate::adapters::matrix::{self, ALIAS_PREFIX};
use crate::features::chat::Chat;
use crate::features::events::{self, EventId};
use crate::platform::clock::{DAY_MS, HOUR_MS, MINUTE_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::jobs::{self, Next, Stop, job};

use super::purpose::Purpose;
use super::rooms::PUBLIC;
use super::store::{self, Membership, NewRoomRow};
use super::{accounts, membership};

const AT_ONCE: i64 = 500;
const POWER_LEVELS: &str = "m.room.power_levels";
/// What it takes to speak in an archived room: more than anybody but the bot has.
const ARCHIVED_LEVEL: i64 = 100;

/// A match is there: its room is to follow.
pub fn event_added(tx: &mut Tx, event: EventId) -> Result<()> {
    jobs::ask(tx, &OpenRoom { event_id: event })
}

job! {
    /// Finds matches whose room was not asked for.
    pub struct FindRoomless;
    kind: "chat_find_roomless", lane: Chat, every: 5 * MINUTE_MS, run: find_roomless(Chat)
}

async fn find_roomless(_: FindRoomless, chat: Chat, _: Stop) -> Result<Next> {
    chat.db
        .write(|tx| {
            let missing = events::list_without_room(tx, AT_ONCE)?;
            missing
                .into_iter()
                .try_for_each(|event_id| jobs::ask_if_absent(tx, &OpenRoom { event_id }))
        })
        .await?;
    Ok(Next::Done)
}

job! {
    /// Makes the room of a match.
    pub struct OpenRoom { event_id: EventId }
    kind: "chat_event_room", lane: Chat, key: event_id.0, run: open_room(Chat)
}

async fn open_room(job: OpenRoom, chat: Chat, _: Stop) -> Result<Next> {
    match open(&chat, job.event_id).await {
        Ok(_) | Err(Error::NotFound(_)) => Ok(Next::Done),
        Err(error) => Err(error),
    }
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
    accounts::ensure_bot(chat).await?;
    let name = format!("{} – {}", details.home_team.name, details.away_team.name);
    let topic = format!("{}, {}", details.tournament.name, details.event.start_time);
    let purpose = Purpose { event_id: Some(id), is_event_room: true, ..Purpose::default() };
    let bot = chat.matrix.bot();
    let new = matrix::NewRoom {
        name: name.clone(),
        topic: topic.clone(),
        is_private: false,
        alias: Some(format!("{ALIAS_PREFIX}{}", id.0)),
        purpose: purpose.to_content(&chat.keys, bot.as_str()),
    };
    let room_id = match chat.matrix.create_room(bot, &new).await {
        Ok(room_id) => room_id,
        Err(error) if error.has_code("M_ROOM_IN_USE") || error.is(409) => find(chat, id).await?,
        Err(error) => return Err(error.into()),
    };
    let row = NewRoomRow {
        room_id: room_id.to_string(),
        name,
        topic,
        event_id: Some(id),
        is_event_room: true,
        creator_id: None,
        is_encrypted: false,
        join_rule: PUBLIC,
    };
    let (shared, room_id) = (chat.clone(), row.room_id.clone());
    chat.db
        .write(move |tx| {
            store::upsert_room(tx, &row)?;
            let (now, bot) = (tx.now(), shared.matrix.bot().as_str());
            membership::set(tx, &shared, &row.room_id, bot, Some(Membership::Join), now)?;
            events::set_chat_room(tx, id, &row.room_id)
        })
        .await?;
    Ok(room_id)
}

async fn find(chat: &Chat, id: EventId) -> Result<ruma::OwnedRoomId> {
    let server = &chat.matrix.settings().server_name;
    let alias = RoomAliasId::parse(format!("#{ALIAS_PREFIX}{}:{server}", id.0));
    let found = chat.matrix.find_alias(&alias.map_err(Error::internal)?).await?;
    found.ok_or_else(|| Error::internal("an alias is taken and leads nowhere"))
}

job! {
    pub struct Archive;
    kind: "chat_archive", lane: Chat, every: HOUR_MS, run: run_archive(Chat)
}

async fn run_archive(_: Archive, chat: Chat, _: Stop) -> Result<Next> {
    let days = chat.config.matrix.archive_after_days;
    if days <= 0 {
        return Ok(Next::Done);
    }
    let before = chat.clock.now().plus_ms(-days.saturating_mul(DAY_MS));
    let due = chat.db.read(move |tx| store::list_to_archive(tx, before, AT_ONCE)).await?;
    for room_id in due {
        archive(&chat, &room_id, chat.clock.now()).await?;
    }
    Ok(Next::Done)
}

/// Nobody speaks there any more; it can still be read.
async fn archive(chat: &Chat, room_id: &str, now: Timestamp) -> Result<()> {
    let (bot, room) = (chat.matrix.bot(), ruma::RoomId::parse(room_id).map_err(Error::internal)?);
    if let Some(mut levels) = chat.matrix.find_state(bot, &room, POWER_LEVELS).await?
        && let Some(fields) = levels.as_object_mut()
    {
        fields.insert("events_default".to_owned(), ARCHIVED_LEVEL.into());
        chat.matrix.set_state(bot, &room, POWER_LEVELS, &levels).await?;
    }
    let room_id = room_id.to_owned();
    chat.db.write(move |tx| store::update_archived(tx, &room_id, now)).await.map(drop)
}
