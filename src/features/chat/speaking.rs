//! What simulated fans say. The service speaks for nobody else: people speak with their own devices.

use crate::features::chat::Chat;
use crate::features::users::{self, UserId};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};

use super::accounts;
use super::member_store::{self, Membership};

/// Has a simulated fan say something in a public room, which they join if they are not in it. The same transaction twice says it
/// once.
pub async fn say(
    chat: &Chat,
    user: UserId,
    room_id: &str,
    transaction: &str,
    text: &str,
) -> Result<()> {
    let room = ruma::RoomId::parse(room_id).map_err(|_| not_found!("room"))?;
    let look = room_id.to_owned();
    let look = move |tx: &mut Tx| {
        let membership = member_store::find_membership_of(tx, &look, user)?;
        Ok((users::get(tx, user)?, membership))
    };
    let (row, membership) = chat.db.read(look).await?;
    if !row.is_simulated() {
        return Err(Error::internal("the service speaks for no person"));
    }
    let account = accounts::provide(chat, user).await?;
    if membership != Some(Membership::Join) {
        chat.matrix.join(&account, &room).await?;
    }
    Ok(chat.matrix.send_text(&account, &room, transaction, text).await?)
}
