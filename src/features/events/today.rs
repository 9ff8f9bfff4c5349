//! Today's matches as anybody may see them: one answer for everybody, and a tag by which those who have it need no other.

use std::sync::{Mutex, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use sha2::{Digest, Sha256};

use crate::platform::clock::Timestamp;
use crate::platform::error::Result;

use super::routes::EventView;
use super::{Counts, EventId, Events, PreparedPage};

/// How many matches strangers are shown.
const MOST: i64 = 100;

pub struct TodaysPage {
    page: PreparedPage,
    /// The page as it was last sent, and its tag.
    last: Mutex<Option<(Bytes, String)>>,
}

impl TodaysPage {
    pub async fn read(events: &Events, day: i64) -> Result<Self> {
        let list = move |tx: &mut _| {
            let rows = super::list_today(tx, Timestamp::start_of_utc_day(day), MOST)?;
            let ids: Vec<EventId> = rows.iter().map(|row| row.event.id).collect();
            let counts = super::list_shard_counts(tx, &ids)?;
            Ok((rows, ids, counts))
        };
        let (rows, ids, counts) = events.db.read(list).await?;
        let counts = events.counts.learn(&ids, counts);
        let views: Vec<_> =
            rows.into_iter().map(|row| EventView::of(row, 0, &events.config)).collect();
        Ok(Self { page: PreparedPage::alone(&views, counts)?, last: Mutex::default() })
    }

    /// The page with the counts of the moment, and its tag: of its content, so that all nodes give the same.
    pub fn with(&self, counts: &Counts) -> (Bytes, String) {
        let page = self.page.with(counts);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((then, tag)) if *then == page => (page, tag.clone()),
            _ => {
                // Weak, because the answer may be sent compressed.
                let tag = format!("W/\"{}\"", URL_SAFE_NO_PAD.encode(Sha256::digest(&page)));
                *last = Some((page.clone(), tag.clone()));
                (page, tag)
            }
        }
    }
}
