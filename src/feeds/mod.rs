//! Feeds: where matches come from when no operator types them in.
//!
//! Owns: the providers' formats, the `feeds` and `feed_*` tables, and when which provider is asked.
//! Invariants: a match is known by its provider's id, so nothing is ever there twice; what an operator said about a match is
//! never changed by a feed; a result is carried over only with a score that makes sense, and is held otherwise; all nodes
//! together keep to a provider's quota.
//! Never: writes to the catalogue's tables; it calls what operators call.

mod adapter;
mod api_football;
mod exchange;
mod football_data;
mod names;
mod openfootball;
mod report;
mod source;

use crate::config::{ConfigError, FeedsConfig};

pub use source::{Feed, Provider};

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
    for feed in source::read(config)? {
        for source in &feed.sources {
            adapter::open(&feed, source, config)?;
        }
    }
    Ok(())
}
