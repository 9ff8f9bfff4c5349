//! Matches as an operator's document describes them.
//!
//! A document may be imported again and again while matches are played. Each item is compared with how the document had it
//! the last time, and only what differs is carried over, so what happened in between is never undone.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::features::teams::{ImportEffect, TeamId};
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::{Error, FieldErrors, Result};
use crate::platform::texts::Text;

use super::changes::{self, Change};
use super::store::NewEvent;
use super::{EventId, EventRow, Playing, Score, Status, TournamentId, Venue, store};

/// Said of a match whose sides would change under those who predicted it.
const FIXED_SIDES: Text = text!(
    "There are predictions on this match, so its sides stay as they are. If another pairing is played, void it and add that one with a key of its own."
);
/// New matches in one statement.
const AT_ONCE: usize = 500;

/// One match of a document. This is also the form in which it is kept for the next comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fixture {
    pub tournament: TournamentId,
    pub home: TeamId,
    pub away: TeamId,
    pub start_time: Timestamp,
    /// Not written down if it is so, which is how documents of before are kept.
    #[serde(default = "confirmed", skip_serializing_if = "is_confirmed")]
    pub start_time_confirmed: bool,
    pub venue: Venue,
    pub status: Status,
    pub home_score: Option<Score>,
    pub away_score: Option<Score>,
}

const fn confirmed() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_confirmed(confirmed: &bool) -> bool {
    *confirmed
}

/// Adds or changes these matches by their keys; what became of each is answered in the same order.
pub fn import(tx: &mut Tx, fixtures: &[(&str, Fixture)]) -> Result<Vec<(EventId, ImportEffect)>> {
    let keys: Vec<&str> = fixtures.iter().map(|(key, _)| *key).collect();
    let keys = serde_json::to_string(&keys).map_err(Error::internal)?;
    // All are held before the first is changed, so that imports and operators cannot wait for each other in a circle.
    let known = store::list_imported(tx, &keys)?;
    let known: BTreeMap<String, (String, EventRow)> =
        known.into_iter().map(|(key, text, row)| (key, (text, row))).collect();
    let (mut new, mut all_changes) = (Vec::new(), Vec::new());
    let (mut errors, predicted) = (FieldErrors::default(), predicted(tx, known.values())?);
    for (at, (key, fixture)) in fixtures.iter().enumerate() {
        let text = serde_json::to_string(fixture).map_err(Error::internal)?;
        match known.get(*key) {
            None => new.push((*key, text, fixture.as_new(tx.now()))),
            Some((last, _)) if *last == text => {}
            Some((last, before)) => {
                let last: Fixture = serde_json::from_str(last).map_err(Error::internal)?;
                let after = merged(before, &last, fixture, tx.now());
                if sides(before) != sides(&after) && predicted.contains(&before.id) {
                    errors.add(&format!("events.{at}.home"), FIXED_SIDES);
                    continue;
                }
                let after = changes::with_outcome(tx, before, after);
                store::update(tx, &after, Some(&text))?;
                all_changes.push(Change { before: Some(before.clone()), after });
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors.into());
    }
    let updated: BTreeSet<EventId> = all_changes.iter().map(|change| change.after.id).collect();
    let created = insert(tx, new, &mut all_changes)?;
    changes::follow_up(tx, &all_changes)?;
    let effect = |(key, _): &(&str, Fixture)| match (known.get(*key), created.get(*key)) {
        (Some((_, row)), _) if updated.contains(&row.id) => Ok((row.id, ImportEffect::Updated)),
        (Some((_, row)), _) => Ok((row.id, ImportEffect::Unchanged)),
        (None, Some(id)) => Ok((*id, ImportEffect::Created)),
        (None, None) => Err(Error::internal("a new match was not stored")),
    };
    fixtures.iter().map(effect).collect()
}

/// Which of the matches somebody has predicted. They are held, so nobody does before the end of the transaction.
fn predicted<'a>(
    tx: &mut Tx,
    known: impl Iterator<Item = &'a (String, EventRow)>,
) -> Result<BTreeSet<EventId>> {
    let ids: Vec<EventId> = known.map(|(_, row)| row.id).collect();
    let counts = store::predictions_counts(tx, &ids)?;
    Ok(counts.into_iter().filter(|(_, count)| *count > 0).map(|(id, _)| id).collect())
}

fn sides(event: &EventRow) -> (TeamId, TeamId) {
    (event.home_team_id, event.away_team_id)
}

fn insert(
    tx: &mut Tx,
    new: Vec<NewEvent<'_>>,
    all_changes: &mut Vec<Change>,
) -> Result<BTreeMap<String, EventId>> {
    let mut created = BTreeMap::new();
    for some in new.chunks(AT_ONCE) {
        created.extend(store::insert_all(tx, some)?);
    }
    for (key, _, mut after) in new {
        if let Some(id) = created.get(key) {
            after.id = *id;
            all_changes.push(Change { before: None, after });
        }
    }
    Ok(created)
}

