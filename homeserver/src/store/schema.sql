-- One global stream: every change that a client may have to learn about takes the next position.
CREATE TABLE stream (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    position INTEGER NOT NULL,
    -- Last position delivered to the application service.
    pushed INTEGER NOT NULL,
    server_name TEXT NOT NULL
);

CREATE TABLE users (
    user TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL,
    deactivated INTEGER NOT NULL DEFAULT 0,
    displayname TEXT,
    avatar_url TEXT
) WITHOUT ROWID;

CREATE TABLE devices (
    user TEXT NOT NULL,
    device TEXT NOT NULL,
    display_name TEXT,
    created_at INTEGER NOT NULL,
    keys TEXT,
    PRIMARY KEY (user, device)
) WITHOUT ROWID;

-- Only the SHA-256 of an access token is kept.
CREATE TABLE tokens (
    hash BLOB PRIMARY KEY,
    user TEXT NOT NULL,
    device TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX tokens_device ON tokens (user, device);

CREATE TABLE rooms (
    room INTEGER PRIMARY KEY,
    room_id TEXT NOT NULL UNIQUE,
    published INTEGER NOT NULL DEFAULT 0,
    encrypted INTEGER NOT NULL DEFAULT 0,
    joined INTEGER NOT NULL DEFAULT 0,
    invited INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX rooms_published ON rooms (joined) WHERE published = 1;

-- The log. State at position p is the newest row per (room, type, state_key) with seq <= p.
CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    room INTEGER NOT NULL,
    event_id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    state_key TEXT,
    sender TEXT NOT NULL,
    ts INTEGER NOT NULL,
    content TEXT NOT NULL,
    redacts TEXT,
    -- For a state event: the state event it replaced.
    replaces INTEGER,
    -- The redaction that emptied this event.
    redacted_by INTEGER,
    membership TEXT,
    rel_type TEXT,
    relates_to TEXT,
    -- Set when some event relates to this one, so that most reads need no lookup.
    has_relations INTEGER NOT NULL DEFAULT 0,
    -- 0 silent, 1 counts as unread under the default push rules, 2 also highlights for everybody.
    notify INTEGER NOT NULL DEFAULT 0,
    device TEXT,
    txn TEXT
);
CREATE INDEX events_room ON events (room, seq);
CREATE INDEX events_state ON events (room, type, state_key, seq) WHERE state_key IS NOT NULL;
CREATE INDEX events_state_log ON events (room, seq) WHERE state_key IS NOT NULL;
CREATE INDEX events_notify ON events (room, seq, sender, notify) WHERE notify > 0;
CREATE INDEX events_notify_all ON events (room, seq, sender) WHERE notify = 2;
CREATE INDEX events_relations ON events (relates_to, rel_type, seq) WHERE relates_to IS NOT NULL;
CREATE UNIQUE INDEX events_txn ON events (sender, device, room, txn) WHERE txn IS NOT NULL;

-- Current state, so that the common read is one lookup.
CREATE TABLE state (
    room INTEGER NOT NULL,
    type TEXT NOT NULL,
    state_key TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (room, type, state_key)
) WITHOUT ROWID;

CREATE TABLE members (
    room INTEGER NOT NULL,
    user TEXT NOT NULL,
    membership TEXT NOT NULL,
    seq INTEGER NOT NULL,
    forgotten INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (room, user)
) WITHOUT ROWID;
CREATE INDEX members_user ON members (user, membership, room);

CREATE TABLE highlights (
    user TEXT NOT NULL,
    room INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (user, room, seq)
) WITHOUT ROWID;

CREATE TABLE receipts (
    room INTEGER NOT NULL,
    user TEXT NOT NULL,
    kind TEXT NOT NULL,
    -- Empty for an unthreaded receipt.
    thread TEXT NOT NULL,
    event_id TEXT NOT NULL,
    event_seq INTEGER NOT NULL,
    ts INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (room, user, kind, thread)
) WITHOUT ROWID;
CREATE INDEX receipts_room ON receipts (room, seq);

CREATE TABLE account_data (
    user TEXT NOT NULL,
    -- 0 for data that belongs to no room.
    room INTEGER NOT NULL,
    type TEXT NOT NULL,
    content TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (user, room, type)
) WITHOUT ROWID;
CREATE INDEX account_data_seq ON account_data (user, seq);

CREATE TABLE filters (
    user TEXT NOT NULL,
    filter INTEGER NOT NULL,
    definition TEXT NOT NULL,
    PRIMARY KEY (user, filter)
) WITHOUT ROWID;

CREATE TABLE aliases (
    alias TEXT PRIMARY KEY,
    room INTEGER NOT NULL,
    creator TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX aliases_room ON aliases (room);

CREATE TABLE one_time_keys (
    user TEXT NOT NULL,
    device TEXT NOT NULL,
    key_id TEXT NOT NULL,
    algorithm TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (user, device, algorithm, key_id)
) WITHOUT ROWID;

CREATE TABLE fallback_keys (
    user TEXT NOT NULL,
    device TEXT NOT NULL,
    algorithm TEXT NOT NULL,
    key_id TEXT NOT NULL,
    content TEXT NOT NULL,
    used INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user, device, algorithm)
) WITHOUT ROWID;

CREATE TABLE cross_signing_keys (
    user TEXT NOT NULL,
    usage TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (user, usage)
) WITHOUT ROWID;

-- Signatures that others made on a user's keys; only their makers may see them.
CREATE TABLE key_signatures (
    signer TEXT NOT NULL,
    user TEXT NOT NULL,
    key TEXT NOT NULL,
    signatures TEXT NOT NULL,
    PRIMARY KEY (user, key, signer)
) WITHOUT ROWID;

-- The last time any key of a user changed.
CREATE TABLE key_changes (
    user TEXT PRIMARY KEY,
    seq INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE inbox (
    user TEXT NOT NULL,
    device TEXT NOT NULL,
    seq INTEGER NOT NULL,
    nth INTEGER NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (user, device, seq, nth)
) WITHOUT ROWID;

CREATE TABLE inbox_txns (
    user TEXT NOT NULL,
    device TEXT NOT NULL,
    txn TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (user, device, txn)
) WITHOUT ROWID;
CREATE INDEX inbox_txns_age ON inbox_txns (at);

CREATE TABLE media (
    media_id TEXT PRIMARY KEY,
    user TEXT NOT NULL,
    content_type TEXT NOT NULL,
    filename TEXT,
    bytes INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    content BLOB NOT NULL
);
CREATE INDEX media_user ON media (user, bytes);
