//! Relations between events: what is bundled with an event, and the endpoints that list them.

use std::collections::BTreeMap;

use ruma::RoomId;
use ruma::api::Direction as Dir;
use ruma::api::client::relations::{
    get_relating_events, get_relating_events_with_rel_type as with_rel_type,
    get_relating_events_with_rel_type_and_event_type as with_both,
};
use ruma::api::client::threads::get_threads;
use rusqlite::params;
use serde_json::{Map, Value, json};

use super::format::Format;
use super::read::{limit_of, position_of, room_view};
use crate::error::{Error, Result};
use crate::http::{Call, Endpoint, Reply, Routes, ok};
use crate::store::events::{Event, find_event, query};
use crate::store::find;

/// Relations looked through for one page at most.
const CHILDREN_MAX: i64 = 1_000;

pub fn routes(routes: Routes) -> Routes {
    routes
        .serve(async |call: Call<get_relating_events::v1::Request>| {
            let body = &call.body;
            let page = Page {
                event_id: body.event_id.to_string(),
                rel_type: None,
                kind: None,
                from: body.from.clone(),
                to: body.to.clone(),
                forward: body.dir == Dir::Forward,
                limit: limit_of(body.limit, 5),
            };
            relating(&call, &body.room_id, page).await
        })
        .serve(async |call: Call<with_rel_type::v1::Request>| {
            let body = &call.body;
            let page = Page {
                event_id: body.event_id.to_string(),
                rel_type: Some(body.rel_type.to_string()),
                kind: None,
                from: body.from.clone(),
                to: body.to.clone(),
                forward: body.dir == Dir::Forward,
                limit: limit_of(body.limit, 5),
            };
            relating(&call, &body.room_id, page).await
        })
        .serve(async |call: Call<with_both::v1::Request>| {
            let body = &call.body;
            let page = Page {
                event_id: body.event_id.to_string(),
                rel_type: Some(body.rel_type.to_string()),
                kind: Some(body.event_type.to_string()),
                from: body.from.clone(),
                to: body.to.clone(),
                forward: body.dir == Dir::Forward,
                limit: limit_of(body.limit, 5),
            };
            relating(&call, &body.room_id, page).await
        })
        .serve(threads)
}

struct Page {
    event_id: String,
    rel_type: Option<String>,
    kind: Option<String>,
    from: Option<String>,
    to: Option<String>,
    forward: bool,
    limit: usize,
}

async fn relating<T>(call: &Call<T>, room_id: &RoomId, page: Page) -> Reply {
    let (me, room_id) = (call.me()?.clone(), room_id.to_string());
    let (now, upto) = (call.hs.now(), call.hs.live.position());
    let from = page.from.as_deref().map(position_of).transpose()?;
    let to = page.to.as_deref().map(position_of).transpose()?;
    call.hs
        .store
        .read(move |conn| {
            let (room, view) = room_view(conn, &room_id, me.user.as_str(), upto)?;
            find_event(conn, &page.event_id)?
                .filter(|event| event.room == room && view.can_see(event))
                .ok_or_else(|| Error::not_found("Unknown parent event."))?;
            let (after, until) = if page.forward {
                (from.unwrap_or(0), to.unwrap_or(upto))
            } else {
                (to.unwrap_or(0), from.unwrap_or(upto))
            };
            let order = if page.forward { "ASC" } else { "DESC" };
            let tail = format!(
                "WHERE e.relates_to = ?1 AND e.room = ?2 AND e.seq > ?3 AND e.seq <= ?4
                   AND (?5 IS NULL OR e.rel_type = ?5) AND (?6 IS NULL OR e.type = ?6)
                 ORDER BY e.seq {order} LIMIT {CHILDREN_MAX}"
            );
            let wanted = params![page.event_id, room, after, until, page.rel_type, page.kind];
            let mut children = query(conn, &tail, wanted)?;
            children.retain(|event| view.can_see(event));
            let more = children.len() > page.limit;
            children.truncate(page.limit);
            let next = children.last().filter(|_| more).map(|event| {
                if page.forward { format!("t{}", event.seq) } else { format!("t{}", event.seq - 1) }
            });
            let format = Format { conn, now, reader: Some((&me, &view)), room_id: Some(&room_id) };
            let mut answer = json!({"chunk": format.events(&children)?});
            if let (Some(next), Some(fields)) = (next, answer.as_object_mut()) {
                fields.insert("next_batch".to_owned(), next.into());
            }
            if let (Some(from), Some(fields)) = (page.from, answer.as_object_mut()) {
                fields.insert("prev_batch".to_owned(), from.into());
            }
            Ok(answer)
        })
        .await
        .and_then(ok)
}

