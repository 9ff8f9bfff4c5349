//! Tournaments: what matches belong to, and how predictions on them earn points.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::teams::{Imported, SportId};
use crate::platform::db::{Tx, enum_column};
use crate::platform::error::{Error, Result};
use crate::text_input;

use super::TournamentId;
use super::tournament_store as store;

pub use super::tournament_store::TournamentRow;

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

pub struct NewTournament<'a> {
    pub slug: &'a str,
    pub sport: SportId,
    pub name: &'a str,
    pub logo: Option<&'a str>,
    pub scoring: Scoring,
    pub confidence_weighted: bool,
}

pub fn find(tx: &mut Tx, id: TournamentId) -> Result<Option<TournamentRow>> {
    store::find(tx, id)
}

pub fn get_tournament(tx: &mut Tx, id: TournamentId) -> Result<TournamentRow> {
    find(tx, id)?.ok_or(Error::NotFound("tournament"))
}

pub fn imported_tournaments(
    tx: &mut Tx,
    slugs: &[&str],
) -> Result<BTreeMap<String, Imported<TournamentId>>> {
    store::list_imported(tx, slugs)
}

/// The sports, by slug, of those of the tournaments that exist.
pub fn sports_of_tournaments(tx: &mut Tx, slugs: &[&str]) -> Result<BTreeMap<String, String>> {
    store::list_sports(tx, slugs)
}

pub fn add_tournament(tx: &mut Tx, new: &NewTournament<'_>, text: &str) -> Result<TournamentId> {
    super::listing_changes(tx);
    store::insert(tx, new, text)
}

pub fn change_tournament(
    tx: &mut Tx,
    id: TournamentId,
    new: &NewTournament<'_>,
    text: &str,
) -> Result<()> {
    super::listing_changes(tx);
    store::update(tx, id, new, text).map(drop)
}
