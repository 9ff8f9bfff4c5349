-- What moderators asked for in rooms and the network was not known to have done when this was written. A row goes when it has; one that
-- stays is of a process that died, or of a homeserver that did not answer, and is taken up again.
CREATE TABLE chat_measures (
    id INTEGER PRIMARY KEY,
    room_id TEXT NOT NULL,
    -- Nobody: a message is taken away.
    user_id INTEGER REFERENCES users (id),
    -- As the audit log calls it.
    action TEXT NOT NULL,
    muted_until INTEGER,
    message_id TEXT,
    -- Under which the homeserver is asked to take a message away, so that it does so once however often it is asked.
    transaction_id TEXT,
    reason TEXT NOT NULL,
    -- How it was, as JSON for the audit log: afterwards nobody could tell.
    before TEXT NOT NULL,
    operator TEXT NOT NULL,
    operator_id INTEGER,
    operator_role TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX chat_measures_of_user ON chat_measures (user_id, room_id) WHERE user_id IS NOT NULL;
