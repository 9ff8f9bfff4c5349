//! Relations between events: what is bundled with an event, and the endpoints that list them.

use std::collections::BTreeMap;

use ruma::UserId;
use ruma::api::Direction;
use ruma::api::client::relations::get_relating_events as all;
use ruma::api::client::relations::get_relating_events_with_rel_type as with_rel_type;
use ruma::api::client::relations::get_relating_events_with_rel_type_and_event_type as with_both;
use ruma::api::client::threads::get_threads;
use rusqlite::params;
use serde_json::{Map, Value, json};

use super::append::NewEvent;
use super::format::Format;
use super::read::{limit_of, position_in};
use crate::error::{Error, Result};
use crate::http::{Look, Routes, with};
use crate::store::events::{Event, find_event, query};
use crate::store::{Tx, exists, find};

/// Relations looked through for one page at most.
const CHILDREN_MAX: i64 = 1_000;

const KEY_MAX_CHARS: usize = 500;

/// What an event says it relates to, and how.
pub struct Relation {
    pub kind: String,
    pub target: String,
    /// Of a reaction: what it says.
    key: Option<String>,
}

impl Relation {
    pub fn of(content: &Value) -> Option<Self> {
        let text = |name| content.get("m.relates_to")?.get(name)?.as_str().map(str::to_owned);
        Some(Self { kind: text("rel_type")?, target: text("event_id")?, key: text("key") })
    }
}

pub fn routes(routes: Routes) -> Routes {
    routes
        .look(|look, body: all::v1::Request| relating(look, &body, None, None))
        .look(|look, body: with_rel_type::v1::Request| {
            let mut page = all::v1::Request::new(body.room_id, body.event_id);
            (page.from, page.to, page.limit, page.dir) = (body.from, body.to, body.limit, body.dir);
            relating(look, &page, Some(body.rel_type.to_string()), None)
        })
        .look(|look, body: with_both::v1::Request| {
            let mut page = all::v1::Request::new(body.room_id, body.event_id);
            (page.from, page.to, page.limit, page.dir) = (body.from, body.to, body.limit, body.dir);
            let (rel_type, kind) = (body.rel_type.to_string(), body.event_type.to_string());
            relating(look, &page, Some(rel_type), Some(kind))
        })
        .look(threads)
}

/// Refuses a new event whose relation makes no sense.
pub fn check(tx: &Tx<'_>, room: i64, sender: &UserId, new: &NewEvent) -> Result<()> {
    let Some(relation) = Relation::of(&new.content) else { return Ok(()) };
    let refuse = |text| Err(Error::bad_request("M_UNKNOWN", text));
    let target = find_event(tx.conn, &relation.target)?.filter(|target| target.room == room);
    let Some(target) = target else { return refuse("There is no such event in this room") };
    match (relation.kind.as_str(), &relation.key) {
        ("m.thread", _) if Relation::of(&target.content_value()).is_some() => {
            refuse("Cannot start threads from an event with a relation")
        }
        ("m.annotation", Some(key)) if key.chars().count() <= KEY_MAX_CHARS => {
            let sql = "SELECT 1 FROM events INDEXED BY events_annotations
                       WHERE relates_to = ?1 AND sender = ?2 AND rel_type = 'm.annotation'
                         AND type = ?3 AND json_extract(content, '$.\"m.relates_to\".key') = ?4";
            let same = params![relation.target, sender.as_str(), new.kind, key];
            if exists(tx.conn, sql, same)? {
                let text = "Can't send same reaction twice";
                return Err(Error::bad_request("M_DUPLICATE_ANNOTATION", text));
            }
            Ok(())
        }
        ("m.annotation", _) => refuse("A reaction has a key of at most 500 characters"),
        _ => Ok(()),
    }
}

fn relating(
    look: &Look<'_>,
    page: &all::v1::Request,
    rel_type: Option<String>,
    kind: Option<String>,
) -> Result<Value> {
    let from = position_in(page.from.as_deref())?;
    let to = position_in(page.to.as_deref())?;
    let (limit, is_forward) = (limit_of(page.limit, 5), page.dir == Direction::Forward);
    let seen = look.room(&page.room_id)?;
    let unknown = |_| Error::not_found("Unknown parent event.");
    let parent = seen.event(&page.event_id).map_err(unknown)?;
    let (after, until) = if is_forward {
        (from.unwrap_or(0), to.unwrap_or(look.upto))
    } else {
        (to.unwrap_or(0), from.unwrap_or(look.upto))
    };
    let order = if is_forward { "ASC" } else { "DESC" };
    let tail = format!(
        "WHERE e.relates_to = ?1 AND e.room = ?2 AND e.seq > ?3 AND e.seq <= ?4
           AND (?5 IS NULL OR e.rel_type = ?5) AND (?6 IS NULL OR e.type = ?6)
         ORDER BY e.seq {order} LIMIT {CHILDREN_MAX}"
    );
    let wanted = params![parent.event_id, seen.room, after, until, rel_type, kind];
    let mut children = query(look.conn, &tail, wanted)?;
    children.retain(|event| seen.view.can_see(event));
    let more = children.len() > limit;
    children.truncate(limit);
    let last = children.last().filter(|_| more);
    let next = last.map(|event| format!("t{}", event.seq - i64::from(!is_forward)));
    let answer = json!({"chunk": seen.format().events(&children)?});
    let before = page.from.clone().filter(|_| from.is_some());
    Ok(with(with(answer, "next_batch", next), "prev_batch", before))
}

