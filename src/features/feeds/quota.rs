//! How often a provider may be asked, counted in the database for all nodes together.

use serde::Serialize;
use utoipa::ToSchema;

use crate::adapters::providers::{AskError, AskErrorKind, Provider};
use crate::platform::clock::{DAY_MS, MINUTE_MS, Timestamp};
use crate::platform::config::FeedsConfig;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};

use super::store;

/// What an account may ask; 0 is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    pub a_minute: i64,
    pub a_day: i64,
}

#[derive(Clone, Serialize, ToSchema)]
#[schema(as = SourceView)]
pub struct QuotaLeft {
    pub provider: Provider,
    /// Requests that are left in this minute; null without a limit.
    #[schema(example = 9)]
    pub left_this_minute: Option<i64>,
    /// Requests that are left in these 24 hours; null without a limit.
    #[schema(example = 84)]
    pub left_today: Option<i64>,
    /// Until when the provider itself asked to be left alone.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub blocked_until: Option<Timestamp>,
}

impl Quota {
    pub fn of(provider: Provider, config: &FeedsConfig) -> Self {
        let api_football = &config.api_football;
        match provider {
            Provider::FootballData => {
                Self { a_minute: config.football_data.requests_a_minute, a_day: 0 }
            }
            Provider::ApiFootball => Self {
                a_minute: api_football.requests_a_minute,
                a_day: api_football.requests_a_day,
            },
            Provider::Openfootball => Self { a_minute: 0, a_day: 0 },
        }
    }

    /// Any minute and any day, not only those of the calendar: whenever the provider's own begin, they are kept.
    fn windows(self) -> [(i64, i64); 2] {
        [(self.a_minute, MINUTE_MS), (self.a_day, DAY_MS)]
    }
}

/// Counts one request, or says how long to wait for it. Whoever asks at the same time waits for this transaction.
pub fn take(tx: &mut Tx, provider: Provider, quota: Quota) -> Result<Result<(), AskError>> {
    let now = tx.now();
    let busy_until = |moment: Timestamp, words: &str| {
        AskError::new(AskErrorKind::Busy(Some(moment.millis_since(now).max(1))), words)
    };
    let blocked_until = store::hold_provider(tx, provider)?;
    if blocked_until > now {
        return Ok(Err(busy_until(blocked_until, "it asked to be left alone")));
    }
    store::delete_requests(tx, now.plus_ms(-DAY_MS))?;
    for (most, window_ms) in quota.windows() {
        let (count, oldest) = store::count_requests(tx, provider, now.plus_ms(-window_ms))?;
        if most > 0 && count >= most {
            let free_at = oldest.unwrap_or(now).plus_ms(window_ms);
            return Ok(Err(busy_until(free_at, "its quota is used up")));
        }
    }
    store::insert_request(tx, provider, now)?;
    Ok(Ok(()))
}

/// The provider wants to be left alone for so long.
pub fn block(tx: &mut Tx, provider: Provider, pause_ms: i64) -> Result<()> {
    let until = tx.now().plus_ms(pause_ms);
    store::update_blocked(tx, provider, until)
}

pub fn left(tx: &mut Tx, provider: Provider, config: &FeedsConfig) -> Result<QuotaLeft> {
    let now = tx.now();
    let mut left = |(most, window_ms): (i64, i64)| {
        let (count, _) = store::count_requests(tx, provider, now.plus_ms(-window_ms))?;
        Ok::<_, Error>((most > 0).then(|| most.saturating_sub(count).max(0)))
    };
    let [this_minute, today] = Quota::of(provider, config).windows();
    Ok(QuotaLeft {
        provider,
        left_this_minute: left(this_minute)?,
        left_today: left(today)?,
        blocked_until: store::find_blocked(tx, provider)?.filter(|until| *until > now),
    })
}
