//! How old what a replica shows may be, told by a count that goes on in the primary and that replicas repeat with everything else.
//!
//! Clocks are not compared, and positions in the log are not either, which mean nothing on another timeline. Whoever commits before a beat was read
//! is on every replica that shows that beat and [`UNTIL_THERE`] more.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio_postgres::{Client, Statement};

use super::limited;
use super::server::Server;
use crate::platform::error::{DatabaseError, DatabaseResult};

/// So often a node looks at the count, and sees to it that it goes on.
pub const EVERY: Duration = Duration::from_millis(100);
/// What the next beat has on its way to the replicas may still be ahead of what was committed just before. The one after that waited for it.
pub const UNTIL_THERE: i64 = 2;
const ANSWER_WAIT: Duration = Duration::from_secs(2);
const RECONNECT_PAUSE: Duration = Duration::from_millis(250);
/// What somebody wrote so long ago is on every replica that is read from: none of these may be half as old.
const POSITIONS_KEPT: Duration = Duration::from_secs(60);
const SWEEP_EVERY: Duration = Duration::from_secs(10);
const SWEPT_AT_ONCE: u64 = 5_000;

/// What a lost server had of the count is of no use, so nobody waits for a disk or a standby.
const SETTINGS: &str = "SET default_transaction_read_only = off; SET synchronous_commit = off";
pub const READ: &str = "SELECT beat FROM replica_beats WHERE id = 1";
/// By whichever node comes first.
const GO_ON: &str = "
    UPDATE replica_beats SET beat = beat + 1, beaten_at = clock.at
    FROM (SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT) AS at) AS clock
    WHERE id = 1 AND NOT beaten_at BETWEEN clock.at - 90 AND clock.at";
/// Beyond anything that a server counted which was the primary before and may still be one to somebody.
const LEAP: &str =
    "UPDATE replica_beats SET beat = (beat / 1000000000 + 1) * 1000000000 WHERE id = 1";
const LEAP_LENGTH: i64 = 1_000_000_000;
const SWEEP: &str = "
    DELETE FROM user_positions WHERE user_id IN
        (SELECT user_id FROM user_positions WHERE beat < $1 LIMIT 5000 FOR UPDATE SKIP LOCKED)";

pub struct Beats {
    max_age: Duration,
    /// When the count was known to have come how far, oldest first.
    seen: Mutex<VecDeque<(Instant, i64)>>,
}

impl Beats {
    pub fn new(max_age: Duration) -> Self {
        Self { max_age, seen: Mutex::default() }
    }

    pub fn max_age(&self) -> Duration {
        self.max_age
    }

    /// The beat from which a replica shows all that was committed [`Beats::max_age`] ago. None while the primary does not tell.
    pub fn needed(&self) -> Option<i64> {
        let oldest = Instant::now().checked_sub(self.max_age)?;
        let seen = self.lock();
        let first = seen.partition_point(|(at, _)| *at < oldest);
        seen.get(first).map(|(_, beat)| beat + UNTIL_THERE)
    }

    /// Looks at the count for as long as it is polled, and nothing is known of it while the primary is away.
    pub async fn keep(self: Arc<Self>, server: Arc<Server>) {
        loop {
            if let Err(error) = self.keep_on(&server).await {
                tracing::debug!(%error, "the count of beats is not seen");
            }
            self.lock().clear();
            tokio::time::sleep(RECONNECT_PAUSE).await;
        }
    }

    async fn keep_on(&self, server: &Server) -> DatabaseResult<()> {
        let session = server.connect(None).await?;
        let client = &session.client;
        // Sent with the settings, the leap would be in their transaction, which only reads.
        for first in [SETTINGS, LEAP] {
            limited(Some(ANSWER_WAIT), client.batch_execute(first)).await?;
        }
        let go_on = limited(Some(ANSWER_WAIT), client.prepare(GO_ON)).await?;
        let look = Look::prepare(client).await?;
        let mut swept = Instant::now();
        loop {
            limited(Some(ANSWER_WAIT), client.execute(&go_on, &[])).await?;
            let at = Instant::now();
            let beat = look.at(client).await?;
            self.note(at, beat);
            if swept.elapsed() >= SWEEP_EVERY {
                self.sweep(client).await?;
                swept = Instant::now();
            }
            tokio::time::sleep(EVERY.saturating_sub(at.elapsed())).await;
        }
    }

    fn note(&self, at: Instant, beat: i64) {
        let mut seen = self.lock();
        // One that is older than needed stays, to tell which positions nobody needs.
        while seen.get(1).is_some_and(|(at, _)| at.elapsed() > POSITIONS_KEPT) {
            seen.pop_front();
        }
        seen.push_back((at, beat));
    }

    async fn sweep(&self, client: &Client) -> DatabaseResult<()> {
        let oldest = self.lock().front().copied();
        let Some((_, beat)) = oldest.filter(|(at, _)| at.elapsed() > POSITIONS_KEPT) else {
            return Ok(());
        };
        while limited(None, client.execute(SWEEP, &[&beat])).await? == SWEPT_AT_ONCE {}
        Ok(())
    }

    /// Sound even if a holder of the lock panicked: nothing in it is half done.
    fn lock(&self) -> MutexGuard<'_, VecDeque<(Instant, i64)>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a server that shows this beat has what that one asks for. A leap itself tells nothing: it is only one beat after those before it.
pub const fn is_there(shown: i64, needed: i64) -> bool {
    shown >= needed && shown % LEAP_LENGTH != 0
}

/// Asks a server how far it shows the count.
pub struct Look(Statement);

impl Look {
    pub async fn prepare(client: &Client) -> DatabaseResult<Self> {
        Ok(Self(limited(Some(ANSWER_WAIT), client.prepare(READ)).await?))
    }

    pub async fn at(&self, client: &Client) -> DatabaseResult<i64> {
        let row = limited(Some(ANSWER_WAIT), client.query_one(&self.0, &[])).await?;
        row.try_get(0).map_err(|error| DatabaseError::Mismatch(error.to_string()))
    }
}
