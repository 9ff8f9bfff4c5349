//! A match day that is only played, for a team that tests its app: its scenes are told here, and parts of the world go away with them.
//!
//! Owns: how long messages and chat are away while that is rehearsed.
//! Invariants: it is there in `local` and `testing` only; an outage ends by itself, after an hour at the latest.
//! Never: plays a match (`touchline demo play` does, through the operators' calls), or keeps anything longer than a process lives.

pub mod routes;

use std::time::Duration;

use utoipa::ToSchema;

use crate::extends_core;
use crate::platform::config::{Config, Environment};
use crate::platform::core::Core;
use crate::platform::http::input::{Complaint, FromInput, Raw};
use crate::platform::outage::Outage;
use crate::{shown_text, text_input};

pub const LONGEST_SCENE: usize = 300;
pub const LONGEST_MS: i64 = 3_600_000;

/// The parts of the world that can be away.
#[derive(Clone)]
pub struct Rehearsal {
    core: Core,
    sms: Outage,
    chat: Outage,
}

extends_core!(Rehearsal);

impl Rehearsal {
    pub fn new(core: &Core, sms: &Outage, chat: &Outage) -> Self {
        Self { core: core.clone(), sms: sms.clone(), chat: chat.clone() }
    }
}

/// Whether anything may be rehearsed here: nobody's real match day is near.
pub fn is_allowed(config: &Config) -> bool {
    matches!(config.environment, Environment::Local | Environment::Testing)
}

/// What happens, in words for those who watch.
#[derive(Debug, Clone, ToSchema)]
#[schema(value_type = String, example = "VAR: no goal. Northgate FC 1-0 Southbank FC")]
pub struct Scene(String);

text_input!(Scene);
shown_text!(Scene: 1..=LONGEST_SCENE, "Must have 1 to 300 characters.");

/// For how long something is away, in milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Away(Duration);

impl FromInput for Away {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        let number = i64::from_input(raw).ok().filter(|number| *number <= LONGEST_MS);
        match number.and_then(|number| u64::try_from(number).ok()) {
            Some(ms) => Ok(Self(Duration::from_millis(ms))),
            None => Err(text!("Must be a whole number of milliseconds, 0 to 3600000.").into()),
        }
    }
}
