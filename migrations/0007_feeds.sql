-- Where matches come from: what each feed last did, which of its ids stand for which team and match, and how often its
-- providers were asked.

CREATE TABLE feeds (
    -- The slug of the tournament that is fed.
    tournament TEXT PRIMARY KEY,
    -- The provider that fed it first: its unknown teams are taken as new ones, those of the others are not.
    owner TEXT,
    next_poll_at INTEGER NOT NULL,
    -- The last poll that was answered, and by whom.
    polled_at INTEGER,
    provider TEXT,
    -- Why the last poll was not answered, or not by the first source; as text for people.
    error TEXT,
    error_at INTEGER,
    -- What the last answer had that cannot be read, as a JSON array of texts.
    problems TEXT NOT NULL
) STRICT;

CREATE TABLE feed_teams (
    provider TEXT NOT NULL,
    sport_id INTEGER NOT NULL REFERENCES sports (id),
    external_id TEXT NOT NULL,
    team_id INTEGER NOT NULL REFERENCES teams (id),
    PRIMARY KEY (provider, sport_id, external_id)
) STRICT;

CREATE TABLE feed_matches (
    provider TEXT NOT NULL,
    external_id TEXT NOT NULL,
    tournament TEXT NOT NULL,
    -- Null while the match is held before it is in the catalogue.
    event_id INTEGER REFERENCES events (id),
    -- What the provider last said, so that only what it changes is carried over.
    start_time INTEGER NOT NULL,
    venue TEXT NOT NULL,
    -- The two sides, for people.
    title TEXT NOT NULL,
    -- Why what the provider says is not carried out.
    held TEXT,
    held_since INTEGER,
    CHECK ((held IS NULL) = (held_since IS NULL)),
    PRIMARY KEY (provider, external_id)
) STRICT;
CREATE INDEX feed_matches_of_tournament ON feed_matches (tournament);

-- What feeds last wrote about a match. A field that looks different now was changed by an operator.
CREATE TABLE feed_events (
    event_id INTEGER PRIMARY KEY REFERENCES events (id),
    start_time INTEGER NOT NULL,
    venue TEXT NOT NULL,
    status TEXT NOT NULL,
    home_score INTEGER,
    away_score INTEGER,
    is_void INTEGER NOT NULL CHECK (is_void IN (0, 1)),
    -- Who said how the match ended.
    outcome_by TEXT,
    -- An operator said how the match ended; no feed says otherwise any more.
    is_operators INTEGER NOT NULL CHECK (is_operators IN (0, 1))
) STRICT;

-- The requests of the last day, so that all nodes together keep to a provider's quota.
CREATE TABLE feed_requests (
    id INTEGER PRIMARY KEY,
    provider TEXT NOT NULL,
    made_at INTEGER NOT NULL
) STRICT;
CREATE INDEX feed_requests_by_provider ON feed_requests (provider, made_at);

-- Held while a request is counted; blocked_until is what the provider asked for.
CREATE TABLE feed_providers (
    provider TEXT PRIMARY KEY,
    blocked_until INTEGER NOT NULL
) STRICT;
