-- What is played, by whom and when. The `imported` columns hold the document's item as it was last imported, so that a
-- later import moves only what changed in the document.

CREATE TABLE sports (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    imported TEXT NOT NULL
) STRICT;

CREATE TABLE teams (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    sport_id INTEGER NOT NULL REFERENCES sports (id),
    name TEXT NOT NULL,
    -- The name in lower case, for searching.
    name_folded TEXT NOT NULL,
    logo TEXT,
    country TEXT,
    founded INTEGER,
    imported TEXT NOT NULL
) STRICT;
CREATE INDEX teams_by_name ON teams (name, id);
CREATE INDEX teams_by_sport ON teams (sport_id, name, id);

CREATE TABLE tournaments (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    sport_id INTEGER NOT NULL REFERENCES sports (id),
    name TEXT NOT NULL,
    logo TEXT,
    -- The preset by which predictions on its matches earn points.
    scoring TEXT NOT NULL CHECK (scoring IN ('classic', 'kicktipp', 'super6', 'premier_league')),
    confidence_weighted INTEGER NOT NULL CHECK (confidence_weighted IN (0, 1)),
    imported TEXT NOT NULL
) STRICT;

CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    tournament_id INTEGER NOT NULL REFERENCES tournaments (id),
    home_team_id INTEGER NOT NULL REFERENCES teams (id),
    away_team_id INTEGER NOT NULL REFERENCES teams (id),
    start_time INTEGER NOT NULL,
    -- Empty when unknown.
    venue TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('scheduled', 'live', 'finished')),
    home_score INTEGER CHECK (home_score BETWEEN 0 AND 99),
    away_score INTEGER CHECK (away_score BETWEEN 0 AND 99),
    -- A voided match keeps its status.
    voided_at INTEGER,
    void_reason TEXT,
    -- When the result was entered or last changed.
    result_at INTEGER,
    -- Goes up with every change of what predictions are settled by: a result, its correction, a void, its end.
    outcome_revision INTEGER NOT NULL,
    chat_room_id TEXT,
    imported TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    CHECK (home_team_id <> away_team_id),
    CHECK ((voided_at IS NULL) = (void_reason IS NULL)),
    CHECK ((home_score IS NULL) = (away_score IS NULL)),
    CHECK (status <> 'scheduled' OR home_score IS NULL),
    CHECK (status <> 'finished' OR (home_score IS NOT NULL AND result_at IS NOT NULL))
) STRICT;
-- Each serves one shape of the list, from live to finished, without reading what it does not show; the first also finds
-- the kick-offs that are due.
CREATE INDEX events_listed ON events (status, start_time, id) WHERE voided_at IS NULL;
CREATE INDEX events_of_tournament ON events (tournament_id, status, start_time, id) WHERE voided_at IS NULL;
CREATE INDEX events_of_home_team ON events (home_team_id, status, start_time, id) WHERE voided_at IS NULL;
CREATE INDEX events_of_away_team ON events (away_team_id, status, start_time, id) WHERE voided_at IS NULL;
CREATE INDEX events_of_home_team_in_tournament ON events (home_team_id, tournament_id, status, start_time, id)
    WHERE voided_at IS NULL;
CREATE INDEX events_of_away_team_in_tournament ON events (away_team_id, tournament_id, status, start_time, id)
    WHERE voided_at IS NULL;

-- How many listed events there are, by filter (0: any), so that a page's total costs the same however many have finished.
CREATE TABLE event_counts (
    tournament_id INTEGER NOT NULL,
    team_id INTEGER NOT NULL,
    status TEXT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (tournament_id, team_id, status)
) STRICT;

-- Predictions by event, in several rows so that a popular match is no single hot row.
CREATE TABLE event_counters (
    event_id INTEGER NOT NULL REFERENCES events (id),
    shard INTEGER NOT NULL,
    predictions INTEGER NOT NULL,
    PRIMARY KEY (event_id, shard)
) STRICT;

-- What the live stream tells, in the order of the commits: each id is taken from the one row of event_feed_head, which
-- holds up the next announcement until this one is committed.
CREATE TABLE event_feed (
    id INTEGER PRIMARY KEY,
    event_id INTEGER NOT NULL REFERENCES events (id),
    kind TEXT NOT NULL CHECK (kind IN ('status', 'score', 'predictions', 'settlement')),
    data TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX event_feed_by_age ON event_feed (created_at);

CREATE TABLE event_feed_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last_id INTEGER NOT NULL
) STRICT;
INSERT INTO event_feed_head (id, last_id) VALUES (1, 0);

-- Held by an import, so that imports take turns on all nodes.
CREATE TABLE catalogue_lock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    imports INTEGER NOT NULL
) STRICT;
INSERT INTO catalogue_lock (id, imports) VALUES (1, 0);

-- Slot 0 is the primary team, 1 to 5 are the others in the user's order.
CREATE TABLE favourite_teams (
    user_id INTEGER NOT NULL REFERENCES users (id),
    slot INTEGER NOT NULL CHECK (slot BETWEEN 0 AND 5),
    team_id INTEGER NOT NULL REFERENCES teams (id),
    PRIMARY KEY (user_id, slot)
) STRICT;
