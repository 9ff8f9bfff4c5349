//! Applying a plan in one transaction, through what the catalogue and its events offer to operators.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use crate::adapters::providers::Provider;
use crate::features::catalogue::{self, Logo};
use crate::features::events::operator::{self, EventChange, MatchUpdate};
use crate::features::events::{
    self, EventId, EventRow, Fixture, Kickoff, NewTournament, Scoring, Status, TournamentId,
    VoidReason,
};
use crate::features::teams::{self, NewTeam, SportId, TeamId};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::keys;

use super::claim::{FirstLook, Hold, LastSaid};
use super::convert::FeedTeam;
use super::decide::{self, PlannedChanges};
use super::difference::{self, Difference};
use super::names;
use super::plan::{self, Base, FeedAnswer, PlannedMatch, Step};
use super::source::Feed;
use super::store;
use super::team_identity::TeamIdentity;

/// Applies what an answer says. `expected` are the matches that change by what a read before has found: they are held before
/// they are read again, and a match that only now would change waits for the next poll.
pub fn apply(
    tx: &mut Tx,
    answer: FeedAnswer<'_>,
    expected: &BTreeSet<EventId>,
) -> Result<Vec<Option<Difference>>> {
    catalogue::take_turn(tx)?;
    events::hold(tx, &expected.iter().copied().collect::<Vec<_>>())?;
    let base = Base::read(tx, answer)?;
    let mut plan = plan::plan(answer, &base);
    if plan::is_idle(&plan, &base) {
        return Ok(difference::differences(&plan, &base));
    }
    let is_expected =
        |planned: &PlannedMatch| planned.changes().is_none_or(|(id, _)| expected.contains(&id));
    plan.retain(is_expected);
    let sport = sport(tx, answer.feed, base.sport)?;
    let tournament = tournament(tx, answer, sport, base.tournament)?;
    let sides = sides(tx, answer, sport, &base, &plan)?;
    add(tx, answer, tournament, &sides, &plan)?;
    change(tx, answer.provider, &base, &mut plan)?;
    note(tx, answer, &base, &plan)?;
    Ok(difference::differences(&plan, &base))
}

/// Items of a feed are written down without the text of a document, so an operator's document that names them is news.
const NO_DOCUMENT: &str = "";

fn sport(tx: &mut Tx, feed: &Feed, known: Option<SportId>) -> Result<SportId> {
    match known {
        Some(sport) => Ok(sport),
        None => teams::add_sport(tx, &feed.sport, &capitalised(&feed.sport), NO_DOCUMENT),
    }
}

fn tournament(
    tx: &mut Tx,
    answer: FeedAnswer<'_>,
    sport: SportId,
    known: Option<TournamentId>,
) -> Result<TournamentId> {
    if let Some(tournament) = known {
        return Ok(tournament);
    }
    let slug = &answer.feed.tournament;
    let name = answer.told.name.as_ref();
    let name = name.map_or_else(|| capitalised(slug), |name| name.as_str().to_owned());
    let new = NewTournament {
        slug,
        sport,
        name: &name,
        logo: None,
        scoring: Scoring::default(),
        confidence_weighted: false,
    };
    events::add_tournament(tx, &new, NO_DOCUMENT)
}

