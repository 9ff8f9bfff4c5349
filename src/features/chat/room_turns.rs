//! A room's turn: whoever changes its power levels, or deals with one of its members for a moderator, has it alone on all nodes.
//!
//! Levels are written as a whole, so whoever writes them must have read them after everybody before. What is done in a turn ends
//! before the turn does, by a limit; a process that dies keeps a room for the rest of its turn and no longer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ruma::{OwnedRoomId, RoomId as MatrixRoomId, UserId as MatrixId};
use serde_json::Value;

use crate::adapters::matrix;
use crate::features::chat::Chat;
use crate::platform::clock::{self, SECOND_MS};
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::keys;

use super::room_turn_store as store;

pub const POWER_LEVELS: &str = "m.room.power_levels";
const TURN_MS: i64 = 30 * SECOND_MS;
/// Shorter than a turn, by more than it takes a homeserver to do what nobody waits for any more.
const LONGEST_WORK: Duration = Duration::from_secs(20);
const TURN_POLLS: u32 = 160;
const TURN_PAUSE: Duration = Duration::from_millis(50);

/// A room that nobody else changes the levels of.
pub struct RoomTurn {
    chat: Chat,
    room: OwnedRoomId,
    holder: String,
    /// A change was asked for and not answered: it may still come.
    is_unsure: AtomicBool,
}

/// Does something in a room's turn. While others have it this waits for some seconds, and chat is then unavailable.
pub async fn in_turn<T, F>(
    chat: &Chat,
    room: &MatrixRoomId,
    work: impl FnOnce(Arc<RoomTurn>) -> F,
) -> Result<T>
where
    F: Future<Output = Result<T>>,
{
    let turn = Arc::new(take(chat, room).await?);
    let outcome = tokio::time::timeout(LONGEST_WORK, work(turn.clone())).await;
    // A change that may still come would undo what others do before it: the turn then lasts as long as turns last.
    if !turn.is_unsure.load(Ordering::Acquire) {
        turn.end().await;
    }
    outcome.unwrap_or_else(|_| Err(matrix::unavailable()))
}

async fn take(chat: &Chat, room: &MatrixRoomId) -> Result<RoomTurn> {
    let holder = keys::hex(&clock::random_bytes::<12>());
    for _ in 0..TURN_POLLS {
        let (room_id, name) = (room.to_string(), holder.clone());
        let take = move |tx: &mut Tx| {
            let until = tx.now().plus_ms(TURN_MS);
            store::take(tx, &room_id, &name, until)
        };
        if chat.db.write(take).await? {
            let (chat, room) = (chat.clone(), room.to_owned());
            return Ok(RoomTurn { chat, room, holder, is_unsure: AtomicBool::new(false) });
        }
        tokio::time::sleep(TURN_PAUSE).await;
    }
    Err(matrix::unavailable())
}

impl RoomTurn {
    pub async fn find_levels(&self, by: &MatrixId) -> matrix::Result<Option<Value>> {
        self.chat.matrix.find_state(by, &self.room, POWER_LEVELS).await
    }

    pub async fn set_levels(&self, by: &MatrixId, levels: &Value) -> matrix::Result<()> {
        self.is_unsure.store(true, Ordering::Release);
        let answer = self.chat.matrix.set_state(by, &self.room, POWER_LEVELS, levels).await;
        let is_unsure = matches!(answer, Err(matrix::Error::Away(_)));
        self.is_unsure.store(is_unsure, Ordering::Release);
        answer
    }

    async fn end(&self) {
        let (room_id, holder) = (self.room.to_string(), self.holder.clone());
        let ended = self.chat.db.write(move |tx| store::end(tx, &room_id, &holder)).await;
        if let Err(error) = ended {
            tracing::warn!(error = %error, "a room's turn could not be ended; it ends by itself");
        }
    }
}