fn threads(look: &Look<'_>, body: get_threads::v1::Request) -> Result<Value> {
    let from = position_in(body.from.as_deref())?.unwrap_or(look.upto);
    let limit = limit_of(body.limit, 10);
    let seen = look.room(&body.room_id)?;
    // A thread is as recent as its newest reply.
    let tail = "JOIN (SELECT relates_to AS root, MAX(seq) AS newest FROM events
                      WHERE room = ?1 AND rel_type = 'm.thread' GROUP BY relates_to) t
                ON t.root = e.event_id WHERE t.newest <= ?2
                ORDER BY t.newest DESC LIMIT ?3";
    let rows = i64::try_from(limit).unwrap_or(100) + 1;
    let mut roots = query(look.conn, tail, params![seen.room, from, rows])?;
    let more = roots.len() > limit;
    roots.truncate(limit);
    let sql = "SELECT MAX(seq) - 1 FROM events WHERE relates_to = ?1 AND rel_type = 'm.thread'";
    let next: Option<i64> = match roots.last().filter(|_| more) {
        Some(last) => find(look.conn, sql, [&last.event_id], |row| row.get(0))?.flatten(),
        None => None,
    };
    let participated = body.include.as_str() == "participated";
    let (format, mut chunk) = (seen.format(), Vec::new());
    for root in roots.iter().filter(|root| seen.view.can_see(root)) {
        if !participated || took_part(&format, root)? {
            chunk.push(format.event(root)?);
        }
    }
    Ok(with(json!({"chunk": chunk}), "next_batch", next.map(|next| format!("t{next}"))))
}

/// What is told with an event itself: its latest edit, its thread, its references. Of all of them
/// only what the reader may see.
pub fn bundle(format: &Format<'_>, event: &Event) -> Result<Map<String, Value>> {
    let mut bundled = Map::new();
    bundled.extend(thread(format, event)?.map(|thread| ("m.thread".to_owned(), thread)));
    // A thread outlives its root.
    if event.redacted_by.is_some() {
        return Ok(bundled);
    }
    // Nothing can be said about a reaction or an edit: that would be an edit of an edit.
    let own = Relation::of(&event.content_value());
    if own.is_some_and(|own| ["m.annotation", "m.replace"].contains(&own.kind.as_str())) {
        return Ok(bundled);
    }
    bundled.extend(latest_edit(format, event)?.map(|edit| ("m.replace".to_owned(), edit)));
    let mut references = children(format, event, "m.reference")?;
    references.reverse();
    if !references.is_empty() {
        let ids: Vec<_> = references
            .iter()
            .map(|child| BTreeMap::from([("event_id", &child.event_id)]))
            .collect();
        bundled.insert("m.reference".to_owned(), json!({"chunk": ids}));
    }
    Ok(bundled)
}

fn latest_edit(format: &Format<'_>, event: &Event) -> Result<Option<Value>> {
    let mut edits = children(format, event, "m.replace")?;
    let has_content = |edit: &Event| {
        edit.kind == "m.room.encrypted" || edit.content_value().get("m.new_content").is_some()
    };
    edits
        .retain(|edit| edit.sender == event.sender && edit.kind == event.kind && has_content(edit));
    let edit = edits.first().map(|edit| format.plain(edit)).transpose()?;
    Ok(edit.map(serde_json::to_value).transpose()?)
}

/// The newest visible events that relate to `event` in one way, newest first.
fn children(format: &Format<'_>, event: &Event, rel_type: &str) -> Result<Vec<Event>> {
    let tail = "WHERE e.relates_to = ?1 AND e.rel_type = ?2 AND e.room = ?3
                ORDER BY e.seq DESC LIMIT 100";
    let mut found = query(format.conn, tail, params![event.event_id, rel_type, event.room])?;
    found.retain(|child| format.reader.is_none_or(|(_, view)| view.can_see(child)));
    Ok(found)
}

fn thread(format: &Format<'_>, root: &Event) -> Result<Option<Value>> {
    let replies = children(format, root, "m.thread")?;
    let Some(latest) = replies.first() else { return Ok(None) };
    let sql = "SELECT COUNT(*) FROM events
               WHERE relates_to = ?1 AND rel_type = 'm.thread' AND room = ?2 AND seq <= ?3";
    let upto = params![root.event_id, root.room, latest.seq];
    let count: Option<i64> = find(format.conn, sql, upto, |row| row.get(0))?;
    let mut newest = serde_json::to_value(format.plain(latest)?)?;
    // Only its edit: a reply may itself have a thread, and that one's newest reply another.
    if let Some(edit) = latest_edit(format, latest)?
        && let Some(unsigned) = newest.get_mut("unsigned").and_then(Value::as_object_mut)
    {
        unsigned.insert("m.relations".to_owned(), json!({"m.replace": edit}));
    }
    Ok(Some(json!({
        "latest_event": newest, "count": count.unwrap_or(0),
        "current_user_participated": took_part(format, root)?,
    })))
}

fn took_part(format: &Format<'_>, root: &Event) -> Result<bool> {
    let Some((caller, _)) = format.reader else { return Ok(false) };
    if root.sender == caller.id() {
        return Ok(true);
    }
    let sql = "SELECT 1 FROM events
               WHERE relates_to = ?1 AND rel_type = 'm.thread' AND sender = ?2 LIMIT 1";
    exists(format.conn, sql, params![root.event_id, caller.id()])
}
