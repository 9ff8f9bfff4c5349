//! Reading rooms: state, members, single events, context and pagination.

use ruma::api::Direction;
use ruma::api::client::context::get_context;
use ruma::api::client::membership::{get_member_events, joined_members};
use ruma::api::client::message::get_message_events;
use ruma::api::client::room::{get_event_by_timestamp, get_room_event};
use ruma::api::client::state::{get_state_event_for_key, get_state_events};
use ruma::{EventId, RoomId, UInt};
use rusqlite::{Connection, params};
use serde_json::{Map, Value, json};

use super::format::{ClientEvent, Format};
use crate::error::{Error, Result};
use crate::filter;
use crate::http::{Look, Routes, with};
use crate::store::events::{
    Event, MEMBER, Part, find_event, find_room, find_state_at, gather, is_joined, list_state_at,
    scan,
};
use crate::store::{list, tuple};
use crate::visibility::View;

const LIMIT_MAX: usize = 1_000;

pub fn routes(routes: Routes) -> Routes {
    routes
        .look(|look, body: get_state_events::v3::Request| {
            let seen = look.room(&body.room_id)?;
            seen.format().state(&list_state_at(look.conn, seen.room, seen.at, Part::All)?)
        })
        .look(state_event)
        .look(members)
        .look(joined)
        .look(event)
        .look(context)
        .look(messages)
        .look(at_time)
}

/// A room, by somebody who may read it.
pub struct Seen<'a> {
    pub look: &'a Look<'a>,
    pub room: i64,
    pub room_id: &'a RoomId,
    pub view: View,
    /// The position at which its state and members are read.
    pub at: i64,
}

impl<'a> Look<'a> {
    /// Strangers and unknown rooms are refused alike.
    pub fn room(&'a self, room_id: &'a RoomId) -> Result<Seen<'a>> {
        let room = find_room(self.conn, room_id.as_str())?;
        let view = room.map(|room| View::load(self.conn, room, self.me.id(), self.upto));
        let view = view.transpose()?;
        let at = view.as_ref().and_then(View::readable_at);
        let (Some(room), Some(view), Some(at)) = (room, view, at) else {
            let user = &self.me.user;
            let text = format!("User {user} not in room {room_id}, and room previews are disabled");
            return Err(Error::forbidden(text));
        };
        Ok(Seen { look: self, room, room_id, view, at })
    }
}

impl Seen<'_> {
    pub fn format(&self) -> Format<'_> {
        Format {
            conn: self.look.conn,
            now: self.look.now,
            reader: Some((self.look.me, &self.view)),
            room_id: Some(self.room_id.as_str()),
        }
    }

    pub fn event(&self, id: &EventId) -> Result<Event> {
        find_event(self.look.conn, id.as_str())?
            .filter(|event| event.room == self.room && self.view.can_see(event))
            .ok_or_else(|| Error::not_found("Event not found."))
    }
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

/// The position in a token, if there is one: an empty one says as much as none.
pub fn position_in(token: Option<&str>) -> Result<Option<i64>> {
    token.filter(|token| !token.is_empty()).map(position_of).transpose()
}

pub fn limit_of(limit: Option<UInt>, default: usize) -> usize {
    let limit = limit.map_or(default, |limit| usize::try_from(limit).unwrap_or(LIMIT_MAX));
    limit.clamp(1, LIMIT_MAX)
}

fn state_event(look: &Look<'_>, body: get_state_event_for_key::v3::Request) -> Result<Value> {
    let seen = look.room(&body.room_id)?;
    let kind = body.event_type.to_string();
    let event = find_state_at(look.conn, seen.room, &kind, &body.state_key, seen.at)?
        .ok_or_else(|| Error::not_found("Event not found."))?;
    if body.format.as_str() == "event" {
        return Ok(serde_json::to_value(seen.format().event(&event)?)?);
    }
    Ok(event.content_value())
}

fn members(look: &Look<'_>, body: get_member_events::v3::Request) -> Result<Value> {
    let seen = look.room(&body.room_id)?;
    let asked_at = position_in(body.at.as_deref())?;
    let at = asked_at.map_or(seen.at, |asked| asked.min(seen.at));
    let mut events = list_state_at(look.conn, seen.room, at, Part::Members)?;
    events.retain(|event| {
        let membership = event.membership.as_deref().unwrap_or("leave");
        body.membership.as_ref().is_none_or(|wanted| wanted.as_str() == membership)
            && body.not_membership.as_ref().is_none_or(|not| not.as_str() != membership)
    });
    Ok(json!({"chunk": seen.format().state(&events)?}))
}

