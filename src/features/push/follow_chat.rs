//! What is said to users in chat rooms becomes messages to their devices.

use serde_json::json;

use crate::features::chat::{self, AddressedRow};
use crate::platform::clock::{HOUR_MS, SECOND_MS};
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::jobs::{Next, Stop, job};

use super::message_store::{self as store, NewMessage};
use super::send::SendShard;
use super::values::Kind;

/// Taken in one transaction.
const PIECE: i64 = 200;
const MENTION_LIVES_MS: i64 = 6 * HOUR_MS;
const INVITATION_LIVES_MS: i64 = 48 * HOUR_MS;

job! {
    /// Takes up what was said to somebody since.
    pub struct FollowChat;
    kind: "push_follow_chat", lane: Push, every: SECOND_MS, run: follow(Core)
}

async fn follow(_: FollowChat, core: Core, stop: Stop) -> Result<Next> {
    // Most seconds bring nothing new; finding that out costs no write.
    while !stop.is_cancelled() && core.db.lookup(chat::has_addressed).await? {
        core.db.write(take_piece).await?;
    }
    Ok(Next::Done)
}

fn take_piece(tx: &mut Tx) -> Result<()> {
    for row in chat::take_addressed(tx, PIECE)? {
        let (kind, lives_ms) = if row.is_invitation {
            (Kind::Invitation, INVITATION_LIVES_MS)
        } else {
            (Kind::Mention, MENTION_LIVES_MS)
        };
        let (occasion, data) = (occasion(&row), data(&row));
        let expires_at = row.at.plus_ms(lives_ms);
        let new = NewMessage {
            user: row.user_id,
            kind,
            occasion: &occasion,
            data: &data,
            due_at: tx.now(),
            expires_at,
        };
        if store::insert(tx, &new)? > 0 {
            SendShard::ask_for(tx, row.user_id)?;
        }
    }
    Ok(())
}

/// A message is told once; somebody may be asked into the same room again.
fn occasion(row: &AddressedRow) -> String {
    if row.is_invitation {
        format!("invitation:{}:{}", row.room_id, row.at.as_millis())
    } else {
        format!("mention:{}", row.event_id)
    }
}

fn data(row: &AddressedRow) -> String {
    let event_id = (!row.is_invitation).then_some(&row.event_id);
    let words = json!({
        "by": row.by_name, "room": row.room_name, "text": row.said, "room_id": row.room_id, "event_id": event_id,
    });
    words.to_string()
}
