//! What follows from a change of a match: the counts, the live stream, the settlement, the chat room.
//!
//! Whoever changes an event holds its row, works out how it is to look, and hands both here. What follows is decided by
//! comparing the two, so an operator, an import and the clock cannot forget different things.

use std::collections::BTreeMap;

use serde_json::json;

use crate::features::teams::TeamId;
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::jobs;

use super::announcements::{self, AnnouncementKind};
use super::{EventRow, FollowInChat, Playing, Score, Settle, Status, TournamentId, store};

/// An event before (nothing, if it is new) and after a change.
#[derive(Debug, Clone)]
pub(super) struct Change {
    pub(super) before: Option<EventRow>,
    pub(super) after: EventRow,
}

/// Stores how one held event is to look and does what follows from it.
pub(super) fn apply(tx: &mut Tx, before: EventRow, after: EventRow) -> Result<EventRow> {
    let after = with_outcome(tx, &before, after);
    if before != after {
        store::update(tx, &after, None)?;
        follow_up(tx, &[Change { before: Some(before), after: after.clone() }])?;
    }
    Ok(after)
}

/// Marks the outcome as changed if predictions are to be settled by another one than before, or by another tournament's rules.
pub(super) fn with_outcome(tx: &Tx, before: &EventRow, mut after: EventRow) -> EventRow {
    if !after.start_time_confirmed && after.status != Status::Scheduled {
        // Nobody said when it began. By its last known time, predictions that were rightly taken after that would be late.
        (after.start_time, after.start_time_confirmed) = (tx.now(), true);
    }
    if after.status != Status::Live || after.is_void() {
        after.playing = Playing::default();
    }
    if (before.is_void(), outcome(before)) != (after.is_void(), outcome(&after))
        || is_rescored(before, &after)
    {
        after.outcome_revision = before.outcome_revision.saturating_add(1);
    }
    if after.status != Status::Finished {
        after.result_at = None;
    } else if score(before) != score(&after) || before.status != Status::Finished {
        after.result_at = Some(tx.now());
    }
    after
}

/// Does what follows from changes that are already stored. Every script takes its locks in this order (events, counts,
/// announcements), so that scripts wait for each other and never in a circle.
pub(super) fn follow_up(tx: &mut Tx, changes: &[Change]) -> Result<()> {
    count(tx, changes)?;
    for change in changes {
        // Nobody follows or has predicted an event that is only now there.
        if let Some(before) = &change.before {
            settle(tx, before, &change.after)?;
        }
    }
    for change in changes {
        if change.before.as_ref().map(of_room) != Some(of_room(&change.after)) {
            jobs::ask(tx, &FollowInChat { event_id: change.after.id })?;
        }
    }
    for change in changes {
        if let Some(before) = &change.before {
            tell(tx, before, &change.after)?;
        }
    }
    Ok(())
}

/// What a match's chat room goes by.
fn of_room(event: &EventRow) -> (TournamentId, TeamId, TeamId, (Timestamp, bool), bool) {
    let is_over = event.status == Status::Finished || event.is_void();
    (event.tournament_id, event.home_team_id, event.away_team_id, event.time(), is_over)
}

fn score(event: &EventRow) -> (Option<Score>, Option<Score>) {
    (event.home_score, event.away_score)
}

/// What predictions are settled by: the score of a finished match that is not void.
fn outcome(event: &EventRow) -> Option<(Option<Score>, Option<Score>)> {
    (event.status == Status::Finished && !event.is_void()).then(|| score(event))
}

/// Whether a result now counts in another tournament.
fn is_rescored(before: &EventRow, after: &EventRow) -> bool {
    before.tournament_id != after.tournament_id && outcome(after).is_some()
}

/// What follows from other rules of a tournament: its results are settled anew.
pub(super) fn rescore(tx: &mut Tx, tournament: TournamentId) -> Result<()> {
    let events = store::update_rescored(tx, tournament)?;
    tracing::info!(
        tournament = tournament.0,
        events = events.len(),
        "a tournament has other rules"
    );
    events.into_iter().try_for_each(|event| jobs::ask(tx, &Settle { event }))
}

/// A new outcome, a void, another tournament and another kick-off all ask for the settlement's work: points on a void match go back to null, and
/// predictions made after a kick-off that was moved forward do not count. Each change asks anew, since work that is under way
/// may have looked at the event before it.
fn settle(tx: &mut Tx, before: &EventRow, after: &EventRow) -> Result<()> {
    let (event, revision) = (after.id.0, after.outcome_revision);
    let mut ask = || jobs::ask(tx, &Settle { event: after.id });
    if before.closes_at() != after.closes_at() {
        let (old, new) = (before.start_time, after.start_time);
        let is_confirmed = after.start_time_confirmed;
        tracing::info!(event, %old, %new, is_confirmed, "a kick-off was moved");
        ask()?;
    }
    if after.is_void() && !before.is_void() {
        tracing::info!(event, revision, "a match is void");
        ask()?;
    }
    // Also when a void of a finished match has ended.
    if outcome(after).is_some() && outcome(after) != outcome(before) {
        tracing::debug!(event, revision, "a match has a result");
        ask()?;
    } else if is_rescored(before, after) {
        tracing::info!(event, revision, "a match that has a result is in another tournament");
        ask()?;
    }
    Ok(())
}

fn tell(tx: &mut Tx, before: &EventRow, after: &EventRow) -> Result<()> {
    let Playing { period, minute, minute_at } = after.playing;
    let shown = |event: &EventRow| (event.status, event.time(), event.is_void());
    if score(before) != score(after) {
        let data = json!({
            "event_id": after.id, "home_score": after.home_score, "away_score": after.away_score,
            "period": period, "minute": minute, "minute_at": minute_at,
        });
        announcements::announce(tx, after.id, AnnouncementKind::Score, &data)?;
    }
    if shown(before) != shown(after) || after.playing.is_news_after(before.playing) {
        let data = json!({
            "event_id": after.id, "status": after.status, "status_detail": after.status_detail(),
            "start_time": after.start_time, "start_time_confirmed": after.start_time_confirmed,
            "period": period, "minute": minute, "minute_at": minute_at,
        });
        announcements::announce(tx, after.id, AnnouncementKind::Status, &data)?;
    }
    Ok(())
}

/// By tournament, team (0: any) and status.
type Deltas = BTreeMap<(i64, i64, Status), i64>;

fn count(tx: &mut Tx, changes: &[Change]) -> Result<()> {
    let mut deltas = Deltas::new();
    for change in changes {
        if let Some(before) = &change.before {
            add(&mut deltas, before, -1);
        }
        add(&mut deltas, &change.after, 1);
    }
    // In the order of the key: two scripts that count at once cannot wait for each other.
    for ((tournament, team, status), delta) in deltas {
        if delta != 0 {
            store::add_to_count(tx, tournament, team, status, delta)?;
        }
    }
    Ok(())
}

fn add(deltas: &mut Deltas, event: &EventRow, delta: i64) {
    if event.is_void() {
        return;
    }
    for tournament in [0, event.tournament_id.0] {
        for team in [0, event.home_team_id.0, event.away_team_id.0] {
            *deltas.entry((tournament, team, event.status)).or_default() += delta;
        }
    }
}
