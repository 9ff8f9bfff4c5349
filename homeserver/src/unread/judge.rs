//! Counts by a user's own push rules: each unread event is judged.

use std::ops::ControlFlow;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use ruma::events::AnySyncTimelineEvent;
use ruma::events::room::power_levels::{RoomPowerLevels, RoomPowerLevelsEventContent};
use ruma::push::{Action, PushConditionRoomCtx, Ruleset};
use ruma::serde::Raw;
use ruma::{OwnedRoomId, OwnedUserId, UInt};
use rusqlite::params;

use super::{Reader, Reads, RoomCounts, Taste};
use crate::error::{Error, Result};
use crate::rooms::append::room_rules;
use crate::rooms::format::Format;
use crate::store::events::{Event, each, get_room_id, state_content};
use crate::store::{find, tuple};

/// Unread events judged at most.
const JUDGED_MAX: i64 = 300;

pub fn judge(
    reader: &Reader<'_>,
    reads: &Reads,
    taste: &Taste,
    rules: &Ruleset,
) -> Result<RoomCounts> {
    let conn = reader.conn;
    let tail = format!(
        "WHERE e.room = ?1 AND e.seq > ?2 AND e.seq <= ?3 AND e.{}
           AND e.redacted_by IS NULL ORDER BY e.seq DESC LIMIT ?5",
        taste.others
    );
    let wanted = params![reader.room, reads.everywhere, reader.upto, taste.not_others, JUDGED_MAX];
    let context = context(reader)?;
    let format = Format { conn, now: 0, reader: None, room_id: None };
    let mut counts = RoomCounts::default();
    each(conn, &tail, wanted, |event| {
        if event.seq <= reads.of(event.thread.as_deref()) {
            return Ok(ControlFlow::Continue(()));
        }
        let actions = actions_for(rules, &format, &event, &context)?;
        let notifies = actions.iter().any(Action::should_notify);
        let highlights = actions.iter().any(Action::is_highlight);
        if notifies || highlights {
            counts.of(event.thread).add(notifies.into(), highlights.into());
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(counts)
}

fn context(reader: &Reader<'_>) -> Result<PushConditionRoomCtx> {
    let (conn, room) = (reader.conn, reader.room);
    let room_id = OwnedRoomId::try_from(get_room_id(conn, room)?).map_err(Error::internal)?;
    let user_id = OwnedUserId::try_from(reader.user).map_err(Error::internal)?;
    let sql = "SELECT r.joined, COALESCE(u.displayname, '') FROM rooms r
               LEFT JOIN users u ON u.user = ?2 WHERE r.room = ?1";
    let found = find(conn, sql, params![room, reader.user], tuple)?;
    let (joined, name): (i64, String) = found.unwrap_or_default();
    let joined = UInt::try_from(joined).unwrap_or_default();
    let mut context = PushConditionRoomCtx::new(room_id, joined, user_id, name);
    let levels = state_content(conn, room, "m.room.power_levels")?;
    // Levels that ruma does not understand let nobody call the room.
    if let Ok(levels) = serde_json::from_value::<RoomPowerLevelsEventContent>(levels) {
        let rules = room_rules()?.authorization;
        let levels = RoomPowerLevels::new(levels.into(), &rules, []);
        context.power_levels = Some(levels.into());
    }
    Ok(context)
}

fn actions_for(
    rules: &Ruleset,
    format: &Format<'_>,
    event: &Event,
    context: &PushConditionRoomCtx,
) -> Result<Vec<Action>> {
    let json = serde_json::value::to_raw_value(&format.plain(event)?)?;
    let raw: Raw<AnySyncTimelineEvent> = Raw::from_json(json);
    // Asynchronous in name only: nothing in it waits.
    let future = pin!(rules.get_actions(&raw, context));
    match future.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(actions) => Ok(actions.to_vec()),
        Poll::Pending => Ok(Vec::new()),
    }
}
