//! Teams: who plays which sport, and which of them a user follows.
//!
//! Owns: the `sports`, `teams` and `favourite_teams` tables.
//! Invariants: a user has at most one primary and five other teams, all of which exist; a new choice replaces the old one whole.
//! Never: decides what is imported; the catalogue does.

mod crest;
pub mod routes;
mod store;

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::extends_core;
use crate::features::users::UserId;
use crate::id_input;
use crate::platform::cache::Cache;
use crate::platform::core::Core;
use crate::platform::db::{ChangeCounter, Tx, column};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;
use crate::platform::http::views::PreparedJson;
use crate::platform::search::contains_pattern;

pub use store::{
    BriefTeamRow, SportView, TeamRow, add_sport, add_team, change_sport, change_team, find,
    find_sport_of, imported_sports, imported_teams, is_empty, names_of_teams, sports_of_teams,
};

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[schema(value_type = i64, minimum = 1, example = 7)]
pub struct TeamId(pub i64);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(value_type = i64, minimum = 1, example = 1)]
pub struct SportId(pub i64);

column!(TeamId as i64);
column!(SportId as i64);
id_input!(TeamId, SportId);

/// Of a team or a sport, as the lists show them.
pub static CHANGES: ChangeCounter = ChangeCounter::new();

/// How late what other nodes change may be seen.
const KEPT: Duration = Duration::from_secs(1);

/// Teams and sports, with pages of their lists, which are the same for all users.
#[derive(Clone)]
pub struct Teams {
    core: Core,
    pages: Arc<Cache<(TeamFilter, Page), PreparedJson>>,
    sports: Arc<Cache<Page, PreparedJson>>,
}

extends_core!(Teams);

impl Teams {
    pub fn new(core: &Core) -> Self {
        let (pages, sports) = (Cache::new(256, KEPT), Cache::new(16, KEPT));
        Self { core: core.clone(), pages: Arc::new(pages), sports: Arc::new(sports) }
    }
}

const MOST_OTHER_TEAMS: usize = 5;
const PRIMARY_SLOT: i64 = 0;

/// Which teams are asked for; what is absent does not narrow.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct TeamFilter {
    pub sport: Option<SportId>,
    pub search: Option<String>,
}

/// The teams a user follows.
#[derive(Debug, Default)]
pub struct Favourites {
    pub primary: Option<BriefTeamRow>,
    pub others: Vec<BriefTeamRow>,
}

impl Favourites {
    /// Adds the team of a slot; they come in the order of their slots.
    pub fn add(&mut self, slot: i64, team: BriefTeamRow) {
        if slot == PRIMARY_SLOT {
            self.primary = Some(team);
        } else {
            self.others.push(team);
        }
    }
}

/// One page of teams by name, and how many there are in all.
pub fn list(tx: &mut Tx, filter: &TeamFilter, page: Page) -> Result<(Vec<TeamRow>, i64)> {
    let pattern = filter.search.as_deref().map(contains_pattern);
    store::list(tx, filter.sport, pattern.as_deref().unwrap_or("%"), page)
}

/// One page of sports by name, and how many there are in all.
pub fn list_sports(tx: &mut Tx, page: Page) -> Result<(Vec<SportView>, i64)> {
    store::list_sports(tx, page)
}

pub fn choose_primary(tx: &mut Tx, user: UserId, team: TeamId) -> Result<BriefTeamRow> {
    let found = store::find(tx, team)?.ok_or(not_found!("team"))?;
    store::upsert_favourite(tx, user, PRIMARY_SLOT, team)?;
    Ok(found)
}

/// Replaces the other teams by these, in this order. The same team twice is one team.
pub fn choose_others(tx: &mut Tx, user: UserId, teams: &[TeamId]) -> Result<Vec<BriefTeamRow>> {
    let mut chosen: Vec<TeamId> = Vec::new();
    for team in teams {
        if !chosen.contains(team) {
            chosen.push(*team);
        }
        if chosen.len() > MOST_OTHER_TEAMS {
            return Err(Error::invalid("team_ids", text!("At most five teams can be saved.")));
        }
    }
    let mut found = Vec::new();
    for (slot, team) in (1..).zip(chosen) {
        let Some(row) = store::find(tx, team)? else {
            return Err(Error::invalid(
                "team_ids",
                text!("There is no team {team}.", team = team.0),
            ));
        };
        store::upsert_favourite(tx, user, slot, team)?;
        found.push(row);
    }
    let last_slot = i64::try_from(found.len()).unwrap_or(i64::MAX);
    store::delete_favourites_after(tx, user, last_slot)?;
    Ok(found)
}

pub fn favourites(tx: &mut Tx, user: UserId) -> Result<Favourites> {
    let mut chosen = Favourites::default();
    for (slot, team) in store::list_favourites(tx, user)? {
        chosen.add(slot, team);
    }
    Ok(chosen)
}

/// Everything this feature knows about a user, for them to take away.
pub fn export(tx: &mut Tx, user: UserId) -> Result<serde_json::Value> {
    let chosen = favourites(tx, user)?;
    let names = |team: BriefTeamRow| json!({"id": team.id, "name": team.name});
    Ok(json!({
        "primary_team": chosen.primary.map(names),
        "other_teams": chosen.others.into_iter().map(names).collect::<Vec<_>>(),
    }))
}

pub fn forget(tx: &mut Tx, user: UserId) -> Result<()> {
    store::delete_favourites(tx, user).map(drop)
}

// What the catalogue imports.

/// An item as it is stored: its id, and the text that it was last imported from.
#[derive(Debug, Clone)]
pub struct Imported<Id> {
    pub id: Id,
    pub text: String,
}

/// What an import did to an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportEffect {
    Created,
    Updated,
    Unchanged,
}

pub struct NewTeam<'a> {
    pub slug: &'a str,
    pub sport: SportId,
    pub name: &'a str,
    pub logo: Option<&'a str>,
    pub country: Option<&'a str>,
    pub founded: Option<i64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_search_is_a_wildcard() {
        assert_eq!(contains_pattern(r"50%_\É"), r"%50\%\_\\é%");
    }
}
