//! Which team a provider means.
//!
//! A provider's id decides. One that was never seen is looked for by its name among the teams that this provider has no other id
//! for: two ids of one provider are two clubs, however alike they are called.

use std::collections::{BTreeMap, BTreeSet};

use crate::adapters::providers::Provider;
use crate::features::teams::TeamId;

use super::convert::FeedTeam;
use super::names;

/// Who a side is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TeamIdentity {
    Known(TeamId),
    /// Not in the catalogue, and this provider may add it.
    New,
    /// Not known by this name, and a team of the tournament may well be meant.
    Unknown,
}

/// How alike a name and a team are; the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Alias,
    Slug,
    FoldedName,
}

/// The catalogue's teams by what they may be called.
#[derive(Debug, Default)]
pub struct TeamNames {
    by_slug: BTreeMap<String, TeamId>,
    by_folded_name: BTreeMap<String, Vec<(TeamId, String)>>,
    /// Slugs by folded names.
    aliases: BTreeMap<String, String>,
}

impl TeamNames {
    pub fn new(all: Vec<(TeamId, String, String)>, aliases: BTreeMap<String, String>) -> Self {
        let mut names = Self { aliases, ..Self::default() };
        for (id, slug, name) in all {
            names.by_slug.insert(slug, id);
            names.by_folded_name.entry(names::folded(&name)).or_default().push((id, name));
        }
        names
    }

    /// The teams that may be meant by a name, the surest first.
    fn find(&self, name: &str) -> Vec<(Likeness, TeamId)> {
        let folded = names::folded(name);
        let by_slug = |slug: &String| self.by_slug.get(slug).copied();
        let alias = self.aliases.get(&folded).and_then(by_slug);
        let slug = names::slug(name).as_ref().and_then(by_slug);
        let alike = self.by_folded_name.get(&folded).into_iter().flatten();
        let alike: Vec<TeamId> =
            alike.filter(|(_, other)| names::may_be_one(name, other)).map(|(id, _)| *id).collect();
        // Two teams that may be meant are none.
        let alike = if let [only] = alike[..] { Some(only) } else { None };
        [(Likeness::Alias, alias), (Likeness::Slug, slug), (Likeness::FoldedName, alike)]
            .into_iter()
            .filter_map(|(likeness, team)| Some((likeness, team?)))
            .collect()
    }
}

/// Who the sides of an answer are, by the provider's ids.
#[derive(Debug, Default)]
pub struct Teams(BTreeMap<String, TeamIdentity>);

impl Teams {
    /// `bound` are the provider's ids that are known, and `may_add` whether unknown names are new teams.
    pub fn new<'a>(
        provider: Provider,
        bound: &BTreeMap<String, TeamId>,
        names: &TeamNames,
        sides: impl Iterator<Item = &'a FeedTeam>,
        may_add: bool,
    ) -> Self {
        // Each id with each of its names once, so that the order of the answer decides nothing.
        let sides: BTreeSet<(&str, &str)> =
            sides.map(|side| (side.external_id.as_str(), side.name.as_str())).collect();
        let told: BTreeSet<&str> = sides.iter().map(|(id, _)| *id).collect();
        let stranger = if may_add { TeamIdentity::New } else { TeamIdentity::Unknown };
        let mut found = BTreeMap::new();
        let mut claims: BTreeSet<(TeamId, Likeness, &str)> = BTreeSet::new();
        for (id, name) in sides {
            if let Some(team) = bound.get(id) {
                found.insert(id.to_owned(), TeamIdentity::Known(*team));
                continue;
            }
            let (taken, free): (Vec<_>, Vec<_>) = names
                .find(name)
                .into_iter()
                .partition(|(_, team)| bound.values().any(|bound| bound == team));
            claims.extend(free.first().map(|(likeness, team)| (*team, *likeness, id)));
            let is_respelt = |team: TeamId| {
                let ids = bound.iter().filter(|(_, bound)| **bound == team);
                !provider.has_ids() && !ids.map(|(id, _)| id.as_str()).any(|id| told.contains(id))
            };
            // Where names are the ids, a club may have come to be spelt otherwise.
            let is_doubtful = taken.iter().any(|(_, team)| is_respelt(*team));
            let identity = if is_doubtful { TeamIdentity::Unknown } else { stranger };
            found.entry(id.to_owned()).or_insert(identity);
        }
        settle(&claims, &mut found);
        Self(found)
    }

    pub fn identify(&self, side: &FeedTeam) -> TeamIdentity {
        self.0.get(&side.external_id).copied().unwrap_or(TeamIdentity::Unknown)
    }
}

/// A team is the id's whose name is most like it; if two are as much like it, nobody can tell.
fn settle(claims: &BTreeSet<(TeamId, Likeness, &str)>, found: &mut BTreeMap<String, TeamIdentity>) {
    let mut best: BTreeMap<TeamId, (Likeness, BTreeSet<&str>)> = BTreeMap::new();
    for (team, likeness, id) in claims {
        let (surest, ids) = best.entry(*team).or_insert((*likeness, BTreeSet::new()));
        if surest == likeness {
            ids.insert(id);
        }
    }
    for (team, (_, ids)) in best {
        let identity =
            if ids.len() == 1 { TeamIdentity::Known(team) } else { TeamIdentity::Unknown };
        for id in ids {
            found.insert(id.to_owned(), identity);
        }
    }
}
