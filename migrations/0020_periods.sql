-- How far a live match is, as it was last told, and when that was so.
ALTER TABLE events ADD COLUMN period TEXT
    CHECK (period IS NULL
           OR (period IN ('first_half', 'half_time', 'second_half', 'extra_time', 'penalties') AND status = 'live'));
ALTER TABLE events ADD COLUMN minute INTEGER
    CHECK (minute IS NULL OR (minute BETWEEN 0 AND 300 AND status = 'live'));
ALTER TABLE events ADD COLUMN minute_at INTEGER CHECK ((minute_at IS NULL) = (minute IS NULL));
