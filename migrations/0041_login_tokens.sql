-- Tokens that the page at /sign-in hands to a Matrix client, which makes a session of them: by their hashes, once, and for two minutes.
CREATE TABLE login_tokens (
    token_hash BLOB PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id),
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX login_tokens_by_user ON login_tokens (user_id);
CREATE INDEX login_tokens_by_end ON login_tokens (expires_at);
