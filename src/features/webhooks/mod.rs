//! Webhooks: telling other systems what the live stream tells apps.
//!
//! Owns: the `webhooks`, `webhook_cursor` and `webhook_deliveries` tables, and the signature.
//! Invariants: every announcement of an event is made out once for every webhook that wants it, by the transaction that moves the
//! cursor; a delivery is tried until the receiver takes it, at least once, with the same `webhook-id` each time, so that a receiver
//! can tell a repetition; each is signed as Standard Webhooks has it.
//! Never: stores a signing secret, or waits for a receiver inside a transaction.

mod deliver;
pub mod routes;
mod store;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::extends_core;
use crate::features::events::{self, AnnouncementKind, AnnouncementRow};
use crate::features::operators::{self, Change, Operator};
use crate::platform::clock::{self, DAY_MS, HOUR_MS, SECOND_MS};
use crate::platform::core::Core;
use crate::platform::db::{Tx, column, text_column};
use crate::platform::error::{Error, Result};
use crate::platform::http::page::Page;
use crate::platform::jobs::{self, Next, Stop, job};
use crate::platform::keys::Keys;
use crate::platform::outbound;
use crate::platform::texts::Text;
use crate::text_input;

pub use deliver::Deliver;
pub use store::{DeliveryView, WebhookRow, list};

/// Webhooks, with the client that delivers.
#[derive(Clone)]
pub struct Webhooks {
    core: Core,
    client: reqwest::Client,
}

extends_core!(Webhooks);

impl Webhooks {
    pub fn open(core: &Core) -> Result<Self> {
        // Made once: a client reads every certificate that the system trusts, which costs more than a delivery.
        let client = outbound::client(deliver::TIMEOUT).map_err(Error::internal)?;
        Ok(Self { core: core.clone(), client })
    }
}

const NONCE_BYTES: usize = 16;
const SECRET_PREFIX: &str = "whsec_";
const PIECE: i64 = 200;
const KEPT_MS: i64 = 7 * DAY_MS;
const LONGEST_URL: usize = 2_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(value_type = i64, example = 1)]
pub struct WebhookId(pub i64);

column!(WebhookId as i64);

/// An `http` or `https` address.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[schema(value_type = String, example = "https://example.org/hooks/touchline")]
pub struct Url(String);

text_column!(Url);
text_input!(Url);

impl TryFrom<&str> for Url {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        let is_web = reqwest::Url::parse(text)
            .is_ok_and(|url| ["http", "https"].contains(&url.scheme()) && url.has_host());
        if is_web && text.len() <= LONGEST_URL {
            Ok(Self(text.to_owned()))
        } else {
            Err(text!("Must be an http or https address."))
        }
    }
}

/// A kind of news as operators write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, utoipa::ToSchema)]
#[schema(value_type = String, pattern = "^(status|score|predictions|settlement)$", example = "status")]
pub struct WantedKind(AnnouncementKind);

text_input!(WantedKind);

const ALL_KINDS: [AnnouncementKind; 4] = [
    AnnouncementKind::Status,
    AnnouncementKind::Score,
    AnnouncementKind::Predictions,
    AnnouncementKind::Settlement,
];

impl TryFrom<&str> for WantedKind {
    type Error = Text;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        let kind = ALL_KINDS.into_iter().find(|kind| kind.name() == text);
        kind.map(Self).ok_or(text!("Must be status, score, predictions or settlement."))
    }
}

/// The secret with which a webhook's messages are signed, in the form that Standard Webhooks libraries take.
fn secret(keys: &Keys, nonce: &[u8]) -> String {
    format!("{SECRET_PREFIX}{}", BASE64_STANDARD.encode(keys.derive("webhook secret", &[nonce])))
}

/// Adds a webhook that hears of everything from now on; without kinds, of all kinds.
pub fn add(
    tx: &mut Tx,
    keys: &Keys,
    operator: &Operator,
    url: &Url,
    kinds: Option<&[WantedKind]>,
) -> Result<(WebhookId, Vec<&'static str>, String)> {
    let kinds: Vec<&'static str> = match kinds {
        Some(kinds) if !kinds.is_empty() => kinds.iter().map(|kind| kind.0.name()).collect(),
        _ => ALL_KINDS.map(AnnouncementKind::name).to_vec(),
    };
    let nonce = clock::random_bytes::<NONCE_BYTES>();
    if store::count(tx)? == 0 {
        // Nobody has been told anything so far, and nobody wants to hear of the past.
        let (newest, _) = events::kept_ids(tx)?;
        store::update_cursor(tx, newest)?;
    }
    let id = store::insert(tx, url, &json!(kinds).to_string(), &nonce)?;
    let (subject, detail) = (format!("webhook {}", id.0), json!({"url": url}));
    let change = Change { before: Value::Null, after: json!({"url": url, "kinds": kinds}) };
    operators::audit_change(tx, operator, "webhook.add", &subject, &detail, &change)?;
    Ok((id, kinds, secret(keys, &nonce)))
}

