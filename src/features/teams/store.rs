//! The `sports`, `teams` and `favourite_teams` tables.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::users::UserId;
use crate::platform::db::{FromColumn, Tx, params, row};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;
use crate::platform::search::fold;

use super::{CHANGES, Imported, NewTeam, SportId, TeamId};

row! {
    #[derive(Debug, Serialize, ToSchema)]
    pub struct SportView {
        pub id: SportId,
        #[schema(example = "Football")]
        name: String,
        #[schema(example = "football")]
        slug: String,
    }
}

row! {
    #[derive(Debug)]
    pub struct TeamRow {
        pub id: TeamId,
        pub name: String,
        pub slug: String,
        pub logo: Option<String>,
        pub country: Option<String>,
        pub founded: Option<i64>,
        pub sport: SportView,
    }
}

row! {
    #[derive(Debug, Clone)]
    pub struct BriefTeamRow {
        pub id: TeamId,
        pub name: String,
        pub logo: Option<String>,
    }
}

pub fn find(tx: &mut Tx, id: TeamId) -> Result<Option<BriefTeamRow>> {
    tx.opt("SELECT id, name, logo FROM teams WHERE id = $1", params![id])
}

/// Whether nothing was ever imported.
pub fn is_empty(tx: &mut Tx) -> Result<bool> {
    let found: Option<i64> = tx.opt("SELECT id FROM sports LIMIT 1", params![])?;
    Ok(found.is_none())
}

pub fn list(
    tx: &mut Tx,
    sport: Option<SportId>,
    pattern: &str,
    page: Page,
) -> Result<(Vec<TeamRow>, i64)> {
    let rows = tx.all(
        r"SELECT t.id, t.name, t.slug, t.logo, t.country, t.founded, s.id, s.name, s.slug
          FROM teams t JOIN sports s ON s.id = t.sport_id
          WHERE (CAST($1 AS BIGINT) IS NULL OR t.sport_id = $1) AND t.name_folded LIKE $2 ESCAPE '\'
          ORDER BY t.name, t.id LIMIT $3 OFFSET $4",
        params![sport, pattern, page.per_page, page.offset()],
    )?;
    let total = tx.one(
        r"SELECT count(*) FROM teams
          WHERE (CAST($1 AS BIGINT) IS NULL OR sport_id = $1) AND name_folded LIKE $2 ESCAPE '\'",
        params![sport, pattern],
    )?;
    Ok((rows, total))
}

pub fn list_sports(tx: &mut Tx, page: Page) -> Result<(Vec<SportView>, i64)> {
    let rows = tx.all(
        "SELECT id, name, slug FROM sports ORDER BY name, id LIMIT $1 OFFSET $2",
        params![page.per_page, page.offset()],
    )?;
    Ok((rows, tx.one("SELECT count(*) FROM sports", params![])?))
}

/// A user's favourite teams by their slots.
pub fn list_favourites(tx: &mut Tx, user: UserId) -> Result<Vec<(i64, BriefTeamRow)>> {
    tx.all(
        "SELECT f.slot, t.id, t.name, t.logo FROM favourite_teams f JOIN teams t ON t.id = f.team_id
         WHERE f.user_id = $1 ORDER BY f.slot",
        params![user],
    )
}

pub fn upsert_favourite(tx: &mut Tx, user: UserId, slot: i64, team: TeamId) -> Result<u64> {
    tx.exec(
        "INSERT INTO favourite_teams (user_id, slot, team_id) VALUES ($1, $2, $3)
         ON CONFLICT (user_id, slot) DO UPDATE SET team_id = excluded.team_id",
        params![user, slot, team],
    )
}

pub fn delete_favourites_after(tx: &mut Tx, user: UserId, slot: i64) -> Result<u64> {
    tx.exec("DELETE FROM favourite_teams WHERE user_id = $1 AND slot > $2", params![user, slot])
}

