//! Messages to people's devices: reminders, what happens in their teams' matches, results, what is said to them in chat, and what operators tell.
//!
//! Owns: the `push_*` tables; which devices somebody has, what they want to be told and when, and what of it was sent.
//! Invariants: an occasion is told to a user once; nobody is told in their quiet hours, more often a day than they want, or what is not so any
//! more; a registration that is dead is forgotten; a device goes with the login that registered it, and belongs to whoever registered it last.
//! Never: calls the network inside a transaction, or into a network of the operator's own; says in a log what was told to whom.

mod broadcast_store;
mod broadcasts;
mod compose;
mod device_store;
mod follow_chat;
mod gateway;
pub mod gateway_routes;
mod message_store;
pub mod operator_routes;
mod plan;
mod plan_store;
pub mod routes;
mod send;
pub mod settings_routes;
mod settings_store;
mod texts;
mod values;

use std::sync::Arc;

use reqwest::Url;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::adapters::push::{Sender, Target, WebPushKeys};
use crate::extends_core;
use crate::features::events;
use crate::features::sessions::User;
use crate::features::users::{self, UserId};
use crate::platform::clock::{DAY_MS, HOUR_MS, Timestamp};
use crate::platform::config::{Config, ConfigError};
use crate::platform::core::Core;
use crate::platform::db::Tx;
use crate::platform::error::{FieldErrors, Result};
use crate::platform::jobs::{BoundJob, Next, Stop, bind, job};
use crate::platform::keys::Keys;
use crate::platform::language::Language;
use crate::platform::public_network;

use device_store::{DeviceRow, NewDevice};
use operator_routes::{DeviceCountView, PushSumView, PushView};
use settings_routes::SettingsChange;
use settings_store::SettingsRow;
use values::{DeviceId, DeviceKind, DeviceName, Zone};

/// Devices somebody may have; the oldest goes when there is one more.
const MOST_DEVICES: i64 = 20;
const LONGEST_ADDRESS: usize = 2_000;
const SHOWN_DAYS: i64 = 14;
/// A device whose service takes nothing for so long is forgotten.
const HOPELESS_MS: i64 = 30 * DAY_MS;
/// What was told is remembered so long after it expired, and what was planned so long after kick-off.
const KEPT_MS: i64 = DAY_MS;

/// Messages, with the ways out to devices.
#[derive(Clone)]
pub struct Push {
    core: Core,
    sender: Arc<Sender>,
}

extends_core!(Push);

impl Push {
    pub fn open(core: &Core) -> Result<Self, ConfigError> {
        let sender = Sender::open(&core.config.push, &core.keys, &contact(&core.config))?;
        Ok(Self { core: core.clone(), sender: Arc::new(sender) })
    }

    /// Whether messages may go to an address that a user named.
    fn may_call(&self, url: &Url) -> bool {
        let is_web = ["http", "https"].contains(&url.scheme()) && url.has_host();
        public_network::accepts(url) || (self.config.push.allows_private_networks && is_web)
    }

    /// The sorts of devices that can be reached.
    fn kinds(&self) -> Vec<DeviceKind> {
        let mut kinds = vec![DeviceKind::WebPush, DeviceKind::Http];
        kinds.extend(self.sender.reaches_fcm().then_some(DeviceKind::Fcm));
        kinds.extend(self.sender.reaches_apns().then_some(DeviceKind::Apns));
        kinds
    }

    /// The key with which a page subscribes to Web Push.
    pub fn public_key(&self) -> String {
        self.sender.public_key()
    }
}

/// Push services want somebody to write to, and some of them refuse what is on no public host.
fn contact(config: &Config) -> String {
    match (config.push.contact.as_str(), config.public_url()) {
        ("", url) if url.starts_with("https://") => url,
        ("", _) => "mailto:nobody@localhost".to_owned(),
        (contact, _) => contact.to_owned(),
    }
}

