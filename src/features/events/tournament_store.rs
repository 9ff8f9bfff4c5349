//! The `tournaments` table.

use std::collections::BTreeMap;

use crate::features::teams::{Imported, SportId, SportView};
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;

use super::{NewTournament, Scoring, TournamentId};

row! {
    #[derive(Debug, Clone)]
    pub struct TournamentRow {
        pub id: TournamentId,
        pub sport_id: SportId,
        pub name: String,
        pub scoring: Scoring,
        pub confidence_weighted: bool,
    }
}

row! {
    /// A tournament as it is listed.
    #[derive(Debug)]
    pub struct ListedTournamentRow {
        pub id: TournamentId,
        pub name: String,
        pub slug: String,
        pub logo: Option<String>,
        pub sport: SportView,
    }
}

/// Each tournament of a sport, or of all, by name.
pub fn each_tournament(
    tx: &mut Tx,
    sport: Option<SportId>,
    visit: impl FnMut(ListedTournamentRow) -> Result<()>,
) -> Result<()> {
    tx.each(
        "SELECT t.id, t.name, t.slug, t.logo, s.id, s.name, s.slug
         FROM tournaments t JOIN sports s ON s.id = t.sport_id
         WHERE (CAST($1 AS BIGINT) IS NULL OR t.sport_id = $1) ORDER BY t.name, t.id",
        params![sport],
        visit,
    )
}

row! {
    /// A UTC day on which a tournament has matches.
    #[derive(Debug)]
    pub struct MatchDayRow {
        /// Days since 1970.
        pub day: i64,
        pub first_start_time: Timestamp,
        pub last_start_time: Timestamp,
        pub events: i64,
        pub scheduled: i64,
        pub live: i64,
        pub finished: i64,
    }
}

/// The number of an event's UTC day. Divisions round towards zero, so days are counted from 1900, before which no match begins.
macro_rules! utc_day {
    () => {
        "((start_time + 2208988800000) / 86400000 - 25567)"
    };
}

/// A page of the days on which a tournament has events that are not void, in order, and how many there are in all. The index
/// `events_of_tournament` finds the events; there are as many as a season has, so they are counted on the spot.
pub fn list_match_days(
    tx: &mut Tx,
    tournament: TournamentId,
    page: Page,
) -> Result<(Vec<MatchDayRow>, i64)> {
    let rows = tx.all(
        concat!(
            "SELECT ", utc_day!(), " AS day, min(start_time), max(start_time), count(*),
                    count(*) FILTER (WHERE status = 'scheduled'), count(*) FILTER (WHERE status = 'live'),
                    count(*) FILTER (WHERE status = 'finished')
             FROM events WHERE tournament_id = $1 AND voided_at IS NULL
             GROUP BY day ORDER BY day LIMIT $2 OFFSET $3"
        ),
        params![tournament, page.per_page, page.offset()],
    )?;
    let total = tx.one(
        concat!(
            "SELECT count(DISTINCT ",
            utc_day!(),
            ") FROM events WHERE tournament_id = $1 AND voided_at IS NULL"
        ),
        params![tournament],
    )?;
    Ok((rows, total))
}

macro_rules! select_tournament {
    ($rest:literal) => {
        concat!(
            "SELECT id, sport_id, name, scoring, confidence_weighted FROM tournaments WHERE id = $1",
            $rest
        )
    };
}

pub fn find_tournament(tx: &mut Tx, id: TournamentId) -> Result<Option<TournamentRow>> {
    tx.opt(select_tournament!(""), params![id])
}

/// The same, held until the end of the transaction.
pub fn hold_tournament(tx: &mut Tx, id: TournamentId) -> Result<Option<TournamentRow>> {
    tx.opt(select_tournament!(" FOR UPDATE"), params![id])
}

pub fn imported_tournaments(
    tx: &mut Tx,
    slugs: &[&str],
) -> Result<BTreeMap<String, Imported<TournamentId>>> {
    let slugs = serde_json::to_string(slugs).map_err(Error::internal)?;
    let rows: Vec<(String, TournamentId, String)> = tx.all(
        "SELECT slug, id, imported FROM tournaments WHERE slug IN (SELECT value FROM json_each($1))",
        params![slugs],
    )?;
    Ok(rows.into_iter().map(|(slug, id, text)| (slug, Imported { id, text })).collect())
}

/// The sports, by slug, of those of the tournaments that exist.
pub fn sports_of_tournaments(tx: &mut Tx, slugs: &[&str]) -> Result<BTreeMap<String, String>> {
    let slugs = serde_json::to_string(slugs).map_err(Error::internal)?;
    let rows: Vec<(String, String)> = tx.all(
        "SELECT t.slug, s.slug FROM tournaments t JOIN sports s ON s.id = t.sport_id
         WHERE t.slug IN (SELECT value FROM json_each($1))",
        params![slugs],
    )?;
    Ok(rows.into_iter().collect())
}

pub fn add_tournament(tx: &mut Tx, new: &NewTournament<'_>, text: &str) -> Result<TournamentId> {
    super::listing_changes(tx);
    tx.one(
        "INSERT INTO tournaments (slug, sport_id, name, logo, scoring, confidence_weighted, imported)
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
        params![new.slug, new.sport, new.name, new.logo, new.scoring, new.confidence_weighted, text],
    )
}

pub fn update_tournament(
    tx: &mut Tx,
    id: TournamentId,
    new: &NewTournament<'_>,
    text: &str,
) -> Result<()> {
    super::listing_changes(tx);
    tx.exec(
        "UPDATE tournaments SET sport_id = $2, name = $3, logo = $4, scoring = $5, confidence_weighted = $6, imported = $7
         WHERE id = $1",
        params![id, new.sport, new.name, new.logo, new.scoring, new.confidence_weighted, text],
    )
    .map(drop)
}
