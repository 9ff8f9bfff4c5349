//! Who may see what: the one place that every read path asks.
//!
//! Owns: history visibility, what leavers may still read, ignored senders.
//! Invariants: an event is shown only if `View::can_see` says so; state and members are read only
//! at `View::readable_at`.
//! Never: reads on behalf of a user without a `View`.

use std::collections::HashSet;

use rusqlite::Connection;

use crate::error::{Error, Result};
use crate::store::events::{Event, MEMBER, find_member, list_versions};
use crate::store::find;

/// What one user may see of one room, as of a position.
pub struct View {
    pub user: String,
    upto: i64,
    forgotten: bool,
    /// The user's own membership over time, oldest first.
    own: Vec<(i64, String)>,
    /// The room's history visibility over time, oldest first.
    history: Vec<(i64, History)>,
    ignored: HashSet<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum History {
    WorldReadable,
    Shared,
    Invited,
    Joined,
}

impl History {
    fn of(event: &Event) -> Self {
        let content = event.content_value();
        match content.get("history_visibility").and_then(|value| value.as_str()) {
            Some("world_readable") => Self::WorldReadable,
            Some("invited") => Self::Invited,
            Some("joined") => Self::Joined,
            _ => Self::Shared,
        }
    }
}

impl View {
    pub fn load(conn: &Connection, room: i64, user: &str, upto: i64) -> Result<Self> {
        let own = list_versions(conn, room, MEMBER, user, upto)?
            .into_iter()
            .map(|event| (event.seq, event.membership.unwrap_or_default()))
            .collect();
        let history = list_versions(conn, room, "m.room.history_visibility", "", upto)?
            .iter()
            .map(|event| (event.seq, History::of(event)))
            .collect();
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
        let mut joined_at = 0;
        let mut before = "";
        for (seq, membership) in &self.own {
            if membership == "join" && before != "join" {
                joined_at = *seq;
            }
            before = membership;
        }
        joined_at
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
        if latest(&self.history, i64::MAX) == Some(&History::WorldReadable) {
            return Some(self.upto);
        }
        let mut left_at = None;
        let mut before = "";
        for (seq, membership) in &self.own {
            if before == "join" && membership != "join" {
                left_at = Some(*seq);
            }
            before = membership;
        }
        left_at
    }

    /// [`Self::readable_at`], or the refusal that a stranger gets.
    pub fn get_readable_at(&self, room_id: &str) -> Result<i64> {
        self.readable_at().ok_or_else(|| {
            let text =
                format!("User {} not in room {room_id}, and room previews are disabled", self.user);
            Error::forbidden(text)
        })
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
            match latest(&self.history, at).unwrap_or(&History::Shared) {
                History::WorldReadable => true,
                History::Shared => self.joined_after(event.seq),
                History::Invited => then == Some("invite"),
                History::Joined => false,
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
    versions.iter().rev().find(|(seq, _)| *seq <= at).map(|(_, value)| value)
}

/// The users whose messages `user` does not want to see.
pub fn ignored_users(conn: &Connection, user: &str) -> Result<HashSet<String>> {
    let sql = "SELECT content FROM account_data
               WHERE user = ?1 AND room = 0 AND type = 'm.ignored_user_list'";
    let content: Option<String> = find(conn, sql, [user], |row| row.get(0))?;
    let content: serde_json::Value =
        content.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let listed = content.get("ignored_users").and_then(|users| users.as_object());
    Ok(listed.into_iter().flat_map(|users| users.keys().cloned()).collect())
}