pub fn delete_favourites(tx: &mut Tx, user: UserId) -> Result<u64> {
    tx.exec("DELETE FROM favourite_teams WHERE user_id = $1", params![user])
}

pub fn imported_sports(tx: &mut Tx, slugs: &[&str]) -> Result<BTreeMap<String, Imported<SportId>>> {
    let rows = tx.all(
        "SELECT slug, id, imported FROM sports WHERE slug IN (SELECT value FROM json_each($1))",
        params![list_of(slugs)?],
    )?;
    Ok(by_slug(rows))
}

pub fn imported_teams(tx: &mut Tx, slugs: &[&str]) -> Result<BTreeMap<String, Imported<TeamId>>> {
    let rows = tx.all(
        "SELECT slug, id, imported FROM teams WHERE slug IN (SELECT value FROM json_each($1))",
        params![list_of(slugs)?],
    )?;
    Ok(by_slug(rows))
}

fn list_of(slugs: &[&str]) -> Result<String> {
    serde_json::to_string(slugs).map_err(Error::internal)
}

fn by_slug<Id: FromColumn>(rows: Vec<(String, Id, String)>) -> BTreeMap<String, Imported<Id>> {
    rows.into_iter().map(|(slug, id, text)| (slug, Imported { id, text })).collect()
}

/// The sports, by slug, of those of the teams that exist.
pub fn sports_of_teams(tx: &mut Tx, slugs: &[&str]) -> Result<BTreeMap<String, String>> {
    let rows: Vec<(String, String)> = tx.all(
        "SELECT t.slug, s.slug FROM teams t JOIN sports s ON s.id = t.sport_id
         WHERE t.slug IN (SELECT value FROM json_each($1))",
        params![list_of(slugs)?],
    )?;
    Ok(rows.into_iter().collect())
}

pub fn find_sport_of(tx: &mut Tx, team: TeamId) -> Result<Option<SportId>> {
    tx.opt("SELECT sport_id FROM teams WHERE id = $1", params![team])
}

pub fn add_sport(tx: &mut Tx, slug: &str, name: &str, imported: &str) -> Result<SportId> {
    tx.changes(&CHANGES);
    tx.one(
        "INSERT INTO sports (slug, name, imported) VALUES ($1, $2, $3) RETURNING id",
        params![slug, name, imported],
    )
}

pub fn change_sport(tx: &mut Tx, id: SportId, name: &str, imported: &str) -> Result<()> {
    tx.changes(&CHANGES);
    let sql = "UPDATE sports SET name = $2, imported = $3 WHERE id = $1";
    tx.exec(sql, params![id, name, imported]).map(drop)
}

pub fn add_team(tx: &mut Tx, team: &NewTeam<'_>, text: &str) -> Result<TeamId> {
    tx.changes(&CHANGES);
    let NewTeam { slug, sport, name, logo, country, founded } = *team;
    tx.one(
        "INSERT INTO teams (slug, sport_id, name, name_folded, logo, country, founded, imported)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id",
        params![slug, sport, name, fold(name), logo, country, founded, text],
    )
}

pub fn change_team(tx: &mut Tx, id: TeamId, team: &NewTeam<'_>, text: &str) -> Result<()> {
    tx.changes(&CHANGES);
    let NewTeam { sport, name, logo, country, founded, .. } = *team;
    tx.exec(
        "UPDATE teams SET sport_id = $2, name = $3, name_folded = $4, logo = $5, country = $6, founded = $7,
                imported = $8 WHERE id = $1",
        params![id, sport, name, fold(name), logo, country, founded, text],
    )
    .map(drop)
}

/// Every team of a sport with its slug and name.
pub fn names_of_teams(tx: &mut Tx, sport: SportId) -> Result<Vec<(TeamId, String, String)>> {
    tx.all("SELECT id, slug, name FROM teams WHERE sport_id = $1 ORDER BY id", params![sport])
}
