//! The `tournaments` table: what matches belong to, and how predictions on them earn points.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::teams::{Imported, SportId};
use crate::platform::db::{Tx, enum_column, params, row};
use crate::platform::error::{Error, Result};
use crate::text_input;

use super::TournamentId;

/// A preset of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scoring {
    #[default]
    Classic,
    Kicktipp,
    Super6,
    PremierLeague,
}

enum_column!(Scoring {
    Classic = "classic",
    Kicktipp = "kicktipp",
    Super6 = "super6",
    PremierLeague = "premier_league",
});
text_input!(Scoring);

impl TryFrom<&str> for Scoring {
    type Error = &'static str;

    fn try_from(word: &str) -> Result<Self, Self::Error> {
        match word {
            "classic" => Ok(Self::Classic),
            "kicktipp" => Ok(Self::Kicktipp),
            "super6" => Ok(Self::Super6),
            "premier_league" => Ok(Self::PremierLeague),
            _ => Err("Must be classic, kicktipp, super6 or premier_league."),
        }
    }
}

row! {
    #[derive(Debug, Clone)]
    pub struct TournamentRow {
        pub id: TournamentId,
        pub name: String,
        pub scoring: Scoring,
        pub confidence_weighted: bool,
    }
}

pub struct NewTournament<'a> {
    pub slug: &'a str,
    pub sport: SportId,
    pub name: &'a str,
    pub logo: Option<&'a str>,
    pub scoring: Scoring,
    pub confidence_weighted: bool,
}

pub fn find(tx: &mut Tx, id: TournamentId) -> Result<Option<TournamentRow>> {
    tx.opt(
        "SELECT id, name, scoring, confidence_weighted FROM tournaments WHERE id = $1",
        params![id],
    )
}

pub fn get_tournament(tx: &mut Tx, id: TournamentId) -> Result<TournamentRow> {
    find(tx, id)?.ok_or(Error::NotFound("tournament"))
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

pub fn change_tournament(
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
