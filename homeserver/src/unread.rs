//! Unread counts: what a user has not read, by the default rules or by their own.
//!
//! With the default rules the answer is a count over an index, remembered so that only news is
//! counted. A user with rules of their own has each unread event judged by ruma's push rules.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::pin::pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

use ruma::events::AnySyncTimelineEvent;
use ruma::push::{Action, PushConditionRoomCtx, Ruleset};
use ruma::serde::Raw;
use ruma::{OwnedRoomId, OwnedUserId, UInt};
use rusqlite::{Connection, params};
use serde::Serialize;

use crate::accounts::push_rules;
use crate::error::{Error, Result};
use crate::live::lock;
use crate::rooms::format::Format;
use crate::store::events::{Event, each, get_room_id};
use crate::store::{find, tuple};

const REMEMBERED_MAX: usize = 20_000;
/// Unread events judged by a user's own rules at most.
const JUDGED_MAX: i64 = 300;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub notification_count: i64,
    pub highlight_count: i64,
}

/// Unread events in `(read, upto]`.
#[derive(Clone, Copy)]
struct Remembered {
    read: i64,
    upto: i64,
    count: i64,
}

#[derive(Default)]
pub struct Unread {
    /// By user and room.
    remembered: Mutex<HashMap<(String, i64), Remembered>>,
}

impl Unread {
    /// Counts what `user` has not read in `room`; they joined at `joined_at`.
    pub fn count(
        &self,
        conn: &Connection,
        user: &str,
        room: i64,
        joined_at: i64,
        upto: i64,
    ) -> Result<Counts> {
        let sql = "SELECT MAX(event_seq) FROM receipts WHERE room = ?1 AND user = ?2
                   AND kind IN ('m.read', 'm.read.private') AND thread IN ('', 'main')";
        let read: Option<i64> = find(conn, sql, params![room, user], |row| row.get(0))?.flatten();
        let read = read.unwrap_or(0).max(joined_at);
        if let Some(rules) = push_rules::find_own(conn, user)? {
            return judge(conn, &rules, user, room, (read, upto));
        }
        // A mention in an edit counts although the edit itself would not.
        let sql = "SELECT COUNT(*), COALESCE(SUM(e.notify = 0), 0), COALESCE(SUM(e.notify = 2), 0)
                   FROM highlights h JOIN events e ON e.seq = h.seq
                   WHERE h.user = ?1 AND h.room = ?2 AND h.seq > ?3 AND h.seq <= ?4";
        let named = find(conn, sql, params![user, room, read, upto], tuple)?;
        let (named, named_silently, named_twice): (i64, i64, i64) = named.unwrap_or_default();
        let sql = "SELECT COUNT(*) FROM events INDEXED BY events_notify_all
                   WHERE room = ?1 AND seq > ?2 AND seq <= ?3 AND sender <> ?4 AND notify = 2";
        let all: Option<i64> = find(conn, sql, params![room, read, upto, user], |row| row.get(0))?;
        Ok(Counts {
            notification_count: self.count_new(conn, user, room, read, upto)? + named_silently,
            highlight_count: named + all.unwrap_or(0) - named_twice,
        })
    }

    fn count_new(
        &self,
        conn: &Connection,
        user: &str,
        room: i64,
        read: i64,
        upto: i64,
    ) -> Result<i64> {
        let key = (user.to_owned(), room);
        let before = lock(&self.remembered).get(&key).copied();
        let (from, count) = match before {
            Some(then) if then.read == read && then.upto <= upto => (then.upto, then.count),
            _ => (read, 0),
        };
        let sql = "SELECT COUNT(*) FROM events INDEXED BY events_notify
                   WHERE room = ?1 AND seq > ?2 AND seq <= ?3 AND sender <> ?4 AND notify > 0";
        let new: Option<i64> = find(conn, sql, params![room, from, upto, user], |row| row.get(0))?;
        let count = count + new.unwrap_or(0);
        let mut remembered = lock(&self.remembered);
        if remembered.len() >= REMEMBERED_MAX {
            remembered.clear();
        }
        remembered.insert(key, Remembered { read, upto, count });
        Ok(count)
    }

    /// Counts afresh: a redaction takes from what was counted.
    pub fn forget_all(&self) {
        lock(&self.remembered).clear();
    }
}

fn judge(
    conn: &Connection,
    rules: &Ruleset,
    user: &str,
    room: i64,
    (read, upto): (i64, i64),
) -> Result<Counts> {
    let tail = "WHERE e.room = ?1 AND e.seq > ?2 AND e.seq <= ?3 AND e.sender <> ?4
                  AND e.redacted_by IS NULL ORDER BY e.seq DESC LIMIT ?5";
    let context = context(conn, user, room)?;
    let format = Format { conn, now: 0, reader: None, room_id: None };
    let mut counts = Counts::default();
    each(conn, tail, params![room, read, upto, user, JUDGED_MAX], |event| {
        let actions = actions_for(rules, &format, &event, &context)?;
        counts.notification_count += i64::from(actions.iter().any(Action::should_notify));
        counts.highlight_count += i64::from(actions.iter().any(Action::is_highlight));
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(counts)
}

fn context(conn: &Connection, user: &str, room: i64) -> Result<PushConditionRoomCtx> {
    let room_id = OwnedRoomId::try_from(get_room_id(conn, room)?).map_err(Error::internal)?;
    let user_id = OwnedUserId::try_from(user).map_err(Error::internal)?;
    let sql = "SELECT r.joined, COALESCE(u.displayname, '') FROM rooms r
               LEFT JOIN users u ON u.user = ?2 WHERE r.room = ?1";
    let found = find(conn, sql, params![room, user], tuple)?;
    let (joined, name): (i64, String) = found.unwrap_or_default();
    let joined = UInt::try_from(joined).unwrap_or_default();
    Ok(PushConditionRoomCtx::new(room_id, joined, user_id, name))
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
