//! SQLite: one file, one process.
//!
//! Owns: how the file is opened, the thread that writes, the threads and connections that read, and what SQLite's errors mean.
//! Invariants: one thread writes and commits for all who wait; a commit is on the disk before it is answered; whoever reads never
//! waits for the writer.
//! Never: lets a connection that is for reading write.

mod connection;
mod error;
pub mod lookups;
pub mod moving;
pub mod snapshot;
mod start;
mod threads;
pub mod value;

pub use self::connection::SqliteConnection;
pub use self::start::start;
