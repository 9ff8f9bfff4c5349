//! The catalogue: what is played, as operators write it down in one document.
//!
//! Owns: the document's form, the order in which it is imported, and the `catalogue_lock` table by which imports take turns.
//! Invariants: a document is imported whole or not at all; importing it twice changes nothing the second time; only what changed in
//! the document since its last import is carried over; imports take turns.
//! Never: removes anything; what a document no longer lists stays.

pub mod demo;
mod document;
mod references;
pub mod routes;
mod store;

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::{self, EventId, Fixture, NewTournament, TournamentId};
use crate::features::teams::{self, ImportEffect, Imported, NewTeam, SportId, TeamId};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};

pub use document::{Document, Logo, Slug, Title};
use document::{EventItem, SportItem, TeamItem, TournamentItem};
pub use store::take_turn;

/// What an import did, and the ids of everything the document names.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = ImportOutcome)]
pub struct ImportSummary {
    /// Items that were new.
    created: i64,
    /// Items that the document changed since its last import.
    updated: i64,
    unchanged: i64,
    #[schema(value_type = BTreeMap<String, i64>, example = json!({"demo:1": 12}))]
    events: BTreeMap<String, EventId>,
    #[schema(value_type = BTreeMap<String, i64>, example = json!({"northgate_fc": 7}))]
    teams: BTreeMap<String, TeamId>,
    #[schema(value_type = BTreeMap<String, i64>, example = json!({"demo_league": 3}))]
    tournaments: BTreeMap<String, TournamentId>,
    #[schema(value_type = BTreeMap<String, i64>, example = json!({"football": 1}))]
    sports: BTreeMap<String, SportId>,
}

impl ImportSummary {
    fn count(&mut self, effect: ImportEffect) {
        match effect {
            ImportEffect::Created => self.created += 1,
            ImportEffect::Updated => self.updated += 1,
            ImportEffect::Unchanged => self.unchanged += 1,
        }
    }
}

/// Imports a document, whole or not at all.
pub fn import(tx: &mut Tx, document: &Document) -> Result<ImportSummary> {
    store::take_turn(tx)?;
    references::check(tx, document)?;
    let mut summary = ImportSummary::default();
    import_sports(tx, document.sports(), &mut summary)?;
    // What the document refers to without listing it is in the database: that was checked.
    let of_teams = document.teams().iter().map(|team| team.sport.as_str());
    let of_tournaments = document.tournaments().iter().map(|item| item.sport.as_str());
    let sports = teams::imported_sports(tx, &of_teams.chain(of_tournaments).collect::<Vec<_>>())?;
    import_teams(tx, document.teams(), &sports, &mut summary)?;
    import_tournaments(tx, document.tournaments(), &sports, &mut summary)?;
    import_events(tx, document.events(), &mut summary)?;
    Ok(summary)
}

/// What was imported, by its slug.
type Known<Id> = BTreeMap<String, Imported<Id>>;

fn id_of<Id: Copy>(known: &Known<Id>, slug: &str) -> Result<Id> {
    let found = known.get(slug).map(|item| item.id);
    found.ok_or_else(|| Error::internal("a reference that was checked is gone"))
}

fn text_of(item: &impl Serialize) -> Result<String> {
    serde_json::to_string(item).map_err(Error::internal)
}

/// Adds an item that is not there, changes one that the document changed, and leaves the others alone.
fn put<Id: Copy>(
    tx: &mut Tx,
    known: Option<&Imported<Id>>,
    text: &str,
    add: impl FnOnce(&mut Tx) -> Result<Id>,
    change: impl FnOnce(&mut Tx, Id) -> Result<()>,
) -> Result<(Id, ImportEffect)> {
    match known {
        None => Ok((add(tx)?, ImportEffect::Created)),
        Some(known) if known.text == text => Ok((known.id, ImportEffect::Unchanged)),
        Some(known) => {
            change(tx, known.id)?;
            Ok((known.id, ImportEffect::Updated))
        }
    }
}

