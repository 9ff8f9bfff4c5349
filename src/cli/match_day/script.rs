//! The script of a match day, as a team can write one: which matches there are, and what happens in which minute of the day.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::features::catalogue::demo::SIDES;

/// The day that is played where nobody brings another.
pub const SATURDAY: &str = include_str!("saturday.json");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    pub name: String,
    /// A preset of points, as of a tournament.
    #[serde(default = "classic")]
    pub scoring: String,
    /// Clubs of the script's own; without any, the football clubs of the demo play.
    #[serde(default)]
    pub teams: Vec<Team>,
    pub matches: Vec<Fixture>,
    #[serde(default)]
    pub scenes: Vec<Scene>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Team {
    pub slug: String,
    pub name: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fixture {
    /// What the script's scenes call the match.
    pub key: String,
    pub home: String,
    pub away: String,
    /// The minute of the day in which it begins.
    pub kick_off: i64,
}

#[derive(Debug)]
pub struct Scene {
    pub at: i64,
    pub what: What,
}

#[derive(Debug)]
pub enum What {
    /// In the match of this key.
    Turn(String, Turn),
    Outage(Outage),
}

/// Something that happens to a match.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case", deny_unknown_fields)]
pub enum Turn {
    /// Follows from the fixture, and is not written.
    #[serde(skip)]
    KickOff,
    Goal {
        side: Side,
        minute: Option<i64>,
    },
    GoalTakenBack {
        side: Side,
        minute: Option<i64>,
    },
    HalfTime {},
    SecondHalf {},
    FullTime {},
    /// The final score was another.
    Corrected {
        home: i64,
        away: i64,
    },
    /// It begins later today.
    Delayed {
        minutes: i64,
    },
    /// To a day that is so far off; without one, to a time that nobody knows yet.
    Postponed {
        days: Option<i64>,
    },
    /// For good: it does not count.
    Abandoned {
        reason: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    Home,
    Away,
}

/// A part of the world that is away for some minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case", deny_unknown_fields)]
pub enum Outage {
    SmsOutage { minutes: i64 },
    ChatOutage { minutes: i64 },
}

fn classic() -> String {
    "classic".to_owned()
}

impl<'de> Deserialize<'de> for Scene {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut fields = Map::deserialize(from)?;
        let at = fields.remove("at").and_then(|at| at.as_i64());
        let at = at.ok_or_else(|| D::Error::custom("a scene needs `at`, a minute of the day"))?;
        let of = fields.remove("match");
        let in_scene = |error: serde_json::Error| {
            D::Error::custom(format!("the scene at minute {at}: {error}"))
        };
        let rest = Value::Object(fields);
        let what = match of {
            Some(Value::String(key)) => What::Turn(key, Turn::deserialize(rest).map_err(in_scene)?),
            Some(_) => return Err(D::Error::custom("`match` is the key of a match")),
            None => What::Outage(Outage::deserialize(rest).map_err(in_scene)?),
        };
        Ok(Self { at, what })
    }
}

impl Script {
    pub fn parse(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// What the clubs are called, by slug.
    pub fn clubs(&self) -> BTreeMap<&str, &str> {
        if self.teams.is_empty() {
            let [football, _] = &SIDES;
            return football.clubs.iter().map(|(slug, name, ..)| (*slug, *name)).collect();
        }
        self.teams.iter().map(|team| (team.slug.as_str(), team.name.as_str())).collect()
    }
}
