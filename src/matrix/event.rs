//! Events as the homeserver pushes them: the parts that matter here, made safe to store.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::clock::Timestamp;

/// Ids longer than this do not exist on the network.
const LONGEST_ID: usize = 255;

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
}

impl PushedEvent {
    /// A text of the content, or an empty one; without the characters that one of the databases refuses.
    pub fn text(&self, field: &str, longest: usize) -> String {
        let text = self.content.get(field).and_then(Value::as_str).unwrap_or_default();
        text.chars().filter(|c| !c.is_control()).take(longest).collect()
    }

    /// When it happened, by the homeserver's clock; never negative.
    pub fn happened_at(&self) -> Timestamp {
        Timestamp::from_millis(self.origin_server_ts.max(0))
    }

    /// The room is left out where it is known from the place.
    #[must_use]
    pub fn in_room(self, room: &ruma::RoomId) -> Self {
        Self { room_id: room.to_string(), ..self }
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

    proptest! {
        #[test]
        fn no_event_breaks_the_reader(name in "\\PC{0,50}", when: i64) {
            let event = serde_json::json!({"events": [{"event_id": "$a", "type": name, "sender": name,
                "origin_server_ts": when, "content": name}]});
            for event in events(&event.to_string()) {
                prop_assert!(event.happened_at().as_millis() >= 0);
            }
        }
    }
}
