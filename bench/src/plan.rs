//! How long and how large a run is: the full one, whose figures are published, or a quick look.

use std::ops::Range;
use std::time::Duration;

use touchline::platform::db::Engine;

#[derive(Debug, Clone)]
pub struct Plan {
    pub is_quick: bool,
    pub parts: Vec<Part>,
    /// Rounds of each pair of ceiling and service, one after the other in turns.
    pub rounds: usize,
    pub round: Duration,
    /// Rounds of the growth curves and of the fan-out, which have no ceiling.
    pub growth_rounds: usize,
    /// Users that each round of the single-use calls takes (a code, a daily claim).
    pub users_per_round: i64,
    /// The same on SQLite, which is through with that many before the round has warmed up.
    pub sqlite_users_per_round: i64,
    pub growth_users: &'static [i64],
    pub growth_events: &'static [i64],
    pub growth_predictions: &'static [i64],
    pub growth_connections: &'static [usize],
    pub growth_nodes: &'static [usize],
    pub listeners: &'static [usize],
    /// Listeners who come back at once.
    pub storm: usize,
    /// Users of the service whose operators are measured, and how often each of their calls is made.
    pub operator_users: i64,
    pub operator_calls: i64,
    pub chat: ChatPlan,
}

/// What can be measured without the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Reads,
    Writes,
    Streams,
    Operators,
    Leagues,
    Reminders,
    Moving,
    Growth,
    Chat,
}

impl Part {
    pub const ALL: [Self; 9] = [
        Self::Reads,
        Self::Writes,
        Self::Streams,
        Self::Operators,
        Self::Leagues,
        Self::Reminders,
        Self::Moving,
        Self::Growth,
        Self::Chat,
    ];

    /// From its name on the command line.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| format!("{part:?}").to_lowercase() == name)
    }
}

#[derive(Debug, Clone)]
pub struct ChatPlan {
    /// Users who rush into the room of one match.
    pub surge: i64,
    /// The same when Synapse carries chat.
    pub synapse_surge: i64,
    /// Members who wait for news of one room on the embedded homeserver.
    pub members: usize,
    /// The same for the comparison with Synapse.
    pub synapse_members: usize,
    /// Calls to find the service's own part in one.
    pub calls: usize,
    pub rounds: usize,
    pub round: Duration,
}

/// Connections of every load whose number is not what is measured.
pub const CONNECTIONS: usize = 64;

impl Plan {
    pub fn full() -> Self {
        Self {
            is_quick: false,
            parts: Part::ALL.to_vec(),
            rounds: 5,
            round: Duration::from_secs(2),
            growth_rounds: 3,
            users_per_round: 4_000,
            sqlite_users_per_round: 12_000,
            growth_users: &[10_000, 100_000, 1_000_000],
            growth_events: &[1_000, 10_000, 50_000, 200_000],
            growth_predictions: &[1_000, 10_000, 100_000, 1_000_000],
            growth_connections: &[1, 4, 16, 64, 256],
            growth_nodes: &[1, 2, 3],
            listeners: &[100, 1_000, 5_000],
            storm: 8_000,
            operator_users: 1_000_000,
            operator_calls: 200,
            chat: ChatPlan {
                surge: 2_000,
                synapse_surge: 200,
                members: 1_000,
                synapse_members: 100,
                calls: 100,
                rounds: 3,
                round: Duration::from_secs(4),
            },
        }
    }

    pub fn quick() -> Self {
        Self {
            is_quick: true,
            parts: Part::ALL.to_vec(),
            rounds: 2,
            round: Duration::from_millis(500),
            growth_rounds: 1,
            users_per_round: 480,
            sqlite_users_per_round: 480,
            growth_users: &[10_000, 50_000],
            growth_events: &[1_000, 10_000],
            growth_predictions: &[1_000, 20_000],
            growth_connections: &[1, 64],
            growth_nodes: &[1, 2],
            listeners: &[100, 1_000],
            storm: 500,
            operator_users: 300_000,
            operator_calls: 50,
            chat: ChatPlan {
                surge: 500,
                synapse_surge: 50,
                members: 200,
                synapse_members: 30,
                calls: 20,
                rounds: 1,
                round: Duration::from_secs(2),
            },
        }
    }

    pub fn has(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }

    /// Measures these parts only; all if none is named.
    pub fn only(self, parts: Vec<Part>) -> Self {
        if parts.is_empty() { self } else { Self { parts, ..self } }
    }

    /// Whether anything is asked faster than one call at a time.
    pub fn uses_generator(&self) -> bool {
        self.parts
            .iter()
            .any(|part| !matches!(part, Part::Operators | Part::Reminders | Part::Moving))
    }

    /// Whether its figures are fit to be published.
    pub fn is_whole(&self) -> bool {
        !self.is_quick && self.parts == Part::ALL
    }

    /// The users of one round of the single-use calls.
    pub fn users_of(&self, engine: Engine, round: usize) -> Range<i64> {
        let count = self.users_a_round(engine);
        let first = 1 + i64::try_from(round).unwrap_or(0) * count;
        first..first + count
    }

    const fn users_a_round(&self, engine: Engine) -> i64 {
        match engine {
            Engine::Sqlite => self.sqlite_users_per_round,
            Engine::Postgres => self.users_per_round,
        }
    }

    /// Users that the single-use calls need in all; each round takes others.
    pub fn single_use_users(&self, engine: Engine) -> i64 {
        i64::try_from(self.rounds).unwrap_or(0) * self.users_a_round(engine)
    }
}
