-- Operators have roles. Whoever has a token so far could do everything, and so can one that a node of the version before makes
-- meanwhile: hence the default. This version always says the role.
ALTER TABLE operator_tokens ADD COLUMN role TEXT NOT NULL DEFAULT 'owner'
    CHECK (role IN ('viewer', 'moderator', 'operator', 'owner'));
ALTER TABLE operator_tokens ADD COLUMN expires_at INTEGER;
-- The name of whoever made it; nobody knows for those of before.
ALTER TABLE operator_tokens ADD COLUMN created_by TEXT;
