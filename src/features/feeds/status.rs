//! How a feed stands, for operators.

use serde::Serialize;
use utoipa::ToSchema;

use crate::adapters::providers::Provider;
use crate::platform::clock::Timestamp;
use crate::platform::config::FeedsConfig;
use crate::platform::db::Tx;
use crate::platform::error::Result;

use super::quota::{self, QuotaLeft};
use super::source::Feed;
use super::store::{self, HeldRow};

/// Held matches that are shown of one feed.
const MOST_HELD: i64 = 100;

#[derive(Serialize, ToSchema)]
pub struct FeedView {
    #[schema(example = "premier_league")]
    tournament: String,
    /// In the order in which they are asked.
    sources: Vec<QuotaLeft>,
    /// The last poll that was answered, and by whom.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_poll_at: Option<Timestamp>,
    last_provider: Option<Provider>,
    #[schema(value_type = Option<String>, format = DateTime)]
    next_poll_at: Option<Timestamp>,
    /// Which sources gave no answer at the last poll, and why.
    #[schema(example = "football_data: timed out")]
    last_error: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    last_error_at: Option<Timestamp>,
    /// What the last answer had that cannot be read.
    problems: Vec<String>,
    /// Matches of which what a provider says is not carried out, the newest first; at most 100.
    held: Vec<HeldRow>,
}

impl FeedView {
    /// Every feed. A provider's quota is one for all that it feeds, so it is looked at once.
    pub fn read_all(tx: &mut Tx, feeds: &[Feed], config: &FeedsConfig) -> Result<Vec<Self>> {
        let mut quotas: Vec<QuotaLeft> = Vec::new();
        let mut views = Vec::new();
        for feed in feeds {
            let mut sources = Vec::new();
            for provider in feed.providers() {
                if !quotas.iter().any(|left| left.provider == provider) {
                    quotas.push(quota::left(tx, provider, config)?);
                }
                sources.extend(quotas.iter().find(|left| left.provider == provider).cloned());
            }
            views.push(Self::read(tx, feed, sources)?);
        }
        Ok(views)
    }

    fn read(tx: &mut Tx, feed: &Feed, sources: Vec<QuotaLeft>) -> Result<Self> {
        // Nothing before the first poll.
        let row = store::find_feed(tx, &feed.tournament)?;
        let problems = row.as_ref().map_or("[]", |row| row.problems.as_str());
        Ok(Self {
            tournament: feed.tournament.clone(),
            sources,
            problems: serde_json::from_str(problems).unwrap_or_default(),
            last_poll_at: row.as_ref().and_then(|row| row.polled_at),
            last_provider: row.as_ref().and_then(|row| row.provider),
            next_poll_at: row.as_ref().map(|row| row.next_poll_at),
            last_error_at: row.as_ref().and_then(|row| row.error_at),
            last_error: row.and_then(|row| row.error),
            held: store::list_held(tx, &feed.tournament, MOST_HELD)?,
        })
    }
}
