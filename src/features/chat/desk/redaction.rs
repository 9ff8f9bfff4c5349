//! Taking a message away.

use ruma::{EventId as MessageName, OwnedUserId, RoomId as MatrixRoomId};
use serde_json::json;

use crate::features::chat::values::{MessageId, Reason, RoomId};
use crate::features::chat::{Chat, account_store, accounts};
use crate::features::operators::{self, Change, Operator};
use crate::platform::clock;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::keys;

use super::actors::{find_actor, levels, powerless, viewers};
use super::power::Deed;
use super::store;

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