fn import_sports(tx: &mut Tx, items: &[SportItem], summary: &mut ImportSummary) -> Result<()> {
    let slugs: Vec<&str> = items.iter().map(|item| item.slug.as_str()).collect();
    let known = teams::imported_sports(tx, &slugs)?;
    for item in items {
        let (slug, name, text) = (item.slug.as_str(), item.name.as_str(), text_of(item)?);
        let add = |tx: &mut Tx| teams::add_sport(tx, slug, name, &text);
        let change = |tx: &mut Tx, id| teams::change_sport(tx, id, name, &text);
        let (id, effect) = put(tx, known.get(slug), &text, add, change)?;
        summary.count(effect);
        summary.sports.insert(slug.to_owned(), id);
    }
    Ok(())
}

fn import_teams(
    tx: &mut Tx,
    items: &[TeamItem],
    sports: &Known<SportId>,
    summary: &mut ImportSummary,
) -> Result<()> {
    let slugs: Vec<&str> = items.iter().map(|item| item.slug.as_str()).collect();
    let known = teams::imported_teams(tx, &slugs)?;
    for item in items {
        let (slug, text) = (item.slug.as_str(), text_of(item)?);
        let team = NewTeam {
            slug,
            sport: id_of(sports, item.sport.as_str())?,
            name: item.name.as_str(),
            logo: item.logo.as_ref().map(document::Logo::as_str),
            country: item.country.as_ref().map(document::Title::as_str),
            founded: item.founded.map(document::Year::get),
        };
        let add = |tx: &mut Tx| teams::add_team(tx, &team, &text);
        let change = |tx: &mut Tx, id| teams::change_team(tx, id, &team, &text);
        let (id, effect) = put(tx, known.get(slug), &text, add, change)?;
        summary.count(effect);
        summary.teams.insert(slug.to_owned(), id);
    }
    Ok(())
}

fn import_tournaments(
    tx: &mut Tx,
    items: &[TournamentItem],
    sports: &Known<SportId>,
    summary: &mut ImportSummary,
) -> Result<()> {
    let slugs: Vec<&str> = items.iter().map(|item| item.slug.as_str()).collect();
    let known = events::imported_tournaments(tx, &slugs)?;
    for item in items {
        let (slug, text) = (item.slug.as_str(), text_of(item)?);
        let tournament = NewTournament {
            slug,
            sport: id_of(sports, item.sport.as_str())?,
            name: item.name.as_str(),
            logo: item.logo.as_ref().map(document::Logo::as_str),
            scoring: item.scoring.unwrap_or_default(),
            confidence_weighted: item.confidence_weighted.unwrap_or(false),
        };
        let add = |tx: &mut Tx| events::add_tournament(tx, &tournament, &text);
        let change = |tx: &mut Tx, id| events::change_tournament(tx, id, &tournament, &text);
        let (id, effect) = put(tx, known.get(slug), &text, add, change)?;
        summary.count(effect);
        summary.tournaments.insert(slug.to_owned(), id);
    }
    Ok(())
}

fn import_events(tx: &mut Tx, items: &[EventItem], summary: &mut ImportSummary) -> Result<()> {
    let sides = items.iter().flat_map(|item| [item.home.as_str(), item.away.as_str()]);
    let sides = teams::imported_teams(tx, &sides.collect::<Vec<_>>())?;
    let tournaments = items.iter().map(|item| item.tournament.as_str());
    let tournaments = events::imported_tournaments(tx, &tournaments.collect::<Vec<_>>())?;
    let mut fixtures = Vec::new();
    for item in items {
        let fixture = Fixture {
            tournament: id_of(&tournaments, item.tournament.as_str())?,
            home: id_of(&sides, item.home.as_str())?,
            away: id_of(&sides, item.away.as_str())?,
            start_time: item.start_time.get(),
            start_time_confirmed: item.start_time_confirmed.unwrap_or(true),
            venue: item.venue.clone().unwrap_or_default(),
            status: item.status(),
            home_score: item.home_score,
            away_score: item.away_score,
        };
        fixtures.push((item.key.as_str(), fixture));
    }
    let effects = events::import(tx, &fixtures)?;
    for (item, (id, effect)) in items.iter().zip(effects) {
        summary.count(effect);
        summary.events.insert(item.key.as_str().to_owned(), id);
    }
    Ok(())
}
