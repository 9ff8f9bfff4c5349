//! Reading rooms: state, members, single events, context and pagination.

use ruma::UInt;
use ruma::api::Direction as Dir;
use ruma::api::client::context::get_context;
use ruma::api::client::filter::RoomEventFilter;
use ruma::api::client::membership::{get_member_events, joined_members};
use ruma::api::client::message::get_message_events;
use ruma::api::client::room::{get_event_by_timestamp, get_room_event};
use ruma::api::client::state::{get_state_event_for_key, get_state_events};
use rusqlite::{Connection, params};
use serde_json::{Map, Value, json};

use super::format::Format;
use crate::error::{Error, Result};
use crate::filter;
use crate::http::{Call, Endpoint, Reply, Routes, ok};
use crate::store::events::{
    Direction, Event, MEMBER, Part, find_event, find_room, find_state_at, list_state_at, query,
    scan,
};
use crate::store::list;
use crate::visibility::View;

const LIMIT_MAX: usize = 1_000;

pub fn routes(routes: Routes) -> Routes {
    routes
        .serve(state)
        .serve(state_event)
        .serve(members)
        .serve(joined)
        .serve(event)
        .serve(context)
        .serve(messages)
        .serve(at_time)
}

/// The room and what `user` may see of it; strangers and unknown rooms are refused alike.
pub fn room_view(conn: &Connection, room_id: &str, user: &str, upto: i64) -> Result<(i64, View)> {
    let Some(room) = find_room(conn, room_id)? else {
        let text = format!("User {user} not in room {room_id}, and room previews are disabled");
        return Err(Error::forbidden(text));
    };
    let view = View::load(conn, room, user, upto)?;
    view.get_readable_at(room_id)?;
    Ok((room, view))
}

/// The stream position in a token of ours.
pub fn position_of(token: &str) -> Result<i64> {
    token
        .strip_prefix(['s', 't'])
        .and_then(|rest| rest.split('_').next())
        .and_then(|number| number.parse().ok())
        .filter(|position| *position >= 0)
        .ok_or_else(|| Error::invalid_param("Invalid token"))
}

pub fn limit_of(limit: Option<UInt>, default: usize) -> usize {
    let limit = limit.map_or(default, |limit| usize::try_from(limit).unwrap_or(LIMIT_MAX));
    limit.clamp(1, LIMIT_MAX)
}

async fn state(call: Call<get_state_events::v3::Request>) -> Reply {
    let (me, room_id) = (call.me()?.clone(), call.body.room_id.to_string());
    let (now, upto) = (call.hs.now(), call.hs.live.position());
    let events = call.hs.store.read(move |conn| {
        let (room, view) = room_view(conn, &room_id, me.user.as_str(), upto)?;
        let at = view.get_readable_at(&room_id)?;
        let events = list_state_at(conn, room, at, Part::All)?;
        Format { conn, now, reader: None, room_id: Some(&room_id) }.state(&events)
    });
    ok(events.await?)
}

async fn state_event(call: Call<get_state_event_for_key::v3::Request>) -> Reply {
    let (me, body) = (call.me()?.clone(), call.body);
    let (now, upto) = (call.hs.now(), call.hs.live.position());
    let whole = body.format.as_str() == "event";
    let read = call.hs.store.read(move |conn| {
        let room_id = body.room_id.as_str();
        let (room, view) = room_view(conn, room_id, me.user.as_str(), upto)?;
        let at = view.get_readable_at(room_id)?;
        let kind = body.event_type.to_string();
        let event = find_state_at(conn, room, &kind, &body.state_key, at)?
            .ok_or_else(|| Error::not_found("Event not found."))?;
        if whole {
            let format = Format { conn, now, reader: Some((&me, &view)), room_id: Some(room_id) };
            return Ok(serde_json::to_value(format.event(&event)?)?);
        }
        Ok(event.content_value())
    });
    ok(read.await?)
}

