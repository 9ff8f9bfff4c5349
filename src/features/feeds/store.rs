//! The `feeds` and `feed_*` tables.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::adapters::providers::Provider;
use crate::features::events::{EventId, Venue};
use crate::features::teams::{SportId, TeamId};
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};

use super::claim::LastSaid;
use super::convert::FeedTeam;
use super::decide::LastWritten;

row! {
    #[derive(Debug, Clone)]
    pub struct FeedRow {
        pub owner: Option<Provider>,
        pub next_poll_at: Timestamp,
        pub polled_at: Option<Timestamp>,
        pub provider: Option<Provider>,
        pub error: Option<String>,
        pub error_at: Option<Timestamp>,
        /// A JSON array of texts.
        pub problems: String,
    }
}

row! {
    /// What a provider's id stands for.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MatchRow {
        pub external_id: String,
        pub event_id: Option<EventId>,
        pub start_time: Timestamp,
        pub start_time_confirmed: bool,
        pub venue: Venue,
        pub title: String,
        pub held: Option<String>,
        /// How the match stands, believed or not; nothing of what was written down before this was.
        pub told: Option<String>,
    }
}

impl MatchRow {
    pub fn said(&self) -> LastSaid {
        LastSaid {
            start_time: self.start_time,
            start_time_confirmed: self.start_time_confirmed,
            venue: self.venue.clone(),
        }
    }
}

row! {
    #[derive(Serialize, ToSchema)]
    #[schema(as = HeldView)]
    pub struct HeldRow {
        provider: Provider,
        /// The provider's id of the match.
        #[schema(example = "537801")]
        external_id: String,
        /// Null for a match that is not in the catalogue.
        #[schema(value_type = Option<i64>)]
        event_id: Option<EventId>,
        #[schema(example = "Northgate FC - Southbank FC")]
        title: String,
        #[schema(example = "it is said to be finished without a score that counts")]
        reason: String,
        #[schema(value_type = String, format = DateTime)]
        since: Timestamp,
    }
}

pub fn find_feed(tx: &mut Tx, tournament: &str) -> Result<Option<FeedRow>> {
    tx.opt(
        "SELECT owner, next_poll_at, polled_at, provider, error, error_at, problems FROM feeds WHERE tournament = $1",
        params![tournament],
    )
}

pub fn upsert_feed(tx: &mut Tx, tournament: &str, feed: &FeedRow) -> Result<()> {
    tx.exec(
        "INSERT INTO feeds (tournament, owner, next_poll_at, polled_at, provider, error, error_at, problems)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (tournament) DO UPDATE SET owner = excluded.owner, next_poll_at = excluded.next_poll_at,
                polled_at = excluded.polled_at, provider = excluded.provider, error = excluded.error,
                error_at = excluded.error_at, problems = excluded.problems",
        params![
            tournament,
            feed.owner,
            feed.next_poll_at,
            feed.polled_at,
            feed.provider,
            feed.error,
            feed.error_at,
            feed.problems
        ],
    )
    .map(drop)
}

/// When each feed that was ever polled is to be polled next.
pub fn list_next_polls(tx: &mut Tx) -> Result<BTreeMap<String, Timestamp>> {
    let rows: Vec<(String, Timestamp)> =
        tx.all("SELECT tournament, next_poll_at FROM feeds", params![])?;
    Ok(rows.into_iter().collect())
}

pub fn list_teams(
    tx: &mut Tx,
    provider: Provider,
    sport: SportId,
) -> Result<BTreeMap<String, TeamId>> {
    let rows: Vec<(String, TeamId)> = tx.all(
        "SELECT external_id, team_id FROM feed_teams WHERE provider = $1 AND sport_id = $2",
        params![provider, sport],
    )?;
    Ok(rows.into_iter().collect())
}

