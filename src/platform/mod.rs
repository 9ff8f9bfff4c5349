//! What any service needs: the floor that everything else stands on.

// First, for their macros are used by all that follow.
#[macro_use]
pub mod texts;
#[macro_use]
pub mod error;

pub mod breaker;
pub mod cache;
pub mod clock;
pub mod clock_watch;
pub mod config;
pub mod core;
#[cfg(test)]
pub mod damaged_json;
pub mod db;
pub mod gauge;
pub mod http;
pub mod idempotency;
pub mod installation;
pub mod jobs;
pub mod key_guard;
pub mod keys;
pub mod language;
pub mod limits;
pub mod outage;
pub mod outbound;
pub mod progress;
pub mod public_network;
pub mod search;
pub mod shown_text;
pub mod telemetry;
pub mod tokens;
pub mod trace;
pub mod verdict;
