//! Rooms on the homeserver: making them, who is in them, what they are called.

use ruma::api::client::alias::get_alias;
use ruma::api::client::directory::get_room_visibility;
use ruma::api::client::membership::invite_user::v3::InviteUserId;
use ruma::api::client::membership::{invite_user, join_room_by_id, leave_room};
use ruma::api::client::message::{get_message_events, send_message_event};
use ruma::api::client::room::{Visibility, create_room};
use ruma::api::client::state::{get_state_event_for_key, get_state_events, send_state_event};
use ruma::events::{MessageLikeEventType, StateEventType};
use ruma::serde::Raw;
use ruma::{OwnedRoomId, RoomAliasId, RoomId, RoomVersionId, TransactionId, UserId};
use serde_json::{Value, json};

use super::call::By;
use super::event::{self, PushedEvent};
use super::{Error, Matrix, ROOM_VERSION, Result, unless};

/// The service's own state event in rooms it makes: what a room is for.
pub const PURPOSE: &str = "app.touchline.room";

/// What it takes to invite into a room that is led: what its creator has.
const LEADER_LEVEL: i64 = 100;

/// Who gets into a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    Anybody,
    /// Whom any member invites; what they say is encrypted.
    Invited,
    /// Whom its creator invites; what they say is not encrypted.
    Led,
}

#[derive(Debug, Clone)]
pub struct NewRoom {
    pub name: String,
    pub topic: String,
    pub entry: Entry,
    /// The part of an alias before the colon.
    pub alias: Option<String>,
    /// Kept in the room's own state, so that everything about the room can be told from the network.
    pub purpose: Value,
}

/// A room as it is on the homeserver.
#[derive(Debug)]
pub struct RoomState {
    pub state: Vec<PushedEvent>,
}

fn raw<T>(value: &Value) -> Result<Raw<T>> {
    let text = serde_json::value::to_raw_value(value);
    text.map(Raw::from_json).map_err(|error| Error::Away(error.to_string()))
}

impl Matrix {
    /// Makes a room as its creator, who is in it.
    pub async fn create_room(&self, creator: &UserId, room: &NewRoom) -> Result<OwnedRoomId> {
        let mut state = vec![json!({"type": PURPOSE, "state_key": "", "content": room.purpose})];
        if room.entry == Entry::Invited {
            let content = json!({"algorithm": "m.megolm.v1.aes-sha2"});
            state.push(json!({"type": "m.room.encryption", "state_key": "", "content": content}));
        }
        let mut request = create_room::v3::Request::new();
        request.room_version = Some(RoomVersionId::try_from(ROOM_VERSION).map_err(defect)?);
        request.name = Some(room.name.clone());
        request.topic = Some(room.topic.clone()).filter(|topic| !topic.is_empty());
        request.room_alias_name.clone_from(&room.alias);
        request.initial_state = state.iter().map(raw).collect::<Result<_>>()?;
        (request.preset, request.visibility) = match room.entry {
            Entry::Anybody => (Some(create_room::v3::RoomPreset::PublicChat), Visibility::Public),
            Entry::Invited | Entry::Led => {
                (Some(create_room::v3::RoomPreset::PrivateChat), Visibility::Private)
            }
        };
        // Every member may invite, in a public room too, unless the room is led.
        let level = if room.entry == Entry::Led { LEADER_LEVEL } else { 0 };
        request.power_level_content_override = Some(raw(&json!({"invite": level}))?);
        Ok(self.0.caller.send(By::User(creator), request).await?.room_id)
    }

    pub async fn find_alias(&self, alias: &RoomAliasId) -> Result<Option<OwnedRoomId>> {
        let request = get_alias::v3::Request::new(alias.to_owned());
        let answer = self.0.caller.send(By::Service, request).await;
        Ok(unless(&[404], answer)?.map(|answer| answer.room_id))
    }

