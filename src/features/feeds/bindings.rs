//! What a provider's ids stand for, when an operator says so.
//!
//! A team's binding is changed together with those of its matches: their ids are looked for anew at the next poll. The matches
//! themselves stay as they are, because people have predicted them; which they are is answered, for the operator to look at.

use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::adapters::providers::Provider;
use crate::features::catalogue;
use crate::features::events::{self, EventId};
use crate::features::operators::{self, Change, Operator};
use crate::features::teams::{self, TeamId};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::texts::Text;
use crate::text_input;

use super::binding_store as store;
pub use super::binding_store::{
    MatchBindingView, TeamBindingView, list_match_bindings, list_team_bindings,
};

/// A provider's own name for a team or a match.
#[derive(Debug, Clone)]
pub struct ExternalId(String);

text_input!(ExternalId);

const LONGEST_ID: usize = 1_000;

impl TryFrom<&str> for ExternalId {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        let is_plain = !text.chars().any(char::is_control);
        let fits = (1..=LONGEST_ID).contains(&text.chars().count());
        if is_plain && fits {
            Ok(Self(text.to_owned()))
        } else {
            Err(text!("Must be 1 to 1000 characters, none of them a control character."))
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct TeamFilter {
    pub provider: Option<Provider>,
    pub team: Option<TeamId>,
}

#[derive(Debug, Clone)]
pub struct MatchFilter {
    pub provider: Option<Provider>,
    pub tournament: Option<String>,
    pub event: Option<EventId>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Released {
    /// The matches that the provider's ids no longer stand for. The next poll looks for them anew; one that it does not find again is
    /// followed by this provider no more.
    #[schema(value_type = Vec<i64>)]
    released_events: Vec<EventId>,
}

pub fn bind_team(
    tx: &mut Tx,
    operator: &Operator,
    provider: Provider,
    ExternalId(id): &ExternalId,
    team: TeamId,
) -> Result<Released> {
    catalogue::take_turn(tx)?;
    let sport = teams::find_sport_of(tx, team)?.ok_or(not_found!("team"))?;
    let known = store::find_team(tx, provider, sport, id)?;
    let before = known.filter(|before| *before != team);
    store::upsert_team(tx, provider, sport, id, team)?;
    let released = release(tx, provider, before)?;
    let detail = json!({"team_id": team, "before": before, "released": released.released_events});
    let (subject, change) = (subject("team", provider, id), rebound("team_id", known, Some(team)));
    operators::audit_change(tx, operator, "feed.bind_team", &subject, &detail, &change)?;
    Ok(released)
}

pub fn unbind_team(
    tx: &mut Tx,
    operator: &Operator,
    provider: Provider,
    ExternalId(id): &ExternalId,
    team: TeamId,
) -> Result<Released> {
    catalogue::take_turn(tx)?;
    let sport = teams::find_sport_of(tx, team)?.ok_or(not_found!("team"))?;
    if store::find_team(tx, provider, sport, id)? != Some(team) {
        return Err(not_found!("binding"));
    }
    store::delete_team(tx, provider, sport, id)?;
    let released = release(tx, provider, Some(team))?;
    let detail = json!({"team_id": team, "released": released.released_events});
    let (subject, change) = (subject("team", provider, id), rebound("team_id", Some(team), None));
    operators::audit_change(tx, operator, "feed.unbind_team", &subject, &detail, &change)?;
    Ok(released)
}

fn release(tx: &mut Tx, provider: Provider, team: Option<TeamId>) -> Result<Released> {
    let mut released_events = match team {
        Some(team) => store::delete_matches_of(tx, provider, team)?,
        None => Vec::new(),
    };
    released_events.sort_unstable();
    released_events.dedup();
    Ok(Released { released_events })
}

pub fn bind_match(
    tx: &mut Tx,
    operator: &Operator,
    provider: Provider,
    ExternalId(id): &ExternalId,
    event: EventId,
) -> Result<()> {
    catalogue::take_turn(tx)?;
    let slug = store::find_match_tournament(tx, provider, id)?.ok_or(not_found!("match"))?;
    let event = events::get(tx, event)?;
    let tournaments = events::imported_tournaments(tx, &[&slug])?;
    if tournaments.get(&slug).map(|tournament| tournament.id) != Some(event.tournament_id) {
        return Err(Error::invalid("event_id", text!("Is a match of another tournament.")));
    }
    let before = store::find_match(tx, provider, id)?;
    store::update_match(tx, provider, id, &event)?;
    let detail = json!({"event_id": event.id});
    let (subject, change) =
        (subject("match", provider, id), rebound("event_id", before, Some(event.id)));
    operators::audit_change(tx, operator, "feed.bind_match", &subject, &detail, &change)
}

pub fn unbind_match(
    tx: &mut Tx,
    operator: &Operator,
    provider: Provider,
    ExternalId(id): &ExternalId,
) -> Result<()> {
    catalogue::take_turn(tx)?;
    let before = store::find_match(tx, provider, id)?;
    if !store::delete_match(tx, provider, id)? {
        return Err(not_found!("binding"));
    }
    let (subject, change) = (subject("match", provider, id), rebound("event_id", before, None));
    operators::audit_change(tx, operator, "feed.unbind_match", &subject, &json!({}), &change)
}

/// What an id stood for and stands for, as the audit log shows it.
fn rebound<T: Serialize>(what: &str, before: Option<T>, after: Option<T>) -> Change {
    let state = |id: Option<T>| id.map_or(Value::Null, |id| json!({what: id}));
    Change { before: state(before), after: state(after) }
}

fn subject(what: &str, provider: Provider, id: &str) -> String {
    format!("{what} {id} of {}", provider.name())
}
