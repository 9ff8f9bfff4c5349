-- What others did to a user in a room, for the user's live stream to tell. Kept for a day; the numbers are each user's own and
-- have no gaps, so a stream that comes back goes on after the last one it told.
CREATE TABLE chat_news (
    user_id INTEGER NOT NULL REFERENCES users (id),
    number INTEGER NOT NULL CHECK (number >= 1),
    room_id TEXT NOT NULL,
    -- As the room was called then: whoever was taken out of it does not learn what it is called later.
    room_name TEXT NOT NULL,
    change TEXT NOT NULL CHECK (change IN ('invited', 'removed')),
    -- Nobody for the bot, and for strangers.
    by_user_id INTEGER REFERENCES users (id),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, number)
) STRICT;
CREATE INDEX chat_news_by_age ON chat_news (created_at);

-- The newest number of each user who has had any.
CREATE TABLE chat_news_heads (
    user_id INTEGER NOT NULL REFERENCES users (id),
    last_number INTEGER NOT NULL,
    PRIMARY KEY (user_id)
) STRICT;