pub fn insert_team(
    tx: &mut Tx,
    provider: Provider,
    sport: SportId,
    side: &FeedTeam,
    team: TeamId,
) -> Result<()> {
    tx.exec(
        "INSERT INTO feed_teams (provider, sport_id, external_id, team_id, name) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (provider, sport_id, external_id) DO NOTHING",
        params![provider, sport, side.external_id, team, side.name.as_str()],
    )
    .map(drop)
}

pub fn list_matches(
    tx: &mut Tx,
    provider: Provider,
    external_ids: &[&str],
) -> Result<BTreeMap<String, MatchRow>> {
    let ids = serde_json::to_string(external_ids).map_err(Error::internal)?;
    let rows: Vec<MatchRow> = tx.all(
        "SELECT external_id, event_id, start_time, start_time_confirmed, venue, title, held, told FROM feed_matches
         WHERE provider = $1 AND external_id IN (SELECT value FROM json_each($2))",
        params![provider, ids],
    )?;
    Ok(rows.into_iter().map(|row| (row.external_id.clone(), row)).collect())
}

pub fn upsert_match(
    tx: &mut Tx,
    provider: Provider,
    tournament: &str,
    row: &MatchRow,
) -> Result<()> {
    let now = tx.now();
    let held_since = row.held.as_ref().map(|_| now);
    tx.exec(
        "INSERT INTO feed_matches (provider, external_id, tournament, event_id, start_time, venue, title, held, held_since,
                start_time_confirmed, told, told_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         ON CONFLICT (provider, external_id) DO UPDATE SET tournament = excluded.tournament, event_id = excluded.event_id,
                start_time = excluded.start_time, start_time_confirmed = excluded.start_time_confirmed,
                venue = excluded.venue, title = excluded.title, held = excluded.held,
                held_since = CASE WHEN excluded.held = feed_matches.held THEN feed_matches.held_since
                                  ELSE excluded.held_since END,
                told = excluded.told,
                told_at = CASE WHEN excluded.told = feed_matches.told THEN feed_matches.told_at
                               ELSE excluded.told_at END",
        params![
            provider,
            row.external_id,
            tournament,
            row.event_id,
            row.start_time,
            row.venue,
            row.title,
            row.held,
            held_since,
            row.start_time_confirmed,
            row.told,
            now
        ],
    )
    .map(drop)
}

pub fn list_held(tx: &mut Tx, tournament: &str, most: i64) -> Result<Vec<HeldRow>> {
    tx.all(
        "SELECT provider, external_id, event_id, title, held, held_since FROM feed_matches
         WHERE tournament = $1 AND held IS NOT NULL ORDER BY held_since DESC, provider, external_id LIMIT $2",
        params![tournament, most],
    )
}

row! {
    /// What a provider says of a match.
    #[derive(Debug, Clone, Serialize, ToSchema)]
    #[schema(as = MatchSourceView)]
    pub struct SourceRow {
        #[serde(skip)]
        pub event_id: EventId,
        pub provider: Provider,
        /// The provider's id of the match.
        #[schema(example = "537801")]
        pub external_id: String,
        /// How it says that the match stands, carried out or not.
        #[schema(example = "live, 2-1")]
        pub told: Option<String>,
        /// Since when it says so.
        #[schema(value_type = Option<String>, format = DateTime)]
        pub told_at: Option<Timestamp>,
        /// Why what it says is not carried out.
        #[schema(example = "it is said to be finished without a score that counts")]
        pub held: Option<String>,
        #[schema(value_type = Option<String>, format = DateTime)]
        pub held_since: Option<Timestamp>,
    }
}

/// What providers say of these matches.
pub fn list_sources(tx: &mut Tx, ids: &[EventId]) -> Result<Vec<SourceRow>> {
    let ids = serde_json::to_string(ids).map_err(Error::internal)?;
    tx.all(
        "SELECT event_id, provider, external_id, told, told_at, held, held_since FROM feed_matches
         WHERE event_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) ORDER BY event_id, provider, external_id",
        params![ids],
    )
}

