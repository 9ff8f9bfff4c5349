//! Tests through HTTP against the real service, on SQLite, or on PostgreSQL if `TOUCHLINE_TEST_DATABASE_URL` names a server.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "helpers of tests fail as tests do: at once and loudly"
)]

mod coins;
mod coins_bank;
mod coins_books;
mod harness;
mod login;
