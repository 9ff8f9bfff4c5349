//! What a room is for, kept in the room's own state, so that the tables here can be rebuilt from the network alone.

use serde_json::{Value, json};

use crate::features::events::EventId;
use crate::features::users::UserId;
use crate::platform::keys::Keys;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Purpose {
    pub event_id: Option<EventId>,
    pub is_event_room: bool,
    pub creator_id: Option<UserId>,
    /// The request that led to the room, if it may be repeated.
    pub request: Option<String>,
}

impl Purpose {
    /// Sealed, so that a purpose somebody else writes into their room counts for nothing.
    pub fn to_content(&self, keys: &Keys, sender: &str) -> Value {
        json!({
            "event_id": self.event_id, "is_event_room": self.is_event_room, "creator_id": self.creator_id,
            "request": self.request, "seal": self.seal(keys, sender),
        })
    }

    /// The purpose that `sender` gave a room, if the service wrote it for them.
    pub fn read(content: &Value, sender: &str, keys: &Keys) -> Option<Self> {
        let number = |field: &str| content.get(field).and_then(Value::as_i64);
        let purpose = Self {
            event_id: number("event_id").map(EventId),
            is_event_room: content.get("is_event_room").and_then(Value::as_bool)?,
            creator_id: number("creator_id").map(UserId),
            request: content.get("request").and_then(Value::as_str).map(str::to_owned),
        };
        let seal = content.get("seal").and_then(Value::as_str)?;
        (purpose.seal(keys, sender) == seal).then_some(purpose)
    }

    fn seal(&self, keys: &Keys, sender: &str) -> String {
        let request = self.request.as_deref().unwrap_or_default();
        let numbers = (self.event_id.map(|id| id.0), self.creator_id.map(|id| id.0));
        let text = format!("{sender} {numbers:?} {} {request}", self.is_event_room);
        keys.pseudonym("chat room purpose", &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::config::Secret;

    #[test]
    fn only_a_purpose_sealed_for_its_sender_counts() {
        let keys = Keys::new(&Secret::new("k".repeat(32))).unwrap();
        let purpose = Purpose { event_id: Some(EventId(7)), ..Purpose::default() };
        let mut content = purpose.to_content(&keys, "@ada:s");
        assert_eq!(Purpose::read(&content, "@ada:s", &keys), Some(purpose));
        assert_eq!(Purpose::read(&content, "@eve:s", &keys), None);
        content["event_id"] = json!(8);
        assert_eq!(Purpose::read(&content, "@ada:s", &keys), None);
    }
}
