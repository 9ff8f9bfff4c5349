//! Leaderboards and statistics: what users' predictions add up to.
//!
//! Owns: the `boards`, `boards_lock`, `standings`, `standing_counts`, `settlement_points`, `calibration` and `prediction_runs`
//! tables.
//! Invariants: what is here equals a recount of the settled predictions, once their settlement is through; equal points are an
//! equal rank, and the next rank is as much lower as there are users before it.
//! Never: decides what a prediction earns, or writes one; it counts what it finds when the settlement asks for it.

mod boards;
mod count;
mod count_store;
mod places;
pub mod routes;
mod statistics;
mod store;
mod tip_store;

pub use boards::{Board, BoardId, NO_BOARDS, Period, all_of, boards_among, boards_of, monday_of};
pub use count::{Counting, count, count_tips, recount_next};
pub use count_store::hold_still;
pub use places::{Ladder, Place, Places, Window, event_places, places, places_among};
pub use routes::{Around, OwnPlaceView, PlaceView};
pub use statistics::{Calibration, Runs, Statistics, overall_place, refresh_runs, statistics};
pub use store::{
    PredictorRow, StandingRow, find_board, get_event_sums, list_first, recount_event,
    top_predictors,
};
pub use tip_store::TipStretch;
