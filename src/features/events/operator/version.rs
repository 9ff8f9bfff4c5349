//! Which state of a match somebody has seen.
//!
//! A version has a short digest of each thing that an operator decides by, so that two of them also say what differs. The minute and
//! the period are not among them: they change by themselves while somebody types.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::features::events::EventRow;
use crate::features::operators;
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::http::if_match::IfMatch;
use crate::platform::keys;

/// The bytes of each digest that a version has. Nobody is kept out by them; they only must not be the same by chance.
const BYTES: usize = 4;

fn fields(event: &EventRow) -> [(&'static str, Value); 9] {
    [
        ("tournament_id", json!(event.tournament_id)),
        ("home_team", json!(event.home_team_id)),
        ("away_team", json!(event.away_team_id)),
        ("start_time", json!(event.time())),
        ("venue", json!(event.venue)),
        ("status", json!(event.status)),
        ("home_score", json!(event.home_score)),
        ("away_score", json!(event.away_score)),
        ("void_reason", json!(event.void_reason)),
    ]
}

fn digest(value: &Value) -> String {
    let digest: [u8; 32] = Sha256::digest(value.to_string()).into();
    keys::hex(digest.get(..BYTES).unwrap_or_default())
}

pub fn version(event: &EventRow) -> String {
    fields(event).map(|(_, value)| digest(&value)).concat()
}

/// The fields in which an event differs from the one that had this version; nothing of a version that was never given out.
fn differing(seen: &str, event: &EventRow) -> Vec<&'static str> {
    let fields = fields(event);
    if seen.len() != fields.len() * BYTES * 2 || !seen.is_ascii() {
        return Vec::new();
    }
    let parts = seen.as_bytes().chunks(BYTES * 2);
    let is_other = |(part, (_, value)): &(&[u8], &(&str, Value))| *part != digest(value).as_bytes();
    parts.zip(&fields).filter(is_other).map(|(_, (name, _))| *name).collect()
}

/// Refuses what was decided by another state of the match than the one that is there, and says what is and by whom.
pub(super) fn check(tx: &mut Tx, taken: &IfMatch, event: &EventRow) -> Result<()> {
    let present = version(event);
    let Some(seen) = taken.outdated_by(&present) else { return Ok(()) };
    let by = changed_by(tx, event)?;
    Err(Error::Outdated {
        code: "changed_meanwhile",
        message: text!("The match was changed meanwhile. Look at it again before you change it."),
        details: Box::new(json!({
            "changed": differing(seen, event), "by": by.as_ref().map(|(name, _)| name),
            "at": by.as_ref().map(|(_, at)| at), "version": present, "event": super::state(event),
        })),
    })
}

/// Who made the match what it is, and when; nothing where it was no operator.
fn changed_by(tx: &mut Tx, event: &EventRow) -> Result<Option<(String, Timestamp)>> {
    let last = operators::find_last_change(tx, &super::subject(event.id))?;
    let made: Option<Value> =
        last.as_ref().and_then(|row| serde_json::from_str(row.after.as_deref()?).ok());
    let is_so =
        made.is_some_and(|made| settled_fields(made) == settled_fields(super::state(event)));
    Ok(last.filter(|_| is_so).map(|row| (row.operator, row.created_at)))
}

/// Without what changes by itself.
fn settled_fields(mut state: Value) -> Value {
    if let Some(fields) = state.as_object_mut() {
        fields.retain(|name, _| name != "period" && name != "minute");
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::events::{EventId, Playing, Score, Status, TournamentId, Venue};
    use crate::features::teams::TeamId;

    fn event() -> EventRow {
        EventRow {
            id: EventId(1),
            tournament_id: TournamentId(1),
            home_team_id: TeamId(1),
            away_team_id: TeamId(2),
            start_time: Timestamp::from_millis(0),
            start_time_confirmed: true,
            venue: Venue::default(),
            status: Status::Live,
            home_score: None,
            away_score: None,
            voided_at: None,
            void_reason: None,
            result_at: None,
            outcome_revision: 0,
            chat_room_id: None,
            playing: Playing::default(),
        }
    }

    #[test]
    fn two_versions_say_in_what_a_match_differs() {
        let before = event();
        let after = EventRow {
            home_score: Score::try_from(1).ok(),
            away_score: Score::try_from(0).ok(),
            ..event()
        };
        assert_eq!(differing(&version(&before), &after), ["home_score", "away_score"]);
        assert!(differing(&version(&after), &after).is_empty());
        let moved = EventRow { start_time_confirmed: false, ..event() };
        assert_eq!(differing(&version(&before), &moved), ["start_time"]);
    }

    #[test]
    fn a_version_that_nobody_gave_out_says_nothing() {
        for strange in ["", "1", "\u{e9}", &"x".repeat(71)] {
            assert!(differing(strange, &event()).is_empty(), "{strange}");
        }
    }
}
