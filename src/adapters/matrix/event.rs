//! Events as the homeserver pushes them: the parts that matter here, made safe to store.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::platform::clock::Timestamp;

/// Ids longer than this do not exist on the network.
const LONGEST_ID: usize = 255;
/// The last moment of the year 9998: not every library reads all of the year after it, and none a year of five digits.
const LATEST_MS: i64 = 253_370_764_799_999;

/// What `PUT /_matrix/app/v1/transactions/{txnId}` brings.
#[derive(Deserialize)]
pub struct Transaction {
    #[serde(default)]
    events: Vec<Box<RawValue>>,
}

impl Transaction {
    /// An event that cannot be read is passed over: the homeserver would send it again for ever, and all others after it.
    pub fn into_events(self) -> Vec<PushedEvent> {
        self.events.iter().filter_map(|raw| read(raw)).collect()
    }
}

#[derive(Debug, Clone, Deserialize)]
pub struct PushedEvent {
    pub event_id: String,
    #[serde(default)]
    pub room_id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub sender: String,
    pub state_key: Option<String>,
    #[serde(default)]
    origin_server_ts: i64,
    #[serde(default)]
    pub content: Value,
    /// Where older rooms name what a redaction is about.
    redacts: Option<String>,
}

impl PushedEvent {
    /// A text of the content, or an empty one; without the characters that one of the databases refuses.
    pub fn text(&self, field: &str, longest: usize) -> String {
        let text = self.content.get(field).and_then(Value::as_str).unwrap_or_default();
        text.chars().filter(|c| !c.is_control()).take(longest).collect()
    }

    /// When it happened, by the homeserver's clock; always a moment that can be shown.
    pub fn happened_at(&self) -> Timestamp {
        Timestamp::from_millis(self.origin_server_ts.clamp(0, LATEST_MS))
    }

    /// The room is left out where it is known from the place.
    #[must_use]
    pub fn in_room(self, room: &ruma::RoomId) -> Self {
        Self { room_id: room.to_string(), ..self }
    }

    /// What it takes back, if it is a redaction.
    pub fn redacted(&self) -> Option<&str> {
        let named = self.content.get("redacts").and_then(Value::as_str).or(self.redacts.as_deref());
        named.filter(|_| self.kind == "m.room.redaction")
    }

    pub fn is_state(&self) -> bool {
        self.state_key.is_some()
    }
}

pub fn read(raw: &RawValue) -> Option<PushedEvent> {
    let is_id = |text: &str| text.len() <= LONGEST_ID && !text.chars().any(char::is_control);
    let event: Option<PushedEvent> = serde_json::from_str(raw.get()).ok();
    let event = event.filter(|event| {
        let key = event.state_key.as_deref().unwrap_or_default();
        [&event.event_id, &event.room_id, &event.kind, &event.sender].iter().all(|id| is_id(id))
            && is_id(key)
            && !event.event_id.is_empty()
    });
    if event.is_none() {
        tracing::warn!("the homeserver sent an event that cannot be read; it is passed over");
    }
    event
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::damaged_json::damaged;
    use proptest::prelude::*;

    fn events(text: &str) -> Vec<PushedEvent> {
        serde_json::from_str::<Transaction>(text).unwrap().into_events()
    }

    #[test]
    fn an_unreadable_event_does_not_hold_up_the_others() {
        let text = r#"{"events": [{"type": 7}, {"event_id": "$a", "room_id": "!r:s", "type": "m.room.name",
            "sender": "@a:s", "state_key": "", "content": {"name": "A\u0000B"}}]}"#;
        let events = events(text);
        assert_eq!(events.len(), 1);
        assert_eq!(events[0].text("name", 10), "AB");
    }

    #[test]
    fn a_time_that_cannot_be_is_the_nearest_that_can_be_shown() {
        for when in [i64::MIN, -1, 253_402_207_200_001, 253_402_300_800_000, i64::MAX] {
            let event = serde_json::json!({"events": [{"event_id": "$a", "type": "t", "sender": "@a:s",
                "origin_server_ts": when}]});
            let at = events(&event.to_string())[0].happened_at();
            assert_eq!(Timestamp::parse(&at.to_string()), Some(at), "{when}");
        }
    }

    fn transaction() -> Value {
        serde_json::json!({"events": [
            {"event_id": "$a", "room_id": "!r:s", "type": "m.room.member", "sender": "@a:s", "state_key": "@b:s",
             "origin_server_ts": 1_700_000_000_000_i64, "content": {"membership": "join", "name": "A", "level": 50}},
            {"event_id": "$b", "room_id": "!r:s", "type": "m.room.message", "sender": "@a:s",
             "origin_server_ts": 1_700_000_000_001_i64, "content": {"msgtype": "m.text", "body": "Goal!"}},
        ]})
    }

    proptest! {
        #[test]
        fn no_damaged_transaction_panics_and_what_is_read_is_fit_to_store(
            damaged in damaged(transaction()), cut: prop::sample::Index, is_cut: bool,
        ) {
            let mut body = damaged.to_string().into_bytes();
            if is_cut {
                body.truncate(cut.index(body.len()));
            }
            let Ok(transaction) = serde_json::from_slice::<Transaction>(&body) else { return Ok(()) };
            for event in transaction.into_events() {
                let key = event.state_key.clone().unwrap_or_default();
                for id in [&event.event_id, &event.room_id, &event.kind, &event.sender, &key] {
                    prop_assert!(id.len() <= LONGEST_ID && !id.chars().any(char::is_control));
                }
                prop_assert!(!event.event_id.is_empty());
                let at = event.happened_at();
                prop_assert_eq!(Timestamp::parse(&at.to_string()), Some(at));
                for field in ["membership", "name", "body", "level"] {
                    let text = event.text(field, 10);
                    prop_assert!(text.chars().count() <= 10 && !text.chars().any(char::is_control));
                }
            }
        }

        #[test]
        fn no_bytes_at_all_panic(body in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = serde_json::from_slice::<Transaction>(&body).map(Transaction::into_events);
        }
    }
}
