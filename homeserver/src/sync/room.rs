//! One room of a sync answer.

use std::cell::RefCell;
use std::collections::BTreeMap;

use ruma::api::client::filter::FilterDefinition;
use rusqlite::{Connection, Row, params};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::build::{Ask, Events, account_data};
use super::standing::{Seen, keep_newest};
use super::state::{Known, Stretch};
use super::token::Token;
use crate::budget::number;
use crate::error::Result;
use crate::http::with;
use crate::rooms::format::{ClientEvent, Format};
use crate::store::events::{Event, MEMBER, Member, find_state_at, state_content};
use crate::store::{exists, find, list, tuple};
use crate::unread::{self, RoomCounts};
use crate::visibility::View;
use crate::{Hs, filter};

pub const HEROES: usize = 5;
/// Receipts of others told at once at most: more is no use to anybody, and a large room has thousands.
const RECEIPTS_MAX: i64 = 1_000;

/// Whoever syncs, and from where to where.
pub struct Reader<'a> {
    pub conn: &'a Connection,
    pub hs: &'a Hs,
    pub ask: &'a Ask,
    pub filter: &'a FilterDefinition,
    pub since: Option<i64>,
    pub upto: i64,
    /// Only rooms behind this one are told.
    pub after: i64,
    /// Typing notices up to this were told.
    typing: i64,
    /// What was found out about the user in the rooms that were told.
    pub seen: RefCell<Vec<(i64, Seen)>>,
}

#[derive(Serialize)]
pub struct Timeline {
    events: Vec<ClientEvent>,
    limited: bool,
    prev_batch: String,
}

#[derive(Serialize)]
pub struct JoinedRoom {
    timeline: Timeline,
    state: Events<ClientEvent>,
    account_data: Events<Value>,
    ephemeral: Events<Value>,
    #[serde(flatten)]
    unread: RoomCounts,
    summary: Map<String, Value>,
}

#[derive(Serialize)]
pub struct InvitedRoom {
    pub invite_state: Events<Value>,
}

#[derive(Serialize)]
pub struct LeftRoom {
    timeline: Timeline,
    state: Events<ClientEvent>,
    account_data: Events<Value>,
}

impl<'a> Reader<'a> {
    pub fn new(
        conn: &'a Connection,
        hs: &'a Hs,
        ask: &'a Ask,
        filter: &'a FilterDefinition,
        since: Option<Token>,
        position: i64,
    ) -> Self {
        let seen = RefCell::default();
        let mut reader =
            Self { conn, hs, ask, filter, since: None, upto: position, after: 0, typing: 0, seen };
        match since {
            // The rest of the rooms as of the position that the first of them were told for.
            Some(Token { position, rest: Some(rest), .. }) => {
                (reader.since, reader.upto, reader.after) = (rest.since, position, rest.after);
            }
            Some(Token { position, typing, .. }) => {
                (reader.since, reader.typing) = (Some(position), typing);
            }
            None => {}
        }
        reader
    }

    /// The membership at the position of the answer, which the present one may be ahead of.
    pub fn as_of(&self, member: &Member) -> Result<Option<Member>> {
        if member.seq <= self.upto {
            return Ok(Some(member.clone()));
        }
        let event = find_state_at(self.conn, member.room, MEMBER, self.user(), self.upto)?;
        Ok(event.map(|event| Member {
            room: member.room,
            membership: event.membership.unwrap_or_default(),
            seq: event.seq,
            forgotten: false,
        }))
    }

    fn user(&self) -> &str {
        self.ask.me.id()
    }

