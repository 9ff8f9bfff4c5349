//! `POST /createRoom`: one transaction, so a room exists completely or not at all.

use ruma::api::client::room::Visibility;
use ruma::api::client::room::create_room::v3::{Request, RoomPreset};
use ruma::serde::Raw;
use ruma::{OwnedUserId, RoomId};
use rusqlite::params;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::VERSION;
use super::append::{NewEvent, Room, append, check_state};
use super::directory::{check_alias, claim_alias};
use super::membership::{check_welcome, member_content};
use super::send::put_state;
use crate::Hs;
use crate::error::{Error, Result};
use crate::http::{Call, Caller, Reply, Routes, ok, with};
use crate::random::opaque;
use crate::store::Tx;
use crate::store::events::MEMBER;

const INVITES_MAX: usize = 100;

pub fn routes(routes: Routes) -> Routes {
    routes.serve(create_room)
}

async fn create_room(call: Call<Request>) -> Reply {
    call.limit_messages()?;
    let me = call.me()?.clone();
    let plan = Plan::new(&call.hs, &me.user, &call.body, me.appservice)?;
    let members = plan.events.iter().filter(|(kind, ..)| kind == MEMBER).count();
    call.limit_memberships(plan.invites.len() + members)?;
    call.limit_rooms()?;
    let id = format!("!{}:{}", opaque(18), call.hs.server_name);
    let id = RoomId::parse(id).map_err(Error::internal)?;
    let room_id = id.clone();
    let turn = me.turn();
    call.hs.store.write_in(turn, move |tx| plan.carry_out(tx, id, &me)).await?;
    ok(json!({"room_id": room_id}))
}

/// A checked request: the events to send, in order.
struct Plan {
    published: bool,
    alias: Option<String>,
    direct: bool,
    invites: Vec<OwnedUserId>,
    create: Value,
    power: Value,
    events: Vec<(String, String, Value)>,
}

impl Plan {
    fn new(hs: &Hs, me: &OwnedUserId, body: &Request, appservice: bool) -> Result<Self> {
        if body.room_version.as_ref().is_some_and(|version| *version != VERSION) {
            let text = "Your homeserver does not support this room version";
            return Err(Error::bad_request("M_UNSUPPORTED_ROOM_VERSION", text));
        }
        if !body.invite_3pid.is_empty() {
            return Err(Error::forbidden("Invitations by third-party id are not supported"));
        }
        if body.invite.len() > INVITES_MAX {
            return Err(Error::invalid_param("Too many invitations at once"));
        }
        let alias = body.room_alias_name.as_ref().map(|name| format!("#{name}:{}", hs.server_name));
        if let Some(alias) = &alias {
            check_alias(hs, alias, appservice)?;
        }
        let published = is_public(&body.visibility)?;
        let preset = body.preset.clone().unwrap_or(if published {
            RoomPreset::PublicChat
        } else {
            RoomPreset::PrivateChat
        });
        if !["private_chat", "public_chat", "trusted_private_chat"].contains(&preset.as_str()) {
            return Err(Error::bad_json("There is no such preset"));
        }
        let mut create = object(body.creation_content.as_ref().map(Raw::json))?;
        create.insert("room_version".to_owned(), VERSION.as_str().into());
        create.remove("creator");
        let mut power = default_power(me, &preset, &body.invite);
        if let Some(power) = power.as_object_mut() {
            power.extend(object(body.power_level_content_override.as_ref().map(Raw::json))?);
        }
        let mut plan = Self {
            published,
            alias,
            direct: body.is_direct,
            invites: body.invite.clone(),
            create: create.into(),
            power,
            events: Vec::new(),
        };
        plan.add_state(body, &preset)?;
        Ok(plan)
    }

