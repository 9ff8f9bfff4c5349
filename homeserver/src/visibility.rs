//! Who may see what: the one place that every read path asks.
//!
//! Owns: history visibility, what leavers may still read, ignored senders.
//! Invariants: an event is shown only if `View::can_see` says so; state and members are read only
//! at `View::readable_at`.
//! Never: reads on behalf of a user without a `View`.

use std::collections::HashSet;

use ruma::events::room::history_visibility::HistoryVisibility;
use rusqlite::Connection;
use serde_json::Value;

use crate::accounts::data::find_data;
use crate::error::Result;
use crate::store::events::{Event, MEMBER, find_member, list_versions};

/// What one user may see of one room, as of a position.
pub struct View {
    user: String,
    upto: i64,
    forgotten: bool,
    /// The user's own membership over time, newest first.
    own: Vec<(i64, String)>,
    /// The room's history visibility over time, newest first.
    history: Vec<(i64, HistoryVisibility)>,
    ignored: HashSet<String>,
}

impl View {
    pub fn load(conn: &Connection, room: i64, user: &str, upto: i64) -> Result<Self> {
        let own = list_versions(conn, room, MEMBER, user, "membership", upto)?;
        let own = own.into_iter().map(|(seq, value)| (seq, value.unwrap_or_default())).collect();
        let said = "CASE json_type(content, '$.history_visibility')
                    WHEN 'text' THEN json_extract(content, '$.history_visibility') END";
        let history = list_versions(conn, room, "m.room.history_visibility", "", said, upto)?;
        let read = |(seq, value): (i64, Option<String>)| {
            (seq, value.map_or(HistoryVisibility::Shared, HistoryVisibility::from))
        };
        let history = history.into_iter().map(read).collect();
        let forgotten = find_member(conn, room, user)?.is_some_and(|member| member.forgotten);
        let ignored = ignored_users(conn, user)?;
        Ok(Self { user: user.to_owned(), upto, forgotten, own, history, ignored })
    }

    /// The membership just after position `at`.
    pub fn membership_at(&self, at: i64) -> Option<&str> {
        latest(&self.own, at).map(String::as_str)
    }

    pub fn membership(&self) -> Option<&str> {
        self.membership_at(i64::MAX)
    }

    /// When the user's present stay began.
    pub fn joined_at(&self) -> i64 {
        let stay = self.own.iter().take_while(|(_, membership)| membership == "join");
        stay.last().map_or(0, |(seq, _)| *seq)
    }

    /// Whether the user was inside at `since` and was not away between it and `until`.
    pub fn stayed(&self, since: i64, until: i64) -> bool {
        let mut between = self.own.iter().filter(|(seq, _)| *seq > since && *seq < until);
        self.membership_at(since) == Some("join") && between.all(|(_, then)| then == "join")
    }

    /// The last position up to `at` at which the user was inside.
    pub fn last_inside(&self, at: i64) -> Option<i64> {
        if self.membership_at(at) == Some("join") {
            return Some(at);
        }
        let before = self.own.iter().skip_while(|(seq, _)| *seq > at);
        let mut next = at;
        for (seq, membership) in before {
            if membership == "join" {
                return Some(next);
            }
            next = *seq;
        }
        None
    }

    /// When the user left last.
    pub fn left_at(&self) -> Option<i64> {
        let left = self.own.windows(2).find(|pair| match pair {
            [(_, after), (_, before)] => before == "join" && after != "join",
            _ => false,
        });
        left.and_then(|pair| pair.first()).map(|(seq, _)| *seq)
    }

    /// The position at which the user may read state and members, if at all: now for a member, the
    /// moment of leaving for somebody who left.
    pub fn readable_at(&self) -> Option<i64> {
        if self.membership() == Some("join") {
            return Some(self.upto);
        }
        if self.forgotten {
            return None;
        }
        match self.history.first() {
            Some((_, HistoryVisibility::WorldReadable)) => Some(self.upto),
            _ => self.left_at(),
        }
    }

    /// How much is known: it is as large as that.
    pub fn changes(&self) -> usize {
        self.own.len() + self.history.len() + self.ignored.len()
    }

    pub fn ignores(&self, user: &str) -> bool {
        self.ignored.contains(user)
    }

    /// Whose messages the user does not see, as a JSON array: for queries that count.
    pub fn ignored(&self) -> String {
        self.ignored.iter().map(String::as_str).collect::<Value>().to_string()
    }

    /// Whether the user may see `event`.
    pub fn can_see(&self, event: &Event) -> bool {
        if !event.is_state() && self.ignored.contains(&event.sender) {
            return false;
        }
        let then = self.membership_at(event.seq);
        // What happens to one's own membership is never hidden from oneself.
        let own = event.kind == MEMBER && event.state_key.as_deref() == Some(self.user.as_str());
        if own || then == Some("join") {
            return true;
        }
        // A change of the visibility itself is judged by the more open of the two settings.
        [event.seq - 1, event.seq].into_iter().any(|at| {
            match latest(&self.history, at) {
                Some(HistoryVisibility::WorldReadable) => true,
                Some(HistoryVisibility::Invited) => then == Some("invite"),
                Some(HistoryVisibility::Joined) => false,
                // Shared; so is a room that says nothing, or nothing known.
                _ => self.joined_after(event.seq),
            }
        })
    }

    /// Whether the user was inside at `after` or came in up to `upto`.
    pub fn was_inside(&self, after: i64, upto: i64) -> bool {
        let came = |(seq, membership): &(i64, String)| {
            *seq > after && *seq <= upto && membership == "join"
        };
        self.membership_at(after) == Some("join") || self.own.iter().any(came)
    }

    fn joined_after(&self, position: i64) -> bool {
        self.own.iter().any(|(seq, membership)| *seq > position && membership == "join")
    }
}

fn latest<T>(versions: &[(i64, T)], at: i64) -> Option<&T> {
    versions.iter().find(|(seq, _)| *seq <= at).map(|(_, value)| value)
}

/// The users whose messages `user` does not want to see.
pub fn ignored_users(conn: &Connection, user: &str) -> Result<HashSet<String>> {
    let content = find_data(conn, user, 0, "m.ignored_user_list")?.unwrap_or_default();
    let listed = content.get("ignored_users").and_then(|users| users.as_object());
    Ok(listed.into_iter().flat_map(|users| users.keys().cloned()).collect())
}
