//! What rooms are called.

use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::texts::Text;
use crate::{shown_text, text_input};

const LONGEST_NAME: usize = 100;
const LONGEST_TOPIC: usize = 500;
const LONGEST_REASON: usize = 500;
const LONGEST_ID: usize = 255;

/// 1 to 100 characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 100, example = "Northgate away end")]
pub struct RoomName(String);

/// At most 500 characters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, max_length = 500, example = "Trains, tickets, songs")]
pub struct Topic(String);

/// Why something is reported: 1 to 500 characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ReportReason, value_type = String, min_length = 1, max_length = 500, example = "Insults other fans")]
pub struct Reason(String);

/// `!local:server`, as the chat network names rooms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoomId(String);

/// `$...`, as the chat network names messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = String, pattern = r"^\$.+", max_length = 255, example = "$Rqnc-F-dvnEYJTyHq_iKxU2bZ1CI92-kuZq3a5lr5Zg")]
pub struct MessageId(String);

text_input!(RoomName, Topic, Reason, MessageId);
shown_text! {
    RoomName: 1..=LONGEST_NAME, "Must have 1 to 100 characters.";
    Topic: 0..=LONGEST_TOPIC, "Must have at most 500 characters.";
    Reason: 1..=LONGEST_REASON, "Must have 1 to 500 characters.";
}

impl TryFrom<&str> for MessageId {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        let is_id = text.starts_with('$') && (2..=LONGEST_ID).contains(&text.len());
        if is_id { Ok(Self(text.to_owned())) } else { Err(text!("Must be the id of a message.")) }
    }
}

impl RoomId {
    /// Anything of another form names no room.
    pub fn parse(text: &str) -> Option<Self> {
        let (local, server) = text.strip_prefix('!')?.split_once(':')?;
        let is_good = !local.is_empty()
            && !server.is_empty()
            && text.len() <= LONGEST_ID
            && !text.chars().any(|c| c.is_control() || c.is_whitespace());
        is_good.then(|| Self(text.to_owned()))
    }
}

macro_rules! texts {
    ($($type:ident),*) => {$(
        impl $type {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
    )*};
}

texts!(RoomName, Topic, Reason, RoomId, MessageId);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_room_id_has_a_local_part_and_a_server() {
        assert!(RoomId::parse("!abc:example.org").is_some());
        for wrong in ["", "abc", "!abc", "!:s", "!a:", "#abc:s", "12", "!a b:s", "!a\u{0}:s"] {
            assert!(RoomId::parse(wrong).is_none(), "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_room_id_parser_and_what_it_takes_is_one(
            text in prop_oneof!["\\PC{0,300}", "![a-zA-Z0-9:\u{0} ]{0,260}", "![a-z]{1,9}:\\PC{1,9}"],
        ) {
            let Some(room) = RoomId::parse(&text) else { return Ok(()) };
            prop_assert_eq!(room.as_str(), text.as_str());
            prop_assert!(text.len() <= LONGEST_ID);
            let (local, server) = text.strip_prefix('!').unwrap().split_once(':').unwrap();
            prop_assert!(!local.is_empty() && !server.is_empty());
            prop_assert!(!text.chars().any(|c| c.is_control() || c.is_whitespace()));
        }

        #[test]
        fn no_text_breaks_the_parsers_of_words(text in prop_oneof!["\\PC{0,600}", "\\$\\PC{0,260}"]) {
            if let Ok(name) = RoomName::try_from(text.as_str()) {
                prop_assert!((1..=LONGEST_NAME).contains(&name.as_str().chars().count()));
                prop_assert_eq!(name.as_str(), text.trim());
            }
            if let Ok(reason) = Reason::try_from(text.as_str()) {
                prop_assert!((1..=LONGEST_REASON).contains(&reason.as_str().chars().count()));
            }
            if let Ok(topic) = Topic::try_from(text.as_str()) {
                prop_assert!(topic.as_str().chars().count() <= LONGEST_TOPIC);
            }
            if let Ok(message) = MessageId::try_from(text.as_str()) {
                prop_assert!(message.as_str().len() <= LONGEST_ID);
            }
        }
    }
}