impl Fixture {
    fn as_new(&self, now: Timestamp) -> EventRow {
        let is_finished = self.status == Status::Finished;
        EventRow {
            id: EventId(0),
            tournament_id: self.tournament,
            home_team_id: self.home,
            away_team_id: self.away,
            start_time: self.start_time,
            start_time_confirmed: self.start_time_confirmed || self.status != Status::Scheduled,
            venue: self.venue.clone(),
            status: self.status,
            home_score: self.home_score,
            away_score: self.away_score,
            voided_at: None,
            void_reason: None,
            result_at: is_finished.then_some(now),
            outcome_revision: i64::from(is_finished),
            chat_room_id: None,
            playing: Playing::default(),
        }
    }

    fn time(&self) -> (Timestamp, bool) {
        (self.start_time, self.start_time_confirmed)
    }

    fn state(&self) -> (Status, Option<Score>, Option<Score>) {
        (self.status, self.home_score, self.away_score)
    }
}

/// The match as it is, with what the document changed since its last import.
fn merged(current: &EventRow, last: &Fixture, new: &Fixture, now: Timestamp) -> EventRow {
    let mut after = current.clone();
    if last.tournament != new.tournament {
        after.tournament_id = new.tournament;
    }
    if (last.home, last.away) != (new.home, new.away) {
        (after.home_team_id, after.away_team_id) = (new.home, new.away);
    }
    if last.venue != new.venue {
        after.venue = new.venue.clone();
    }
    if last.time() != new.time() {
        (after.start_time, after.start_time_confirmed) = new.time();
    }
    if last.state() != new.state() {
        let score = (new.home_score, new.away_score);
        match (current.status, new.status) {
            (_, Status::Finished) | (Status::Scheduled, Status::Live) => {
                after.status = new.status;
                (after.home_score, after.away_score) = score;
            }
            (Status::Live, Status::Live) if new.home_score.is_some() => {
                (after.home_score, after.away_score) = score;
            }
            // The document is behind the match.
            _ => {}
        }
    }
    // A new time that is still to come, or none, postpones a match that had gone live.
    let is_postponed = current.status == Status::Live
        && new.status == Status::Scheduled
        && last.time() != new.time()
        && (new.start_time > now || !new.start_time_confirmed);
    if is_postponed {
        after.status = Status::Scheduled;
        (after.home_score, after.away_score) = (None, None);
    }
    // The document is behind a match that has begun all the same.
    if after.status != Status::Scheduled && last.time() != new.time() {
        after.start_time_confirmed = true;
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000_000);

    fn score() -> impl Strategy<Value = Option<Score>> {
        (0_i64..=99).prop_map(|number| Score::try_from(number).ok())
    }

    fn fixture() -> impl Strategy<Value = Fixture> {
        let state = prop_oneof![
            Just((Status::Scheduled, None, None)),
            Just((Status::Live, None, None)),
            (score(), score()).prop_map(|(home, away)| (Status::Live, home, away)),
            (score(), score()).prop_map(|(home, away)| (Status::Finished, home, away)),
        ];
        (state, 0_i64..2_000_000, 1_i64..4, any::<bool>()).prop_map(
            |((status, home_score, away_score), start, team, confirmed)| Fixture {
                tournament: TournamentId(1),
                home: TeamId(team),
                away: TeamId(9),
                start_time: Timestamp::from_millis(start),
                start_time_confirmed: confirmed || status != Status::Scheduled,
                venue: Venue::default(),
                status,
                home_score,
                away_score,
            },
        )
    }

    proptest! {
        #[test]
        fn what_the_document_did_not_change_stays_as_it_is(
            current in fixture(), document in fixture(),
        ) {
            let current = current.as_new(NOW);
            prop_assert_eq!(merged(&current, &document, &document, NOW), current);
        }

        #[test]
        fn no_document_reopens_or_restarts_a_finished_match(
            mut current in fixture(), last in fixture(), new in fixture(),
        ) {
            current.status = Status::Finished;
            let after = merged(&current.as_new(NOW), &last, &new, NOW);
            prop_assert_eq!(after.status, Status::Finished);
        }

        #[test]
        fn a_match_reopens_only_with_a_time_that_is_to_come_or_without_one(
            current in fixture(), last in fixture(), new in fixture(),
        ) {
            let after = merged(&current.as_new(NOW), &last, &new, NOW);
            if current.status != Status::Scheduled && after.status == Status::Scheduled {
                prop_assert!(after.start_time > NOW || !after.start_time_confirmed);
            }
        }

        #[test]
        fn a_score_is_there_exactly_when_the_status_allows_it(
            current in fixture(), last in fixture(), new in fixture(),
        ) {
            let after = merged(&current.as_new(NOW), &last, &new, NOW);
            prop_assert_eq!(after.home_score.is_some(), after.away_score.is_some());
            prop_assert!(after.status != Status::Scheduled || after.home_score.is_none());
            prop_assert!(after.status != Status::Finished || after.home_score.is_some());
        }
    }
}
