-- Where devices want to be told of what is said when their app is closed: through gateways that reach them.
CREATE TABLE pushers (
    pusher INTEGER PRIMARY KEY,
    user TEXT NOT NULL,
    -- The device that set it, with which it goes.
    device TEXT NOT NULL,
    app_id TEXT NOT NULL,
    pushkey TEXT NOT NULL,
    -- As its app set it.
    definition TEXT NOT NULL,
    -- Whether its user has push rules of their own.
    own_rules INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    -- What came up to here was told, or came before it.
    told INTEGER NOT NULL,
    UNIQUE (app_id, pushkey, user)
);
CREATE INDEX pushers_user ON pushers (user, device);
CREATE INDEX pushers_of_own_rules ON pushers (user) WHERE own_rules = 1;
-- Finds whom something new in a room mentions.
CREATE INDEX highlights_room ON highlights (room, seq, user);
