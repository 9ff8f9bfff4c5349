//! Touchline: the open-source backend for match-day apps. `docs/architecture.md` is the map.

// First, for the macros of its texts are used by all that follow.
#[macro_use]
pub mod platform;

pub mod adapters;
pub mod app;
mod backup;
mod chores;
pub mod cli;
pub mod features;
mod settings_check;
