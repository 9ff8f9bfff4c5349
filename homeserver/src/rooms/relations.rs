//! Relations between events: what is bundled with an event, and the endpoints that list them.

use std::collections::BTreeMap;

use ruma::api::Direction;
use ruma::api::client::relations::get_relating_events as all;
use ruma::api::client::relations::get_relating_events_with_rel_type as with_rel_type;
use ruma::api::client::relations::get_relating_events_with_rel_type_and_event_type as with_both;
use ruma::api::client::threads::get_threads;
use rusqlite::params;
use serde_json::{Map, Value, json};

use super::format::Format;
use super::read::{limit_of, position_of};
use crate::error::{Error, Result};
use crate::http::{Look, Routes, with};
use crate::store::events::{Event, gather, outline};
use crate::store::{exists, find};

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

fn relating(
    look: &Look<'_>,
    page: &all::v1::Request,
    rel_type: Option<String>,
    kind: Option<String>,
) -> Result<Value> {
    let from = page.from.as_deref().map(position_of).transpose()?;
    let to = page.to.as_deref().map(position_of).transpose()?;
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
    Ok(with(with(answer, "next_batch", next), "prev_batch", page.from.clone()))
}

fn threads(look: &Look<'_>, body: get_threads::v1::Request) -> Result<Value> {
    let from = body.from.as_deref().map(position_of).transpose()?.unwrap_or(look.upto);
    let limit = limit_of(body.limit, 10);
    let seen = look.room(&body.room_id)?;
    // A thread is as recent as its newest reply.
    let tail = "JOIN (SELECT relates_to AS root, MAX(seq) AS newest FROM events
                      WHERE room = ?1 AND rel_type = 'm.thread' GROUP BY relates_to) t
                ON t.root = e.event_id WHERE t.newest <= ?2
                  AND (?3 = 0 OR e.sender = ?4 OR EXISTS
                    (SELECT 1 FROM events r WHERE r.relates_to = e.event_id
                       AND r.rel_type = 'm.thread' AND r.sender = ?4))
                ORDER BY t.newest DESC";
    let participated = body.include.as_str() == "participated";
    let wanted = params![seen.room, from, participated, look.me.id()];
    let mut roots = gather(look.conn, tail, wanted, limit, |root| seen.view.can_see(root))?;
    let chunk = seen.format().page(&roots.events)?;
    roots.cut(chunk.len());
    let sql = "SELECT MAX(seq) - 1 FROM events WHERE relates_to = ?1 AND rel_type = 'm.thread'";
    let next: Option<i64> = match roots.events.last().filter(|_| roots.more) {
        Some(last) => find(look.conn, sql, [&last.event_id], |row| row.get(0))?.flatten(),
        None => None,
    };
    Ok(with(json!({"chunk": chunk}), "next_batch", next.map(|next| format!("t{next}"))))
}

/// What is told with an event itself: its latest edit, its thread, its references. Of all of them
/// only what the reader may see.
pub fn bundle(format: &Format<'_>, event: &Event) -> Result<Map<String, Value>> {
    let mut bundled = Map::new();
    bundled.extend(latest_edit(format, event)?.map(|edit| ("m.replace".to_owned(), edit)));
    let references = references(format, event)?;
    if !references.is_empty() {
        let ids: Vec<_> = references
            .iter()
            .map(|child| BTreeMap::from([("event_id", &child.event_id)]))
            .collect();
        bundled.insert("m.reference".to_owned(), json!({"chunk": ids}));
    }
    if let Some(thread) = thread(format, event)? {
        bundled.insert("m.thread".to_owned(), thread);
    }
    Ok(bundled)
}

fn latest_edit(format: &Format<'_>, event: &Event) -> Result<Option<Value>> {
    let tail = format!("{CHILDREN} AND e.sender = ?4 AND e.type = ?5 {NEWEST}");
    let same = params![event.event_id, "m.replace", event.room, event.sender, event.kind];
    let edits = gather(format.conn, &tail, same, 1, |edit| can_see(format, edit))?.events;
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
    let of_root = params![root.event_id, "m.thread", root.room];
    let tail = format!("{CHILDREN} {NEWEST}");
    let replies = gather(format.conn, &tail, of_root, 1, |reply| can_see(format, reply))?.events;
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
