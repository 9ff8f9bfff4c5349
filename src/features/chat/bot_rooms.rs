//! Rooms that the bot makes and leads, each found under one alias, so that it is made once whoever makes it.

use ruma::{OwnedRoomId, RoomAliasId, RoomId};
use serde_json::json;

use crate::adapters::matrix::{ALIAS_PREFIX, Entry, NewRoom};
use crate::features::chat::Chat;
use crate::features::users::{self, UserId};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};

use super::member_store::Membership;
use super::membership::Turned;
use super::purpose::Purpose;
use super::rooms::{INVITE, PUBLIC};
use super::store::{self, NewRoomRow};
use super::{account_store, accounts, membership};

/// What the bot's room is to be.
pub struct BotRoom {
    /// The rest of its alias.
    pub alias: String,
    pub name: String,
    pub topic: String,
    pub entry: Entry,
    pub purpose: Purpose,
}

/// The room of an alias, made if need be, and what else is to be kept of it. The alias decides between nodes, tries and crashes: only one
/// room can have it.
pub async fn open(
    chat: &Chat,
    room: BotRoom,
    keep: impl Fn(&mut Tx, &str) -> Result<()> + Send + Sync + 'static,
) -> Result<String> {
    accounts::ensure_bot(chat).await?;
    let bot = chat.matrix.bot();
    let new = NewRoom {
        name: room.name.clone(),
        topic: room.topic.clone(),
        entry: room.entry,
        alias: Some(format!("{ALIAS_PREFIX}{}", room.alias)),
        purpose: room.purpose.to_content(&chat.keys, bot.as_str()),
    };
    let room_id = match chat.matrix.create_room(bot, &new).await {
        Ok(room_id) => room_id,
        Err(error) if error.has_code("M_ROOM_IN_USE") || error.is(409) => {
            find(chat, &room.alias).await?
        }
        Err(error) => return Err(error.into()),
    };
    let row = NewRoomRow {
        room_id: room_id.to_string(),
        name: room.name,
        topic: room.topic,
        event_id: room.purpose.event_id,
        is_event_room: room.purpose.is_event_room,
        creator_id: None,
        is_encrypted: false,
        join_rule: if room.entry == Entry::Anybody { PUBLIC } else { INVITE },
    };
    let (shared, room_id) = (chat.clone(), row.room_id.clone());
    chat.db
        .write(move |tx| {
            store::upsert_room(tx, &row)?;
            let bot = shared.matrix.bot().as_str();
            let joined = Turned::own(&row.room_id, bot, Some(Membership::Join), tx.now());
            membership::set(tx, &shared, joined)?;
            keep(tx, &row.room_id)
        })
        .await?;
    Ok(room_id)
}

async fn find(chat: &Chat, alias: &str) -> Result<OwnedRoomId> {
    let server = &chat.matrix.settings().server_name;
    let alias = RoomAliasId::parse(format!("#{ALIAS_PREFIX}{alias}:{server}"));
    let found = chat.matrix.find_alias(&alias.map_err(Error::internal)?).await?;
    found.ok_or_else(|| Error::internal("an alias is taken and leads nowhere"))
}

/// The room of which another feature says who is in it, made if need be.
pub async fn open_led_room(
    chat: &Chat,
    alias: String,
    name: String,
    keep: impl Fn(&mut Tx, &str) -> Result<()> + Send + Sync + 'static,
) -> Result<String> {
    let (topic, purpose) = (String::new(), Purpose::default());
    open(chat, BotRoom { alias, name, topic, entry: Entry::Led, purpose }, keep).await
}

/// Sees to it that a room of the bot's goes by this name. Answers whether the room is there at all, as far as is known.
pub async fn name_led_room(chat: &Chat, room_id: &str, name: &str) -> Result<bool> {
    let look = room_id.to_owned();
    let told = chat.db.lookup(move |tx| store::find_name(tx, &look)).await?;
    if told.as_deref().is_some_and(|told| told != name) {
        let (bot, room) = (chat.matrix.bot(), parse(room_id)?);
        chat.matrix.set_state(bot, &room, "m.room.name", &json!({"name": name})).await?;
    }
    Ok(told.is_some())
}

/// Brings a user into a room of the bot's. The homeserver tells of it as of everything. Whom the room or the service has banned is not brought
/// in, nor is whoever has left the service.
pub async fn bring_in(chat: &Chat, room_id: &str, user: UserId) -> Result<()> {
    let room = parse(room_id)?;
    if !is_welcome(chat, user).await? {
        return Ok(());
    }
    let guest = match accounts::provide(chat, user).await {
        Err(Error::NotFound(_)) => return Ok(()),
        guest => guest?,
    };
    match chat.matrix.invite(chat.matrix.bot(), &guest, &room).await {
        // In the room already, or banned from it: then joining fails too.
        Err(error) if error.is(403) => {}
        invited => invited?,
    }
    match chat.matrix.join(&guest, &room).await {
        Err(error) if error.is(403) => return Ok(()),
        joined => joined?,
    }
    // Shut out while the homeserver was asked.
    if is_welcome(chat, user).await? { Ok(()) } else { take_out(chat, room_id, user).await }
}

async fn is_welcome(chat: &Chat, user: UserId) -> Result<bool> {
    let find = move |tx: &mut Tx| {
        let (found, now) = (users::find(tx, user)?, tx.now());
        Ok(found.is_some_and(|user| !user.is_banned(now)))
    };
    chat.db.lookup(find).await
}

/// Takes a user out of a room of the bot's, whichever of their accounts is in it.
pub async fn take_out(chat: &Chat, room_id: &str, user: UserId) -> Result<()> {
    let room = parse(room_id)?;
    let accounts = chat.db.lookup(move |tx| account_store::list_of_user(tx, user)).await?;
    for account in accounts {
        let whom = accounts::parse(&account.matrix_id)?;
        chat.matrix.kick(chat.matrix.bot(), &room, &whom, "").await?;
    }
    Ok(())
}

fn parse(room_id: &str) -> Result<ruma::OwnedRoomId> {
    RoomId::parse(room_id).map_err(Error::internal)
}
