//! PostgreSQL: one server that takes writes, at one of the hosts of the URL; any number of nodes.
//!
//! Owns: how the server is reached, the threads that each have a connection to it, and what its errors mean.
//! Invariants: a connection belongs to one thread, which drives it with a runtime of its own, so between statements nothing moves;
//! a server that is away is an error at once, and a host that says nothing holds nobody up; a commit is acknowledged only if it is
//! on as many servers as PostgreSQL was told to wait for.
//! Never: repeats a commit whose outcome is unknown, or puts a row's values or the password into an error.

mod beats;
mod connection;
mod error;
mod hosts;
pub mod moving;
mod notices;
mod pooler;
mod replicas;
mod server;
mod start;
mod threads;
pub mod value;

pub use self::beats::UNTIL_THERE;
pub use self::connection::{PostgresConnection, limited, new_runtime};
pub use self::hosts::is_private;
pub use self::replicas::Replicas;
pub use self::start::start;
