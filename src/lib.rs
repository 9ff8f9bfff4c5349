//! Touchline: the open-source backend for match-day apps. `docs/architecture.md` is the map.

pub mod account;
pub mod admin;
pub mod app;
pub mod catalogue;
pub mod chores;
pub mod cli;
pub mod clock;
pub mod config;
pub mod db;
pub mod error;
pub mod events;
pub mod http;
pub mod idempotency;
pub mod jobs;
pub mod keys;
pub mod limits;
pub mod login;
pub mod outbound;
pub mod sessions;
pub mod sms;
pub mod stop;
pub mod teams;
pub mod telemetry;
pub mod tokens;
pub mod users;