/// `table_tennis` as people write it.
fn capitalised(slug: &str) -> String {
    let words = slug.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The teams of all matches that are there or are to be added, by the provider's ids; new ones are added.
fn sides(
    tx: &mut Tx,
    answer: FeedAnswer<'_>,
    sport: SportId,
    base: &Base,
    plan: &[PlannedMatch],
) -> Result<BTreeMap<String, TeamId>> {
    let known = store::list_teams(tx, answer.provider, sport)?;
    let mut found = BTreeMap::new();
    for planned in plan {
        let is_new = match planned.step {
            Step::Add(_) => true,
            Step::Keep { .. } => false,
            Step::Hold { .. } => continue,
        };
        for side in [&planned.report.home, &planned.report.away] {
            if found.contains_key(&side.external_id) {
                continue;
            }
            let team = match base.teams.identify(side) {
                TeamIdentity::Known(team) => team,
                TeamIdentity::New if is_new => add_team(tx, sport, side)?,
                TeamIdentity::New | TeamIdentity::Unknown => continue,
            };
            if !known.contains_key(&side.external_id) {
                store::insert_team(tx, answer.provider, sport, side, team)?;
            }
            found.insert(side.external_id.clone(), team);
        }
    }
    Ok(found)
}

fn add_team(tx: &mut Tx, sport: SportId, side: &FeedTeam) -> Result<TeamId> {
    let slug = names::slug(side.name.as_str()).unwrap_or_else(|| "team".to_owned());
    let short: String = slug.chars().take(60).collect();
    let mut candidates = vec![slug];
    candidates.extend((2..100).map(|number| format!("{short}_{number}")));
    let all: Vec<&str> = candidates.iter().map(String::as_str).collect();
    let taken = teams::imported_teams(tx, &all)?;
    let free = candidates.iter().find(|slug| !taken.contains_key(*slug));
    let slug = free.ok_or_else(|| Error::internal("a hundred teams of one name"))?;
    let new = NewTeam {
        slug,
        sport,
        name: side.name.as_str(),
        logo: side.logo.as_ref().map(Logo::as_str),
        country: None,
        founded: None,
    };
    teams::add_team(tx, &new, NO_DOCUMENT)
}

fn add(
    tx: &mut Tx,
    answer: FeedAnswer<'_>,
    tournament: TournamentId,
    sides: &BTreeMap<String, TeamId>,
    plan: &[PlannedMatch],
) -> Result<()> {
    let mut new = Vec::new();
    for planned in plan {
        let Step::Add(look) = planned.step else { continue };
        let FirstLook { status, score, start_time, start_time_confirmed } = look;
        let team = |side: &FeedTeam| {
            let found = sides.get(&side.external_id).copied();
            found.ok_or_else(|| Error::internal("a side that was added is gone"))
        };
        let (home, away) = (team(&planned.report.home)?, team(&planned.report.away)?);
        let fixture = Fixture {
            tournament,
            home,
            away,
            start_time,
            start_time_confirmed,
            venue: planned.report.venue.clone(),
            status,
            home_score: score.map(|score| score.0),
            away_score: score.map(|score| score.1),
        };
        new.push((key(answer.provider, &planned.report.external_id, home, away), fixture, planned));
    }
    let fixtures: Vec<(&str, Fixture)> =
        new.iter().map(|(key, fixture, _)| (key.as_str(), fixture.clone())).collect();
    let added = events::import(tx, &fixtures)?;
    for ((_, _, planned), (id, _)) in new.iter().zip(added) {
        let mut written = decide::adopted(&events::get(tx, id)?);
        written.is_operators = false;
        written.outcome_by = (written.status == Status::Finished).then_some(answer.provider);
        store::upsert_written(tx, &written)?;
        let note = planned.note(Some(id));
        store::upsert_match(tx, answer.provider, &answer.feed.tournament, &note)?;
    }
    Ok(())
}

/// What the match is called in the catalogue. The teams are in it, because a provider may give an id to another pairing.
fn key(provider: Provider, external_id: &str, home: TeamId, away: TeamId) -> String {
    let is_short = external_id.len() <= 64 && external_id.bytes().all(|b| b.is_ascii_graphic());
    let id = if is_short {
        external_id.to_owned()
    } else {
        let digest: [u8; 32] = Sha256::digest(external_id.as_bytes()).into();
        keys::hex(&digest[..16])
    };
    format!("feed:{}:{id}:{}-{}", provider.name(), home.0, away.0)
}

/// Changes the matches that are there, in the order of their ids.
fn change(tx: &mut Tx, provider: Provider, base: &Base, plan: &mut [PlannedMatch]) -> Result<()> {
    let mut updates = Vec::new();
    for planned in plan.iter() {
        if let Some((event, changes)) = planned.changes()
            && let Some(before) = base.events.get(&event)
        {
            updates.push(match_update(before, changes, provider)?);
        }
    }
    updates.sort_by_key(|update| update.event);
    let refused = operator::update_all(tx, &updates)?;
    for planned in
        plan.iter_mut().filter(|planned| planned.event().is_some_and(|id| refused.contains(&id)))
    {
        if let Step::Keep { event, decision } = &mut planned.step {
            // The catalogue's rules are the last word, whatever was planned.
            decision.changes = PlannedChanges::default();
            decision.hold = Some(Hold::because("the catalogue does not allow it"));
            if let Some(written) = base.written.get(event) {
                decision.written = written.clone();
            }
            if let Some(before) = base.events.get(event) {
                planned.said = LastSaid::of(before);
            }
        }
    }
    Ok(())
}

fn match_update(
    before: &EventRow,
    changes: &PlannedChanges,
    provider: Provider,
) -> Result<MatchUpdate> {
    let reason = changes.void.map(|reason| format!("{reason}, says {}", provider.name()));
    let void = reason.as_deref().map(VoidReason::try_from).transpose().map_err(Error::internal)?;
    // A result is entered as one, but a void ends by a change of the status.
    let result = match changes.status {
        Some(Status::Finished) if !before.is_void() => changes.score,
        _ => None,
    };
    let score = changes.score.filter(|_| result.is_none());
    let start_time = changes.start_time.map(Kickoff::try_from).transpose();
    let (period, minute) = changes.playing.unwrap_or_default();
    let change = EventChange {
        start_time: start_time.map_err(Error::internal)?,
        start_time_confirmed: changes.is_time_open.then_some(false),
        venue: changes.venue.clone(),
        status: changes.status.filter(|_| result.is_none()),
        home_score: score.map(|score| score.0),
        away_score: score.map(|score| score.1),
        period,
        minute,
    };
    Ok(MatchUpdate { event: before.id, change, result, void })
}

/// Notes down what was said and written about the matches that are there.
fn note(tx: &mut Tx, answer: FeedAnswer<'_>, base: &Base, plan: &[PlannedMatch]) -> Result<()> {
    for planned in plan {
        match &planned.step {
            Step::Add(_) => continue,
            Step::Keep { event, decision }
                if base.written.get(event) != Some(&decision.written) =>
            {
                store::upsert_written(tx, &decision.written)?;
            }
            Step::Keep { .. } | Step::Hold { .. } => {}
        }
        let note = planned.note(planned.event());
        if planned.noted.as_ref() != Some(&note) {
            store::upsert_match(tx, answer.provider, &answer.feed.tournament, &note)?;
        }
    }
    Ok(())
}