async fn members(call: Call<get_member_events::v3::Request>) -> Reply {
    let (me, body) = (call.me()?.clone(), call.body);
    let (now, upto) = (call.hs.now(), call.hs.live.position());
    let asked_at = body.at.as_deref().map(position_of).transpose()?;
    let chunk = call.hs.store.read(move |conn| {
        let room_id = body.room_id.as_str();
        let (room, view) = room_view(conn, room_id, me.user.as_str(), upto)?;
        let at = view.get_readable_at(room_id)?;
        let at = asked_at.map_or(at, |asked| asked.min(at));
        let mut events = list_state_at(conn, room, at, Part::Members)?;
        events.retain(|event| {
            let membership = event.membership.as_deref().unwrap_or("leave");
            body.membership.as_ref().is_none_or(|wanted| wanted.as_str() == membership)
                && body.not_membership.as_ref().is_none_or(|not| not.as_str() != membership)
        });
        Format { conn, now, reader: None, room_id: Some(room_id) }.state(&events)
    });
    ok(json!({"chunk": chunk.await?}))
}

async fn joined(call: Call<joined_members::v3::Request>) -> Reply {
    let (me, room_id) = (call.me()?.clone(), call.body.room_id.to_string());
    let upto = call.hs.live.position();
    let members = call.hs.store.read(move |conn| {
        let room = find_room(conn, &room_id)?;
        let view = room.map(|room| View::load(conn, room, me.user.as_str(), upto)).transpose()?;
        let inside = view.is_some_and(|view| view.membership() == Some("join"));
        let (Some(room), true) = (room, inside || me.appservice) else {
            return Err(Error::forbidden(format!("User {} not in room {room_id}", me.user)));
        };
        let sql = "SELECT m.user, e.content FROM members m JOIN events e ON e.seq = m.seq
                   WHERE m.room = ?1 AND m.membership = 'join'";
        list(conn, sql, [room], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))
    });
    let mut joined = Map::new();
    for (user, content) in members.await? {
        let content: Value = serde_json::from_str(&content).unwrap_or_default();
        let field = |name: &str| content.get(name).cloned().unwrap_or(Value::Null);
        let member =
            json!({"display_name": field("displayname"), "avatar_url": field("avatar_url")});
        joined.insert(user, member);
    }
    ok(json!({"joined": joined}))
}

fn visible_event(conn: &Connection, room: i64, view: &View, id: &str) -> Result<Event> {
    find_event(conn, id)?
        .filter(|event| event.room == room && view.can_see(event))
        .ok_or_else(|| Error::not_found("Event not found."))
}

async fn event(call: Call<get_room_event::v3::Request>) -> Reply {
    let (me, body) = (call.me()?.clone(), call.body);
    let (now, upto) = (call.hs.now(), call.hs.live.position());
    let event = call.hs.store.read(move |conn| {
        let room_id = body.room_id.as_str();
        let missing = |_| Error::not_found("Event not found.");
        let (room, view) = room_view(conn, room_id, me.user.as_str(), upto).map_err(missing)?;
        let event = visible_event(conn, room, &view, body.event_id.as_str())?;
        Format { conn, now, reader: Some((&me, &view)), room_id: Some(room_id) }.event(&event)
    });
    ok(event.await?)
}

async fn context(call: Call<get_context::v3::Request>) -> Reply {
    let (me, body) = (call.me()?.clone(), call.body);
    let (now, upto) = (call.hs.now(), call.hs.live.position());
    let answer = call.hs.store.read(move |conn| {
        let room_id = body.room_id.as_str();
        let (room, view) = room_view(conn, room_id, me.user.as_str(), upto)?;
        let event = visible_event(conn, room, &view, body.event_id.as_str())?;
        let limit = usize::try_from(body.limit).unwrap_or(10).min(100);
        let wanted = |event: &Event| view.can_see(event) && filter::matches(&body.filter, event);
        let (older, newer) = ((0, event.seq - 1), (event.seq, upto));
        let before = scan(conn, room, older, Direction::Backward, limit / 2, wanted)?;
        let after = scan(conn, room, newer, Direction::Forward, limit - limit / 2, wanted)?;
        let start = before.events.last().map_or(event.seq, |event| event.seq) - 1;
        let end = after.events.last().map_or(event.seq, |event| event.seq);
        let lazy = filter::lazy(&body.filter);
        let shown: Vec<_> =
            before.events.iter().chain([&event]).chain(&after.events).cloned().collect();
        let state = state_for(conn, room, end.min(view.get_readable_at(room_id)?), lazy, &shown)?;
        let format = Format { conn, now, reader: Some((&me, &view)), room_id: Some(room_id) };
        Ok(json!({
            "start": format!("t{start}"),
            "end": format!("t{end}"),
            "event": format.event(&event)?,
            "events_before": format.events(&before.events)?,
            "events_after": format.events(&after.events)?,
            "state": format.state(&state)?,
        }))
    });
    ok(answer.await?)
}

