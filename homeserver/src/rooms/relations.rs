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
use crate::store::events::{Event, find_event, gather, outline};
use crate::store::{Tx, exists, find};

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
         ORDER BY e.seq {order}"
    );
    let wanted = params![parent.event_id, seen.room, after, until, rel_type, kind];
    let mut page_of = gather(look.conn, &tail, wanted, limit, |event| seen.view.can_see(event))?;
    let chunk = seen.format().page(&page_of.events)?;
    page_of.cut(chunk.len());
    let next = page_of.more.then(|| format!("t{}", page_of.reached - i64::from(!is_forward)));
    let answer = json!({"chunk": chunk});
    let before = page.from.clone().filter(|_| from.is_some());
    Ok(with(with(answer, "next_batch", next), "prev_batch", before))
}

fn threads(look: &Look<'_>, body: get_threads::v1::Request) -> Result<Value> {
    let from = position_in(body.from.as_deref())?.unwrap_or(look.upto);
    let limit = limit_of(body.limit, 10);
    let seen = look.room(&body.room_id)?;
    // A thread is as recent as its newest reply, of those that are seen.
    let tail = "JOIN (SELECT relates_to AS root, MAX(seq) AS newest FROM events
                      WHERE room = ?1 AND rel_type = 'm.thread'
                        AND sender NOT IN (SELECT value FROM json_each(?5))
                      GROUP BY relates_to) t
                ON t.root = e.event_id WHERE t.newest <= ?2
                  AND (?3 = 0 OR e.sender = ?4 OR EXISTS
                    (SELECT 1 FROM events r WHERE r.relates_to = e.event_id
                       AND r.rel_type = 'm.thread' AND r.sender = ?4))
                ORDER BY t.newest DESC";
    let participated = body.include.as_str() == "participated";
    let ignored = seen.view.ignored();
    let wanted = params![seen.room, from, participated, look.me.id(), ignored];
    let mut roots = gather(look.conn, tail, wanted, limit, |root| seen.view.can_see(root))?;
    let chunk = seen.format().page(&roots.events)?;
    roots.cut(chunk.len());
    let sql = "SELECT MAX(seq) - 1 FROM events WHERE relates_to = ?1 AND rel_type = 'm.thread'
                 AND sender NOT IN (SELECT value FROM json_each(?2))";
    let next: Option<i64> = match roots.events.last().filter(|_| roots.more) {
        Some(last) => find(look.conn, sql, [&last.event_id, &ignored], |row| row.get(0))?.flatten(),
        None => None,
    };
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
    let references = references(format, event)?;
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
    let tail = format!("{CHILDREN} AND e.sender = ?4 AND e.type = ?5 {NEWEST}");
    let same = params![event.event_id, "m.replace", event.room, event.sender, event.kind];
    let says_what = |edit: &Event| {
        edit.kind == "m.room.encrypted" || edit.content_value().get("m.new_content").is_some()
    };
    let wanted = |edit: &Event| can_see(format, edit) && says_what(edit);
    let edits = gather(format.conn, &tail, same, 1, wanted)?.events;
    let edit = edits.first().map(|edit| format.plain(edit)).transpose()?;
    Ok(edit.map(serde_json::to_value).transpose()?)
}

/// What relates to an event in one way.
const CHILDREN: &str = "WHERE e.relates_to = ?1 AND e.rel_type = ?2 AND e.room = ?3";
const NEWEST: &str = "ORDER BY e.seq DESC LIMIT 100";

fn can_see(format: &Format<'_>, event: &Event) -> bool {
    format.reader.is_none_or(|(_, view)| view.can_see(event))
}

/// The newest events that refer to this one, the oldest of them first, without their contents.
fn references(format: &Format<'_>, event: &Event) -> Result<Vec<Event>> {
    let of_event = params![event.event_id, "m.reference", event.room];
    let mut found = outline(format.conn, &format!("{CHILDREN} {NEWEST}"), of_event)?;
    found.retain(|child| can_see(format, child));
    found.reverse();
    Ok(found)
}

fn thread(format: &Format<'_>, root: &Event) -> Result<Option<Value>> {
    let ignored = format.reader.map_or_else(|| "[]".to_owned(), |(_, view)| view.ignored());
    let of_root = params![root.event_id, "m.thread", root.room, ignored];
    let tail = format!("{CHILDREN} AND e.sender NOT IN (SELECT value FROM json_each(?4)) {NEWEST}");
    let replies = gather(format.conn, &tail, of_root, 1, |reply| can_see(format, reply))?.events;
    let Some(latest) = replies.first() else { return Ok(None) };
    let sql = "SELECT COUNT(*) FROM events
               WHERE relates_to = ?1 AND rel_type = 'm.thread' AND room = ?2 AND seq <= ?3
                 AND sender NOT IN (SELECT value FROM json_each(?4))";
    let upto = params![root.event_id, root.room, latest.seq, ignored];
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
