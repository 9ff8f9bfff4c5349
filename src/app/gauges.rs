//! Metrics of how things stand, which nobody counts as it happens: looked at every few seconds, by every node for itself, so that none
//! goes on telling what another has long seen change.

use std::time::Duration;

use metrics::gauge;

use super::App;
use crate::features::login::sms_figures;
use crate::features::{chat, coins};
use crate::platform::clock::SECOND_MS;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::gauge::set_gauge;

const LOOK_EVERY: Duration = Duration::from_secs(5);

/// What the database knows; what is not known is not told.
struct Standing {
    frozen_accounts: i64,
    ledger_difference: Option<i64>,
    accounts_behind: i64,
    chat_lag_ms: i64,
    /// Of a day, and what is left of it.
    sms_budget: Option<(i64, i64)>,
}

/// Looks until the service is to end.
pub async fn keep(app: &App) {
    gauge!("touchline_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1);
    let started = app.clock.now().as_millis() / SECOND_MS;
    set_gauge(&gauge!("touchline_start_time_seconds"), started);
    loop {
        look_here(app);
        match look_in_database(app).await {
            Ok(standing) => tell(&standing),
            Err(error) => tracing::debug!(%error, "how things stand could not be looked at"),
        }
        if app.stop.run_until_cancelled(tokio::time::sleep(LOOK_EVERY)).await.is_none() {
            return;
        }
    }
}

/// What this process knows by itself.
fn look_here(app: &App) {
    for (stream, listeners) in
        [("fans", app.stream.listening()), ("operators", app.desk.listening())]
    {
        let gauge = gauge!("touchline_stream_listeners", "stream" => stream);
        set_gauge(&gauge, i64::try_from(listeners).unwrap_or(i64::MAX));
    }
    // A node with PostgreSQL and another homeserver may have no such folder.
    if let Ok(disk) = rustix::fs::statvfs(&app.config.data_dir) {
        let bytes =
            |blocks: u64| i64::try_from(blocks.saturating_mul(disk.f_frsize)).unwrap_or(i64::MAX);
        set_gauge(&gauge!("touchline_data_dir_free_bytes"), bytes(disk.f_bavail));
        set_gauge(&gauge!("touchline_data_dir_size_bytes"), bytes(disk.f_blocks));
    }
}

async fn look_in_database(app: &App) -> Result<Standing> {
    let login = app.login.clone();
    let look = move |tx: &mut Tx| {
        let (accounts_behind, chat_lag_ms) = chat::lag(tx)?;
        let last = coins::find_last_reconciliation(tx)?;
        Ok(Standing {
            frozen_accounts: coins::count_frozen(tx)?,
            ledger_difference: last.map(|last| last.difference),
            accounts_behind,
            chat_lag_ms,
            sms_budget: sms_figures::budget_left(tx, &login)?,
        })
    };
    app.db.read(look).await
}

fn tell(standing: &Standing) {
    set_gauge(&gauge!("touchline_ledger_frozen_accounts"), standing.frozen_accounts);
    if let Some(difference) = standing.ledger_difference {
        set_gauge(&gauge!("touchline_ledger_difference"), difference);
    }
    set_gauge(&gauge!("touchline_chat_accounts_behind"), standing.accounts_behind);
    set_gauge(&gauge!("touchline_chat_lag_seconds"), standing.chat_lag_ms / SECOND_MS);
    if let Some((a_day, left)) = standing.sms_budget {
        set_gauge(&gauge!("touchline_sms_budget"), a_day);
        set_gauge(&gauge!("touchline_sms_budget_left"), left);
    }
}
