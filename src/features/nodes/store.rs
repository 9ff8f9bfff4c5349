//! The `nodes` table.

use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;

row! {
    #[derive(Debug, Clone, Serialize, ToSchema)]
    #[schema(as = NodeView)]
    pub struct NodeRow {
        /// Drawn when the process started.
        #[schema(example = "5f0c1d2e3a4b5c6d")]
        pub id: String,
        #[schema(example = "touchline-1")]
        pub host: String,
        #[schema(example = 4242)]
        pub pid: i64,
        #[schema(example = "0.1.0")]
        pub version: String,
        /// The address of its API.
        #[schema(example = "127.0.0.1:8080")]
        pub listen: String,
        #[schema(value_type = String, format = DateTime)]
        pub started_at: Timestamp,
        /// When it last wrote itself down, which it does every five seconds (15 with the embedded database).
        #[schema(value_type = String, format = DateTime)]
        pub seen_at: Timestamp,
        /// How long the write before that took.
        #[schema(example = 4)]
        pub lag_ms: i64,
        /// How far its clock is ahead of the database's, or behind if negative; null with the embedded database.
        #[schema(example = 3)]
        pub clock_difference_ms: Option<i64>,
    }
}

pub fn upsert(tx: &mut Tx, node: &NodeRow) -> Result<()> {
    tx.exec(
        "INSERT INTO nodes (id, host, pid, version, listen, started_at, seen_at, lag_ms, clock_difference_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (id) DO UPDATE
         SET seen_at = excluded.seen_at, lag_ms = excluded.lag_ms, clock_difference_ms = excluded.clock_difference_ms",
        params![
            node.id,
            node.host,
            node.pid,
            node.version,
            node.listen,
            node.started_at,
            node.seen_at,
            node.lag_ms,
            node.clock_difference_ms
        ],
    )
    .map(drop)
}

pub fn delete(tx: &mut Tx, id: &str) -> Result<u64> {
    tx.exec("DELETE FROM nodes WHERE id = $1", params![id])
}

pub fn delete_before(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    tx.exec("DELETE FROM nodes WHERE seen_at < $1", params![before])
}

/// The longest there first.
pub fn list_seen_since(tx: &mut Tx, since: Timestamp, most: i64) -> Result<Vec<NodeRow>> {
    tx.all(
        "SELECT id, host, pid, version, listen, started_at, seen_at, lag_ms, clock_difference_ms FROM nodes
         WHERE seen_at > $1 ORDER BY started_at, id LIMIT $2",
        params![since, most],
    )
}
