//! The gateway through which homeservers reach people's devices: what is said in chat rooms, by everybody's own push rules.
//!
//! A pusher has no more than a key, which a device's owner was given with the device: it is good for that device in their hands,
//! and dies with either. Whoever has it may tell its owner something, so it is a secret of theirs.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use subtle::ConstantTimeEq as _;

use crate::features::chat;
use crate::features::push::Push;
use crate::features::users::UserId;
use crate::platform::clock::{HOUR_MS, MINUTE_MS, SECOND_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::keys::{self, Keys};
use crate::platform::limits::{self, Limit, Who};
use crate::platform::shown_text::on_one_line;

use super::device_store;
use super::message_store::{self as store, NewMessage};
use super::send::SendShard;
use super::values::{DeviceId, Kind};

const PURPOSE: &str = "pushkey";
const LIVES_MS: i64 = 6 * HOUR_MS;
/// Between two messages of this sort to one user: what is said meanwhile comes together.
const PAUSE_MS: i64 = 30 * SECOND_MS;
const HEARD: Limit = Limit { code: "push_gateway", most: 120, window_ms: 10 * MINUTE_MS };
const LONGEST_TEXT: usize = 200;
const LONGEST_NAME: usize = 100;
const LONGEST_ID: usize = 255;

/// By which a pusher names a device in its owner's hands.
pub fn pushkey(keys: &Keys, device: DeviceId, user: UserId) -> String {
    format!("{}.{}.{}", device.0, user.0, seal(keys, device, user))
}

fn seal(keys: &Keys, device: DeviceId, user: UserId) -> String {
    keys::hex(&keys.derive(PURPOSE, &[&device.0.to_be_bytes(), &user.0.to_be_bytes()])[..16])
}

/// Whose device a key names, if it is one that was given out.
fn read_pushkey(keys: &Keys, text: &str) -> Option<(DeviceId, UserId)> {
    let mut parts = text.split('.');
    let (device, user) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let (device, user) = (DeviceId(device), UserId(user));
    let is_ours = parts.next()?.as_bytes().ct_eq(seal(keys, device, user).as_bytes());
    (bool::from(is_ours) && parts.next().is_none()).then_some((device, user))
}

/// What a homeserver says, as far as it is used; it may leave out nearly all of it.
#[derive(Debug, Deserialize)]
pub struct Notification {
    event_id: Option<String>,
    room_id: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    sender: Option<String>,
    sender_display_name: Option<String>,
    room_name: Option<String>,
    content: Option<Value>,
    devices: Vec<Pushed>,
}

#[derive(Debug, Deserialize)]
struct Pushed {
    pushkey: String,
}

/// A device that a pusher names, with its owner.
struct Named {
    pushkey: String,
    device: DeviceId,
    user: UserId,
    who: Who,
}

/// Takes a notification on its way to devices, and answers the keys of those that are no more.
pub async fn take(push: &Push, notification: Notification) -> Result<Vec<String>> {
    let message = Message::of(&notification);
    let (mut named, mut rejected) = (Vec::new(), Vec::new());
    for Pushed { pushkey } in notification.devices {
        match read_pushkey(&push.keys, &pushkey) {
            Some((device, user)) => {
                let who = Who::user(&push.keys, user);
                named.push(Named { pushkey, device, user, who });
            }
            None => rejected.push(pushkey),
        }
    }
    // What nobody of ours is named in costs the database nothing.
    if !named.is_empty() {
        let gone = push.db.write(move |tx| tell(tx, &named, message.as_ref())).await?;
        rejected.extend(gone);
    }
    Ok(rejected)
}

/// Notes a message for the owners of these devices, each once; answers the keys of devices that are gone, or are somebody else's.
fn tell(tx: &mut Tx, named: &[Named], message: Option<&Message>) -> Result<Vec<String>> {
    let ids: Vec<DeviceId> = named.iter().map(|named| named.device).collect();
    let owners: BTreeMap<DeviceId, UserId> =
        device_store::list_owners(tx, &ids)?.into_iter().collect();
    let (mut users, mut gone) = (BTreeMap::new(), Vec::new());
    for Named { pushkey, device, user, who } in named {
        if owners.get(device) == Some(user) {
            users.insert(*user, who);
        } else {
            gone.push(pushkey.clone());
        }
    }
    if let Some(message) = message {
        for (user, who) in users {
            message.note(tx, user, who)?;
        }
    }
    Ok(gone)
}

/// Something that was said in a room.
#[derive(Debug)]
struct Message {
    event_id: String,
    room_id: String,
    sender: String,
    by: String,
    room: String,
    /// Empty where only its reader can know what it says.
    text: String,
}

impl Message {
    /// Nothing for a notification that only counts, and for invitations, which the service tells of by itself.
    fn of(said: &Notification) -> Option<Self> {
        let event_id =
            said.event_id.as_deref().filter(|id| (1..=LONGEST_ID).contains(&id.len()))?;
        let room_id = said.room_id.as_deref().filter(|id| (1..=LONGEST_ID).contains(&id.len()))?;
        if said.kind.as_deref() == Some("m.room.member") {
            return None;
        }
        let sender = said.sender.clone().unwrap_or_default();
        let by = said.sender_display_name.as_deref().unwrap_or_else(|| local_part(&sender));
        let words = said.content.as_ref().and_then(|content| content.get("body")?.as_str());
        let is_open = said.kind.as_deref() == Some("m.room.message");
        Some(Self {
            event_id: on_one_line(event_id, LONGEST_ID),
            room_id: on_one_line(room_id, LONGEST_ID),
            by: on_one_line(by, LONGEST_NAME),
            room: on_one_line(said.room_name.as_deref().unwrap_or_default(), LONGEST_NAME),
            text: on_one_line(words.filter(|_| is_open).unwrap_or_default(), LONGEST_TEXT),
            sender,
        })
    }

    fn note(&self, tx: &mut Tx, user: UserId, who: &Who) -> Result<()> {
        let settings = super::settings(tx, user)?;
        // Looked at here too: a message that is told as a mention later must not pass for told already.
        if !settings.chat || !chat::may_hear(tx, user, &self.sender)? {
            return Ok(());
        }
        // As much as anybody can follow; whoever has a key and no measure is heard no further.
        match limits::hit(tx, HEARD, who) {
            Err(Error::RateLimited { .. }) => return Ok(()),
            heard => heard?,
        }
        let data = json!({
            "by": self.by, "room": self.room, "text": self.text, "room_id": self.room_id, "event_id": self.event_id,
        });
        let now = tx.now();
        let new = NewMessage {
            user,
            kind: Kind::Chat,
            // The same as when it is told as a mention, so that it is told once.
            occasion: &format!("mention:{}", self.event_id),
            data: &data.to_string(),
            due_at: now.max(Timestamp::from_millis(settings.chat_at).plus_ms(PAUSE_MS)),
            expires_at: now.plus_ms(LIVES_MS),
        };
        if store::insert(tx, &new)? > 0 {
            SendShard::ask_for(tx, user)?;
        }
        Ok(())
    }
}

fn local_part(matrix_id: &str) -> &str {
    let name = matrix_id.strip_prefix('@').unwrap_or(matrix_id);
    name.split(':').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::config::Secret;
    use proptest::prelude::*;

    fn keys() -> Keys {
        Keys::new(&Secret::new("a secret key for tests, long enough")).unwrap()
    }

    #[test]
    fn a_key_names_the_device_it_was_given_for() {
        let key = pushkey(&keys(), DeviceId(5), UserId(7));
        assert_eq!(read_pushkey(&keys(), &key), Some((DeviceId(5), UserId(7))));
        assert!(key.len() <= 512, "Matrix takes no longer one");
    }

    #[test]
    fn a_key_for_one_device_is_none_for_another() {
        let key = pushkey(&keys(), DeviceId(5), UserId(7));
        let seal = key.rsplit('.').next().unwrap();
        for forged in [
            format!("6.7.{seal}"),
            format!("5.8.{seal}"),
            format!("5.7.{seal}.x"),
            format!("05.7.{seal}0"),
        ] {
            assert_eq!(read_pushkey(&keys(), &forged), None, "{forged}");
        }
    }

    proptest! {
        #[test]
        fn no_text_is_a_key_that_nobody_gave_out(text in prop_oneof!["\\PC{0,60}", "[0-9]{1,22}\\.[0-9]{1,22}\\.[0-9a-f]{0,40}"]) {
            prop_assert_eq!(read_pushkey(&keys(), &text), None);
        }
    }
}
