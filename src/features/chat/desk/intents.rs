//! What moderators asked for is written down before the network is asked to do it, and carried to its end whatever happens meanwhile.

use std::sync::Arc;

use ruma::RoomId as MatrixRoomId;
use serde_json::{Value, json};

use crate::adapters::matrix;
use crate::features::chat::Chat;
use crate::features::chat::room_turns::{RoomTurn, in_turn};
use crate::features::chat::values::RoomId;
use crate::features::operators::{self, Change, Operator};
use crate::features::users::{self, Hold};
use crate::platform::clock::MINUTE_MS;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::jobs::{self, Next, Stop, job};

use super::intent_store::{self, IntentRow, NewIntent};
use super::later::EndMute;
use super::measures::{self, Measure};
use super::{redaction, store};

/// Longer than whoever asked the network waits for its answer.
const LEFT_AFTER_MS: i64 = MINUTE_MS;

/// Writes down what the network is about to be asked for. What was left of an older wish about the same is not tried again.
pub fn begin(tx: &mut Tx, by: &Operator, new: &NewIntent) -> Result<i64> {
    if let Some(user) = new.user_id {
        // Held: somebody who leaves in this moment leaves no row behind.
        users::hold(tx, &[user], Hold::Share)?;
        users::get(tx, user)?;
        for id in
            intent_store::list_left(tx, &new.room_id, user, measures::same_subject(new.action))?
        {
            give_up(tx, id)?;
        }
    }
    let id = intent_store::insert(tx, by, new)?;
    let at = tx.now().plus_ms(LEFT_AFTER_MS);
    jobs::ask_at(tx, &FinishMeasure { id }, at)?;
    Ok(id)
}

/// It is done: the list and the log say so. Nothing is left to say where another has done so, or the user is gone.
pub fn complete(tx: &mut Tx, id: i64) -> Result<()> {
    let Some(intent) = intent_store::delete(tx, id)? else { return Ok(()) };
    if let (Some(user), Some(measure)) = (intent.user_id, measure_of(&intent)) {
        let room_id = intent.room_id.as_str();
        match measure {
            Measure::Mute { until } => {
                let by = (intent.reason.as_str(), intent.operator.as_str());
                store::upsert_mute(tx, room_id, user, until, by)?;
                if let Some(end) = until {
                    let job = EndMute { room_id: room_id.to_owned(), user_id: user };
                    jobs::ask_at(tx, &job, end)?;
                }
            }
            Measure::Unmute => store::delete_mute(tx, room_id, user).map(drop)?,
            Measure::Remove | Measure::Ban | Measure::Unban => {}
        }
    }
    note(tx, &intent, &json!({}))
}

/// The network refused it, and whoever asked is told so.
fn refuse(tx: &mut Tx, id: i64) -> Result<()> {
    intent_store::delete(tx, id).map(drop)
}

/// Nobody will know whether it was done before the process that asked for it died: the log says so much.
fn give_up(tx: &mut Tx, id: i64) -> Result<()> {
    let Some(intent) = intent_store::delete(tx, id)? else { return Ok(()) };
    note(tx, &intent, &json!({"is_confirmed": false}))
}

fn measure_of(intent: &IntentRow) -> Option<Measure> {
    Measure::of_action(&intent.action, intent.muted_until)
}

fn note(tx: &mut Tx, intent: &IntentRow, more: &Value) -> Result<()> {
    let by = Operator {
        id: intent.operator_id,
        name: intent.operator.clone(),
        role: intent.operator_role,
    };
    let before = serde_json::from_str(&intent.before).unwrap_or_default();
    let (action, subject, mut detail, after) = match (intent.user_id, measure_of(intent)) {
        (Some(user), Some(measure)) => (
            measure.action(),
            format!("user {}", user.0),
            json!({"room_id": intent.room_id, "reason": intent.reason}),
            measure.after(),
        ),
        _ => (
            redaction::ACTION,
            format!("room {}", intent.room_id),
            json!({"message_id": intent.message_id, "reason": intent.reason}),
            json!({"is_redacted": true}),
        ),
    };
    if let (Some(detail), Some(more)) = (detail.as_object_mut(), more.as_object()) {
        detail.extend(more.clone());
    }
    operators::audit_change(tx, &by, action, &subject, &detail, &Change { before, after })
}

/// Asks the network for what is written down, and writes down what came of it. An answer that does not come leaves it as it is: the
/// network may have done it, so it is taken up again. Answers what the network said to it.
pub async fn carry_through(
    chat: &Chat,
    id: i64,
    asking: impl Future<Output = matrix::Result<()>>,
) -> Result<matrix::Result<()>> {
    let answer = asking.await;
    match &answer {
        Ok(()) => chat.db.write(move |tx| complete(tx, id)).await?,
        Err(matrix::Error::Away(_)) => {}
        Err(matrix::Error::Refused { .. }) => chat.db.write(move |tx| refuse(tx, id)).await?,
    }
    Ok(answer)
}

job! {
    /// Takes up what a process that died, or a homeserver that did not answer, left half done.
    pub struct FinishMeasure { id: i64 }
    kind: "chat_finish_measure", lane: Chat, key: id, run: finish(Chat)
}

async fn finish(job: FinishMeasure, chat: Chat, _: Stop) -> Result<Next> {
    let id = job.id;
    let Some(intent) = chat.db.read(move |tx| intent_store::find(tx, id)).await? else {
        return Ok(Next::Done);
    };
    let done = match intent.user_id {
        Some(_) => {
            let room = MatrixRoomId::parse(&intent.room_id).map_err(Error::internal)?;
            in_turn(&chat, &room, |turn| finish_in_turn(&chat, turn, id)).await
        }
        None => redaction::take_up(&chat, id, &intent).await,
    };
    match done {
        Ok(()) => {}
        // The room, the account or the message is gone, or nobody in the room has the power any more.
        Err(Error::NotFound(_) | Error::Conflict { .. }) => {
            chat.db.write(move |tx| give_up(tx, id)).await?;
        }
        Err(error) => return Err(error),
    }
    Ok(Next::Done)
}

async fn finish_in_turn(chat: &Chat, turn: Arc<RoomTurn>, id: i64) -> Result<()> {
    // Read again: while this waited for its turn a moderator may have decided otherwise.
    let Some(intent) = chat.db.read(move |tx| intent_store::find(tx, id)).await? else {
        return Ok(());
    };
    let (Some(user), Some(measure)) = (intent.user_id, measure_of(&intent)) else {
        return Err(Error::internal("a measure of another version"));
    };
    let room = RoomId::parse(&intent.room_id).ok_or_else(|| Error::internal("no room's id"))?;
    let target = measures::find_target(chat, &room, user).await?;
    measures::do_now(chat, &turn, &target, measure, &intent.reason).await?;
    chat.db.write(move |tx| complete(tx, id)).await
}
