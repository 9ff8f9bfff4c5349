-- Questions about a tournament as a whole, whose answers are on a list: who wins it, who scores most.
CREATE TABLE questions (
    id INTEGER PRIMARY KEY,
    tournament_id INTEGER NOT NULL REFERENCES tournaments (id),
    text TEXT NOT NULL,
    -- Nobody answers from here on.
    closes_at INTEGER NOT NULL,
    -- For each right answer.
    points INTEGER NOT NULL,
    most_picks INTEGER NOT NULL,
    -- Where its points count, as a JSON list of words, and the boards that this comes to, as one of their ids.
    counts_in TEXT NOT NULL,
    boards TEXT NOT NULL,
    in_leagues INTEGER NOT NULL CHECK (in_leagues IN (0, 1)),
    settled_at INTEGER,
    voided_at INTEGER,
    void_reason TEXT,
    -- Goes up with whatever changes what tips earn; how far the tips follow it.
    revision INTEGER NOT NULL,
    work_revision INTEGER NOT NULL,
    work_phase TEXT NOT NULL CHECK (work_phase IN ('tips', 'places', 'done')),
    work_cursor INTEGER NOT NULL,
    -- Once it is closed: how many have answered.
    tip_count INTEGER,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX questions_of_tournament ON questions (tournament_id, closes_at, id);
CREATE INDEX questions_in_order ON questions (closes_at, id);

CREATE TABLE question_options (
    id INTEGER PRIMARY KEY,
    question_id INTEGER NOT NULL REFERENCES questions (id),
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    team_id INTEGER REFERENCES teams (id),
    is_right INTEGER NOT NULL CHECK (is_right IN (0, 1)),
    -- Once the question is closed: how many have picked it.
    pick_count INTEGER,
    UNIQUE (question_id, position)
) STRICT;

CREATE TABLE question_tips (
    id INTEGER PRIMARY KEY,
    question_id INTEGER NOT NULL REFERENCES questions (id),
    user_id INTEGER NOT NULL REFERENCES users (id),
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    -- What it has earned, and what of that is counted in the boards.
    points INTEGER,
    counted_points INTEGER,
    UNIQUE (question_id, user_id)
) STRICT;
CREATE INDEX question_tips_in_order ON question_tips (question_id, id);
CREATE INDEX question_tips_of_user ON question_tips (user_id, question_id);

CREATE TABLE question_picks (
    tip_id INTEGER NOT NULL REFERENCES question_tips (id),
    option_id INTEGER NOT NULL REFERENCES question_options (id),
    PRIMARY KEY (tip_id, option_id)
) STRICT;
CREATE INDEX question_picks_of_option ON question_picks (option_id);

-- Tips that are counted in a board, and what of its points are theirs.
ALTER TABLE standings ADD COLUMN tips INTEGER NOT NULL DEFAULT 0;
ALTER TABLE standings ADD COLUMN tip_points INTEGER NOT NULL DEFAULT 0;
