//! Deleting what may be a lot, without holding up anybody.

use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::{Db, Tx};
use crate::platform::error::Result;

/// Rows that one batch deletes at most: a few milliseconds of the writer, far from any statement's limit.
const BATCH_ROWS: i64 = 250;
const SHORTEST_PAUSE: Duration = Duration::from_millis(1);

impl Db {
    /// Calls `delete` until it finds nothing, each time in a transaction of its own, and answers how many rows went. It is given how many
    /// rows to delete at most. What is deleted stays deleted if `stop` or an error ends it early; the next call goes on from there.
    pub async fn delete_in_batches<F>(&self, stop: &CancellationToken, delete: F) -> Result<u64>
    where
        F: Fn(&mut Tx, i64) -> Result<u64> + Clone + Send + 'static,
    {
        let mut total = 0;
        while !stop.is_cancelled() {
            let (began, delete) = (Instant::now(), delete.clone());
            let deleted = self.write(move |tx| delete(tx, BATCH_ROWS)).await?;
            if deleted == 0 {
                break;
            }
            total += deleted;
            // As long as it took: at least half of the writer is left to others, and more the more they are.
            tokio::time::sleep(began.elapsed().max(SHORTEST_PAUSE)).await;
        }
        Ok(total)
    }
}
