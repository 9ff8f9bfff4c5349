//! Matches as operators run them: all of a day, what each needs a person for, one as a whole, and new ones.
//!
//! Owns: what of a match needs a person, and since when.
//! Invariants: whatever needs a person is found whichever day it is of, as far as a week back for results that are not settled and
//! three days back for what providers say; a list costs the same however many matches were ever played.
//! Never: has a table, or decides what may be changed; it asks the features that know.

mod choice_routes;
pub mod routes;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::operator::{self, Lateness, Stretch};
use crate::features::events::{self, EventDetailsRow, EventId, EventRow};
use crate::features::feeds::{self, SourceRow};
use crate::features::operators::{self, AuditFilter, AuditRow};
use crate::features::settlement::{self, SettlementState};
use crate::platform::clock::{DAY_MS, MINUTE_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::http::page::Page;

/// A result is settled within seconds; one that is not after this has a reason.
const SETTLED_MS: i64 = 5 * MINUTE_MS;
/// Results that were not settled for so long are found among the jobs that fail.
const UNSETTLED_SINCE_MS: i64 = 7 * DAY_MS;
/// What a provider says of a match that is over for so long is nothing that needs a person today.
const HELD_SINCE_MS: i64 = 3 * DAY_MS;
/// Matches that are looked at of each sort of need.
const MOST: i64 = 100;
/// Rows of the audit log that are shown with a match.
const LAST_CHANGES: i64 = 20;

/// Why a match needs a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NeedKind {
    /// It should have begun.
    KickOffOverdue,
    /// It has been live for a quarter of an hour, and nobody has told a score.
    Silent,
    /// It began more than two and a half hours ago and has no result.
    ResultOverdue,
    /// What a provider says is not carried out.
    Held,
    /// It has a result, and predictions have not got their points.
    NotSettled,
}

/// Something about a match that needs a person.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Need {
    pub kind: NeedKind,
    #[schema(value_type = String, format = DateTime)]
    pub since: Timestamp,
    /// Of what is held: what is the matter, and who says so.
    #[schema(example = "football_data: it is said to be finished without a score that counts")]
    pub reason: Option<String>,
}

impl Need {
    const fn late((lateness, since): (Lateness, Timestamp)) -> Self {
        let kind = match lateness {
            Lateness::KickOff => NeedKind::KickOffOverdue,
            Lateness::Silent => NeedKind::Silent,
            Lateness::Result => NeedKind::ResultOverdue,
        };
        Self { kind, since, reason: None }
    }

    fn held(source: &SourceRow) -> Option<Self> {
        let reason = format!("{}: {}", source.provider.name(), source.held.as_ref()?);
        Some(Self { kind: NeedKind::Held, since: source.held_since?, reason: Some(reason) })
    }
}

/// A match with what operators look at.
pub struct DeskMatch {
    pub details: EventDetailsRow,
    pub predictions: i64,
    pub needs: Vec<Need>,
    pub sources: Vec<SourceRow>,
}

/// A page of matches by their start, voided ones too, and how many there are.
pub fn list(tx: &mut Tx, stretch: &Stretch, page: Page) -> Result<(Vec<DeskMatch>, i64)> {
    let (rows, total) = operator::list(tx, stretch, page)?;
    let unsettled = unsettled(tx)?;
    Ok((looked_at(tx, rows, &unsettled)?, total))
}

/// All matches that need a person, by their start; of each sort of need the first hundred.
pub fn list_in_need(tx: &mut Tx) -> Result<Vec<DeskMatch>> {
    let now = tx.now();
    let mut ids: BTreeSet<EventId> = operator::list_late(tx, MOST)?.into_iter().collect();
    let unsettled = unsettled(tx)?;
    ids.extend(&unsettled);
    ids.extend(feeds::list_held_events(tx, now.plus_ms(-HELD_SINCE_MS), MOST)?);
    let ids: Vec<EventId> = ids.into_iter().collect();
    let mut rows = events::list_details(tx, &ids)?;
    rows.sort_by_key(|row| (row.event.start_time, row.event.id));
    let mut found = looked_at(tx, rows, &unsettled)?;
    found.retain(|found| !found.needs.is_empty());
    Ok(found)
}

/// A match as a whole.
pub struct WholeMatch {
    pub desk: DeskMatch,
    pub settlement: SettlementState,
    pub final_at: Option<Timestamp>,
    /// What operators did about it, the newest first.
    pub changes: Vec<AuditRow>,
}

pub fn get(tx: &mut Tx, id: EventId) -> Result<WholeMatch> {
    let details = events::get_details(tx, id)?;
    let (settlement, final_at) = settlement::find(tx, &details.event)?;
    let about = AuditFilter { subject: Some(operator::subject(id)), ..AuditFilter::default() };
    let page = Page { number: 1, per_page: LAST_CHANGES };
    let (changes, _) = operators::list_audit(tx, &about, page)?;
    let unsettled = unsettled(tx)?;
    let desk = looked_at(tx, vec![details], &unsettled)?.pop();
    let desk = desk.ok_or(not_found!("event"))?;
    Ok(WholeMatch { desk, settlement, final_at, changes })
}

fn unsettled(tx: &mut Tx) -> Result<BTreeSet<EventId>> {
    let now = tx.now();
    let (from, to) = (now.plus_ms(-UNSETTLED_SINCE_MS), now.plus_ms(-SETTLED_MS));
    Ok(settlement::list_unsettled(tx, from, to, MOST)?.into_iter().collect())
}

fn looked_at(
    tx: &mut Tx,
    rows: Vec<EventDetailsRow>,
    unsettled: &BTreeSet<EventId>,
) -> Result<Vec<DeskMatch>> {
    let now = tx.now();
    let ids: Vec<EventId> = rows.iter().map(|row| row.event.id).collect();
    let counts: BTreeMap<EventId, i64> =
        events::predictions_counts(tx, &ids)?.into_iter().collect();
    let mut sources: BTreeMap<EventId, Vec<SourceRow>> = BTreeMap::new();
    for source in feeds::list_sources(tx, &ids)? {
        sources.entry(source.event_id).or_default().push(source);
    }
    let looked_at = rows.into_iter().map(|details| {
        let id = details.event.id;
        let sources = sources.remove(&id).unwrap_or_default();
        let needs = needs(&details.event, &sources, unsettled.contains(&id), now);
        let predictions = counts.get(&id).copied().unwrap_or(0);
        DeskMatch { details, predictions, needs, sources }
    });
    Ok(looked_at.collect())
}

fn needs(event: &EventRow, sources: &[SourceRow], is_unsettled: bool, now: Timestamp) -> Vec<Need> {
    let mut needs: Vec<Need> = operator::lateness(event, now).map(Need::late).into_iter().collect();
    if event.start_time > now.plus_ms(-HELD_SINCE_MS) {
        needs.extend(sources.iter().filter_map(Need::held));
    }
    if let Some(entered) = event.result_at.filter(|_| is_unsettled) {
        let since = entered.plus_ms(SETTLED_MS);
        needs.push(Need { kind: NeedKind::NotSettled, since, reason: None });
    }
    needs
}
