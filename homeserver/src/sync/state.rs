//! What of a room's log and state is told: the newest stretch of the log, and the state that it does not show.
//!
//! One rule: state told = state at the end, less what the client knows, less what the timeline shows. A client that
//! puts the state and then the timeline on top of what it knew has the room's state, whatever was hidden from it.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use ruma::api::Direction;
use ruma::api::client::filter::RoomEventFilter;
use rusqlite::Connection;

use crate::error::Result;
use crate::filter;
use crate::store::events::{
    Event, MEMBER, Part, Scan, find_state_at, list_state_at, list_state_changes, scan,
};
use crate::visibility::View;

const TIMELINE_DEFAULT: usize = 10;
const TIMELINE_MAX: usize = 200;

/// What a client knows of a room before the answer.
#[derive(Clone, Copy)]
pub struct Known {
    /// The position up to which it was told everything; None if it gets the room whole.
    pub upto: Option<i64>,
    /// The position up to which it may remember members from an earlier stay.
    pub members_upto: Option<i64>,
}

/// The stretch of the log that an answer covers.
pub struct Stretch {
    /// Oldest first.
    pub events: Vec<Event>,
    /// Whether there is a gap between what the client knows and the first event.
    pub limited: bool,
    /// The position just before the first event told.
    pub start: i64,
    /// The position at whose state the client arrives.
    pub end: i64,
    /// Whether something on the way was not wanted or not visible, and was state.
    hides_state: bool,
}

/// How many events of a room are told at once.
pub fn timeline_limit(rules: &RoomEventFilter) -> usize {
    rules.limit.map_or(TIMELINE_DEFAULT, |limit| {
        usize::try_from(limit).unwrap_or(TIMELINE_MAX).min(TIMELINE_MAX)
    })
}

type Key = (String, Option<String>);

fn key_of(event: &Event) -> Key {
    (event.kind.clone(), event.state_key.clone())
}

impl Stretch {
    /// The newest events after `since` that the reader may see and wants to.
    pub fn read(
        conn: &Connection,
        room: i64,
        view: &View,
        rules: &RoomEventFilter,
        (since, end): (Option<i64>, i64),
    ) -> Result<Self> {
        let limit = timeline_limit(rules);
        let wanted = |event: &Event| view.can_see(event) && filter::matches(rules, event);
        let range = (since.unwrap_or(0), end);
        let Scan { mut events, more, passed_state, .. } =
            scan(conn, room, range, Direction::Backward, limit, wanted)?;
        events.reverse();
        let start = events.first().map_or(end, |first| first.seq - 1);
        // Whoever left saw nothing of what changed after that, even if their membership changed again.
        let end = view.readable_at().map_or(end, |at| at.min(end));
        let start = start.min(end);
        Ok(Self { events, limited: more, start, end, hides_state: passed_state })
    }

    /// The state to tell with this stretch. What the timeline shows of a key that changed again out of sight is taken
    /// out of it, or it would undo the change.
    ///
    /// A client that loads members lazily is told of `names`, of whoever sent something, and of those whose membership
    /// changed since it may have heard of them.
    pub fn state(
        &mut self,
        conn: &Connection,
        room: i64,
        known: Known,
        rules: &RoomEventFilter,
        names: &[String],
    ) -> Result<Vec<Event>> {
        let lazy = filter::lazy(rules);
        let hidden = self.take_hidden(conn, room)?;
        let mut changes = match known.upto {
            None if lazy => list_state_at(conn, room, self.start, Part::WithoutMembers)?,
            None => list_state_at(conn, room, self.start, Part::All)?,
            Some(since) if self.limited || self.hides_state => {
                list_state_changes(conn, room, since, self.start)?
            }
            Some(_) => Vec::new(),
        };
        if lazy {
            if let (None, Some(since)) = (known.upto, known.members_upto) {
                let newer = list_state_changes(conn, room, since, self.start)?;
                changes.extend(newer.into_iter().filter(|event| event.kind == MEMBER));
            }
            let senders = self.events.iter().map(|event| event.sender.as_str());
            let names: BTreeSet<_> = senders.chain(names.iter().map(String::as_str)).collect();
            for name in names {
                changes.extend(find_state_at(conn, room, MEMBER, name, self.start)?);
            }
        }
        // One of each key, the newest.
        let told: BTreeMap<_, _> =
            changes.into_iter().chain(hidden).map(|event| (key_of(&event), event)).collect();
        let mut told: Vec<_> =
            told.into_values().filter(|event| filter::matches(rules, event)).collect();
        told.sort_by_key(|event| event.seq);
        Ok(told)
    }

    /// The newest state of each key that changed during the stretch without the timeline showing it.
    fn take_hidden(&mut self, conn: &Connection, room: i64) -> Result<Vec<Event>> {
        if !self.hides_state {
            return Ok(Vec::new());
        }
        let shown: HashSet<_> = self.events.iter().map(|event| event.seq).collect();
        let mut hidden = list_state_changes(conn, room, self.start, self.end)?;
        hidden.retain(|event| !shown.contains(&event.seq));
        let keys: HashSet<_> = hidden.iter().map(key_of).collect();
        self.events.retain(|event| !event.is_state() || !keys.contains(&key_of(event)));
        Ok(hidden)
    }
}
