//! One delivery: signed, sent, written down.

use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::Sha256;

use crate::features::webhooks::Webhooks;
use crate::platform::clock::{SECOND_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::jobs::{self, Job, Next, Running};

use super::store::{self, DeliveryRow};
use super::{SECRET_PREFIX, WebhookId, secret};

pub const DELIVER: jobs::JobKind<Webhooks> =
    jobs::JobKind { name: "webhook_deliver", every_ms: None, run: deliver };

pub const TIMEOUT: Duration = Duration::from_secs(10);

/// What a job says.
#[derive(Serialize, Deserialize)]
struct Delivery {
    webhook_id: WebhookId,
    feed_id: i64,
}

/// Asks for a delivery, once however often it is asked for while it waits.
pub fn ask(tx: &mut Tx, webhook: WebhookId, feed_id: i64) -> Result<()> {
    let payload = json!(Delivery { webhook_id: webhook, feed_id });
    let key = format!("webhook:{}:{feed_id}", webhook.0);
    let now = tx.now();
    jobs::enqueue_once(tx, DELIVER.name, &key, &payload, now)
}

fn deliver(webhooks: Webhooks, job: Job) -> Running {
    Box::pin(async move {
        let Delivery { webhook_id: webhook, feed_id } =
            serde_json::from_value(job.payload).map_err(Error::internal)?;
        let found =
            webhooks.db.lookup(move |tx| store::find_delivery(tx, webhook, feed_id)).await?;
        // Removed, gone or forgotten in the meantime: nobody waits for it.
        let Some(delivery) = found else { return Ok(Next::Done) };
        let outcome = send(&webhooks, webhook, feed_id, &delivery).await;
        let label = if outcome.is_ok() { "delivered" } else { "failed" };
        metrics::counter!("touchline_webhooks_total", "outcome" => label).increment(1);
        record(&webhooks, webhook, feed_id, &outcome).await?;
        match outcome {
            Ok(()) | Err(NotDelivered::Gone) => Ok(Next::Done),
            Err(NotDelivered::Other(reason)) => Err(Error::internal(reason)),
        }
    })
}

enum NotDelivered {
    /// The receiver says that it wants no more of it.
    Gone,
    Other(String),
}

async fn send(
    webhooks: &Webhooks,
    webhook: WebhookId,
    feed_id: i64,
    delivery: &DeliveryRow,
) -> Result<(), NotDelivered> {
    let other = |error: reqwest::Error| NotDelivered::Other(error.without_url().to_string());
    let data: serde_json::Value = serde_json::from_str(&delivery.data).unwrap_or_default();
    let body = json!({
        "type": format!("match.{}", delivery.kind), "timestamp": delivery.created_at, "data": data,
    });
    let body = body.to_string();
    let id = format!("msg_{}_{feed_id}", webhook.0);
    let signed_at = webhooks.clock.now();
    let signature = sign(&secret(&webhooks.keys, &delivery.nonce), &id, signed_at, &body);
    let request = webhooks
        .client
        .post(&delivery.url)
        .header("content-type", "application/json")
        .header("webhook-id", id)
        .header("webhook-timestamp", seconds(signed_at).to_string())
        .header("webhook-signature", signature)
        .body(body);
    match request.send().await.map_err(other)?.status().as_u16() {
        200..=299 => Ok(()),
        410 => Err(NotDelivered::Gone),
        status => Err(NotDelivered::Other(format!("the receiver answered {status}"))),
    }
}

/// The signature of Standard Webhooks: an HMAC over id, time and body under the decoded secret.
fn sign(secret: &str, id: &str, at: Timestamp, body: &str) -> String {
    let key = secret.strip_prefix(SECRET_PREFIX).unwrap_or(secret);
    let key = BASE64_STANDARD.decode(key).unwrap_or_default();
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&key) else { return String::new() };
    mac.update(format!("{id}.{}.{body}", seconds(at)).as_bytes());
    format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
}

const fn seconds(at: Timestamp) -> i64 {
    at.as_millis().div_euclid(SECOND_MS)
}

async fn record(
    webhooks: &Webhooks,
    webhook: WebhookId,
    feed_id: i64,
    outcome: &Result<(), NotDelivered>,
) -> Result<()> {
    let (state, error, is_gone) = match outcome {
        Ok(()) => ("delivered", None, false),
        Err(NotDelivered::Gone) => ("failing", Some("the receiver is gone".to_owned()), true),
        Err(NotDelivered::Other(reason)) => ("failing", Some(reason.clone()), false),
    };
    webhooks
        .db
        .write(move |tx| {
            store::update_delivery(tx, webhook, feed_id, state, error.as_deref())?;
            if is_gone {
                store::update_gone(tx, webhook)?;
            }
            Ok(())
        })
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_what_the_standard_says() {
        // The example of the Standard Webhooks specification.
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let at = Timestamp::from_millis(1_614_265_330_000);
        let body = "{\"test\": 2432232314}";
        assert_eq!(
            sign(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", at, body),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        );
    }
}