    /// Whether the homeserver has this room at all, whoever is in it.
    pub async fn has_room(&self, room: &RoomId) -> Result<bool> {
        let request = get_room_visibility::v3::Request::new(room.to_owned());
        let answer = self.0.caller.send(By::Service, request).await;
        unless(&[404], answer).map(|visibility| visibility.is_some())
    }

    pub async fn join(&self, user: &UserId, room: &RoomId) -> Result<()> {
        let request = join_room_by_id::v3::Request::new(room.to_owned());
        self.0.caller.send(By::User(user), request).await.map(drop)
    }

    /// Leaves a room or turns an invitation down; not being in it is no error.
    pub async fn leave(&self, user: &UserId, room: &RoomId) -> Result<()> {
        let request = leave_room::v3::Request::new(room.to_owned());
        unless(&[403, 404], self.0.caller.send(By::User(user), request).await).map(drop)
    }

    pub async fn invite(&self, host: &UserId, guest: &UserId, room: &RoomId) -> Result<()> {
        let guest = InviteUserId::new(guest.to_owned()).into();
        let request = invite_user::v3::Request::new(room.to_owned(), guest);
        self.0.caller.send(By::User(host), request).await.map(drop)
    }

    /// Says something in a room; said once, however often it is sent under the same transaction id.
    pub async fn send_text(
        &self,
        by: &UserId,
        room: &RoomId,
        transaction: &str,
        text: &str,
    ) -> Result<()> {
        let (kind, transaction) =
            (MessageLikeEventType::RoomMessage, <&TransactionId>::from(transaction));
        let content = raw(&json!({"msgtype": "m.text", "body": text}))?;
        let (room, transaction) = (room.to_owned(), transaction.to_owned());
        let request = send_message_event::v3::Request::new_raw(room, transaction, kind, content);
        self.0.caller.send(By::User(by), request).await.map(drop)
    }

    /// All of a room's state, seen by one of its members.
    pub async fn get_state(&self, by: &UserId, room: &RoomId) -> Result<RoomState> {
        let request = get_state_events::v3::Request::new(room.to_owned());
        let answer = self.0.caller.send(By::User(by), request).await?;
        let state = answer.room_state.iter().filter_map(|raw| event::read(raw.json()));
        Ok(RoomState { state: state.map(|event| event.in_room(room)).collect() })
    }

    /// A page of a room's events, newest first, and where the next one begins.
    pub async fn list_events(
        &self,
        by: &UserId,
        room: &RoomId,
        from: Option<String>,
    ) -> Result<(Vec<PushedEvent>, Option<String>)> {
        let mut request = get_message_events::v3::Request::backward(room.to_owned()).from(from);
        request.limit = 100_u32.into();
        let answer = self.0.caller.send(By::User(by), request).await?;
        let events = answer.chunk.iter().filter_map(|raw| event::read(raw.json()));
        Ok((events.map(|event| event.in_room(room)).collect(), answer.end))
    }

    pub async fn find_state(
        &self,
        by: &UserId,
        room: &RoomId,
        kind: &str,
    ) -> Result<Option<Value>> {
        let (kind, key) = (StateEventType::from(kind), String::new());
        let request = get_state_event_for_key::v3::Request::new(room.to_owned(), kind, key);
        let answer = unless(&[404], self.0.caller.send(By::User(by), request).await)?;
        let content = answer.map(get_state_event_for_key::v3::Response::into_content);
        let read = content.map(|content| serde_json::from_str(content.json().get()));
        read.transpose().map_err(defect)
    }

    pub async fn set_state(
        &self,
        by: &UserId,
        room: &RoomId,
        kind: &str,
        content: &Value,
    ) -> Result<()> {
        let (kind, key) = (StateEventType::from(kind), String::new());
        let content = raw(content)?;
        let request = send_state_event::v3::Request::new_raw(room.to_owned(), kind, key, content);
        self.0.caller.send(By::User(by), request).await.map(drop)
    }
}

/// Something of ours that the protocol has no form for.
fn defect(error: impl std::fmt::Display) -> Error {
    Error::Away(format!("a request cannot be written: {error}"))
}