/// Every sort of work of this feature.
pub fn jobs(push: &Push) -> [BoundJob; 8] {
    let core = &push.core;
    [
        bind::<plan::FindReminders>(core),
        bind::<plan::PlanReminders>(core),
        bind::<plan::FollowMatches>(core),
        bind::<plan::PlanNews>(core),
        bind::<follow_chat::FollowChat>(core),
        bind::<broadcasts::PlanBroadcast>(core),
        bind::<send::SendShard>(push),
        bind::<Forget>(core),
    ]
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DeviceView {
    id: DeviceId,
    kind: DeviceKind,
    name: Option<DeviceName>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it took a message last.
    #[schema(value_type = Option<String>, format = DateTime)]
    sent_at: Option<Timestamp>,
    /// Since when, and why, its service takes none: `refused`, `later`, `bad_key` or `not_set_up`.
    #[schema(value_type = Option<String>, format = DateTime)]
    failed_at: Option<Timestamp>,
    #[schema(example = "later")]
    failure: Option<String>,
    /// By which a pusher at the homeserver names this device, as long as it is mine. A secret: whoever has it can tell me something.
    #[schema(example = "5.1.0f9c3a5be8d2471660a1f4c7be20d935")]
    pushkey: String,
}

impl DeviceView {
    fn of(row: DeviceRow, keys: &Keys) -> Self {
        let DeviceRow { id, user_id, kind, name, created_at, sent_at, failed_at, failure, .. } =
            row;
        let pushkey = gateway::pushkey(keys, id, user_id);
        Self { id, kind, name, created_at, sent_at, failed_at, failure, pushkey }
    }
}

/// What an app says of a device.
#[derive(Debug)]
struct Registration<'a> {
    kind: DeviceKind,
    address: &'a str,
    p256dh: Option<&'a str>,
    auth: Option<&'a str>,
    name: Option<&'a DeviceName>,
    zone: Option<&'a Zone>,
    language: Option<Language>,
}

