//! The catalogue of a first run: invented clubs, and matches around now so that there is something to see and to predict. Where the
//! demo plays (`src/features/demo/`), the clubs alone are loaded and it adds the matches.

use serde_json::{Map, Value, json};

use crate::features::{events, teams};
use crate::platform::clock::{DAY_MS, HOUR_MS, MINUTE_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::input::Valid;

use super::{Document, store};

/// A sport with its clubs (slug, name, country, founded) and the one tournament they play.
pub struct Side {
    pub sport: (&'static str, &'static str),
    pub tournament: (&'static str, &'static str, &'static str),
    pub clubs: &'static [(&'static str, &'static str, &'static str, i64)],
    /// More goals than this are rare.
    pub usual_goals: u64,
}

pub const SIDES: [Side; 2] = [
    Side {
        sport: ("football", "Football"),
        tournament: ("harbour_league", "Harbour League", "classic"),
        clubs: &[
            ("northgate_fc", "Northgate FC", "England", 1893),
            ("southbank_fc", "Southbank FC", "England", 1901),
            ("eastfield_rovers", "Eastfield Rovers", "England", 1887),
            ("westbrook_athletic", "Westbrook Athletic", "England", 1910),
            ("harbour_town", "Harbour Town", "Wales", 1899),
            ("kingsmoor_united", "Kingsmoor United", "England", 1924),
            ("ravenscar_albion", "Ravenscar Albion", "England", 1882),
            ("lindale_wanderers", "Lindale Wanderers", "Scotland", 1905),
            ("glenmarra", "Glenmarra", "Scotland", 1931),
            ("port_ellery", "Port Ellery", "Ireland", 1947),
            ("ashcombe_city", "Ashcombe City", "England", 1896),
            ("saltmarsh_fc", "Saltmarsh FC", "England", 1919),
            ("bryncoed", "Bryncoed", "Wales", 1928),
            ("oldchapel_stars", "Oldchapel Stars", "Ireland", 1953),
            ("millbridge_town", "Millbridge Town", "England", 1890),
            ("fenwick_park", "Fenwick Park", "England", 1936),
        ],
        usual_goals: 4,
    },
    Side {
        sport: ("ice_hockey", "Ice Hockey"),
        tournament: ("polar_cup", "Polar Cup", "kicktipp"),
        clubs: &[
            ("nordhavn_bears", "Nordhavn Bears", "Denmark", 1958),
            ("lumijarvi", "Lumijärvi", "Finland", 1949),
            ("isfjell_hk", "Isfjell HK", "Norway", 1961),
            ("storvik_lions", "Storvik Lions", "Sweden", 1938),
            ("tarnow_wolves", "Tarnów Wolves", "Poland", 1966),
            ("bergsee_adler", "Bergsee Adler", "Austria", 1972),
            ("kaltenbach_ec", "Kaltenbach EC", "Germany", 1955),
            ("silverlake_storm", "Silverlake Storm", "Canada", 1944),
        ],
        usual_goals: 6,
    },
];

/// Loads the demo into a catalogue that nobody has imported anything into. Answers whether it did.
pub fn load(tx: &mut Tx) -> Result<bool> {
    load_into_empty(tx, |now| SIDES.iter().flat_map(|side| fixtures(side, now)).collect())
}

/// The same without matches.
pub fn load_clubs(tx: &mut Tx) -> Result<bool> {
    load_into_empty(tx, |_| Vec::new())
}

fn load_into_empty(tx: &mut Tx, events: impl Fn(Timestamp) -> Vec<Value>) -> Result<bool> {
    // Held before looking, so that of nodes that start at once one loads it.
    store::take_turn(tx)?;
    if !teams::is_empty(tx)? {
        return Ok(false);
    }
    let document = document(events(tx.now()))?;
    super::import(tx, &document)?;
    Ok(true)
}

fn document(events: Vec<Value>) -> Result<Document> {
    let mut object = clubs();
    object.insert("events".to_owned(), events.into());
    Ok(Valid::of(object).map_err(|error| Error::internal(error.to_string()))?.0)
}

/// Whether the clubs and tournaments of the demo are in the catalogue.
pub fn is_loaded(tx: &mut Tx) -> Result<bool> {
    let clubs: Vec<&str> =
        SIDES.iter().flat_map(|side| side.clubs.iter().map(|(slug, ..)| *slug)).collect();
    let tournaments: Vec<&str> = SIDES.iter().map(|side| side.tournament.0).collect();
    let there = events::imported_tournaments(tx, &tournaments)?;
    Ok(there.len() == tournaments.len() && teams::imported_teams(tx, &clubs)?.len() == clubs.len())
}

