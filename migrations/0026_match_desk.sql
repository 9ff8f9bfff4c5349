-- What a provider last told of how a match stands, believed or not, and since when it tells so. Null until it is next asked.
ALTER TABLE feed_matches ADD COLUMN told TEXT;
ALTER TABLE feed_matches ADD COLUMN told_at INTEGER;

-- What providers say of a match, and which matches they are not believed about.
CREATE INDEX feed_matches_of_event ON feed_matches (event_id) WHERE event_id IS NOT NULL;
CREATE INDEX feed_matches_held ON feed_matches (held_since) WHERE held IS NOT NULL;

-- Matches of a stretch of time, voided or not, and those whose result is new.
CREATE INDEX events_by_start ON events (start_time, id);
CREATE INDEX events_by_result ON events (result_at) WHERE result_at IS NOT NULL;
