//! Taking a message away.

use ruma::{EventId as MessageName, OwnedUserId, RoomId as MatrixRoomId};
use serde_json::json;

use crate::features::chat::values::{MessageId, Reason, RoomId};
use crate::features::chat::{Chat, account_store, accounts};
use crate::features::operators::Operator;
use crate::platform::clock;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::keys;
use crate::platform::trace;

use super::actors::{find_actor, levels, or_powerless, powerless, viewers};
use super::intent_store::{IntentRow, NewIntent};
use super::power::Deed;
use super::{intents, store};

/// As the audit log calls it.
pub const ACTION: &str = "chat.redact";

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
    trace::spawn(work).await.map_err(Error::internal)?
}

async fn take_away(
    chat: &Chat,
    by: Operator,
    room: RoomId,
    message: MessageId,
    reason: Reason,
) -> Result<()> {
    let place = find_place(chat, room.as_str(), message.as_str()).await?;
    let actors = find_actors(chat, &place).await?;
    let transaction = keys::hex(&clock::random_bytes::<12>());
    let intent = NewIntent {
        room_id: place.room_id.clone(),
        action: ACTION,
        message_id: Some(message.as_str().to_owned()),
        transaction_id: Some(transaction.clone()),
        reason: reason.as_str().to_owned(),
        before: json!({"is_redacted": false}).to_string(),
        ..NewIntent::default()
    };
    let id = chat.db.write(move |tx| intents::begin(tx, &by, &intent)).await?;
    carry_through(chat, id, &place, actors, &transaction, reason.as_str()).await
}

/// Takes up what was begun before.
pub async fn take_up(chat: &Chat, id: i64, intent: &IntentRow) -> Result<()> {
    let (Some(message), Some(transaction)) = (&intent.message_id, &intent.transaction_id) else {
        return Err(Error::internal("a measure of another version"));
    };
    let place = find_place(chat, &intent.room_id, message).await?;
    let actors = find_actors(chat, &place).await?;
    carry_through(chat, id, &place, actors, transaction, &intent.reason).await
}

/// A message, by all its names.
struct Place {
    room_id: String,
    room: ruma::OwnedRoomId,
    event: ruma::OwnedEventId,
}

async fn find_place(chat: &Chat, room_id: &str, message: &str) -> Result<Place> {
    let look = room_id.to_owned();
    let find = move |tx: &mut Tx| store::find_room(tx, &look);
    chat.db.read(find).await?.ok_or(not_found!("room"))?;
    Ok(Place {
        room_id: room_id.to_owned(),
        room: MatrixRoomId::parse(room_id).map_err(|_| not_found!("room"))?,
        event: MessageName::parse(message).map_err(|_| not_found!("message"))?,
    })
}

/// Those who may take it away: whoever has the power, and whoever wrote it.
async fn find_actors(chat: &Chat, place: &Place) -> Result<Vec<OwnedUserId>> {
    let Place { room_id, room, event } = place;
    let sender = find_sender(chat, room_id, room, event).await?;
    let levels = levels(chat, room_id, room).await?;
    let able = find_actor(chat, room_id, &levels, Deed::Redact, "").await?;
    let actors: Vec<OwnedUserId> = able.into_iter().chain(sender).collect();
    if actors.is_empty() { Err(powerless()) } else { Ok(actors) }
}

async fn carry_through(
    chat: &Chat,
    id: i64,
    place: &Place,
    actors: Vec<OwnedUserId>,
    transaction: &str,
    reason: &str,
) -> Result<()> {
    let asking = async {
        let mut answer = Ok(());
        for actor in actors {
            let Place { room, event, .. } = place;
            answer = chat.matrix.redact(&actor, room, event, transaction, reason).await;
            if !answer.as_ref().is_err_and(|error| error.is(403)) {
                break;
            }
        }
        answer
    };
    match intents::carry_through(chat, id, asking).await? {
        Err(error) if error.is(404) => Err(not_found!("message")),
        answer => or_powerless(answer),
    }
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
    Err(not_found!("message"))
}
