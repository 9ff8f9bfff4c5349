-- Keys with which users read what was said before they lost a device, encrypted so that only they can use them.
CREATE TABLE key_backups (
    -- A position of the stream, so none is given twice.
    version INTEGER PRIMARY KEY,
    user TEXT NOT NULL,
    algorithm TEXT NOT NULL,
    auth_data TEXT NOT NULL,
    -- Grows with every change of its keys.
    etag INTEGER NOT NULL DEFAULT 0,
    -- How many keys it has, and how large they are together.
    keys INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX key_backups_user ON key_backups (user, version);

CREATE TABLE backed_up_keys (
    version INTEGER NOT NULL,
    room_id TEXT NOT NULL,
    session TEXT NOT NULL,
    -- Of two keys for one session the better one is kept: these decide.
    verified INTEGER NOT NULL,
    first_message INTEGER NOT NULL,
    forwarded INTEGER NOT NULL,
    -- The key as clients are told it.
    told TEXT NOT NULL,
    UNIQUE (version, room_id, session)
);

-- The newest version that a user ever had, which may be deleted.
ALTER TABLE users ADD COLUMN last_backup INTEGER;
