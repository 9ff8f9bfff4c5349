//! Which match a provider means.
//!
//! A provider's id decides. An id that was never seen, or that now stands for another pairing, is matched by what it
//! describes, so that a second provider and a re-issued id find the match that is already there.

use std::collections::{BTreeMap, BTreeSet};

use crate::adapters::providers::report::MatchState;
use crate::features::events::{EventId, EventRow, Status};
use crate::platform::clock::{DAY_MS, Timestamp};

use super::convert::{FeedMatch, FeedTeam};
use super::store::MatchRow;
use super::team_identity::{TeamIdentity, Teams};

/// A match that is to come may be moved this far and still be the same.
const SAME_MATCH_MS: i64 = 150 * DAY_MS;
/// One that has ended is the same only if it was played then; the next of this pairing may be next season's first. Nor is a
/// game that was played, or should have been, the one that is to come.
const SAME_RESULT_MS: i64 = 3 * DAY_MS;

/// Which match a report is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MatchIdentity {
    Known(EventId),
    New,
    /// Nobody can tell.
    Unclear(String),
}

/// How a match was found; the surest first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum FoundBy {
    Id,
    Description,
    /// An abandoned game is played again under its old id by one provider and under a new one by another: an id that stood for
    /// the game that does not count stands for another day's only if nothing else does.
    IdOfAnotherDay,
}

/// A match that a report may be about; the best one comes first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate<'a> {
    by: FoundBy,
    distance: i64,
    external_id: &'a str,
    event: EventId,
    place: usize,
}

/// The reports' matches, in the same order.
pub fn identify_all(
    reports: &[FeedMatch],
    teams: &Teams,
    bound: &BTreeMap<String, MatchRow>,
    events: &BTreeMap<EventId, EventRow>,
    now: Timestamp,
) -> Vec<MatchIdentity> {
    let sides: Vec<(TeamIdentity, TeamIdentity)> = reports
        .iter()
        .map(|report| (teams.identify(&report.home), teams.identify(&report.away)))
        .collect();
    let bound_to =
        |report: &FeedMatch| bound.get(&report.external_id).and_then(|known| known.event_id);
    let mut found: Vec<Option<MatchIdentity>> = reports
        .iter()
        .zip(&sides)
        .map(|(report, sides)| unclear_sides(report, *sides).map(MatchIdentity::Unclear))
        .collect();
    let mut candidates: Vec<Candidate<'_>> = Vec::new();
    for (place, (report, sides)) in reports.iter().zip(&sides).enumerate() {
        let pairing = events.values().filter(|event| is_pairing(event, *sides));
        candidates.extend(pairing.filter_map(|event| {
            let by = match bound_to(report) == Some(event.id) {
                true if is_of_another_day(report, event) => FoundBy::IdOfAnotherDay,
                true => FoundBy::Id,
                false if is_near(report, event, now) => FoundBy::Description,
                false => return None,
            };
            Some(Candidate {
                by,
                distance: distance(report, event),
                external_id: &report.external_id,
                event: event.id,
                place,
            })
        }));
    }
    // First the ids that stand for what they stood for, then what is nearest in time: never in the order of the answer.
    candidates.sort();
    let mut taken = BTreeSet::new();
    for candidate in candidates {
        if let Some(identity @ None) = found.get_mut(candidate.place)
            && taken.insert(candidate.event)
        {
            *identity = Some(MatchIdentity::Known(candidate.event));
        }
    }
    name_the_rest(reports, found, |event| taken.contains(&event), bound_to)
}

