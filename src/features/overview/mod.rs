//! What an operator and a load balancer watch, read at a cost that is the same on a quiet day and on a busy one.
//!
//! Owns: the overview, and the answers about health.
//! Invariants: every figure comes from the feature that owns it; the parts are looked at once a second at most, however many ask.
//! Never: touches a table itself, or changes anything.

mod readiness;
pub mod routes;

pub use readiness::Readiness;

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::EventTotals;
use crate::features::login::sms_log::{self, SmsCounts};
use crate::features::{chat, coins, events, users};
use crate::platform::clock::{HOUR_MS, Timestamp};
use crate::platform::config::Environment;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::jobs::{Backlog, Jobs};

#[derive(Serialize, ToSchema)]
#[schema(as = OverviewView)]
pub struct Overview {
    #[schema(value_type = String, example = "production")]
    environment: Environment,
    #[schema(example = "0.1.0")]
    version: &'static str,
    #[schema(value_type = String, format = DateTime)]
    now: Timestamp,
    users: UsersView,
    sessions: SessionsView,
    /// Those that are not void.
    events: EventTotals,
    jobs: JobsView,
    chat: ChatView,
    coins: FrozenCoinsView,
    sms_last_hour: SmsCounts,
}

#[derive(Serialize, ToSchema)]
struct UsersView {
    /// Accounts ever made, deleted ones included.
    #[schema(example = 4210)]
    registered: i64,
}

#[derive(Serialize, ToSchema)]
struct SessionsView {
    /// Sessions that have not expired; counted up to 100,000. More than 10,000 may be half a minute old.
    #[schema(example = 3960)]
    active: i64,
}

#[derive(Serialize, ToSchema)]
struct JobsView {
    /// Jobs that failed and are tried again after a pause.
    #[schema(example = 0)]
    failing: i64,
    /// How long the oldest job that is due has been waiting for a worker.
    #[schema(example = 0)]
    lag_ms: i64,
    lanes: Vec<Backlog>,
}

#[derive(Serialize, ToSchema)]
struct ChatView {
    /// Accounts on the chat network that are not yet as they should be.
    #[schema(example = 0)]
    accounts_behind: i64,
    /// For how long the first of them has waited.
    #[schema(example = 0)]
    lag_ms: i64,
    /// Reports that nobody has resolved.
    #[schema(example = 0)]
    open_reports: i64,
}

#[derive(Serialize, ToSchema)]
struct FrozenCoinsView {
    /// Accounts that move no coins until an operator has looked.
    #[schema(example = 0)]
    frozen_accounts: i64,
}

impl JobsView {
    fn of(lanes: Vec<Backlog>) -> Self {
        let lag_ms = lanes.iter().map(|lane| lane.lag_ms).max().unwrap_or(0);
        Self { failing: lanes.iter().map(|lane| lane.failing).sum(), lag_ms, lanes }
    }
}

/// All but the sessions, which are counted apart.
pub fn read(
    tx: &mut Tx,
    environment: Environment,
    jobs: &Jobs,
    active_sessions: i64,
) -> Result<Overview> {
    let now = tx.now();
    let (accounts_behind, lag_ms) = chat::lag(tx)?;
    Ok(Overview {
        environment,
        version: env!("CARGO_PKG_VERSION"),
        now,
        users: UsersView { registered: users::registered(tx)? },
        sessions: SessionsView { active: active_sessions },
        events: events::totals(tx)?,
        jobs: JobsView::of(jobs.backlog(tx)?),
        chat: ChatView { accounts_behind, lag_ms, open_reports: chat::open_reports(tx)?.0 },
        coins: FrozenCoinsView { frozen_accounts: coins::count_frozen(tx)? },
        sms_last_hour: sms_log::count_since(tx, now.plus_ms(-HOUR_MS))?,
    })
}
