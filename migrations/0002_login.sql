-- Codes that were sent and not yet used. A code itself is never here: it is derived from the nonce and the server's key.
CREATE TABLE phone_challenges (
    owner INTEGER NOT NULL,           -- 0: somebody logging in; otherwise the user who verifies a phone
    phone TEXT NOT NULL,
    nonce BLOB NOT NULL,
    tries INTEGER NOT NULL CHECK (tries >= 0),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (owner, phone)
) STRICT;

CREATE INDEX phone_challenges_by_age ON phone_challenges (created_at);

-- Wrong codes by phone (under a keyed hash), newest first, sixteen digits each; ten in an hour lock the phone.
CREATE TABLE wrong_codes (
    phone_key TEXT PRIMARY KEY,
    hits TEXT NOT NULL,
    locked_until INTEGER NOT NULL,
    last_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sms_log (
    id INTEGER PRIMARY KEY,
    phone TEXT NOT NULL,
    code TEXT,                        -- always null in production
    status TEXT NOT NULL CHECK (status IN ('sent', 'failed')),
    provider TEXT NOT NULL,
    error TEXT,
    attempts INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER
) STRICT;

CREATE INDEX sms_log_by_phone ON sms_log (phone, id);
CREATE INDEX sms_log_by_time ON sms_log (created_at, id);

-- How many messages were sent on a UTC day, for the daily budget.
CREATE TABLE sms_budget (
    day INTEGER PRIMARY KEY,
    sent INTEGER NOT NULL
) STRICT;
