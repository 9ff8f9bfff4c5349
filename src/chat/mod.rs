//! Chat: accounts on the network for users, rooms for people and for matches, and who is in them.
//!
//! Owns: the `chat_*` tables and the view `chat_room_users`, which other features may read.
//! Invariants: the network is the truth: rooms and members here only follow what the homeserver tells, each event once, and can
//! be rebuilt from it; a session has one device at a time; a name that was somebody's on the network is never given to
//! another; the service's bot is nobody's fellow member.
//! Never: calls the homeserver inside a transaction, keeps an access token, or reads a message.

mod account_store;
mod accounts;
mod devices;
mod membership;
mod moving;
pub mod routes;
mod store;

use std::time::Duration;

use crate::app::App;
use crate::error::Result;
use crate::jobs;
use crate::matrix::PushedEvent;
use crate::stop::Stop;

pub use accounts::{export, forget, has_account, is_name_used, list_used_names, profile_changed};
pub use devices::{credentials_in_time, issue_credentials, sessions_ended};

const FIRST_GREETING: Duration = Duration::from_millis(250);
const LAST_GREETING: Duration = Duration::from_secs(60);

/// Every sort of work of this feature.
pub const JOBS: &[jobs::Kind] =
    &[accounts::PROVISION, accounts::PROFILE, accounts::MOVE, accounts::CLOSE, devices::END];

pub async fn receive(_app: &App, _events: Vec<PushedEvent>) -> Result<()> {
    Ok(())
}

pub async fn open_room_of_alias(_app: &App, _alias: &str) -> Result<bool> {
    Ok(false)
}

/// Makes the bot's account, first of all, and asks to be called, which ends the homeserver's patience with pushes that failed
/// while this service was away. Tries until it works.
pub async fn greet_homeserver(app: App, stop: Stop) {
    let mut pause = FIRST_GREETING;
    let mut stopping = std::pin::pin!(stop.given());
    while let Err(error) = greet(&app).await {
        tracing::warn!(error = %error, "the homeserver could not be greeted");
        tokio::select! {
            () = &mut stopping => return,
            () = tokio::time::sleep(pause) => pause = (pause * 2).min(LAST_GREETING),
        }
    }
    tracing::info!("{}", app.matrix.settings().describe());
}

async fn greet(app: &App) -> Result<()> {
    accounts::ensure_bot(app).await?;
    app.matrix.ping().await?;
    Ok(())
}
