-- Rooms as moderators look for them, by the beginning of their name.
CREATE INDEX chat_rooms_by_name ON chat_rooms (name_folded, room_id);

-- Who was told to be silent in a room, by whom, and until when; for good where nothing is said. The network has it in the room's power
-- levels, which know of no end.
CREATE TABLE chat_mutes (
    room_id TEXT NOT NULL,
    user_id INTEGER NOT NULL REFERENCES users (id),
    muted_until INTEGER,
    reason TEXT NOT NULL,
    operator TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (room_id, user_id)
) STRICT;
CREATE INDEX chat_mutes_of_user ON chat_mutes (user_id);
