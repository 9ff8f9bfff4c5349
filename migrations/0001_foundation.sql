-- Written for SQLite; src/db/migrations.rs says how it becomes PostgreSQL.
-- Moments are milliseconds since 1970 in UTC; booleans are 0 and 1.

CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    -- Empty once the account is deleted, so that the number can register again.
    phone TEXT UNIQUE,
    username TEXT NOT NULL UNIQUE,
    username_generated INTEGER NOT NULL CHECK (username_generated IN (0, 1)),
    name TEXT,
    email TEXT,
    date_of_birth TEXT,
    created_at INTEGER NOT NULL,
    banned_at INTEGER,
    deleted_at INTEGER
) STRICT;

CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id),
    token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    device_name TEXT,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TABLE operator_tokens (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at INTEGER
) STRICT;

CREATE TABLE idempotency_keys (
    user_id INTEGER NOT NULL REFERENCES users (id),
    key TEXT NOT NULL,
    request_hash BLOB NOT NULL,
    status INTEGER NOT NULL,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, key)
) STRICT;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

CREATE TABLE rate_limits (
    bucket TEXT PRIMARY KEY,
    hits TEXT NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX rate_limits_by_expiry ON rate_limits (expires_at);

CREATE TABLE jobs (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    dedup_key TEXT UNIQUE,
    payload TEXT NOT NULL,
    run_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    -- 0 when nobody holds it.
    leased_until INTEGER NOT NULL DEFAULT 0,
    lease TEXT,
    last_error TEXT,
    state TEXT NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'dead')),
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX jobs_to_claim ON jobs (run_at, id) WHERE state = 'ready';

CREATE TABLE audit_log (
    id INTEGER PRIMARY KEY,
    operator TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_log_by_time ON audit_log (created_at);
