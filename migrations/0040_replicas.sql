-- A count that goes on about ten times a second while some node has replicas to read from. What a replica shows of it tells how old the
-- rest is that it shows.
CREATE TABLE replica_beats (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    beat INTEGER NOT NULL,
    beaten_at INTEGER NOT NULL
) STRICT;
INSERT INTO replica_beats (id, beat, beaten_at) VALUES (1, 0, 0);
-- The beat from which a replica has what a user changed last. Rows go when every replica that is read from has long been there.
CREATE TABLE user_positions (
    user_id INTEGER NOT NULL PRIMARY KEY,
    beat INTEGER NOT NULL
) STRICT;