/// What was not found is new, unless the answer itself casts doubt on that.
fn name_the_rest(
    reports: &[FeedMatch],
    mut found: Vec<Option<MatchIdentity>>,
    is_taken: impl Fn(EventId) -> bool,
    bound_to: impl Fn(&FeedMatch) -> Option<EventId>,
) -> Vec<MatchIdentity> {
    let is_found =
        |identity: &Option<MatchIdentity>| matches!(identity, Some(MatchIdentity::Known(_)));
    let mut listed: Vec<&FeedMatch> = reports
        .iter()
        .zip(&found)
        .filter_map(|(report, identity)| is_found(identity).then_some(report))
        .collect();
    let mut rest: Vec<_> =
        reports.iter().zip(&mut found).filter(|(_, identity)| identity.is_none()).collect();
    rest.sort_by_key(|(report, _)| &report.external_id);
    for (report, identity) in rest {
        *identity = Some(match bound_to(report) {
            _ if listed.iter().any(|other| is_same(report, other)) => {
                MatchIdentity::Unclear("the provider lists it under two ids".to_owned())
            }
            // Somebody else now stands for the match that this id stood for: the id was given to another one.
            Some(event) if is_taken(event) => MatchIdentity::New,
            Some(_) => {
                MatchIdentity::Unclear("its id stood for another pairing or tournament".to_owned())
            }
            None => MatchIdentity::New,
        });
        listed.push(report);
    }
    found.into_iter().flatten().collect()
}

fn is_same(one: &FeedMatch, other: &FeedMatch) -> bool {
    one.home.external_id == other.home.external_id
        && one.away.external_id == other.away.external_id
        && one.kickoff.millis_since(other.kickoff).saturating_abs() <= SAME_RESULT_MS
}

fn unclear_sides(report: &FeedMatch, sides: (TeamIdentity, TeamIdentity)) -> Option<String> {
    match sides {
        (TeamIdentity::Unknown, _) => Some(unknown_team(&report.home)),
        (_, TeamIdentity::Unknown) => Some(unknown_team(&report.away)),
        (TeamIdentity::Known(home), TeamIdentity::Known(away)) if home == away => {
            Some("both sides are the same team".to_owned())
        }
        _ if report.home.external_id == report.away.external_id => {
            Some("both sides are the same team".to_owned())
        }
        _ => None,
    }
}

fn unknown_team(side: &FeedTeam) -> String {
    format!(
        "which team is meant by {} ({}) is not known; bind it, or name it in feeds.team_aliases",
        side.name.as_str(),
        side.external_id
    )
}

fn is_pairing(event: &EventRow, sides: (TeamIdentity, TeamIdentity)) -> bool {
    sides == (TeamIdentity::Known(event.home_team_id), TeamIdentity::Known(event.away_team_id))
}

fn distance(report: &FeedMatch, event: &EventRow) -> i64 {
    event.start_time.millis_since(report.kickoff).saturating_abs()
}

/// Whether one of the two does not count and the other is far from it.
fn is_of_another_day(report: &FeedMatch, event: &EventRow) -> bool {
    let is_void =
        event.is_void() || matches!(report.state, MatchState::Cancelled | MatchState::Abandoned);
    is_void && distance(report, event) > SAME_RESULT_MS
}

/// Whether the report may be about this match of the same pairing.
fn is_near(report: &FeedMatch, event: &EventRow, now: Timestamp) -> bool {
    let has_ended = event.status == Status::Finished || event.is_void();
    // Where no time is known, whenever it is played is its new one.
    let is_to_come =
        event.start_time_confirmed && event.status == Status::Scheduled && event.start_time > now;
    let is_exact = has_ended || is_to_come && is_behind(report, now);
    distance(report, event) <= if is_exact { SAME_RESULT_MS } else { SAME_MATCH_MS }
}

/// Whether the report is about a game that is over, is being played or should have been.
fn is_behind(report: &FeedMatch, now: Timestamp) -> bool {
    match report.state {
        MatchState::Live
        | MatchState::Finished
        | MatchState::Awarded
        | MatchState::Cancelled
        | MatchState::Abandoned => true,
        MatchState::Postponed => false,
        MatchState::Scheduled | MatchState::Unknown(_) => report.kickoff <= now,
    }
}
