//! Deliveries: signed, sent, written down.
//!
//! A receiver has one job for all that it is to be told, and the job's pauses are the receiver's: one that does not answer holds
//! one worker for one timeout, however much waits for it, and is then left alone for longer and longer.

use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use futures_util::future::join_all;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::json;
use sha2::Sha256;

use crate::features::webhooks::Webhooks;
use crate::platform::clock::{SECOND_MS, Timestamp};
use crate::platform::db::Tx;
use crate::platform::error::{Error, Result};
use crate::platform::jobs::{self, Lane, Next, Stop, job};

use super::store::{self, DeliveryRow};
use super::{SECRET_PREFIX, WebhookId, secret};

pub const TIMEOUT: Duration = Duration::from_secs(10);
/// Messages under way to one receiver.
const AT_ONCE: usize = 8;

job! {
    /// Sends a receiver what it has not taken yet.
    pub struct Deliver { pub webhook_id: WebhookId }
    kind: "webhook_deliver", lane: Webhooks, key: webhook_id.0, run: deliver(Webhooks)
}

async fn deliver(job: Deliver, webhooks: Webhooks, stop: Stop) -> Result<Next> {
    let id = job.webhook_id;
    while !stop.is_cancelled() {
        let due = webhooks.db.lookup(move |tx| store::list_due(tx, id, AT_ONCE)).await?;
        if due.is_empty() {
            break;
        }
        let sent = join_all(due.iter().map(|delivery| send(&webhooks, id, delivery))).await;
        let problem = problem_of_receiver(&sent);
        record(&webhooks, id, due, sent).await?;
        if let Some(problem) = problem {
            return Err(Error::internal(problem));
        }
    }
    let next = webhooks.db.lookup(move |tx| store::find_next_due(tx, id)).await?;
    Ok(next.map_or(Next::Done, Next::At))
}

enum Sent {
    Taken,
    /// The receiver wants no more of it.
    Gone,
    /// It answered otherwise: this message is tried again, the others go on.
    Refused(u16),
    /// It did not answer: everything waits, unless it takes others.
    Silent(String),
}

/// Why the receiver as a whole is to be left alone for a while, if it is: it took nothing, and did not answer or refuses whatever comes.
fn problem_of_receiver(sent: &[Sent]) -> Option<String> {
    if is_taking(sent) {
        return None;
    }
    let silent = sent.iter().find_map(|sent| match sent {
        Sent::Silent(reason) => Some(reason.clone()),
        _ => None,
    });
    silent.or_else(|| (sent.len() == AT_ONCE).then(|| "the receiver refuses everything".to_owned()))
}

fn is_taking(sent: &[Sent]) -> bool {
    sent.iter().any(|sent| matches!(sent, Sent::Taken | Sent::Gone))
}

async fn send(webhooks: &Webhooks, webhook: WebhookId, delivery: &DeliveryRow) -> Sent {
    let data: serde_json::Value = serde_json::from_str(&delivery.data).unwrap_or_default();
    let body = json!({
        "type": format!("match.{}", delivery.kind), "timestamp": delivery.created_at, "data": data,
    });
    let body = body.to_string();
    let id = format!("msg_{}_{}", webhook.0, delivery.feed_id);
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
    let sent = match request.send().await {
        Ok(answer) => match answer.status().as_u16() {
            200..=299 => Sent::Taken,
            410 => Sent::Gone,
            status => Sent::Refused(status),
        },
        Err(error) => Sent::Silent(error.without_url().to_string()),
    };
    let label = if matches!(sent, Sent::Taken) { "delivered" } else { "failed" };
    metrics::counter!("touchline_webhooks_total", "outcome" => label).increment(1);
    sent
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
    due: Vec<DeliveryRow>,
    sent: Vec<Sent>,
) -> Result<()> {
    let is_taking = is_taking(&sent);
    let record = move |tx: &mut Tx| {
        for (delivery, sent) in due.iter().zip(&sent) {
            let own_pause = jobs::pause_ms(Lane::Webhooks, delivery.attempts + 1);
            let (error, pause) = match sent {
                Sent::Taken => (None, 0),
                Sent::Gone => {
                    store::update_gone(tx, webhook)?;
                    (Some("the receiver is gone".to_owned()), 0)
                }
                Sent::Refused(status) => {
                    (Some(format!("the receiver answered {status}")), own_pause)
                }
                // If the receiver as a whole does not answer, the pause is the job's.
                Sent::Silent(reason) => {
                    (Some(reason.clone()), if is_taking { own_pause } else { 0 })
                }
            };
            let retry_at = tx.now().plus_ms(pause);
            store::update_sent(tx, webhook, delivery.feed_id, error.as_deref(), retry_at)?;
        }
        Ok(())
    };
    webhooks.db.write(record).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_is_left_alone_only_if_it_takes_nothing() {
        let silent = || Sent::Silent("timed out".to_owned());
        let is_left_alone = |sent: &[Sent]| problem_of_receiver(sent).is_some();
        assert!(is_left_alone(&[silent()]));
        assert!(is_left_alone(&[Sent::Refused(500), silent()]));
        // One message that it cannot cope with does not hold up the others.
        assert!(!is_left_alone(&[silent(), Sent::Taken]));
        assert!(!is_left_alone(&[Sent::Refused(500)]));
        assert!(is_left_alone(&[const { Sent::Refused(500) }; AT_ONCE]));
    }

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
