-- Which installation of the service these accounts belong to; unknown until the service says it.
ALTER TABLE stream ADD COLUMN installation TEXT;

-- Finds whether somebody reacted in the same way before.
CREATE INDEX events_annotations ON events (relates_to, sender) WHERE rel_type = 'm.annotation';

-- The root of the thread that an event is in, itself or by what it relates to; NULL in the main timeline.
ALTER TABLE events ADD COLUMN thread TEXT;
UPDATE events SET thread = relates_to WHERE rel_type = 'm.thread';
CREATE INDEX events_threads ON events (room, seq, thread, sender, notify)
    WHERE notify > 0 AND thread IS NOT NULL;
