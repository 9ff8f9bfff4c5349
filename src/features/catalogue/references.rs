//! Whether everything that a document refers to is there, in the document itself or from an import before.

use std::collections::BTreeSet;

use crate::features::{events, teams};
use crate::platform::db::Tx;
use crate::platform::error::{FieldErrors, Result};

use super::{Document, Slug};

/// Complains about the whole document at once, before anything is written.
pub(super) fn check(tx: &mut Tx, document: &Document) -> Result<()> {
    let mut errors = FieldErrors::default();
    document.check(&mut errors);
    check_sports(tx, document, &mut errors)?;
    check_events(tx, document, &mut errors)?;
    if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
}

fn check_sports(tx: &mut Tx, document: &Document, errors: &mut FieldErrors) -> Result<()> {
    let of_teams = document.teams().iter().map(|item| ("teams", &item.sport));
    let of_tournaments = document.tournaments().iter().map(|item| ("tournaments", &item.sport));
    let listed: BTreeSet<&str> = document.sports().iter().map(|item| item.slug.as_str()).collect();
    let wanted: Vec<&str> =
        of_teams.clone().chain(of_tournaments.clone()).map(|(_, sport)| sport.as_str()).collect();
    let stored = teams::imported_sports(tx, &wanted)?;
    for (at, (list, sport)) in of_teams.enumerate().chain(of_tournaments.enumerate()) {
        let sport = sport.as_str();
        if !listed.contains(sport) && !stored.contains_key(sport) {
            errors.add(
                &format!("{list}.{at}.sport"),
                text!("There is no sport {sport}.", sport = sport),
            );
        }
    }
    Ok(())
}

fn check_events(tx: &mut Tx, document: &Document, errors: &mut FieldErrors) -> Result<()> {
    let items = document.events();
    let sides: Vec<&str> =
        items.iter().flat_map(|item| [item.home.as_str(), item.away.as_str()]).collect();
    let names: Vec<&str> = items.iter().map(|item| item.tournament.as_str()).collect();
    let mut team_sports = teams::sports_of_teams(tx, &sides)?;
    let mut tournament_sports = events::sports_of_tournaments(tx, &names)?;
    // What the document says of an item stands before what was imported earlier.
    let by_slug = |slug: &Slug, sport: &Slug| (slug.as_str().to_owned(), sport.as_str().to_owned());
    team_sports.extend(document.teams().iter().map(|item| by_slug(&item.slug, &item.sport)));
    let listed = document.tournaments().iter().map(|item| by_slug(&item.slug, &item.sport));
    tournament_sports.extend(listed);

    for (at, item) in items.iter().enumerate() {
        let tournament = item.tournament.as_str();
        let sport = tournament_sports.get(tournament);
        if sport.is_none() {
            let sentence = text!("There is no tournament {tournament}.", tournament = tournament);
            errors.add(&format!("events.{at}.tournament"), sentence);
        }
        for (field, team) in [("home", item.home.as_str()), ("away", item.away.as_str())] {
            let field = format!("events.{at}.{field}");
            match team_sports.get(team) {
                None => errors.add(&field, text!("There is no team {team}.", team = team)),
                Some(plays) if sport.is_some_and(|sport| sport != plays) => {
                    errors.add(&field, text!("Plays another sport than the tournament."));
                }
                Some(_) => {}
            }
        }
    }
    Ok(())
}
