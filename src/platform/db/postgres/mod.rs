//! PostgreSQL: one server, any number of nodes.
//!
//! Owns: how the server is reached, the threads that each have a connection to it, and what its errors mean.
//! Invariants: a connection belongs to one thread, which drives it with a runtime of its own, so between statements nothing moves;
//! a server that is away is an error at once.
//! Never: repeats a commit whose outcome is unknown, or puts a row's values or the password into an error.

mod connection;
mod error;
pub mod moving;
mod notices;
mod server;
mod start;
mod threads;
pub mod value;

pub use self::connection::{PostgresConnection, limited, new_runtime};
pub use self::server::is_private;
pub use self::start::start;
