//! What the service does, a folder each; `tests/it/architecture/floors.rs` says who may use whom.

pub mod account;
pub mod catalogue;
pub mod chat;
pub mod coins;
pub mod demo;
pub mod desk_stream;
pub mod events;
pub mod feeds;
pub mod job_control;
pub mod leaderboards;
pub mod login;
pub mod match_desk;
pub mod nodes;
pub mod operators;
pub mod overview;
pub mod people;
pub mod predictions;
pub mod rehearsal;
pub mod room_figures;
pub mod sessions;
pub mod settlement;
pub mod stream;
pub mod teams;
pub mod user_notes;
pub mod users;
pub mod webhooks;
