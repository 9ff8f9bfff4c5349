//! A plan as people and programs are shown it: what is new, what changes field by field, and what is held.

use serde::Serialize;
use utoipa::ToSchema;

use crate::adapters::providers::Provider;
use crate::features::events::{EventId, EventRow, Minute, Period, Status};

use super::claim::FirstLook;
use super::convert::ScorePair;
use super::decide::PlannedChanges;
use super::plan::{Base, PlannedMatch, Step};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Effect)]
pub enum MatchEffect {
    Created,
    Changed,
    Held,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldChange {
    #[schema(example = "start_time")]
    pub field: &'static str,
    /// How it is; empty for a match that is new.
    #[schema(example = "2026-11-20T15:00:00.000Z")]
    pub from: String,
    #[schema(example = "2026-11-21T17:30:00.000Z")]
    pub to: String,
}

/// One match that is not left as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Difference {
    pub effect: MatchEffect,
    /// The provider's id of the match.
    #[schema(example = "537801")]
    pub external_id: String,
    #[schema(example = "Northgate FC - Southbank FC")]
    pub title: String,
    #[schema(value_type = Option<i64>)]
    pub event_id: Option<EventId>,
    pub fields: Vec<FieldChange>,
    /// Why it is held.
    pub reason: Option<String>,
    /// Whether it is held because two providers tell different results.
    pub is_disagreement: bool,
    /// Whether it was not held for the same reason before.
    #[serde(skip)]
    pub is_news: bool,
}

/// What an answer did, or would do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PollOutcome)]
pub struct PollSummary {
    #[schema(example = "premier_league")]
    pub tournament: String,
    /// Whose answer it is; null if no source gave one.
    pub provider: Option<Provider>,
    pub dry_run: bool,
    pub created: usize,
    pub changed: usize,
    pub held: usize,
    pub unchanged: usize,
    /// Matches whose sides are not known yet.
    pub undrawn: usize,
    pub differences: Vec<Difference>,
    /// What the answer has that cannot be read.
    pub problems: Vec<String>,
    /// Why sources before this one gave no answer.
    #[schema(example = json!(["football_data: timed out"]))]
    pub failures: Vec<String>,
}

impl PollSummary {
    pub fn unanswered(tournament: &str, dry_run: bool, failures: Vec<String>) -> Self {
        Self { tournament: tournament.to_owned(), dry_run, failures, ..Self::default() }
    }

    pub fn add(&mut self, differences: Vec<Option<Difference>>) {
        for difference in differences {
            match difference.as_ref().map(|difference| difference.effect) {
                None => self.unchanged += 1,
                Some(MatchEffect::Created) => self.created += 1,
                Some(MatchEffect::Changed) => self.changed += 1,
                Some(MatchEffect::Held) => self.held += 1,
            }
            self.differences.extend(difference);
        }
    }
}

const CONFIRMED: &str = "start_time_confirmed";

/// What the plan changes about each match, in their order; nothing for a match that stays as it is.
pub fn differences(plan: &[PlannedMatch], base: &Base) -> Vec<Option<Difference>> {
    plan.iter().map(|planned| difference(planned, base)).collect()
}

fn difference(planned: &PlannedMatch, base: &Base) -> Option<Difference> {
    let (effect, fields) = match &planned.step {
        Step::Hold { .. } => (MatchEffect::Held, Vec::new()),
        Step::Add(FirstLook { status, score, start_time, start_time_confirmed }) => {
            let mut fields = vec![
                field("start_time", String::new(), start_time.to_string()),
                field("status", String::new(), word(*status).to_owned()),
            ];
            if !start_time_confirmed {
                fields.push(field(CONFIRMED, String::new(), "no".to_owned()));
            }
            if let Some(score) = score {
                fields.push(field("score", String::new(), shown(Some(*score))));
            }
            (MatchEffect::Created, fields)
        }
        Step::Keep { decision, .. } if decision.hold.is_some() => (MatchEffect::Held, Vec::new()),
        Step::Keep { event, decision } if !decision.changes.is_empty() => {
            (MatchEffect::Changed, changed_fields(base.events.get(event)?, &decision.changes))
        }
        Step::Keep { .. } => return None,
    };
    Some(Difference {
        effect,
        external_id: planned.report.external_id.clone(),
        title: planned.title(),
        event_id: planned.event(),
        fields,
        reason: planned.hold().map(|hold| hold.words.clone()),
        is_news: planned.is_news(),
        is_disagreement: planned.hold().is_some_and(|hold| hold.is_disagreement),
    })
}

fn changed_fields(event: &EventRow, changes: &PlannedChanges) -> Vec<FieldChange> {
    let mut fields = Vec::new();
    if let Some(start) = changes.start_time.filter(|start| *start != event.start_time) {
        fields.push(field("start_time", event.start_time.to_string(), start.to_string()));
    }
    let is_confirmed =
        !changes.is_time_open && (changes.start_time.is_some() || event.start_time_confirmed);
    if is_confirmed != event.start_time_confirmed {
        let word = |is_confirmed: bool| if is_confirmed { "yes" } else { "no" }.to_owned();
        fields.push(field(CONFIRMED, word(event.start_time_confirmed), word(is_confirmed)));
    }
    if let Some(venue) = &changes.venue {
        let (from, to) = (event.venue.as_str(), venue.as_str());
        fields.push(field("venue", from.to_owned(), to.to_owned()));
    }
    if let Some(status) = changes.status.filter(|status| *status != event.status) {
        fields.push(field("status", word(event.status).to_owned(), word(status).to_owned()));
    }
    if let Some(score) = changes.score {
        let before = event.home_score.zip(event.away_score);
        fields.push(field("score", shown(before), shown(Some(score))));
    }
    if let Some((period, minute)) = changes.playing {
        let known = event.playing;
        let word = |period: Option<Period>| period.map_or("", Period::name).to_owned();
        if period != known.period {
            fields.push(field("period", word(known.period), word(period)));
        }
        let number = |minute: Option<Minute>| {
            minute.map_or_else(String::new, |minute| minute.get().to_string())
        };
        if minute != known.minute {
            fields.push(field("minute", number(known.minute), number(minute)));
        }
    }
    if let Some(reason) = changes.void {
        fields.push(field("void", "no".to_owned(), reason.to_owned()));
    } else if event.is_void() && changes.status.is_some() {
        fields.push(field("void", "yes".to_owned(), "no".to_owned()));
    }
    fields
}

fn field(field: &'static str, from: String, to: String) -> FieldChange {
    FieldChange { field, from, to }
}

const fn word(status: Status) -> &'static str {
    match status {
        Status::Scheduled => "scheduled",
        Status::Live => "live",
        Status::Finished => "finished",
    }
}

fn shown(score: Option<ScorePair>) -> String {
    score.map_or_else(String::new, |(home, away)| format!("{}-{}", home.get(), away.get()))
}
