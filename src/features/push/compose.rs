//! What is said to a user, if anything is: messages of a kind that are due together are one. Everything is looked at once more, because
//! what was true when it was planned may not be so any more.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::adapters::push::Notice;
use crate::features::events::{self, EventDetailsRow, EventId};
use crate::features::predictions;
use crate::features::users::{self, RecipientRow, UserId};
use crate::platform::clock::{MINUTE_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::Result;
use crate::platform::language::Language;
use crate::platform::{keys, tokens};

use super::broadcasts;
use super::device_store::{self, DeviceRow};
use super::message_store::{self as store, MessageRow};
use super::plan::{self, is_to_come};
use super::settings_store::{self, SettingsRow};
use super::texts::{self, Words};
use super::values::{Kind, QuietHours, day_in};

/// Messages of one kind for one user, and what is to be done about them.
#[derive(Debug)]
pub struct Bundle {
    pub user: UserId,
    pub kind: Kind,
    pub ids: Vec<i64>,
    /// The day that it is where the user is.
    pub day: i64,
    pub decision: Decision,
    /// Those that take a message now.
    pub devices: Vec<DeviceRow>,
}

#[derive(Debug)]
pub enum Decision {
    Send(Notice),
    Wait(Timestamp),
    Drop(&'static str),
}

/// Everything that decisions about some users need.
struct Known {
    now: Timestamp,
    events: BTreeMap<i64, EventDetailsRow>,
    /// By event and user: what their prediction has earned, if they made one.
    earned: BTreeMap<(i64, UserId), Option<i64>>,
    broadcasts: BTreeMap<i64, Words>,
}

/// Decides about all that is due for these users.
pub fn decide(tx: &mut Tx, users: &[UserId]) -> Result<Vec<Bundle>> {
    let messages = store::list_due_of(tx, users)?;
    let known = Known::of(tx, &messages)?;
    let people: BTreeMap<UserId, RecipientRow> =
        users::list_recipients(tx, users)?.into_iter().map(|user| (user.id, user)).collect();
    let settings: BTreeMap<UserId, SettingsRow> =
        settings_store::list_of_all(tx, users)?.into_iter().map(|row| (row.user_id, row)).collect();
    let mut devices: BTreeMap<UserId, Vec<DeviceRow>> = BTreeMap::new();
    for device in device_store::list_of_all(tx, users)? {
        devices.entry(device.user_id).or_default().push(device);
    }
    let mut bunches: BTreeMap<(UserId, Kind, String), Vec<MessageRow>> = BTreeMap::new();
    for message in messages {
        let bunch = (message.user_id, message.kind, room_of(&message));
        bunches.entry(bunch).or_default().push(message);
    }
    let mut bundles = Vec::new();
    // Sent in this round already, so that a cap holds for several kinds at once.
    let mut sending: BTreeMap<UserId, i64> = BTreeMap::new();
    for ((user, kind, _), messages) in bunches {
        let all = devices.get(&user).map_or(&[][..], Vec::as_slice);
        let (person, settings) = (people.get(&user), settings.get(&user));
        let before = sending.get(&user).copied().unwrap_or(0);
        let decision = match (person, settings) {
            _ if all.is_empty() => Decision::Drop("no_device"),
            (Some(person), Some(settings)) if !person.is_banned(known.now) => {
                let decision = known.decide(person, settings, kind, &messages, before);
                wait_for_devices(decision, all, known.now)
            }
            _ => Decision::Drop("gone"),
        };
        if matches!(decision, Decision::Send(_)) && kind.counts() {
            *sending.entry(user).or_default() += 1;
        }
        bundles.push(Bundle {
            user,
            kind,
            ids: messages.iter().map(|message| message.id).collect(),
            day: settings.map_or(0, |settings| day_in(&settings.zone, known.now)),
            decision,
            devices: all.iter().filter(|one| is_ready(one, known.now)).cloned().collect(),
        });
    }
    Ok(bundles)
}

/// Whether a device's service may be asked, which it may not for a while after it took nothing.
fn is_ready(device: &DeviceRow, now: Timestamp) -> bool {
    device.retry_at.is_none_or(|at| at <= now)
}

/// What would be sent waits if none of the devices is ready.
fn wait_for_devices(decision: Decision, devices: &[DeviceRow], now: Timestamp) -> Decision {
    if !matches!(decision, Decision::Send(_)) || devices.iter().any(|one| is_ready(one, now)) {
        return decision;
    }
    devices.iter().filter_map(|one| one.retry_at).min().map_or(decision, Decision::Wait)
}

impl Known {
    fn of(tx: &mut Tx, messages: &[MessageRow]) -> Result<Self> {
        let about = |kinds: &[Kind]| {
            let mut ids: Vec<i64> = messages
                .iter()
                .filter(|one| kinds.contains(&one.kind))
                .map(|one| one.subject_id)
                .collect();
            ids.sort_unstable();
            ids.dedup();
            ids
        };
        let matches: Vec<EventId> =
            about(&[Kind::Reminder, Kind::KickOff, Kind::Goal, Kind::Result])
                .into_iter()
                .map(EventId)
                .collect();
        let events = events::list_details(tx, &matches)?;
        let asked: Vec<(EventId, UserId)> = messages
            .iter()
            .filter(|one| matches!(one.kind, Kind::Reminder | Kind::Result))
            .map(|one| (EventId(one.subject_id), one.user_id))
            .collect();
        Ok(Self {
            now: tx.now(),
            events: events.into_iter().map(|one| (one.event.id.0, one)).collect(),
            earned: predictions::list_points(tx, &asked)?
                .into_iter()
                .map(|(event, user, points)| ((event.0, user), points))
                .collect(),
            broadcasts: broadcasts::list_words(tx, &about(&[Kind::Message]))?,
        })
    }

    fn decide(
        &self,
        person: &RecipientRow,
        settings: &SettingsRow,
        kind: Kind,
        messages: &[MessageRow],
        sending: i64,
    ) -> Decision {
        if !is_wanted(settings, kind) {
            return Decision::Drop("switched_off");
        }
        let fresh: Vec<&MessageRow> =
            messages.iter().filter(|one| one.expires_at > self.now && self.is_true(one)).collect();
        let Some(expires_at) = fresh.iter().map(|one| one.expires_at).min() else {
            return Decision::Drop("outdated");
        };
        let SettingsRow { quiet_from: from, quiet_until: until, zone, .. } = settings;
        if let Some(end) = (QuietHours { from: *from, until: *until, zone }).end_after(self.now) {
            return if end < expires_at { Decision::Wait(end) } else { Decision::Drop("quiet") };
        }
        let sent = if settings.day == day_in(zone, self.now) { settings.sent } else { 0 };
        if kind.counts() && sent + sending >= settings.most_a_day.get() {
            return Decision::Drop("too_many");
        }
        let language = person.language.unwrap_or_default();
        let words = self.words(language, kind, &fresh);
        let Some(Words { title, body }) = words else { return Decision::Drop("outdated") };
        let lives = expires_at.millis_since(self.now);
        Decision::Send(Notice {
            title,
            body,
            tag: tag(kind, &fresh),
            data: data(kind, &fresh),
            lives: Duration::from_millis(lives.unsigned_abs()),
        })
    }

    /// Whether it is still so.
    fn is_true(&self, message: &MessageRow) -> bool {
        let details = || self.events.get(&message.subject_id);
        let earned = || self.earned.get(&(message.subject_id, message.user_id));
        match message.kind {
            Kind::Reminder => {
                details().is_some_and(|one| is_to_come(&one.event, message.expires_at, self.now))
                    && earned().is_none()
            }
            Kind::KickOff => details().is_some_and(|one| !one.event.is_void()),
            // A goal may have been taken back.
            Kind::Goal => details().is_some_and(|one| {
                !one.event.is_void() && plan::stands_at_least(&one.event, &message.occasion)
            }),
            Kind::Result => {
                details().is_some_and(|one| !one.event.is_void())
                    && earned().is_some_and(Option::is_some)
            }
            Kind::Message => self.broadcasts.contains_key(&message.subject_id),
            Kind::Invitation | Kind::Mention | Kind::Chat => true,
        }
    }

    fn words(&self, language: Language, kind: Kind, messages: &[&MessageRow]) -> Option<Words> {
        let matches: Vec<&EventDetailsRow> =
            subjects(messages).iter().filter_map(|id| self.events.get(id)).collect();
        let lines: Vec<String> = matches.iter().map(|one| texts::line(one)).collect();
        Some(match kind {
            Kind::Reminder => {
                let first = matches.iter().map(|one| one.event.start_time).min()?;
                let minutes = first.millis_since(self.now) / MINUTE_MS;
                texts::reminder(language, &lines, minutes)
            }
            Kind::KickOff => texts::kick_off(language, &lines),
            Kind::Goal => texts::goal(language, &lines, messages.len()),
            Kind::Result => {
                let of = |one: &&MessageRow| {
                    self.earned.get(&(one.subject_id, one.user_id)).copied().flatten().unwrap_or(0)
                };
                texts::result(language, &lines, messages.iter().map(of).sum())
            }
            Kind::Message => self.broadcasts.get(&messages.last()?.subject_id)?.clone(),
            Kind::Invitation | Kind::Mention | Kind::Chat => {
                let data: Value = serde_json::from_str(&messages.last()?.data).ok()?;
                let text = |name: &str| data.get(name).and_then(Value::as_str).unwrap_or_default();
                match kind {
                    Kind::Invitation => texts::invitation(language, text("by"), text("room")),
                    Kind::Chat => {
                        let (by, room) = (text("by"), text("room"));
                        texts::chat(language, by, room, text("text"), messages.len())
                    }
                    _ => texts::mention(language, text("by"), text("text"), messages.len()),
                }
            }
        })
    }
}

fn is_wanted(settings: &SettingsRow, kind: Kind) -> bool {
    match kind {
        Kind::Reminder => settings.reminder,
        Kind::KickOff => settings.kick_off,
        Kind::Goal => settings.goal,
        Kind::Result => settings.result,
        Kind::Invitation => settings.invitation,
        Kind::Mention => settings.mention,
        Kind::Chat => settings.chat,
        Kind::Message => settings.message,
    }
}

/// Where it was said, of what is told by rooms: one message for each.
fn room_of(message: &MessageRow) -> String {
    if message.kind != Kind::Chat {
        return String::new();
    }
    let data: Value = serde_json::from_str(&message.data).unwrap_or_default();
    data.get("room_id").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The same for the same messages, so that a device that is told twice shows it once; of a chat room the last is shown.
fn tag(kind: Kind, messages: &[&MessageRow]) -> String {
    if let (Kind::Chat, Some(message)) = (kind, messages.first()) {
        let hash = tokens::hash(&room_of(message));
        return format!("{}-{}", kind.name(), keys::hex(&hash[..8]));
    }
    let first = messages.first().map_or(0, |one| one.id);
    format!("{}-{first}", kind.name())
}

/// What these are about, each once, in the order in which it happened.
fn subjects(messages: &[&MessageRow]) -> Vec<i64> {
    let mut ids: Vec<i64> = Vec::new();
    for message in messages {
        if !ids.contains(&message.subject_id) {
            ids.push(message.subject_id);
        }
    }
    ids
}

/// For the app: what to open.
fn data(kind: Kind, messages: &[&MessageRow]) -> Value {
    let ids = subjects(messages);
    match kind {
        Kind::Reminder | Kind::KickOff | Kind::Goal | Kind::Result => {
            json!({"kind": kind, "event_ids": ids})
        }
        Kind::Message => json!({"kind": kind, "message_id": ids.last()}),
        Kind::Invitation | Kind::Mention | Kind::Chat => {
            let last = messages.last().map_or("{}", |one| one.data.as_str());
            let data: Value = serde_json::from_str(last).unwrap_or_default();
            json!({"kind": kind, "room_id": data.get("room_id"), "event_id": data.get("event_id")})
        }
    }
}
