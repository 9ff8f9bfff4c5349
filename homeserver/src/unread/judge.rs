//! Events judged one by one: counts by a user's own push rules, and what a device is told of.

use std::ops::ControlFlow;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use ruma::events::AnySyncTimelineEvent;
use ruma::events::room::power_levels::{RoomPowerLevels, RoomPowerLevelsEventContent};
use ruma::push::{Action, PushConditionRoomCtx, Ruleset};
use ruma::serde::Raw;
use ruma::{OwnedRoomId, OwnedUserId, UInt};
use rusqlite::params;
use serde_json::{Map, Value};

use super::{Reader, Reads, RoomCounts, Taste};
use crate::error::{Error, Result};
use crate::rooms::append::room_rules;
use crate::rooms::format::Format;
use crate::store::events::{Event, each, get_room_id, state_content};
use crate::store::{exists, find, tuple};

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
        let rule = rule_for(rules, &format, &event, &context)?;
        let actions = rule.map_or_else(Vec::new, |(_, actions)| actions);
        let notifies = actions.iter().any(Action::should_notify);
        let highlights = actions.iter().any(Action::is_highlight);
        if notifies || highlights {
            counts.of(event.thread).add(notifies.into(), highlights.into());
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(counts)
}

/// Unread events looked at in search of one that is pushed.
const SEARCHED_MAX: i64 = 50;
/// The default rule by which every message of a room is told.
const EVERY_MESSAGE: &str = ".m.rule.message";

/// The newest unread event after `after` of which somebody is to be told, by its position, with how; in a large room not by the
/// default rule that tells of every message.
pub fn newest_to_push(
    reader: &Reader<'_>,
    after: i64,
    is_large: bool,
) -> Result<Option<(i64, Value)>> {
    let (reads, taste) = (Reads::load(reader)?, Taste::load(reader)?);
    let (conn, from) = (reader.conn, reads.everywhere.max(after));
    if is_large && taste.rules.is_none() && !is_called(reader, from)? {
        return Ok(None);
    }
    let user = OwnedUserId::try_from(reader.user).map_err(Error::internal)?;
    let rules = taste.rules.clone().unwrap_or_else(|| Ruleset::server_default(&user));
    let tail = format!(
        "WHERE e.room = ?1 AND e.seq > ?2 AND e.seq <= ?3 AND e.{}
           AND e.redacted_by IS NULL ORDER BY e.seq DESC LIMIT ?5",
        taste.others
    );
    let wanted = params![reader.room, from, reader.upto, taste.not_others, SEARCHED_MAX];
    let context = context(reader)?;
    let format = Format { conn, now: 0, reader: None, room_id: None };
    let mut found = None;
    each(conn, &tail, wanted, |event| {
        if event.seq <= reads.of(event.thread.as_deref()) {
            return Ok(ControlFlow::Continue(()));
        }
        let Some((rule, actions)) = rule_for(&rules, &format, &event, &context)? else {
            return Ok(ControlFlow::Continue(()));
        };
        let is_passed_over = is_large && rule == EVERY_MESSAGE;
        if is_passed_over || !actions.iter().any(Action::should_notify) {
            return Ok(ControlFlow::Continue(()));
        }
        found = Some((event.seq, tweaks(&actions)?));
        Ok(ControlFlow::Break(()))
    })?;
    Ok(found)
}

/// Whether anything after this position is said to somebody by name, or to everybody.
fn is_called(reader: &Reader<'_>, after: i64) -> Result<bool> {
    let sql = "SELECT 1 FROM highlights WHERE user = ?1 AND room = ?2 AND seq > ?3 LIMIT 1";
    let range = params![reader.user, reader.room, after];
    if exists(reader.conn, sql, range)? {
        return Ok(true);
    }
    let sql = "SELECT 1 FROM events INDEXED BY events_notify_all
               WHERE room = ?1 AND seq > ?2 AND notify = 2 LIMIT 1";
    exists(reader.conn, sql, params![reader.room, after])
}

/// How somebody wants to be told, as a gateway is told it.
fn tweaks(actions: &[Action]) -> Result<Value> {
    let mut all = Map::new();
    for action in actions {
        let Value::Object(action) = serde_json::to_value(action)? else { continue };
        if let Some(name) = action.get("set_tweak").and_then(Value::as_str) {
            let value = action.get("value").cloned().unwrap_or(Value::Bool(true));
            all.insert(name.to_owned(), value);
        }
    }
    Ok(all.into())
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

/// The rule that an event falls under, and what it wants done.
fn rule_for(
    rules: &Ruleset,
    format: &Format<'_>,
    event: &Event,
    context: &PushConditionRoomCtx,
) -> Result<Option<(String, Vec<Action>)>> {
    let json = serde_json::value::to_raw_value(&format.plain(event)?)?;
    let raw: Raw<AnySyncTimelineEvent> = Raw::from_json(json);
    // Asynchronous in name only: nothing in it waits.
    let future = pin!(rules.get_match(&raw, context));
    match future.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(rule) => {
            Ok(rule.map(|rule| (rule.rule_id().to_owned(), rule.actions().to_vec())))
        }
        Poll::Pending => Ok(None),
    }
}
