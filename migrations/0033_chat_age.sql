-- Up to where the embedded homeserver's stream was taken in: compared at the start with what the homeserver says, of which one may be a
-- copy from before.
CREATE TABLE chat_taken (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    position INTEGER NOT NULL
) STRICT;