async fn threads(call: Call<get_threads::v1::Request>) -> Reply {
    let (me, room_id) = (call.me()?.clone(), call.body.room_id.to_string());
    let (now, upto) = (call.hs.now(), call.hs.live.position());
    let from = call.body.from.as_deref().map(position_of).transpose()?.unwrap_or(upto);
    let limit = limit_of(call.body.limit, 10);
    let participated = call.body.include.as_str() == "participated";
    call.hs
        .store
        .read(move |conn| {
            let (room, view) = room_view(conn, &room_id, me.user.as_str(), upto)?;
            // A thread is as recent as its newest reply.
            let tail = "JOIN (SELECT relates_to AS root, MAX(seq) AS newest FROM events
                              WHERE room = ?1 AND rel_type = 'm.thread' GROUP BY relates_to) t
                        ON t.root = e.event_id WHERE t.newest <= ?2
                        ORDER BY t.newest DESC LIMIT ?3";
            let limit_row = i64::try_from(limit).unwrap_or(100);
            let mut roots = query(conn, tail, params![room, from, limit_row + 1])?;
            let more = roots.len() > limit;
            roots.truncate(limit);
            let sql = "SELECT MAX(seq) FROM events
                       WHERE relates_to = ?1 AND rel_type = 'm.thread'";
            let next: Option<i64> = match roots.last().filter(|_| more) {
                Some(last) => find(conn, sql, [&last.event_id], |row| row.get(0))?.flatten(),
                None => None,
            };
            let mut chunk = Vec::new();
            let format = Format { conn, now, reader: Some((&me, &view)), room_id: Some(&room_id) };
            for root in roots.iter().filter(|root| view.can_see(root)) {
                if !participated || took_part(&format, root)? {
                    chunk.push(format.event(root)?);
                }
            }
            let mut answer = json!({"chunk": chunk});
            if let (Some(next), Some(fields)) = (next, answer.as_object_mut()) {
                fields.insert("next_batch".to_owned(), format!("t{}", next - 1).into());
            }
            Ok(answer)
        })
        .await
        .and_then(ok)
}

/// What is told with an event itself: its latest edit, its thread, its references. Of all of them
/// only what the reader may see.
pub fn bundle(format: &Format<'_>, event: &Event) -> Result<Map<String, Value>> {
    let mut bundled = Map::new();
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
    if let Some(thread) = thread(format, event)? {
        bundled.insert("m.thread".to_owned(), thread);
    }
    Ok(bundled)
}

fn latest_edit(format: &Format<'_>, event: &Event) -> Result<Option<Value>> {
    let mut edits = children(format, event, "m.replace")?;
    edits.retain(|edit| edit.sender == event.sender && edit.kind == event.kind);
    Ok(edits
        .first()
        .map(|edit| format.plain(edit))
        .transpose()?
        .map(serde_json::to_value)
        .transpose()?)
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
    if root.sender == caller.user.as_str() {
        return Ok(true);
    }
    let sql = "SELECT 1 FROM events
               WHERE relates_to = ?1 AND rel_type = 'm.thread' AND sender = ?2 LIMIT 1";
    let found = find(format.conn, sql, params![root.event_id, caller.user.as_str()], |_| Ok(()))?;
    Ok(found.is_some())
}
