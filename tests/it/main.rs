//! Tests through HTTP against the real service, on SQLite, or on PostgreSQL if `TOUCHLINE_TEST_DATABASE_URL` names a server.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that panics has done its work"
)]

mod account;
mod architecture;
mod catalogue;
mod chat_credentials;
mod events;
mod harness;
mod http;
mod http_limits;
mod jobs;
mod login;
mod openapi;
mod operators;
mod phone_verification;
mod program;
mod sessions;
mod sms_log;
mod users;
