//! The `webhooks`, `webhook_cursor` and `webhook_deliveries` tables.

use serde::Serialize;
use utoipa::ToSchema;

use crate::features::events::AnnouncementRow;
use crate::platform::clock::Timestamp;
use crate::platform::db::{Tx, params, row};
use crate::platform::error::Result;

use super::{Url, WebhookId};

row! {
    pub struct WebhookRow {
        pub id: WebhookId,
        pub url: Url,
        pub kinds: String,
        pub created_at: Timestamp,
        pub gone_at: Option<Timestamp>,
    }
}

row! {
    pub struct DeliveryRow {
        pub feed_id: i64,
        pub url: String,
        pub nonce: Vec<u8>,
        pub kind: String,
        pub data: String,
        pub attempts: i64,
        pub created_at: Timestamp,
    }
}

row! {
    #[derive(Serialize, ToSchema)]
    pub struct DeliveryView {
        feed_id: i64,
        #[schema(example = "score")]
        kind: String,
        /// `waiting`, `delivered` or `failing`.
        #[schema(example = "delivered")]
        state: String,
        attempts: i64,
        error: Option<String>,
        #[schema(value_type = String, format = DateTime)]
        created_at: Timestamp,
        #[schema(value_type = String, format = DateTime)]
        updated_at: Timestamp,
    }
}

pub fn insert(tx: &mut Tx, url: &Url, kinds: &str, nonce: &[u8]) -> Result<WebhookId> {
    let now = tx.now();
    tx.one(
        "INSERT INTO webhooks (url, kinds, nonce, created_at) VALUES ($1, $2, $3, $4) RETURNING id",
        params![url, kinds, nonce, now],
    )
}

pub fn count(tx: &mut Tx) -> Result<i64> {
    tx.one("SELECT count(*) FROM webhooks", params![])
}

pub fn find(tx: &mut Tx, id: WebhookId) -> Result<Option<WebhookRow>> {
    tx.opt("SELECT id, url, kinds, created_at, gone_at FROM webhooks WHERE id = $1", params![id])
}

pub fn list(tx: &mut Tx) -> Result<Vec<WebhookRow>> {
    tx.all("SELECT id, url, kinds, created_at, gone_at FROM webhooks ORDER BY id", params![])
}

pub fn list_not_gone(tx: &mut Tx) -> Result<Vec<WebhookRow>> {
    tx.all(
        "SELECT id, url, kinds, created_at, gone_at FROM webhooks WHERE gone_at IS NULL ORDER BY id",
        params![],
    )
}

pub fn delete(tx: &mut Tx, id: WebhookId) -> Result<u64> {
    tx.exec("DELETE FROM webhooks WHERE id = $1", params![id])
}

pub fn update_gone(tx: &mut Tx, id: WebhookId) -> Result<u64> {
    let now = tx.now();
    tx.exec("UPDATE webhooks SET gone_at = $2 WHERE id = $1", params![id, now])
}

pub fn update_not_gone(tx: &mut Tx, id: WebhookId) -> Result<u64> {
    tx.exec("UPDATE webhooks SET gone_at = NULL WHERE id = $1", params![id])
}

pub fn find_cursor(tx: &mut Tx) -> Result<i64> {
    tx.one("SELECT last_id FROM webhook_cursor WHERE id = 1", params![])
}

pub fn find_cursor_for_update(tx: &mut Tx) -> Result<i64> {
    tx.one("SELECT last_id FROM webhook_cursor WHERE id = 1 FOR UPDATE", params![])
}

pub fn update_cursor(tx: &mut Tx, last_id: i64) -> Result<u64> {
    tx.exec("UPDATE webhook_cursor SET last_id = $1 WHERE id = 1", params![last_id])
}

pub fn insert_delivery(tx: &mut Tx, webhook: WebhookId, item: &AnnouncementRow) -> Result<u64> {
    let now = tx.now();
    tx.exec(
        "INSERT INTO webhook_deliveries
             (webhook_id, feed_id, kind, data, state, attempts, created_at, updated_at)
         VALUES ($1, $2, $3, $4, 'waiting', 0, $5, $5) ON CONFLICT (webhook_id, feed_id) DO NOTHING",
        params![webhook, item.id, item.kind, item.data, now],
    )
}

/// What a webhook that still wants it is to be told now, oldest first.
pub fn list_due(tx: &mut Tx, webhook: WebhookId, most: usize) -> Result<Vec<DeliveryRow>> {
    let (now, most) = (tx.now(), i64::try_from(most).unwrap_or(i64::MAX));
    tx.all(
        "SELECT d.feed_id, w.url, w.nonce, d.kind, d.data, d.attempts, d.created_at
         FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
         WHERE d.webhook_id = $1 AND d.state <> 'delivered' AND d.retry_at <= $2 AND w.gone_at IS NULL
         ORDER BY d.feed_id LIMIT $3",
        params![webhook, now, most],
    )
}

/// When a webhook that still wants it is next to be told something.
pub fn find_next_due(tx: &mut Tx, webhook: WebhookId) -> Result<Option<Timestamp>> {
    tx.one(
        "SELECT min(d.retry_at) FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
         WHERE d.webhook_id = $1 AND d.state <> 'delivered' AND w.gone_at IS NULL",
        params![webhook],
    )
}

/// Notes a message that was taken, or if not, why.
pub fn update_sent(
    tx: &mut Tx,
    webhook: WebhookId,
    feed_id: i64,
    error: Option<&str>,
    retry_at: Timestamp,
) -> Result<u64> {
    let (now, state) = (tx.now(), if error.is_none() { "delivered" } else { "failing" });
    tx.exec(
        "UPDATE webhook_deliveries
         SET state = $3, error = $4, attempts = attempts + 1, updated_at = $5, retry_at = $6
         WHERE webhook_id = $1 AND feed_id = $2",
        params![webhook, feed_id, state, error, now, retry_at],
    )
}

/// Makes what was not taken, or everything after an item, due again. Answers how much that is.
pub fn update_for_replay(
    tx: &mut Tx,
    webhook: WebhookId,
    after: Option<i64>,
    most: i64,
) -> Result<u64> {
    tx.exec(
        "UPDATE webhook_deliveries SET state = 'waiting', retry_at = 0
         WHERE webhook_id = $1 AND feed_id IN
             (SELECT feed_id FROM webhook_deliveries
              WHERE webhook_id = $1 AND feed_id > COALESCE(CAST($2 AS BIGINT), 0)
                AND (CAST($2 AS BIGINT) IS NOT NULL OR state = 'failing')
              ORDER BY feed_id LIMIT $3)",
        params![webhook, after, most],
    )
}

pub fn list_deliveries(
    tx: &mut Tx,
    webhook: WebhookId,
    most: i64,
    offset: i64,
) -> Result<(Vec<DeliveryView>, i64)> {
    let rows = tx.all(
        "SELECT feed_id, kind, state, attempts, error, created_at, updated_at FROM webhook_deliveries
         WHERE webhook_id = $1 ORDER BY feed_id DESC LIMIT $2 OFFSET $3",
        params![webhook, most, offset],
    )?;
    let total =
        tx.one("SELECT count(*) FROM webhook_deliveries WHERE webhook_id = $1", params![webhook])?;
    Ok((rows, total))
}

pub fn delete_old_deliveries(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM webhook_deliveries WHERE (webhook_id, feed_id) IN
             (SELECT webhook_id, feed_id FROM webhook_deliveries WHERE created_at <= $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        params![before, most],
    )
}
