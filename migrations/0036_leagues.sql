-- What was right about a prediction, whatever its tournament pays for it: 0 nothing, 1 the outcome, 2 a draw, 3 the goal difference of a
-- match that somebody won, 4 the score. Counted into the standings, so that what any preset would pay is a weighted sum of them.
ALTER TABLE predictions ADD COLUMN counted_merit INTEGER CHECK (counted_merit BETWEEN 0 AND 4);
UPDATE predictions
SET counted_merit = CASE WHEN counted_tier = 0 THEN 0
                         WHEN counted_tier = 3 THEN 4
                         WHEN outcome = 'draw' THEN 2
                         WHEN home_score - away_score
                              = (SELECT e.home_score - e.away_score FROM events e WHERE e.id = predictions.event_id) THEN 3
                         ELSE 1 END
WHERE counted_tier IS NOT NULL;
-- Right by a draw, and by the difference, without the exact ones.
ALTER TABLE standings ADD COLUMN draws INTEGER NOT NULL DEFAULT 0;
ALTER TABLE standings ADD COLUMN differences INTEGER NOT NULL DEFAULT 0;
UPDATE standings SET draws = counted.draws, differences = counted.differences
FROM (SELECT CAST(b.value AS INTEGER) AS board_id, p.user_id, sum(CASE WHEN p.counted_merit = 2 THEN 1 ELSE 0 END) AS draws,
             sum(CASE WHEN p.counted_merit = 3 THEN 1 ELSE 0 END) AS differences
      FROM settlements s CROSS JOIN json_each(s.boards) b
      JOIN predictions p ON p.event_id = s.event_id AND p.counted_merit IN (2, 3)
      GROUP BY CAST(b.value AS INTEGER), p.user_id) counted
WHERE standings.board_id = counted.board_id AND standings.user_id = counted.user_id;

-- Leagues that users make: whose predictions are compared, on which tournaments, from which week on.
CREATE TABLE leagues (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    -- For searches.
    name_folded TEXT NOT NULL,
    is_public INTEGER NOT NULL CHECK (is_public IN (0, 1)),
    -- Who has it may join.
    code TEXT NOT NULL UNIQUE,
    scoring TEXT NOT NULL,
    -- What the preset pays; nothing where each tournament pays what it does.
    pays_outcome INTEGER,
    pays_draw INTEGER,
    pays_difference INTEGER,
    pays_exact INTEGER,
    -- The Monday (UTC) of the first week that counts.
    starts_at INTEGER NOT NULL,
    member_count INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    -- Nobody joins and nothing counts any more; the table stays.
    closed_at INTEGER,
    -- Whether it is to have a chat room of its own, and which it has.
    has_chat INTEGER NOT NULL CHECK (has_chat IN (0, 1)),
    chat_room_id TEXT
) STRICT;
CREATE INDEX leagues_with_chat ON leagues (id) WHERE has_chat = 1;
CREATE INDEX leagues_public ON leagues (member_count DESC, id) WHERE is_public = 1 AND closed_at IS NULL;

CREATE TABLE league_tournaments (
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    tournament_id INTEGER NOT NULL REFERENCES tournaments (id),
    PRIMARY KEY (league_id, tournament_id)
) STRICT;

CREATE TABLE league_members (
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    user_id INTEGER NOT NULL REFERENCES users (id),
    role TEXT NOT NULL CHECK (role IN ('owner', 'deputy', 'member')),
    joined_at INTEGER NOT NULL,
    PRIMARY KEY (league_id, user_id)
) STRICT;
CREATE INDEX league_members_of_user ON league_members (user_id, league_id);
CREATE UNIQUE INDEX league_owner ON league_members (league_id) WHERE role = 'owner';

-- Removed for good: the code does not let them in again.
CREATE TABLE league_exclusions (
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    user_id INTEGER NOT NULL REFERENCES users (id),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (league_id, user_id)
) STRICT;
CREATE INDEX league_exclusions_of_user ON league_exclusions (user_id);

-- What members have, by week (its Monday, UTC) and, as week 0, in all. Everybody has a row of week 0, and one for each week with a
-- settled prediction. Made of members alone, so without references of its own: to check them would take longer than to count.
CREATE TABLE league_standings (
    league_id INTEGER NOT NULL,
    week INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    settled INTEGER NOT NULL,
    correct INTEGER NOT NULL,
    exact INTEGER NOT NULL,
    points INTEGER NOT NULL,
    PRIMARY KEY (league_id, user_id, week)
) STRICT;
CREATE INDEX league_standings_in_order ON league_standings (league_id, week, points DESC, exact DESC, user_id);

-- Who is still to be brought into a league's chat room, or taken out of it.
CREATE TABLE league_chat_moves (
    league_id INTEGER NOT NULL REFERENCES leagues (id),
    user_id INTEGER NOT NULL REFERENCES users (id),
    is_in INTEGER NOT NULL CHECK (is_in IN (0, 1)),
    PRIMARY KEY (league_id, user_id)
) STRICT;
CREATE INDEX league_chat_moves_of_user ON league_chat_moves (user_id);
