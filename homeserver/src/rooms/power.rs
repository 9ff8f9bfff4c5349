//! Power levels, where the answer is needed outside the authorisation rules themselves.

use ruma::UserId;
use rusqlite::Connection;
use serde_json::Value;

use crate::error::Result;
use crate::store::events::state_content;

pub struct Power {
    levels: Value,
}

impl Power {
    pub fn load(conn: &Connection, room: i64) -> Result<Self> {
        Ok(Self { levels: state_content(conn, room, "m.room.power_levels")? })
    }

    pub fn of(&self, user: &str) -> i64 {
        self.levels
            .get("users")
            .and_then(|users| users.get(user))
            .or_else(|| self.levels.get("users_default"))
            .and_then(Value::as_i64)
            .unwrap_or(0)
    }

    pub fn needed(&self, action: &str, default: i64) -> i64 {
        self.levels.get(action).and_then(Value::as_i64).unwrap_or(default)
    }

    /// The level needed to send a state event of this type.
    pub fn needed_for_state(&self, kind: &str) -> i64 {
        self.levels
            .get("events")
            .and_then(|events| events.get(kind))
            .and_then(Value::as_i64)
            .unwrap_or_else(|| self.needed("state_default", 50))
    }
}

/// Whether `user` may notify the whole room.
pub fn may_notify_room(conn: &Connection, room: i64, user: &UserId) -> Result<bool> {
    let power = Power::load(conn, room)?;
    let needed = power.levels.pointer("/notifications/room").and_then(Value::as_i64).unwrap_or(50);
    Ok(power.of(user.as_str()) >= needed)
}
