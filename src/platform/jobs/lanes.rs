//! Lanes: sorts of work that may wait for each other, and for nothing else.

use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::clock::{MINUTE_MS, SECOND_MS};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// Kick-offs and counts: what has to be on time.
    MatchClock,
    Settlement,
    /// Housekeeping that touches only the database.
    Local,
    Chat,
    Webhooks,
    Feeds,
    /// Messages to users' devices.
    Push,
}

impl Lane {
    pub const ALL: [Self; 7] = [
        Self::MatchClock,
        Self::Settlement,
        Self::Local,
        Self::Chat,
        Self::Webhooks,
        Self::Feeds,
        Self::Push,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::MatchClock => "match_clock",
            Self::Settlement => "settlement",
            Self::Local => "local",
            Self::Chat => "chat",
            Self::Webhooks => "webhooks",
            Self::Feeds => "feeds",
            Self::Push => "push",
        }
    }

    /// The longest pause after failures: the database is soon back, a receiver may be away for days.
    pub const fn longest_pause_ms(self) -> i64 {
        match self {
            Self::MatchClock | Self::Settlement => 5 * SECOND_MS,
            Self::Local | Self::Push => MINUTE_MS,
            Self::Chat | Self::Webhooks | Self::Feeds => 10 * MINUTE_MS,
        }
    }
}