    fn add_state(&mut self, body: &Request, preset: &RoomPreset) -> Result<()> {
        let mut given = Vec::new();
        for event in &body.initial_state {
            let event: FirstState = serde_json::from_str(event.json().get())
                .map_err(|_| Error::bad_json("State has a type, a key and an object as content"))?;
            let content = event.content.into();
            if event.kind == "m.room.power_levels" && event.state_key.is_empty() {
                self.power = content;
            } else {
                given.push((event.kind, event.state_key, content));
            }
        }
        let public = *preset == RoomPreset::PublicChat;
        if let Some(alias) = &self.alias {
            self.add_default(&given, "m.room.canonical_alias", json!({"alias": alias}));
        }
        let rule = if public { "public" } else { "invite" };
        self.add_default(&given, "m.room.join_rules", json!({"join_rule": rule}));
        let history = json!({"history_visibility": "shared"});
        self.add_default(&given, "m.room.history_visibility", history);
        if !public {
            let access = json!({"guest_access": "can_join"});
            self.add_default(&given, "m.room.guest_access", access);
        }
        self.events.extend(given);
        if let Some(name) = &body.name {
            self.add("m.room.name", json!({"name": name}));
        }
        if let Some(topic) = &body.topic {
            let rich = json!({"m.text": [{"body": topic}]});
            self.add("m.room.topic", json!({"topic": topic, "m.topic": rich}));
        }
        Ok(())
    }

    fn add(&mut self, kind: &str, content: Value) {
        self.events.push((kind.to_owned(), String::new(), content));
    }

    fn add_default(&mut self, given: &[(String, String, Value)], kind: &str, content: Value) {
        if !given.iter().any(|(other, key, _)| other == kind && key.is_empty()) {
            self.add(kind, content);
        }
    }

    fn carry_out(self, tx: &mut Tx<'_>, id: ruma::OwnedRoomId, caller: &Caller) -> Result<()> {
        let me = &caller.user;
        let sql = "INSERT INTO rooms (room_id, published) VALUES (?1, ?2)";
        tx.execute(sql, params![id.as_str(), self.published])?;
        let room = Room { key: tx.conn.last_insert_rowid(), id };
        let own = member_content(tx.conn, me, "join", None)?;
        append(tx, &room, me, NewEvent::state("m.room.create", "", self.create))?;
        append(tx, &room, me, NewEvent::member(me.as_str(), own))?;
        append(tx, &room, me, NewEvent::state("m.room.power_levels", "", self.power))?;
        if let Some(alias) = &self.alias {
            claim_alias(tx, alias, room.key, caller)?;
        }
        for (kind, key, content) in self.events {
            put_state(tx, caller, &room, NewEvent::state(&kind, &key, content))?;
        }
        check_state(tx, &room, caller)?;
        for user in &self.invites {
            check_welcome(tx.conn, caller, user)?;
            let content = member_content(tx.conn, user, "invite", None)?;
            let content = with(content, "is_direct", self.direct.then_some(true));
            append(tx, &room, me, NewEvent::member(user.as_str(), content))?;
        }
        Ok(())
    }
}

/// One of the state events that a client gives along.
#[derive(Deserialize)]
struct FirstState {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    state_key: String,
    content: Map<String, Value>,
}

/// Whether a room is to be listed; ruma takes any word.
pub fn is_public(visibility: &Visibility) -> Result<bool> {
    match visibility {
        Visibility::Public => Ok(true),
        Visibility::Private => Ok(false),
        _ => Err(Error::bad_json("Rooms are public or private")),
    }
}

fn object(json: Option<&RawValue>) -> Result<Map<String, Value>> {
    let Some(json) = json else { return Ok(Map::new()) };
    serde_json::from_str(json.get()).map_err(|_| Error::bad_json("An object was expected"))
}

fn default_power(me: &OwnedUserId, preset: &RoomPreset, invites: &[OwnedUserId]) -> Value {
    let mut users = Map::from_iter([(me.to_string(), json!(100))]);
    if *preset == RoomPreset::TrustedPrivateChat {
        users.extend(invites.iter().map(|user| (user.to_string(), json!(100))));
    }
    let public = *preset == RoomPreset::PublicChat;
    let events = json!({
        "m.room.name": 50, "m.room.power_levels": 100, "m.room.history_visibility": 100,
        "m.room.canonical_alias": 50, "m.room.avatar": 50, "m.room.tombstone": 100,
        "m.room.server_acl": 100, "m.room.encryption": 100,
    });
    json!({
        "users": users, "users_default": 0, "events_default": 0, "state_default": 50,
        "events": with(events, "m.call.invite", public.then_some(50)),
        "ban": 50, "kick": 50, "redact": 50, "invite": if public { 50 } else { 0 },
        "historical": 100,
    })
}
