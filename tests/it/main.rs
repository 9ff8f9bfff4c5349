//! Tests through HTTP against the real service, on SQLite, or on PostgreSQL if `TOUCHLINE_TEST_DATABASE_URL` names a server.

mod coins;
mod coins_bank;
mod coins_books;
mod harness;
mod login;