pub fn remove(tx: &mut Tx, operator: &Operator, id: WebhookId) -> Result<()> {
    let before = store::find(tx, id)?.ok_or(not_found!("webhook"))?;
    if store::delete(tx, id)? == 0 {
        return Err(not_found!("webhook"));
    }
    let kinds: Value = serde_json::from_str(&before.kinds).unwrap_or_default();
    let change = Change { before: json!({"url": before.url, "kinds": kinds}), after: Value::Null };
    let subject = format!("webhook {}", id.0);
    operators::audit_change(tx, operator, "webhook.remove", &subject, &json!({}), &change)
}

/// A page of a webhook's deliveries, newest first, and how many there are in all.
pub fn list_deliveries(tx: &mut Tx, id: WebhookId, page: Page) -> Result<(Vec<DeliveryView>, i64)> {
    store::find(tx, id)?.ok_or(not_found!("webhook"))?;
    store::list_deliveries(tx, id, page.per_page, page.offset())
}

/// Sends again what has not been taken, or everything after an item. Answers how many messages that is.
pub fn replay(tx: &mut Tx, operator: &Operator, id: WebhookId, after: Option<i64>) -> Result<u64> {
    store::find(tx, id)?.ok_or(not_found!("webhook"))?;
    let messages = store::update_for_replay(tx, id, after, PIECE)?;
    store::update_not_gone(tx, id)?;
    jobs::ask_now(tx, &Deliver { webhook_id: id })?;
    let detail = json!({"after": after, "messages": messages});
    operators::audit(tx, operator, "webhook.replay", &format!("webhook {}", id.0), &detail)?;
    Ok(messages)
}

job! {
    /// Makes out the deliveries of what was announced since.
    pub struct Dispatch;
    kind: "webhook_dispatch", lane: Webhooks, every: SECOND_MS, run: dispatch(Webhooks)
}

async fn dispatch(_: Dispatch, webhooks: Webhooks, _: Stop) -> Result<Next> {
    // Most seconds bring nothing new; finding that out costs no write.
    let has_news = |tx: &mut Tx| {
        Ok(store::count(tx)? > 0 && store::find_cursor(tx)? < events::kept_ids(tx)?.0)
    };
    while webhooks.db.lookup(has_news).await? {
        webhooks.db.write(dispatch_piece).await?;
    }
    Ok(Next::Done)
}

fn dispatch_piece(tx: &mut Tx) -> Result<()> {
    let cursor = store::find_cursor_for_update(tx)?;
    let webhooks = store::list_not_gone(tx)?;
    let rows = events::list_announcements(tx, cursor, PIECE)?;
    for webhook in &webhooks {
        let wanted: Vec<String> = serde_json::from_str(&webhook.kinds).map_err(Error::internal)?;
        let wants = |row: &&AnnouncementRow| wanted.iter().any(|kind| kind == row.kind.name());
        let mut news = rows.iter().filter(wants).peekable();
        if news.peek().is_some() {
            jobs::ask(tx, &Deliver { webhook_id: webhook.id })?;
        }
        news.try_for_each(|row| store::insert_delivery(tx, webhook.id, row).map(drop))?;
    }
    let newest = match rows.last() {
        Some(row) => row.id,
        None => events::kept_ids(tx)?.0,
    };
    store::update_cursor(tx, newest).map(drop)
}

job! {
    pub struct Forget;
    kind: "forget_webhook_deliveries", lane: Local, every: HOUR_MS, run: forget(Webhooks)
}

async fn forget(_: Forget, webhooks: Webhooks, stop: Stop) -> Result<Next> {
    let forget = |tx: &mut Tx, most| {
        let before = tx.now().plus_ms(-KEPT_MS);
        store::delete_old_deliveries(tx, before, most)
    };
    webhooks.db.delete_in_batches(&stop, forget).await?;
    Ok(Next::Done)
}
