-- What the service knows of the chat network. Rooms and members mirror the homeserver and can be rebuilt from it; accounts,
-- devices, reports and blocks are the service's own.

CREATE TABLE chat_accounts (
    matrix_id TEXT PRIMARY KEY,
    -- The part of it before the colon: the username it was made for.
    localpart TEXT NOT NULL,
    -- Empty for the service's own bot.
    user_id INTEGER REFERENCES users (id),
    -- A user has one current account; a former one was left behind by a new username and is being closed.
    is_current INTEGER NOT NULL CHECK (is_current IN (0, 1)),
    -- claimed: the name was free when first looked at, so whatever is there later is our own doing; foreign: it was not.
    state TEXT NOT NULL CHECK (state IN ('wanted', 'claimed', 'ready', 'foreign')),
    -- As the homeserver has it.
    display_name TEXT,
    created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX chat_accounts_current ON chat_accounts (user_id) WHERE is_current = 1;
CREATE INDEX chat_accounts_of_user ON chat_accounts (user_id);
CREATE INDEX chat_accounts_by_name ON chat_accounts (localpart);

-- Names of closed accounts, hashed: an id on the network can never be given again, so neither can the username.
CREATE TABLE chat_closed_names (
    name_hash BLOB PRIMARY KEY
) STRICT;

-- A device is written down before the homeserver is asked for it, so that none is ever forgotten.
CREATE TABLE chat_devices (
    matrix_id TEXT NOT NULL,
    device_id TEXT NOT NULL,
    session_id INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    -- Set with the end of its session; the row goes once the homeserver has ended it too.
    ended_at INTEGER,
    PRIMARY KEY (matrix_id, device_id)
) STRICT;
CREATE INDEX chat_devices_of_session ON chat_devices (session_id) WHERE ended_at IS NULL;
CREATE INDEX chat_devices_ended ON chat_devices (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE chat_rooms (
    room_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    -- The name in lower case, for searching.
    name_folded TEXT NOT NULL,
    topic TEXT NOT NULL,
    event_id INTEGER REFERENCES events (id),
    -- The room of the match itself, of which there is one.
    is_event_room INTEGER NOT NULL CHECK (is_event_room IN (0, 1)),
    -- Empty for rooms of the bot, and of strangers.
    creator_id INTEGER REFERENCES users (id),
    join_rule TEXT NOT NULL,
    is_encrypted INTEGER NOT NULL CHECK (is_encrypted IN (0, 1)),
    -- Joined members without the bot.
    member_count INTEGER NOT NULL,
    last_activity INTEGER NOT NULL,
    -- Goes up with every change that the network tells, so that a slow comparison does not undo a newer one.
    version INTEGER NOT NULL,
    archived_at INTEGER,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX chat_rooms_by_activity ON chat_rooms (last_activity, room_id);
CREATE INDEX chat_rooms_of_event ON chat_rooms (event_id) WHERE event_id IS NOT NULL;

-- Whoever left has no row.
CREATE TABLE chat_members (
    room_id TEXT NOT NULL REFERENCES chat_rooms (room_id),
    matrix_id TEXT NOT NULL,
    membership TEXT NOT NULL CHECK (membership IN ('join', 'invite', 'knock', 'ban')),
    -- The last message, or the joining.
    last_active_at INTEGER NOT NULL,
    PRIMARY KEY (room_id, matrix_id)
) STRICT;
CREATE INDEX chat_members_by_user ON chat_members (matrix_id, membership);

-- Who of our users is in which room; what other features read.
CREATE VIEW chat_room_users AS
    SELECT m.room_id, a.user_id, m.last_active_at
    FROM chat_members m JOIN chat_accounts a ON a.matrix_id = m.matrix_id
    WHERE m.membership = 'join' AND a.is_current = 1;

-- Events that had their effect, by the id the homeserver gave them.
CREATE TABLE chat_seen_events (
    event_id TEXT PRIMARY KEY,
    seen_at INTEGER NOT NULL
) STRICT;
CREATE INDEX chat_seen_events_by_age ON chat_seen_events (seen_at);

-- Rooms being made under an Idempotency-Key, so that a crash between the homeserver and this database makes no second room.
CREATE TABLE chat_room_requests (
    user_id INTEGER NOT NULL REFERENCES users (id),
    key TEXT NOT NULL,
    request_hash BLOB NOT NULL,
    room_id TEXT,
    leased_until INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, key)
) STRICT;
CREATE INDEX chat_room_requests_by_age ON chat_room_requests (created_at);

CREATE TABLE chat_reports (
    id INTEGER PRIMARY KEY,
    reporter_id INTEGER NOT NULL REFERENCES users (id),
    room_id TEXT,
    message_id TEXT,
    reported_user_id INTEGER REFERENCES users (id),
    reason TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    resolved_at INTEGER,
    resolution TEXT
) STRICT;
CREATE INDEX chat_reports_open ON chat_reports (id) WHERE resolved_at IS NULL;

CREATE TABLE chat_blocks (
    user_id INTEGER NOT NULL REFERENCES users (id),
    blocked_user_id INTEGER NOT NULL REFERENCES users (id),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, blocked_user_id)
) STRICT;
