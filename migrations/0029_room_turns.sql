-- Who deals with a room at this moment. Its power levels are written as a whole, so of two who change them at once the later would undo
-- what the other did.
CREATE TABLE chat_room_turns (
    room_id TEXT PRIMARY KEY,
    -- A name of its own for each turn, so that one that is over ends no other.
    holder TEXT NOT NULL,
    leased_until INTEGER NOT NULL
) STRICT;
