-- How far the league of a seed has got: matches are in the catalogue that kick off before the first moment, and matches are played and
-- predicted up to the other two.
CREATE TABLE demo_progress (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    seed INTEGER NOT NULL,
    fixtures_until INTEGER NOT NULL,
    played_until INTEGER NOT NULL,
    predicted_until INTEGER NOT NULL
) STRICT;
