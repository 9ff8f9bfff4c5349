//! What an answer of a provider changes, worked out without writing anything. A dry run shows this, and an import does it.

use std::collections::{BTreeMap, BTreeSet};

use crate::adapters::providers::Provider;
use crate::features::events::{self, EventId, EventRow, TournamentId};
use crate::features::teams::{self, SportId};
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::Result;

use super::claim::{self, FirstLook, Hold, LastSaid};
use super::convert::{FeedMatch, FeedTournament};
use super::decide::{self, Decision, KnownMatch, LastWritten, PlannedChanges};
use super::identity::{self, MatchIdentity};
use super::source::Feed;
use super::store::{self, MatchRow};
use super::team_identity::{TeamNames, Teams};

/// What a provider told about the tournament of a feed, and the slugs of teams by the names that operators gave them.
#[derive(Clone, Copy)]
pub struct FeedAnswer<'a> {
    pub feed: &'a Feed,
    pub provider: Provider,
    pub told: &'a FeedTournament,
    pub aliases: &'a BTreeMap<String, String>,
}

/// Everything that an answer is compared with.
pub struct Base {
    pub sport: Option<SportId>,
    pub tournament: Option<TournamentId>,
    pub events: BTreeMap<EventId, EventRow>,
    pub teams: Teams,
    pub written: BTreeMap<EventId, LastWritten>,
    bound: BTreeMap<String, MatchRow>,
    now: Timestamp,
}

impl Base {
    pub fn read(tx: &mut Tx, answer: FeedAnswer<'_>) -> Result<Self> {
        let FeedAnswer { feed, provider, told, aliases } = answer;
        let sports = teams::imported_sports(tx, &[&feed.sport])?;
        let sport = sports.get(&feed.sport).map(|sport| sport.id);
        let tournaments = events::imported_tournaments(tx, &[&feed.tournament])?;
        let tournament = tournaments.get(&feed.tournament).map(|tournament| tournament.id);
        let (mut known_teams, mut names) = (BTreeMap::new(), Vec::new());
        if let Some(sport) = sport {
            known_teams = store::list_teams(tx, provider, sport)?;
            names = teams::names_of_teams(tx, sport)?;
        }
        let rows = match tournament {
            Some(tournament) => events::list_of_tournament(tx, tournament)?,
            None => Vec::new(),
        };
        let ids: Vec<EventId> = rows.iter().map(|event| event.id).collect();
        let external_ids: Vec<&str> =
            told.matches.iter().map(|report| report.external_id.as_str()).collect();
        let owner = store::find_feed(tx, &feed.tournament)?.and_then(|feed| feed.owner);
        let sides = told.matches.iter().flat_map(|report| [&report.home, &report.away]);
        let names = TeamNames::new(names, aliases.clone());
        Ok(Self {
            sport,
            tournament,
            teams: Teams::new(
                provider,
                &known_teams,
                &names,
                sides,
                may_add(feed, provider, owner),
            ),
            bound: store::list_matches(tx, provider, &external_ids)?,
            written: store::list_written(tx, &ids)?,
            events: rows.into_iter().map(|event| (event.id, event)).collect(),
            now: tx.now(),
        })
    }
}

/// Unknown names are new teams only from the provider that fed the tournament first, as long as it still does: from any
/// other they are more likely known teams under another name.
fn may_add(feed: &Feed, provider: Provider, owner: Option<Provider>) -> bool {
    owner.filter(|owner| feed.providers().contains(owner)).is_none_or(|owner| owner == provider)
}

/// What becomes of one match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Add(FirstLook),
    /// Change, or leave as it is; perhaps because it is held.
    Keep {
        event: EventId,
        decision: Box<Decision>,
    },
    /// Not in the catalogue, or not certainly.
    Hold {
        event: Option<EventId>,
        hold: Hold,
    },
}

/// One match of an answer, and what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedMatch {
    pub report: FeedMatch,
    pub step: Step,
    pub said: LastSaid,
    /// How the provider's id was noted down before.
    pub noted: Option<MatchRow>,
}

