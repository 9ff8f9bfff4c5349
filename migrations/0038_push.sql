-- In which language somebody is told things; by what their app asks for if they have not said.
ALTER TABLE users ADD COLUMN language TEXT;

-- Devices that messages go to.
CREATE TABLE push_devices (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id),
    -- A device is forgotten with the login that registered it.
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('webpush', 'fcm', 'apns', 'http')),
    -- The endpoint, the token or the address.
    address TEXT NOT NULL,
    -- Of Web Push: by what a message is encrypted.
    p256dh TEXT,
    auth TEXT,
    name TEXT,
    created_at INTEGER NOT NULL,
    sent_at INTEGER,
    -- Since when its service takes nothing, why, how often it was asked in vain, and when it is asked again.
    failed_at INTEGER,
    failure TEXT,
    failures INTEGER NOT NULL,
    retry_at INTEGER,
    UNIQUE (kind, address)
) STRICT;
CREATE INDEX push_devices_of_user ON push_devices (user_id, id);
CREATE INDEX push_devices_of_session ON push_devices (session_id);
CREATE INDEX push_devices_that_fail ON push_devices (failed_at) WHERE failed_at IS NOT NULL;

-- What users with a device want to be told, and when.
CREATE TABLE push_settings (
    user_id INTEGER PRIMARY KEY REFERENCES users (id),
    reminder INTEGER NOT NULL CHECK (reminder IN (0, 1)),
    -- How long before kick-off, in minutes, and about which matches.
    remind_minutes INTEGER NOT NULL,
    remind_teams INTEGER NOT NULL CHECK (remind_teams IN (0, 1)),
    remind_leagues INTEGER NOT NULL CHECK (remind_leagues IN (0, 1)),
    kick_off INTEGER NOT NULL CHECK (kick_off IN (0, 1)),
    goal INTEGER NOT NULL CHECK (goal IN (0, 1)),
    result INTEGER NOT NULL CHECK (result IN (0, 1)),
    invitation INTEGER NOT NULL CHECK (invitation IN (0, 1)),
    mention INTEGER NOT NULL CHECK (mention IN (0, 1)),
    message INTEGER NOT NULL CHECK (message IN (0, 1)),
    -- Minutes of the day in the user's zone; the same twice is never.
    quiet_from INTEGER NOT NULL,
    quiet_until INTEGER NOT NULL,
    zone TEXT NOT NULL,
    most_a_day INTEGER NOT NULL,
    -- How many were sent on which day of that zone.
    day INTEGER NOT NULL,
    sent INTEGER NOT NULL
) STRICT;
CREATE INDEX push_settings_to_remind ON push_settings (remind_minutes, user_id) WHERE reminder = 1;
-- Whoever follows a team is found by it.
CREATE INDEX favourite_teams_of_team ON favourite_teams (team_id, user_id);

-- What was said to somebody in chat rooms, for a moment, until it is handed on.
CREATE TABLE chat_addressed (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id),
    is_invitation INTEGER NOT NULL CHECK (is_invitation IN (0, 1)),
    room_id TEXT NOT NULL,
    -- The message; of an invitation the room once more.
    event_id TEXT NOT NULL,
    by_name TEXT NOT NULL,
    said TEXT NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE (user_id, event_id)
) STRICT;
CREATE INDEX chat_addressed_by_age ON chat_addressed (at, id);
CREATE INDEX chat_addressed_of_event ON chat_addressed (event_id);

-- What is to be told to a user. A row stays until it has expired, so that nothing is told twice.
CREATE TABLE push_messages (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    -- By which senders share the work.
    shard INTEGER NOT NULL,
    kind TEXT NOT NULL,
    -- What it is about: an event, or a message of operators.
    subject_id INTEGER NOT NULL,
    -- Names the occasion: the same one is told once.
    occasion TEXT NOT NULL,
    data TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- sent, or why not.
    outcome TEXT,
    UNIQUE (user_id, occasion)
) STRICT;
CREATE INDEX push_messages_due ON push_messages (shard, due_at, id) WHERE outcome IS NULL;
CREATE INDEX push_messages_by_end ON push_messages (expires_at);

-- Reminders of which match, that begins when, are planned for whoever wants them how long before.
CREATE TABLE push_planned (
    event_id INTEGER NOT NULL REFERENCES events (id),
    start_time INTEGER NOT NULL,
    minutes INTEGER NOT NULL,
    PRIMARY KEY (event_id, start_time, minutes)
) STRICT;

-- How far the announcements of events have been looked at.
CREATE TABLE push_cursor (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last_id INTEGER NOT NULL
) STRICT;
INSERT INTO push_cursor (id, last_id) VALUES (1, 0);

-- What operators told everybody, or some.
CREATE TABLE push_broadcasts (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    -- Those who follow this team, or are in this league; everybody if neither is named.
    team_id INTEGER REFERENCES teams (id),
    league_id INTEGER REFERENCES leagues (id),
    created_at INTEGER NOT NULL,
    -- When all were found, and how many that was.
    planned_at INTEGER,
    recipients INTEGER NOT NULL,
    -- The request that it came with, so that sending it again tells nobody twice.
    request_key TEXT UNIQUE,
    request_hash BLOB NOT NULL
) STRICT;

-- Sums by day, for operators: what became of messages.
CREATE TABLE push_sums (
    day INTEGER NOT NULL,
    kind TEXT NOT NULL,
    outcome TEXT NOT NULL,
    messages INTEGER NOT NULL,
    PRIMARY KEY (day, kind, outcome)
) STRICT;