    /// A room the user is in, or None if there is no news.
    pub fn joined(&self, room: i64) -> Result<Option<JoinedRoom>> {
        let typing = self.typing(room);
        if let Some(since) = self.since
            && !self.ask.full_state
            && typing.is_none()
            && !self.hs.live.changed_since(room, since)
            && !self.has_account_data(room, since)?
        {
            return Ok(None);
        }
        let view = View::load(self.conn, room, self.user(), self.upto)?;
        let known = self.known(&view, i64::MAX);
        let whole = known.upto.is_none() || self.ask.full_state;
        let mut stretch = self.stretch(room, &view, known.upto, self.upto)?;
        // After an absence there may be a gap even if everything visible is told.
        stretch.limited |= self.since.is_some() && known.upto.is_none();
        let state = self.state(room, known, &mut stretch)?;
        let summary = self.summary(room, whole, &stretch, &state)?;
        let mut ephemeral = Vec::from_iter(typing.as_deref().map(tell_typing));
        ephemeral.extend(self.receipts(room, known.upto)?);
        let kinds = &self.filter.room.ephemeral;
        filter::keep_types(&mut ephemeral, kinds.types.as_deref(), &kinds.not_types);
        let account_data = account_data(self, room, known.upto)?;
        let quiet = stretch.events.is_empty() && !stretch.limited && state.is_empty();
        if quiet && ephemeral.is_empty() && account_data.is_empty() && !whole {
            return Ok(None);
        }
        let (conn, user, upto) = (self.conn, self.user(), self.upto);
        let reader = unread::Reader { conn, user, room, joined_at: view.joined_at(), upto };
        let (counts, is_default) = self.hs.unread.count(&reader)?;
        let by_thread = self.filter.room.timeline.unread_thread_notifications;
        let told = JoinedRoom {
            timeline: self.timeline(&view, &stretch)?,
            state: Events { events: self.format(&view).state(&state)? },
            account_data: Events { events: account_data },
            ephemeral: Events { events: ephemeral },
            unread: if by_thread { counts.clone() } else { counts.clone().together() },
            summary,
        };
        if is_default {
            keep_newest(
                &mut self.seen.borrow_mut(),
                room,
                Seen { upto, view: view.into(), counts },
            );
        }
        Ok(Some(told))
    }

    /// A room the user is out of since the position `left`: told up to the departure.
    pub fn left(&self, room: i64, left: i64) -> Result<LeftRoom> {
        let view = View::load(self.conn, room, self.user(), self.upto)?;
        // Whoever was not inside in the meantime is told only what happened to them.
        let was_inside = view.was_inside(self.since.unwrap_or(0), left);
        let known = self.known(&view, view.left_at().unwrap_or(left));
        let from = if was_inside { known.upto } else { Some(self.since.unwrap_or(left - 1)) };
        let mut stretch = self.stretch(room, &view, from, left)?;
        stretch.limited |= self.since.is_some() && from.is_none();
        let state = if was_inside { self.state(room, known, &mut stretch)? } else { Vec::new() };
        Ok(LeftRoom {
            timeline: self.timeline(&view, &stretch)?,
            state: Events { events: self.format(&view).state(&state)? },
            account_data: Events { events: Vec::new() },
        })
    }

    /// What the client was told before: all of it if the user was inside at `since` and stayed until `until`.
    fn known(&self, view: &View, until: i64) -> Known {
        Known {
            upto: self.since.filter(|since| view.stayed(*since, until)),
            members_upto: self.since.and_then(|since| view.last_inside(since)),
        }
    }

    fn stretch(&self, room: i64, view: &View, since: Option<i64>, end: i64) -> Result<Stretch> {
        Stretch::read(self.conn, room, view, &self.filter.room.timeline, (since, end))
    }

    fn state(&self, room: i64, known: Known, stretch: &mut Stretch) -> Result<Vec<Event>> {
        let known = Known { upto: known.upto.filter(|_| !self.ask.full_state), ..known };
        let mut names = Vec::new();
        if known.upto.is_none() {
            // A client that knows few members still has to find a name for the room.
            names = self.heroes(room)?.unwrap_or_default();
            names.push(self.user().to_owned());
        }
        stretch.state(self.conn, room, known, &self.filter.room.state, &names)
    }

    fn format<'v>(&'v self, view: &'v View) -> Format<'v> {
        Format {
            conn: self.conn,
            now: self.ask.now,
            reader: Some((&self.ask.me, view)),
            room_id: None,
        }
    }

    fn timeline(&self, view: &View, stretch: &Stretch) -> Result<Timeline> {
        Ok(Timeline {
            events: self.format(view).events(&stretch.events)?,
            limited: stretch.limited,
            prev_batch: format!("t{}", stretch.start),
        })
    }

    /// Member counts, and names to call the room by when it has none of its own.
    fn summary(
        &self,
        room: i64,
        whole: bool,
        stretch: &Stretch,
        state: &[Event],
    ) -> Result<Map<String, Value>> {
        let changed = stretch.events.iter().chain(state).any(|event| event.kind == MEMBER);
        if !whole && !changed {
            return Ok(Map::new());
        }
        Ok(summary(member_counts(self.conn, room)?, self.heroes(room)?))
    }

    fn heroes(&self, room: i64) -> Result<Option<Vec<String>>> {
        heroes(self.conn, room, self.user(), HEROES)
    }

    fn typing(&self, room: i64) -> Option<Vec<String>> {
        let users = self.hs.live.typing_since(room, self.typing)?;
        // To a new reader silence is no news.
        (self.since.is_some() || !users.is_empty()).then_some(users)
    }

