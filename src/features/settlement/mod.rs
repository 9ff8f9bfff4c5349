//! Settlement: brings a match's predictions, and all that adds up from them, to what the match as it is now implies.
//!
//! Owns: the `settlements` table, and the order of the work.
//! Invariants: what a prediction has earned, and what of it is counted, follows from the event as it is, whatever it was before;
//! a worker that is killed is carried on where it was, and nothing is counted twice.
//! Never: writes a prediction or a board itself; predictions and leaderboards do, when they are asked to.

mod explanation;
mod preview;
pub mod routes;
mod state;
mod store;
mod work;

pub use state::{MakeFinal, SettlementState, find};
pub use store::list_unsettled;
pub use work::settle_stretch;
