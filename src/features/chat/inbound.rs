//! What the network tells: each event has its effect once, in the transaction that marks it as seen.

use std::collections::BTreeSet;

use crate::adapters::matrix::{PURPOSE, PushedEvent};
use crate::features::chat::Chat;
use crate::features::{events, users};
use crate::platform::clock::Timestamp;
use crate::platform::db::Tx;
use crate::platform::error::Result;

use super::member_store::{self, Membership};
use super::membership::Turned;
use super::purpose::Purpose;
use super::store;
use super::values::RoomId;
use super::{account_store, accounts, addressed, age_store, membership, turn_store};

const LONGEST_NAME: usize = 255;
const LONGEST_TOPIC: usize = 2_000;
const LONGEST_RULE: usize = 50;

/// Takes what the homeserver pushed. It pushes again what it did not see acknowledged, under other transaction ids, so events
/// are known by their own ids.
///
/// The embedded homeserver says how far it has come with them.
pub async fn receive(chat: &Chat, events: Vec<PushedEvent>, position: Option<i64>) -> Result<()> {
    if events.is_empty() {
        return Ok(());
    }
    let shared = chat.clone();
    let count = chat
        .db
        .write(move |tx| {
            if let Some(position) = position {
                age_store::upsert(tx, position)?;
            }
            let ids: Vec<&str> = events.iter().map(|event| event.event_id.as_str()).collect();
            let mut new: BTreeSet<String> = store::insert_seen(tx, &ids)?.into_iter().collect();
            let count = new.len();
            for event in &events {
                // Taken out as it is applied: the same event twice in one transaction counts once.
                if new.remove(&event.event_id) {
                    apply(tx, &shared, event)?;
                }
            }
            Ok(count)
        })
        .await?;
    metrics::counter!("touchline_chat_events_total").increment(u64::try_from(count).unwrap_or(0));
    Ok(())
}

/// When an event happened: never later than now, also if the clock of its homeserver is ahead, or it would stay the room's last for as long.
pub fn moment_of(tx: &Tx, event: &PushedEvent) -> Timestamp {
    event.happened_at().min(tx.now())
}

/// The effect of one event. A room that was unknown becomes known: pushes can outrun the answer to its creation.
pub fn apply(tx: &mut Tx, chat: &Chat, event: &PushedEvent) -> Result<()> {
    if RoomId::parse(&event.room_id).is_none() {
        return Ok(());
    }
    let at = moment_of(tx, event);
    store::insert_unknown_room(tx, &event.room_id, at)?;
    store::update_activity(tx, &event.room_id, at)?;
    if event.is_state() {
        return apply_state(tx, chat, event);
    }
    member_store::update_member_active(tx, &event.room_id, &event.sender, at)?;
    addressed::note_message(tx, event)?;
    addressed::take_back(tx, event)
}

/// What a room's state says of it; also how a room is read back as a whole.
pub fn apply_state(tx: &mut Tx, chat: &Chat, event: &PushedEvent) -> Result<()> {
    let room = event.room_id.as_str();
    match event.kind.as_str() {
        "m.room.create" => {
            let creator = account_store::find(tx, &event.sender)?;
            let creator = creator.and_then(|account| account.user_id);
            store::update_created(tx, room, creator, moment_of(tx, event))?;
        }
        "m.room.name" => {
            let name = event.text("name", LONGEST_NAME);
            store::update_name(tx, room, &name)?;
        }
        "m.room.topic" => {
            store::update_topic(tx, room, &event.text("topic", LONGEST_TOPIC))?;
        }
        "m.room.join_rules" => {
            store::update_join_rule(tx, room, &event.text("join_rule", LONGEST_RULE))?;
        }
        // Encryption is never turned off again.
        "m.room.encryption" => {
            store::update_encrypted(tx, room)?;
        }
        "m.room.member" => {
            let member = event.state_key.as_deref().unwrap_or_default();
            if let Some(after) = membership_of(event) {
                turn_store::update_overtaken(tx, room, member, after)?;
                let (by, at) = (event.sender.as_str(), moment_of(tx, event));
                let turned = Turned { room_id: room, matrix_id: member, by, after, at };
                membership::set(tx, chat, turned)?;
                if after.is_some() {
                    turn_out(tx, member)?;
                }
            }
        }
        PURPOSE => apply_purpose(tx, chat, event)?,
        _ => {}
    }
    Ok(())
}

/// Whoever is banned, or goes by another name by now, has come in by a door that was not shut yet: they are taken out again.
fn turn_out(tx: &mut Tx, matrix_id: &str) -> Result<()> {
    let Some(account) = account_store::find(tx, matrix_id)? else { return Ok(()) };
    let Some(user) = account.user_id else { return Ok(()) };
    let is_in = users::find(tx, user)?.is_some_and(|user| !user.is_banned(tx.now()));
    if is_in && account.is_current { Ok(()) } else { accounts::want(tx, matrix_id) }
}

/// What a member event makes of its member; nothing at all if it says something unheard of.
#[allow(clippy::option_option, reason = "unreadable, left, or something to the room")]
pub fn membership_of(event: &PushedEvent) -> Option<Option<Membership>> {
    match event.text("membership", LONGEST_RULE).as_str() {
        "join" => Some(Some(Membership::Join)),
        "invite" => Some(Some(Membership::Invite)),
        "knock" => Some(Some(Membership::Knock)),
        "ban" => Some(Some(Membership::Ban)),
        "leave" => Some(None),
        _ => None,
    }
}

fn apply_purpose(tx: &mut Tx, chat: &Chat, event: &PushedEvent) -> Result<()> {
    let Some(purpose) = Purpose::read(&event.content, &event.sender, &chat.keys) else {
        return Ok(());
    };
    let room = event.room_id.as_str();
    let match_of_room = match purpose.event_id {
        Some(id) => events::find(tx, id)?,
        None => None,
    };
    let event_id = match_of_room.as_ref().map(|row| row.id);
    store::update_purpose(tx, room, event_id, purpose.is_event_room, purpose.creator_id)?;
    if let Some(found) = match_of_room.filter(|_| purpose.is_event_room)
        && found.chat_room_id.is_none()
    {
        events::set_chat_room(tx, found.id, room)?;
    }
    if let (Some(user), Some(request)) = (purpose.creator_id, &purpose.request) {
        store::update_request(tx, user, request, room)?;
    }
    Ok(())
}
