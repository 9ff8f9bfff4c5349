//! Touchline: the open-source backend for match-day apps. `docs/architecture.md` is the map.

pub mod adapters;
pub mod app;
mod backup;
mod chores;
pub mod cli;
pub mod features;
pub mod platform;
mod settings_check;
