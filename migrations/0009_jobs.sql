-- Asking again for a job under its key raises its generation; finishing removes only the generation that was run.
ALTER TABLE jobs ADD COLUMN generation INTEGER NOT NULL DEFAULT 1;

-- Work that was given up is work still wanted. Nothing is set aside any more: `state` stays `ready`.
UPDATE jobs SET state = 'ready', attempts = 0 WHERE state = 'dead';

-- A receiver has one job for all that it is to be told, where there was one for each message.
ALTER TABLE webhook_deliveries ADD COLUMN retry_at INTEGER NOT NULL DEFAULT 0;
CREATE INDEX webhook_deliveries_to_send ON webhook_deliveries (webhook_id, feed_id) WHERE state <> 'delivered';
DELETE FROM jobs WHERE kind = 'webhook_deliver';
INSERT INTO jobs (kind, dedup_key, payload, run_at, created_at)
SELECT 'webhook_deliver', 'webhook_deliver:' || id, '{"webhook_id":' || id || '}', created_at, created_at FROM webhooks;

DROP INDEX jobs_to_claim;
CREATE INDEX jobs_by_kind ON jobs (kind, run_at, id);
