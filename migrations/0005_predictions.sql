-- What users predict, what it earned them, and how they stand.

-- The counters of an event's predictions, by outcome, so that no list has to be counted when it is read.
ALTER TABLE event_counters ADD COLUMN home INTEGER NOT NULL DEFAULT 0;
ALTER TABLE event_counters ADD COLUMN draw INTEGER NOT NULL DEFAULT 0;
ALTER TABLE event_counters ADD COLUMN away INTEGER NOT NULL DEFAULT 0;
ALTER TABLE event_counters ADD COLUMN home_confidence INTEGER NOT NULL DEFAULT 0;
ALTER TABLE event_counters ADD COLUMN draw_confidence INTEGER NOT NULL DEFAULT 0;
ALTER TABLE event_counters ADD COLUMN away_confidence INTEGER NOT NULL DEFAULT 0;

CREATE TABLE predictions (
    id INTEGER PRIMARY KEY,
    event_id INTEGER NOT NULL REFERENCES events (id),
    user_id INTEGER NOT NULL REFERENCES users (id),
    outcome TEXT NOT NULL CHECK (outcome IN ('home', 'draw', 'away')),
    home_score INTEGER CHECK (home_score BETWEEN 0 AND 99),
    away_score INTEGER CHECK (away_score BETWEEN 0 AND 99),
    confidence INTEGER NOT NULL CHECK (confidence BETWEEN 0 AND 100),
    revision INTEGER NOT NULL,
    -- What the last replacement replaced, for the counters: the statement that replaces answers it.
    previous_outcome TEXT,
    previous_confidence INTEGER,
    created_at INTEGER NOT NULL,
    -- When the revision in force was made. It is late if the kick-off was moved to before this moment.
    updated_at INTEGER NOT NULL,
    is_late INTEGER NOT NULL CHECK (is_late IN (0, 1)),
    -- By which of the event's outcomes and which preset the points were computed; 0 while there are none.
    settlement_version INTEGER NOT NULL,
    scoring TEXT,
    -- What was right: 0 nothing, 1 the outcome, 2 the goal difference, 3 the score.
    tier INTEGER CHECK (tier BETWEEN 0 AND 3),
    points INTEGER,
    -- What of this has gone into the standings and statistics.
    counted_tier INTEGER,
    counted_points INTEGER,
    counted_confidence INTEGER,
    UNIQUE (event_id, user_id),
    CHECK ((home_score IS NULL) = (away_score IS NULL)),
    CHECK ((tier IS NULL) = (points IS NULL))
) STRICT;
CREATE INDEX predictions_of_event ON predictions (event_id, id);
CREATE INDEX predictions_of_outcome ON predictions (event_id, outcome, id);
CREATE INDEX predictions_of_user ON predictions (user_id, id);
CREATE INDEX predictions_by_points ON predictions (event_id, points DESC, tier DESC, id) WHERE points IS NOT NULL;

-- Every revision of every prediction, the one in force included. Rows are only ever added.
CREATE TABLE prediction_revisions (
    id INTEGER PRIMARY KEY,
    prediction_id INTEGER NOT NULL REFERENCES predictions (id),
    outcome TEXT NOT NULL,
    home_score INTEGER,
    away_score INTEGER,
    confidence INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX prediction_revisions_of ON prediction_revisions (prediction_id, id);

-- How far the live stream was told: up to which revision somebody looked, and what was last said of an event.
CREATE TABLE prediction_news_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last_revision_id INTEGER NOT NULL
) STRICT;
INSERT INTO prediction_news_head (id, last_revision_id) VALUES (1, 0);
CREATE TABLE prediction_news (
    event_id INTEGER NOT NULL REFERENCES events (id),
    home INTEGER NOT NULL,
    draw INTEGER NOT NULL,
    away INTEGER NOT NULL,
    PRIMARY KEY (event_id)
) STRICT;

-- How far each event's settlement is. A worker holds the row while it settles a stretch of predictions.
CREATE TABLE settlements (
    event_id INTEGER NOT NULL REFERENCES events (id),
    -- What is settled by: the event's outcome and its kick-off. A change of either begins anew.
    version INTEGER NOT NULL,
    start_time INTEGER NOT NULL,
    phase TEXT NOT NULL CHECK (phase IN ('points', 'uncount', 'count', 'recount', 'done')),
    -- Up to which prediction (in phase recount: board) this phase is done.
    cursor_id INTEGER NOT NULL,
    -- The boards into which this event was counted, as a JSON list.
    boards TEXT NOT NULL,
    settled_at INTEGER,
    final_at INTEGER,
    PRIMARY KEY (event_id)
) STRICT;

-- How many predictions on an event earned how much.
CREATE TABLE settlement_points (
    event_id INTEGER NOT NULL REFERENCES events (id),
    points INTEGER NOT NULL,
    tier INTEGER NOT NULL,
    predictions INTEGER NOT NULL,
    PRIMARY KEY (event_id, points, tier)
) STRICT;

-- Leaderboards: of everything (tournament 0) or one tournament, over all time or a season, month or week.
CREATE TABLE boards (
    id INTEGER PRIMARY KEY,
    tournament_id INTEGER NOT NULL,
    period TEXT NOT NULL CHECK (period IN ('all', 'season', 'month', 'week')),
    starts_at INTEGER NOT NULL,
    UNIQUE (tournament_id, period, starts_at)
) STRICT;
-- Held by whoever counts into the boards, so that events settled at the same time take turns.
CREATE TABLE boards_lock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    turns INTEGER NOT NULL
) STRICT;
INSERT INTO boards_lock (id, turns) VALUES (1, 0);

-- Only users with a settled prediction have a row.
CREATE TABLE standings (
    board_id INTEGER NOT NULL REFERENCES boards (id),
    user_id INTEGER NOT NULL REFERENCES users (id),
    settled INTEGER NOT NULL,
    correct INTEGER NOT NULL,
    exact INTEGER NOT NULL,
    points INTEGER NOT NULL,
    -- The sum of (confidence - 100 if right, else confidence) squared.
    brier INTEGER NOT NULL,
    PRIMARY KEY (board_id, user_id)
) STRICT;
CREATE INDEX standings_in_order ON standings (board_id, points DESC, exact DESC, user_id);

-- How many users of a board have so many points: ranks are sums over this.
CREATE TABLE standing_counts (
    board_id INTEGER NOT NULL REFERENCES boards (id),
    points INTEGER NOT NULL,
    users INTEGER NOT NULL,
    PRIMARY KEY (board_id, points)
) STRICT;

-- How often users were right, by how sure they said to be: decile 9 is 90 to 100 percent.
CREATE TABLE calibration (
    user_id INTEGER NOT NULL REFERENCES users (id),
    decile INTEGER NOT NULL CHECK (decile BETWEEN 0 AND 9),
    settled INTEGER NOT NULL,
    correct INTEGER NOT NULL,
    PRIMARY KEY (user_id, decile)
) STRICT;

-- Runs of right outcomes in the order of kick-off. A match settled out of that order makes them stale: they are then
-- walked anew when somebody asks.
CREATE TABLE prediction_runs (
    user_id INTEGER NOT NULL REFERENCES users (id),
    current_run INTEGER NOT NULL,
    best_run INTEGER NOT NULL,
    last_start INTEGER NOT NULL,
    last_event INTEGER NOT NULL,
    is_stale INTEGER NOT NULL CHECK (is_stale IN (0, 1)),
    PRIMARY KEY (user_id)
) STRICT;
