//! Room figures: what predictions and teams say about the members of a chat room.
//!
//! Owns: nothing; it reads what others keep and puts it together.
//! Invariants: the number of queries does not grow with the room.
//! Never: writes.

mod stats;
mod store;

pub use stats::{MemberStatsView, of_room};
