-- What users are called, folded as searches are, so that a beginning is found through an index. The program folds: the databases differ
-- beyond ASCII. A chore fills it in for those who were there before.
ALTER TABLE users ADD COLUMN name_folded TEXT;
CREATE INDEX users_by_name ON users (name_folded, id) WHERE name_folded IS NOT NULL;
CREATE INDEX users_to_fold ON users (id) WHERE name IS NOT NULL AND name_folded IS NULL;

-- What operators want each other to know of a user. Goes with the account.
CREATE TABLE user_notes (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id),
    text TEXT NOT NULL,
    operator TEXT NOT NULL,
    operator_id INTEGER,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX user_notes_of_user ON user_notes (user_id, id);

-- How often somebody was reported, and reported others.
CREATE INDEX chat_reports_about ON chat_reports (reported_user_id) WHERE reported_user_id IS NOT NULL;
CREATE INDEX chat_reports_by ON chat_reports (reporter_id);

-- A ban may end by itself, and says why and by whom it was made. One that is over counts for nothing from that moment on, whenever
-- the marks are taken off.
ALTER TABLE users ADD COLUMN banned_until INTEGER;
ALTER TABLE users ADD COLUMN ban_reason TEXT;
ALTER TABLE users ADD COLUMN banned_by TEXT;
