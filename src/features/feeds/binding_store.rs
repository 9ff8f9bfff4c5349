//! Which id of a provider stands for what, in `feed_teams` and `feed_matches`, as operators see and change it.

use serde::Serialize;
use utoipa::ToSchema;

use crate::adapters::providers::Provider;
use crate::features::events::{EventId, EventRow};
use crate::features::teams::{SportId, TeamId};
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;
use crate::platform::http::page::Page;

use super::bindings::{MatchFilter, TeamFilter};

row! {
    #[derive(Serialize, ToSchema)]
    pub struct BoundTeamView {
        #[schema(example = 7)]
        id: TeamId,
        #[schema(example = "Northgate FC")]
        name: String,
    }
}

row! {
    #[derive(Serialize, ToSchema)]
    pub struct TeamBindingView {
        provider: Provider,
        /// The provider's id of the team.
        #[schema(example = "57")]
        external_id: String,
        /// What the provider called it when it was bound; null for what an operator bound.
        #[schema(example = "Northgate")]
        name: Option<String>,
        team: BoundTeamView,
    }
}

row! {
    #[derive(Serialize, ToSchema)]
    pub struct MatchBindingView {
        provider: Provider,
        /// The provider's id of the match.
        #[schema(example = "537801")]
        external_id: String,
        #[schema(example = "premier_league")]
        tournament: String,
        /// Null for a match that is not in the catalogue.
        #[schema(value_type = Option<i64>)]
        event_id: Option<EventId>,
        /// The two sides as the provider last called them.
        #[schema(example = "Northgate FC - Southbank FC")]
        title: String,
        /// Why what the provider says is not carried out.
        held: Option<String>,
    }
}

pub fn list_team_bindings(
    tx: &mut Tx,
    filter: TeamFilter,
    page: Page,
) -> Result<(Vec<TeamBindingView>, i64)> {
    let rows = tx.all(
        "SELECT f.provider, f.external_id, f.name, t.id, t.name FROM feed_teams f JOIN teams t ON t.id = f.team_id
         WHERE (CAST($1 AS TEXT) IS NULL OR f.provider = $1) AND (CAST($2 AS BIGINT) IS NULL OR f.team_id = $2)
         ORDER BY t.name, t.id, f.provider, f.external_id LIMIT $3 OFFSET $4",
        params![filter.provider, filter.team, page.per_page, page.offset()],
    )?;
    let total = tx.one(
        "SELECT count(*) FROM feed_teams
         WHERE (CAST($1 AS TEXT) IS NULL OR provider = $1) AND (CAST($2 AS BIGINT) IS NULL OR team_id = $2)",
        params![filter.provider, filter.team],
    )?;
    Ok((rows, total))
}

pub fn list_match_bindings(
    tx: &mut Tx,
    filter: &MatchFilter,
    page: Page,
) -> Result<(Vec<MatchBindingView>, i64)> {
    let rows = tx.all(
        "SELECT provider, external_id, tournament, event_id, title, held FROM feed_matches
         WHERE (CAST($1 AS TEXT) IS NULL OR provider = $1) AND (CAST($2 AS TEXT) IS NULL OR tournament = $2)
           AND (CAST($3 AS BIGINT) IS NULL OR event_id = $3)
         ORDER BY tournament, start_time, provider, external_id LIMIT $4 OFFSET $5",
        params![filter.provider, filter.tournament, filter.event, page.per_page, page.offset()],
    )?;
    let total = tx.one(
        "SELECT count(*) FROM feed_matches
         WHERE (CAST($1 AS TEXT) IS NULL OR provider = $1) AND (CAST($2 AS TEXT) IS NULL OR tournament = $2)
           AND (CAST($3 AS BIGINT) IS NULL OR event_id = $3)",
        params![filter.provider, filter.tournament, filter.event],
    )?;
    Ok((rows, total))
}

pub fn find_team(
    tx: &mut Tx,
    provider: Provider,
    sport: SportId,
    external_id: &str,
) -> Result<Option<TeamId>> {
    tx.opt(
        "SELECT team_id FROM feed_teams WHERE provider = $1 AND sport_id = $2 AND external_id = $3",
        params![provider, sport, external_id],
    )
}

pub fn upsert_team(
    tx: &mut Tx,
    provider: Provider,
    sport: SportId,
    external_id: &str,
    team: TeamId,
) -> Result<()> {
    tx.exec(
        "INSERT INTO feed_teams (provider, sport_id, external_id, team_id) VALUES ($1, $2, $3, $4)
         ON CONFLICT (provider, sport_id, external_id) DO UPDATE SET team_id = excluded.team_id",
        params![provider, sport, external_id, team],
    )
    .map(drop)
}

pub fn delete_team(
    tx: &mut Tx,
    provider: Provider,
    sport: SportId,
    external_id: &str,
) -> Result<()> {
    tx.exec(
        "DELETE FROM feed_teams WHERE provider = $1 AND sport_id = $2 AND external_id = $3",
        params![provider, sport, external_id],
    )
    .map(drop)
}

/// Forgets which matches of a team the provider's ids stand for; which they were.
pub fn delete_matches_of(tx: &mut Tx, provider: Provider, team: TeamId) -> Result<Vec<EventId>> {
    tx.all(
        "DELETE FROM feed_matches WHERE provider = $1
            AND event_id IN (SELECT id FROM events WHERE home_team_id = $2 OR away_team_id = $2)
         RETURNING event_id",
        params![provider, team],
    )
}

pub fn find_match_tournament(
    tx: &mut Tx,
    provider: Provider,
    external_id: &str,
) -> Result<Option<String>> {
    tx.opt(
        "SELECT tournament FROM feed_matches WHERE provider = $1 AND external_id = $2",
        params![provider, external_id],
    )
}

/// The match that a provider's id stands for, if it stands for one.
pub fn find_match(tx: &mut Tx, provider: Provider, external_id: &str) -> Result<Option<EventId>> {
    let found: Option<(Option<EventId>, String)> = tx.opt(
        "SELECT event_id, tournament FROM feed_matches WHERE provider = $1 AND external_id = $2",
        params![provider, external_id],
    )?;
    Ok(found.and_then(|(event, _)| event))
}

/// As if the provider had said of the match what is known of it, so that whatever it says next is news.
pub fn update_match(
    tx: &mut Tx,
    provider: Provider,
    external_id: &str,
    event: &EventRow,
) -> Result<()> {
    tx.exec(
        "UPDATE feed_matches SET event_id = $3, start_time = $4, venue = $5, held = NULL, held_since = NULL,
                start_time_confirmed = $6
         WHERE provider = $1 AND external_id = $2",
        params![
            provider,
            external_id,
            event.id,
            event.start_time,
            event.venue,
            event.start_time_confirmed
        ],
    )
    .map(drop)
}

pub fn delete_match(tx: &mut Tx, provider: Provider, external_id: &str) -> Result<bool> {
    let deleted = tx.exec(
        "DELETE FROM feed_matches WHERE provider = $1 AND external_id = $2",
        params![provider, external_id],
    )?;
    Ok(deleted > 0)
}