/// Matches of which something is held, and that begin after this moment; the newest first.
pub fn list_held_events(tx: &mut Tx, after: Timestamp, most: i64) -> Result<Vec<EventId>> {
    tx.all(
        "SELECT event_id FROM feed_matches WHERE held IS NOT NULL AND event_id IS NOT NULL AND start_time > $1
         ORDER BY held_since DESC, provider, external_id LIMIT $2",
        params![after, most],
    )
}

pub fn list_written(tx: &mut Tx, ids: &[EventId]) -> Result<BTreeMap<EventId, LastWritten>> {
    let ids = serde_json::to_string(ids).map_err(Error::internal)?;
    let rows: Vec<LastWritten> = tx.all(
        "SELECT event_id, start_time, start_time_confirmed, venue, status, home_score, away_score, is_void, outcome_by,
                is_operators
         FROM feed_events WHERE event_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1))",
        params![ids],
    )?;
    Ok(rows.into_iter().map(|row| (row.event_id, row)).collect())
}

pub fn upsert_written(tx: &mut Tx, written: &LastWritten) -> Result<()> {
    tx.exec(
        "INSERT INTO feed_events (event_id, start_time, venue, status, home_score, away_score, is_void, outcome_by,
                is_operators, start_time_confirmed)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (event_id) DO UPDATE SET start_time = excluded.start_time,
                start_time_confirmed = excluded.start_time_confirmed, venue = excluded.venue,
                status = excluded.status, home_score = excluded.home_score, away_score = excluded.away_score,
                is_void = excluded.is_void, outcome_by = excluded.outcome_by, is_operators = excluded.is_operators",
        params![
            written.event_id,
            written.start_time,
            written.venue,
            written.status,
            written.home_score,
            written.away_score,
            written.is_void,
            written.outcome_by,
            written.is_operators,
            written.start_time_confirmed
        ],
    )
    .map(drop)
}

/// Holds the provider's row; until when it wants to be left alone.
pub fn hold_provider(tx: &mut Tx, provider: Provider) -> Result<Timestamp> {
    tx.one(
        "INSERT INTO feed_providers (provider, blocked_until) VALUES ($1, 0)
         ON CONFLICT (provider) DO UPDATE SET blocked_until = feed_providers.blocked_until RETURNING blocked_until",
        params![provider],
    )
}

pub fn find_blocked(tx: &mut Tx, provider: Provider) -> Result<Option<Timestamp>> {
    tx.opt("SELECT blocked_until FROM feed_providers WHERE provider = $1", params![provider])
}

pub fn update_blocked(tx: &mut Tx, provider: Provider, until: Timestamp) -> Result<()> {
    tx.exec(
        "INSERT INTO feed_providers (provider, blocked_until) VALUES ($1, $2)
         ON CONFLICT (provider) DO UPDATE SET blocked_until = excluded.blocked_until
         WHERE feed_providers.blocked_until < excluded.blocked_until",
        params![provider, until],
    )
    .map(drop)
}

/// How many requests there were since, and when the oldest of them was.
pub fn count_requests(
    tx: &mut Tx,
    provider: Provider,
    since: Timestamp,
) -> Result<(i64, Option<Timestamp>)> {
    tx.one(
        "SELECT count(*), min(made_at) FROM feed_requests WHERE provider = $1 AND made_at > $2",
        params![provider, since],
    )
}

pub fn insert_request(tx: &mut Tx, provider: Provider, now: Timestamp) -> Result<()> {
    tx.exec("INSERT INTO feed_requests (provider, made_at) VALUES ($1, $2)", params![provider, now])
        .map(drop)
}

/// Some of them: each request makes one row and deletes more than one, so they never pile up.
pub fn delete_requests(tx: &mut Tx, until: Timestamp) -> Result<()> {
    tx.exec(
        "DELETE FROM feed_requests WHERE id IN
             (SELECT id FROM feed_requests WHERE made_at <= $1 ORDER BY made_at LIMIT 100 FOR UPDATE SKIP LOCKED)",
        params![until],
    )
    .map(drop)
}
