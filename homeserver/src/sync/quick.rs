//! An answer made from memory: of how the device stands, and of what happened lately in the rooms that many follow.
//!
//! It says to the byte what [`super::build`] would say, which also answers whatever this does not know for certain.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ruma::api::client::filter::FilterDefinition;
use serde_json::Value;

use super::build::{Ask, Built, ROOMS_BYTES, wants_room};
use super::recent::{Item, Recent};
use super::room::{HEROES, summary, tell_receipts, tell_typing};
use super::standing::{Seen, Standing};
use super::state::timeline_limit;
use super::token::Token;
use crate::live::Topic;
use crate::rooms::format::{Written, age, own_txn};
use crate::store::events::Event;
use crate::{Hs, filter};

/// From so many on who wait for a room it is cheaper to read once for all what happened there.
const MANY: usize = 8;

/// None if it takes the database to know what to tell.
pub async fn answer(hs: &Arc<Hs>, ask: &Ask, typing: i64) -> Option<Built> {
    let since = ask.since.filter(|since| since.rest.is_none())?;
    // The position first: whatever changed up to it shows in the version.
    let upto = hs.live.position();
    let standing = hs.standings.find(ask)?;
    if standing.version != hs.live.version_of(ask.me.id())
        || since.position.min(since.inbox) < standing.upto
        || since.position > upto
    {
        return None;
    }
    let filter = standing.filter(ask.filter.as_ref())?;
    let teller = Teller { ask, filter, since: since.position, upto };
    let (mut rooms, mut seen, mut bytes) = (BTreeMap::new(), Vec::new(), 0);
    for &room in &*standing.rooms {
        let typing = hs.live.typing_since(room, since.typing);
        if typing.is_none() && !hs.live.changed_since(room, since.position) {
            continue;
        }
        let is_shared = hs.live.count_waiters(&Topic::Room(room)) >= MANY;
        let recent = hs.recents.of(hs, room, upto, is_shared).await?;
        // Whose devices to look at is told of encrypted rooms, also of those that are not wanted.
        if recent.is_encrypted {
            return None;
        }
        if !wants_room(filter, &recent.room_id) {
            continue;
        }
        let told = teller.room(&recent, standing.find(room)?, typing);
        if let Some((json, now)) = told.ok()? {
            bytes += json.len();
            rooms.insert(recent.room_id.clone(), json);
            seen.push((room, now));
        }
    }
    if bytes >= ROOMS_BYTES {
        return None;
    }
    let next = Token { position: upto, typing, inbox: upto, rest: None };
    let body = body(&next.encode(), &rooms, &standing.keys)?;
    let has_news = !rooms.is_empty();
    let rooms = standing.rooms.clone();
    if has_news {
        hs.recents.note_told();
        let (filter, keys) = (standing.filter.clone(), standing.keys.clone());
        let now = Standing { upto, seen, rooms: rooms.clone(), filter, keys, ..*standing };
        hs.standings.keep(ask, now);
    }
    Some(Built { body, has_news, upto, rooms, acknowledged: false, standing: None })
}

fn body(next_batch: &str, rooms: &BTreeMap<String, Vec<u8>>, keys: &str) -> Option<Vec<u8>> {
    let size = rooms.values().map(|json| json.len() + 80).sum::<usize>() + keys.len() + 100;
    let mut json = Vec::with_capacity(size);
    json.extend_from_slice(b"{\"next_batch\":\"");
    json.extend_from_slice(next_batch.as_bytes());
    json.push(b'"');
    let mut before: &[u8] = b",\"rooms\":{\"join\":{";
    for (id, room) in rooms {
        json.extend_from_slice(before);
        serde_json::to_writer(&mut json, id).ok()?;
        json.push(b':');
        json.extend_from_slice(room);
        before = b",";
    }
    if !rooms.is_empty() {
        json.extend_from_slice(b"}}");
    }
    json.extend_from_slice(keys.as_bytes());
    Some(json)
}

struct Teller<'a> {
    ask: &'a Ask,
    filter: &'a FilterDefinition,
    since: i64,
    upto: i64,
}

/// It takes the database to know.
struct Unsure;

type Sure<T> = Result<T, Unsure>;