/// What becomes of each match of an answer, in its order.
pub fn plan(answer: FeedAnswer<'_>, base: &Base) -> Vec<PlannedMatch> {
    let matches = &answer.told.matches;
    let all = identity::identify_all(matches, &base.teams, &base.bound, &base.events, base.now);
    let plan = matches.iter().zip(all).map(|(report, identity)| {
        let noted = base.bound.get(&report.external_id).cloned();
        let step = step(answer, report, &identity, noted.as_ref(), base);
        let said = match (&step, &noted) {
            (Step::Keep { decision, .. }, _) => decision.said.clone(),
            (Step::Hold { .. }, Some(noted)) => noted.said(),
            _ => claim::said(report),
        };
        PlannedMatch { report: report.clone(), step, said, noted }
    });
    plan.collect()
}

fn step(
    answer: FeedAnswer<'_>,
    report: &FeedMatch,
    identity: &MatchIdentity,
    noted: Option<&MatchRow>,
    base: &Base,
) -> Step {
    let awarded = answer.feed.awarded;
    match identity {
        MatchIdentity::Known(id) => match base.events.get(id) {
            Some(event) => {
                // What an id said when it stood for another match says nothing about this one.
                let noted = noted.filter(|noted| noted.event_id == Some(*id));
                let said = noted.map(MatchRow::said);
                let written = base.written.get(id);
                let known = KnownMatch { event, written, said: said.as_ref() };
                let decision = decide::decide(report, answer.provider, awarded, known, base.now);
                Step::Keep { event: *id, decision: Box::new(decision) }
            }
            None => held(None, "it is gone"),
        },
        MatchIdentity::New => match claim::first_look(report, awarded, base.now) {
            Ok(look) => Step::Add(look),
            Err(hold) => Step::Hold { event: None, hold },
        },
        MatchIdentity::Unclear(words) => held(noted.and_then(|noted| noted.event_id), words),
    }
}

fn held(event: Option<EventId>, words: &str) -> Step {
    Step::Hold { event, hold: Hold::because(words) }
}

impl PlannedMatch {
    pub fn title(&self) -> String {
        format!("{} - {}", self.report.home.name.as_str(), self.report.away.name.as_str())
    }

    pub fn hold(&self) -> Option<&Hold> {
        match &self.step {
            Step::Add(_) => None,
            Step::Keep { decision, .. } => decision.hold.as_ref(),
            Step::Hold { hold, .. } => Some(hold),
        }
    }

    pub fn event(&self) -> Option<EventId> {
        match &self.step {
            Step::Add(_) => None,
            Step::Keep { event, .. } => Some(*event),
            Step::Hold { event, .. } => *event,
        }
    }

    /// What changes about a match that is there.
    pub fn changes(&self) -> Option<(EventId, &PlannedChanges)> {
        match &self.step {
            Step::Keep { event, decision } if !decision.changes.is_empty() => {
                Some((*event, &decision.changes))
            }
            _ => None,
        }
    }

    /// Whether this was not already so at the last poll.
    pub fn is_news(&self) -> bool {
        let noted = self.noted.as_ref().and_then(|noted| noted.held.as_deref());
        self.hold().is_none_or(|hold| noted != Some(hold.words.as_str()))
    }

    /// How the provider's id is to be noted down.
    pub fn note(&self, event: Option<EventId>) -> MatchRow {
        MatchRow {
            external_id: self.report.external_id.clone(),
            event_id: event,
            start_time: self.said.start_time,
            start_time_confirmed: self.said.start_time_confirmed,
            venue: self.said.venue.clone(),
            title: self.title(),
            held: self.hold().map(|hold| hold.words.clone()),
            told: Some(self.report.standing()),
        }
    }

    fn is_noted(&self) -> bool {
        let is_same = self.noted.as_ref() == Some(&self.note(self.event()));
        is_same && !matches!(self.step, Step::Add(_))
    }
}

/// Which matches the plan changes.
pub fn changed_events(plan: &[PlannedMatch]) -> BTreeSet<EventId> {
    plan.iter().filter_map(|planned| planned.changes().map(|(event, _)| event)).collect()
}

/// Whether applying the plan would leave everything as it is, the notes about it included.
pub fn is_idle(plan: &[PlannedMatch], base: &Base) -> bool {
    plan.iter().all(|planned| match &planned.step {
        Step::Keep { event, decision } => {
            decision.changes.is_empty()
                && planned.is_noted()
                && base.written.get(event) == Some(&decision.written)
        }
        _ => planned.is_noted(),
    })
}