/// Whether a device of this sort could be reached, and by what is said of it.
fn check(push: &Push, new: &Registration<'_>) -> Result<()> {
    let mut errors = FieldErrors::default();
    if !push.kinds().contains(&new.kind) {
        errors.add("kind", text!("This service reaches no such devices."));
    }
    let is_address = new.address.len() <= LONGEST_ADDRESS
        && match new.kind {
            DeviceKind::WebPush | DeviceKind::Http => {
                Url::parse(new.address).is_ok_and(|url| push.may_call(&url))
            }
            DeviceKind::Fcm => is_fcm_token(new.address),
            DeviceKind::Apns => is_apns_token(new.address),
        };
    if !is_address {
        errors.add(
            "address",
            match new.kind {
                DeviceKind::WebPush | DeviceKind::Http => {
                    text!("Must be an https address on the public internet.")
                }
                DeviceKind::Fcm => text!("Must be a registration token of Firebase."),
                DeviceKind::Apns => text!("Must be a device token of Apple."),
            },
        );
    }
    if new.kind == DeviceKind::WebPush && is_address {
        let given = (Url::parse(new.address), new.p256dh.unwrap_or(""), new.auth.unwrap_or(""));
        if let (Ok(url), p256dh, auth) = given
            && let Err(field) = WebPushKeys::read(url, p256dh, auth)
        {
            errors.add(field, text!("Must be the key of a push subscription."));
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
}

fn is_fcm_token(token: &str) -> bool {
    let is_of_token = |byte: u8| byte.is_ascii_alphanumeric() || b"_-:".contains(&byte);
    (32..=LONGEST_ADDRESS).contains(&token.len()) && token.bytes().all(is_of_token)
}

fn is_apns_token(token: &str) -> bool {
    (64..=200).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Registers a device for whoever is logged in on it.
fn register(tx: &mut Tx, user: User, new: &Registration<'_>) -> Result<DeviceRow> {
    if !plan_store::is_anybody_there(tx)? {
        // Nobody has been told anything so far, and nobody wants to hear of the past.
        let (newest, _) = events::kept_ids(tx)?;
        plan_store::update_cursor(tx, newest)?;
    }
    let Registration { kind, address, p256dh, auth, name, zone, language } = *new;
    let device = NewDevice { kind, address, p256dh, auth, name };
    let id = device_store::upsert(tx, user.id, user.session_id, &device)?;
    device_store::delete_beyond(tx, user.id, MOST_DEVICES)?;
    settings_store::insert_if_absent(tx, &SettingsRow::usual(user.id))?;
    if let Some(zone) = zone {
        settings_store::update_unknown_zone(tx, user.id, zone)?;
    }
    if users::find_language(tx, user.id)?.is_none() && language.is_some() {
        users::update_language(tx, user.id, language)?;
    }
    device_store::find(tx, id)?.ok_or(not_found!("device"))
}

/// What somebody wants: as they said, or as it is until they do.
fn settings(tx: &mut Tx, user: UserId) -> Result<SettingsRow> {
    Ok(settings_store::find(tx, user)?.unwrap_or_else(|| SettingsRow::usual(user)))
}

fn change_settings(tx: &mut Tx, user: UserId, change: &SettingsChange) -> Result<SettingsRow> {
    let held = settings_store::hold(tx, user)?;
    let mut row = held.unwrap_or_else(|| SettingsRow::usual(user));
    change.apply(&mut row);
    settings_store::upsert(tx, &row)?;
    Ok(row)
}

fn list_devices(tx: &mut Tx, user: UserId) -> Result<Vec<DeviceRow>> {
    device_store::list_of(tx, user)
}

fn remove(tx: &mut Tx, user: UserId, id: DeviceId) -> Result<()> {
    match device_store::delete(tx, user, id)? {
        0 => Err(not_found!("device")),
        _ => Ok(()),
    }
}

/// What operators see of it all.
fn overview(tx: &mut Tx, push: &Push) -> Result<PushView> {
    let set_up = push.kinds();
    let counted = device_store::count_by_kind(tx)?;
    let devices = DeviceKind::ALL
        .into_iter()
        .map(|kind| {
            let found = counted.iter().find(|(counted, ..)| *counted == kind);
            let (devices, failing) = found.map_or((0, 0), |(_, all, failing)| (*all, *failing));
            DeviceCountView { kind, is_set_up: set_up.contains(&kind), devices, failing }
        })
        .collect();
    let today = tx.now().utc_day();
    let days = message_store::list_sums(tx, today - SHOWN_DAYS + 1)?
        .into_iter()
        .map(|(day, kind, outcome, messages)| PushSumView {
            day: Timestamp::start_of_utc_day(day).to_utc_date(),
            kind,
            outcome,
            messages,
        })
        .collect();
    Ok(PushView { devices, waiting: message_store::count_waiting(tx)?, days })
}

/// How a device is reached, unless what is known of it makes no sense any more, or leads where nothing may go.
fn target_of(push: &Push, device: &DeviceRow) -> Option<Target> {
    let url = || Url::parse(&device.address).ok().filter(|url| push.may_call(url));
    Some(match device.kind {
        DeviceKind::WebPush => {
            let (p256dh, auth) = (device.p256dh.as_deref()?, device.auth.as_deref()?);
            Target::WebPush(WebPushKeys::read(url()?, p256dh, auth).ok()?)
        }
        DeviceKind::Http => Target::Http { url: url()? },
        DeviceKind::Fcm => Target::Fcm { token: device.address.clone() },
        DeviceKind::Apns => Target::Apns { token: device.address.clone() },
    })
}

/// Everything this feature knows about a user, for them to take away.
pub fn export(tx: &mut Tx, user: UserId) -> Result<serde_json::Value> {
    let device = |row: DeviceRow| {
        json!({
            "id": row.id, "kind": row.kind, "name": row.name, "created_at": row.created_at, "sent_at": row.sent_at,
            "failed_at": row.failed_at, "failure": row.failure,
        })
    };
    let devices: Vec<_> = list_devices(tx, user)?.into_iter().map(device).collect();
    let settings = settings_store::find(tx, user)?.map(settings_routes::SettingsView::from);
    Ok(json!({"devices": devices, "settings": settings}))
}

pub fn forget(tx: &mut Tx, user: UserId) -> Result<()> {
    message_store::delete_all_of(tx, user)?;
    device_store::delete_all_of(tx, user)?;
    settings_store::delete(tx, user).map(drop)
}

job! {
    /// Forgets what has expired, and devices that nothing reaches any more.
    pub struct Forget;
    kind: "forget_push_messages", lane: Local, every: HOUR_MS, run: forget_expired(Core)
}

async fn forget_expired(_: Forget, core: Core, stop: Stop) -> Result<Next> {
    let messages = |tx: &mut Tx, most| {
        let before = tx.now().plus_ms(-KEPT_MS);
        message_store::delete_expired(tx, before, most)
    };
    let planned = |tx: &mut Tx, most| {
        let before = tx.now().plus_ms(-KEPT_MS);
        plan_store::delete_planned_before(tx, before, most)
    };
    let devices = |tx: &mut Tx, most| {
        let since = tx.now().plus_ms(-HOPELESS_MS);
        device_store::delete_long_failing(tx, since, most)
    };
    core.db.delete_in_batches(&stop, messages).await?;
    core.db.delete_in_batches(&stop, devices).await?;
    core.db.delete_in_batches(&stop, planned).await?;
    Ok(Next::Done)
}
