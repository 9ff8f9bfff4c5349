//! The `push_broadcasts` table.

use crate::features::leagues::LeagueId;
use crate::features::teams::TeamId;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};
use crate::platform::idempotency::Once;

use super::broadcasts::{Audience, BroadcastBody, BroadcastId, BroadcastTitle};

row! {
    #[derive(Debug, Clone)]
    pub struct BroadcastRow {
        pub id: BroadcastId,
        pub title: BroadcastTitle,
        pub body: BroadcastBody,
        pub team_id: Option<TeamId>,
        pub league_id: Option<LeagueId>,
        pub created_at: Timestamp,
        pub planned_at: Option<Timestamp>,
        pub recipients: i64,
    }
}

macro_rules! select_broadcasts {
    ($rest:literal) => {
        concat!("SELECT id, title, body, team_id, league_id, created_at, planned_at, recipients FROM push_broadcasts ", $rest)
    };
}

/// Nothing if its request had come before: on PostgreSQL this waits for a twin's transaction to end.
pub fn insert(
    tx: &mut Tx,
    title: &BroadcastTitle,
    body: &BroadcastBody,
    audience: Audience,
    once: &Once,
) -> Result<Option<BroadcastId>> {
    let now = tx.now();
    tx.opt(
        "INSERT INTO push_broadcasts (title, body, team_id, league_id, created_at, recipients, request_key, request_hash)
         VALUES ($1, $2, $3, $4, $5, 0, $6, $7) ON CONFLICT (request_key) DO NOTHING RETURNING id",
        params![title, body, audience.team, audience.league, now, once.key(), once.request_hash()],
    )
}

/// The message that a request with this key made, and the request's hash.
pub fn get_requested(tx: &mut Tx, once: &Once) -> Result<(BroadcastId, Vec<u8>)> {
    tx.one(
        "SELECT id, request_hash FROM push_broadcasts WHERE request_key = $1",
        params![once.key()],
    )
}

pub fn free_key(tx: &mut Tx, once: &Once, oldest: Timestamp) -> Result<u64> {
    tx.exec(
        "UPDATE push_broadcasts SET request_key = NULL WHERE request_key = $1 AND created_at <= $2",
        params![once.key(), oldest],
    )
}

pub fn get(tx: &mut Tx, id: BroadcastId) -> Result<BroadcastRow> {
    tx.opt(select_broadcasts!("WHERE id = $1"), params![id])?.ok_or(not_found!("message"))
}

pub fn list(tx: &mut Tx, limit: i64, offset: i64) -> Result<(Vec<BroadcastRow>, i64)> {
    let rows =
        tx.all(select_broadcasts!("ORDER BY id DESC LIMIT $1 OFFSET $2"), params![limit, offset])?;
    Ok((rows, tx.one("SELECT count(*) FROM push_broadcasts", &[])?))
}

pub fn list_by_ids(tx: &mut Tx, ids: &[i64]) -> Result<Vec<BroadcastRow>> {
    let ids = serde_json::to_string(ids).map_err(Error::internal)?;
    tx.all(
        select_broadcasts!("WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))"),
        params![ids],
    )
}

pub fn add_recipients(tx: &mut Tx, id: BroadcastId, more: u64) -> Result<u64> {
    let more = i64::try_from(more).unwrap_or(i64::MAX);
    tx.exec(
        "UPDATE push_broadcasts SET recipients = recipients + $2 WHERE id = $1",
        params![id, more],
    )
}

pub fn update_planned(tx: &mut Tx, id: BroadcastId) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "UPDATE push_broadcasts SET planned_at = $2 WHERE id = $1 AND planned_at IS NULL",
        params![id, now],
    )
}
