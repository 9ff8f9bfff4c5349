//! A match that an operator adds by hand.

use serde_json::{Value, json};

use crate::features::events::{
    self, EventId, Fixture, Kickoff, Status, TournamentId, Venue, hold_tournament,
};
use crate::features::operators::{self, Change, Operator};
use crate::features::teams::{self, SportId, TeamId};
use crate::platform::clock;
use crate::platform::db::Tx;
use crate::platform::error::{Error, FieldErrors, Result};
use crate::platform::keys;

use super::store;

/// A match to be added.
#[derive(Debug, Clone)]
pub struct NewEvent {
    pub tournament: TournamentId,
    pub home: TeamId,
    pub away: TeamId,
    pub start_time: Kickoff,
    pub start_time_confirmed: bool,
    pub venue: Venue,
}

/// Adds a match, as an import would. The same one twice is a press too many.
pub fn add(tx: &mut Tx, by: &Operator, new: &NewEvent) -> Result<EventId> {
    check(tx, new)?;
    let start = new.start_time.get();
    if store::find_same(tx, new.tournament, (new.home, new.away), start)?.is_some() {
        return Err(Error::Conflict {
            code: "event_exists",
            message: text!(
                "This match is there already: the same sides, in the same tournament, at the same time."
            ),
        });
    }
    let fixture = Fixture {
        tournament: new.tournament,
        home: new.home,
        away: new.away,
        start_time: start,
        start_time_confirmed: new.start_time_confirmed,
        venue: new.venue.clone(),
        status: Status::Scheduled,
        home_score: None,
        away_score: None,
    };
    // No document has it, so no import will ever name it.
    let key = format!("operator:{}", keys::hex(&clock::random_bytes::<12>()));
    let added = events::import(tx, &[(key.as_str(), fixture)])?;
    let id = added.first().map(|(id, _)| *id);
    let id = id.ok_or_else(|| Error::internal("a new match was not stored"))?;
    let after = super::state(&events::get(tx, id)?);
    let change = Change { before: Value::Null, after };
    let detail = json!({"tournament_id": new.tournament, "home_team_id": new.home, "away_team_id": new.away});
    operators::audit_change(tx, by, "event.add", &super::subject(id), &detail, &change)?;
    Ok(id)
}

fn check(tx: &mut Tx, new: &NewEvent) -> Result<()> {
    let mut errors = FieldErrors::default();
    // Held, so that of two presses at once the second sees what the first one made.
    let tournament = hold_tournament(tx, new.tournament)?;
    if tournament.is_none() {
        errors.add("tournament_id", text!("There is no such tournament."));
    }
    let sport = tournament.map(|tournament| tournament.sport_id);
    for (field, team) in [("home_team_id", new.home), ("away_team_id", new.away)] {
        let is_other = |plays: &SportId| sport.is_some_and(|sport| sport != *plays);
        match teams::find_sport_of(tx, team)? {
            None => errors.add(field, text!("There is no such team.")),
            Some(plays) if is_other(&plays) => {
                errors.add(field, text!("Plays another sport than the tournament."));
            }
            Some(_) => {}
        }
    }
    if new.home == new.away {
        errors.add("away_team_id", text!("A team cannot play itself."));
    }
    if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
}
