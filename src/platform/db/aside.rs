//! How old what is read beside the primary may be, and for whom.
//!
//! Whoever wrote sees it, whichever node they ask: before they are answered, the beat from which replicas have it is noted in the primary, where
//! every read that is to be answered by a replica looks first.

use std::sync::Arc;

use serde_json::json;

use super::postgres::{Replicas, UNTIL_THERE};
use super::shared::{Shared, Wish, by_position};
use super::tx::Tx;
use super::{Db, params};
use crate::platform::error::Result;

pub(super) struct Aside {
    pub(super) replicas: Arc<Replicas>,
    positions: Shared<Find>,
    notes: Shared<Note>,
}

impl Aside {
    pub(super) fn new(db: &Db, replicas: Arc<Replicas>) -> Self {
        Self { replicas, positions: Shared::new(db), notes: Shared::new(db) }
    }

    /// The beat that a replica has to show to be read from for this user. None if that is not known: then the primary is read from.
    pub(super) async fn needed(&self, user: i64) -> Option<i64> {
        let young = self.replicas.needed()?;
        let own = self.positions.ask(Find(user)).await.ok()?;
        Some(own.map_or(young, |own| own.max(young)))
    }

    /// Notes that what a user has just changed is to be in what they read from now on.
    pub(super) async fn wrote(&self, user: i64) {
        if let Err(error) = self.notes.ask(Note(user)).await {
            tracing::debug!(%error, "where a user's last change is could not be noted");
            // Nothing is read from that is older than this.
            tokio::time::sleep(self.replicas.max_age()).await;
        }
    }
}

/// The beat from which replicas have what a user changed last; none if all have it.
struct Find(i64);

impl Wish for Find {
    type Granted = Option<i64>;
    const WRITES: bool = false;

    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<Option<i64>>>> {
        let users = json!(wishes.iter().map(|wish| wish.0).collect::<Vec<_>>()).to_string();
        let found = tx.all(
            "SELECT wish.key, p.beat FROM json_each($1) AS wish
             JOIN user_positions p ON p.user_id = CAST(wish.value AS BIGINT)",
            params![users],
        )?;
        Ok(by_position(wishes.len(), found).into_iter().map(Ok).collect())
    }
}

/// A user changed something.
struct Note(i64);

impl Wish for Note {
    type Granted = ();
    const WRITES: bool = true;

    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<()>>> {
        // What a lost server had of it nobody needs: the replicas of its successor are read from when they have all that it has.
        tx.batch("SET LOCAL synchronous_commit = off")?;
        let users = json!(wishes.iter().map(|wish| wish.0).collect::<Vec<_>>()).to_string();
        tx.exec(
            "INSERT INTO user_positions (user_id, beat)
             SELECT DISTINCT CAST(wish.value AS BIGINT), count.beat + $2
             FROM json_each($1) AS wish CROSS JOIN replica_beats AS count WHERE count.id = 1 ORDER BY 1
             ON CONFLICT (user_id) DO UPDATE SET beat = excluded.beat WHERE user_positions.beat < excluded.beat",
            params![users, UNTIL_THERE],
        )?;
        Ok(wishes.iter().map(|_| Ok(())).collect())
    }
}
