//! One room of a sync answer.

use std::collections::{BTreeMap, HashSet};

use ruma::api::Direction;
use ruma::api::client::filter::FilterDefinition;
use rusqlite::{Connection, params};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::build::{Ask, Events, account_data};
use crate::error::Result;
use crate::http::with;
use crate::rooms::format::{ClientEvent, Format};
use crate::rooms::read::{senders, state_for};
use crate::store::events::{
    Event, MEMBER, Member, Scan, find_state_at, list_state_changes, scan, state_content,
};
use crate::store::{exists, find, list, tuple};
use crate::unread::{self, RoomCounts};
use crate::visibility::View;
use crate::{Hs, filter};

const TIMELINE_DEFAULT: usize = 10;
const TIMELINE_MAX: usize = 200;
const HEROES: i64 = 5;

/// Whoever syncs, and from where to where.
pub struct Reader<'a> {
    pub conn: &'a Connection,
    pub hs: &'a Hs,
    pub ask: &'a Ask,
    pub filter: &'a FilterDefinition,
    pub since: Option<i64>,
    pub upto: i64,
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

/// The stretch of the log that an answer covers.
struct Stretch {
    scan: Scan,
    limited: bool,
    /// The position just before the first event told.
    start: i64,
    end: i64,
}

impl Reader<'_> {
    fn user(&self) -> &str {
        self.ask.me.id()
    }

    /// A room the user is in, or None if there is no news.
    pub fn joined(&self, member: &Member) -> Result<Option<JoinedRoom>> {
        let room = member.room;
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
        // Whoever was not in the room at `since` gets it whole.
        let known_since = self.since.filter(|since| view.membership_at(*since) == Some("join"));
        let stretch = self.stretch(room, &view, known_since, self.upto)?;
        let state = self.state(room, &view, known_since, &stretch)?;
        let summary = self.summary(room, known_since, &stretch, &state)?;
        let mut ephemeral: Vec<Value> = typing
            .map(|users| json!({"type": "m.typing", "content": {"user_ids": users}}))
            .into_iter()
            .collect();
        ephemeral.extend(self.receipts(room, known_since)?);
        let kinds = &self.filter.room.ephemeral;
        filter::keep_types(&mut ephemeral, kinds.types.as_deref(), &kinds.not_types);
        let account_data = account_data(self, room, known_since)?;
        let quiet = stretch.scan.events.is_empty() && state.is_empty() && ephemeral.is_empty();
        if quiet && account_data.is_empty() && known_since.is_some() && !self.ask.full_state {
            return Ok(None);
        }
        let (conn, user, upto) = (self.conn, self.user(), self.upto);
        let reader = unread::Reader { conn, user, room, joined_at: view.joined_at(), upto };
        let by_thread = self.filter.room.timeline.unread_thread_notifications;
        Ok(Some(JoinedRoom {
            timeline: self.timeline(&view, &stretch)?,
            state: Events { events: self.format(&view).state(&state)? },
            account_data: Events { events: account_data },
            ephemeral: Events { events: ephemeral },
            unread: self.hs.unread.count(&reader, by_thread)?,
            summary,
        }))
    }

    /// A room the user left since: told up to the departure.
    pub fn left(&self, member: &Member) -> Result<Option<LeftRoom>> {
        let room = member.room;
        let view = View::load(self.conn, room, self.user(), self.upto)?;
        let known_since = self.since.filter(|since| view.membership_at(*since) == Some("join"));
        let end = member.seq.min(self.upto);
        // Whoever was not inside in the meantime is told only what happened to them.
        let was_inside = view.was_inside(self.since.unwrap_or(0), end);
        let from = if was_inside { known_since } else { Some(self.since.unwrap_or(end - 1)) };
        let stretch = self.stretch(room, &view, from, end)?;
        if stretch.scan.events.is_empty() {
            return Ok(None);
        }
        let state =
            if was_inside { self.state(room, &view, known_since, &stretch)? } else { Vec::new() };
        Ok(Some(LeftRoom {
            timeline: self.timeline(&view, &stretch)?,
            state: Events { events: self.format(&view).state(&state)? },
            account_data: Events { events: Vec::new() },
        }))
    }

    fn format<'v>(&'v self, view: &'v View) -> Format<'v> {
        Format {
            conn: self.conn,
            now: self.ask.now,
            reader: Some((&self.ask.me, view)),
            room_id: None,
        }
    }

    /// The newest visible events after `since`, oldest first.
    fn stretch(&self, room: i64, view: &View, since: Option<i64>, end: i64) -> Result<Stretch> {
        let rules = &self.filter.room.timeline;
        let limit = rules.limit.map_or(TIMELINE_DEFAULT, |limit| {
            usize::try_from(limit).unwrap_or(TIMELINE_MAX).min(TIMELINE_MAX)
        });
        let wanted = |event: &Event| view.can_see(event) && filter::matches(rules, event);
        let range = (since.unwrap_or(0), end);
        let mut scan = scan(self.conn, room, range, Direction::Backward, limit, wanted)?;
        scan.events.reverse();
        let start = match scan.events.first() {
            Some(first) => first.seq - 1,
            None => end,
        };
        // After an absence there may be a gap even if everything visible is told.
        let limited = scan.more || (self.since.is_some() && since.is_none());
        Ok(Stretch { scan, limited, start, end })
    }

    fn timeline(&self, view: &View, stretch: &Stretch) -> Result<Timeline> {
        Ok(Timeline {
            events: self.format(view).events(&stretch.scan.events)?,
            limited: stretch.limited,
            prev_batch: format!("t{}", stretch.start),
        })
    }

    /// The state that the timeline does not tell: all of it at first, later what changed in a gap.
    fn state(
        &self,
        room: i64,
        view: &View,
        since: Option<i64>,
        stretch: &Stretch,
    ) -> Result<Vec<Event>> {
        let (rules, rules_of_timeline) = (&self.filter.room.state, &self.filter.room.timeline);
        let lazy = filter::lazy(rules);
        let shown = &stretch.scan.events;
        let whole = since.is_none() || self.ask.full_state;
        let mut state = if whole {
            state_for(self.conn, room, stretch.start, lazy, shown)?
        } else {
            let mut changed = if stretch.scan.more || shown.is_empty() {
                let upto = if shown.is_empty() { stretch.end } else { stretch.start };
                list_state_changes(self.conn, room, since.unwrap_or(0), upto)?
            } else {
                Vec::new()
            };
            if lazy {
                let known: HashSet<_> = shown.iter().map(|event| event.sender.as_str()).collect();
                changed.retain(|event| {
                    let key = event.state_key.as_deref().unwrap_or_default();
                    event.kind != MEMBER || known.contains(key) || key == self.user()
                });
                changed.extend(senders(self.conn, room, stretch.start, shown)?);
                let mut seen = HashSet::new();
                changed.retain(|event| seen.insert(event.seq));
            }
            changed
        };
        if filter::narrows(rules_of_timeline) {
            self.add_unshown(room, stretch, &mut state)?;
        }
        if lazy && whole && !state.iter().any(|event| self.is_own_member(event)) {
            let own = find_state_at(self.conn, room, MEMBER, self.user(), stretch.start)?;
            state.extend(own);
        }
        state.retain(|event| {
            filter::matches(rules, event) && (view.readable_at().is_some() || view.can_see(event))
        });
        Ok(state)
    }

    /// Adds the state that changed during the timeline but that its filter keeps out of it.
    fn add_unshown(&self, room: i64, stretch: &Stretch, state: &mut Vec<Event>) -> Result<()> {
        let shown: HashSet<_> = stretch.scan.events.iter().map(|event| event.seq).collect();
        for event in list_state_changes(self.conn, room, stretch.start, stretch.end)? {
            if !shown.contains(&event.seq) {
                state.retain(|old| (&old.kind, &old.state_key) != (&event.kind, &event.state_key));
                state.push(event);
            }
        }
        Ok(())
    }

    fn is_own_member(&self, event: &Event) -> bool {
        event.kind == MEMBER && event.state_key.as_deref() == Some(self.user())
    }

    /// Member counts, and names to call the room by when it has none of its own.
    fn summary(
        &self,
        room: i64,
        since: Option<i64>,
        stretch: &Stretch,
        state: &[Event],
    ) -> Result<Map<String, Value>> {
        let mut summary = Map::new();
        let changed = stretch.scan.events.iter().chain(state).any(|event| event.kind == MEMBER);
        if since.is_some() && !changed {
            return Ok(summary);
        }
        let sql = "SELECT joined, invited FROM rooms WHERE room = ?1";
        let (joined, invited): (i64, i64) =
            find(self.conn, sql, [room], tuple)?.unwrap_or_default();
        summary.insert("m.joined_member_count".to_owned(), joined.into());
        summary.insert("m.invited_member_count".to_owned(), invited.into());
        let named = |kind: &str, field: &str| -> Result<bool> {
            let content = state_content(self.conn, room, kind)?;
            Ok(content.get(field).and_then(Value::as_str).is_some_and(|name| !name.is_empty()))
        };
        if !named("m.room.name", "name")? && !named("m.room.canonical_alias", "alias")? {
            let heroes = |memberships: &str| -> Result<Vec<String>> {
                let sql = format!(
                    "SELECT user FROM members WHERE room = ?1 AND user <> ?2
                       AND membership IN ({memberships}) ORDER BY seq LIMIT ?3"
                );
                list(self.conn, &sql, params![room, self.user(), HEROES], |row| row.get(0))
            };
            let mut present = heroes("'join', 'invite'")?;
            if present.is_empty() {
                present = heroes("'leave', 'ban'")?;
            }
            summary.insert("m.heroes".to_owned(), present.into());
        }
        Ok(summary)
    }

    fn typing(&self, room: i64) -> Option<Vec<String>> {
        let since = self.ask.since.map_or(0, |since| since.typing);
        let users = self.hs.live.typing_since(room, since)?;
        // To a new reader silence is no news.
        (self.since.is_some() || !users.is_empty()).then_some(users)
    }

    /// Everybody's public receipts and the user's own private ones.
    fn receipts(&self, room: i64, since: Option<i64>) -> Result<Option<Value>> {
        let sql = "SELECT event_id, kind, user, ts, thread FROM receipts
                   WHERE room = ?1 AND seq > ?2 AND seq <= ?3 AND (kind = 'm.read' OR user = ?4)";
        let wanted = params![room, since.unwrap_or(0), self.upto, self.user()];
        let rows: Vec<(String, String, String, i64, String)> = list(self.conn, sql, wanted, tuple)?;
        if rows.is_empty() {
            return Ok(None);
        }
        let mut content: BTreeMap<String, BTreeMap<String, Map<String, Value>>> = BTreeMap::new();
        for (event, kind, user, ts, thread) in rows {
            let thread = Some(thread).filter(|thread| !thread.is_empty());
            let by_kind = content.entry(event).or_default();
            let receipt = with(json!({"ts": ts}), "thread_id", thread);
            by_kind.entry(kind).or_default().insert(user, receipt);
        }
        Ok(Some(json!({"type": "m.receipt", "content": content})))
    }

    fn has_account_data(&self, room: i64, since: i64) -> Result<bool> {
        let sql = "SELECT 1 FROM account_data INDEXED BY account_data_seq
                   WHERE user = ?1 AND seq > ?2 AND room = ?3 LIMIT 1";
        exists(self.conn, sql, params![self.user(), since, room])
    }
}
