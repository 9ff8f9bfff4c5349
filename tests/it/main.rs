//! Tests through HTTP against the real service, on SQLite, or on PostgreSQL if `TOUCHLINE_TEST_DATABASE_URL` names a server.

mod catalogue;
mod demo;
mod events;
mod harness;
mod login;
mod operators;
mod teams;