fn joined(look: &Look<'_>, body: joined_members::v3::Request) -> Result<Value> {
    let (me, room_id) = (look.me, &body.room_id);
    let room = match find_room(look.conn, room_id.as_str())? {
        Some(room) if me.appservice || is_joined(look.conn, room, me.id())? => room,
        _ => return Err(Error::forbidden(format!("User {} not in room {room_id}", me.user))),
    };
    let sql = "SELECT m.user, e.content FROM members m JOIN events e ON e.seq = m.seq
               WHERE m.room = ?1 AND m.membership = 'join'";
    let members: Vec<(String, String)> = list(look.conn, sql, [room], tuple)?;
    let mut joined = Map::new();
    for (user, content) in members {
        let content: Value = serde_json::from_str(&content).unwrap_or_default();
        let (name, avatar) = (content.get("displayname"), content.get("avatar_url"));
        joined.insert(user, json!({"display_name": name, "avatar_url": avatar}));
    }
    Ok(json!({"joined": joined}))
}

fn event(look: &Look<'_>, body: get_room_event::v3::Request) -> Result<ClientEvent> {
    let missing = |_| Error::not_found("Event not found.");
    let seen = look.room(&body.room_id).map_err(missing)?;
    seen.format().event(&seen.event(&body.event_id)?)
}

fn context(look: &Look<'_>, body: get_context::v3::Request) -> Result<Value> {
    let (conn, seen) = (look.conn, look.room(&body.room_id)?);
    let event = seen.event(&body.event_id)?;
    let limit = usize::try_from(body.limit).unwrap_or(10).min(100);
    let wanted = |event: &Event| seen.view.can_see(event) && filter::matches(&body.filter, event);
    let (older, newer) = ((0, event.seq - 1), (event.seq, look.upto));
    let mut before = scan(conn, seen.room, older, Direction::Backward, limit / 2, wanted)?;
    let mut after = scan(conn, seen.room, newer, Direction::Forward, limit - limit / 2, wanted)?;
    let format = seen.format();
    let (events_before, events_after) = (format.page(&before.events)?, format.page(&after.events)?);
    before.cut(events_before.len());
    after.cut(events_after.len());
    let start = before.events.last().map_or(event.seq, |event| event.seq) - 1;
    let end = after.events.last().map_or(event.seq, |event| event.seq);
    let shown: Vec<_> =
        before.events.iter().chain([&event]).chain(&after.events).cloned().collect();
    let lazy = filter::lazy(&body.filter);
    let state = state_for(conn, seen.room, end.min(seen.at), lazy, &shown)?;
    Ok(json!({
        "start": format!("t{start}"),
        "end": format!("t{end}"),
        "event": format.event(&event)?,
        "events_before": events_before,
        "events_after": events_after,
        "state": format.state(&state)?,
    }))
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

fn messages(look: &Look<'_>, body: get_message_events::v3::Request) -> Result<Value> {
    let from = position_in(body.from.as_deref())?;
    let to = position_in(body.to.as_deref())?;
    let seen = look.room(&body.room_id)?;
    let (filter, is_backward) = (&body.filter, body.dir == Direction::Backward);
    let wanted = |event: &Event| seen.view.can_see(event) && filter::matches(filter, event);
    // Whoever left reads up to the moment of leaving.
    let start = from.unwrap_or(if is_backward { seen.at } else { 0 });
    let range = if is_backward {
        (to.unwrap_or(0), start.min(seen.at))
    } else {
        (start, to.unwrap_or(seen.at).min(seen.at))
    };
    let limit = limit_of(Some(body.limit), 10);
    let mut page = scan(look.conn, seen.room, range, body.dir, limit, wanted)?;
    let chunk = seen.format().page(&page.events)?;
    page.cut(chunk.len());
    let next = if is_backward { page.reached - 1 } else { page.reached };
    let mut members = None;
    if let (true, Some(at)) =
        (filter::lazy(filter), page.events.iter().map(|event| event.seq).max())
    {
        let senders = senders(look.conn, seen.room, at, &page.events)?;
        members = Some(serde_json::to_value(seen.format().state(&senders)?)?);
    }
    let answer = json!({
        "start": body.from.filter(|_| from.is_some()).unwrap_or_else(|| format!("t{start}")),
        "chunk": chunk,
    });
    let answer = with(answer, "end", page.more.then(|| format!("t{next}")));
    Ok(with(answer, "state", members))
}

fn at_time(look: &Look<'_>, body: get_event_by_timestamp::v1::Request) -> Result<Value> {
    let seen = look.room(&body.room_id)?;
    let tail = match body.dir {
        Direction::Forward => "WHERE e.room = ?1 AND e.ts >= ?2 ORDER BY e.seq LIMIT 100",
        Direction::Backward => "WHERE e.room = ?1 AND e.ts <= ?2 ORDER BY e.seq DESC LIMIT 100",
    };
    let about = params![seen.room, i64::from(body.ts.0)];
    let found = gather(look.conn, tail, about, 1, |event| seen.view.can_see(event))?;
    let event = found.events.first().ok_or_else(|| Error::not_found("Unable to find event"))?;
    Ok(json!({"event_id": event.event_id, "origin_server_ts": event.ts}))
}
