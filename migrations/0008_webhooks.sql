-- Where other systems want to hear of matches. The signing secret is derived from the nonce and the server's key.
CREATE TABLE webhooks (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    -- A JSON array of the kinds that are wanted.
    kinds TEXT NOT NULL,
    nonce BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    -- When the receiver said that it is gone for good.
    gone_at INTEGER
) STRICT;

-- Up to which item of the event feed deliveries have been made out.
CREATE TABLE webhook_cursor (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last_id INTEGER NOT NULL
) STRICT;
INSERT INTO webhook_cursor (id, last_id) VALUES (1, 0);

CREATE TABLE webhook_deliveries (
    webhook_id INTEGER NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    feed_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failing')),
    attempts INTEGER NOT NULL,
    error TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (webhook_id, feed_id)
) STRICT;
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at);
