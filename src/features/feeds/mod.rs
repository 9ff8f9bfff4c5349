//! Feeds: where matches come from when no operator types them in.
//!
//! Owns: the `feeds` and `feed_*` tables, when which provider is asked, and what of its answer is believed.
//! Invariants: a match is known by its provider's id, so nothing is ever there twice; what an operator said about a match is
//! never changed by a feed; a result is carried over only with a score that makes sense, and is held otherwise; all nodes
//! together keep to a provider's quota.
//! Never: writes to the catalogue's tables, since it calls what operators call; and never knows a provider's format, which is its
//! adapter's.
//!
//! The way of an answer: `poll` asks a source within its `quota`, at the `pace` that the matches set; `convert` turns what the
//! provider says into types of this service; `identity` and `team_identity` find what is meant, by its
//! `bindings` or by `names`; `claim` and
//! `decide` say what is believed of each; all of that is the `plan`, which `difference` shows and `apply` carries out.

mod apply;
mod binding_store;
mod bindings;
mod claim;
mod convert;
mod decide;
mod difference;
mod identity;
mod names;
mod pace;
mod plan;
mod playing;
mod poll;
mod quota;
pub mod routes;
mod source;
mod status;
mod store;
mod team_identity;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::adapters::providers;
use crate::extends_core;
use crate::features::catalogue::Slug;
use crate::platform::config::{ConfigError, FeedsConfig};
use crate::platform::core::Core;
use crate::platform::error::{Error, Result};
use crate::platform::outbound;

pub use poll::{Poll, SchedulePolls};
pub use source::Feed;
pub use store::{SourceRow, list_held_events, list_sources};

/// The feeds of this program: what the settings say, read once.
#[derive(Clone)]
pub struct Feeds {
    core: Core,
    all: Arc<[Feed]>,
    /// Slugs by folded names.
    team_aliases: Arc<BTreeMap<String, String>>,
    client: reqwest::Client,
}

extends_core!(Feeds);

impl Feeds {
    pub fn open(core: &Core) -> Result<Self> {
        let config = &core.config.feeds;
        let timeout = Duration::from_millis(config.timeout_ms);
        Ok(Self {
            core: core.clone(),
            all: source::read(config).map_err(Error::internal)?.into(),
            team_aliases: Arc::new(team_aliases(config).map_err(Error::internal)?),
            client: outbound::client(timeout).map_err(Error::internal)?,
        })
    }

    fn find(&self, tournament: &str) -> Option<Feed> {
        self.all.iter().find(|feed| feed.tournament == tournament).cloned()
    }
}

fn team_aliases(config: &FeedsConfig) -> Result<BTreeMap<String, String>, ConfigError> {
    let read = |entry: &String| {
        let (name, slug) = entry.split_once('=')?;
        let slug = Slug::try_from(slug.trim()).ok()?;
        let name = names::folded(name);
        (!name.is_empty()).then(|| (name, slug.as_str().to_owned()))
    };
    let aliases = config.team_aliases.iter().map(|entry| {
        read(entry).ok_or_else(|| {
            ConfigError::new(format!(
                "feeds.team_aliases: \"{entry}\" must be written \"NAME = team_slug\"."
            ))
        })
    });
    aliases.collect()
}

/// Whether every feed that the settings name can be opened.
pub fn check(config: &FeedsConfig) -> Result<(), ConfigError> {
    source::counting(&config.score)
        .map_err(|_| ConfigError::new("feeds.score must be regular or extra_time."))?;
    source::awarded(&config.awarded)
        .map_err(|_| ConfigError::new("feeds.awarded must be hold, finish or void."))?;
    for (key, is_set) in [
        ("poll_minutes", config.poll_minutes > 0),
        ("live_poll_seconds", config.live_poll_seconds > 0),
        ("timeout_ms", config.timeout_ms > 0),
    ] {
        if !is_set {
            return Err(ConfigError::new(format!("feeds.{key} must be at least 1.")));
        }
    }
    team_aliases(config)?;
    for feed in source::read(config)? {
        for source in &feed.sources {
            providers::open(source, feed.counting, config)?;
        }
    }
    Ok(())
}
