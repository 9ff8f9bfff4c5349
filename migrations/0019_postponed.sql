-- A match that is postponed without a new date keeps its last known time, which then counts for nothing: it takes predictions and
-- does not go live until a time is given. One that has begun has a time.
ALTER TABLE events ADD COLUMN start_time_confirmed INTEGER NOT NULL DEFAULT 1
    CHECK (start_time_confirmed = 1 OR (start_time_confirmed = 0 AND status = 'scheduled'));

-- The same of what a provider last said, and of what feeds last wrote.
ALTER TABLE feed_matches ADD COLUMN start_time_confirmed INTEGER NOT NULL DEFAULT 1 CHECK (start_time_confirmed IN (0, 1));
ALTER TABLE feed_events ADD COLUMN start_time_confirmed INTEGER NOT NULL DEFAULT 1 CHECK (start_time_confirmed IN (0, 1));
