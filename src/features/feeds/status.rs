//! How a feed stands, for operators.

use crate::adapters::providers::Provider;
use crate::platform::config::FeedsConfig;
use crate::platform::db::Tx;
use crate::platform::error::Result;

use super::quota::{self, Quota, QuotaLeft};
use super::source::Feed;
use super::store::{self, FeedRow};

pub use super::store::HeldRow;

/// Held matches that are shown of one feed.
const MOST_HELD: i64 = 100;

pub struct FeedStatus {
    pub tournament: String,
    /// In the order in which they are asked, with what is left of their quotas.
    pub sources: Vec<(Provider, QuotaLeft)>,
    /// Nothing before the first poll.
    pub row: Option<FeedRow>,
    /// Matches of which what a provider says is not carried out, the newest first.
    pub held: Vec<HeldRow>,
}

impl FeedStatus {
    pub fn read(tx: &mut Tx, feed: &Feed, config: &FeedsConfig) -> Result<Self> {
        let mut sources = Vec::new();
        for provider in feed.providers() {
            sources.push((provider, quota::left(tx, provider, Quota::of(provider, config))?));
        }
        Ok(Self {
            tournament: feed.tournament.clone(),
            sources,
            row: store::find_feed(tx, &feed.tournament)?,
            held: store::list_held(tx, &feed.tournament, MOST_HELD)?,
        })
    }
}