/// The state at a position; with lazy loading only the members who sent one of `shown`.
pub fn state_for(
    conn: &Connection,
    room: i64,
    at: i64,
    lazy: bool,
    shown: &[Event],
) -> Result<Vec<Event>> {
    if !lazy {
        return list_state_at(conn, room, at, Part::All);
    }
    let mut state = list_state_at(conn, room, at, Part::WithoutMembers)?;
    state.extend(senders(conn, room, at, shown)?);
    Ok(state)
}

/// The member events of whoever sent one of `shown`.
pub fn senders(conn: &Connection, room: i64, at: i64, shown: &[Event]) -> Result<Vec<Event>> {
    let mut names: Vec<_> = shown.iter().map(|event| event.sender.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let mut members = Vec::new();
    for name in names {
        members.extend(find_state_at(conn, room, MEMBER, name, at)?);
    }
    Ok(members)
}

async fn messages(call: Call<get_message_events::v3::Request>) -> Reply {
    let (me, body) = (call.me()?.clone(), call.body);
    let (now, upto) = (call.hs.now(), call.hs.live.position());
    let from = body.from.as_deref().map(position_of).transpose()?;
    let to = body.to.as_deref().map(position_of).transpose()?;
    let limit = limit_of(Some(body.limit), 10);
    let answer = call.hs.store.read(move |conn| {
        let room_id = body.room_id.as_str();
        let (room, view) = room_view(conn, room_id, me.user.as_str(), upto)?;
        // Whoever left reads up to the moment of leaving.
        let end_of_view = view.get_readable_at(room_id)?;
        let filter: &RoomEventFilter = &body.filter;
        let wanted = |event: &Event| view.can_see(event) && filter::matches(filter, event);
        let backward = body.dir == Dir::Backward;
        let start = from.unwrap_or(if backward { end_of_view } else { 0 });
        let (range, direction) = if backward {
            ((to.unwrap_or(0), start.min(end_of_view)), Direction::Backward)
        } else {
            ((start, to.unwrap_or(end_of_view).min(end_of_view)), Direction::Forward)
        };
        let page = scan(conn, room, range, direction, limit, wanted)?;
        let format = Format { conn, now, reader: Some((&me, &view)), room_id: Some(room_id) };
        let mut answer = json!({
            "start": body.from.clone().unwrap_or_else(|| format!("t{start}")),
            "chunk": format.events(&page.events)?,
        });
        if let Some(fields) = answer.as_object_mut() {
            if page.more {
                let next = if backward { page.reached - 1 } else { page.reached };
                fields.insert("end".to_owned(), format!("t{next}").into());
            }
            if filter::lazy(filter) && !page.events.is_empty() {
                let at = page.events.iter().map(|event| event.seq).max().unwrap_or(range.1);
                let members = senders(conn, room, at, &page.events)?;
                fields.insert("state".to_owned(), serde_json::to_value(format.state(&members)?)?);
            }
        }
        Ok(answer)
    });
    ok(answer.await?)
}

async fn at_time(call: Call<get_event_by_timestamp::v1::Request>) -> Reply {
    let (me, body) = (call.me()?.clone(), call.body);
    let upto = call.hs.live.position();
    let found = call.hs.store.read(move |conn| {
        let (room, view) = room_view(conn, body.room_id.as_str(), me.user.as_str(), upto)?;
        let ts = i64::from(body.ts.0);
        let tail = if body.dir == Dir::Forward {
            "WHERE e.room = ?1 AND e.ts >= ?2 ORDER BY e.seq LIMIT 100"
        } else {
            "WHERE e.room = ?1 AND e.ts <= ?2 ORDER BY e.seq DESC LIMIT 100"
        };
        let events = query(conn, tail, params![room, ts])?;
        events
            .into_iter()
            .find(|event| view.can_see(event))
            .ok_or_else(|| Error::not_found("Unable to find event"))
    });
    let event = found.await?;
    ok(json!({"event_id": event.event_id, "origin_server_ts": event.ts}))
}
