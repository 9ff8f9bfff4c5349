//! Room figures: what chat, teams, predictions and leaderboards know together about the members of a room.
//!
//! Owns: no table; it reads those of the features that it stands above.
//! Invariants: the number of queries does not grow with the room; only whoever may read a room sees its figures.
//! Never: writes.

pub mod routes;
mod shown;
mod stats;
mod store;

pub use shown::{Shown, totals, walk};
pub use stats::{MemberStatsView, stats_of};
