//! Through whom the service sees a room and acts in it.

use ruma::{OwnedUserId, RoomId as MatrixRoomId};

use crate::adapters::matrix;
use crate::features::chat::room_turns::POWER_LEVELS;
use crate::features::chat::{Chat, accounts, member_store};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};

use super::power::{Deed, Levels};
use super::store;

/// Members through whose eyes a room is looked at, besides the bot.
const VIEWERS: i64 = 3;

/// Members through whose eyes a room is looked at, and the bot.
pub async fn viewers(chat: &Chat, room_id: &str) -> Result<Vec<OwnedUserId>> {
    let look = room_id.to_owned();
    let viewers = chat.db.read(move |tx| member_store::list_viewers(tx, &look, VIEWERS)).await?;
    let mut viewers =
        viewers.iter().map(|viewer| accounts::parse(viewer)).collect::<Result<Vec<_>>>()?;
    viewers.push(chat.matrix.bot().to_owned());
    Ok(viewers)
}

/// The levels of a room, as one of its members sees them.
pub async fn levels(chat: &Chat, room_id: &str, room: &MatrixRoomId) -> Result<Levels> {
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
pub async fn find_actor(
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

pub const fn powerless() -> Error {
    Error::Conflict {
        code: "nobody_has_the_power",
        message: text!(
            "Nobody of this service has more power in this room than this member. Ban the user instead."
        ),
    }
}

/// The homeserver knows better who has the power: whoever had it may have left in this moment.
pub fn or_powerless<T>(answer: matrix::Result<T>) -> Result<T> {
    match answer {
        Err(error) if error.is(403) => Err(powerless()),
        answer => Ok(answer?),
    }
}
