-- What the provider called the team when it was bound, for people; null for what was bound before.
ALTER TABLE feed_teams ADD COLUMN name TEXT;
