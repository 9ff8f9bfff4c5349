//! Touchline: the open-source backend for match-day apps.

pub mod clock;
pub mod db;
pub mod error;