    /// The newest of everybody's public receipts, and the user's own.
    fn receipts(&self, room: i64, since: Option<i64>) -> Result<Option<Value>> {
        let sql = "SELECT seq, event_id, kind, user, ts, thread FROM receipts
                   WHERE room = ?1 AND seq > ?2 AND seq <= ?3
                     AND (user = ?4 OR (kind = 'm.read' AND seq > COALESCE(
                       (SELECT seq FROM receipts WHERE room = ?1 AND seq <= ?3
                        ORDER BY seq DESC LIMIT 1 OFFSET ?5), 0)))";
        let wanted = params![room, since.unwrap_or(0), self.upto, self.user(), RECEIPTS_MAX];
        Ok(tell_receipts(&list(self.conn, sql, wanted, Receipt::from_row)?))
    }

    fn has_account_data(&self, room: i64, since: i64) -> Result<bool> {
        let sql = "SELECT 1 FROM account_data INDEXED BY account_data_seq
                   WHERE user = ?1 AND seq > ?2 AND room = ?3 LIMIT 1";
        exists(self.conn, sql, params![self.user(), since, room])
    }
}

/// The positions up to which somebody read.
pub struct Receipt {
    pub seq: i64,
    event: String,
    kind: String,
    user: String,
    ts: i64,
    /// Empty for none.
    thread: String,
}

impl Receipt {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let (seq, event, kind, user, ts, thread) = tuple(row)?;
        Ok(Self { seq, event, kind, user, ts, thread })
    }

    /// Everybody's public receipts after a position, the newest first, and so many at most.
    pub fn newest(conn: &Connection, room: i64, after: i64, most: usize) -> Result<Vec<Self>> {
        let sql = "SELECT seq, event_id, kind, user, ts, thread FROM receipts
                   WHERE room = ?1 AND seq > ?2 AND kind = 'm.read' ORDER BY seq DESC LIMIT ?3";
        list(conn, sql, params![room, after, number(most)], Self::from_row)
    }
}

pub fn tell_receipts<'r>(receipts: impl IntoIterator<Item = &'r Receipt>) -> Option<Value> {
    let mut content: BTreeMap<&str, BTreeMap<&str, Map<String, Value>>> = BTreeMap::new();
    for Receipt { event, kind, user, ts, thread, .. } in receipts {
        let thread = Some(thread.as_str()).filter(|thread| !thread.is_empty());
        let by_kind = content.entry(event).or_default();
        let receipt = with(json!({"ts": ts}), "thread_id", thread);
        by_kind.entry(kind).or_default().insert(user.clone(), receipt);
    }
    (!content.is_empty()).then(|| json!({"type": "m.receipt", "content": content}))
}

pub fn tell_typing(users: &[String]) -> Value {
    json!({"type": "m.typing", "content": {"user_ids": users}})
}

/// How many are in a room, and how many are invited.
pub fn member_counts(conn: &Connection, room: i64) -> Result<(i64, i64)> {
    let sql = "SELECT joined, invited FROM rooms WHERE room = ?1";
    Ok(find(conn, sql, [room], tuple)?.unwrap_or_default())
}

pub fn summary((joined, invited): (i64, i64), heroes: Option<Vec<String>>) -> Map<String, Value> {
    let mut summary = Map::new();
    summary.insert("m.joined_member_count".to_owned(), joined.into());
    summary.insert("m.invited_member_count".to_owned(), invited.into());
    summary.extend(heroes.map(|heroes| ("m.heroes".to_owned(), heroes.into())));
    summary
}

/// Whom `user` may call a room after that has no name of its own.
pub fn heroes(
    conn: &Connection,
    room: i64,
    user: &str,
    most: usize,
) -> Result<Option<Vec<String>>> {
    for (kind, field) in [("m.room.name", "name"), ("m.room.canonical_alias", "alias")] {
        let content = state_content(conn, room, kind)?;
        if content.get(field).and_then(Value::as_str).is_some_and(|name| !name.is_empty()) {
            return Ok(None);
        }
    }
    let list_with = |memberships: &str| -> Result<Vec<String>> {
        let sql = format!(
            "SELECT user FROM members WHERE room = ?1 AND user <> ?2
               AND membership IN ({memberships}) ORDER BY seq LIMIT ?3"
        );
        list(conn, &sql, params![room, user, number(most)], |row| row.get(0))
    };
    let present = list_with("'join', 'invite'")?;
    Ok(Some(if present.is_empty() { list_with("'leave', 'ban'")? } else { present }))
}