impl Teller<'_> {
    /// What is told of a room; None if there is no news.
    fn room(
        &self,
        recent: &Recent,
        seen: &Seen,
        typing: Option<Vec<String>>,
    ) -> Sure<Option<(Vec<u8>, Seen)>> {
        if !seen.view.stayed(self.since, i64::MAX) {
            return Err(Unsure);
        }
        let now = self.count(recent, seen).ok_or(Unsure)?;
        let rules = &self.filter.room.timeline;
        let after = recent.after(self.since, self.upto).ok_or(Unsure)?.rev();
        let mut newest = after
            .filter(|item| seen.view.can_see(&item.event) && filter::matches(rules, &item.event));
        let mut events: Vec<_> = newest.by_ref().take(timeline_limit(rules)).collect();
        let limited = newest.next().is_some();
        events.reverse();
        let start = events.first().map_or(self.upto, |first| first.event.seq - 1);
        let state = self.senders(recent, &events, start).ok_or(Unsure)?;
        let ephemeral = self.ephemeral(recent, typing);
        if events.is_empty() && !limited && ephemeral.is_empty() {
            return Ok(None);
        }
        let json = self.write(recent, &now, (&events, limited, start), &state, &ephemeral)?;
        Ok(Some((json, now)))
    }

    /// What is unread now. None if more than messages came since it was counted.
    fn count(&self, recent: &Recent, seen: &Seen) -> Option<Seen> {
        let (me, mut counts) = (self.ask.me.id(), seen.counts.clone());
        for Item { event, notify, mentions, .. } in recent.after(seen.upto, self.upto)? {
            if event.is_state() || event.redacts.is_some() || event.redacted_by.is_some() {
                return None;
            }
            if event.sender != me && !seen.view.ignores(&event.sender) {
                let is_mention = mentions.iter().any(|user| user == me);
                counts.add(event.thread.as_deref(), *notify, is_mention);
            }
        }
        Some(Seen { upto: self.upto, view: seen.view.clone(), counts })
    }

    /// The member events of those who sent something, for clients that load members lazily.
    fn senders<'r>(
        &self,
        recent: &'r Recent,
        events: &[&Item],
        start: i64,
    ) -> Option<Vec<&'r (Event, Written)>> {
        let rules = &self.filter.room.state;
        if !filter::lazy(rules) {
            return Some(Vec::new());
        }
        let names: BTreeSet<_> = events.iter().map(|item| item.event.sender.as_str()).collect();
        let mut told = Vec::with_capacity(names.len());
        for name in names {
            let member = recent.members.get(name).filter(|(event, _)| event.seq <= start)?;
            if filter::matches(rules, &member.0) {
                told.push(member);
            }
        }
        told.sort_by_key(|(event, _)| event.seq);
        Some(told)
    }

    fn ephemeral(&self, recent: &Recent, typing: Option<Vec<String>>) -> Vec<Value> {
        let mut told = Vec::from_iter(typing.as_deref().map(tell_typing));
        let within = |seq: i64| seq > self.since && seq <= self.upto;
        told.extend(tell_receipts(recent.receipts.iter().filter(|receipt| within(receipt.seq))));
        let kinds = &self.filter.room.ephemeral;
        filter::keep_types(&mut told, kinds.types.as_deref(), &kinds.not_types);
        told
    }

    fn write(
        &self,
        recent: &Recent,
        now: &Seen,
        (events, limited, start): (&[&Item], bool, i64),
        state: &[&(Event, Written)],
        ephemeral: &[Value],
    ) -> Sure<Vec<u8>> {
        let mut json = b"{\"timeline\":{\"events\":[".to_vec();
        for (nth, Item { event, written, .. }) in events.iter().enumerate() {
            if nth > 0 {
                json.push(b',');
            }
            let txn = own_txn(event, &self.ask.me);
            let written = written.as_ref().ok_or(Unsure)?;
            written.tell(age(event, self.ask.now), txn, &mut json).map_err(|_| Unsure)?;
        }
        let end = format!("],\"limited\":{limited},\"prev_batch\":\"t{start}\"}}");
        json.extend_from_slice(end.as_bytes());
        json.extend_from_slice(b",\"state\":{\"events\":[");
        for (nth, (event, written)) in state.iter().enumerate() {
            if nth > 0 {
                json.push(b',');
            }
            written.tell_state(age(event, self.ask.now), &mut json);
        }
        json.extend_from_slice(b"]},\"account_data\":{\"events\":[]},\"ephemeral\":{\"events\":");
        serde_json::to_writer(&mut json, ephemeral).map_err(|_| Unsure)?;
        json.extend_from_slice(b"},");
        let by_thread = self.filter.room.timeline.unread_thread_notifications;
        let counts = now.counts.clone();
        let counts = if by_thread { counts } else { counts.together() };
        let counts = serde_json::to_string(&counts).map_err(|_| Unsure)?;
        json.extend_from_slice(
            counts.trim_start_matches('{').strip_suffix('}').unwrap_or_default().as_bytes(),
        );
        json.extend_from_slice(b",\"summary\":");
        let summary = match state {
            [] => serde_json::Map::new(),
            _ => summary((recent.joined, recent.invited), self.heroes(recent)?),
        };
        serde_json::to_writer(&mut json, &summary).map_err(|_| Unsure)?;
        json.push(b'}');
        Ok(json)
    }

    /// None if the room has a name of its own.
    fn heroes(&self, recent: &Recent) -> Sure<Option<Vec<String>>> {
        let Some(all) = &recent.heroes else { return Ok(None) };
        let others = all.iter().filter(|user| user.as_str() != self.ask.me.id());
        let others: Vec<_> = others.take(HEROES).cloned().collect();
        // Who is alone calls the room after those who left.
        if others.is_empty() { Err(Unsure) } else { Ok(Some(others)) }
    }
}