/// Everything but the events, as it would be written by hand.
pub fn clubs() -> Map<String, Value> {
    let mut object = Map::new();
    let sports = SIDES.iter().map(|side| json!({"slug": side.sport.0, "name": side.sport.1}));
    object.insert("sports".to_owned(), sports.collect());
    let team = |sport: &str, (slug, name, country, founded): &(&str, &str, &str, i64)| {
        json!({"slug": slug, "name": name, "sport": sport, "country": country, "founded": founded,
               "logo": format!("/crests/{slug}.svg")})
    };
    let teams =
        SIDES.iter().flat_map(|side| side.clubs.iter().map(move |club| team(side.sport.0, club)));
    object.insert("teams".to_owned(), teams.collect());
    let tournaments = SIDES.iter().map(|side| {
        let (slug, name, scoring) = side.tournament;
        json!({"slug": slug, "name": name, "sport": side.sport.0, "scoring": scoring,
               "logo": format!("/crests/{slug}.svg")})
    });
    object.insert("tournaments".to_owned(), tournaments.collect());
    object
}

/// Rounds in which every club plays: one played, one being played, and two to come.
fn fixtures(side: &Side, now: Timestamp) -> Vec<Value> {
    // As fixtures are written: to the minute.
    let whole = |unit: i64| now.plus_ms(-now.as_millis().rem_euclid(unit));
    let (this_minute, this_hour) = (whole(MINUTE_MS), whole(HOUR_MS));
    let mut events = Vec::new();
    for (round, days) in (1..).zip([-7, -3, 0, 4, 11]) {
        for (at, (home, away)) in (0_i64..).zip(pairs(side.clubs.len(), round)) {
            let (Some(home), Some(away)) = (side.clubs.get(home), side.clubs.get(away)) else {
                continue;
            };
            // Today two matches are on; the others follow, a couple every two hours.
            let start = match (days, at) {
                (0, 0) => this_minute.plus_ms(-55 * MINUTE_MS),
                (0, 1) => this_minute.plus_ms(-20 * MINUTE_MS),
                _ => this_hour.plus_ms(days * DAY_MS + (1 + at / 2) * 2 * HOUR_MS),
            };
            let status = match (days, at) {
                (..=-1, _) => "finished",
                (0, 0 | 1) => "live",
                _ => "scheduled",
            };
            let goals = |club: &str| (status != "scheduled").then(|| goals(club, round, side));
            events.push(json!({
                "key": format!("demo:{}:{round}:{}", side.tournament.0, at + 1),
                "tournament": side.tournament.0, "home": home.0, "away": away.0,
                "start_time": start, "venue": format!("{} Park", home.1), "status": status,
                "home_score": goals(home.0), "away_score": goals(away.0),
            }));
        }
    }
    events
}

/// Who meets whom in a round, by the circle method: the first stays, the others move on one place.
pub fn pairs(clubs: usize, round: usize) -> Vec<(usize, usize)> {
    let others = clubs.saturating_sub(1);
    let place = |at: usize| match at {
        0 => Some(0),
        _ => (at - 1 + round).checked_rem(others).map(|moved| moved + 1),
    };
    let pair = |at: usize| {
        let (one, other) = (place(at)?, place(clubs - 1 - at)?);
        // Home and away take turns.
        Some(if (at + round).is_multiple_of(2) { (one, other) } else { (other, one) })
    };
    (0..clubs / 2).filter_map(pair).collect()
}

/// The same score for the same club and round, so that a demo can be talked about.
fn goals(club: &str, round: usize, side: &Side) -> u64 {
    let sum = club.bytes().fold(round, |sum, byte| sum * 31 % 1009 + usize::from(byte));
    u64::try_from(sum).unwrap_or(0) % side.usual_goals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::events::Status;
    use std::collections::BTreeSet;

    #[test]
    fn in_a_round_every_club_plays_once() {
        for (clubs, round) in [(16, 1), (16, 15), (8, 3)] {
            let pairs = pairs(clubs, round);
            let playing: BTreeSet<usize> =
                pairs.iter().flat_map(|(home, away)| [*home, *away]).collect();
            assert_eq!((pairs.len(), playing.len()), (clubs / 2, clubs));
        }
    }

    #[test]
    fn the_demo_has_matches_of_every_status_whenever_it_is_loaded() {
        for hour in 0..24 {
            let now = Timestamp::parse("2026-11-15T00:30:29.999Z").unwrap().plus_ms(hour * HOUR_MS);
            let events = SIDES.iter().flat_map(|side| fixtures(side, now)).collect();
            let document = document(events).unwrap();
            assert_eq!(document.teams().len(), 24);
            for event in document.events() {
                let is_past = event.start_time.get() <= now;
                assert_eq!(event.status() == Status::Scheduled, !is_past);
                assert_eq!(event.start_time.get().as_millis().rem_euclid(MINUTE_MS), 0);
            }
            for status in [Status::Live, Status::Scheduled, Status::Finished] {
                assert!(document.events().iter().any(|event| event.status() == status));
            }
        }
    }
}
